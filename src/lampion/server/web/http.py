"""From HTTP to Python and back: an endpoint declares what it takes and returns, and everything else
is done here, once.

Bodies are checked strictly against their class, every error becomes a `Problem` with its status,
unsafe methods must come from our own pages or with a token, and every visitor has limits.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from lampion.core.errors import LampionError
from lampion.server.errors import Forbidden, TableError
from lampion.server.people.devices import label_of
from lampion.server.people.keys import Key, device_id
from lampion.server.services import Services
from lampion.server.store.base import PersonRow, TokenKind
from lampion.server.tables.info import is_invitation
from lampion.server.tables.lobby import played_before
from lampion.server.tables.room import Room, Viewer
from lampion.server.web import limits
from lampion.server.web.limits import Who
from lampion.server.web.security import address_of, check_origin, cookie_header, key_of
from lampion.server.web.shell import encode, problem_response

MOST_BYTES = 16 * 1024
MOST_THROWN_AWAY = 4 * 2**20
"""Bytes of a body that is too large which are read all the same: closing with bytes unread would
reset the connection, and a proxy would lose the answer with it."""
MOST_RECORD_BYTES = 512 * 1024
_NUMBER = re.compile(r"-?[0-9]{1,7}", re.ASCII)


@dataclass
class Ask:
    """One request, checked."""

    services: Services
    request: Request
    body: Any
    key: Key | None
    who: Who
    person: PersonRow | None
    cookie: str | None = field(default=None)
    """The cookie to set with the reply."""

    @property
    def path(self) -> Mapping[str, Any]:
        return self.request.path_params

    @property
    def table(self) -> str:
        return str(self.path["table"])

    @property
    def query(self) -> Mapping[str, str]:
        return self.request.query_params

    @property
    def device(self) -> str:
        """The name of the browser in the person's list of devices."""
        return label_of(self.request.headers.get("user-agent", ""))

    @property
    def device_id(self) -> str:
        """Its name in that list; empty for a stranger's."""
        return device_id(self.key.hash) if self.key and self.person else ""

    def own_browser(self) -> PersonRow:
        """The person who asks, in a browser: a token lent to a program must not make more keys."""
        person = self.known()
        if self.key is None or self.key.kind != TokenKind.COOKIE:
            message = "this needs the person's own browser"
            raise Forbidden(message, code="browser-only", where="Authorization")
        return person

    async def somebody(self, name: str = "") -> PersonRow:
        """The person who asks. A newcomer who does something becomes a guest and gets a key."""
        if self.person is None:
            self.spend(limits.NEW_PEOPLE)
            self.person, secret = await self.services.people.new_guest(
                name or "Guest", label=self.device
            )
            self.who = Who(self.person.id, self.who.address)
            self.services.origins.note(self.person.id, self.who.address)
            self.key = Key(secret, TokenKind.COOKIE)
            self.cookie = cookie_header(secret, self.services.config)
        return self.person

    def known(self) -> PersonRow:
        if self.person is None:
            raise TableError("this needs a cookie or a token", code="who-are-you")
        return self.person

    def spend(self, limit: limits.Limit) -> None:
        self.services.limiter.spend(limit, self.who)

    def number(self, name: str, default: int | None) -> int | None:
        return number_in(self.query, name, default)

    async def study(self, seconds: float, look: Callable[..., Any], *about: Any) -> bytes:
        """What a function returns, as JSON. In the same scheduler as the bots, and in another
        process: looking at games must not slow them down."""
        work = functools.partial(self.services.workers.do, look, *about)
        return await self.services.scheduler.do(f"address {self.who.address}", seconds, work)

    async def viewer(self, table: str = "") -> Viewer:
        invite = self.query.get("invite")
        return await viewer_of(self.services, table or self.table, self.who.person, invite)


async def viewer_of(
    services: Services, table: str, person: str | None, invite: str | None
) -> Viewer:
    """On whose behalf a table is looked at. People who hold its invitation, or played the game
    before a rematch, count as invited."""
    room = await services.rooms.room(table)
    row = room.table.row
    is_seated = bool(room.table.seats_of(person))
    invited = is_invitation(room.table, invite) or (
        not is_seated and await played_before(services.rooms, row, person)
    )
    return Viewer(person, invited)


