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
    Rotation,
    Side,
    Tile,
)
from lampion.games.lanterns.rules_cards import gain_favor, gain_lantern
from lampion.games.lanterns.state import (
    CELL_MASK,
    FACING,
    MATCHED,
    NO_TILE,
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
def laid_tile(tile: Tile, turn: Rotation) -> int:
    """A tile as it lies: 4 * tile + quarter turns clockwise."""
    return NUM_SIDES * tile + turn


@rule(inline=True)
def tile_of(laid: int) -> Tile:
    return laid >> 2


@rule(inline=True)
def turn_of(laid: int) -> Rotation:
    return laid & 3


@rule(inline=True)
def side_color(state: State, laid: int, side: Side) -> Color:
    """The color on a side of a laid tile: clockwise turns move the colors on by as many sides."""
    return state.tile_sides[tile_of(laid), (side - turn_of(laid)) & 3]


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
    """Put a tile on a cell that is not in the frontier, and add the open water
    around it to the frontier."""
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


@rule(inline=True)
def matching_tile(state: State, cell: int, laid: int, side: Side) -> int:
    """L10: the tile that lies beside a cell, if a tile laid there matches it on that side, or
    NO_TILE."""
    beside = int(state.lake[neighbor(cell, side)]) - 1
    if beside < 0:
        return NO_TILE
    color = side_color(state, laid, side)
    return beside if side_color(state, beside, opposite(side)) == color else NO_TILE


@rule(inline=True)
def facing_color(state: State, laid: int, player: Player) -> Color:
    """L11: the color of the side that faces a player's seat."""
    return side_color(state, laid, state.seat_sides[player])


@rule
def award_matching_bonus(state: State, cell: int, laid: int) -> None:
    """L10: one card per matching side; one favor per matching tile with a
    platform, the laid one included."""
    player = state.active
    is_matched = False
    for side in range(NUM_SIDES):
        beside = matching_tile(state, cell, laid, side)
        if beside == NO_TILE:
            continue
        is_matched = True
        gain_lantern(state, player, side_color(state, laid, side), side, MATCHED)
        if state.tile_platform[tile_of(beside)]:
            gain_favor(state, player, side)
    if is_matched and state.tile_platform[tile_of(laid)]:
        gain_favor(state, player, OWN_TILE)


@rule
def distribute_lanterns(state: State, laid: int) -> None:
    """L11: clockwise from the active player, each gets a card of the color facing their seat."""
    player = state.active
    for _ in range(state.num_players):
        color = facing_color(state, laid, player)
        gain_lantern(state, player, color, state.seat_sides[player], FACING)
        player = next_player(state, player)
