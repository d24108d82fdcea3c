"""What tables want from a person already, for ways to say so that came later: turns that have begun
are counted, and the day that is left is told."""

from __future__ import annotations

import contextlib

from lampion.server.errors import TableError, UpdateNeeded
from lampion.server.store.base import TableStatus
from lampion.server.tables.calls import wanted_of
from lampion.server.tables.rooms import Rooms

MOST_TABLES = 200


async def remind_of_turns(rooms: Rooms, person: str) -> None:
    """After a person has chosen another way, or has become the player of more tables. A turn that
    begins later is noted with the move."""
    if person not in rooms.reachable:
        return
    for row in await rooms.store.tables_of(person, MOST_TABLES):
        if row.status == TableStatus.RUNNING:
            await remind_of_turn(rooms, row.id, person)


async def remind_of_turn(rooms: Rooms, table: str, person: str) -> None:
    """At one table, which is no longer muted, say."""
    if person not in rooms.reachable:
        return
    with contextlib.suppress(TableError, UpdateNeeded):
        async with rooms.at(table) as room:
            if wanted := wanted_of(room.table, person):
                now_ms = rooms.clock.now_ms()
                await rooms.store.remind(table, room.table.seq, now_ms, person, wanted)
