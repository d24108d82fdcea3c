"""The edge of HTTP: requests that never arrive, and bytes that are not a request.

uvicorn waits for the rest of a request for as long as the client likes, so a thousand half-open
requests cost an attacker nothing. Here a request has some seconds to arrive, head and body.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol

from lampion.server import wire
from lampion.server.web.security import HEADERS

SECONDS = 10.0
TOO_SLOW = (408, wire.Problem("too-slow", "the request took too long to arrive"))
NOT_HTTP = (400, wire.Problem("not-http", "this is not a valid HTTP request"))


class PatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with an end to its patience and our own words for refusals."""

    seconds = SECONDS
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_request()

    def data_received(self, data: bytes) -> None:
        if self._deadline is None and not self._is_answering():
            self._wait_for_request()  # the first bytes of the next request on this connection
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state is not h11.IDLE and self.conn.their_state is not h11.SEND_BODY:
            self._stop_waiting()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        self._refuse(*NOT_HTTP)

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _wait_for_request(self) -> None:
        self._deadline = self.loop.call_later(self.seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        if not self.transport.is_closing():
            self._refuse(*TOO_SLOW)

    def _refuse(self, status: int, problem: wire.Problem) -> None:
        """Answer if nothing was answered yet, and close either way."""
        self._stop_waiting()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            body = msgspec.json.encode(problem)
            head = h11.Response(status_code=status, headers=_headers(body))
            for event in (head, h11.Data(data=body), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def _headers(body: bytes) -> list[tuple[str, str]]:
    own = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "Connection": "close",
    }
    return list((own | HEADERS).items())


def protocol_with(seconds: float) -> type[PatientProtocol]:
    """uvicorn is given a class and makes one object for each connection."""
    fields: dict[str, Any] = {"seconds": seconds}
    return type("PatientProtocol", (PatientProtocol,), fields)
