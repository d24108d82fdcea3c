"""RLCard's environments."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks.peers.worker import FROM_PYTHON, Task, main, version

NAMES = {"Uno": "uno", "gin rummy": "gin-rummy", "bridge": "bridge", "mahjong": "mahjong"}


def play(env: Any, chooser: random.Random) -> tuple[int, int]:
    state, _ = env.reset()
    decisions = 0
    while not env.is_over():
        state, _ = env.step(chooser.choice(list(state["legal_actions"])))
        decisions += 1
    return decisions, 1


def tasks(seconds: float) -> Iterator[Task]:
    import rlcard

    for game, name in NAMES.items():
        yield Task(
            game,
            FROM_PYTHON,
            partial(play, rlcard.make(name, config={"seed": 1}), random.Random(1)),
        )


if __name__ == "__main__":
    main(f"RLCard {version('rlcard')}", tasks)
