"""Chat at a table. The words are kept beside the log, which holds only their number, so they can
be deleted."""

from __future__ import annotations

from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.people.names import visible
from lampion.server.store.base import PersonRow, SpokenLine
from lampion.server.tables import commands
from lampion.server.tables.info import is_insider
from lampion.server.tables.room import Viewer
from lampion.server.tables.rooms import Rooms
from lampion.server.tables.table import Table

MOST_LINES = 500
"""Lines of chat at one table."""


async def say(rooms: Rooms, table: str, person: PersonRow, viewer: Viewer, words: wire.Say) -> None:
    text = f"/{words.phrase}" if words.phrase else f" {visible(words.text or '')}"
    if (words.text is None) == (words.phrase is None) or not text.strip():
        raise TableError("say something: either words or a phrase", code="nothing-said")
    async with rooms.at(table) as room:
        check_may_talk(room.table, viewer)
        rooms.check_room_in_log(room.table)
        if room.table.chat_lines >= MOST_LINES:
            raise TableError(
                f"{MOST_LINES} lines have been said at this table; that is all",
                code="chat-full",
                where=table,
            )
        seats = room.table.seats_of(person.id)
    now_ms = rooms.clock.now_ms()
    line = await rooms.store.add_chat(table, now_ms, person.id, seats[0] if seats else None, text)
    await rooms.change(table, lambda at: commands.note_chat(at, line.number, now_ms))


def may_talk(table: Table, viewer: Viewer) -> bool:
    return is_insider(table, viewer)


def check_may_talk(table: Table, viewer: Viewer) -> None:
    if not may_talk(table, viewer):
        raise TableError(
            "only people at this private table can read and write here",
            code="not-at-table",
            where=table.id,
        )


def said(table: Table, spoken: SpokenLine) -> wire.Said:
    """A line of chat: a phrase is stored with a leading slash, other words with a leading space.

    Players are called as their seats are. A spectator, or a player who has left the seat since, is
    called by the name of the person.
    """
    line = spoken.line
    seat = line.seat if line.seat in table.seats_of(line.person_id) else None
    name = spoken.name if seat is None else table.names[seat]
    is_phrase = line.text.startswith("/")
    text, phrase = (None, line.text[1:]) if is_phrase else (line.text[1:], None)
    return wire.Said(line.number, line.at_ms, seat, name, text, phrase)  # type: ignore[arg-type]
