"""The endpoints: people, tables, the game over plain HTTP, records. The live feed is in `live`; the types are in `wire`."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.responses import Response

from lampion.bots.levels import DEFAULT_LEVEL, LEVELS
from lampion.core.game import find_game, own_game_names
from lampion.core.gamelog import write_record
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.people.people import BOT, LINK
from lampion.server.play import visits
from lampion.server.study import study
from lampion.server.tables import lobby
from lampion.server.web import limits
from lampion.server.web.http import MOST_RECORD_BYTES, Ask, Endpoint
from lampion.server.web.security import cookie_header
from lampion.server.web.streams import stream_of

MOST_TABLES = 10_000

# --- people -----------------------------------------------------------------------------------------------------------------------


async def me(ask: Ask) -> wire.Me:
    person = await ask.somebody()
    return wire.Me(person.id, person.name)


async def rename_me(ask: Ask) -> wire.Me:
    body: wire.NewName = ask.body
    person = await ask.somebody(body.name)
    if person.name != body.name:
        person = await ask.services.people.rename(person, body.name)
        for table in await ask.services.house.store.tables_of(person.id, lobby.OWN_TABLES):
            await _reseat(ask, table.id)
    return wire.Me(person.id, person.name)


async def _reseat(ask: Ask, table: str) -> None:
    """Names are not in the log: a table in memory is told that somebody is called otherwise, or is gone."""
    house = ask.services.house
    if table in house.rooms:
        async with house.at(table) as room:
            room.table.row = await house.store.table(table) or room.table.row
            room.table.take_seats(await house.store.seats(table))
            house.publish(room, with_info=True)


async def delete_me(ask: Ask) -> dict[str, str]:
    """Bots take over the person's seats; names, keys and words are gone for good, the games stay."""
    person, house = ask.known(), ask.services.house
    tables = [row.id for row in await house.store.tables_of(person.id, MOST_TABLES)]
    for table in tables:
        await lobby.vacate(house, table, person.id)
    await ask.services.people.delete(person)
    for table in tables:
        await _reseat(ask, table)
    ask.cookie = cookie_header("", ask.services.config, max_age=0)
    return {}


async def new_link(ask: Ask) -> wire.Link:
    return wire.Link(await ask.services.people.add_key(ask.known(), LINK))


async def claim(ask: Ask) -> wire.Me:
    body: wire.Claim = ask.body
    person, key = await ask.services.people.claim(body.code)
    ask.cookie = cookie_header(key, ask.services.config)
    return wire.Me(person.id, person.name)


async def new_bot(ask: Ask) -> wire.BotAccount:
    body: wire.NewName = ask.body
    ask.services.limiter.spend(limits.NEW_PEOPLE, f"address {ask.address}")
    person, _ = await ask.services.people.new_guest(body.name)
    return wire.BotAccount(person.id, await ask.services.people.add_key(person, BOT))


async def my_tables(ask: Ask) -> wire.Tables:
    return wire.Tables(await lobby.own_tables(ask.services.house, ask.person.id) if ask.person else [])


async def my_stream(ask: Ask) -> Response:
    return stream_of(ask.services.house, ask.known())


# --- tables -----------------------------------------------------------------------------------------------------------------------


async def catalogue(ask: Ask) -> wire.Catalogue:
    games = [find_game(name) for name in own_game_names()]
    infos = [wire.GameInfo(game.NAME, game.TITLE, game.DESIGNER, list(game.NUM_PLAYERS), dict(game.OPTIONS)) for game in games]
    return wire.Catalogue(infos, [level.name for level in LEVELS], DEFAULT_LEVEL, ask.services.house.readiness.preparing)


async def tables(ask: Ask) -> wire.Tables:
    return wire.Tables(await lobby.public_tables(ask.services.house, ask.person.id if ask.person else None))


async def new_table(ask: Ask) -> wire.TableInfo:
    return await _info(ask, await lobby.create(ask.services.house, await ask.somebody(), ask.body))


async def table(ask: Ask) -> wire.TableInfo:
    return await _info(ask, ask.table)


