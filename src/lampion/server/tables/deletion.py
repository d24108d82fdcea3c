"""A person is forgotten: on their own wish, or by an operator."""

from __future__ import annotations

import logging

from lampion.server.errors import TableError, UpdateNeeded
from lampion.server.peers import NewsKind
from lampion.server.people.keys import People
from lampion.server.store.base import TableRow, TableStatus
from lampion.server.tables import lobby
from lampion.server.tables.rooms import Rooms

log = logging.getLogger("lampion.people")
MOST_TABLES = 10_000


async def delete_person(rooms: Rooms, people: People, person: str) -> None:
    """Bots take over the person's seats; names, keys and words are gone for good, the games
    stay."""
    for row in await rooms.store.tables_of(person, MOST_TABLES):
        if row.status in (TableStatus.OPEN, TableStatus.RUNNING):
            await _vacate(rooms, row, person)
    await people.delete(person)
    await rooms.refresh_person(person)
    await rooms.store.tell([(NewsKind.PERSON, person, "")])


async def _vacate(rooms: Rooms, row: TableRow, person: str) -> None:
    """A table that cannot be read has no game that could wait, and must not keep a person here."""
    try:
        if row.status != TableStatus.OPEN or not await _has_left(rooms, row.id, person):
            await lobby.vacate(rooms, row.id, person)
    except (TableError, UpdateNeeded) as problem:
        if problem.code == "stale":
            raise
        log.warning("seat not vacated", extra={"table": row.id, "problem": problem.code})


async def _has_left(rooms: Rooms, table: str, person: str) -> bool:
    """Leave an open table. False if its game has begun meanwhile: it must not wait for a person
    who is gone."""
    try:
        await lobby.leave(rooms, table, person)
    except TableError as late:
        if late.code != "already-started":
            raise
        return False
    return True
