"""The live feed of a table over a WebSocket.

A socket costs nothing while nothing happens: no task waits for messages to send. What the
connection takes is written at once, and a task is started for a reader that is behind. A reader
that does not read is cut off when its queue is full, and so never holds up a table. The ASGI
messages are used as they are, without a wrapper around every socket: ten thousand of them should
fit in little memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import parse_qsl

import msgspec
from starlette.types import Receive, Scope, Send

from lampion.core.errors import LampionError
from lampion.server import metrics, wire
from lampion.server.errors import Forbidden, TableError
from lampion.server.people.keys import Key
from lampion.server.services import Services
from lampion.server.store.base import PersonRow
from lampion.server.tables import chat
from lampion.server.tables.happenings import Attended, Removed
from lampion.server.tables.room import Viewer
from lampion.server.web import limits
from lampion.server.web.connections import CLOSE_SECONDS, SEND_AT_ONCE, abort_of
from lampion.server.web.http import check_token, number_in, spend_history, viewer_of
from lampion.server.web.limits import Who
from lampion.server.web.problems import MALFORMED, problem_of
from lampion.server.web.security import address_of, check_origin, headers_of, key_of
from lampion.server.web.shell import encode

log = logging.getLogger("lampion.live")
decode = msgspec.json.Decoder(wire.Incoming, strict=True).decode
MOST_WAITING = 64
SEND_SECONDS = 10.0
MOST_VIOLATIONS = 40
POLICY_VIOLATION, INTERNAL_ERROR, TRY_AGAIN_LATER = 1008, 1011, 1013
PONG = encode(wire.Pong())


class Transport(NamedTuple):
    """What the server below gives for a socket."""

    send: Send
    send_at_once: Callable[[bytes], bool]
    abort: Callable[[], None]

    @classmethod
    def of(cls, scope: Scope, send: Send) -> Transport:
        at_once = scope.get("extensions", {}).get(SEND_AT_ONCE, _cannot)
        return cls(send, at_once, abort_of(scope))


class Socket:
    """One browser tab at a table."""

    __slots__ = (
        "_abort",
        "_queue",
        "_send",
        "_send_at_once",
        "_sender",
        "folds",
        "is_closed",
        "is_hidden",
        "key",
        "table",
        "viewer",
        "violations",
        "who",
    )

    def __init__(
        self,
        transport: Transport,
        table: str,
        viewer: Viewer,
        who: Who,
        key: Key | None,
        folds: bool,
    ) -> None:
        self.table = table
        self.folds = folds
        self.viewer = viewer
        self.who = who
        self.key = key
        self.violations = 0
        self.is_hidden = False
        """Whether the page began in the background; later it says so itself."""
        self.is_closed = False
        """It is told nothing more, and nothing more is taken from it."""
        self._send, self._send_at_once, self._abort = transport
        self._queue: deque[bytes] = deque()
        self._sender: asyncio.Task[None] | None = None

    def offer(self, message: bytes) -> None:
        if self.is_closed:
            return
        if self._sender is None and self._send_at_once(message):
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
            self.is_closed = True
        finally:
            self._sender = None

    def _cut_off(self) -> None:
        """The client does not read: close, so that it reconnects and asks for what it missed."""
        metrics.SLOW_READERS.inc()
        self.close_soon(TRY_AGAIN_LATER, "too slow")

    def end(self, reason: LampionError) -> None:
        self.close_soon(_close_code(reason), reason.code)

    def close_soon(self, code: int, reason: str) -> None:
        if not self.is_closed:
            self._fall_silent()
            asyncio.ensure_future(self._say_goodbye(code, reason))  # noqa: RUF006

    async def close(self, code: int, reason: str) -> None:
        if not self.is_closed:
            self._fall_silent()
            await self._say_goodbye(code, reason)

    def _fall_silent(self) -> None:
        self.is_closed = True
        self._queue.clear()
        if self._sender:
            self._sender.cancel()

    async def _say_goodbye(self, code: int, reason: str) -> None:
        """A reader that is too far behind to be told is dropped without a word."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._send({"type": "websocket.close", "code": code, "reason": reason})
        except Exception as error:
            log.debug("close failed", extra={"problem": str(error)})
            self._abort()


def _close_code(reason: LampionError) -> int:
    return POLICY_VIOLATION if isinstance(reason, Forbidden) else TRY_AGAIN_LATER


def _cannot(message: bytes) -> bool:
    """Other servers, such as a test's, have no faster way than a task."""
    return False


NAMELESS = wire.Sync | wire.Ping | wire.Look
"""Messages that get no answer."""


def _id_of(command: wire.Incoming | None) -> str | None:
    return None if command is None or isinstance(command, NAMELESS) else command.id


