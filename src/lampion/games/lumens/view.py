"""Lumens as a seat sees it, ready for JSON. Everything here is made from the redacted record alone.

Arrays become lists in one step, because to read them element by element from Python costs
far more than all the rest.
"""

from __future__ import annotations

import functools
from typing import get_args

import numpy as np

from lampion.core.types import NO_PLAYER, SPECTATOR, Player
from lampion.games.lumens.actions import square_name
from lampion.games.lumens.components import (
    COLOR_NAMES,
    MAX_FACE,
    NO_FACE,
    NO_SQUARE_SIGN,
    PASSAGE_SIGN,
    ROOM_LETTERS,
)
from lampion.games.lumens.rules_board import STEPS
from lampion.games.lumens.rules_tokens import token_face, token_owner
from lampion.games.lumens.state import (
    EMPTY,
    NO_KIND,
    NO_ROOM,
    NO_SQUARE,
    OFF_BOARD,
    OVER_PHASE,
    PASSAGE,
    PLAY_PHASE,
    ROW_LENGTH,
    START_RIGHT,
    State,
)
from lampion.games.lumens.view_types import (
    Board,
    GameView,
    Light,
    PhaseName,
    Room,
    Seat,
    Target,
    Token,
)

PHASE_NAMES: tuple[PhaseName, ...] = get_args(PhaseName)


def view(seen: State, seat: Player) -> GameView:
    public = _public_view(seen.unpacked())
    return public if seat == SPECTATOR else own_view(public, seen, seat)


def _public_view(seen: State) -> GameView:
    top = seen.top.tolist()
    return {
        "board": _board(seen),
        "squares": _lights(seen, top),
        "last_placed": _name_or_none(seen.last_placed),
        "rooms": _rooms(seen),
        "seats": _seats(seen),
        "targets": _targets(seen, top),
        "turn": {
            "phase": PHASE_NAMES[seen.phase],
            "active": seen.active if seen.phase in (PLAY_PHASE, OVER_PHASE) else None,
            "drawer": None if seen.drawer == NO_PLAYER else seen.drawer,
        },
    }


def own_view(public: GameView, seen: State, seat: Player) -> GameView:
    """The token in hand and the chosen start face are shown to their owner alone."""
    hand, start_face = seen.hand.item(seat), seen.start_face.item(seat)
    seats = [*public["seats"]]
    seats[seat] = {
        **seats[seat],
        "hand": None if hand == NO_KIND else faces_of(seen)[hand],
        "start_face": None if start_face == NO_FACE else start_face,
    }
    return {**public, "seats": seats}


# --- the board ------------------------------------------------------------------------------------


def _board(seen: State) -> Board:
    rows = _map(seen.room.tobytes(), seen.num_columns, seen.num_rows)
    return {
        "columns": seen.num_columns,
        "rows": seen.num_rows,
        "map": [*rows],
        "center": ROOM_LETTERS[seen.center],
    }


@functools.lru_cache(maxsize=64)
def _map(rooms: bytes, num_columns: int, num_rows: int) -> tuple[str, ...]:
    """As in the components: rows from the top, letters are rooms, dots are
    passages, spaces are no squares."""
    signs = {NO_ROOM: NO_SQUARE_SIGN, PASSAGE: PASSAGE_SIGN, **dict(enumerate(ROOM_LETTERS))}
    squares = (
        np.frombuffer(rooms, np.int8).reshape(-1, ROW_LENGTH)[num_rows:0:-1, :num_columns].tolist()
    )
    return tuple("".join(signs[room] for room in row) for row in squares)


def _lights(seen: State, top: list[int]) -> list[Light]:
    """The light on each square that has one, and the dead token below it, if any."""
    under = seen.under.tolist()
    return [
        _light(square, token, under[square])
        for square, token in enumerate(top)
        if token not in _DARK
    ]


_DARK = (EMPTY, OFF_BOARD)


@functools.lru_cache(maxsize=8192)
def _light(square: int, token: int, covered: int) -> Light:
    """The same object in all views: they are compared after every move."""
    return {
        "square": square_name(square),
        "player": token_owner(token),
        "face": token_face(token),
        "covered": _token(covered) if covered != EMPTY else None,
    }


def _name_or_none(square: int) -> str | None:
    return None if square == NO_SQUARE else square_name(square)


def _token(token: int) -> Token:
    return {"player": token_owner(token), "face": token_face(token)}


# --- rooms ----------------------------------------------------------------------------------------


def _rooms(seen: State) -> list[Room]:
    """Pips and points as they stand (U11), by player."""
    players, pips, points = seen.num_players, seen.room_pips.tolist(), seen.room_points.tolist()
    return [
        {
            "room": ROOM_LETTERS[room],
            "center": room == seen.center,
            "pips": pips[room][:players],
            "points": points[room][:players],
            "leaders": leaders_of(pips[room]),
        }
        for room in _room_numbers(seen.room.tobytes())
    ]


