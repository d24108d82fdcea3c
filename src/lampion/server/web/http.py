"""From HTTP to Python and back: an endpoint says what it takes and gives, and everything else is done here, once.

Bodies are checked strictly against their class, every error becomes a `Problem` with its status, unsafe methods must come from our
own pages or with a token, and everybody has limits.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lampion.core.errors import LampionError
from lampion.server import metrics
from lampion.server.config import Config
from lampion.server.errors import Forbidden, TableError
from lampion.server.people.people import People
from lampion.server.store.base import PersonRow
from lampion.server.tables.house import House, encode
from lampion.server.web import limits
from lampion.server.web.problems import problem_of, status_of
from lampion.server.web.security import address_of, check_origin, cookie_header, key_of

log = logging.getLogger("lampion.http")
MOST_BYTES = 16 * 1024
MOST_RECORD_BYTES = 512 * 1024


@dataclass
class Services:
    """What endpoints work with."""

    house: House
    people: People
    limiter: limits.Limiter
    config: Config


@dataclass
class Ask:
    """One request, checked."""

    services: Services
    path: Mapping[str, Any]
    query: Mapping[str, str]
    body: Any
    key: str | None
    address: str
    person: PersonRow | None
    cookie: str | None = field(default=None)
    """A cookie to set with the reply."""

    @property
    def table(self) -> str:
        return str(self.path["table"])

    async def somebody(self, name: str = "") -> PersonRow:
        """The person who asks; a newcomer becomes a guest and gets a key."""
        if self.person is None:
            self.services.limiter.spend(limits.NEW_PEOPLE, f"address {self.address}")
            self.person, key = await self.services.people.new_guest(name or "Guest")
            self.cookie = cookie_header(key, self.services.config)
        return self.person

    def known(self) -> PersonRow:
        if self.person is None:
            raise TableError("this needs a cookie or a token", code="who-are-you")
        return self.person

    def number(self, name: str, default: int | None) -> int | None:
        text = self.query.get(name, "")
        if not text:
            return default
        if not text.lstrip("-").isdecimal() or len(text) > 7:
            raise LampionError(f"{name} is a number, not {text[:20]!r}", code="invalid-query", where=name)
        return int(text)


Handler = Callable[[Ask], Awaitable[Any]]


@dataclass(frozen=True)
class Endpoint:
    """One thing that can be asked over HTTP; the OpenAPI document is made from these."""

    method: str
    path: str
    summary: str
    handler: Handler
    reply: Any
    body: Any = None
    query: Mapping[str, str] = field(default_factory=dict)
    limit: limits.Limit = limits.REQUESTS
    most_bytes: int = MOST_BYTES
    media_type: str = "application/json"

    @property
    def is_safe(self) -> bool:
        return self.method == "GET"

    def route(self, services: Services) -> Route:
        async def serve(request: Request) -> Response:
            return await _serve(self, services, request)

        return Route(self.path, serve, methods=[self.method], name=self.handler.__name__)


async def _serve(endpoint: Endpoint, services: Services, request: Request) -> Response:
    try:
        ask = await _checked(endpoint, services, request)
        reply = await endpoint.handler(ask)
    except Exception as error:
        return problem_response(error)
    headers = {"Cache-Control": "no-store"} | ({"Set-Cookie": ask.cookie} if ask.cookie else {})
    if isinstance(reply, Response):
        for name, value in headers.items():
            reply.headers.setdefault(name, value)
        return reply
    return Response(encode(reply), 200, headers, endpoint.media_type)


async def _checked(endpoint: Endpoint, services: Services, request: Request) -> Ask:
    headers, address = request.headers, address_of(request.scope)
    key = key_of(headers)
    person = await services.people.of_key(key)
    owner = f"person {person.id}" if person else f"guest at {address}"
    services.limiter.spend(endpoint.limit, owner)
    body = None
    if not endpoint.is_safe:
        check_origin(headers, services.config)
        body = await _body(endpoint, request)
    return Ask(services, request.path_params, request.query_params, body, key, address, person)


async def _body(endpoint: Endpoint, request: Request) -> Any:
    """JSON only: a form of another site cannot send that."""
    if endpoint.body is None and request.headers.get("content-length", "0") == "0":
        return None
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Forbidden("send JSON, with Content-Type: application/json", code="wrong-type", where="Content-Type")
    content = b""
    async for chunk in request.stream():
        content += chunk
        if len(content) > endpoint.most_bytes:
            raise LampionError(f"at most {endpoint.most_bytes} bytes", code="too-large", where="body")
    return msgspec.json.decode(content, type=endpoint.body or dict[str, Any], strict=True)


def problem_response(error: Exception) -> Response:
    problem, status = problem_of(error), status_of(error)
    metrics.REFUSALS.labels(problem.code).inc()
    if status == 500:
        log.error("request failed", exc_info=error)
    headers = {"Cache-Control": "no-store"}
    if problem.retry_after is not None:
        headers["Retry-After"] = str(max(1, round(problem.retry_after)))
    return Response(encode(cast(Any, problem)), status, headers, "application/json")
