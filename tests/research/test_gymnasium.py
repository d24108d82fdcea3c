"""The Gymnasium environments pass that project's own check; bots play the other seats; the vector version is the same game."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

import lampion
from lampion.research.gym import IDS, GameEnv, GameVectorEnv, register_games
from tests.support import ALL_GAMES, GAMES, up_to

every_game = pytest.mark.parametrize("game", ALL_GAMES)
ANY = GAMES[0]
register_games()  # those outside the package, too


def play(env: Any, seed: int | None = None) -> list[bytes]:
    """One game of the highest legal actions; what the learner saw."""
    seen, info = env.reset(seed=seed)
    story, is_over = [seen.tobytes()], False
    while not is_over:
        seen, reward, is_over, _, info = env.step(np.flatnonzero(info["action_mask"])[-1])
        story += [seen.tobytes(), np.float64(reward).tobytes()]
    return story


@every_game
def test_a_seed_gives_the_same_game_again(game: str) -> None:
    env = gymnasium.make(IDS[game])
    first = play(env, seed=3)
    assert play(env, seed=3) == first
    assert play(env) != first


@every_game
def test_the_learner_sees_only_its_own_decisions(game: str) -> None:
    players = up_to(game, 3)
    env = GameEnv(game, players=players, seat=None)
    seats = set()
    for seed in range(20):
        _, info = env.reset(seed=seed)
        seats.add(env.seat)
        assert env.batch.to_act[0] == env.seat
        assert (
            env.action_masks() == info["action_mask"]
        ).all() and env.action_masks().dtype == np.bool_
    assert len(seats) == players


@pytest.mark.parametrize("opponents", ["greedy", ["random", "greedy"], "search:5"])
def test_bots_sit_at_the_table(opponents: Any) -> None:
    env = GameEnv(ANY, players=3, opponents=opponents, seat=1)
    assert play(env, seed=1) == play(env, seed=1)


def test_a_better_bot_takes_more() -> None:
    """Against opponents who look for the best move, random play loses more often than not."""
    env = GameVectorEnv(ANY, 30, opponents="greedy", seat=None)
    env.reset(seed=1)
    total, games = 0.0, 0
    while games < 30:
        _, rewards, terminated, _, _ = env.step(env.batch.random_actions)
        total, games = total + rewards.sum(), games + int(terminated.sum())
    assert total < -10


def test_an_illegal_action_loses_the_game() -> None:
    env = GameEnv(ANY)
    _, first = env.reset(seed=1)
    *_, legal = env.step(np.int64(np.flatnonzero(first["action_mask"])[0]))
    *outcome, illegal = env.step(np.int64(np.flatnonzero(legal["action_mask"] == 0)[0]))
    assert outcome[1:] == [-1, True, False]
    assert [info["illegal_action"] for info in (first, legal, illegal)] == [False, False, True]
    assert first.keys() == legal.keys() == illegal.keys()


def test_opponents_are_checked() -> None:
    with pytest.raises(lampion.InvalidOptions, match="3 players need 2 opponents, not 1"):
        GameEnv(ANY, players=3, opponents=["greedy"])
    with pytest.raises(lampion.InvalidOptions, match="is not a valid bot"):
        GameEnv(ANY, opponents="kasparov")


@pytest.mark.parametrize(
    "duplicate",
    [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))],
    ids=["deepcopy", "pickle"],
)
def test_a_copy_goes_on_the_same(duplicate: Any) -> None:
    env = GameEnv(ANY, opponents="greedy")
    _, info = env.reset(seed=1)
    twin = duplicate(env)
    action = np.flatnonzero(info["action_mask"])[0]
    for one, other in zip(env.step(action), twin.step(action), strict=True):
        assert str(one) == str(other)


# --- the vector version -----------------------------------------------------------------------------------------------------------


@every_game
def test_every_table_of_the_vector_is_the_same_game_as_alone(game: str) -> None:
    many: Any = gymnasium.make_vec(IDS[game], num_envs=4, players=2)
    alone = GameVectorEnv(game, 1, threads=1)
    seen, info = many.reset(seed=[5, 6, 7, 8])
    one, _ = alone.reset(seed=[7])
    for _ in range(25):
        assert (seen[2] == one[0]).all()
        actions = info["action_mask"].argmax(axis=1)
        seen, rewards, terminated, _, info = many.step(actions)
        one, reward, ended, _, _ = alone.step(actions[2:3])
        assert rewards[2] == reward[0] and terminated[2] == ended[0]
    assert seen.shape == many.observation_space.shape


def test_finished_tables_start_again_with_the_next_step() -> None:
    env = GameVectorEnv(ANY, 6, seat=None, players=3)
    seen, info = env.reset(seed=2)
    terminated = np.zeros(6, np.bool_)
    while not terminated.any():
        seen, rewards, terminated, _, info = env.step(env.batch.random_actions)
    slot = int(np.flatnonzero(terminated)[0])
    assert not info["action_mask"][slot].any()
    places, own = env.batch.places[slot], env.batch.places[slot, env.seats[slot]]
    assert rewards[slot] == np.sign(places - own).sum() / 2
    seen, rewards, terminated, _, info = env.step(env.batch.random_actions)
    assert info["action_mask"][slot].any() and rewards[slot] == 0 and not terminated[slot]
    assert (env.batch.to_act[slot] == env.seats[slot]) and seen.dtype == np.uint8


def test_a_policy_may_play_the_other_seats() -> None:
    asked = []

    def highest(observations: Any, masks: Any) -> Any:
        asked.append(len(observations))
        return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)

    env = GameVectorEnv(ANY, 5, opponents=highest, copy=False)
    _, info = env.reset(seed=2)
    for _ in range(5):
        _, _, _, _, info = env.step(info["action_mask"].argmax(axis=1))
    assert asked and max(asked) <= 5
    assert info["action_mask"] is env.batch.masks


@every_game
@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
def test_pictures(game: str, mode: str) -> None:
    env = gymnasium.make(IDS[game], render_mode=mode)
    env.reset(seed=1)
    picture: Any = env.render()
    assert picture.shape[2] == 3 if mode == "rgb_array" else isinstance(picture, str)


def test_tables_without_a_seed_go_on_each_by_itself() -> None:
    env = GameVectorEnv(ANY, 4)
    env.reset(seed=[None, 3, None, None])
    first = env.batch.seeds.copy()
    assert first[1] == 3 and len({*first.tolist()}) == 4
    env.reset(seed=[None, 3, None, None])
    assert env.batch.seeds[1] == 3
    assert all(env.batch.seeds[slot] != first[slot] for slot in (0, 2, 3))
