"""OpenSpiel: its C++ games rolled out natively, driven from Python, and its C++ tree search."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks.openspiel import mean_length, native_rollouts
from benchmarks.peers.worker import FROM_PYTHON, ROLLOUTS, SEARCH, Task, main, version

SAME_GAMES = {"connect_four": "connect_four", "hex": "hex(board_size=11)"}
OTHER_GAMES = {"go 9 x 9": "go(board_size=9)", "chess": "chess", "backgammon": "backgammon"}
SIMULATIONS = 2000


def play_natively(game: Any, length: float, seeds: random.Random) -> tuple[int, int]:
    games = native_rollouts(game, seeds.randrange(2**31))
    return round(games * (length - 1)), games


def play_from_python(game: Any, chooser: random.Random) -> tuple[int, int]:
    state, decisions = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chooser.choices(outcomes, weights)[0])
        else:
            state.apply_action(chooser.choice(state.legal_actions()))
            decisions += 1
    return decisions, 1


def search(game: Any, seeds: random.Random) -> tuple[int, int]:
    """One move from the opening: every simulation is one random game."""
    import pyspiel

    seed = seeds.randrange(2**31)
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, seed), 1.0, SIMULATIONS, 1000, False, seed, False
    )
    bot.step(game.new_initial_state())
    return SIMULATIONS, SIMULATIONS


def tasks(seconds: float) -> Iterator[Task]:
    import pyspiel

    for name, full_name in {**SAME_GAMES, **OTHER_GAMES}.items():
        game, chooser = pyspiel.load_game(full_name), random.Random(1)
        if name != "backgammon":  # its search would have to be told about chance
            yield Task(name, ROLLOUTS, partial(play_natively, game, mean_length(game), chooser))
        yield Task(name, FROM_PYTHON, partial(play_from_python, game, chooser))
        if name in SAME_GAMES:
            yield Task(name, SEARCH, partial(search, game, chooser))


if __name__ == "__main__":
    main(f"OpenSpiel {version('open-spiel')}", tasks)
