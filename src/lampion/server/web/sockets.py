"""The live feed of a table over a WebSocket.

A socket costs nothing while nothing happens: no task waits for messages to send, one is started when there is something. A reader
that does not read is cut off when its queue is full, and so never holds up a table. The ASGI messages are used as they are, without
a wrapper around every socket: ten thousand of them should fit in little memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from urllib.parse import parse_qs

import msgspec
from starlette.types import Receive, Scope, Send

from lampion.core.errors import LampionError
from lampion.server import metrics, wire
from lampion.server.config import Config
from lampion.server.errors import TooMany
from lampion.server.people.people import People
from lampion.server.store.base import PersonRow
from lampion.server.tables import lobby
from lampion.server.tables.house import House, Room, encode
from lampion.server.web import limits
from lampion.server.web.problems import problem_of
from lampion.server.web.security import address_of, check_origin, headers_of, key_of

log = logging.getLogger("lampion.live")
decode = msgspec.json.Decoder(wire.Incoming, strict=True).decode
MOST_WAITING = 64
SEND_SECONDS = 10.0
MOST_VIOLATIONS = 40
POLICY_VIOLATION, TRY_AGAIN_LATER = 1008, 1013
PONG = encode(wire.Pong())


class Socket:
    """One browser tab at a table."""

    __slots__ = ("_closed", "_queue", "_send", "_sender", "person", "violations")

    def __init__(self, send: Send, person: str | None) -> None:
        self.person = person
        self.violations = 0
        self._send = send
        self._queue: deque[bytes] = deque()
        self._sender: asyncio.Task[None] | None = None
        self._closed = False

    def offer(self, message: bytes) -> None:
        if self._closed:
            return
        self._queue.append(message)
        if len(self._queue) > MOST_WAITING:
            self._cut_off()
        elif self._sender is None:
            self._sender = asyncio.ensure_future(self._drain())

    async def _drain(self) -> None:
        try:
            while self._queue:
                message = {"type": "websocket.send", "text": self._queue.popleft().decode()}
                async with asyncio.timeout(SEND_SECONDS):
                    await self._send(message)
        except TimeoutError:
            self._cut_off()
        except Exception:  # the connection is gone; the reader notices and cleans up
            self._closed = True
        finally:
            self._sender = None

    def _cut_off(self) -> None:
        """It does not read: close, so that it comes back and asks for what it missed."""
        metrics.SLOW_READERS.inc()
        if self._sender:
            self._sender.cancel()
        asyncio.ensure_future(self.close(TRY_AGAIN_LATER, "too slow"))  # noqa: RUF006

    async def close(self, code: int, reason: str) -> None:
        if not self._closed:
            self._closed = True
            self._queue.clear()
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await self._send({"type": "websocket.close", "code": code, "reason": reason})
            except Exception as error:
                log.debug("close failed", extra={"problem": str(error)})


class Live:
    """The ASGI endpoint of all sockets."""

    def __init__(self, house: House, people: People, limiter: limits.Limiter, config: Config) -> None:
        self.house, self.people, self.limiter, self.config = house, people, limiter, config
        self.open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, address = headers_of(scope), address_of(scope)
        person = await self.people.of_key(key_of(headers))
        owner = f"person {person.id}" if person else f"address {address}"
        try:
            check_origin(headers, self.config)
            self._check_number(owner, address)
            room = await self.house.room(scope["path_params"]["table"])
        except LampionError as error:
            await receive()
            await send({"type": "websocket.close", "code": POLICY_VIOLATION, "reason": error.code})
            return
        await receive()
        await send({"type": "websocket.accept"})
        await self._serve(Socket(send, person.id if person else None), person, room, scope, receive, (owner, f"all {address}"))

    def _check_number(self, owner: str, address: str) -> None:
        """A person may have some tabs; guests without a name count by their address alone."""
        too_many_tabs = owner.startswith("person") and self.open[owner] >= self.config.sockets_per_person
        if too_many_tabs or self.open[f"all {address}"] >= self.config.sockets_per_address:
            raise TooMany("too many open connections", code="too-many-sockets", seconds=10)

    async def _serve(
        self, socket: Socket, person: PersonRow | None, room: Room, scope: Scope, receive: Receive, counted: tuple[str, str]
    ) -> None:
        table = room.table.id
        self.open.update(counted)
        metrics.SOCKETS.inc()
        try:
            await self._greet(socket, table, _since(scope))
            while (message := await receive())["type"] == "websocket.receive":
                await self._take(socket, table, person, message.get("text") or "", counted[0])
        finally:
            metrics.SOCKETS.dec()
            self.open.subtract(counted)
            for key in counted:
                if not self.open[key]:
                    del self.open[key]
            self._leave(socket, table)

    async def _greet(self, socket: Socket, table: str, since: int) -> None:
        """Send what was missed and begin to watch, with nothing in between."""
        async with self.house.at(table) as room:
            messages = self.house.greeting(room, socket.person, since)
            is_new = socket not in room.watchers
            room.watchers.add(socket)
            for message in messages:
                socket.offer(encode(message))
            if is_new and socket.person and room.table.seats_of(socket.person):
                self.house.publish(room, with_info=True)

    def _leave(self, socket: Socket, table: str) -> None:
        room = self.house.rooms.get(table)
        if room:
            room.watchers.discard(socket)
            if socket.person and room.table.seats_of(socket.person) and not room.broken and not self.house.closing:
                self.house.publish(room, with_info=True)

    async def _take(self, socket: Socket, table: str, person: PersonRow | None, text: str, owner: str) -> None:
        """One message from a person. Whatever is wrong with it is answered."""
        command: wire.Incoming | None = None
        try:
            command = decode(text)
            if isinstance(command, wire.Ping):
                socket.offer(PONG)
                return
            self.limiter.spend(limits.SYNCS if isinstance(command, wire.Sync) else limits.COMMANDS, owner)
            await self._do(socket, table, person, command, owner)
        except (LampionError, msgspec.MsgspecError) as error:
            await self._answer_problem(socket, table, command, error)

    async def _do(self, socket: Socket, table: str, person: PersonRow | None, command: wire.Incoming, owner: str) -> None:
        if isinstance(command, wire.Sync):
            await self._greet(socket, table, command.since)
        elif isinstance(command, wire.Say):
            self.limiter.spend(limits.CHAT, owner)
            await lobby.say(self.house, table, person, command)
            socket.offer(encode(wire.Done(command.id)))
        elif not isinstance(command, wire.Ping):
            await self.house.do(table, person.id if person else None, command)
            socket.offer(encode(wire.Done(command.id)))

    async def _answer_problem(self, socket: Socket, table: str, command: wire.Incoming | None, error: Exception) -> None:
        problem = problem_of(error, getattr(command, "id", None))
        metrics.REFUSALS.labels(problem.code).inc()
        socket.offer(encode(problem))
        if problem.code == "stale":
            await self._greet(socket, table, -1)
        if problem.code in ("invalid-message", "rate-limited"):
            socket.violations += 1
            if socket.violations > MOST_VIOLATIONS:
                await socket.close(POLICY_VIOLATION, "too many bad messages")


def _since(scope: Scope) -> int:
    text = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("since", ["0"])[0]
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 8 else 0
