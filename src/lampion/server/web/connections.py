"""Connections below HTTP: slow ones are closed, one address cannot hold all of them, and malformed
requests get a proper refusal."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar

import h11
import msgspec
from starlette.types import Scope
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from lampion.server import metrics, wire
from lampion.server.config import Config
from lampion.server.people.origins import group_of
from lampion.server.web.security import security_headers
from lampion.server.web.shell import LONGEST_PATH, LONGEST_QUERY

LINGER_SECONDS = 1.0
CLOSE_SECONDS = 3.0
"""How long a reader that is behind may take to be told why it is cut off."""
ABORT = "lampion.abort"
"""The name of an extension in the scope of a request or a socket: a function that drops the
connection with all that is still to be sent. Closing would wait, without an end, for a client that
does not read."""
LEAST_READ_PER_SECOND = 1000
"""Bytes of a reply that its reader must take."""
CONNECTIONS_PER_SOCKET = 2
"""A browser holds a few plain connections beside each socket."""


def abort_of(scope: Scope) -> Callable[[], None]:
    abort: Callable[[], None] = scope.get("extensions", {}).get(ABORT, _wait_instead)
    return abort


def _wait_instead() -> None:
    """Another server than ours, such as that of a test, has no shorter way than to close."""


def protocol_options(config: Config) -> dict[str, Any]:
    """The classes for uvicorn that carry the settings."""

    class Http(CarefulHttp):
        settings = config
        held: ClassVar[Counter[str]] = Counter()

    class WebSocket(CarefulWebSocket):
        settings = config

    # The refusals that uvicorn logs are counted and answered; a line for each would let a visitor
    # fill the disk.
    uvicorn_log = logging.getLogger("uvicorn.error")
    uvicorn_log.setLevel(logging.ERROR)
    uvicorn_log.addFilter(_is_no_refusal)
    return {"http": Http, "ws": WebSocket}


def _is_no_refusal(record: logging.LogRecord) -> bool:
    """A frame that is not UTF-8 closes its socket with 1007; nothing else needs logging."""
    return not record.getMessage().startswith("Invalid UTF-8")


class CarefulHttp(H11Protocol):
    """Gives a request a fixed time to arrive, however slowly its bytes trickle in, and drops a reply
    that its reader does not take."""

    settings: Config
    held: ClassVar[Counter[str]]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._deadline: asyncio.TimerHandle | None = None
        self._group: str | None = None
        self._is_refused = False
        self._look_again: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if address and not self.settings.trusts(address):
            self._group = group_of(address)
            self.held[self._group] += 1
        if (
            self._group
            and self.held[self._group] > CONNECTIONS_PER_SOCKET * self.settings.sockets_per_address
        ):
            self._refuse(
                HTTPStatus.TOO_MANY_REQUESTS, "too-many-connections", "too many open connections"
            )
            return
        self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        self._disarm()
        self._let_go()
        self._stop_looking()
        super().connection_lost(exc)

    def _let_go(self) -> None:
        if self._group:
            self.held[self._group] -= 1
            if not self.held[self._group]:
                del self.held[self._group]
            self._group = None

    def data_received(self, data: bytes) -> None:
        if self._is_refused:
            return
        super().data_received(data)
        if self.transport.get_protocol() is not self:
            return  # it has become a WebSocket
        is_incomplete = self.conn.their_state is h11.SEND_BODY or (
            self.conn.their_state is h11.IDLE and bool(self.conn.trailing_data[0])
        )
        if is_incomplete:
            self._arm()
        else:
            self._disarm()

    def handle_events(self) -> None:
        super().handle_events()
        if self.scope is not None:
            extensions: dict[str, Any] = self.scope.setdefault("extensions", {})
            extensions[ABORT] = self.transport.abort

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        if len(event.target) > LONGEST_PATH + LONGEST_QUERY:
            self._refuse(HTTPStatus.REQUEST_URI_TOO_LONG, "too-long", "this address is too long")
            return
        self._disarm()
        self._stop_looking()
        self._let_go()  # sockets are counted by themselves
        super().handle_websocket_upgrade(event)

    # --- replies that nobody reads ---

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch_reader()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch_reader()

    def _watch_reader(self) -> None:
        """Look again in a while whether the reader has taken enough of what is to be sent. Closing
        a connection waits for that without an end, and keeps the whole reply meanwhile."""
        unread = self.transport.get_write_buffer_size()
        if unread and self._look_again is None:
            seconds = self.settings.request_seconds
            self._look_again = self.loop.call_later(seconds, self._look, unread, self.cycle)

    def _look(self, before: int, reply: RequestResponseCycle) -> None:
        self._look_again = None
        unread = self.transport.get_write_buffer_size()
        least = LEAST_READ_PER_SECOND * self.settings.request_seconds
        # Where another reply has begun since, this one was small or has been read.
        if unread and before - unread < least and self.cycle is reply:
            metrics.SLOW_READERS.inc()
            self.transport.abort()
        else:
            self._watch_reader()

    def _stop_looking(self) -> None:
        if self._look_again is not None:
            self._look_again.cancel()
            self._look_again = None

    # --- requests that do not arrive ---

    def _arm(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.settings.request_seconds, self._too_slow)

    def _disarm(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self._refuse(
                HTTPStatus.REQUEST_TIMEOUT, "request-timeout", "the request took too long to arrive"
            )

    def send_400_response(self, msg: str) -> None:
        self._refuse(HTTPStatus.BAD_REQUEST, "invalid-request", "this is not a valid HTTP request")

    def _refuse(self, status: HTTPStatus, code: str, message: str) -> None:
        """Answer if nothing has been answered yet, and close.

        Closing while bytes of the client are still unread would reset the connection, and the
        answer would be lost with it: so the answer is ended, what comes is thrown away, and a
        moment later the connection is closed.
        """
        self._is_refused = True
        self._disarm()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body, headers = refusal(self.settings, code, message)
            start = h11.Response(status_code=status, headers=headers, reason=status.phrase.encode())
            for event in (start, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self._watch_reader()
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(LINGER_SECONDS, self.transport.close)


SEND_AT_ONCE = "lampion.send_at_once"
"""The name of an extension in the scope of a socket: a function that writes a text without waiting,
or returns False."""


def text_frame(text: bytes) -> bytes:
    """A whole message as the one frame that a server sends it in (RFC 6455, 5.2): neither masked nor
    compressed. `websockets` makes the same bytes, but takes several times as long, for every
    watcher of every move."""
    length = len(text)
    if length < 126:
        return b"\x81%c%b" % (length, text)
    if length < 1 << 16:
        return b"\x81\x7e%b%b" % (length.to_bytes(2), text)
    return b"\x81\x7f%b%b" % (length.to_bytes(8), text)


class CarefulWebSocket(WebSocketsSansIOProtocol):
    """Refuses a malformed handshake as everything else is refused, and takes messages without a
    task for each of them."""

    settings: Config

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self._refuse_unread()

    def _refuse_unread(self) -> None:
        """Answer a handshake that h11 has taken for HTTP and websockets cannot read: another method
        than GET, control characters, headers that are too long. uvicorn would wait for ever."""
        self.handshake_initiated = self.handshake_complete = self.close_sent = True
        bad = HTTPStatus.BAD_REQUEST
        refused = self._refusal(Response(bad, bad.phrase, Headers()))
        self.transport.write(refused.serialize())
        self.transport.close()

    def handle_connect(self, event: Request) -> None:
        accept = self.conn.accept

        def careful(request: Request) -> Response:
            response = accept(request)
            return (
                response
                if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS
                else self._refusal(response)
            )

        self.conn.accept = careful  # type: ignore[method-assign]
        super().handle_connect(event)
        if not self.handshake_complete:  # it was not refused
            extensions: dict[str, Any] = self.scope["extensions"]
            extensions |= {SEND_AT_ONCE: self._send_at_once, ABORT: self.transport.abort}

    async def run_asgi(self) -> None:
        await super().run_asgi()
        if not self.disconnected:
            self.loop.call_later(self.close_timeout, self.transport.abort)

    def keepalive_timeout(self) -> None:
        """A client that answers no ping reads no farewell either."""
        super().keepalive_timeout()
        self.transport.abort()

    def _send_at_once(self, text: bytes) -> bool:
        """Write a message, unless the reader is behind or the connection is not open."""
        is_open = self.handshake_complete and not (self.close_sent or self.disconnected)
        if not is_open or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(text_frame(text))
        return True

    def _refusal(self, response: Response) -> Response:
        body, headers = refusal(
            self.settings, "invalid-handshake", "this is not a valid WebSocket handshake"
        )
        found = Headers((name.decode(), value.decode()) for name, value in headers)
        if "Upgrade" in response.headers:
            found["Upgrade"] = response.headers["Upgrade"]
        return Response(response.status_code, response.reason_phrase, found, body)


def refusal(config: Config, code: str, message: str) -> tuple[bytes, list[tuple[bytes, bytes]]]:
    body = msgspec.json.encode(wire.Problem(code, message))
    fields = {
        "Content-Type": "application/json",
        "Connection": "close",
        "Cache-Control": "no-store",
    }
    fields |= {"Content-Length": str(len(body))} | security_headers(config)
    return body, [(name.encode(), value.encode()) for name, value in fields.items()]
