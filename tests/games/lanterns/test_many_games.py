"""A hundred thousand random games for each number of players break nothing. The checks
are compiled like the rules."""

from __future__ import annotations

import os

import numpy as np
import pytest

import lampion
from lampion.core.compile import entry
from lampion.core.game import apply, legal_actions, sample_chance, to_act
from lampion.core.rng import new_rng, random_below
from lampion.core.types import CHANCE, GAME_OVER, Batch, IntArray, Rng
from lampion.games.lanterns.components import NUM_COLORS

GAMES = int(os.environ.get("LAMPION_MANY_GAMES", "20000"))


@entry
def play_and_check(
    start: Batch, states: Batch, games: int, tiles: int, cards: int, legal: IntArray, rng: Rng
) -> int:
    """Play games; return how many broke something: cards or tiles lost, a list out of
    order, a turn out of place."""
    broken = 0
    for _ in range(games):
        states[0] = start[0]
        state = states[0]
        is_good = True
        actor = to_act(state)
        while actor != GAME_OVER:
            if actor == CHANCE:
                action = sample_chance(state, rng)
            else:
                count = legal_actions(state, actor, legal)
                is_good &= count > 0
                for k in range(1, count):
                    is_good &= legal[k - 1] < legal[k]
                action = legal[random_below(rng, count)]
            apply(state, actor, action)
            for color in range(NUM_COLORS):
                total = state.supply[color]
                for player in range(state.num_players):
                    total += state.lanterns[player, color]
                    is_good &= state.lanterns[player, color] >= 0
                is_good &= state.supply[color] >= 0 and total == cards
            is_good &= state.num_events <= len(state.events) and state.num_frontier <= len(
                state.frontier
            )
            actor = to_act(state)
        is_good &= (
            state.num_laid == tiles + 1
            and state.left_to_draw == 0
            and state.active == state.num_players - 1
        )
        broken += not is_good
    return broken


@pytest.mark.parametrize(("players", "tiles", "cards"), [(2, 22, 5), (3, 27, 7), (4, 32, 8)])
def test_many_random_games_break_nothing(players: int, tiles: int, cards: int) -> None:
    start = lampion.new("lanterns", players, seed=1).at(0).state.batch
    legal = np.empty(lampion.find_game("lanterns").ACTIONS.size, np.int32)
    assert play_and_check(start, start.copy(), GAMES, tiles, cards, legal, new_rng(players)) == 0
