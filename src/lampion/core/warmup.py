"""Compile ahead: call every door into the rules of a game once, so that nothing has to be compiled later."""

from __future__ import annotations

import sys

import numpy as np

from lampion.core import play
from lampion.core.compile import Rule
from lampion.core.game import Game
from lampion.core.rng import new_rng
from lampion.core.trail import EVENT_WIDTH
from lampion.core.types import CHANCE, GAME_OVER


def count_functions(game: Game) -> int:
    """About how many functions Numba compiles for a game: its rules, and the doors and loops of the core."""
    package = game.State.__module__.rpartition(".")[0]
    modules = [module for name, module in sys.modules.items() if name.startswith(package)]
    rules = {id(value) for module in (*modules, play) for value in vars(module).values() if isinstance(value, Rule)}
    return len(rules)


def warm_up(game: Game) -> None:
    """Play a game through every door."""
    players = game.NUM_PLAYERS[0]
    start = game.new_state(players, {}, game.read_components(None))
    states = np.zeros(3, start.dtype)
    states[:] = start.batch[0]
    out = np.empty(game.ACTIONS.size, np.int32)
    rng = new_rng(0)
    play.determinize_at(start.redacted(0).batch, 0, 0, rng)
    actor = int(play.to_act_at(states, 0))
    while actor != GAME_OVER:
        if actor == CHANCE:
            play.weights_at(states, 0, out)
            action = int(play.sample_at(states, 0, rng))
        else:
            count = play.legal_at(states, 0, actor, out)
            action = int(out[count - 1])
            assert play.is_legal_at(states, 0, actor, action, out) and play.may_act_at(states, 0, actor)
            play.actors_at(states, 0, players, out)
        play.apply_at(states, 0, actor, action)
        actor = int(play.to_act_at(states, 0))
    play.trails_at(states, 0, 0, out[:0], states[1:2], np.empty((0, EVENT_WIDTH), np.int32), out)
    play.settle_at(states, 1, out, rng)
    play.step_at(states, 1, int(out[0]), out, rng)
    play.scores_at(states, 0, out)
    play.placements_at(states, 0, out)
    play.play_random_game(states, 2, out, rng)
    play.play_random_games(start.batch, states, 1, out, rng)
    play.perft(states, np.empty((1, game.ACTIONS.size), np.int32), 0)
