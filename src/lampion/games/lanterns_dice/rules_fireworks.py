"""Fireworks in Lanterns Dice: where a tile fits, and launching it (D15)."""

from lampion.core.compile import rule
from lampion.core.trail import note
from lampion.core.types import IntArray, Player
from lampion.games.lanterns_dice.actions import (
    FIRST_LOOK,
    LAUNCH,
    LOOK_CORNERS,
    LOOK_STEPS,
    PLACEMENT_NUMBERS,
    PLACEMENT_POOLS,
    PLACEMENT_SHAPES,
    Placement,
)
from lampion.games.lanterns_dice.components import MAX_SHAPE_POOLS, Shape
from lampion.games.lanterns_dice.rules_reasons import (
    ALLOWED,
    ALREADY_COVERED,
    NOT_COMPLETED,
    NOT_IN_PLAY,
    STACK_IS_EMPTY,
)
from lampion.games.lanterns_dice.rules_shading import completed_pools, list_pools
from lampion.games.lanterns_dice.state import LAUNCHED, PoolSet, State


@rule(inline=True)
def coverable_pools(state: State, player: Player) -> PoolSet:
    """D15: completed, and not covered by another tile."""
    return completed_pools(state, player) & ~state.covered[player]


@rule(inline=True)
def has_tile(state: State, shape: Shape) -> bool:
    """D15: an empty stack is gone."""
    return state.tiles_taken[shape] < state.stack_size[shape]


@rule
def why_not_shape(state: State, shape: Shape) -> int:
    """D2, D15: the shape is in play, and its stack has a tile."""
    for in_play in state.shapes:
        if in_play == shape:
            return ALLOWED if has_tile(state, shape) else STACK_IS_EMPTY
    return NOT_IN_PLAY


@rule
def why_not_cover(state: State, player: Player, pools: PoolSet) -> int:
    """D15."""
    if pools & ~coverable_pools(state, player) == 0:
        return ALLOWED
    return ALREADY_COVERED if pools & ~completed_pools(state, player) == 0 else NOT_COMPLETED


@rule
def fitting_corners(pools: PoolSet, look: int) -> PoolSet:
    """Where a tile fits on these pools: a corner stays if the pool at
    every step from it is there."""
    corners = LOOK_CORNERS[look]
    for k in range(MAX_SHAPE_POOLS):
        corners &= pools >> LOOK_STEPS[look, k]
    return corners


@rule
def fits(pools: PoolSet, shape: Shape) -> bool:
    """Whether a tile of that shape fits on these pools, turned and flipped freely."""
    look, end = FIRST_LOOK[shape], FIRST_LOOK[shape + 1]
    while look < end and fitting_corners(pools, look) == 0:
        look += 1
    return look < end


@rule
def can_launch(state: State, player: Player) -> bool:
    pools = coverable_pools(state, player)
    for shape in state.shapes:
        if not has_tile(state, shape):
            continue
        if fits(pools, shape):
            return True
    return False


@rule
def list_launches(state: State, player: Player, out: IntArray, n: int) -> int:
    """Shapes, looks and corners ascend, and so do the ids."""
    pools = coverable_pools(state, player)
    for shape in state.shapes:
        if has_tile(state, shape):
            for look in range(FIRST_LOOK[shape], FIRST_LOOK[shape + 1]):
                end = list_pools(fitting_corners(pools, look), 0, out, n)
                for k in range(n, end):
                    out[k] = LAUNCH + PLACEMENT_NUMBERS[look, out[k]]
                n = end
    return n


@rule
def launch(state: State, player: Player, placement: Placement) -> None:
    """D15: the top tile of the stack goes on the lake."""
    shape = PLACEMENT_SHAPES[placement]
    honor = int(state.tile_honor[shape, state.tiles_taken[shape]])
    state.tiles_taken[shape] += 1
    state.covered[player] |= PLACEMENT_POOLS[placement]
    state.honor[player] += honor
    n = state.num_launched[player]
    state.launched[player, n] = placement
    state.launched_honor[player, n] = honor
    state.num_launched[player] = n + 1
    note(state, LAUNCHED, player, placement, 0, 0, honor)
