"""The PettingZoo environments pass that project's own checks, and keep their promises about masks, copies and pictures."""

from __future__ import annotations

import copy
import pickle
from functools import partial
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test, render_test, seed_test

import lampion
from lampion.research import zoo
from lampion.research.zoo import WAIT
from tests.support import ALL_GAMES, GAMES, up_to

every_game = pytest.mark.parametrize("game", ALL_GAMES)
of_dice = pytest.mark.skipif("lanterns_dice" not in GAMES, reason="another game is being tested")
takes_advice = pytest.mark.filterwarnings("ignore::UserWarning")
"""The checks of PettingZoo advise, by warnings, against dictionaries as observations; its own board games have them too."""


def play_to_end(env: Any, steps: int = 10_000) -> dict[str, float]:
    """Highest legal actions; the sum of each agent's rewards."""
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter(steps):
        seen, reward, terminated, truncated, _ = env.last()
        total[agent] += reward
        env.step(None if terminated or truncated else int(np.flatnonzero(seen["action_mask"])[-1]))
    return total


@every_game
@takes_advice
def test_seed(game: str) -> None:
    seed_test(partial(zoo.env, game), num_cycles=40)


@every_game
def test_render(game: str) -> None:
    render_test(
        partial(zoo.env, game), custom_tests={"svg": lambda picture: picture.startswith("<svg")}
    )


@every_game
@takes_advice
def test_parallel_api(game: str) -> None:
    parallel_api_test(zoo.parallel_env(game, players=up_to(game, 3)), num_cycles=60)
    parallel_seed_test(partial(zoo.parallel_env, game), num_cycles=20)


# --- our own promises -------------------------------------------------------------------------------------------------------------


@every_game
def test_the_mask_is_in_the_observation_and_in_the_info(game: str) -> None:
    env = zoo.env(game)
    env.reset(seed=1)
    for _ in env.agent_iter(20):
        seen, _, terminated, _, info = env.last()
        if terminated:
            break
        assert seen["action_mask"].any() and (seen["action_mask"] == info["action_mask"]).all()
        env.step(int(seen["action_mask"].argmax()))


@every_game
def test_rewards_of_a_game_add_up_to_nothing(game: str) -> None:
    env = zoo.env(game, players=up_to(game, 3))
    env.reset(seed=1)
    total = play_to_end(env)
    assert sum(total.values()) == pytest.approx(0)
    assert max(total.values()) > 0


@every_game
@pytest.mark.parametrize(
    "duplicate",
    [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))],
    ids=["deepcopy", "pickle"],
)
def test_a_copy_in_the_middle_of_a_game_goes_on_the_same(game: str, duplicate: Any) -> None:
    env = zoo.env(game, players=2)
    env.reset(seed=4)
    play_to_end(env, steps=11)
    twin = duplicate(env)
    before = env.unwrapped.batch.states.tobytes()
    told = play_to_end(twin)
    assert env.unwrapped.batch.states.tobytes() == before, "the copy is independent"
    assert play_to_end(env) == told
    assert (env.unwrapped.batch.states == twin.unwrapped.batch.states).all()


@every_game
def test_an_agent_sees_nothing_of_the_others_hands_while_it_waits(game: str) -> None:
    env = zoo.raw_env(game)
    env.reset(seed=4)
    waiting = next(agent for agent in env.agents if agent != env.agent_selection)
    seat = env.possible_agents.index(waiting)
    seen = env.observe(waiting)
    assert not seen["action_mask"].any()
    redacted = env.batch.seen_from(0, seat)
    env.batch.states[0] = redacted.batch[0]
    assert (env.observe(waiting)["observation"] == seen["observation"]).all()


def test_an_illegal_action_ends_the_game_or_is_refused() -> None:
    raw = zoo.raw_env(GAMES[0])
    raw.reset(seed=1)
    wrong = int(np.flatnonzero(raw.observe(raw.agent_selection)["action_mask"] == 0)[0])
    with pytest.raises(lampion.IllegalAction):
        raw.step(wrong)
    env = zoo.env(GAMES[0])
    env.reset(seed=1)
    culprit = env.agent_selection
    env.step(wrong)
    assert play_to_end(env)[culprit] == -1


def test_the_state_is_what_all_seats_see_together() -> None:
    env = zoo.env(GAMES[0], players=3)
    env.reset(seed=1)
    assert env.state().shape == env.state_space.shape
    assert (env.state()[1] == env.observe("player_1")["observation"]).all()


@of_dice
def test_in_parallel_play_all_act_at_once_and_idle_agents_wait() -> None:
    env = zoo.parallel_env("lanterns_dice", players=3)
    seen, _ = env.reset(seed=3)
    most_at_once, total = 0, np.zeros(3)
    while env.agents:
        masks = {agent: seen[agent]["action_mask"] for agent in env.agents}
        busy = [
            agent for agent in env.agents if env.batch.may_act(0, env.possible_agents.index(agent))
        ]
        most_at_once = max(most_at_once, len(busy))
        assert all(
            np.flatnonzero(masks[agent]).tolist() == [WAIT]
            for agent in env.agents
            if agent not in busy
        )
        seen, rewards, *_ = env.step({agent: int(masks[agent].argmax()) for agent in env.agents})
        total += list(rewards.values())
    assert most_at_once == 3 and total.sum() == pytest.approx(0)
