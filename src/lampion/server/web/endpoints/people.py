"""Who you are: guests, names, devices, programs."""

from __future__ import annotations

from starlette.responses import Response

from lampion.server import wire
from lampion.server.errors import Forbidden, TableError
from lampion.server.store.base import TokenKind
from lampion.server.tables import lobby
from lampion.server.tables.deletion import delete_person
from lampion.server.web import limits
from lampion.server.web.http import Ask, Endpoint
from lampion.server.web.lists import own_tables
from lampion.server.web.security import cookie_header
from lampion.server.web.streams import stream_of


async def me(ask: Ask) -> wire.Me:
    """Reading stores nothing: a newcomer becomes a person with the first thing they do."""
    return wire.Me(ask.person.id, ask.person.name) if ask.person else wire.Me(None, "Guest")


async def rename_me(ask: Ask) -> wire.Me:
    body: wire.NewName = ask.body
    is_new = ask.person is None
    person = await ask.somebody(body.name)
    if not is_new:
        person = await ask.services.people.rename(person, body.name)
        await ask.services.rooms.refresh_person(person.id)
    return wire.Me(person.id, person.name)


async def delete_me(ask: Ask) -> dict[str, str]:
    person, services = ask.known(), ask.services
    await delete_person(services.rooms, services.people, person.id)
    ask.cookie = cookie_header("", services.config, max_age=0)
    return {}


async def sign_out(ask: Ask) -> dict[str, str]:
    body: wire.SignOut = ask.body
    person = ask.known()
    if ask.key is None:
        raise TableError("this needs a cookie or a token", code="who-are-you")
    await ask.services.people.sign_out(person, ask.key, everywhere=body.others)
    if not body.others:
        ask.cookie = cookie_header("", ask.services.config, max_age=0)
    return {}


async def new_link(ask: Ask) -> wire.Link:
    person = ask.known()
    if ask.key is None or ask.key.kind != TokenKind.COOKIE:
        raise Forbidden(
            "only a browser can add another device", code="browser-only", where="Authorization"
        )
    return wire.Link(await ask.services.people.new_link(person))


async def claim(ask: Ask) -> wire.Me:
    body: wire.Claim = ask.body
    person, secret = await ask.services.people.claim(body.code)
    ask.cookie = cookie_header(secret, ask.services.config)
    return wire.Me(person.id, person.name)


async def new_bot(ask: Ask) -> wire.BotAccount:
    body: wire.NewName = ask.body
    person, secret = await ask.services.people.new_guest(body.name, TokenKind.BOT)
    ask.services.origins.note(person.id, ask.who.address)
    return wire.BotAccount(person.id, secret)


async def my_tables(ask: Ask) -> wire.Tables:
    return wire.Tables(await own_tables(ask.services, ask.person.id) if ask.person else [])


async def dismiss(ask: Ask) -> dict[str, str]:
    await lobby.dismiss(ask.services.rooms, ask.table, ask.known().id)
    return {}


async def my_stream(ask: Ask) -> Response:
    return stream_of(ask.services, ask.known().id, ask.who)


ENDPOINTS = (
    Endpoint("GET", "/api/me", "Return the current player", me, wire.Me),
    Endpoint("PATCH", "/api/me", "Rename the current player", rename_me, wire.Me, wire.NewName),
    Endpoint("DELETE", "/api/me", "Delete the current player: name, keys, chat", delete_me, dict[str, str]),
    Endpoint("POST", "/api/me/sign-out", "Sign out this device, or all others", sign_out, dict[str, str], wire.SignOut),
    Endpoint("GET", "/api/me/tables", "List my tables, the last changed first", my_tables, wire.Tables),
    Endpoint("DELETE", "/api/me/tables/{table:str}", "Take a table off my list: end it, or leave it to a bot", dismiss,
             dict[str, str]),
    Endpoint("GET", "/api/me/stream", "Stream what happens at my tables, as lines", my_stream, wire.Info,
             media_type="application/x-ndjson"),
    Endpoint("POST", "/api/me/link", "Make a code that adds another device", new_link, wire.Link,
             limit=limits.NEW_PEOPLE),
    Endpoint("POST", "/api/claim", "Use such a code", claim, wire.Me, wire.Claim, limit=limits.NEW_PEOPLE),
    Endpoint("POST", "/api/bots", "Make an account for a program", new_bot, wire.BotAccount, wire.NewName,
             limit=limits.NEW_PEOPLE),
)  # fmt: skip