async def _info(ask: Ask, table: str) -> wire.TableInfo:
    async with ask.services.house.at(table) as room:
        return ask.services.house.info(room, ask.person.id if ask.person else None)


async def join(ask: Ask) -> wire.TableInfo:
    body: wire.Join = ask.body
    await lobby.join(ask.services.house, ask.table, await ask.somebody(body.name or ""), body)
    return await _info(ask, ask.table)


async def start(ask: Ask) -> wire.TableInfo:
    await lobby.start(ask.services.house, ask.table, ask.known().id)
    return await _info(ask, ask.table)


async def change_seat(ask: Ask) -> wire.TableInfo:
    await lobby.change_seat(ask.services.house, ask.table, int(ask.path["seat"]), ask.known().id, ask.body)
    return await _info(ask, ask.table)


async def rematch(ask: Ask) -> wire.TableInfo:
    return await _info(ask, await lobby.rematch(ask.services.house, ask.table, ask.known()))


# --- the game over plain HTTP -----------------------------------------------------------------------------------------------------


async def feed(ask: Ask) -> wire.Feed:
    house, person = ask.services.house, ask.person.id if ask.person else None
    since, said = ask.number("since", 0) or 0, ask.number("said", None)
    async with house.at(ask.table) as room:
        visits.call(house, room, person)
        messages = house.greeting(room, person, since)
        if said is not None and said < room.table.chat_lines:
            messages += [lobby.said(room.table, line) for line in await house.store.chat(ask.table, since=max(0, said))]
        return wire.Feed(messages)


async def command(ask: Ask) -> wire.Feed | Response:
    """The answer to a command, then the table as it stands, or what happened since a ply."""
    person, house, since = ask.known(), ask.services.house, ask.number("since", None)
    ask.services.limiter.spend(limits.COMMANDS, f"person {person.id}")
    if isinstance(ask.body, wire.Say):
        await lobby.say(house, ask.table, person, ask.body)
    else:
        await house.do(ask.table, person.id, ask.body)
    async with house.at(ask.table) as room:
        return wire.Feed([wire.Done(ask.body.id), *house.greeting(room, person.id, -1 if since is None else since)])


async def previews(ask: Ask) -> wire.Previews:
    seat = ask.number("seat", None)
    async with ask.services.house.at(ask.table) as room:
        match = room.table.match
        if match is None or seat not in room.table.seats_of(ask.person.id if ask.person else None):
            raise TableError("this seat is not yours", code="not-your-seat", where="seat")
        return wire.Previews(match.ply, match.previews(seat) if seat in room.table.actors else {})


async def chat(ask: Ask) -> wire.Feed:
    async with ask.services.house.at(ask.table) as room:
        lines = await ask.services.house.store.chat(ask.table, since=max(0, ask.number("since", 0) or 0))
        return wire.Feed([lobby.said(room.table, line) for line in lines])


async def hint(ask: Ask) -> wire.Hint:
    ask.services.limiter.spend(limits.THOUGHTS, f"person {ask.known().id}")
    return await study.hint(ask.services.house, ask.table, ask.known().id, ask.body)


# --- records ----------------------------------------------------------------------------------------------------------------------


async def record(ask: Ask) -> Response:
    async with ask.services.house.at(ask.table) as room:
        if not room.table.reveals or room.table.match is None:
            raise TableError("the record is published when the game is over", code="no-record", where=ask.table)
        content = write_record(room.table.match.to_record(reveal_seed=True))
    name = f"lampion-{room.table.row.game}-{ask.table}.json"
    return Response(content, media_type="application/json", headers={"Content-Disposition": f'attachment; filename="{name}"'})


async def replay(ask: Ask) -> wire.Positions:
    body: wire.ReplayRequest = ask.body
    return await asyncio.to_thread(study.positions, body)


async def verify(ask: Ask) -> wire.Verified:
    return await asyncio.to_thread(study.verified, ask.body)


# --- texts ------------------------------------------------------------------------------------------------------------------------


async def rulebook(ask: Ask) -> Response:
    return Response(study.rulebook(ask.path["game"], ask.path["language"]), media_type="text/markdown; charset=utf-8")


