"""Notices to people who are not here, in portable SQL: ways out, wishes, vacations, the outbox.

    append(events, calls) ── one transaction ──> event rows, and an outbox row per notice and way
    due_notices            ────────────────────> what there is to send
    claim_notices          ── a lease ─────────> the rows of one process for a while
    finish_notices         ────────────────────> sent, seen or failed

A process that dies after it has claimed may or may not have sent: nobody touches the row until the
lease is over, so nothing is told twice within that time, and then it is tried again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from msgspec.structs import replace

from lampion.server.store.backend import Connection
from lampion.server.store.base import (
    Calls,
    Mark,
    Notice,
    NoticeKind,
    NoticeState,
    OutboxRow,
    ReachRow,
    Settled,
    VacationRow,
    WayKind,
    WayRow,
)
from lampion.server.store.sql import chunks, columns, insert, marks, plain

WAY, REACH, VACATION, OUTBOX = (columns(row) for row in (WayRow, ReachRow, VacationRow, OutboxRow))
PARTS_OF_PERSON = ("outbox", "way", "reach", "vacation")
"""In the order in which they can be deleted."""
LONGEST_PROBLEM = 200
IS_DUE = "state = 'waiting' AND due_ms <= ? AND lease_ms <= ?"
"""Both values are the present time."""
IS_DUE_SOON = "state = 'waiting' AND attempts = 0 AND due_ms <= ? AND lease_ms <= ?"
"""What has failed keeps its pauses."""
IS_OPEN = "confirmed_ms IS NOT NULL AND silent_ms IS NULL"
"""Whether anything is sent there."""
WANTS_ANSWER = "kind IN ('turn', 'asked')"
"""A table waits for the person until this is settled."""


def _way(row: Sequence[Any]) -> WayRow:
    way_id, person_id, kind, *rest = row
    return WayRow(way_id, person_id, WayKind(kind), *rest)


def _notice(row: Sequence[Any]) -> OutboxRow:
    found = OutboxRow(*row)
    return replace(found, kind=NoticeKind(found.kind), state=NoticeState(found.state))


# Into the outbox, within the transaction of an append


def write(db: Connection, table_id: str, seq: int, at_ms: int, calls: Calls) -> None:
    for settled in calls.settled:
        _settle(db, table_id, settled)
    if not calls.notices:
        return
    muted = _muted(db, table_id)
    people = {notice.person for notice in calls.notices} - muted
    ways = _ways_of(db, sorted(people))
    reaches = _reaches(db, sorted(people))
    for notice in calls.notices:
        reach = reaches.get(notice.person) or ReachRow(notice.person)
        if notice.person in people and notice.kind not in reach.off.split(","):
            _put(db, table_id, seq, at_ms, notice, ways.get(notice.person, []), reach)


def remind(
    db: Connection,
    table_id: str,
    seq: int,
    at_ms: int,
    person_id: str,
    notices: Sequence[Notice],
) -> None:
    """A way that was added later knows nothing of what others were told: a turn that the person
    has seen is noted for it as seen, so that it is counted, and a reminder waits unless one way has
    told it already."""
    reach = _reaches(db, [person_id]).get(person_id) or ReachRow(person_id)
    if person_id in _muted(db, table_id):
        return
    ways = _ways_of(db, [person_id]).get(person_id, [])
    # A notice that was settled because its table was muted would have the same name.
    sql = """DELETE FROM outbox WHERE table_id = ? AND person_id = ? AND state = 'settled'
             AND sent_ms IS NULL"""
    db.execute(sql, (table_id, person_id))
    for notice in notices:
        sql = """SELECT way_id, state FROM outbox WHERE table_id = ? AND person_id = ?
                  AND kind = ? AND state <> 'settled'"""
        known = dict(db.execute(sql, (table_id, person_id, notice.kind.value)).fetchall())
        is_told = notice.kind == NoticeKind.SOON and not {*known.values()} <= {"waiting"}
        if notice.kind.value in reach.off.split(",") or is_told:
            continue
        state = NoticeState.WAITING if notice.kind == NoticeKind.SOON else NoticeState.SEEN
        _put(db, table_id, seq, at_ms, notice, ways, reach, state=state, known=known)


def _settle(db: Connection, table_id: str, settled: Settled) -> None:
    kinds = [kind.value for kind in settled.kinds]
    sql = f"""UPDATE outbox SET state = ? WHERE table_id = ? AND kind IN ({marks(kinds)})
              AND state <> ?"""
    values = [NoticeState.SETTLED.value, table_id, *kinds, NoticeState.SETTLED.value]
    if settled.person is not None:
        sql, values = f"{sql} AND person_id = ?", [*values, settled.person]
    db.execute(sql, values)


def _muted(db: Connection, table_id: str) -> set[str]:
    sql = "SELECT person_id FROM mark WHERE table_id = ? AND kind = ?"
    return {row[0] for row in db.execute(sql, (table_id, Mark.MUTED.value)).fetchall()}


def _ways_of(db: Connection, people: Sequence[str]) -> dict[str, list[WayRow]]:
    found: dict[str, list[WayRow]] = {}
    if people:
        sql = f"""SELECT {WAY} FROM way WHERE person_id IN ({marks(people)})
                  AND {IS_OPEN} ORDER BY created_ms, id"""
        for row in map(_way, db.execute(sql, people).fetchall()):
            found.setdefault(row.person_id, []).append(row)
    return found


def _reaches(db: Connection, people: Sequence[str]) -> dict[str, ReachRow]:
    if not people:
        return {}
    sql = f"SELECT {REACH} FROM reach WHERE person_id IN ({marks(people)})"
    return {row[0]: ReachRow(*row) for row in db.execute(sql, people).fetchall()}


def _put(
    db: Connection,
    table_id: str,
    seq: int,
    at_ms: int,
    notice: Notice,
    ways: Sequence[WayRow],
    reach: ReachRow,
    *,
    state: NoticeState = NoticeState.WAITING,
    known: Collection[str] = (),
) -> None:
    """One row for each way that has none. Where a device is pushed to, mail only follows if that
    stays unseen."""
    has_push = any(way.kind == WayKind.PUSH for way in ways)
    for way in ways:
        follows = has_push and way.kind == WayKind.MAIL
        if way.id in known or (follows and not reach.escalate_ms):
            continue
        due_ms = notice.due_ms + (reach.escalate_ms if follows else 0)
        name = f"{table_id}.{seq}.{notice.kind}.{way.id}"
        row = OutboxRow(
            name, notice.person, way.id, table_id, notice.kind, notice.ply, at_ms, due_ms, state
        )
        insert(db, "outbox", row, " ON CONFLICT DO NOTHING")


# Out of it


def due(db: Connection, now_ms: int, limit: int, group_ms: int) -> list[tuple[OutboxRow, WayRow]]:
    """First the ways that something is due for, then all that is due for them: several notices to
    one device become one message. A push message replaces the one before, so it need not wait for
    others; each letter stays."""
    sql = f"SELECT way_id FROM outbox WHERE {IS_DUE} GROUP BY way_id ORDER BY min(due_ms) LIMIT ?"
    names = [row[0] for row in db.execute(sql, (now_ms, now_ms, limit)).fetchall()]
    if not names:
        return []
    sql = f"SELECT {WAY} FROM way WHERE id IN ({marks(names)})"
    ways = {row[0]: _way(row) for row in db.execute(sql, names).fetchall()}
    kept = [name for name, way in ways.items() if way.kind != WayKind.PUSH] or [""]
    sql = f"""SELECT {OUTBOX} FROM outbox WHERE way_id IN ({marks(names)}) AND ({IS_DUE}
              OR way_id IN ({marks(kept)}) AND {IS_DUE_SOON}) ORDER BY due_ms, id"""
    values = (*names, now_ms, now_ms, *kept, now_ms + group_ms, now_ms)
    notices = [_notice(row) for row in db.execute(sql, values).fetchall()]
    return [(notice, ways[notice.way_id]) for notice in notices if notice.way_id in ways]


def claim(
    db: Connection, notices: Sequence[str], now_ms: int, lease_ms: int, group_ms: int
) -> set[str]:
    """Of two processes, the second waits for the first and then finds the lease taken."""
    sql = f"""UPDATE outbox SET lease_ms = ? WHERE id IN ({marks(notices)})
              AND ({IS_DUE} OR {IS_DUE_SOON}) RETURNING id"""
    values = (lease_ms, *notices, now_ms, now_ms, now_ms + group_ms, now_ms)
    rows = db.execute(sql, values).fetchall()
    return {row[0] for row in rows}


def finish(
    db: Connection, notices: Sequence[str], state: NoticeState, now_ms: int, problem: str | None
) -> None:
    """`sent_ms` is noted even if the notice was settled while it was on its way."""
    sent_ms = now_ms if state == NoticeState.SENT else None
    for notice in notices:
        db.execute(
            """UPDATE outbox SET state = CASE WHEN state = 'waiting' THEN ? ELSE state END,
               lease_ms = 0, sent_ms = coalesce(?, sent_ms), problem = ? WHERE id = ?""",
            (state.value, sent_ms, _cut(problem), notice),
        )


def postpone(
    db: Connection,
    notices: Sequence[str],
    due_ms: int,
    attempts: int,
    problem: str | None,
    lease_ms: int,
) -> None:
    """After an attempt the lease of this process ends, or lasts until `lease_ms` if the receiver
    may have the notice. Without an attempt it has none, and the process that has it is sending."""
    lease = "CASE WHEN ? > 0 THEN ? ELSE lease_ms END"
    for notice in notices:
        db.execute(
            f"""UPDATE outbox SET due_ms = ?, lease_ms = {lease}, attempts = attempts + ?,
               problem = coalesce(?, problem) WHERE id = ?""",
            (due_ms, attempts, lease_ms, attempts, _cut(problem), notice),
        )


def _cut(problem: str | None) -> str | None:
    return None if problem is None else problem[:LONGEST_PROBLEM]


def hasten_mail(db: Connection, person_id: str, due_ms: int) -> None:
    """Not reminders, which are due at an hour of their own."""
    db.execute(
        """UPDATE outbox SET due_ms = ? WHERE person_id = ? AND state = 'waiting' AND due_ms > ?
           AND kind <> 'soon' AND way_id IN (SELECT id FROM way WHERE person_id = ?
           AND kind = 'mail')""",
        (due_ms, person_id, due_ms, person_id),
    )


def saw_table(db: Connection, table_id: str, person_id: str) -> None:
    """A reminder of the time left is about the time, not about the table, and stays."""
    sql = """UPDATE outbox SET state = 'seen' WHERE table_id = ? AND person_id = ?
             AND state IN ('waiting', 'failed') AND kind <> 'soon'"""
    db.execute(sql, (table_id, person_id))


def tables_waiting(db: Connection, person_id: str) -> int:
    sql = f"""SELECT count(DISTINCT table_id) FROM outbox WHERE person_id = ?
              AND {WANTS_ANSWER} AND state <> 'settled'"""
    return int(db.execute(sql, (person_id,)).fetchone()[0])


# For operators


def count_sent(
    db: Connection,
    since_ms: int,
    way_id: str | None,
    person_id: str | None,
    kind: WayKind | None,
) -> int:
    """Messages, not notices: several that were sent together count once."""
    if way_id is not None:
        sql = "SELECT count(DISTINCT sent_ms) FROM outbox WHERE way_id = ? AND sent_ms > ?"
        return int(db.execute(sql, (way_id, since_ms)).fetchone()[0])
    kinds = [plain(kind)] if kind else [each.value for each in WayKind]
    mine, person = ("AND person_id = ?", [person_id]) if person_id is not None else ("", [])
    sql = f"""SELECT count(*) FROM (SELECT DISTINCT way_id, sent_ms FROM outbox
              WHERE sent_ms > ? AND way_id IN
              (SELECT id FROM way WHERE kind IN ({marks(kinds)}) {mine})) AS sent"""
    return int(db.execute(sql, (since_ms, *kinds, *person)).fetchone()[0])


def letters_sent(db: Connection, since_ms: int) -> list[tuple[str, str, int]]:
    sql = """SELECT way.person_id, way.address, count(DISTINCT outbox.sent_ms) FROM way
             JOIN outbox ON outbox.way_id = way.id
             WHERE way.kind = 'mail' AND outbox.sent_ms > ?
             GROUP BY way.id, way.person_id, way.address"""
    rows = db.execute(sql, (since_ms,)).fetchall()
    return [(row[0], row[1], int(row[2])) for row in rows]


def count(db: Connection) -> dict[NoticeState, int]:
    found = dict.fromkeys(NoticeState, 0)
    for state, number in db.execute("SELECT state, count(*) FROM outbox GROUP BY state").fetchall():
        found[NoticeState(state)] = number
    return found


def notices(
    db: Connection, state: NoticeState | None, limit: int
) -> list[tuple[OutboxRow, WayKind]]:
    where, values = ("WHERE state = ?", [state.value]) if state else ("", [])
    sql = f"""SELECT {columns(OutboxRow, "o")}, way.kind FROM
              (SELECT * FROM outbox {where} ORDER BY created_ms DESC, id LIMIT ?) AS o
              JOIN way ON way.id = o.way_id ORDER BY o.created_ms DESC, o.id"""
    rows = db.execute(sql, (*values, limit)).fetchall()
    return [(_notice(row[:-1]), WayKind(row[-1])) for row in rows]


def retry(db: Connection, notice: str | None, now_ms: int) -> int:
    sql = "UPDATE outbox SET state = 'waiting', attempts = 0, due_ms = ? WHERE state = 'failed'"
    if notice is None:
        return db.execute(sql, (now_ms,)).rowcount
    return db.execute(f"{sql} AND id = ?", (now_ms, notice)).rowcount


def retry_way(db: Connection, way_id: str, now_ms: int) -> int:
    sql = """UPDATE outbox SET state = 'waiting', attempts = 0, due_ms = ?
             WHERE way_id = ? AND state = 'failed'"""
    return db.execute(sql, (now_ms, way_id)).rowcount


def purge(db: Connection, before_ms: int) -> int:
    """Not what a table still waits for, however long ago that was told: it is counted."""
    sql = f"""DELETE FROM outbox WHERE created_ms < ? AND state <> 'waiting'
              AND (state = 'settled' OR NOT {WANTS_ANSWER})"""
    return db.execute(sql, (before_ms,)).rowcount


# Ways out, and wishes


def add_way(db: Connection, row: WayRow, replaces: Collection[str]) -> int:
    """What waits for a way that is replaced, or failed there, goes out by the new one. Returns how
    many were replaced."""
    sql = "SELECT id FROM way WHERE person_id = ? AND kind = ? AND address = ?"
    found = db.execute(sql, (row.person_id, row.kind.value, row.address)).fetchall()
    old = sorted({name for (name,) in found}.union(replaces))
    for name in old:  # two ways to one address cannot be there side by side
        db.execute("UPDATE way SET address = id WHERE id = ?", (name,))
    insert(db, "way", row)
    for name in old:
        db.execute("UPDATE outbox SET way_id = ? WHERE way_id = ?", (row.id, name))
        db.execute("DELETE FROM way WHERE id = ?", (name,))
    retry_way(db, row.id, row.created_ms)
    return len(old)


def way(db: Connection, way_id: str) -> WayRow | None:
    row = db.execute(f"SELECT {WAY} FROM way WHERE id = ?", (way_id,)).fetchone()
    return _way(row) if row else None


def ways(db: Connection, person_id: str) -> list[WayRow]:
    sql = f"SELECT {WAY} FROM way WHERE person_id = ? ORDER BY created_ms, id"
    return [_way(row) for row in db.execute(sql, (person_id,)).fetchall()]


def ways_to(db: Connection, kind: WayKind, address: str) -> list[WayRow]:
    sql = f"SELECT {WAY} FROM way WHERE kind = ? AND address = ? ORDER BY created_ms, id"
    return [_way(row) for row in db.execute(sql, (kind.value, address)).fetchall()]


def change_way(db: Connection, row: WayRow, was: str | None) -> bool:
    sql = "UPDATE way SET details = ?, confirmed_ms = ?, problem = ? WHERE id = ?"
    values = [row.details, row.confirmed_ms, _cut(row.problem), row.id]
    if was is not None:
        sql, values = f"{sql} AND details = ?", [*values, was]
    return db.execute(sql, values).rowcount == 1


def note_problem(db: Connection, way_id: str, problem: str | None) -> None:
    db.execute("UPDATE way SET problem = ? WHERE id = ?", (_cut(problem), way_id))


def drop_way(db: Connection, way_id: str) -> bool:
    db.execute("DELETE FROM outbox WHERE way_id = ?", (way_id,))
    return db.execute("DELETE FROM way WHERE id = ?", (way_id,)).rowcount == 1


def silence_way(db: Connection, way_id: str, silent_ms: int | None) -> bool:
    if silent_ms is not None:
        db.execute("DELETE FROM outbox WHERE way_id = ?", (way_id,))
    sql = "UPDATE way SET silent_ms = ?, problem = NULL WHERE id = ?"
    return db.execute(sql, (silent_ms, way_id)).rowcount == 1


def drop_unconfirmed_ways(db: Connection, before_ms: int) -> int:
    sql = "DELETE FROM way WHERE confirmed_ms IS NULL AND created_ms < ?"
    return db.execute(sql, (before_ms,)).rowcount


def reachable_people(db: Connection) -> set[str]:
    sql = f"SELECT DISTINCT person_id FROM way WHERE {IS_OPEN}"
    return {row[0] for row in db.execute(sql).fetchall()}


def reach(db: Connection, person_id: str) -> ReachRow | None:
    return _reaches(db, [person_id]).get(person_id)


def set_reach(db: Connection, row: ReachRow) -> None:
    db.execute("DELETE FROM reach WHERE person_id = ?", (row.person_id,))
    insert(db, "reach", row)


def vacations(db: Connection, people: Collection[str]) -> list[VacationRow]:
    found = []
    for some in chunks(sorted(people)):
        sql = f"SELECT {VACATION} FROM vacation WHERE person_id IN ({marks(some)})"
        found += [VacationRow(*row) for row in db.execute(sql, some).fetchall()]
    return sorted(found, key=lambda row: (row.from_ms, row.person_id))


def set_vacations(db: Connection, person_id: str, rows: Sequence[VacationRow]) -> None:
    db.execute("DELETE FROM vacation WHERE person_id = ?", (person_id,))
    for row in rows:
        insert(db, "vacation", row)
