"""What a network is told about Lanterns Dice (see `bots.net`), to say how many points a player will have in the end.

The features are those of the evaluation and some more, each also multiplied by the share of the game that is left. They are of one
player's sheet alone: what others do changes little on it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lampion.core.compile import rule
from lampion.core.types import Player
from lampion.games.lanterns_dice.components import LOWER, NUM_COLORS, NUM_POOLS, UPPER
from lampion.games.lanterns_dice.knowledge import NUM_FEATURES, beside, describe, halves
from lampion.games.lanterns_dice.rules_fireworks import coverable_pools, fits, has_tile
from lampion.games.lanterns_dice.rules_scoring import boats_honor, group_of_lowest, num_pools
from lampion.games.lanterns_dice.rules_shading import (
    completed_pools,
    empty_pools,
    is_bonus_due,
    open_areas,
)
from lampion.games.lanterns_dice.state import NEIGHBORS, NO_SHAPE, NOTHING, POOL_BIT, PoolSet, State

Features = npt.NDArray[np.float32]
SCALE = np.array([0.05, 0.1, 0.1, 0.1, 0.1, 0.3, 0.1, 0.2, 0.2, 0.2, 0.2, 0.5], np.float32)
"""What brings the features of the evaluation to about 1."""
GROUPS = NUM_FEATURES + 3
BEGUN_GROUPS, BOATS, SHAPES, COLORS, LAKE_FEATURES = (
    GROUPS + 3,
    GROUPS + 5,
    GROUPS + 10,
    GROUPS + 13,
    GROUPS + 17,
)
"""Where the parts of a lake's features begin, and how many there are."""
TURN_FEATURES = 13


def num_features(players: int) -> int:
    """The player's sheet twice, and those of the turn."""
    return 2 * LAKE_FEATURES + TURN_FEATURES + players


@rule
def predicts_points(state: State) -> bool:
    return True


@rule
def net_features(state: State, player: Player, out: Features) -> bool:
    """In numbers about as large as 1; False after the end."""
    if state.is_over:
        return False
    out[:] = 0.0
    left = lake_features(state, player, out)
    for k in range(LAKE_FEATURES):
        out[LAKE_FEATURES + k] = left * float(out[k])
    turn_features(state, player, left, out[2 * LAKE_FEATURES :])
    return True


@rule
def lake_features(state: State, player: Player, out: Features) -> float:
    """A player's lake, gifts and points; the share of the game that is left."""
    described = np.zeros(NUM_FEATURES)
    left = max(0.0, describe(state, player, described))
    for k in range(NUM_FEATURES):
        out[k] = float(SCALE[k]) * described[k]
    completed, half = completed_pools(state, player), halves(state, player)
    out[NUM_FEATURES] = 0.1 * state.honor[player]
    out[NUM_FEATURES + 1] = 0.1 * boats_honor(state, player)
    out[NUM_FEATURES + 2] = 0.3 * num_pools(
        state.platforms[state.sheets[player]] & empty_pools(state, player)
    )
    largest_groups(completed, out[GROUPS:BEGUN_GROUPS])
    largest_groups(completed | half, out[BEGUN_GROUPS:BOATS])
    boat_features(state, player, completed, half, out[BOATS:SHAPES])
    uncovered = coverable_pools(state, player)
    out[SHAPES] = 0.3 * num_fitting(state, uncovered)
    out[SHAPES + 1] = 0.3 * num_fitting(state, uncovered | half & beside(uncovered))
    out[SHAPES + 2] = 0.3 * num_fitting(state, uncovered | half)
    color_features(state, player, out[COLORS:LAKE_FEATURES])
    return left


@rule
def largest_groups(pools: PoolSet, out: Features) -> None:
    """The sizes of the largest groups of a set, as many as there is room for, the largest first."""
    while pools != 0:
        group = group_of_lowest(pools)
        pools ^= group
        size = np.float32(0.1 * num_pools(group))
        for k in range(len(out)):
            if size > out[k]:
                out[k], size = size, out[k]


@rule
def boat_features(
    state: State, player: Player, completed: PoolSet, half: PoolSet, out: Features
) -> None:
    """Boats that may still score; those with two, three and four completed neighbors; those whose four are completed or half so."""
    boats = state.boats[state.sheets[player]] & empty_pools(state, player)
    for pool in range(NUM_POOLS):
        if boats & POOL_BIT[pool] and num_pools(NEIGHBORS[pool]) == 4:
            out[0] += 0.3
            around = num_pools(NEIGHBORS[pool] & completed)
            if around >= 2:
                out[around - 1] += 0.5
            out[4] += np.float32(0.3) * (around + num_pools(NEIGHBORS[pool] & half) == 4)


@rule
def num_fitting(state: State, pools: PoolSet) -> int:
    """How many of the shapes in play would fit on these pools."""
    count = 0
    for shape in state.shapes:
        count += shape != NO_SHAPE and has_tile(state, shape) and fits(pools, shape)
    return count


@rule
def color_features(state: State, player: Player, out: Features) -> None:
    """With how many colors something can be shaded, a pool completed, a platform completed, a gift earned."""
    sheet = state.sheets[player]
    for color in range(NUM_COLORS):
        upper, lower = (
            open_areas(state, player, UPPER, 1 << color),
            open_areas(state, player, LOWER, 1 << color),
        )
        completing = (upper & state.shaded[player, LOWER]) | (lower & state.shaded[player, UPPER])
        out[0] += np.float32(0.2) * ((upper | lower) != 0)
        out[1] += np.float32(0.2) * (completing != 0)
        out[2] += np.float32(0.2) * ((completing & state.platforms[sheet]) != 0)
        out[3] += np.float32(0.2) * (
            ((upper & state.pavilions[sheet, UPPER]) | (lower & state.pavilions[sheet, LOWER])) != 0
        )


@rule
def turn_features(state: State, player: Player, left: float, out: Features) -> None:
    """How far the game is, what the player may do in this turn, and how many turns away the next own one is."""
    is_rolled = state.chance_owes == NOTHING
    out[0] = left
    out[1] = 1.0 / (1.0 + state.num_turns * left)
    out[2] = left <= 0.0
    out[3] = is_rolled
    if is_rolled:
        out[4 + state.step[player]] = 1.0
        out[12] = is_bonus_due(state, player)
    turn = state.active - player
    out[TURN_FEATURES + (turn if turn >= 0 else turn + state.num_players)] = 1.0