async def messages(ask: Ask) -> dict[str, Any]:
    return study.messages(ask.path["language"])


async def health(ask: Ask) -> wire.Health:
    import lampion

    rooms = ask.services.house.rooms
    return wire.Health("ok", lampion.__version__, len(rooms), sum(len(room.watchers) for room in rooms.values()))


_TABLE = "/api/tables/{table:str}"
_SINCE = {"since": "everything from this ply on; -1: only the present"}
_SAID = {"said": "what was said behind this number, too"}
ENDPOINTS = (
    Endpoint("GET", "/api/catalogue", "What can be played, and against whom", catalogue, wire.Catalogue),
    Endpoint("GET", "/api/me", "Who I am; a newcomer becomes a guest", me, wire.Me),
    Endpoint("PATCH", "/api/me", "Call me otherwise", rename_me, wire.Me, wire.NewName),
    Endpoint("DELETE", "/api/me", "Forget me: name, keys, words", delete_me, dict[str, str]),
    Endpoint("GET", "/api/me/tables", "My tables, the last changed first", my_tables, wire.Tables),
    Endpoint("GET", "/api/me/stream", "What happens at my tables, as lines", my_stream, wire.Info, media_type="application/x-ndjson"),
    Endpoint("POST", "/api/me/link", "A link that moves my seats to another device", new_link, wire.Link, limit=limits.NEW_PEOPLE),
    Endpoint("POST", "/api/claim", "Use such a link", claim, wire.Me, wire.Claim, limit=limits.NEW_PEOPLE),
    Endpoint("POST", "/api/bots", "An account for a program", new_bot, wire.BotAccount, wire.NewName, limit=limits.NEW_PEOPLE),
    Endpoint("GET", "/api/tables", "Public tables", tables, wire.Tables),
    Endpoint("POST", "/api/tables", "A new table", new_table, wire.TableInfo, wire.NewTable, limit=limits.NEW_TABLES),
    Endpoint("GET", _TABLE, "A table", table, wire.TableInfo),
    Endpoint("POST", f"{_TABLE}/join", "Take an open seat", join, wire.TableInfo, wire.Join),
    Endpoint("POST", f"{_TABLE}/start", "Begin; open seats go to bots", start, wire.TableInfo),
    Endpoint("PUT", f"{_TABLE}/seats/{{seat:int}}", "Give an open seat to a bot, or back", change_seat, wire.TableInfo, wire.ChangeSeat),
    Endpoint("POST", f"{_TABLE}/rematch", "The same people at a new table", rematch, wire.TableInfo, limit=limits.NEW_TABLES),
    Endpoint("GET", f"{_TABLE}/feed", "The game as my seats see it", feed, wire.Feed, query=_SINCE | _SAID),
    Endpoint("POST", f"{_TABLE}/commands", "Do something", command, wire.Feed, wire.SeatCommand | wire.Say, query=_SINCE),
    Endpoint("GET", f"{_TABLE}/previews", "What each of my legal actions would do", previews, wire.Previews, query={"seat": "my seat"}),
    Endpoint("GET", f"{_TABLE}/chat", "What was said", chat, wire.Feed, query={"since": "lines behind this number"}),
    Endpoint("POST", f"{_TABLE}/hint", "What a strong bot would do", hint, wire.Hint, wire.HintRequest),
    Endpoint("GET", f"{_TABLE}/record", "The record of a finished game", record, dict[str, Any]),
    Endpoint("POST", "/api/replay", "Positions of a record", replay, wire.Positions, wire.ReplayRequest, most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/verify", "Check the chance of a record", verify, wire.Verified, dict[str, Any], limit=limits.THOUGHTS,
             most_bytes=MOST_RECORD_BYTES),
    Endpoint("GET", "/api/rulebook/{game:str}/{language:str}", "The rulebook of a game", rulebook, str, media_type="text/markdown"),
    Endpoint("GET", "/api/messages/{language:str}", "The words of all games", messages, dict[str, Any]),
    Endpoint("GET", "/health", "Whether the server is well", health, wire.Health),
)  # fmt: skip
