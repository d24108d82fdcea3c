"""Hints that a browser finds: what it is given, and what becomes of its answer."""

from __future__ import annotations

import msgspec
import pytest

import lampion
from lampion.bots.task import Task, solve
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.study import tasks


@pytest.mark.parametrize("game", ["lanterns", "lumens"])
def test_what_a_browser_finds_becomes_a_hint(game: str) -> None:
    match = lampion.new(game, 2, seed=4)
    seat = match.to_act
    task = tasks.task_of(match, seat)
    assert task.legal == match.legal_ids(seat).tolist()
    seen = match.seen_from(seat)
    found = solve(_shorter(task), seen)
    best = zip(found.actions[:3], found.visits[:3], strict=True)
    moves = [wire.HintFound(action, visits, 0.5) for action, visits in best]
    hint = tasks.told(match, wire.HintRequest(seat, found=moves))
    assert hint.ply == match.ply and hint.moves[0].action in match.legal_actions(seat)
    assert hint.sentence


def _shorter(task: Task) -> Task:
    return msgspec.structs.replace(task, iterations=20)


def test_an_illegal_answer_is_refused() -> None:
    match = lampion.new("lumens", 2, seed=4)
    with pytest.raises(TableError, match="not a legal action"):
        tasks.told(match, wire.HintRequest(match.to_act, found=[wire.HintFound(10**6, 1, 0.5)]))
    with pytest.raises(TableError):
        tasks.told(match, wire.HintRequest(match.to_act))
