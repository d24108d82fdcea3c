"""Appending to many logs with one statement: the same steps on both databases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from lampion.server.store import outbox, seats
from lampion.server.store.backend import Connection
from lampion.server.store.base import (
    Appended,
    Calls,
    Duplicate,
    Event,
    LogNews,
    NewEvent,
    Outcome,
    SeatChange,
    SeatRow,
    SeatTaken,
    Stale,
    TableStatus,
)
from lampion.server.store.sql import chunks, marks

EVENT_COLUMNS = "seq, at_ms, actor, kind, payload, command_id"


class Append(msgspec.Struct):
    table: str
    expected_seq: int
    events: Sequence[NewEvent]
    status: TableStatus | None = None
    seat: SeatChange | None = None
    calls: Calls | None = None
    in_doubt: bool = False
    """The connection broke while it was committed: its events may be there already."""

    @property
    def last_seq(self) -> int:
        return self.expected_seq + len(self.events)

    @property
    def locks_table(self) -> bool:
        """Whether it changes more than the log."""
        return self.status is not None or self.seat is not None

    @property
    def news(self) -> LogNews:
        numbered = enumerate(self.events, self.expected_seq + 1)
        told = [Event(n, e.at_ms, e.actor, e.kind, e.payload, e.command_id) for n, e in numbered]
        return LogNews(self.last_seq, told)


def append_all(db: Connection, insert_events: str, appends: Sequence[Append]) -> list[Outcome]:
    """In the order given, within the transaction of the caller."""
    outcomes: dict[int, Outcome] = {}
    for round_ in _rounds(appends):
        outcomes.update(zip(map(id, round_), _append_round(db, insert_events, round_), strict=True))
    return [outcomes[id(append)] for append in appends]


def _rounds(appends: Sequence[Append]) -> list[list[Append]]:
    """One statement checks every log as it was before it, so a second append to a table goes into
    the next one. Sorted, so that two processes that write to the same tables wait for each other
    rather than in a ring."""
    rounds: list[list[Append]] = []
    seen: dict[str, int] = {}
    for append in appends:
        number = seen[append.table] = seen.get(append.table, -1) + 1
        if number == len(rounds):
            rounds.append([])
        rounds[number].append(append)
    return [sorted(round_, key=lambda append: append.table) for round_ in rounds]


def _append_round(
    db: Connection,
    insert_events: str,
    appends: Sequence[Append],
) -> Iterator[Outcome]:
    rows = [row for append in appends for row in _rows(append)]
    written: dict[str, list[int]] = {}
    for table, seq in db.execute(insert_events, (msgspec.json.encode(rows).decode(),)).fetchall():
        written.setdefault(table, []).append(seq)
    for append in appends:
        yield _finish(db, append, written.get(append.table, []))


def _finish(db: Connection, append: Append, seqs: Sequence[int]) -> Outcome:
    """After its events were inserted, or some of them, or none."""
    if len(seqs) < len(append.events):
        _take_back(db, append.table, seqs)
        return _what_happened(db, append)
    stored = None
    if append.seat is not None:
        stored = seats.set_seat(db, *append.seat)
        if stored is None:
            _take_back(db, append.table, seqs)
            return SeatTaken(_seat_now(db, append.seat))
    if append.status is not None:
        values = (TableStatus(append.status).value, append.events[-1].at_ms, append.table)
        db.execute("UPDATE game_table SET status = ?, changed_ms = ? WHERE id = ?", values)
    if append.calls is not None:
        outbox.write(db, append.table, append.last_seq, append.events[-1].at_ms, append.calls)
    return Appended(append.last_seq, stored)


def _rows(append: Append) -> Iterator[tuple[object, ...]]:
    for seq, event in enumerate(append.events, append.expected_seq + 1):
        yield (
            append.table,
            seq,
            event.at_ms,
            event.actor,
            event.kind,
            event.payload,
            event.command_id,
            append.expected_seq,
        )


def _take_back(db: Connection, table: str, seqs: Sequence[int]) -> None:
    """All or nothing. Nobody else has seen these yet: the transaction is still open."""
    for seq in seqs:
        db.execute("DELETE FROM event WHERE table_id = ? AND seq = ?", (table, seq))


def _what_happened(db: Connection, append: Append) -> Outcome:
    if append.in_doubt:
        there = read(db, append.table, append.expected_seq, append.last_seq)
        if there == append.news.events:
            # The seat was changed in the same transaction.
            return Appended(append.last_seq, append.seat and _seat_now(db, append.seat))
    for event in append.events:
        if event.command_id is not None:
            sql = "SELECT seq FROM event WHERE table_id = ? AND command_id = ?"
            if row := db.execute(sql, (append.table, event.command_id)).fetchone():
                return Duplicate(row[0])
    sql = "SELECT coalesce(max(seq), 0) FROM event WHERE table_id = ?"
    return Stale(db.execute(sql, (append.table,)).fetchone()[0])


def _seat_now(db: Connection, change: SeatChange) -> SeatRow | None:
    return seats.seat(db, change[0].table_id, change[0].seat)


def read(db: Connection, table: str, since: int = 0, last: int = 2**31 - 1) -> list[Event]:
    sql = f"SELECT {EVENT_COLUMNS} FROM event WHERE table_id = ? AND seq > ? AND seq <= ? ORDER BY seq"
    return [Event(*row) for row in db.execute(sql, (table, since, last)).fetchall()]


def lengths(db: Connection, tables: Sequence[str]) -> dict[str, int]:
    found = dict.fromkeys(tables, 0)
    for some in chunks(tables):
        # One step into the index for each table; grouping would walk through the logs.
        length = "SELECT coalesce(max(seq), 0) FROM event WHERE table_id = game_table.id"
        found.update(
            db.execute(
                f"SELECT id, ({length}) FROM game_table WHERE id IN ({marks(some)})",
                some,
            ).fetchall()
        )
    return found
