"""Seats in portable SQL. No two seats of a table have the same name.

Two processes that change seats of the same table must not both find a name free, so each first
locks the row of the table; the writer does that for all jobs of a transaction at once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from typing import Any

import msgspec

from lampion.core.gamelog import MAX_NAME
from lampion.server.store.backend import Connection
from lampion.server.store.base import SeatKind, SeatRow
from lampion.server.store.sql import chunks, columns, insert, marks

SEAT = columns(SeatRow)


def alike(name: str) -> str:
    """Two names for which this is the same look the same: upper and lower case, wide and narrow
    letters."""
    return unicodedata.normalize("NFKC", name).casefold()


def seat_row(row: Sequence[Any]) -> SeatRow:
    table_id, seat, kind, *rest = row
    return SeatRow(table_id, seat, SeatKind(kind), *rest)


def seats_of(db: Connection, tables: Sequence[str]) -> dict[str, list[SeatRow]]:
    found: dict[str, list[SeatRow]] = {table_id: [] for table_id in tables}
    for some in chunks(tables):
        sql = f"SELECT {SEAT} FROM seat WHERE table_id IN ({marks(some)}) ORDER BY table_id, seat"
        for row in db.execute(sql, some).fetchall():
            found[row[0]].append(seat_row(row))
    return found


def seat(db: Connection, table_id: str, number: int) -> SeatRow | None:
    sql = f"SELECT {SEAT} FROM seat WHERE table_id = ? AND seat = ?"
    row = db.execute(sql, (table_id, number)).fetchone()
    return seat_row(row) if row else None


def add_seats(db: Connection, seats: Iterable[SeatRow]) -> None:
    taken: set[str] = set()
    for row in seats:
        named = msgspec.structs.replace(row, name=unique_name(row.name, taken))
        insert(db, "seat", named)
        if named.name is not None:
            taken.add(alike(named.name))


def set_seat(
    db: Connection,
    row: SeatRow,
    expect_kind: SeatKind,
    expect_person: str | None,
) -> SeatRow | None:
    new = msgspec.structs.replace(row, name=unique_name(row.name, _taken(db, row)))
    sql = """UPDATE seat SET kind = ?, person_id = ?, level = ?, name = ?
             WHERE table_id = ? AND seat = ? AND kind = ? AND coalesce(person_id, '') = ?"""
    values = (SeatKind(new.kind).value, new.person_id, new.level, new.name)
    before = (SeatKind(expect_kind).value, expect_person or "")
    changed = db.execute(sql, (*values, new.table_id, new.seat, *before)).rowcount == 1
    return new if changed else None


def rename(db: Connection, person_id: str, name: str) -> None:
    """The caller has locked the tables. A player of many games costs one statement and one more
    for each table at which the name is taken."""
    db.execute("UPDATE seat SET name = ? WHERE person_id = ?", (name, person_id))
    tables = tables_with(db, person_id)
    for table_id, seats in seats_of(db, tables).items():
        taken = {alike(s.name) for s in seats if s.name and s.person_id != person_id}
        for mine in (s for s in seats if s.person_id == person_id):
            unique = unique_name(name, taken)
            assert unique is not None
            if unique != name:
                sql = "UPDATE seat SET name = ? WHERE table_id = ? AND seat = ?"
                db.execute(sql, (unique, table_id, mine.seat))
            taken.add(alike(unique))


def tables_with(db: Connection, person_id: str) -> list[str]:
    sql = "SELECT DISTINCT table_id FROM seat WHERE person_id = ? ORDER BY table_id"
    return [row[0] for row in db.execute(sql, (person_id,)).fetchall()]


def unique_name(name: str | None, taken: Collection[str]) -> str | None:
    """With the first number that makes it differ from the (case-folded) names that are taken."""
    if name is None or alike(name) not in taken:
        return name
    number = 2
    while True:
        suffix = f" {number}"
        numbered = name[: MAX_NAME - len(suffix)].rstrip() + suffix
        if alike(numbered) not in taken:
            return numbered
        number += 1


def _taken(db: Connection, row: SeatRow) -> set[str]:
    others = seats_of(db, [row.table_id])[row.table_id]
    return {alike(other.name) for other in others if other.name and other.seat != row.seat}
