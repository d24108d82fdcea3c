"""Lanterns for the tests of all games: a position in the form of the oracle's `facts`."""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.games.lanterns.components import (
    COLOR_LETTERS,
    NUM_SIDES,
    NUM_TILES,
    SIDE_X,
    SIDE_Y,
    STACK_NAMES,
    read_components,
)
from lampion.games.lanterns.rules_lake import tile_of, turn_of
from lampion.games.lanterns.state import NO_TILE, State


def combinations_to_try(players: int) -> list[dict[str, str]]:
    return []


def _laid_text(laid: int) -> str:
    """A laid tile, such as 17r1."""
    return f"{tile_of(laid)}r{turn_of(laid)}"


def facts(state: State) -> dict[str, Any]:
    laid = range(state.num_laid)
    players = range(state.num_players)
    return {
        "lake": {
            f"{state.laid_x[k]},{state.laid_y[k]}": _laid_text(int(state.laid[k])) for k in laid
        },
        "supply": _cards(state.supply),
        "cards": [_cards(state.lanterns[player]) for player in players],
        "favors": [int(state.favors[player]) for player in players],
        "honor": [int(state.honor[player]) for player in players],
        "stacks": {name: _stack(state, stack) for stack, name in enumerate(STACK_NAMES)},
        "hands": [
            sorted(int(tile) for tile in state.hand[player] if tile != NO_TILE)
            for player in players
        ],
        "left_to_draw": state.left_to_draw,
        "active": state.active,
    }


def change_pieces(pieces: dict[str, Any], state: State) -> None:
    """Give pieces the numbers that a variant set in the state at the start."""
    pieces["setup"][str(state.num_players)]["draw_stack"] = state.left_to_draw


def check_nothing_lost(state: State) -> None:
    """Cards, tiles and tokens: each is somewhere, once."""
    players = range(state.num_players)
    at_the_start = read_components(None).set_up(state.num_players).cards_per_color
    assert (state.supply >= 0).all() and (state.lanterns >= 0).all() and (state.favors >= 0).all()
    assert (state.supply + state.lanterns.sum(axis=0) == at_the_start).all()
    assert (state.lanterns.sum(axis=1) == state.num_lanterns).all()
    laid = [int(tile) // NUM_SIDES for tile in state.laid[: state.num_laid]]
    held = [int(tile) for player in players for tile in state.hand[player] if tile != NO_TILE]
    unseen = [int(tile) for tile in state.unseen[: state.num_unseen]]
    assert sorted(laid + held + unseen) == list(range(NUM_TILES))
    assert [int((state.hand[player] != NO_TILE).sum()) for player in players] == state.hand_size[
        : state.num_players
    ].tolist()
    assert (state.tokens_taken <= state.stack_size).all()
    check_lake(state)


def check_lake(state: State) -> None:
    """The frontier is exactly the open water around the tiles, and the cells
    agree with the coordinates."""
    tiles = {
        (int(x), int(y))
        for x, y in zip(state.laid_x[: state.num_laid], state.laid_y[: state.num_laid], strict=True)
    }
    around = {
        (x + dx, y + dy) for x, y in tiles for dx, dy in zip(SIDE_X, SIDE_Y, strict=True)
    } - tiles
    count = state.num_frontier
    free = [
        (int(x), int(y))
        for x, y in zip(state.frontier_x[:count], state.frontier_y[:count], strict=True)
    ]
    assert len(free) == len(set(free))
    assert set(free) == around
    assert np.count_nonzero(state.lake) == len(tiles) + count


def _cards(counts: Any) -> dict[str, int]:
    return {letter: int(count) for letter, count in zip(COLOR_LETTERS, counts, strict=True)}


def _stack(state: State, stack: int) -> list[int]:
    left = state.stack_honor[stack, state.tokens_taken[stack] : state.stack_size[stack]]
    return [int(honor) for honor in left]
