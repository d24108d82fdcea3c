"""Who you are: guests, names, devices, programs."""

from __future__ import annotations

import re

from starlette.responses import Response

from lampion.core.errors import LampionError
from lampion.server import wire
from lampion.server.services import Services
from lampion.server.store.base import PersonRow, TokenKind
from lampion.server.tables import lobby
from lampion.server.tables.deletion import delete_person
from lampion.server.web import limits
from lampion.server.web.http import Ask, Endpoint
from lampion.server.web.lists import history, own_tables
from lampion.server.web.security import cookie_header
from lampion.server.web.streams import stream_of

MOST_COUNTED = 1000


async def me(ask: Ask) -> wire.Me:
    """Reading stores nothing: a newcomer becomes a person with the first thing they do."""
    if ask.person is None:
        return wire.Me(None, "Guest")
    return await _me(ask.services, ask.person)


async def _me(services: Services, person: PersonRow) -> wire.Me:
    due = await services.store.count_due_exercises(person.id, services.clock.now_ms())
    return wire.Me(person.id, person.name, await _is_safe(services, person.id), due)


async def _is_safe(services: Services, person: str) -> bool:
    phrase = await services.store.recovery_of(person)
    is_kept = phrase is not None and phrase.kept_ms is not None
    return (
        is_kept
        or bool(await services.store.passkeys(person))
        or bool(await services.ways.mailboxes(person))
    )


async def rename_me(ask: Ask) -> wire.Me:
    body: wire.NewName = ask.body
    is_new = ask.person is None
    person = await ask.somebody(body.name)
    if not is_new:
        person = await ask.services.people.rename(person, body.name)
        await ask.services.rooms.refresh_person(person.id)
    return wire.Me(person.id, person.name) if is_new else await _me(ask.services, person)


async def delete_me(ask: Ask) -> dict[str, str]:
    person, services = ask.known(), ask.services
    await delete_person(services.rooms, services.people, person.id)
    ask.cookie = cookie_header("", services.config, max_age=0)
    return {}


async def sign_out(ask: Ask) -> dict[str, str]:
    body: wire.SignOut = ask.body
    person, people, ways = ask.known(), ask.services.people, ask.services.ways
    assert ask.key, "a known person has come with a key"
    if body.everywhere:
        await ways.sign_out_others(person.id, keep=None)
        await people.sign_out_everywhere(person)
    elif body.others:
        await ways.sign_out_others(person.id, keep=ask.device_id)
        await people.sign_out(person, ask.key, everywhere=True)
    else:
        await ways.sign_out(person.id, ask.device_id)
        await people.sign_out(person, ask.key, everywhere=False)
    if body.everywhere or not body.others:
        ask.cookie = cookie_header("", ask.services.config, max_age=0)
    return {}


async def new_link(ask: Ask) -> wire.Link:
    return wire.Link(await ask.services.people.new_link(ask.own_browser()))


async def claim(ask: Ask) -> wire.SignedIn:
    body: wire.Claim = ask.body
    person, secret = await ask.services.people.claim(body.code, ask.device)
    return await signed_in(ask, person, secret)


async def signed_in(ask: Ask, person: PersonRow, secret: str) -> wire.SignedIn:
    """This browser is that person from now on. The guest that it was until now is not lost: the
    reply has a code that takes over their tables and what they practice."""
    before, services = ask.person, ask.services
    ask.cookie = cookie_header(secret, services.config)
    left = None
    is_browser = ask.key is not None and ask.key.kind == TokenKind.COOKIE
    if before is not None and before.id != person.id and is_browser:
        tables = await services.store.tables_of(before.id, MOST_COUNTED)
        exercises = await services.store.exercises(before.id)
        if tables or exercises:
            code = await services.people.new_merge(before)
            left = wire.GuestLeft(before.name, len(tables), len(exercises), code)
    return wire.SignedIn(person.id, person.name, left)


async def new_bot(ask: Ask) -> wire.BotAccount:
    body: wire.NewName = ask.body
    person, secret = await ask.services.people.new_guest(body.name, TokenKind.BOT)
    ask.services.origins.note(person.id, ask.who.address)
    return wire.BotAccount(person.id, secret)


async def my_tables(ask: Ask) -> wire.Tables:
    return wire.Tables(await own_tables(ask.services, ask.person.id) if ask.person else [])


async def my_history(ask: Ask) -> wire.History:
    if not ask.person:
        return wire.History([], None)
    before = _behind(ask.query.get("before", ""))
    return await history(ask.services, ask.person.id, ask.query.get("game", ""), before)


_BEHIND = re.compile(r"([0-9]{1,15})-([A-Za-z0-9_-]{8,24})", re.ASCII)


def _behind(text: str) -> tuple[int, str] | None:
    if not text:
        return None
    found = _BEHIND.fullmatch(text)
    if not found:
        raise LampionError(
            "before must be what an earlier page gave as next", code="invalid-query", where="before"
        )
    return int(found[1]), found[2]


async def dismiss(ask: Ask) -> dict[str, str]:
    await lobby.dismiss(ask.services.rooms, ask.table, ask.known().id)
    return {}


async def my_stream(ask: Ask) -> Response:
    return stream_of(ask, ask.known().id)


ENDPOINTS = (
    Endpoint("GET", "/api/me", "Return the current player", me, wire.Me),
    Endpoint("PATCH", "/api/me", "Rename the current player", rename_me, wire.Me, wire.NewName),
    Endpoint("DELETE", "/api/me", "Delete the current player: name, keys, chat", delete_me, dict[str, str]),
    Endpoint("POST", "/api/me/sign-out", "Sign out this device, all others, or all", sign_out, dict[str, str], wire.SignOut),
    Endpoint("GET", "/api/me/tables", "List the current player's tables, the last changed first", my_tables, wire.Tables),
    Endpoint("GET", "/api/me/history", "List the current player's finished games, the last first", my_history, wire.History,
             texts={"game": "only this game", "before": "the `next` of an earlier page"}),
    Endpoint("DELETE", "/api/me/tables/{table:str}", "Remove a table from the current player's list", dismiss,
             dict[str, str]),
    Endpoint("GET", "/api/me/stream", "Stream what happens at the current player's tables, as lines", my_stream, wire.Info,
             media_type="application/x-ndjson"),
    Endpoint("POST", "/api/me/link", "Create a code that links another device", new_link, wire.Link,
             limit=limits.NEW_PEOPLE),
    Endpoint("POST", "/api/claim", "Sign in with a code for a new device", claim, wire.SignedIn, wire.Claim, limit=limits.NEW_PEOPLE),
    Endpoint("POST", "/api/bots", "Make an account for a program", new_bot, wire.BotAccount, wire.NewName,
             limit=limits.NEW_PEOPLE),
)  # fmt: skip
