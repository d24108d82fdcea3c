"""What bots know about Lanterns Dice."""

from __future__ import annotations

from lampion.core.compile import rule
from lampion.core.rng import random_below
from lampion.core.types import Action, IntArray, Player, Rng
from lampion.games.lanterns_dice.actions import CARD, LAUNCH, PLACEMENT_SHAPES, SHADE, SHADE_POOL, TRAY
from lampion.games.lanterns_dice.components import LOWER, NUM_COLUMNS, NUM_DICE, NUM_POOLS, UPPER, Colors, Half, Pool, Shape
from lampion.games.lanterns_dice.rules import legal_actions
from lampion.games.lanterns_dice.rules_fireworks import can_launch
from lampion.games.lanterns_dice.rules_scoring import num_pools, score
from lampion.games.lanterns_dice.rules_shading import colors_due, completed_pools, empty_pools, open_areas
from lampion.games.lanterns_dice.state import (
    DIE_STEP,
    FIRST_COLUMN,
    LAST_COLUMN,
    NEIGHBORS,
    NOTHING,
    POOL_BIT,
    TRAY_STEP,
    PoolSet,
    State,
)

NO_ACTION, HIDDEN_KEY = -1, -2
POOL_VALUE = 0.55
HALF_VALUE = 0.22
GIFT_VALUE = 0.75
BOAT_VALUE = 0.6
"""What each completed neighbour of a boat that can still score is worth."""
LAUNCH_VALUE = 2.0
SHADE_VALUE = 0.4
SAMPLES = 8


@rule
def beside(pools: PoolSet) -> PoolSet:
    """The pools next to any pool of a set."""
    sideways = (pools & ~LAST_COLUMN) << 1 | (pools & ~FIRST_COLUMN) >> 1
    return pools << NUM_COLUMNS | pools >> NUM_COLUMNS | sideways


@rule
def boat_progress(state: State, player: Player) -> int:
    """Completed neighbours of the boats that may still score."""
    boats = state.boats[state.sheets[player]] & empty_pools(state, player)
    completed = completed_pools(state, player)
    count = 0
    for pool in range(NUM_POOLS):
        if boats & POOL_BIT[pool]:
            count += num_pools(completed & NEIGHBORS[pool])
    return count


@rule
def best_shading(state: State, player: Player, colors: Colors) -> float:
    """What the best area of these colours would bring, roughly."""
    sheet = state.sheets[player]
    upper, lower = open_areas(state, player, UPPER, colors), open_areas(state, player, LOWER, colors)
    if (upper | lower) == 0:
        return 0.0
    completing = (upper & state.shaded[player, LOWER]) | (lower & state.shaded[player, UPPER])
    if completing & state.platforms[sheet]:
        return 3.0 * SHADE_VALUE
    with_gift = (upper & state.pavilions[sheet, UPPER]) | (lower & state.pavilions[sheet, LOWER])
    return SHADE_VALUE * (1.0 + (completing != 0) + (with_gift != 0))


@rule
def evaluate(state: State, player: Player) -> float:
    """Points as they stand, and what the lake promises while there is time."""
    value = float(score(state, player))
    if state.is_over:
        return value + 0.01 * state.honor[player]
    turns_left = state.num_turns - state.turn
    fade = min(1.0, turns_left / 3.0)
    completed = completed_pools(state, player)
    halves = num_pools(state.shaded[player, UPPER] ^ state.shaded[player, LOWER])
    value += POOL_VALUE * num_pools(completed & ~state.covered[player]) + fade * HALF_VALUE * halves
    value += fade * GIFT_VALUE * min(int(state.gifts[player]), 6) + fade * BOAT_VALUE * boat_progress(state, player)
    if can_launch(state, player):
        value += LAUNCH_VALUE
    if state.chance_owes == NOTHING and state.step[player] == DIE_STEP:
        value += best_shading(state, player, colors_due(state, player))
    return value


# --- playouts ---------------------------------------------------------------------------------------------------------------------


@rule
def area_gain(state: State, player: Player, half: Half, pool: Pool) -> float:
    """Complete pools, collect gifts, keep boats free, stay close to what is lit."""
    sheet, bit = state.sheets[player], POOL_BIT[pool]
    gain = 0.15 * num_pools(NEIGHBORS[pool] & completed_pools(state, player))
    if state.shaded[player, 1 - half] & bit:
        gain += 1.0 + (0.8 if state.platforms[sheet] & bit else 0.0)
    if state.pavilions[sheet, half] & bit:
        gain += 0.7
    if state.boats[sheet] & bit:
        gain -= 1.2
    return gain


@rule
def top_honor(state: State, shape: Shape) -> int:
    return int(state.tile_honor[shape, state.tiles_taken[shape]])


@rule
def action_gain(state: State, player: Player, action: Action) -> float:
    if action >= LAUNCH:
        return float(top_honor(state, PLACEMENT_SHAPES[action - LAUNCH]))
    if action >= CARD:
        return 0.6
    if action >= SHADE_POOL:
        pool = action - SHADE_POOL
        return 1.0 + area_gain(state, player, UPPER, pool) + area_gain(state, player, LOWER, pool)
    if action >= SHADE:
        return area_gain(state, player, (action - SHADE) // NUM_POOLS, (action - SHADE) % NUM_POOLS)
    return -0.5


@rule
def best_tray(state: State, player: Player, rng: Rng) -> Action:
    """The turn of the tray that gives the player most and the others least."""
    best, chosen = -9.0, TRAY
    first = random_below(rng, NUM_DICE)
    for k in range(NUM_DICE):
        quarters = (first + k) % NUM_DICE
        gain = 0.0
        for other in range(state.num_players):
            color = state.dice[(state.tray_seats[other] + quarters) % NUM_DICE]
            gain += best_shading(state, other, 1 << color) * (1.0 if other == player else -0.3)
        if gain > best:
            best, chosen = gain, TRAY + quarters
    return chosen


@rule
def playout_action(state: State, player: Player, legal: IntArray, rng: Rng) -> Action:
    """The best of a few random actions; the tray is turned with care and nothing is rolled again."""
    if state.step[player] == TRAY_STEP:
        return best_tray(state, player, rng)
    count = legal_actions(state, player, legal)
    chosen = int(legal[random_below(rng, count)])
    best = action_gain(state, player, chosen)
    for _ in range(min(SAMPLES, 2 * count)):
        action = int(legal[random_below(rng, count)])
        gain = action_gain(state, player, action)
        if gain > best:
            best, chosen = gain, action
    return chosen


# --- everything is public ---------------------------------------------------------------------------------------------------------


@rule
def action_key(state: State, player: Player, action: Action, seat: Player) -> int:
    return action


@rule
def keyed_action(state: State, player: Player, key: int) -> Action:
    return key
