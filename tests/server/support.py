"""A real server in a process of its own, and people who talk to it."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import random
import signal
import socket
import socket as sockets
import ssl
import subprocess
import sys
import tempfile
import time
import zlib
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil  # type: ignore[import-untyped]
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from lampion.server.store import open_backend
from tests.server.forked import Forked

Json = dict[str, Any]
_ids = itertools.count(1)
_clients: list[httpx.Client] = []
PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For `verify` of clients: servers of tests speak plain HTTP. Without it, every client, and every
request without a client, reads all certificates of the machine: 60 ms of processor time."""
PATIENCE = 240.0
"""Seconds; the first start on a machine compiles the rules."""


LISTENING = range(15_000, 32_000)
"""Ports below those that a system gives to connections going out: a server that comes back finds
its port free."""


def free_port() -> int:
    """One that nobody listens on, drawn so that tests running side by side hardly ever meet."""
    while True:
        port = random.SystemRandom().choice(LISTENING)
        with socket.socket() as trial, contextlib.suppress(OSError):
            trial.bind(("127.0.0.1", port))
            return port


class Server:
    """`lampion serve` on a port of its own. `kill` is kill -9."""

    def __init__(
        self,
        database: str,
        *flags: str,
        port: int | None = None,
        log: Path | None = None,
        env: dict[str, str] | None = None,
    ) -> None:
        self.port = port or free_port()
        self.database, self.flags, self.log = database, flags, log
        self.env = env
        self.base = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | Forked | None = None

    def start(self, *, ready: bool = True) -> Server:
        self.process = self._launched()
        try:
            wait_for(lambda: self._answers(ready))
        except BaseException:
            self.kill()
            raise
        return self

    def _launched(self) -> subprocess.Popen[bytes] | Forked:
        words = ["serve", "--port", str(self.port), "--database", self.database, "--bot-pause", "0",
                 "--limit-scale", "1000", "--sockets-per-address", "2000", "--log", "json", *self.flags]  # fmt: skip
        log = self.log or Path(os.devnull)
        if self.env is None:
            lay_out(self.database)
            return Forked(words, log)
        with log.open("ab") as output:
            command = [sys.executable, "-m", "lampion", *words]
            environment = {**os.environ, **self.env}
            return subprocess.Popen(command, stdout=output, stderr=output, env=environment)

    def _answers(self, ready: bool) -> bool:
        assert self.process
        assert self.process.poll() is None, f"the server has stopped: {self._last_words()}"
        with contextlib.suppress(httpx.HTTPError, OSError):
            # Before anybody listens, this costs much less than a request.
            socket.create_connection(("127.0.0.1", self.port), 30).close()
            return not (
                ready
                and httpx.get(f"{self.base}/api/catalogue", timeout=30, verify=PLAIN).json()[
                    "preparing"
                ]
            )
        return False

    def _last_words(self) -> str:
        return self.log.read_text(errors="replace")[-2000:] if self.log else "(it kept no log)"

    def stop(self, kind: signal.Signals = signal.SIGTERM) -> None:
        if self.process and self.process.poll() is None:
            self.process.send_signal(kind)
            self.process.wait(30)

    def kill(self) -> None:
        self.stop(signal.SIGKILL)

    def processor_seconds(self) -> float:
        """Processor time of the server itself."""
        assert self.process
        spent = psutil.Process(self.process.pid).cpu_times()
        return float(spent.user + spent.system)

    def memory(self) -> int:
        """Bytes that the server and its child processes hold (resident set)."""
        assert self.process
        head = psutil.Process(self.process.pid)
        total = 0
        for one in [head, *head.children(recursive=True)]:
            with contextlib.suppress(psutil.NoSuchProcess):
                total += one.memory_info().rss
        return total

    def __enter__(self) -> Server:
        return self if self.process else self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def lay_out(database: str) -> None:
    """Begin with a copy of an empty database where there is none: the steps to today's schema, of
    which tests/server/store/test_migrations.py takes care, are a third of a start."""
    file = Path(database)
    if "://" in database or file.exists() or not file.parent.is_dir():
        return
    file.touch(0o600)
    file.write_bytes(empty_database())


@functools.cache
def empty_database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lampion.db"
        open_backend(str(file)).close()
        return file.read_bytes()


