"""One address at which one build of the client follows another, as when a server is updated."""

from __future__ import annotations

import contextlib
import mimetypes
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx

from lampion.server.web.client import STATIC
from tests.server.support import PLAIN, Server

_PART = re.compile(r"-[\w-]{8}(?=\.(js|css)$)")
_BUILD = re.compile(r'shell \$\{"[0-9a-f]{12}"\}')
TEXTS = (".js", ".css", ".html")


class Builds:
    """The client of a running server, with other names for all its parts in every build."""

    def __init__(self, site: Server) -> None:
        self._site = site
        self.base = ""
        self._files: dict[str, bytes] = {}
        self.serve("one")

    def serve(self, build: str) -> None:
        """From now on there is no other build."""
        found = {
            path.relative_to(STATIC).as_posix(): path.read_bytes()
            for path in STATIC.rglob("*")
            if path.is_file() and not path.name.startswith(".")
        }
        new = {
            name: _PART.sub(rf"\g<0>.{build}", name) for name in found if name.startswith("assets/")
        }
        names = {name.partition("/")[2]: other.partition("/")[2] for name, other in new.items()}
        old = re.compile("|".join(re.escape(name) for name in names))

        def renamed(body: bytes) -> bytes:
            text = old.sub(lambda match: names[match[0]], body.decode())
            return _BUILD.sub(f'shell ${{"{build}"}}', text).encode()

        self._files = {
            new.get(name, name): renamed(body) if name.endswith(TEXTS) else body
            for name, body in found.items()
        }
        assert f'"{build}"'.encode() in self._files["sw.js"]

    def part(self, start: str) -> str:
        """The one script of this build whose name begins so."""
        (found,) = [
            name
            for name in self._files
            if name.startswith(f"assets/{start}-") and name.endswith(".js")
        ]
        return found

    def answer(self, path: str) -> tuple[int, str, bytes]:
        path, _, _ = path.partition("?")
        if path.startswith("/api/") or path == "/live":
            reply = httpx.get(f"{self._site.base}{path}", verify=PLAIN)
            return reply.status_code, reply.headers["content-type"], reply.content
        name = path.removeprefix("/")
        if name not in self._files and "." not in name:
            name = "index.html"
        if name not in self._files:
            return 404, "text/plain", b""
        return 200, mimetypes.guess_type(name)[0] or "application/octet-stream", self._files[name]


@contextlib.contextmanager
def serving_builds(site: Server) -> Iterator[Builds]:
    builds = Builds(site)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, body = builds.answer(self.path)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            # Whatever the page has must come from the server or the worker, not from the browser.
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    builds.base = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield builds
    finally:
        server.shutdown()
        server.server_close()
