"""Decisions that a person practices, and when each of them is due."""

from __future__ import annotations

from typing import Any

import msgspec

from lampion.core.gamelog import write_record
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.store.base import MOST_EXERCISES, ExerciseRow
from lampion.server.study import practice as practices
from lampion.server.study.spacing import Tried, grade_of
from lampion.server.web import limits
from lampion.server.web.endpoints.records import attempted, judged
from lampion.server.web.http import MOST_RECORD_BYTES, Ask, Endpoint

EXERCISE = "/api/me/practice/{exercise:str}"


async def practice(ask: Ask) -> wire.Practice:
    return await _practice(ask, ask.known().id)


async def keep(ask: Ask) -> wire.Practice:
    """The server judges the decisions itself, wherever the review was worked out."""
    body: wire.NewExercises = ask.body
    decisions = await judged(ask, body.record, sorted({*body.plies}))
    record, now_ms = practices.stored(body.record), ask.services.clock.now_ms()
    person, store = (await ask.somebody()).id, ask.services.store
    rows = [practices.exercise_of(person, record, one.judgement, now_ms) for one in decisions]
    ask.services.limiter.spend(limits.KEPT, ask.who, len(rows))
    text = write_record(record)
    if not await store.keep_exercises(person, [(row, text) for row in rows]):
        message = f"you can practice {MOST_EXERCISES} positions; remove or suspend some first"
        raise TableError(message, code="practice-full", most=MOST_EXERCISES)
    return await _practice(ask, person)


async def position(ask: Ask) -> wire.ExercisePosition:
    row, record = await _found(ask)
    return wire.ExercisePosition(practices.shown(row), record)


async def answer(ask: Ask) -> wire.ExerciseAnswered:
    body: wire.ExerciseAnswer = ask.body
    row, record = await _found(ask)
    practices.check_due(row, ask.services.clock.now_ms())
    tried: list[Tried] = []
    for action in body.tried:
        wanted = wire.AttemptRequest(record=record, ply=row.ply, action=action)
        found = await attempted(ask, wanted)
        tried.append(Tried(not found.is_mistake, found.is_best))
        if not found.is_mistake:
            break
    grade = grade_of(tried, hinted=body.hinted, is_first=row.memory is None)
    now_ms = ask.services.clock.now_ms()
    changed = practices.answered(row, grade, now_ms)
    await _change(ask, changed, row)
    due = await ask.services.store.count_due_exercises(row.person_id, now_ms)
    return wire.ExerciseAnswered(grade, practices.shown(changed), due, now_ms)


async def change(ask: Ask) -> wire.Exercise:
    """Resuming what is not suspended changes nothing, and so does suspending what is."""
    body: wire.ChangeExercise = ask.body
    row, now_ms = await _row(ask), ask.services.clock.now_ms()
    if body.suspended == (row.suspended_ms is not None):
        return practices.shown(row)
    changed = (
        msgspec.structs.replace(row, suspended_ms=now_ms)
        if body.suspended
        else practices.resumed(row, now_ms)
    )
    await _change(ask, changed, row)
    return practices.shown(changed)


async def drop(ask: Ask) -> dict[str, str]:
    if not await ask.services.store.drop_exercise(ask.known().id, _id(ask)):
        raise _unknown(ask)
    return {}


async def _practice(ask: Ask, person: str) -> wire.Practice:
    rows = await ask.services.store.exercises(person)
    return practices.practice_of(rows, ask.services.clock.now_ms(), MOST_EXERCISES)


async def _row(ask: Ask) -> ExerciseRow:
    """Another person's is as unknown as one that never was."""
    row = await ask.services.store.exercise(ask.known().id, _id(ask))
    if row is None:
        raise _unknown(ask)
    return row


async def _found(ask: Ask) -> tuple[ExerciseRow, dict[str, Any]]:
    """A position of other rules can be neither shown nor judged, so it is suspended."""
    row = await _row(ask)
    records = await ask.services.store.exercise_records(row.person_id, row.id)
    if row.id not in records:
        raise _unknown(ask)
    record = msgspec.json.decode(records[row.id], type=dict[str, Any])
    if not practices.is_playable(row, record):
        if row.suspended_ms is None:
            now_ms = ask.services.clock.now_ms()
            await _change(ask, msgspec.structs.replace(row, suspended_ms=now_ms), row)
        message = "this position is of other rules than those of this server; it is suspended"
        raise TableError(message, code="other-rules", where=row.id)
    return row, record


async def _change(ask: Ask, row: ExerciseRow, was: ExerciseRow) -> None:
    if not await ask.services.store.change_exercise(row, was=was):
        raise TableError(
            "this position was answered or changed in the meantime", code="stale", where=row.id
        )


def _id(ask: Ask) -> str:
    found = str(ask.path["exercise"])
    if not practices.EXERCISE_ID.fullmatch(found):
        raise _unknown(ask)
    return found


def _unknown(ask: Ask) -> TableError:
    where = str(ask.path["exercise"])[:40]
    return TableError("no such practice position", code="no-exercise", where=where)


ENDPOINTS = (
    Endpoint("GET", "/api/me/practice", "List the current player's practice positions, earliest due first",
             practice, wire.Practice),
    Endpoint("POST", "/api/me/practice", "Keep decisions of a finished game to practice them", keep, wire.Practice, wire.NewExercises,
             limit=limits.REVIEWS, most_bytes=MOST_RECORD_BYTES),
    Endpoint("GET", EXERCISE, "Return a position to practice, with its record", position, wire.ExercisePosition),
    Endpoint("POST", EXERCISE, "Answer a position that is due; returns when it is due again", answer, wire.ExerciseAnswered,
             wire.ExerciseAnswer, limit=limits.REVIEWS),
    Endpoint("PATCH", EXERCISE, "Suspend or resume a position", change, wire.Exercise, wire.ChangeExercise),
    Endpoint("DELETE", EXERCISE, "Stop practicing a position", drop, dict[str, str]),
)  # fmt: skip
