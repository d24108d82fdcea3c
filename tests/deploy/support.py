"""Real proxies in front of a real server, started with the files of deploy/."""

from __future__ import annotations

import itertools
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.server.support import wait_for

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SHORT = "2s"
"""Instead of the ten seconds that a request may take to arrive."""
PATH = f"{os.environ['PATH']}:/usr/sbin:/sbin"
NGINX_FRAME = """
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log warn;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


@dataclass(frozen=True)
class Certificate:
    """For 127.0.0.1, signed by itself."""

    file: Path
    key: Path


def make_certificate(folder: Path) -> Certificate:
    file, key = folder / "cert.pem", folder / "key.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    command += ["-keyout", str(key), "-out", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    return Certificate(file, key)


_candidates = itertools.count(10_000 + os.getpid() % 200 * 40)
"""Below the ports that the system gives to clients, which would get in between."""


def free_port() -> int:
    for port in _candidates:
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)) != 0:
                return port
    raise AssertionError("no free port")


@dataclass
class Proxy:
    """nginx or Caddy with one of our files; `ports` says where the processes behind really are."""

    kind: str
    name: str
    folder: Path
    certificate: Certificate
    ports: Mapping[int, int]
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def base(self) -> str:
        return f"https://127.0.0.1:{self.port}"

    def start(self) -> Proxy:
        self.folder.mkdir(exist_ok=True)
        command = self._nginx() if self.kind == "nginx" else self._caddy()
        environment = os.environ | {"PATH": PATH, "XDG_DATA_HOME": str(self.folder)}
        environment |= {"XDG_CONFIG_HOME": str(self.folder), "HOME": str(self.folder)}
        with (self.folder / "output").open("wb") as output:
            self.process = subprocess.Popen(
                command, env=environment, stdout=output, stderr=subprocess.STDOUT
            )
        wait_for(self._listens, 30)
        return self

    def _listens(self) -> bool:
        assert self.process
        assert self.process.poll() is None, (self.folder / "output").read_text()
        with socket.socket() as trial:
            return trial.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                raise

    def __enter__(self) -> Proxy:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _with_ports(self, text: str) -> str:
        return re.sub(r"127\.0\.0\.1:(\d+)", lambda m: f"127.0.0.1:{self.ports[int(m[1])]}", text)

    def _nginx(self) -> list[str]:
        site = self._with_ports((DEPLOY / "nginx" / f"{self.name}.conf").read_text())
        site = site.replace("listen 443 ssl", f"listen 127.0.0.1:{self.port} ssl")
        site = site.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
        site = re.sub(r"ssl_certificate /.*;", f"ssl_certificate {self.certificate.file};", site)
        site = re.sub(
            r"ssl_certificate_key .*;", f"ssl_certificate_key {self.certificate.key};", site
        )
        (self.folder / "site.conf").write_text(site.replace("10s", SHORT))
        snippets = self.folder / "snippets"
        snippets.mkdir(exist_ok=True)
        shared = (DEPLOY / "nginx" / "lampion-proxy.conf").read_text()
        (snippets / "lampion-proxy.conf").write_text(
            shared.replace("body_timeout 10s", f"body_timeout {SHORT}")
        )
        main = self.folder / "nginx.conf"
        main.write_text(NGINX_FRAME.format(folder=self.folder))
        return [
            "nginx",
            "-p",
            str(self.folder),
            "-e",
            str(self.folder / "nginx.log"),
            "-c",
            str(main),
        ]

    def _caddy(self) -> list[str]:
        text = self._with_ports((DEPLOY / "caddy" / f"{self.name}.Caddyfile").read_text())
        tls = f"tls {self.certificate.file} {self.certificate.key}"
        text = re.sub(
            r"^(lampion\.example|example\.org) {", f"{self.base} {{\n\t{tls}", text, flags=re.M
        )
        options = "{\n\tadmin off\n\tauto_https disable_redirects"
        text = re.sub(r"^{$", options, text, count=1, flags=re.M)
        file = self.folder / "Caddyfile"
        file.write_text(text.replace("10s", SHORT))
        return ["caddy", "run", "--config", str(file), "--adapter", "caddyfile"]


def missing_proxies() -> str:
    """Why the proxies cannot run here; empty if they can."""
    done = subprocess.run([str(ROOT / "scripts" / "proxies")], capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip().splitlines()[-1]
    return "" if shutil.which("openssl") else "openssl makes the certificate and is not here"
