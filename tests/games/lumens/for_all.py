"""Lumens for the tests of all games: options to try, a position in the form of the oracle's `facts`, and what never changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.core.types import NO_PLAYER
from lampion.games.lumens.actions import square_name
from lampion.games.lumens.components import MAX_KINDS, NO_FACE, ROOM_LETTERS, read_components
from lampion.games.lumens.notation import kind_text
from lampion.games.lumens.rules_board import STEPS, token_face, token_owner
from lampion.games.lumens.state import EMPTY, NO_KIND, NO_ROOM, NO_SQUARE, NUM_CELLS, OFF_BOARD, PLAY_PHASE, START_RIGHT, State


def options_to_try(players: int) -> list[dict[str, str]]:
    return [{}, {"starts": "balanced"}] if players == 3 else [{}]


# --- facts ------------------------------------------------------------------------------------------------------------------------


def facts(state: State) -> dict[str, Any]:
    players = range(state.num_players)
    return {
        "board": {square_name(square): tokens for square in range(NUM_CELLS) if (tokens := _tokens(state, square))},
        "hand": [_hand(state, player) for player in players],
        "bag": [_bag(state, player) for player in players],
        "chosen": [int(state.start_face[player]) for player in players],
        "out": [bool(state.is_out[player]) for player in players],
        "start_spent": [bool(state.under[state.starts[player]] not in (EMPTY, OFF_BOARD)) for player in players],
        "starts": [square_name(int(state.starts[player])) for player in players if state.starts[player] != NO_SQUARE],
        "active": state.active,
        "rooms": {ROOM_LETTERS[room]: _room(state, room) for room in sorted({int(room) for room in state.room if room >= 0})},
    }


def _tokens(state: State, square: int) -> list[list[int]]:
    """Those on a square, from the bottom."""
    stack = [int(state.under[square]), int(state.top[square])]
    return [[token_owner(token), token_face(token)] for token in stack if token not in (EMPTY, OFF_BOARD)]


def _hand(state: State, player: int) -> str | None:
    return None if state.hand[player] == NO_KIND else kind_text(state, int(state.hand[player]))


def _bag(state: State, player: int) -> dict[str, int]:
    """What is unshown and not in hand."""
    counts = [int(state.unshown[player, kind]) - (state.hand[player] == kind) for kind in range(MAX_KINDS)]
    return {kind_text(state, kind): count for kind, count in enumerate(counts)}


def _room(state: State, room: int) -> dict[str, list[int]]:
    players = slice(state.num_players)
    return {"pips": state.room_pips[room, players].tolist(), "points": state.room_points[room, players].tolist()}
