"""What an attacker needs: plain sockets, addresses of its own, and a look at the server's log."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from tests.server.support import Json, Server

SECURITY_HEADERS = {
    "content-security-policy": "default-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=()",
}
"""Header -> how its value begins; every reply carries all of them."""

REAL_LIMITS = ("--limit-scale", "1", "--sockets-per-address", "60")
"""The shared flags of the tests widen all limits; these set what an operator gets."""

HANDSHAKE = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
_numbers = itertools.count(os.getpid() * 64)


def new_address() -> str:
    """A loopback address that no other test has used, so that limits of one test spare the next."""
    number = next(_numbers)
    return f"127.{1 + number // 250 // 250 % 250}.{number // 250 % 250}.{2 + number % 250}"


Answer = TypeVar("Answer")


def at_once(calls: Sequence[Callable[[], Answer]]) -> list[Answer]:
    """Make all calls at the same moment, each in a thread; returns what they gave, as they ended."""
    gate = threading.Barrier(len(calls))
    answers: list[Answer] = []

    def run(call: Callable[[], Answer]) -> None:
        gate.wait(60)
        answers.append(call())

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert len(answers) == len(calls), "a call failed"
    return answers


@dataclass
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    def problem(self) -> Json:
        found: Json = json.loads(self.body)
        return found


def dial(server: Server, address: str = "", seconds: float = 30) -> socket.socket:
    source = (address, 0) if address else None
    return socket.create_connection(("127.0.0.1", server.port), seconds, source)


def send_raw(server: Server, request: bytes, address: str = "") -> Reply:
    """Send bytes as they are on a connection of their own; returns the first reply."""
    with dial(server, address) as plain:
        # A server that refuses early may close before all of a long request is written.
        with contextlib.suppress(ConnectionError):
            plain.sendall(request)
        return read_reply(plain)


def read_reply(plain: socket.socket) -> Reply:
    """The first reply on a connection; a connection that is closed without one fails the test."""
    content = b""
    while b"\r\n\r\n" not in content:
        content += _more(plain, content)
    head, _, body = content.partition(b"\r\n\r\n")
    status, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    headers = {name.lower(): value.strip() for name, _, value in pairs}
    length = int(headers.get("content-length", "0"))
    while len(body) < length:
        body += _more(plain, content)
    return Reply(int(status.split()[1]), headers, body)


def _more(plain: socket.socket, so_far: bytes) -> bytes:
    try:
        more = plain.recv(65_536)
    except ConnectionError:
        more = b""
    assert more, f"the connection was dropped without a reason after {so_far[:200]!r}"
    return more


def get(path: bytes, *headers: bytes) -> bytes:
    lines = b"".join(header + b"\r\n" for header in headers)
    return b"GET " + path + b" HTTP/1.1\r\nHost: lampion\r\nConnection: close\r\n" + lines + b"\r\n"


def post(path: bytes, body: bytes, *headers: bytes) -> bytes:
    lines = b"".join(header + b"\r\n" for header in headers)
    length = b"Content-Length: %d\r\n" % len(body)
    kind = b"Content-Type: application/json\r\n"
    head = b"POST " + path + b" HTTP/1.1\r\nHost: lampion\r\nConnection: close\r\n"
    return head + kind + length + lines + b"\r\n" + body


def handshake(path: str, *headers: str) -> bytes:
    lines = "".join(f"{header}\r\n" for header in headers)
    return f"GET {path} HTTP/1.1\r\nHost: lampion\r\n{HANDSHAKE}{lines}\r\n".encode("latin-1")


def check_headers(reply: Reply) -> None:
    for name, begins in SECURITY_HEADERS.items():
        found = reply.headers.get(name)
        assert found is not None and found.startswith(begins), f"{name}: {found!r}"


def check_refused(reply: Reply, *statuses: int) -> Json:
    """A refusal is a problem document with the security headers, and no fault of the server."""
    text = reply.body[:300]
    assert 400 <= reply.status < 500, f"{reply.status} {text!r}"
    assert not statuses or reply.status in statuses, f"{reply.status} {text!r}"
    assert "json" in reply.headers.get("content-type", ""), f"{reply.status} {text!r}"
    problem = reply.problem()
    assert problem["type"] == "problem" and problem["code"] and problem["message"], text
    check_headers(reply)
    return problem


@contextlib.contextmanager
def quiet_log(server: Server, lines: int = 60) -> Iterator[None]:
    """What happens meanwhile may leave a few lines in the log, none of them a traceback."""
    assert server.log
    before = server.log.stat().st_size
    yield
    with server.log.open("rb") as log:
        log.seek(before)
        added = log.read()
    assert b"Traceback" not in added, added[:2000].decode(errors="replace")
    assert len(added) <= lines * 400, f"{len(added)} bytes of log: {added[:600]!r}"


# --- a look into the SQLite file ----------------------------------------------------------------


def ask_database(server: Server, query: str, *values: object) -> list[tuple[object, ...]]:
    """Reading beside the running server; the black box stays closed, its storage is public."""
    uri = f"{Path(server.database).absolute().as_uri()}?mode=ro"
    with contextlib.closing(sqlite3.connect(uri, uri=True, timeout=30)) as db:
        return db.execute(query, values).fetchall()


def count(server: Server, query: str, *values: object) -> int:
    found = ask_database(server, query, *values)[0][0]
    assert isinstance(found, int)
    return found


def log_length(server: Server, table: Json) -> int:
    return count(server, "SELECT count(*) FROM event WHERE table_id = ?", table["id"])