@functools.lru_cache(maxsize=64)
def _room_numbers(rooms: bytes) -> tuple[int, ...]:
    return tuple(sorted({room for room in np.frombuffer(rooms, np.int8).tolist() if room >= 0}))


def leaders_of(pips: list[int]) -> list[Player]:
    """The players with the most pips; a dark room has none."""
    most = max(pips)
    return [player for player, own in enumerate(pips) if own == most] if most else []


# --- seats ----------------------------------------------------------------------------------------


def _seats(seen: State) -> list[Seat]:
    """Bag and hand are one number per kind, `unshown`: for the owner too,
    who knows the difference."""
    faces = faces_of(seen)
    starts, points, num_unshown = (
        seen.starts.tolist(),
        seen.points.tolist(),
        seen.num_unshown.tolist(),
    )
    unshown, center_pips, hand_sizes = (
        seen.unshown.tolist(),
        seen.room_pips[seen.center].tolist(),
        seen.hand_size.tolist(),
    )
    has_chosen, is_out = seen.has_chosen.tolist(), seen.is_out.tolist()
    return [
        {
            "color": COLOR_NAMES[player],
            "start": _name_or_none(starts[player]),
            "start_right": bool(seen.ways.item(player, starts[player]) & START_RIGHT),
            "points": points[player],
            "center_pips": center_pips[player],
            "unshown": [
                {"faces": [*pair], "count": count}
                for pair, count in zip(faces, unshown[player], strict=False)
            ],
            "num_unshown": num_unshown[player],
            "hand_size": hand_sizes[player],
            "hand": None,
            "has_chosen": bool(has_chosen[player]),
            "start_face": None,
            "is_out": bool(is_out[player]),
        }
        for player in range(seen.num_players)
    ]


def faces_of(pieces: State) -> list[list[int]]:
    """The two faces of each kind of token in the game."""
    return [pair for pair in pieces.kind_faces.tolist() if pair[0] != NO_FACE]


# --- targets --------------------------------------------------------------------------------------


def _targets(seen: State, top: list[int]) -> list[Target]:
    """Where the player whose turn it is may place, and which tokens count there. The board alone
    tells, so all may see it."""
    if seen.phase != PLAY_PHASE or seen.drawer != NO_PLAYER:
        return []
    ways = seen.ways[seen.active]
    squares = np.flatnonzero(ways)
    is_closed = _closed(seen)
    return [
        _target(top, is_closed, square, way)
        for square, way in zip(squares.tolist(), ways[squares].tolist(), strict=True)
    ]


def _closed(seen: State) -> list[bool]:
    """Where the player whose turn it is may not arrive (U5, U6), by square."""
    markers = seen.marker
    closed = (seen.under != EMPTY) | ((markers != NO_PLAYER) & (markers != seen.active))
    return closed.tolist()


def _target(top: list[int], is_closed: list[bool], square: int, ways: int) -> Target:
    origins = [_origin(top, square, step) for step in _STEPS_OF_WAYS[ways % START_RIGHT]]
    return {
        "square": square_name(square),
        "origins": [square_name(origin) for origin in sorted(origins)],
        "start_right": ways >= START_RIGHT,
        "onward": [*_onward(square, *[_reach(top, is_closed, square, step) for step in _STEPS])],
    }


@functools.lru_cache(maxsize=16384)
def _onward(square: int, *reach: int) -> tuple[str, ...]:
    """The squares to which each face could count on, given how far that is possible on each way."""
    return tuple(
        " ".join(
            square_name(square + face * step)
            for step, furthest in zip(_STEPS, reach, strict=True)
            if face <= furthest
        )
        for face in range(1, max(reach) + 1)
    )


_STEPS: list[int] = STEPS.tolist()
_STEPS_OF_WAYS = [
    [step for direction, step in enumerate(_STEPS) if ways & 1 << direction]
    for ways in range(START_RIGHT)
]
"""The steps that lead here, by the bits of `ways` below START_RIGHT."""


def _origin(top: list[int], square: int, step: int) -> int:
    """Back along a counting line that ends here: the first token on it is where it starts."""
    square -= step
    while top[square] == EMPTY:
        square -= step
    return square


def _reach(top: list[int], is_closed: list[bool], square: int, step: int) -> int:
    """The highest face that could count on from here: up to the first token, and onto it if the
    player may cover it."""
    for face in range(1, MAX_FACE + 1):
        square += step
        if top[square] != EMPTY:
            return face - is_closed[square]
    return MAX_FACE
