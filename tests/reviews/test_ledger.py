"""The ledger: every game adds up, whatever its value function, and luck has a mean of zero."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import numpy as np
import pytest

import lampion
from lampion.core import play
from lampion.core.game import find_game
from lampion.core.gamelog import Decided, write_record
from lampion.core.match import Match
from lampion.core.types import CHANCE
from lampion.games.lumens.components import LumensFile
from lampion.reviews.ledger import (
    DEAL,
    DRAWS,
    OTHERS,
    OWN,
    PARTS,
    REMAINDER,
    changes_at,
    ledger_of,
)
from lampion.reviews.values import (
    NUM_UNITS,
    PLACE,
    POINTS,
    WIN,
    Valuer,
    load_networks,
    value_module,
)
from tests.support import ALL_GAMES, GAMES, IS_NIGHT

CASES = [(name, players) for name in ALL_GAMES for players in find_game(name).NUM_PLAYERS]
GAMES_PER_CASE = 200 if IS_NIGHT else 2


def played(name: str, players: int, seed: int, undos: int = 0) -> Match:
    """A random game, with some decisions taken back and replaced."""
    chooser, match = random.Random(seed), lampion.new(name, players, seed=seed)
    while not match.is_over:
        match.submit(chooser.choice(match.legal_ids().tolist()))
        if undos and chooser.random() < 0.2 and match.log.last_decision() is not None:
            match.undo()
            undos -= 1
    return match


def untrained(name: str, players: int, seed: int = 0) -> Valuer:
    """A value function that knows nothing: the ledger must add up all the same."""
    game = find_game(name)
    module = value_module(game)
    if module is None:
        return Valuer(game, players)
    size = (2, module.num_value_features(players) + 2, 9)
    networks = np.random.default_rng(seed).normal(0, 0.3, size).astype(np.float32)
    return Valuer(game, players, networks)


@pytest.mark.parametrize(("name", "players"), CASES)
def test_rows_add_up_to_the_result(name: str, players: int) -> None:
    for seed in range(GAMES_PER_CASE):
        for valuer in (None, untrained(name, players, seed)):
            match = played(name, players, seed)
            ledger = ledger_of(match, valuer)
            made = ledger.parts.sum(axis=1)
            assert np.abs(ledger.start + made - ledger.result).max() < 1e-9
            scores = np.array(match.scores, float)
            assert np.array_equal(ledger.result[:, POINTS], scores)
            winners = np.isin(np.arange(players), match.winners)
            assert np.array_equal(ledger.result[:, WIN], winners / winners.sum())
            assert ledger.is_finished


@pytest.mark.parametrize(("name", "players"), CASES)
def test_places_and_victories_of_a_table_add_up(name: str, players: int) -> None:
    ledger = ledger_of(played(name, players, 5))
    made = ledger.parts[:, :, PLACE].sum(axis=0)
    assert np.abs(made[[DEAL, DRAWS, REMAINDER]]).max() < 1e-9
    assert abs(made[OWN] + made[OTHERS]) < 1e-9
    for step in ledger.steps:
        assert abs(step.after[:, PLACE].sum() - players / 2) < 1e-9
        assert abs(step.after[:, WIN].sum() - 1) < 1e-9


@pytest.mark.parametrize("name", ALL_GAMES)
def test_the_mean_of_luck_is_zero_at_every_outcome_of_chance(name: str) -> None:
    """Worked out a second time, outcome by outcome, through the position."""
    players = find_game(name).NUM_PLAYERS[0]
    valuer, match = untrained(name, players), played(name, players, 2)
    checked = 0
    for _, entry, position in match.walk():
        outcomes = position.legal_ids(CHANCE).tolist() if entry.actor == CHANCE else []
        if 0 < len(outcomes) < 60:
            weights = position.chance_weights()
            total = np.zeros((players, NUM_UNITS))
            for outcome, weight in zip(outcomes, weights.tolist(), strict=True):
                after = match.game.State(position.state.batch.copy())
                play.apply_at(after.batch, 0, CHANCE, outcome)
                total += weight / weights.sum() * valuer(after)
            assert np.abs(valuer.expected(position.state) - total).max() < 1e-9
            checked += 1
    assert checked or all(entry.actor != CHANCE for entry in match.log.standing)


@pytest.mark.parametrize("name", ALL_GAMES)
def test_what_was_taken_back_does_not_count(name: str) -> None:
    players = find_game(name).NUM_PLAYERS[-1]
    match = played(name, players, 4, undos=3)
    plain = Match(match.game, players, deals=False)
    for entry in match.log.standing:
        plain.replay(entry.actor, entry.text)
    assert len(plain.log) < len(match.log)
    assert np.array_equal(ledger_of(match).parts, ledger_of(plain).parts)


def played_out_of_order(players: int, seed: int) -> tuple[Match, int]:
    """Lanterns Dice, where everybody colors a roll at the same time: seats act in any order. Also
    how often one acted before another whose turn it was too."""
    chooser, match = random.Random(seed), lampion.new("lanterns_dice", players, seed=seed)
    early = 0
    while not match.is_over:
        seat = chooser.choice([seat for seat in range(players) if match.may_act(seat)])
        early += seat != match.to_act
        match.submit(chooser.choice(match.legal_ids(seat).tolist()), seat)
    return match, early


def test_decisions_of_seats_that_act_at_once_belong_to_their_own() -> None:
    """Each entry is played again by hand, with a look at the values before and after it."""
    match, early = played_out_of_order(4, 6)
    assert early > 10
    valuer = untrained("lanterns_dice", 4)
    ledger = ledger_of(match, valuer)
    again = Match(match.game, 4, deals=False)
    own, others = np.zeros((4, NUM_UNITS)), np.zeros((4, NUM_UNITS))
    for entry in match.log.standing:
        before = valuer(again.state)
        again.replay(entry.actor, entry.text)
        change = valuer(again.state) - before
        if entry.actor != CHANCE:
            own[entry.actor] += change[entry.actor]
            change[entry.actor] = 0
            others += change
    assert np.abs(ledger.parts[:, OWN] - own).max() < 1e-9
    assert np.abs(ledger.parts[:, OTHERS] - others).max() < 1e-9
    assert np.abs(others).max() > 0.01, "what the others did matters to this value function"


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_did_not_end_says_so_and_adds_up_to_where_it_stands(name: str) -> None:
    match = played(name, 2, 8)
    broken_off = match.at(match.log.standing_plies[-8])
    ledger = ledger_of(broken_off)
    assert not ledger.is_finished
    assert np.abs(ledger.start + ledger.parts.sum(axis=1) - ledger.result).max() < 1e-9


@pytest.mark.parametrize("name", GAMES)
def test_a_clock_that_decides_counts_as_the_own_play_of_who_was_late(name: str) -> None:
    """Seat 0 lost on time, seat 2 resigned; seat 1 won, whatever the position promised."""
    match = played(name, 3, 8)
    broken_off = match.at(match.log.standing_plies[-8])
    decided = Decided([3, 1, 2], late=[0], resigned=[2])
    plain, ledger = ledger_of(broken_off), ledger_of(broken_off, decided=decided)
    assert ledger.is_finished and ledger.result[:, PLACE].tolist() == [0, 1, 0.5]
    assert ledger.result[:, WIN].tolist() == [0, 1, 0]
    assert ledger.result[:, POINTS].tolist() == broken_off.scores
    assert np.abs(ledger.start + ledger.parts.sum(axis=1) - ledger.result).max() < 1e-9
    changed = ledger.parts - plain.parts
    for seat, part in enumerate((OWN, OTHERS, OWN)):
        assert np.allclose(changed[seat, part], ledger.result[seat] - plain.result[seat])
        assert np.abs(np.delete(changed[seat], part, axis=0)).max() == 0


def test_a_record_says_who_decided_and_the_review_follows_it() -> None:
    match = played("lumens", 2, 8)
    broken_off = match.at(match.log.standing_plies[-8])
    plies = [ply for ply, entry in enumerate(broken_off.log) if entry.actor == 1][-3:]
    record = broken_off.to_record(reveal_seed=True)
    told = msgspec.structs.replace(record, substituted=plies, decided=Decided([1, 2], late=[1]))
    review = lampion.review(write_record(told), care=None)
    assert review.is_finished and [row.place.result for row in review.rows] == [1, 0]
    assert review.curve[-1].win == [1, 0]
    assert [row.substituted for row in review.rows] == [0, 3]


@pytest.mark.parametrize(
    "wrong",
    [
        {"substituted": [9999]},
        {"substituted": [0]},
        {"decided": Decided([1], late=[1])},
        {"decided": Decided([2, 2], late=[1])},
        {"decided": Decided([1, 3], late=[1])},
        {"decided": Decided([1, 2], late=[2])},
        {"decided": Decided([1, 2])},
    ],
)
def test_a_record_that_tells_nonsense_about_its_end_is_refused(wrong: dict[str, Any]) -> None:
    record = msgspec.structs.replace(played("lumens", 2, 8).to_record(), **wrong)
    with pytest.raises(lampion.InvalidRecord):
        lampion.load(record)


@pytest.mark.parametrize("name", GAMES)
def test_the_deal_is_what_happens_before_the_first_decision(name: str) -> None:
    ledger = ledger_of(played(name, 3, 9))
    first = next(k for k, step in enumerate(ledger.steps) if not step.is_chance)
    dealt = sum(step.change for step in ledger.steps[:first])
    assert np.allclose(ledger.parts[:, DEAL], dealt)
    drawn = sum(step.change for step in ledger.steps[first:] if step.is_chance)
    assert np.allclose(ledger.parts[:, DRAWS], drawn)
    assert len(PARTS) == ledger.parts.shape[1]


@pytest.mark.parametrize(
    ("name", "options", "is_trained"),
    [
        ("lanterns", {}, True),
        ("lanterns", {"variant": "standard"}, True),
        ("lanterns", {"variant": "open_hands"}, False),
        ("lanterns_dice", {"setup": "first"}, True),
        ("lanterns_dice", {"lakes": "four"}, False),
        ("lumens", {"starts": "published"}, True),
        ("lumens", {"starts": "balanced"}, False),
    ],
)
def test_only_the_games_it_was_trained_on_count_as_trained(
    name: str, options: dict[str, str], is_trained: bool
) -> None:
    match = lampion.new(name, 3, seed=1, options=options)
    assert ledger_of(match).is_trained == is_trained


def test_other_pieces_do_not_count_as_trained() -> None:
    game = find_game("lumens")
    pieces = game.read_components(None)
    assert isinstance(pieces, LumensFile)
    components = msgspec.structs.replace(pieces, points_first=9)
    assert not ledger_of(Match(game, 2, components=components)).is_trained


def test_networks_of_other_rules_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = find_game("lumens")
    assert load_networks(game, 2).size
    monkeypatch.setattr(game, "RULES_VERSION", game.RULES_VERSION + 1)
    with pytest.raises(AssertionError, match="other rules"):
        load_networks(game, 2)


def test_changes_at_some_plies_are_those_of_the_ledger() -> None:
    match = played("lanterns", 3, 4)
    steps = {step.ply: step for step in ledger_of(match).steps if not step.is_chance}
    plies = [*steps][::5]
    found = changes_at(match, plies)
    assert [*found] == plies
    for ply, change in found.items():
        assert change == steps[ply].change[steps[ply].actor, PLACE]
