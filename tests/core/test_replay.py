"""What a record may say besides its log: who acted in place of a player, who lost early, and where
its chance came from."""

from __future__ import annotations

import random

import pytest

import lampion
from lampion.core.gamelog import Decided, GameRecord
from lampion.core.replay import positions
from tests.support import play_on

FIRST_DECISION = 2
"""Kuhn Poker deals two cards before it."""


def a_record() -> GameRecord:
    match = lampion.new("kuhn", 2, seed=1)
    for _ in play_on(match, random.Random(1)):
        pass
    return match.to_record()


def refusal(record: GameRecord) -> tuple[str, str]:
    with pytest.raises(lampion.InvalidRecord) as refused:
        lampion.load(record)
    return refused.value.code, refused.value.where


def test_a_bot_may_have_made_a_decision_of_a_player() -> None:
    record = a_record()
    record.substituted = [FIRST_DECISION, len(record.log) - 1]
    assert lampion.load(record).is_over


def test_a_bot_made_no_outcome_of_chance_and_nothing_behind_the_end() -> None:
    record = a_record()
    for ply in (0, FIRST_DECISION - 1, len(record.log), 10**9):
        record.substituted = [FIRST_DECISION, ply]
        assert refusal(record) == ("bad-entry", "substituted")


@pytest.mark.parametrize(
    "decided",
    [
        Decided([1, 2], late=[1]),
        Decided([2, 1], resigned=[0]),
        Decided([2, 1], late=[0], resigned=[0]),
    ],
)
def test_a_game_may_be_lost_by_time_or_by_resigning(decided: Decided) -> None:
    record = a_record()
    record.decided = decided
    assert lampion.load(record).is_over


@pytest.mark.parametrize(
    "decided",
    [
        Decided([1], late=[1]),
        Decided([1, 2, 3], late=[1]),
        Decided([2, 2], late=[1]),
        Decided([1, 3], late=[1]),
        Decided([1, 2]),
        Decided([1, 2], late=[2]),
    ],
    ids=["a place too few", "one too many", "nobody first", "no third seat", "nobody lost",
         "no such seat"],
)  # fmt: skip
def test_places_that_fit_no_game_are_refused(decided: Decided) -> None:
    record = a_record()
    record.decided = decided
    assert refusal(record) == ("wrong-result", "decided")


def test_chance_without_its_seed_cannot_be_checked() -> None:
    with_seed = a_record()
    assert lampion.verify(with_seed) == FIRST_DECISION
    without_promise, without_seed = a_record(), a_record()
    without_promise.fairness = None
    assert without_seed.fairness
    without_seed.fairness.seed = None
    for record in (without_promise, without_seed):
        assert lampion.load(record).is_over, "the game can be replayed all the same"
        with pytest.raises(lampion.UnfairRecord) as unfair:
            lampion.verify(record)
        assert (unfair.value.code, unfair.value.where) == ("no-seed", "fairness")


def test_a_game_can_be_walked_through_from_its_start() -> None:
    match = lampion.load(a_record())
    walked = [(earlier.ply, earlier.to_act == entry.actor) for earlier, entry in positions(match)]
    assert walked == [(ply, True) for ply in range(match.ply)]
