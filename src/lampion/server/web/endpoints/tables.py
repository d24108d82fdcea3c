"""Tables: made, listed, filled, made again."""

from __future__ import annotations

import msgspec

from lampion.bots.levels import CHOICES, DEFAULT_LEVEL
from lampion.core.game import find_game, game_names
from lampion.core.variants import declared_options
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.store.base import TableStatus
from lampion.server.study import continuations
from lampion.server.study.continuations import Beginning
from lampion.server.tables import lobby
from lampion.server.tables.table import Prefix
from lampion.server.web import limits
from lampion.server.web.client import build
from lampion.server.web.http import MOST_RECORD_BYTES, Ask, Endpoint
from lampion.server.web.lists import public_tables

TABLE = "/api/tables/{table:str}"
HOUR = 3600.0
CONTINUED_SECONDS = 0.2
"""What it takes of a core to play a record again."""


async def catalogue(ask: Ask) -> wire.Catalogue:
    games = [find_game(name) for name in game_names()]
    infos = [
        wire.GameInfo(
            game.NAME,
            game.TITLE,
            game.DESIGNER,
            list(game.NUM_PLAYERS),
            list(declared_options(game)),
        )
        for game in games
    ]
    services = ask.services
    return wire.Catalogue(
        infos,
        [level.name for level in CHOICES],
        DEFAULT_LEVEL,
        services.readiness.preparing,
        services.announcement.current,
        build(),
    )


async def tables(ask: Ask) -> wire.Tables:
    return wire.Tables(await public_tables(ask.services, ask.who.person))


async def new_table(ask: Ask) -> wire.TableInfo:
    return await _new_table(ask, ask.body)


async def _new_table(
    ask: Ask, wanted: wire.NewTable, earlier: Prefix | None = None
) -> wire.TableInfo:
    await lobby.check(ask.services.rooms, wanted)
    host = await ask.somebody()
    await _check_may_host(ask)
    made = await lobby.create(ask.services.rooms, host, wanted, earlier=earlier or [])
    return await _info(ask, made)


async def continue_game(ask: Ask) -> wire.TableInfo:
    body: wire.Continuation = ask.body
    ask.spend(limits.THOUGHTS)
    told = await ask.study(CONTINUED_SECONDS, continuations.beginning, body)
    found = msgspec.json.decode(told, type=Beginning)
    return await _new_table(ask, continuations.table_for(body, found), found.earlier)


async def _check_may_host(ask: Ask) -> None:
    """A visitor has so many unfinished games at a time, and an address so many new ones an hour."""
    services, config = ask.services, ask.services.config
    if services.is_draining:
        message = "this server is about to stop and starts no new games; try again soon"
        raise TableError(message, code="draining")
    person, most = ask.known().id, config.tables_per_person
    under_way = (TableStatus.OPEN, TableStatus.RUNNING)
    is_full = await services.store.count_tables_of(person, under_way) >= most
    if is_full and not await lobby.put_away_oldest(services.rooms, person):
        message = f"you host {most} unfinished games already; finish one first"
        raise TableError(message, code="too-many-tables")
    hourly = limits.Limit(
        "tables-per-address", config.tables_per_address, config.tables_per_address / HOUR
    )
    services.limiter.spend(hourly, limits.Who(None, ask.who.address))


async def table(ask: Ask) -> wire.TableInfo:
    return await _info(ask, ask.table)


async def _info(ask: Ask, table: str) -> wire.TableInfo:
    viewer = await ask.viewer(table)
    async with ask.services.rooms.at(table) as room:
        return ask.services.presence.info(room, viewer)


async def join(ask: Ask) -> wire.TableInfo:
    body: wire.Join = ask.body
    await ask.services.rooms.room(ask.table)  # an unknown table makes no guest
    await lobby.join(ask.services.rooms, ask.table, await ask.somebody(body.name or ""), body)
    return await _info(ask, ask.table)


async def start(ask: Ask) -> wire.TableInfo:
    await lobby.start(ask.services.rooms, ask.table, ask.known().id)
    return await _info(ask, ask.table)


async def change_seat(ask: Ask) -> wire.TableInfo:
    await lobby.change_seat(
        ask.services.rooms, ask.table, int(ask.path["seat"]), ask.known().id, ask.body
    )
    return await _info(ask, ask.table)


async def free_seat(ask: Ask) -> wire.TableInfo:
    """My own seats all at once: I leave. Another one: the host removes a player."""
    rooms, person, seat = ask.services.rooms, ask.known().id, int(ask.path["seat"])
    async with rooms.at(ask.table) as room:
        is_mine = seat in room.table.seats_of(person)
    if is_mine:
        await lobby.leave(rooms, ask.table, person)
    else:
        await lobby.remove(rooms, ask.table, seat, person)
    return await _info(ask, ask.table)


async def cancel(ask: Ask) -> wire.TableInfo:
    await lobby.cancel(ask.services.rooms, ask.table, ask.known().id)
    return await _info(ask, ask.table)


async def say_ready(ask: Ask) -> wire.TableInfo:
    body: wire.SayReady = ask.body
    await lobby.say_ready(ask.services.rooms, ask.table, ask.known().id, body.ready)
    return await _info(ask, ask.table)


async def rematch(ask: Ask) -> wire.TableInfo:
    person, rooms = ask.known(), ask.services.rooms
    made = await lobby.rematch_made(rooms, ask.table, person)
    if made is None:
        await _check_may_host(ask)
        made = await lobby.rematch(rooms, ask.table, person)
    return await _info(ask, made)


_INVITE = {"invite": "the invitation of a private table"}
ENDPOINTS = (
    Endpoint("GET", "/api/catalogue", "List the games and levels", catalogue, wire.Catalogue),
    Endpoint("GET", "/api/tables", "List public tables", tables, wire.Tables),
    Endpoint("POST", "/api/tables", "Create a table", new_table, wire.TableInfo, wire.NewTable, limit=limits.NEW_TABLES),
    Endpoint("POST", "/api/replay/continue", "Play on against bots from a position of a record", continue_game,
             wire.TableInfo, wire.Continuation, limit=limits.NEW_TABLES, most_bytes=MOST_RECORD_BYTES),
    Endpoint("GET", TABLE, "Return a table", table, wire.TableInfo, texts=_INVITE),
    Endpoint("POST", f"{TABLE}/join", "Take an open seat", join, wire.TableInfo, wire.Join),
    Endpoint("DELETE", TABLE, "Cancel a table before its game starts", cancel, wire.TableInfo),
    Endpoint("POST", f"{TABLE}/start", "Start the game; open seats go to bots", start, wire.TableInfo),
    Endpoint("POST", f"{TABLE}/ready", "Set or clear readiness for the clock to start", say_ready, wire.TableInfo,
             wire.SayReady),
    Endpoint("PUT", f"{TABLE}/seats/{{seat:int}}", "Give an open seat to a bot, or back", change_seat, wire.TableInfo,
             wire.ChangeSeat),
    Endpoint("DELETE", f"{TABLE}/seats/{{seat:int}}", "Leave an open table, or remove a player as its host", free_seat,
             wire.TableInfo),
    Endpoint("POST", f"{TABLE}/rematch", "Play again with the same people", rematch, wire.TableInfo,
             limit=limits.NEW_TABLES),
)  # fmt: skip