def wait_for(holds: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := holds():
            return found
        time.sleep(0.05)
    raise AssertionError("waited in vain")


def close_clients() -> None:
    while _clients:
        _clients.pop().close()


class Person:
    """A person with a browser of their own. `address` is the loopback address that requests come from."""

    def __init__(self, server: Server, name: str = "", address: str = "") -> None:
        self.server, self.address = server, address
        verify = True if server.base.startswith("https:") else PLAIN
        transport = httpx.HTTPTransport(local_address=address, verify=verify) if address else None
        self.web = httpx.Client(
            base_url=server.base, timeout=60, transport=transport, verify=verify
        )
        _clients.append(self.web)
        if name:
            self.call("PATCH", "/api/me", {"name": name})

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The reply; anything but success fails the test with the problem."""
        reply = self.ask(method, path, body)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return self.web.request(
            method, path, json=body if body is not None or method == "GET" else {}
        )

    def problem(self, method: str, path: str, body: Any = None) -> Json:
        reply = self.ask(method, path, body)
        assert reply.status_code >= 400, reply.text
        found: Json = reply.json()
        assert found["type"] == "problem"
        return found

    # --- tables ---

    def table(self, *seats: str, game: str = "lanterns", **more: Any) -> Json:
        """A new table. Seats are `me`, `open`, `local`, or the level of a bot."""
        kinds = [
            {"kind": seat} if seat in ("me", "open", "local") else {"kind": "bot", "level": seat}
            for seat in seats
        ]
        made: Json = self.call("POST", "/api/tables", {"game": game, "seats": kinds, **more})
        return made

    def join(self, table: Json) -> Json:
        joined: Json = self.call(
            "POST", f"/api/tables/{table['id']}/join", {"invite": table["invite"]}
        )
        return joined

    def ready(self, table: Json) -> None:
        """Ready for the clock to start, if the table asks."""
        if self.info(table)["asks_ready"]:
            self.call("POST", f"/api/tables/{table['id']}/ready")

    def info(self, table: Json) -> Json:
        found: Json = self.call("GET", f"/api/tables/{table['id']}")
        return found

    def updates(self, table: Json, since: int = -1) -> list[Json]:
        """One for each own seat, or one as a spectator."""
        messages = self.call("GET", f"/api/tables/{table['id']}/feed?since={since}")["messages"]
        return [message for message in messages if message["type"] == "update"]

    def update(self, table: Json, since: int = -1) -> Json:
        return self.updates(table, since)[0]

    def command(self, table: Json, do: str, **fields: Any) -> httpx.Response:
        body = {"do": do, "id": f"c{next(_ids)}", **fields}
        return self.ask("POST", f"/api/tables/{table['id']}/commands", body)

    def act(self, table: Json, update: Json, action: str | None = None) -> httpx.Response:
        chosen = action or random.choice(update["legal"])
        return self.command(table, "act", seat=update["seat"], ply=update["ply"], action=chosen)

    # --- live ---

    @contextlib.contextmanager
    def live(
        self, table: Json, since: int = 0, origin: str | None = None, folds: bool = False
    ) -> Iterator[Live]:
        headers = {"Origin": origin} if origin else {}
        headers |= (
            {"Cookie": f"lampion={self.web.cookies['lampion']}"}
            if "lampion" in self.web.cookies
            else {}
        )
        path = f"/api/tables/{table['id']}/live?since={since}&fold={int(folds)}"
        url = f"{self.server.base.replace('http', 'ws')}{path}"
        more: Json = {}
        if self.address:
            source = (self.address, 0)
            more["sock"] = sockets.create_connection(("127.0.0.1", self.server.port), 30, source)
        with connect(
            url, additional_headers=headers, max_size=None, open_timeout=30, **more
        ) as socket:
            yield Live(socket)


class Live:
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.received: list[Json] = []

    def send(self, do: str, **fields: Any) -> str:
        command = f"c{next(_ids)}"
        plain = do in ("ping", "sync")
        self.socket.send(
            json.dumps({"do": do, **fields} if plain else {"do": do, "id": command, **fields})
        )
        return command

    def next(self, kind: str = "", seconds: float = 30) -> Json:
        """The next message of that type."""
        end = time.monotonic() + seconds
        while True:
            message: Json = json.loads(self.socket.recv(timeout=max(0.01, end - time.monotonic())))
            self.received.append(message)
            if not kind or message["type"] == kind:
                return message

    def close_code(self) -> int | None:
        """Read until the server closes; gives its code."""
        try:
            while True:
                self.next()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else None

    def turn(self) -> Json:
        """The next update in which this person may act; an info with a result if the game ends first."""
        while True:
            message = self.next()
            if (message["type"] == "update" and message["legal"]) or (
                message["type"] == "info" and message["table"]["result"]
            ):
                return message


def inflated(message: Json) -> Json:
    """The effects in a message of that type."""
    content: Json = json.loads(zlib.decompress(b64decode(message["deflated"]), -zlib.MAX_WBITS))
    return content


def play_live(person: Person, table: Json, chooser: random.Random) -> Json:
    """Play any legal actions until the game ends; gives the last info."""
    with person.live(table) as live:
        while (message := live.turn())["type"] == "update":
            action = chooser.choice(message["legal"])
            live.send("act", seat=message["seat"], ply=message["ply"], action=action)
        found: Json = message["table"]
        return found


__all__ = ["ConnectionClosed", "Live", "Person", "Server", "inflated", "play_live", "wait_for"]
