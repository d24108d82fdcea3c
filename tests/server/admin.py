"""An operator with a key, and the command in a process of its own, for tests."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
from click.testing import CliRunner

from lampion.cli.main import main
from tests.server.support import PLAIN, Server, wait_for

Json = dict[str, Any]


class Operator:
    """Asks the admin API with a key, as a program or the page would."""

    def __init__(self, server: Server, key: str) -> None:
        self.server, self.key = server, key

    def ask(self, operation: str, **request: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        url = f"{self.server.base}/api/admin/{operation}"
        return httpx.post(url, json=request, headers=headers, timeout=60, verify=PLAIN)

    def call(self, operation: str, **request: Any) -> Json:
        reply = self.ask(operation, **request)
        assert reply.status_code == 200, reply.text
        found: Json = reply.json()
        return found

    def problem(self, operation: str, **request: Any) -> str:
        reply = self.ask(operation, **request)
        assert reply.status_code >= 400, reply.text
        return str(reply.json()["code"])

    def audit(self) -> list[tuple[str, str, str]]:
        """(actor, action, subject), the newest first."""
        entries = self.call("audit", limit=200)["entries"]
        return [(each["actor"], each["action"], each["subject"]) for each in entries]


def command(
    database: str, *words: str, key: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """`lampion admin` with these words, in this process: starting one costs a second of CPU.

    In a thread of its own: a test with a browser has an event loop running in this one.
    """
    given = ["--database", database] if database else []
    environment = {**_variables(), **variables, **({"LAMPION_ADMIN_KEY": key} if key else {})}
    with ThreadPoolExecutor(1) as thread:
        typing = ["admin", *words, *given]
        found = thread.submit(CliRunner().invoke, main, typing, env=environment).result()
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    return subprocess.CompletedProcess(words, found.exit_code, found.stdout, found.stderr)


def _variables() -> dict[str, str | None]:
    """None takes a variable away: what is set around the tests is not meant for them."""
    return {name: None for name in os.environ if name.startswith("LAMPION_ADMIN")}


def typed(database: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The same as an operator types it, in a process of its own."""
    line = [sys.executable, "-m", "lampion", "admin", *words, "--database", database]
    return subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)


def done(database: str, *words: str) -> str:
    found = command(database, *words)
    assert found.returncode == 0, found.stderr
    return found.stdout


def lines(database: str, *words: str) -> list[Json]:
    return [json.loads(line) for line in done(database, *words, "--json").splitlines()]


def started(database: str, *flags: str) -> Server:
    """A server that answers; rules that a test does not play by may still be prepared."""
    return start(Server(database, *flags))


def start(server: Server) -> Server:
    server.start(ready=False)
    wait_for(lambda: _answers(server))
    return server


def _answers(server: Server) -> bool:
    with contextlib.suppress(httpx.HTTPError):
        return httpx.get(f"{server.base}/live", timeout=30, verify=PLAIN).status_code == 200
    return False


def drains(server: Server) -> bool:
    found = httpx.get(f"{server.base}/ready", timeout=60, verify=PLAIN)
    is_draining: bool = found.json()["checks"]["draining"] == "yes"
    assert found.status_code == 503 or not is_draining, "a balancer looks at the status"
    return is_draining


def operator_of(server: Server, label: str = "test") -> Operator:
    """With a new key, made by the command."""
    return Operator(server, done(server.database, "key", "new", "--label", label).strip())
