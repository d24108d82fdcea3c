"""Worked case 6: players who look only at their own gain score about what people do."""

from __future__ import annotations

import numpy as np
import pytest

import lampion
from lampion.core.compile import IS_ENABLED, entry, rule
from lampion.core.game import apply, legal_actions, sample_chance, to_act
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, GAME_OVER, Action, Batch, IntArray, IntTable, Player, Rng
from lampion.games.lanterns_dice.actions import PLACEMENT_POOLS, PLACEMENT_SHAPES, REROLL
from lampion.games.lanterns_dice.components import LOWER, NUM_POOLS, NUM_SHAPES, UPPER
from lampion.games.lanterns_dice.rules_fireworks import has_tile
from lampion.games.lanterns_dice.rules_scoring import num_pools, score
from lampion.games.lanterns_dice.rules_shading import completed_pools, empty_pools, is_bonus_due
from lampion.games.lanterns_dice.state import ALL_POOLS, CARD_STEP, NEIGHBORS, POOL_BIT, State

GAMES = 60
HALVES = np.array([0.5**k for k in range(2 * NUM_POOLS)])
FIRST_PLACEMENT = np.searchsorted(PLACEMENT_SHAPES, range(NUM_SHAPES + 1))


@rule
def num_missing(state: State, player: Player, pools: int) -> int:
    """How many areas of these pools are not shaded."""
    return num_pools(pools & ~state.shaded[player, UPPER]) + num_pools(
        pools & ~state.shaded[player, LOWER]
    )


@rule
def nearest_tile(state: State, player: Player) -> float:
    """What the best tile within reach is worth: half of its honor, and half as much again for
    every area that is missing."""
    best = 0.0
    for shape in state.shapes:
        if has_tile(state, shape):
            honor = int(state.tile_honor[shape, state.tiles_taken[shape]])
            for placement in range(FIRST_PLACEMENT[shape], FIRST_PLACEMENT[shape + 1]):
                pools = PLACEMENT_POOLS[placement]
                if pools & state.covered[player] == 0:
                    best = max(best, 0.5 * honor * HALVES[num_missing(state, player, pools)])
    return best


@rule
def value(state: State, player: Player) -> float:
    """The score, and what points to more of it."""
    sheet, completed = state.sheets[player], completed_pools(state, player)
    gifts = (
        state.shaded[player, UPPER] & state.pavilions[sheet, UPPER]
        | state.shaded[player, LOWER] & state.pavilions[sheet, LOWER]
    )
    areas = num_pools(state.shaded[player, UPPER]) + num_pools(state.shaded[player, LOWER])
    worth = score(state, player) + 0.2 * areas + 0.2 * num_pools(completed) + 0.8 * num_pools(gifts)
    worth += 0.5 * (
        num_pools(completed & state.platforms[sheet]) + is_bonus_due(state, player)
    ) + nearest_tile(state, player)
    boats = state.boats[sheet] & empty_pools(state, player)
    for pool in range(NUM_POOLS):
        if boats & POOL_BIT[pool]:
            around = NEIGHBORS[pool]
            share = 1 - num_missing(state, player, around) / (2 * num_pools(around))
            worth += 3 * share * share
    return worth


@rule
def greedy_action(states: Batch, player: Player, legal: IntArray) -> Action:
    """The action after which the table looks best for the player. Gifts are not for rolling again
    but for the first card."""
    count = legal_actions(states[0], player, legal)
    if states[0].step[player] == CARD_STEP and not is_bonus_due(states[0], player):
        return int(legal[1])
    best, most = int(legal[0]), -1.0
    for k in range(int(legal[0] == REROLL), count):
        states[1] = states[0]
        apply(states[1], player, legal[k])
        worth = value(states[1], player)
        if worth > most:
            best, most = int(legal[k]), worth
    return best


@entry
def play_greedy(start: Batch, states: Batch, legal: IntArray, rng: Rng, results: IntTable) -> None:
    """Play one game for each row of `results`: score and shaded areas of player 0."""
    for game in range(len(results)):
        states[0] = start[0]
        actor = to_act(states[0])
        while actor != GAME_OVER:
            action = (
                sample_chance(states[0], rng)
                if actor == CHANCE
                else greedy_action(states, actor, legal)
            )
            apply(states[0], actor, action)
            actor = to_act(states[0])
        results[game, 0] = score(states[0], 0)
        results[game, 1] = 2 * NUM_POOLS - num_missing(states[0], 0, ALL_POOLS)


@pytest.mark.skipif(not IS_ENABLED, reason="takes long uncompiled")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_sanity_bands_of_greedy_players(players: int) -> None:
    game = lampion.find_game("lanterns_dice")
    start = lampion.Match(game, players).state.batch
    results = np.zeros((GAMES, 2), np.int32)
    play_greedy(
        start,
        np.zeros(2, start.dtype),
        np.empty(game.ACTIONS.size, np.int32),
        new_rng(players),
        results,
    )
    scores, shaded = results.T
    assert 18 < scores.mean() < 27
    assert 25 <= np.quantile(scores, 0.9) <= 32
    assert 42 < shaded.mean() < 50
