"""Lumens for the tests of all games: a position in the form of the oracle's `facts`, and what never
changes."""

from __future__ import annotations

from typing import Any

import numpy as np

from lampion.core.types import NO_PLAYER
from lampion.games.lumens.actions import square_name
from lampion.games.lumens.components import MAX_KINDS, NO_FACE, ROOM_LETTERS, read_components
from lampion.games.lumens.notation import kind_text
from lampion.games.lumens.rules_board import STEPS
from lampion.games.lumens.rules_tokens import token_face, token_owner
from lampion.games.lumens.state import (
    CHOOSE_PHASE,
    EMPTY,
    NO_KIND,
    NO_ROOM,
    NO_SQUARE,
    NUM_CELLS,
    OFF_BOARD,
    START_RIGHT,
    State,
)


def combinations_to_try(players: int) -> list[dict[str, str]]:
    return []


def shows_secrets(state: State) -> bool:
    """U4: when the last player chooses, the start tokens are shown."""
    return state.phase == CHOOSE_PHASE and int(state.has_chosen.sum()) == state.num_players - 1


# --- facts ----------------------------------------------------------------------------------------


def facts(state: State) -> dict[str, Any]:
    players = range(state.num_players)
    return {
        "board": {
            square_name(square): tokens
            for square in range(NUM_CELLS)
            if (tokens := _tokens(state, square))
        },
        "hand": [_hand(state, player) for player in players],
        "bag": [_bag(state, player) for player in players],
        "chosen": [int(state.start_face[player]) for player in players],
        "out": [bool(state.is_out[player]) for player in players],
        "start_spent": [
            bool(state.under[state.starts[player]] not in (EMPTY, OFF_BOARD)) for player in players
        ],
        "starts": [
            square_name(int(state.starts[player]))
            for player in players
            if state.starts[player] != NO_SQUARE
        ],
        "active": state.active,
        "rooms": {
            ROOM_LETTERS[room]: _room(state, room)
            for room in sorted({int(room) for room in state.room if room >= 0})
        },
    }


def _tokens(state: State, square: int) -> list[list[int]]:
    """Those on a square, from the bottom."""
    stack = [int(state.under[square]), int(state.top[square])]
    return [
        [token_owner(token), token_face(token)]
        for token in stack
        if token not in (EMPTY, OFF_BOARD)
    ]


def _hand(state: State, player: int) -> str | None:
    return None if state.hand[player] == NO_KIND else kind_text(state, int(state.hand[player]))


def _bag(state: State, player: int) -> dict[str, int]:
    """What is unshown and not in hand."""
    counts = [
        int(state.unshown[player, kind]) - (state.hand[player] == kind) for kind in range(MAX_KINDS)
    ]
    return {kind_text(state, kind): count for kind, count in enumerate(counts)}


def _room(state: State, room: int) -> dict[str, list[int]]:
    players = slice(state.num_players)
    return {
        "pips": state.room_pips[room, players].tolist(),
        "points": state.room_points[room, players].tolist(),
    }


# --- what never changes ---------------------------------------------------------------------------


def check_nothing_lost(state: State) -> None:
    """Every token is somewhere, once; and what is kept up to date is what a search
    of the whole board finds."""
    lying = [token for tokens in facts(state)["board"].values() for token in tokens]
    for player in range(state.num_players):
        for kind, token in enumerate(read_components(None).tokens):
            shown = sum(lying.count([player, face]) for face in token.faces)
            assert shown + state.unshown[player, kind] == token.count
        assert state.num_unshown[player] == state.unshown[player].sum()
        assert state.hand_size[player] == (state.hand[player] != NO_KIND)
        assert (
            state.start_face[player] == NO_FACE
            or state.face_kinds[state.start_face[player]] == state.hand[player]
        )
        assert all(count >= 0 for count in _bag(state, player).values())
        check_ways(state, player)
    check_rooms(state)


def check_rooms(state: State) -> None:
    pips = np.zeros_like(state.room_pips)
    for square in np.flatnonzero(state.room >= 0):
        token = int(state.top[square])
        if token != EMPTY:
            pips[state.room[square], token_owner(token)] += token_face(token)
    assert (pips == state.room_pips).all()
    assert (state.room_points.sum(axis=0) == state.points).all()


def check_ways(state: State, player: int) -> None:
    """U5 to U7 from scratch: walk from every own top token, in every direction."""
    ways = np.zeros(NUM_CELLS, np.int8)
    for square in np.flatnonzero(state.room != NO_ROOM):
        token = int(state.top[square])
        if token != EMPTY and token_owner(token) == player:
            for direction, step in enumerate(STEPS.tolist()):
                line = [int(square) + step * count for count in range(1, token_face(token) + 1)]
                if _is_free(state, line[:-1]) and _may_arrive(state, player, line[-1]):
                    ways[line[-1]] |= 1 << direction
    start = state.starts[player]
    if start != NO_SQUARE and state.top[start] != EMPTY and state.under[start] == EMPTY:
        ways[start] |= START_RIGHT
    assert (ways == state.ways[player]).all()
    words = [
        sum(1 << bit for bit in range(64) if ways[64 * word + bit])
        for word in range(len(state.targets[player]))
    ]
    assert words == state.targets[player].tolist()


def _is_free(state: State, line: list[int]) -> bool:
    """The first square off the board ends a walk, so the rest of the line may lie anywhere."""
    return all(state.top[square % NUM_CELLS] == EMPTY for square in line)


def _may_arrive(state: State, player: int, square: int) -> bool:
    square %= NUM_CELLS
    return bool(state.under[square] == EMPTY and state.marker[square] in (NO_PLAYER, player))
