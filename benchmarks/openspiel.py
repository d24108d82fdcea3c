"""OpenSpiel's C++ games, rolled out natively: the yardstick of the same run."""

from __future__ import annotations

import random
import time
from typing import Any

SIMULATIONS, ROLLOUTS = 4, 500


def rollouts_per_second(name: str, seconds: float = 2.0) -> tuple[float, float]:
    """(decisions/s, games/s) of random play inside OpenSpiel, per second of processor time; the mean length of a game is measured
    over games driven from Python."""
    import pyspiel

    game = pyspiel.load_game(name)
    length = mean_length(game)
    games, spent, seed = 0, 0.0, 1
    while spent < seconds:
        before = time.process_time()
        games += native_rollouts(game, seed)
        spent, seed = spent + time.process_time() - before, seed + 1
    return games / spent * (length - 1), games / spent


def native_rollouts(game: Any, seed: int) -> int:
    """Its search bot with a roll-out evaluator plays SIMULATIONS x ROLLOUTS whole games without coming back to Python; every game
    starts one move after the opening. Returns how many."""
    import pyspiel

    evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed)
    pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 100, False, seed, False).step(
        game.new_initial_state()
    )
    return SIMULATIONS * ROLLOUTS


def mean_length(game: Any, games: int = 100) -> float:
    chooser = random.Random(1)
    total = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chooser.choice(state.legal_actions()))
            total += 1
    return total / games
