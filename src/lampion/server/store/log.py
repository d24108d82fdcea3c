"""Appending to many logs with one statement: the same steps on both databases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from lampion.server.store.backend import Connection
from lampion.server.store.base import Appended, Duplicate, Event, NewEvent, Stale

Outcome = Appended | Stale | Duplicate

EVENT_COLUMNS = "seq, at_ms, actor, kind, payload, command_id"


class Append(msgspec.Struct):
    table: str
    expected_seq: int
    events: Sequence[NewEvent]
    status: str | None = None
    in_doubt: bool = False
    """The connection broke while it was committed: its events may be there already."""


def append_all(db: Connection, insert_events: str, appends: Sequence[Append]) -> list[Outcome]:
    """In the order given, within the transaction of the caller."""
    outcomes: dict[int, Outcome] = {}
    for round_ in _rounds(appends):
        outcomes.update(zip(map(id, round_), _append_round(db, insert_events, round_), strict=True))
    return [outcomes[id(append)] for append in appends]


def _rounds(appends: Sequence[Append]) -> list[list[Append]]:
    """One statement checks every log as it was before it, so a second append to a table goes into the next one. Sorted, so that
    two processes that write to the same tables wait for each other rather than in a ring."""
    rounds: list[list[Append]] = []
    seen: dict[str, int] = {}
    for append in appends:
        number = seen[append.table] = seen.get(append.table, -1) + 1
        if number == len(rounds):
            rounds.append([])
        rounds[number].append(append)
    return [sorted(round_, key=lambda append: append.table) for round_ in rounds]


def _append_round(db: Connection, insert_events: str, appends: Sequence[Append]) -> Iterator[Outcome]:
    rows = [row for append in appends for row in _rows(append)]
    written: dict[str, list[int]] = {}
    for table, seq in db.execute(insert_events, (msgspec.json.encode(rows).decode(),)).fetchall():
        written.setdefault(table, []).append(seq)
    for append in appends:
        seqs = written.get(append.table, [])
        if len(seqs) < len(append.events):
            _take_back(db, append.table, seqs)
            yield _what_happened(db, append)
            continue
        if append.status is not None:
            values = (append.status, append.events[-1].at_ms, append.table)
            db.execute("UPDATE game_table SET status = ?, changed_ms = ? WHERE id = ?", values)
        yield Appended(append.expected_seq + len(append.events))


def _rows(append: Append) -> Iterator[tuple[object, ...]]:
    for seq, event in enumerate(append.events, append.expected_seq + 1):
        yield append.table, seq, event.at_ms, event.actor, event.kind, event.payload, event.command_id, append.expected_seq


def _take_back(db: Connection, table: str, seqs: Sequence[int]) -> None:
    """All or nothing. Nobody else has seen these yet: the transaction is still open."""
    for seq in seqs:
        db.execute("DELETE FROM event WHERE table_id = ? AND seq = ?", (table, seq))


def _what_happened(db: Connection, append: Append) -> Outcome:
    last = append.expected_seq + len(append.events)
    if append.in_doubt:
        there = read(db, append.table, append.expected_seq, last)
        if [NewEvent(e.at_ms, e.actor, e.kind, e.payload, e.command_id) for e in there] == list(append.events):
            return Appended(last)
    for event in append.events:
        if event.command_id is not None:
            sql = "SELECT seq FROM event WHERE table_id = ? AND command_id = ?"
            if row := db.execute(sql, (append.table, event.command_id)).fetchone():
                return Duplicate(row[0])
    return Stale(db.execute("SELECT coalesce(max(seq), 0) FROM event WHERE table_id = ?", (append.table,)).fetchone()[0])


def read(db: Connection, table: str, since: int = 0, last: int = 2**31 - 1) -> list[Event]:
    sql = f"SELECT {EVENT_COLUMNS} FROM event WHERE table_id = ? AND seq > ? AND seq <= ? ORDER BY seq"
    return [Event(*row) for row in db.execute(sql, (table, since, last)).fetchall()]


def lengths(db: Connection, tables: Sequence[str]) -> dict[str, int]:
    found = dict.fromkeys(tables, 0)
    for some in chunks(tables):
        # One step into the index for each table; grouping would walk through the logs.
        length = "SELECT coalesce(max(seq), 0) FROM event WHERE table_id = game_table.id"
        found.update(db.execute(f"SELECT id, ({length}) FROM game_table WHERE id IN ({marks(some)})", some).fetchall())
    return found


def chunks(ids: Sequence[str], size: int = 500) -> Iterator[Sequence[str]]:
    """Both databases limit the number of values in a statement."""
    for start in range(0, len(ids), size):
        yield ids[start : start + size]


def marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))
