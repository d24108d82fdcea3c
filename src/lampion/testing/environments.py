"""The environments of a game pass the checks of the projects that they are for: PettingZoo,
Gymnasium and OpenSpiel, as far as these are installed. What agents see follows from what their seat
may know."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lampion.core import play
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.observation import Observation, Vector, compact_of, observation_of
from lampion.core.record import Record
from lampion.core.rng import new_rng
from lampion.core.types import GAME_OVER, SPECTATOR
from lampion.research.batch import BatchEnv
from lampion.research.stepping import compact_at, observe_at
from lampion.testing.cases import Case, every_case, every_size, play_on

EVERY = 5
"""Plies from one look at the numbers to the next."""
CYCLES = 60
"""Of PettingZoo's check."""


KINDS: dict[str, tuple[Callable[[Any], Observation], Callable[..., object]]] = {
    "full": (lambda game: observation_of(game).OBSERVATION, observe_at),
    "compact": (lambda game: compact_of(game).COMPACT, compact_at),
}
"""The observations of a game: their layout, and what writes them."""


def numbers_of(match: Match, state: Record, seat: int, kind: str = "full") -> Vector:
    layout, write = KINDS[kind]
    out = np.full(layout(match.game).size, 255, np.uint8)
    write(state.batch, state.index, seat, out)
    return out


@every_case
@pytest.mark.parametrize("kind", KINDS)
def test_worlds_that_a_seat_cannot_tell_apart_give_the_same_numbers(case: Case, kind: str) -> None:
    highest = KINDS[kind][0](find_game(case.game)).highest()
    for match in play_on(case.new(3), random.Random(3)):
        if match.ply % EVERY:
            continue
        for seat in (SPECTATOR, *range(case.players)):
            seen = match.state.redacted(seat)
            told = numbers_of(match, match.state, seat, kind)
            assert (told <= highest).all(), "a number is higher than its part says"
            assert (told == numbers_of(match, seen, seat, kind)).all(), "it reads what is hidden"
            play.determinize_at(seen.batch, 0, seat, new_rng(match.ply))
            assert (told == numbers_of(match, seen, seat, kind)).all()


@every_case
def test_the_compact_observation_tells_apart_what_the_full_one_does(case: Case) -> None:
    """From one decision to the next, for every seat: whatever changes there changes here."""
    before: dict[int, tuple[Vector, Vector]] = {}
    for match in play_on(case.new(4), random.Random(4)):
        for seat in (SPECTATOR, *range(case.players)):
            full, compact = (numbers_of(match, match.state, seat, kind) for kind in KINDS)
            if seat in before and (full != before[seat][0]).any():
                assert (compact != before[seat][1]).any(), f"seat {seat}, ply {match.ply}"
            before[seat] = full, compact


@every_case
@pytest.mark.parametrize("kind", KINDS)
def test_a_batch_writes_step_by_step_what_it_would_write_anew(case: Case, kind: str) -> None:
    """A step may write only what has changed (`observe_again`), also when a new game begins."""
    env = BatchEnv(
        case.game, 3, players=case.players, options=case.options, seed=6, observation=kind
    )
    legal, endings = np.zeros(env.game.ACTIONS.size, np.int32), 0
    while endings < 2:
        for slot in range(3):
            seat = int(env.to_act[slot])
            assert (env.observations[slot] == env.observe(slot, seat)).all()
            count = play.legal_at(env.states, slot, seat, legal)
            assert np.flatnonzero(env.masks[slot]).tolist() == legal[:count].tolist()
        env.step(env.random_actions)
        endings += int(env.terminated.sum())


@every_case
def test_a_slot_of_a_batch_follows_from_its_seed_and_its_actions(case: Case) -> None:
    many, alone = (
        BatchEnv(case.game, slots, players=case.players, options=case.options, auto_reset="off")
        for slots in (8, 1)
    )
    many.reset(seeds=range(8))
    alone.reset(seeds=[5])
    while alone.to_act[0] != GAME_OVER:
        assert (many.observations[5] == alone.observations[0]).all()
        assert (many.masks[5] == alone.masks[0]).all()
        action = many.random_actions[5:6].copy()
        many.step(many.random_actions)
        alone.step(action)
        assert (many.rewards[5] == alone.rewards[0]).all()
    assert many.to_act[5] == GAME_OVER


@every_size
def test_pettingzoo(case: Case) -> None:
    checks = pytest.importorskip("pettingzoo.test")
    from lampion.research import zoo

    with warnings.catch_warnings():
        # It advises against dictionaries as observations; its own board games have them, too.
        warnings.simplefilter("ignore", UserWarning)
        env = zoo.env(case.game, players=case.players)
        checks.api_test(env, num_cycles=CYCLES)
        checks.parallel_api_test(
            zoo.parallel_env(case.game, players=case.players), num_cycles=CYCLES
        )


@every_size
def test_gymnasium(case: Case) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from lampion.research.gym import environment_id, register_games

    register_games()
    check_env(gymnasium.make(environment_id(case.game), players=case.players).unwrapped)


@every_size
def test_openspiel(case: Case) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from lampion.research.openspiel import register_games

    register_games()
    game = pyspiel.load_game(f"python_{case.game}(players={case.players})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
