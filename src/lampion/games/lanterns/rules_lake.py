"""The lake of Lanterns and what placing a tile gives: L9 to L12."""

import numpy as np

from lampion.core.compile import rule
from lampion.core.types import Player
from lampion.games.lanterns.components import (
    EAST,
    NORTH,
    NUM_SIDES,
    SIDE_X,
    SIDE_Y,
    SOUTH,
    Color,
    Side,
)
from lampion.games.lanterns.rules_cards import gain_favor, gain_lantern
from lampion.games.lanterns.state import (
    CELL_MASK,
    FACING_LANTERN,
    MATCH_LANTERN,
    NORTHWARD,
    OPEN_WATER,
    OWN_TILE,
    State,
)

STEPS = np.array([NORTHWARD, 1, -NORTHWARD, -1], np.int32)
DX, DY = np.array(SIDE_X, np.int32), np.array(SIDE_Y, np.int32)
assert (NORTH, EAST, SOUTH) == (0, 1, 2), "STEPS is listed clockwise from north"


@rule(inline=True)
def neighbor(cell: int, side: Side) -> int:
    return (cell + STEPS[side]) & CELL_MASK


@rule(inline=True)
def opposite(side: Side) -> Side:
    return side ^ 2


@rule(inline=True)
def side_color(state: State, laid: int, side: Side) -> Color:
    """The colour on a side of a laid tile; `laid` is 4 * tile + turn."""
    return state.tile_sides[laid >> 2, (side - laid) & 3]


@rule
def add_to_frontier(state: State, cell: int, x: int, y: int) -> None:
    f = state.num_frontier
    state.frontier[f] = cell
    state.frontier_x[f] = x
    state.frontier_y[f] = y
    state.lake[cell] = -1 - f
    state.num_frontier = f + 1


@rule
def remove_from_frontier(state: State, f: int) -> None:
    """The last place moves into the gap."""
    last = state.num_frontier - 1
    cell = state.frontier[last]
    state.frontier[f] = cell
    state.frontier_x[f] = state.frontier_x[last]
    state.frontier_y[f] = state.frontier_y[last]
    state.lake[cell] = -1 - f
    state.num_frontier = last


@rule
def lay_tile(state: State, laid: int, cell: int, x: int, y: int) -> None:
    """Put a tile on a cell that is not in the frontier, and add the open water around it to the frontier."""
    n = state.num_laid
    state.laid[n] = laid
    state.laid_x[n] = x
    state.laid_y[n] = y
    state.num_laid = n + 1
    state.lake[cell] = 1 + laid
    for side in range(NUM_SIDES):
        beside = neighbor(cell, side)
        if state.lake[beside] == OPEN_WATER:
            add_to_frontier(state, beside, x + DX[side], y + DY[side])


@rule(inline=True)
def next_player(state: State, player: Player) -> Player:
    return player + 1 if player + 1 < state.num_players else 0


@rule
def award_matching_bonus(state: State, cell: int, laid: int) -> None:
    """L10: one card per matching side; one favour per matching tile with a platform, the laid one included."""
    player = state.active
    is_matched = False
    for side in range(NUM_SIDES):
        beside = int(state.lake[neighbor(cell, side)]) - 1
        if beside < 0:
            continue
        color = side_color(state, laid, side)
        if side_color(state, beside, opposite(side)) != color:
            continue
        is_matched = True
        gain_lantern(state, player, color, side, MATCH_LANTERN)
        if state.tile_platform[beside >> 2]:
            gain_favor(state, player, side)
    if is_matched and state.tile_platform[laid >> 2]:
        gain_favor(state, player, OWN_TILE)


@rule
def distribute_lanterns(state: State, laid: int) -> None:
    """L11: clockwise from the active player, each gets a card of the colour facing their seat."""
    player = state.active
    for _ in range(state.num_players):
        side = state.seat_sides[player]
        gain_lantern(state, player, side_color(state, laid, side), side, FACING_LANTERN)
        player = next_player(state, player)
