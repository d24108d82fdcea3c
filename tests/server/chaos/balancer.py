"""A small balancer in front of several servers: round robin per request and per socket, skipping dead ones.

It speaks just enough HTTP to send every request of a kept-alive browser to another process: each
request goes to the next server with `Connection: close`, a WebSocket handshake is passed on as it is
and then both directions are copied. A server that refuses connections is skipped. It can also play
a network that swallows everything (`swallow`), for both directions and all connections.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import random
import re
import socket
import threading
from collections.abc import Coroutine
from typing import Any

from tests.server.support import Server

CHUNK = 65_536
AGREED_SECONDS = 60.0
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Balancer:
    """Has `base` and `port` as a server has, so that people can talk to it."""

    def __init__(self, ports: list[int]) -> None:
        self.ports = ports
        self.swallow = False
        self.served: dict[int, int] = dict.fromkeys(ports, 0)
        self._turns = itertools.cycle(ports)
        self._loop = asyncio.new_event_loop()
        listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = listening.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self._listening = listening
        self._tasks: set[asyncio.Task[None]] = set()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Balancer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(30)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        opening = asyncio.start_server(self._accept, sock=self._listening, limit=2**20)
        server = self._loop.run_until_complete(opening)
        self._loop.run_forever()
        server.close()
        for task in self._tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*self._tasks, return_exceptions=True))
        self._loop.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        self._tasks.add(task)
        try:
            with contextlib.suppress(
                OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError
            ):
                await self._serve(reader, writer)
        except asyncio.CancelledError:
            pass
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One request, or one socket for as long as it lives."""
        head = await reader.readuntil(b"\r\n\r\n")
        back = await self._next_server()
        if back is None:
            writer.write(
                b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
            )
            await writer.drain()
            return
        address = writer.get_extra_info("peername")[0]
        back[1].write(rewritten(head, address))
        try:
            await self._carry(head, (reader, writer), back)
        finally:
            back[1].close()

    async def _carry(self, head: bytes, client: Line, server: Line) -> None:
        """Copy both directions until one ends."""
        await both(self._copy(client[0], server[1]), self._copy(server[0], client[1]))

    async def _next_server(self) -> Line | None:
        for _ in range(2 * len(self.ports)):
            port = next(self._turns)
            with contextlib.suppress(OSError):
                opened = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
                self.served[port] += 1
                return opened
        return None

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while content := await reader.read(CHUNK):
            if not self.swallow:
                writer.write(content)
                await writer.drain()


class Agreeing(Balancer):
    """Passes on the reply to a change when all servers tell the same of what was changed. Without a
    balancer nobody reads anything older than what they wrote; tests that were written for one
    server rely on it."""

    async def _carry(self, head: bytes, client: Line, server: Line) -> None:
        about = changed_by(head)
        if about is None:
            await super()._carry(head, client, server)
            return
        request = asyncio.ensure_future(self._copy(client[0], server[1]))
        try:
            reply = await server[0].read()
        finally:
            request.cancel()
        names = (b"cookie:", b"authorization:")
        key = [line for line in head.split(b"\r\n") if line.lower().startswith(names)]
        await self._agree(about, key)
        client[1].write(reply)
        await client[1].drain()

    async def _agree(self, about: bytes, key: list[bytes]) -> None:
        lines = [b"GET %b HTTP/1.1" % about, b"Host: a", b"Connection: close", *key, b"", b""]
        request = b"\r\n".join(lines)
        async with asyncio.timeout(AGREED_SECONDS):
            while len({*await asyncio.gather(*[ask(p, request) for p in self.ports])} - {b""}) > 1:
                await asyncio.sleep(0.01)


def changed_by(head: bytes) -> bytes | None:
    """The address that tells of what a request changes; None if it changes nothing."""
    method, path, *_ = head.split(b" ", 2)
    if method in (b"GET", b"HEAD"):
        return None
    table = re.match(rb"/api(?:/me)?/tables/([\w-]{8,})", path)
    return b"/api/tables/" + table[1] if table else b"/api/me"


async def ask(port: int, request: bytes) -> bytes:
    """The body of a reply; nothing from a server that is down."""
    with contextlib.suppress(OSError):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
        with contextlib.closing(writer):
            writer.write(request)
            return (await reader.read()).partition(b"\r\n\r\n")[2]
    return b""


class Site(Agreeing):
    """Three processes on one database, and the balancer in front of them."""

    def __init__(self, url: str) -> None:
        self.servers = [Server(url) for _ in range(3)]
        super().__init__([server.port for server in self.servers])
        self._restart: threading.Thread | None = None

    def __enter__(self) -> Site:
        for server in self.servers:
            server.start()
        super().__enter__()
        return self

    def __exit__(self, *ended: object) -> None:
        self.wait_for_restart()
        super().__exit__(*ended)
        for server in self.servers:
            server.kill()

    def kill_one(self) -> None:
        """At random, with kill -9, unless one is still coming back. Meanwhile the others serve."""
        if self._restart and self._restart.is_alive():
            return
        victim = random.choice(self.servers)
        victim.kill()
        self._restart = threading.Thread(target=victim.start)
        self._restart.start()

    def wait_for_restart(self) -> None:
        if self._restart:
            self._restart.join()


async def both(*copies: Coroutine[Any, Any, None]) -> None:
    """Until one direction ends."""
    tasks = [asyncio.ensure_future(copy) for copy in copies]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def rewritten(head: bytes, address: str) -> bytes:
    """The same request, closing afterwards unless it is a handshake, with the address it came
    from."""
    first, *lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    names = [line.partition(b":")[0].strip().lower() for line in lines]
    kept = [line for name, line in zip(names, lines, strict=True) if name != b"x-forwarded-for"]
    if b"upgrade" not in names:
        kept = [line for line in kept if not line.lower().startswith(b"connection:")]
        kept.append(b"Connection: close")
    return b"\r\n".join([first, *kept, b"X-Forwarded-For: " + address.encode()]) + b"\r\n\r\n"
