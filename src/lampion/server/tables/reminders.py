"""A day left: for turns that began when there was no way to say so."""

from __future__ import annotations

import contextlib

import msgspec

from lampion.server import wire
from lampion.server.errors import TableError, UpdateNeeded
from lampion.server.store.base import Notice, NoticeKind, TableStatus
from lampion.server.tables.calls import reminder_ms
from lampion.server.tables.rooms import Rooms

MOST_TABLES = 200


async def remind_of_turns(rooms: Rooms, person: str) -> None:
    """After a person has chosen a first way, or has become the player of more tables. A turn that
    begins later writes its reminder with the move."""
    if person not in rooms.reachable:
        return
    for row in await rooms.store.tables_of(person, MOST_TABLES):
        pace = msgspec.json.decode(row.pace, type=wire.Pace)
        if row.status == TableStatus.RUNNING and isinstance(pace, wire.Days):
            with contextlib.suppress(TableError, UpdateNeeded):
                await _remind(rooms, row.id, person)


async def _remind(rooms: Rooms, name: str, person: str) -> None:
    async with rooms.at(name) as room:
        table = room.table
        due_ms = reminder_ms(table, person)
        if due_ms is not None and len(table.people) > 1:
            notice = Notice(person, NoticeKind.SOON, due_ms, table.ply)
            await rooms.store.remind(name, table.seq, rooms.clock.now_ms(), notice)
