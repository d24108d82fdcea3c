"""Decisions that people practice, in portable SQL. A person has at most `MOST_EXERCISES`."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import astuple

from lampion.server.store.backend import Connection
from lampion.server.store.base import MOST_EXERCISES, ExerciseRow
from lampion.server.store.queries import want_scrub
from lampion.server.store.sql import columns, marks

EXERCISE = columns(ExerciseRow)


def keep_exercises(db: Connection, person_id: str, new: Sequence[tuple[ExerciseRow, str]]) -> bool:
    """The caller has locked the person."""
    known = {row.id for row in exercises(db, person_id)}
    missing = {row.id: (row, record) for row, record in new if row.id not in known}
    excess = len(known) + len(missing) - MOST_EXERCISES
    if excess > 0 and _drop_suspended(db, person_id, excess) < excess:
        return False
    for row, record in missing.values():
        values = [*astuple(row), record]
        sql = f"INSERT INTO exercise ({EXERCISE}, record) VALUES ({marks(values)})"
        db.execute(sql, values)
    return True


def _drop_suspended(db: Connection, person_id: str, number: int) -> int:
    """Those suspended for the longest go, all of them or none; returns how many there were."""
    sql = """SELECT id FROM exercise WHERE person_id = ? AND suspended_ms IS NOT NULL
             ORDER BY suspended_ms, created_ms, id LIMIT ?"""
    found = [row[0] for row in db.execute(sql, (person_id, number)).fetchall()]
    if len(found) == number:
        _drop(db, person_id, found)
    return len(found)


def _drop(db: Connection, person_id: str, ids: Sequence[str]) -> int:
    sql = f"DELETE FROM exercise WHERE person_id = ? AND id IN ({marks(ids)})"
    return _scrubbed(db, db.execute(sql, (person_id, *ids)).rowcount)


def _scrubbed(db: Connection, num_deleted: int) -> int:
    if num_deleted:
        want_scrub(db)
    return num_deleted


def exercises(db: Connection, person_id: str) -> list[ExerciseRow]:
    sql = (
        f"SELECT {EXERCISE} FROM exercise WHERE person_id = ? ORDER BY due_ms, created_ms, ply, id"
    )
    return [ExerciseRow(*row) for row in db.execute(sql, (person_id,)).fetchall()]


def exercise(db: Connection, person_id: str, exercise_id: str) -> ExerciseRow | None:
    sql = f"SELECT {EXERCISE} FROM exercise WHERE person_id = ? AND id = ?"
    row = db.execute(sql, (person_id, exercise_id)).fetchone()
    return ExerciseRow(*row) if row else None


def exercise_records(
    db: Connection, person_id: str, exercise_id: str | None = None
) -> dict[str, str]:
    sql = "SELECT id, record FROM exercise WHERE person_id = ?"
    values = [person_id]
    if exercise_id is not None:
        sql, values = f"{sql} AND id = ?", [person_id, exercise_id]
    return {row[0]: row[1] for row in db.execute(sql, values).fetchall()}


def change_exercise(db: Connection, row: ExerciseRow, was: ExerciseRow) -> bool:
    """Compare and set: an answer from another tab must not count a second time."""
    sql = """UPDATE exercise SET due_ms = ?, memory = ?, suspended_ms = ?
             WHERE person_id = ? AND id = ? AND due_ms = ? AND coalesce(memory, '') = ?
             AND coalesce(suspended_ms, -1) = ?"""
    before = (was.due_ms, was.memory or "", -1 if was.suspended_ms is None else was.suspended_ms)
    values = (row.due_ms, row.memory, row.suspended_ms, row.person_id, row.id, *before)
    return db.execute(sql, values).rowcount == 1


def drop_exercise(db: Connection, person_id: str, exercise_id: str) -> bool:
    return _drop(db, person_id, [exercise_id]) == 1


def drop_exercises(db: Connection, person_id: str) -> int:
    sql = "DELETE FROM exercise WHERE person_id = ?"
    return _scrubbed(db, db.execute(sql, (person_id,)).rowcount)


def count_due(db: Connection, person_id: str, now_ms: int) -> int:
    sql = """SELECT count(*) FROM exercise
             WHERE person_id = ? AND due_ms <= ? AND suspended_ms IS NULL"""
    return int(db.execute(sql, (person_id, now_ms)).fetchone()[0])


def merge_exercises(db: Connection, guest: str, into: str) -> None:
    """The guest's become the person's, who may have some of them. If there are too many, the
    suspended go first, then those that are due last: they are known best."""
    same = "SELECT id FROM exercise WHERE person_id = ?"
    db.execute(f"DELETE FROM exercise WHERE person_id = ? AND id IN ({same})", (guest, into))
    db.execute("UPDATE exercise SET person_id = ? WHERE person_id = ?", (into, guest))
    rest = sorted(
        exercises(db, into),
        key=lambda row: (row.suspended_ms is not None, -(row.suspended_ms or 0), row.due_ms),
    )[MOST_EXERCISES:]
    if rest:
        _drop(db, into, [row.id for row in rest])
