"""A person's own figures, and the people they have played with."""

from __future__ import annotations

from starlette.responses import Response

from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.web import limits, profiles
from lampion.server.web.endpoints.identity import access_of
from lampion.server.web.http import Ask, Endpoint
from lampion.server.web.shell import encode

MOST_SEATS_LOOKED_AT = 1000
MOST_FRIENDS = 100


async def profile(ask: Ask) -> wire.Profile:
    return await profiles.profile(ask.services, ask.known())


async def export(ask: Ask) -> Response:
    person = ask.own_browser()
    found = await profiles.export(ask.services, person, await access_of(ask, person))
    headers = {"Content-Disposition": 'attachment; filename="lampion-me.json"'}
    return Response(encode(found), 200, headers, "application/json")


async def forget_history(ask: Ask) -> dict[str, int]:
    person = ask.own_browser()
    seats = await ask.services.store.forget_history(person.id)
    await ask.services.rooms.refresh_person(person.id)
    return {"seats": seats}


async def friends(ask: Ask) -> wire.Friends:
    found = await ask.services.store.companions(ask.known().id, MOST_SEATS_LOOKED_AT)
    return wire.Friends(
        [
            wire.Friend(f"{one.table_id}.{one.seat}", one.name, one.game, one.changed_ms)
            for one in found[:MOST_FRIENDS]
        ]
    )


async def block(ask: Ask) -> dict[str, str]:
    person, (table, _, seat) = ask.known(), str(ask.path["friend"]).partition(".")
    number = int(seat) if seat.isascii() and seat.isdigit() and len(seat) == 1 else -1
    other = await ask.services.store.companion(person.id, table, number)
    if other is None:
        raise TableError("you have not played with this person", code="no-friend")
    await ask.services.store.block(person.id, other)
    return {}


ENDPOINTS = (
    Endpoint("GET", "/api/me/profile", "Return figures about the current player's results", profile, wire.Profile, limit=limits.THOUGHTS),
    Endpoint("GET", "/api/me/export", "Return everything that is stored about the current player", export, wire.Export,
             limit=limits.THOUGHTS),
    Endpoint("DELETE", "/api/me/history", "Remove the current player from finished games", forget_history, dict[str, int]),
    Endpoint("GET", "/api/me/friends", "List people the current player has played with", friends, wire.Friends),
    Endpoint("DELETE", "/api/me/friends/{friend:str}", "Remove a person from the list and block their invitations", block,
             dict[str, str]),
)  # fmt: skip
