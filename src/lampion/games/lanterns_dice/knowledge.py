"""What bots know about Lanterns Dice."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lampion.core.compile import rule
from lampion.core.rng import random_below
from lampion.core.types import Action, IntArray, Player, Rng
from lampion.games.lanterns_dice.actions import (
    CARD,
    LAUNCH,
    PLACEMENT_SHAPES,
    SHADE,
    SHADE_POOL,
    TRAY,
)
from lampion.games.lanterns_dice.components import (
    LOWER,
    NUM_COLUMNS,
    NUM_DICE,
    NUM_POOLS,
    TWO_SAME,
    UPPER,
    WHOLE_POOL,
    Colors,
    Half,
    Pool,
    Shape,
)
from lampion.games.lanterns_dice.rules import legal_actions
from lampion.games.lanterns_dice.rules_fireworks import fits, has_tile
from lampion.games.lanterns_dice.rules_scoring import num_pools, score, tie_break
from lampion.games.lanterns_dice.rules_shading import (
    bought_action,
    colors_due,
    completed_pools,
    empty_pools,
    is_bonus_due,
    open_areas,
)
from lampion.games.lanterns_dice.state import (
    CARD_AREA_STEP,
    DIE_STEP,
    DONE,
    FIRST_COLUMN,
    LAST_COLUMN,
    NEIGHBORS,
    NO_SHAPE,
    NOTHING,
    POOL_BIT,
    SECOND_AREA_STEP,
    TRAY_STEP,
    PoolSet,
    State,
)

NO_ACTION, HIDDEN_KEY = -1, -2
Floats = npt.NDArray[np.float64]

NUM_FEATURES = 12
(
    COMPLETED,
    OPEN,
    OPEN_TOGETHER,
    HALF,
    HALF_BESIDE,
    HALF_PLATFORM,
    BOAT_SIDES,
    GIFTS,
    FITTING,
    FITTING_SOON,
    FITTING_NOW,
    DUE,
) = range(NUM_FEATURES)
WEIGHTS = np.array(
    [  # at the end of the game, at its start
        (0.00, 0.75),  # a completed pool,
        (0.10, 0.15),  # one that no tile covers,
        (0.30, 0.20),  # and one of those beside another
        (0.15, 0.10),  # a half shaded pool,
        (0.05, 0.10),  # one beside a completed pool,
        (0.05, 0.40),  # one with a platform
        (0.15, 0.30),  # a completed pool beside a boat that can still score
        (0.10, 0.30),  # a gift, at most six
        (0.40, 0.40),  # a point of the best tile that fits,
        (0.20, 0.05),  # of a better one that half shaded pools would let in,
        (0.30, 0.15),  # and of one that can be launched this turn
        (0.90, 0.45),  # what the next shading may bring (`shading_due`)
    ]
)
"""What each feature is worth in points: found in play of the greedy bot against itself (`scripts/weights.py`)."""
SHADE_VALUE = 0.75
SAMPLES = 8


@rule
def beside(pools: PoolSet) -> PoolSet:
    """The pools next to any pool of a set."""
    sideways = (pools & ~LAST_COLUMN) << 1 | (pools & ~FIRST_COLUMN) >> 1
    return pools << NUM_COLUMNS | pools >> NUM_COLUMNS | sideways


@rule
def boat_progress(state: State, player: Player) -> int:
    """Completed neighbors of the boats that may still score."""
    boats = state.boats[state.sheets[player]] & empty_pools(state, player)
    completed = completed_pools(state, player)
    count = 0
    for pool in range(NUM_POOLS):
        if boats & POOL_BIT[pool]:
            count += num_pools(completed & NEIGHBORS[pool])
    return count


@rule
def best_shading(state: State, player: Player, colors: Colors) -> float:
    """What the best area of these colors would bring, roughly."""
    sheet = state.sheets[player]
    upper, lower = (
        open_areas(state, player, UPPER, colors),
        open_areas(state, player, LOWER, colors),
    )
    if (upper | lower) == 0:
        return 0.0
    completing = (upper & state.shaded[player, LOWER]) | (lower & state.shaded[player, UPPER])
    if completing & state.platforms[sheet]:
        return 3.0 * SHADE_VALUE
    with_gift = (upper & state.pavilions[sheet, UPPER]) | (lower & state.pavilions[sheet, LOWER])
    return SHADE_VALUE * (1.0 + (completing != 0) + (with_gift != 0))


@rule
def shading_due(state: State, player: Player) -> float:
    """What the shading that the player may do at once will bring."""
    if is_bonus_due(state, player):
        return SHADE_VALUE * (
            2.0 if NEIGHBORS[state.bonus_pool[player]] & halves(state, player) else 1.0
        )
    step = state.step[player]
    if step == CARD_AREA_STEP and bought_action(state, player) == WHOLE_POOL:
        return 2.5 * SHADE_VALUE
    if step in (DIE_STEP, CARD_AREA_STEP, SECOND_AREA_STEP):
        due = best_shading(state, player, colors_due(state, player))
        return (
            due + SHADE_VALUE
            if step == CARD_AREA_STEP and bought_action(state, player) == TWO_SAME
            else due
        )
    return 0.0


@rule(inline=True)
def halves(state: State, player: Player) -> PoolSet:
    """Pools with one shaded area."""
    return state.shaded[player, UPPER] ^ state.shaded[player, LOWER]


@rule
def best_launch(state: State, pools: PoolSet) -> float:
    """The honor of the best tile that would fit on these pools."""
    best = 0
    for shape in state.shapes:
        if (
            shape != NO_SHAPE
            and has_tile(state, shape)
            and top_honor(state, shape) > best
            and fits(pools, shape)
        ):
            best = top_honor(state, shape)
    return float(best)


@rule
def describe(state: State, player: Player, out: Floats) -> float:
    """Fill in the features of a player; the share of the game that is left."""
    completed, half = completed_pools(state, player), halves(state, player)
    uncovered = completed & ~state.covered[player]
    near = half & beside(completed)
    out[COMPLETED] = num_pools(completed)
    out[OPEN] = num_pools(uncovered)
    out[OPEN_TOGETHER] = num_pools(uncovered & beside(uncovered))
    out[HALF] = num_pools(half)
    out[HALF_BESIDE] = num_pools(near)
    out[HALF_PLATFORM] = num_pools(half & state.platforms[state.sheets[player]])
    out[BOAT_SIDES] = boat_progress(state, player)
    out[GIFTS] = min(int(state.gifts[player]), 6)
    out[FITTING] = best_launch(state, uncovered)
    out[FITTING_SOON] = max(0.0, best_launch(state, uncovered | near) - out[FITTING])
    out[FITTING_NOW] = (
        out[FITTING] if state.active == player and state.step[player] != DONE else 0.0
    )
    out[DUE] = (
        shading_due(state, player)
        if state.chance_owes == NOTHING and state.step[player] != DONE
        else 0.0
    )
    return 1.0 - (state.turn + state.active / state.num_players) / state.num_turns


@rule
def evaluate(state: State, player: Player) -> float:
    """Points as they stand, what is due at once, and what the lake promises while there is time."""
    value = float(score(state, player))
    if state.is_over:
        return value + 0.01 * tie_break(state, player)
    features = np.zeros(NUM_FEATURES)
    left = describe(state, player, features)
    for k in range(NUM_FEATURES):
        value += features[k] * (left * WEIGHTS[k, 1] + (1.0 - left) * WEIGHTS[k, 0])
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
