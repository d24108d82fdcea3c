"""Decisions from reviews that a person practices: what is stored of them, and what an answer does."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec.structs import replace

from lampion.core.game import find_game, game_names
from lampion.core.gamelog import GameRecord, checked_names, write_record
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.store.base import ExerciseRow
from lampion.server.study.kept import key_of
from lampion.server.study.replay import record_in
from lampion.server.study.spacing import Grade, Memory, after

if TYPE_CHECKING:  # profiles import this module, and must not load the reviews
    from lampion.reviews.judging import Judgement

MOST_BYTES = 8 * 1024
"""Of a record that is stored; a game of four has two thousand."""
ID_LENGTH = 24
EXERCISE_ID = re.compile(f"[0-9a-f]{{{ID_LENGTH}}}")


class Cost(msgspec.Struct, frozen=True):
    """What a decision was found to cost, when it was kept."""

    cost: float
    interval: float
    is_exact: bool


def stored(content: dict[str, Any]) -> GameRecord:
    """A record with what a position and its judgment need, and nobody's name: it outlives the
    table, and the people who played there."""
    record = record_in(content)
    names = checked_names((), record.players)
    fairness = record.fairness and replace(record.fairness, match="", nonces=[])
    bare = replace(
        record, names=[*names], fairness=fairness, legal=None, decisions=None, substituted=None, decided=None
    )  # fmt: skip
    size = len(write_record(bare))
    if size > MOST_BYTES:
        message = f"the record is {size} bytes; at most {MOST_BYTES} can be kept"
        raise TableError(message, code="too-large", where="record")
    return bare


def exercise_of(person: str, record: GameRecord, judgement: Judgement, now_ms: int) -> ExerciseRow:
    """Due at once. The same decision always gets the same id, so it is kept once."""
    if not judgement.is_mistake:
        message = f"nothing clearly better is known for the decision at entry {judgement.ply}"
        raise TableError(message, code="no-mistake", where="plies")
    cost = Cost(judgement.cost, judgement.interval, judgement.is_exact)
    return ExerciseRow(
        person,
        key_of(write_record(record), judgement.ply).hex()[:ID_LENGTH],
        record.game,
        record.players,
        judgement.seat,
        judgement.ply,
        msgspec.json.encode(cost).decode(),
        now_ms,
        now_ms,
    )


def is_playable(row: ExerciseRow, record: Mapping[str, Any]) -> bool:
    return row.game in game_names() and record["rules"] == find_game(row.game).RULES_VERSION


def check_due(row: ExerciseRow, now_ms: int) -> None:
    if row.suspended_ms is not None or row.due_ms > now_ms:
        raise TableError("this position is not due", code="not-due", where=row.id)


def answered(row: ExerciseRow, grade: Grade, now_ms: int) -> ExerciseRow:
    """With its next date. What is missed again and again is suspended."""
    memory, due_ms = after(memory_of(row), grade, now_ms)
    suspended_ms = now_ms if grade == "again" and memory.is_leech else None
    known = msgspec.json.encode(memory).decode()
    return replace(row, memory=known, due_ms=due_ms, suspended_ms=suspended_ms)


def resumed(row: ExerciseRow, now_ms: int) -> ExerciseRow:
    """Due at once, with a clean slate of lapses."""
    memory = memory_of(row)
    known = msgspec.json.encode(replace(memory, lapses=0)).decode() if memory else None
    return replace(row, memory=known, due_ms=now_ms, suspended_ms=None)


def memory_of(row: ExerciseRow) -> Memory | None:
    return msgspec.json.decode(row.memory, type=Memory) if row.memory is not None else None


def shown(row: ExerciseRow) -> wire.Exercise:
    cost, memory = msgspec.json.decode(row.judged, type=Cost), memory_of(row)
    return wire.Exercise(
        row.id,
        row.game,
        row.players,
        row.seat,
        row.ply,
        cost.cost,
        cost.interval,
        cost.is_exact,
        row.created_ms,
        row.due_ms,
        memory.answers if memory else 0,
        row.suspended_ms is not None,
    )


def practice_of(rows: Sequence[ExerciseRow], now_ms: int, most: int) -> wire.Practice:
    due = sum(row.due_ms <= now_ms and row.suspended_ms is None for row in rows)
    return wire.Practice([shown(row) for row in rows], due, now_ms, most)
