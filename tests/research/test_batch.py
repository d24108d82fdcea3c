"""The batched environment: many games at once, each as if it were alone."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import lampion
from lampion.core.compile import PACKAGE
from lampion.research.batch import HOLD, BatchEnv
from tests.support import GAMES

every_game = pytest.mark.parametrize("game", GAMES)
ANY = GAMES[0]


def play(env: BatchEnv, steps: int) -> str:
    """Play at random; the digest of everything that was seen and paid."""
    told = hashlib.sha256()
    for _ in range(steps):
        env.step(env.random_actions)
        for array in (
            env.observations,
            env.masks,
            env.to_act,
            env.rewards,
            env.terminated,
            env.scores,
            env.seeds,
        ):
            told.update(array.tobytes())
    return told.hexdigest()


@every_game
def test_observations_and_masks_are_those_of_a_match_at_the_same_position(game: str) -> None:
    env = BatchEnv(game, 4, players=3, seed=2)
    for step in range(40):
        for slot in range(4) if step % 5 == 0 else ():
            match, seat = env.match(slot), int(env.to_act[slot])
            assert match.to_act == seat
            assert env.legal(slot).tolist() == match.legal_ids().tolist()
            assert env.random_actions[slot] in match.legal_ids()
            assert (env.observations[slot] == env.observe(slot, seat)).all()
        env.step(env.random_actions)


@every_game
def test_a_slot_depends_on_its_seed_and_its_actions_alone(game: str) -> None:
    together = BatchEnv(game, 5, seed=9, threads=2)
    alone = BatchEnv(game, 1, threads=1)
    alone.reset(seeds=[int(together.seeds[3])])
    for _ in range(30):
        assert not together.terminated[3]
        assert (alone.observations[0] == together.observations[3]).all()
        alone.step(together.random_actions[3])
        together.step(together.random_actions)


@every_game
def test_threads_change_nothing(game: str) -> None:
    assert play(BatchEnv(game, 7, seed=4, threads=1), 60) == play(
        BatchEnv(game, 7, seed=4, threads=3), 60
    )


def test_the_same_seed_gives_the_same_games_in_another_process() -> None:
    code = f"from tests.research.test_batch import *; print(play(BatchEnv({ANY!r}, 8, seed=5), 50))"
    here = play(BatchEnv(ANY, 8, seed=5), 50)
    environment = {**os.environ, "PYTHONPATH": f"{PACKAGE.parent}:{PACKAGE.parent.parent}"}
    there = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert there.stdout.strip() == here
    assert play(BatchEnv(ANY, 8, seed=6), 50) != here


def test_reset_without_a_seed_goes_on_and_with_it_starts_again() -> None:
    env = BatchEnv(ANY, 3, seed=1)
    first = env.observations.copy()
    env.reset()
    assert (env.observations != first).any()
    env.reset(seed=1)
    assert (env.observations == first).all()


# --- the end of a game --------------------------------------------------------------------------------------------------------------


def until_the_first_end(env: BatchEnv) -> int:
    while not env.terminated.any():
        env.step(env.random_actions)
    return int(np.flatnonzero(env.terminated)[0])


@every_game
def test_same_step_puts_a_new_game_where_one_has_ended(game: str) -> None:
    env = BatchEnv(game, 3, players=3, seed=1, auto_reset="same_step")
    before = env.seeds.copy()
    slot = until_the_first_end(env)
    assert env.to_act[slot] >= 0 and env.masks[slot].any() and env.seeds[slot] != before[slot]
    assert env.rewards[slot].sum() == pytest.approx(0) and sorted(env.places[slot])[0] == 1
    assert env.rewards[slot].argmax() == env.places[slot].argmin()
    env.step(env.random_actions)
    assert not env.terminated[slot] and not env.rewards[slot].any()


def test_next_step_shows_the_end_and_takes_any_action_for_it() -> None:
    env = BatchEnv(ANY, 3, seed=1, auto_reset="next_step")
    slot = until_the_first_end(env)
    assert env.to_act[slot] == lampion.GAME_OVER and not env.masks[slot].any()
    assert env.match(slot).is_over and env.match(slot).scores == env.scores[slot].tolist()
    actions = env.random_actions.copy()
    actions[slot] = 12345
    env.step(actions)
    assert env.to_act[slot] >= 0 and not env.terminated[slot] and env.masks[slot].any()


def test_off_leaves_finished_games_alone() -> None:
    env = BatchEnv(ANY, 2, seed=1, auto_reset="off")
    while not env.terminated.all():
        env.step(env.random_actions)
    env.step(env.random_actions)
    assert (
        env.terminated.all() and not env.rewards.any() and (env.to_act == lampion.GAME_OVER).all()
    )


@every_game
def test_rewards_by_score_add_up_to_the_score(game: str) -> None:
    env = BatchEnv(game, 1, players=2, seed=3, reward="score", auto_reset="off")
    total = env.rewards[0].copy()
    start = np.array(env.match(0).scores)
    while not env.terminated[0]:
        env.step(env.random_actions)
        total += env.rewards[0]
    assert (start + total == env.scores[0]).all()


# --- slots --------------------------------------------------------------------------------------------------------------------------


def test_an_illegal_action_is_refused_and_nothing_happens_anywhere() -> None:
    env = BatchEnv(ANY, 4, seed=1)
    before = env.states.tobytes()
    for wrong in (int(np.flatnonzero(env.masks[2] == 0)[0]), env.num_moves, -7, 10**6):
        actions = env.random_actions.copy()
        actions[2] = wrong
        with pytest.raises(lampion.IllegalAction, match="slot 2"):
            env.step(actions)
    assert env.states.tobytes() == before


def test_hold_leaves_a_slot_as_it_is() -> None:
    env = BatchEnv(ANY, 2, seed=1)
    before = env.save(0)
    env.step([HOLD, env.random_actions[1]])
    assert env.save(0) == before


@every_game
def test_a_saved_slot_goes_on_the_same_wherever_it_is_restored(game: str) -> None:
    env = BatchEnv(game, 3, players=2, seed=8)
    play(env, 10)
    kept = pickle.loads(pickle.dumps(env.save(1)))
    other = BatchEnv(game, 2, players=2, seed=99)
    other.restore(0, kept)
    env.restore(2, kept)
    for _ in range(50):
        assert (env.observations[1] == other.observations[0]).all() and (
            env.masks[2] == other.masks[0]
        ).all()
        env.step(env.random_actions)
        other.step(other.random_actions)
    assert (env.seeds[1] == other.seeds[0]) and (env.states[1] == other.states[0])


def test_copies_and_pickles_are_independent() -> None:
    env = BatchEnv(ANY, 3, seed=8, threads=2)
    play(env, 5)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    goes_on = play(env, 40)
    assert [play(twin, 40) for twin in twins] == [goes_on, goes_on]


def test_arrays_are_views_that_nobody_can_write_to() -> None:
    env = BatchEnv(ANY, 3, seed=8)
    seen, masks = env.observations, env.masks
    env.step(env.random_actions)
    assert seen is env.observations and masks is env.masks
    with pytest.raises(ValueError, match="read-only"):
        env.masks[0, 0] = 1


@every_game
@pytest.mark.parametrize("kind", ["full", "compact"])
@pytest.mark.parametrize("flat", [False, True])
def test_a_step_writes_into_buffers_of_the_caller(game: str, kind: str, flat: bool) -> None:
    own = BatchEnv(game, 5, players=2, seed=4, observation=kind, threads=2)
    buffers = {
        name: np.full(array.size if flat else array.shape, 3, array.dtype)
        for name, array in (
            ("observations", own.observations),
            ("masks", own.masks),
            ("rewards", own.rewards),
        )
    }
    env = BatchEnv(game, 5, players=2, seed=4, observation=kind, threads=2, buffers=buffers)
    for _ in range(60):
        for name, buffer in buffers.items():
            assert (buffer.reshape(5, -1) == getattr(own, name)).all()
            assert np.shares_memory(buffer, getattr(env, name))
        env.step(own.random_actions)
        own.step(own.random_actions)


@pytest.mark.parametrize(
    "buffers",
    [
        {"states": np.zeros(3)},
        {"masks": np.zeros((3, 5), np.int8)},
        {"rewards": np.zeros((3, 2), np.float64)},
        {"rewards": np.zeros((2, 3), np.float32).T},
        {"rewards": [[0, 0]] * 3},
    ],
)
def test_buffers_that_do_not_fit_are_refused(buffers: Any) -> None:
    with pytest.raises(lampion.InvalidOptions, match=r"buffers are|needs a writable array"):
        BatchEnv(ANY, 3, players=2, buffers=buffers)


@every_game
def test_compact_observations_are_kept_restored_and_pickled(game: str) -> None:
    env = BatchEnv(game, 3, players=2, seed=8, observation="compact")
    assert env.observation.size < BatchEnv(game, 1).observation.size
    play(env, 12)
    twin = pickle.loads(pickle.dumps(env))
    twin.restore(0, env.save(2))
    assert (twin.observations[0] == env.observe(2, int(env.to_act[2]))).all()
    assert twin.observation is env.observation


def test_options_are_checked() -> None:
    with pytest.raises(lampion.InvalidOptions, match="observation is full or compact"):
        BatchEnv(ANY, 1, observation="tiny")
    with pytest.raises(lampion.InvalidOptions, match="auto_reset is off or same_step or next_step"):
        BatchEnv(ANY, 1, auto_reset="sometimes")
    with pytest.raises(lampion.InvalidOptions):
        BatchEnv(ANY, 1, players=9)
    with pytest.raises(lampion.UnknownGame):
        BatchEnv("chess", 1)
