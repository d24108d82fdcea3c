"""PettingZoo's classic environments, through the loop of its documentation."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks.peers.worker import FROM_PYTHON, Task, main, version

NAMES = {"connect_four": "connect_four_v3", "go 9 x 9": "go_v5", "chess": "chess_v6"}
MOST_STEPS = 2000
"""A loop ends here if a game does not."""


def play(env: Any, chooser: random.Random) -> tuple[int, int]:
    env.reset(seed=chooser.randrange(2**31))
    decisions = 0
    for _ in env.agent_iter(MOST_STEPS):
        observation, _, termination, truncation, _ = env.last()
        if termination or truncation:
            env.step(None)
        else:
            env.step(chooser.choice(np.flatnonzero(observation["action_mask"]).tolist()))
            decisions += 1
    return decisions, 1


def tasks(seconds: float) -> Iterator[Task]:
    import importlib

    for game, name in NAMES.items():
        module = importlib.import_module(f"pettingzoo.classic.{name}")
        env = module.env(board_size=9) if game.startswith("go") else module.env()
        yield Task(
            game,
            FROM_PYTHON,
            partial(play, env, random.Random(1)),
            "AEC environment with its wrappers",
        )


if __name__ == "__main__":
    main(f"PettingZoo {version('pettingzoo')}", tasks)
