"""Lanterns for the tests of all games: options to try, and a position in the form of the oracle's `facts`."""

from __future__ import annotations

from typing import Any

from lampion.games.lanterns.components import COLOR_LETTERS, STACK_NAMES
from lampion.games.lanterns.notation import laid_text
from lampion.games.lanterns.state import NO_TILE, State


def options_to_try(players: int) -> list[dict[str, str]]:
    return [{}]


def facts(state: State) -> dict[str, Any]:
    laid = range(state.num_laid)
    players = range(state.num_players)
    return {
        "lake": {f"{state.laid_x[k]},{state.laid_y[k]}": laid_text(int(state.laid[k])) for k in laid},
        "supply": _cards(state.supply),
        "cards": [_cards(state.lanterns[player]) for player in players],
        "favors": [int(state.favors[player]) for player in players],
        "honor": [int(state.honor[player]) for player in players],
        "stacks": {name: _stack(state, stack) for stack, name in enumerate(STACK_NAMES)},
        "hands": [sorted(int(tile) for tile in state.hand[player] if tile != NO_TILE) for player in players],
        "left_to_draw": state.left_to_draw,
        "active": state.active,
    }


def _cards(counts: Any) -> dict[str, int]:
    return {letter: int(count) for letter, count in zip(COLOR_LETTERS, counts, strict=True)}


def _stack(state: State, stack: int) -> list[int]:
    left = state.stack_honor[stack, state.tokens_taken[stack] : state.stack_size[stack]]
    return [int(honor) for honor in left]