class Live:
    """The ASGI endpoint of all sockets."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._sockets: set[Socket] = set()
        services.bus.subscribe(wire.Announcement, self._announce)
        services.bus.subscribe(Removed, self._send_away)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refusals are raised before the handshake is accepted; the shell answers them."""
        services, headers = self._services, headers_of(scope)
        address, key = address_of(scope), key_of(headers)
        person = await services.people.of_key(key)
        who = Who(person.id if person else None, address)
        services.limiter.spend(limits.REQUESTS, who)
        check_token(key, person)
        services.sanctions.check_not_banned(who.person, address)
        check_origin(headers, services.config)
        query = dict(parse_qsl(scope.get("query_string", b"").decode("latin-1")))
        since, folds = number_in(query, "since", 0) or 0, bool(number_in(query, "fold", 0))
        table = scope["path_params"]["table"]
        caps = {f"sockets of {address}": services.config.sockets_per_address}
        if person:
            services.origins.note(person.id, address)
            caps[f"sockets of person {person.id}"] = services.config.sockets_per_person
        with services.holdings.hold("sockets", caps):
            viewer = await viewer_of(services, table, who.person, query.get("invite"))
            await receive()
            await send({"type": "websocket.accept"})
            transport = Transport.of(scope, send)
            socket = Socket(transport, table, viewer, who, key, folds)
            socket.is_hidden = bool(number_in(query, "hidden", 0))
            await self._serve(socket, person, since, receive)

    async def _serve(
        self, socket: Socket, person: PersonRow | None, since: int, receive: Receive
    ) -> None:
        self._sockets.add(socket)
        metrics.SOCKETS.inc()
        try:
            with self._services.admission.admitted(socket):
                await self._listen(socket, person, since, receive)
        except LampionError as error:
            await socket.close(_close_code(error), error.code)
        except Exception:
            log.exception("socket failed")
            await socket.close(INTERNAL_ERROR, "internal")
        finally:
            metrics.SOCKETS.dec()
            self._sockets.discard(socket)
            self._leave(socket)

    async def _listen(
        self, socket: Socket, person: PersonRow | None, since: int, receive: Receive
    ) -> None:
        # The key may have been revoked during the handshake.
        await self._services.admission.check(socket)
        await self._greet(socket, since)
        while (message := await receive())["type"] == "websocket.receive":
            if not socket.is_closed:
                await self._take(socket, person, message.get("text") or "")

    async def _greet(self, socket: Socket, since: int) -> None:
        """Send what was missed and start watching, atomically."""
        async with self._services.rooms.at(socket.table) as room:
            spend_history(self._services, socket.who, room, since)
            for message in self._services.publisher.greeting(room, socket.viewer, since):
                socket.offer(encode(message))
                self._services.publisher.follow_up(room, message, [socket])
            if socket not in room.watchers:
                room.watchers.add(socket)
                room.watchers.hide(socket, socket.is_hidden)
                self._services.bus.publish(Attended(room))

    def _look(self, socket: Socket, seen: bool) -> None:
        room = self._services.rooms.in_memory.get(socket.table)
        if room and socket in room.watchers:
            room.watchers.hide(socket, not seen)
            self._services.bus.publish(Attended(room))

    def _leave(self, socket: Socket) -> None:
        room = self._services.rooms.in_memory.get(socket.table)
        if room and socket in room.watchers:
            room.watchers.discard(socket)
            if not self._services.is_closing:
                self._services.bus.publish(Attended(room))

    async def _take(self, socket: Socket, person: PersonRow | None, text: str) -> None:
        """One message from a person. Whatever is wrong with it is answered."""
        command: wire.Incoming | None = None
        try:
            command = decode(text)
            if isinstance(command, wire.Ping):
                socket.offer(PONG)
                return
            is_sync = isinstance(command, wire.Sync)
            self._services.limiter.spend(limits.SYNCS if is_sync else limits.COMMANDS, socket.who)
            await self._do(socket, person, command)
        except (LampionError, *MALFORMED) as error:
            await self._answer_problem(socket, command, error)

    async def _do(self, socket: Socket, person: PersonRow | None, command: wire.Incoming) -> None:
        services = self._services
        if isinstance(command, wire.Sync):
            await self._greet(socket, command.since)
            return
        if isinstance(command, wire.Look):
            self._look(socket, command.seen)
            return
        if not services.peers.is_current:
            await services.admission.check(socket)
        if isinstance(command, wire.Say):
            if person is None:
                raise TableError("choose a name first", code="who-are-you")
            services.limiter.spend(limits.CHAT, socket.who)
            services.sanctions.check_not_muted(person.id, socket.who.address)
            await chat.say(services.rooms, socket.table, person, socket.viewer, command)
        elif not isinstance(command, wire.Ping):
            await services.rooms.do(socket.table, socket.who.person, command)
        socket.offer(encode(wire.Done(command.id)))  # type: ignore[union-attr]

    async def _answer_problem(
        self, socket: Socket, command: wire.Incoming | None, error: Exception
    ) -> None:
        problem = problem_of(error, _id_of(command))
        metrics.REFUSALS.labels(problem.code).inc()
        socket.offer(encode(problem))
        if problem.code == "stale":
            await self._greet(socket, -1)
        if problem.code in ("invalid-message", "rate-limited"):
            socket.violations += 1
            if socket.violations > MOST_VIOLATIONS:
                await socket.close(POLICY_VIOLATION, "too many bad messages")

    def _announce(self, announcement: wire.Announcement) -> None:
        """An empty text means that nothing is announced any more."""
        message = encode(wire.Announced(announcement if announcement.text else None))
        for socket in list(self._sockets):
            socket.offer(message)

    def _send_away(self, removed: Removed) -> None:
        """The client comes back, and is told that there is no such table."""
        for socket in list(self._sockets):
            if socket.table == removed.room.table.id:
                socket.close_soon(TRY_AGAIN_LATER, "no-table")