def spend_history(services: Services, who: Who, room: Room, since: int) -> None:
    """A request for history costs by its length, once for each seat of the person who asks."""
    table = room.table
    if 0 <= since < table.ply:
        seats = max(1, len(table.seats_of(who.person)))
        services.limiter.spend(limits.HISTORY, who, seats * (table.ply - since))


def number_in(query: Mapping[str, str], name: str, default: int | None) -> int | None:
    text = query.get(name, "")
    if not text:
        return default
    if not _NUMBER.fullmatch(text):
        raise LampionError(
            f"{name} must be a number, not {text[:20]!r}", code="invalid-query", where=name
        )
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
    numbers: Mapping[str, str] = field(default_factory=dict)
    """Parameters of the query that are whole numbers, and what they mean."""
    texts: Mapping[str, str] = field(default_factory=dict)
    limit: limits.Limit = limits.REQUESTS
    most_bytes: int = MOST_BYTES
    media_type: str = "application/json"
    takes_token: bool = True
    """Whether a bearer is the token of a program; the operators' endpoints have keys of their
    own."""
    takes_form: bool = False
    """Whether any page or program may send it, with a body that is not read: the address itself
    says who may."""

    @property
    def is_safe(self) -> bool:
        return self.method == "GET"

    def route(self, services: Services) -> Route:
        async def serve(request: Request) -> Response:
            return await _serve(self, services, request)

        return Route(self.path, serve, methods=[self.method], name=self.handler.__name__)


async def _serve(endpoint: Endpoint, services: Services, request: Request) -> Response:
    ask: Ask | None = None
    try:
        ask = await _checked(endpoint, services, request)
        reply = await endpoint.handler(ask)
    except Exception as error:
        return _with_cookie(problem_response(error), ask)
    if not isinstance(reply, Response):
        reply = Response(encode(reply), 200, {"Cache-Control": "no-store"}, endpoint.media_type)
    reply.headers.setdefault("Cache-Control", "no-store")
    return _with_cookie(reply, ask)


def _with_cookie(response: Response, ask: Ask | None) -> Response:
    """A new guest gets its key even if the request was refused."""
    if ask and ask.cookie:
        response.headers["Set-Cookie"] = ask.cookie
    return response


async def _checked(endpoint: Endpoint, services: Services, request: Request) -> Ask:
    address, key = address_of(request.scope), key_of(request.headers)
    person = await services.people.of_key(key) if endpoint.takes_token else None
    who = Who(person.id if person else None, address)
    services.limiter.spend(endpoint.limit, who)
    if endpoint.takes_token:
        check_token(key, person)
    services.sanctions.check_not_banned(who.person, address)
    if person:
        services.origins.note(person.id, address)
    body = None
    if not endpoint.is_safe and not endpoint.takes_form:
        check_origin(request.headers, services.config)
        content = await read_body(endpoint, request)
        services.limiter.spend(limits.BODIES, who, len(content))
        body = decoded(endpoint, content)
    return Ask(services, request, body, key, who, person)


def check_token(key: Key | None, person: PersonRow | None) -> None:
    """A browser without a valid cookie is a stranger; a program with an invalid token gets an
    error."""
    if key is not None and key.kind == TokenKind.BOT and person is None:
        raise TableError("this token is not valid", code="who-are-you", where="Authorization")


async def read_body(endpoint: Endpoint, request: Request) -> bytes:
    """JSON only: a form of another site cannot send that."""
    if endpoint.body is None and request.headers.get("content-length", "0") == "0":
        return b""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Forbidden(
            "send JSON, with Content-Type: application/json",
            code="wrong-type",
            where="Content-Type",
        )
    content, thrown_away = bytearray(), 0
    async for chunk in request.stream():  # how long that may take is watched over in `connections`
        if len(content) + len(chunk) <= endpoint.most_bytes and not thrown_away:
            content += chunk
        else:
            thrown_away += len(chunk)
        if thrown_away > MOST_THROWN_AWAY:
            break
    if thrown_away:
        raise LampionError(f"at most {endpoint.most_bytes} bytes", code="too-large", where="body")
    return bytes(content)


def decoded(endpoint: Endpoint, content: bytes) -> Any:
    if endpoint.body is None and not content:
        return None
    return msgspec.json.decode(content, type=endpoint.body or dict[str, Any], strict=True)
