"""The set-up of Lanterns, L1 to L5: from players, options and components to the state before the
first tile is dealt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lampion.core.options import Option
from lampion.core.types import NO_PLAYER
from lampion.games.lanterns.components import (
    COLOR_LETTERS,
    MAX_PLAYERS,
    MOST_DOTS,
    NUM_SIDES,
    RED,
    SEAT_SIDES,
    SOUTH,
    START_TILE,
    LanternsFile,
    num_rotations,
    sides_text,
)
from lampion.games.lanterns.rules_cards import take_lantern
from lampion.games.lanterns.rules_lake import facing_color, laid_tile, lay_tile
from lampion.games.lanterns.state import NO_TILE, START_CELL, State

OPTIONS: Sequence[Option] = ()


def new_state(players: int, options: Mapping[str, str], components: LanternsFile) -> State:
    state = State()
    _lay_out_pieces(state, players, components)
    _prepare_tiles(state, components)
    lay_tile(state, laid_tile(START_TILE, _start_rotation(components)), START_CELL, 0, 0)
    _prepare_supply(state, players, components)
    state.to_deal = players * components.hand_tiles
    state.drawer = 0 if state.to_deal else NO_PLAYER
    return state


def _lay_out_pieces(state: State, players: int, components: LanternsFile) -> None:
    state.num_players = players
    state.seat_sides[:players] = SEAT_SIDES[players]
    state.hand_tiles = components.hand_tiles
    state.exchange_cost = components.exchange_cost_favors
    state.card_limit = components.card_limit_before_placing
    state.generic_honor = components.generic_dedication_honor
    for number, tile in enumerate(components.tiles):
        state.tile_sides[number] = [COLOR_LETTERS.index(letter) for letter in tile.sides]
        state.tile_platform[number] = tile.platform
        state.tile_rotations[number] = num_rotations(tile.sides)
    for number, stack in enumerate(components.stacks()):
        honors = [token.honor for token in stack if token.dots <= MOST_DOTS[players]]
        state.stack_honor[number, : len(honors)] = honors
        state.stack_size[number] = len(honors)


def _prepare_tiles(state: State, components: LanternsFile) -> None:
    """L2: every tile but the start tile may turn up; how many are drawn is fixed, which ones leave
    the game nobody knows."""
    others = [tile for tile in range(len(components.tiles)) if tile != START_TILE]
    state.unseen[:] = NO_TILE
    state.unseen[: len(others)] = others
    state.num_unseen = len(others)
    state.hand[:] = NO_TILE
    state.left_to_draw = components.set_up(state.num_players).draw_stack


def _start_rotation(components: LanternsFile) -> int:
    """L1: player 0, in the south, faces red."""
    sides = components.tiles[START_TILE].sides
    return next(
        turn for turn in range(NUM_SIDES) if sides_text(sides, turn)[SOUTH] == COLOR_LETTERS[RED]
    )


def _prepare_supply(state: State, players: int, components: LanternsFile) -> None:
    """L3: the piles, and one card of the start tile for each player."""
    state.supply[:] = components.set_up(players).cards_per_color
    assert players <= MAX_PLAYERS
    for player in range(players):
        take_lantern(state, player, facing_color(state, int(state.laid[0]), player))
