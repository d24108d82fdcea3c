"""The outermost layer: whatever happens inside, the reply is well-formed, bounded and carries
the security headers."""

from __future__ import annotations

import logging
from typing import Any, cast

import msgspec
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lampion.core.errors import LampionError
from lampion.server import metrics
from lampion.server.config import Config
from lampion.server.errors import TableError
from lampion.server.people.sanctions import Sanctions
from lampion.server.web import limits
from lampion.server.web.problems import problem_of, status_of
from lampion.server.web.security import address_of, security_headers

log = logging.getLogger("lampion.http")
LONGEST_PATH = 1024
LONGEST_QUERY = 2048
encode = msgspec.json.Encoder().encode


def problem_response(error: Exception) -> Response:
    problem, status = problem_of(error), status_of(error)
    metrics.REFUSALS.labels(problem.code).inc()
    if status == 500:
        log.error("request failed", exc_info=error)
    headers = {"Cache-Control": "no-store"}
    if problem.retry_after is not None:
        headers["Retry-After"] = str(max(1, round(problem.retry_after)))
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(encode(cast(Any, problem)), status, headers, "application/json")


class Shell:
    def __init__(
        self, app: ASGIApp, config: Config, limiter: limits.Limiter, sanctions: Sanctions
    ) -> None:
        self._app = app
        self._headers = security_headers(config)
        self._limiter = limiter
        self._sanctions = sanctions

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        reply = _Reply(send, self._headers)
        try:
            self._check(scope)
            await self._app(scope, receive, reply.send)
        except Exception as error:
            if reply.has_begun:
                log.error("reply broken off", exc_info=error)
                raise
            await reply.refuse(scope, receive, error)

    def _check(self, scope: Scope) -> None:
        address = address_of(scope)
        self._limiter.spend(limits.EVERYTHING, limits.Who(None, address))
        self._sanctions.check_not_banned(None, address)
        if len(scope["path"]) > LONGEST_PATH or len(scope.get("query_string", b"")) > LONGEST_QUERY:
            raise TableError("this address is too long", code="too-long", where="path")
        if not scope["path"].isprintable() or "\ufffd" in scope["path"]:
            raise TableError("there is no such page", code="no-page", where="path")


class _Reply:
    """Adds the headers to a reply, and turns a refusal before it has begun into a problem
    document."""

    def __init__(self, send: Send, headers: dict[str, str]) -> None:
        self._send = send
        self._headers = headers
        self.has_begun = False

    async def send(self, message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers.setdefault(name, value)
        elif message["type"] == "websocket.close" and not self.has_begun:
            # A handshake refused by the router: say so as we say everything else.
            await self._deny(TableError("there is no such socket", code="no-page"))
            return
        self.has_begun = True
        await self._send(message)

    async def refuse(self, scope: Scope, receive: Receive, error: Exception) -> None:
        if scope["type"] == "websocket":
            await self._deny(error)
        else:
            await problem_response(error)(scope, receive, self.send)

    async def _deny(self, error: Exception) -> None:
        response = problem_response(error)
        start: dict[str, Any] = {
            "type": "websocket.http.response.start",
            "status": response.status_code,
        }
        await self.send(start | {"headers": list(response.raw_headers)})
        await self._send({"type": "websocket.http.response.body", "body": response.body})


def wrong_page(request: Any, error: Exception) -> Response:
    """The reply for a path without an endpoint."""
    if isinstance(error, HTTPException) and error.status_code == 405:
        return problem_response(
            TableError("this method is not allowed here", code="wrong-method", where="method")
        )
    problem: LampionError = TableError(
        "there is no such page; /openapi.json lists the API", code="no-page"
    )
    return problem_response(problem)
