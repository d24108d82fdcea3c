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
import socket
import threading
from collections.abc import Coroutine
from typing import Any

CHUNK = 65_536


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
        back_reader, back_writer = back
        address = writer.get_extra_info("peername")[0]
        back_writer.write(rewritten(head, address))
        try:
            await both(self._copy(reader, back_writer), self._copy(back_reader, writer))
        finally:
            back_writer.close()

    async def _next_server(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
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
