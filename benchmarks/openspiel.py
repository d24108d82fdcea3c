"""OpenSpiel's C++ games, rolled out natively: the yardstick of the same run."""

from __future__ import annotations

import random
import time
from typing import Any

SIMULATIONS, ROLLOUTS = 4, 500


def rollouts_per_second(name: str, seconds: float = 2.0) -> tuple[float, float]:
    """(decisions/s, games/s) of random play inside OpenSpiel, per second of processor time.

    Its search bot with a roll-out evaluator runs SIMULATIONS x ROLLOUTS whole games per step without coming back to Python; every
    game starts one move after the opening. The mean length is measured over games driven from Python.
    """
    import pyspiel

    game = pyspiel.load_game(name)
    length = _mean_length(game)
    games, spent, seed = 0, 0.0, 1
    while spent < seconds:
        evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, seed)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, SIMULATIONS, 100, False, seed, False)
        before = time.process_time()
        bot.step(game.new_initial_state())
        spent += time.process_time() - before
        games, seed = games + SIMULATIONS * ROLLOUTS, seed + 1
    return games / spent * (length - 1), games / spent


def _mean_length(game: Any, games: int = 100) -> float:
    chooser = random.Random(1)
    total = 0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chooser.choice(state.legal_actions()))
            total += 1
    return total / games
