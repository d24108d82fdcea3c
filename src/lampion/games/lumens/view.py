"""Lumens as a seat sees it, ready for JSON. Everything here is made from the redacted record alone."""

from __future__ import annotations

from typing import get_args

import numpy as np
import numpy.typing as npt

from lampion.core.types import NO_PLAYER, Player
from lampion.games.lumens import view_types as shown
from lampion.games.lumens.actions import square_name
from lampion.games.lumens.components import COLOR_NAMES, MAX_KINDS, NO_FACE, NO_SQUARE_SIGN, PASSAGE_SIGN, ROOM_LETTERS, Kind, Room
from lampion.games.lumens.rules_board import STEPS
from lampion.games.lumens.rules_tokens import token_face, token_owner
from lampion.games.lumens.state import (
    BLOCKED,
    EMPTY,
    NO_KIND,
    NO_ROOM,
    NO_SQUARE,
    NUM_DIRECTIONS,
    OVER_PHASE,
    PASSAGE,
    PLAY_PHASE,
    POINTS_CHANGED,
    ROW_LENGTH,
    SEATED,
    START_CHOSEN,
    START_RIGHT,
    START_SHOWN,
    TOKEN_COVERED,
    TOKEN_DRAWN,
    TOKEN_PLACED,
    State,
)
from lampion.games.lumens.view_types import Event, PhaseName, PlainEventName, Table, TokenEventName

PHASE_NAMES: tuple[PhaseName, ...] = get_args(PhaseName)


def view(seen: State, seat: Player) -> Table:
    return {
        "board": _board(seen),
        "squares": [_square(seen, square) for square in _squares(seen) if seen.top[square] != EMPTY],
        "last_placed": _name(seen.last_placed),
        "rooms": [_room(seen, room) for room in _rooms(seen)],
        "seats": [_seat(seen, player, seat) for player in range(seen.num_players)],
        "targets": _targets(seen),
        "turn": {
            "phase": PHASE_NAMES[seen.phase],
            "active": seen.active if seen.phase in (PLAY_PHASE, OVER_PHASE) else None,
            "drawer": None if seen.drawer == NO_PLAYER else seen.drawer,
        },
    }


# --- the board --------------------------------------------------------------------------------------------------------------------


def _board(seen: State) -> shown.Board:
    """`map` is as in the components: rows from the top, letters are rooms, dots are passages, spaces are no squares."""
    rows = [_row(seen, row) for row in range(seen.num_rows, 0, -1)]
    return {"columns": seen.num_columns, "rows": seen.num_rows, "map": rows, "center": ROOM_LETTERS[seen.center]}


def _row(seen: State, row: int) -> str:
    rooms = seen.room[row * ROW_LENGTH : row * ROW_LENGTH + seen.num_columns]
    signs = {NO_ROOM: NO_SQUARE_SIGN, PASSAGE: PASSAGE_SIGN}
    return "".join(signs.get(int(room)) or ROOM_LETTERS[room] for room in rooms)


def _squares(seen: State) -> list[int]:
    return [int(square) for square in np.flatnonzero(seen.room != NO_ROOM)]


def _square(seen: State, square: int) -> shown.Light:
    """The light on a square, and the dead token below it, if any."""
    covered = int(seen.under[square])
    return {
        "square": square_name(square),
        **_token(int(seen.top[square])),
        "covered": None if covered == EMPTY else _token(covered),
    }


def _name(square: int) -> str | None:
    return None if square == NO_SQUARE else square_name(square)


def _token(token: int) -> shown.Token:
    return {"player": token_owner(token), "face": token_face(token)}


# --- rooms ------------------------------------------------------------------------------------------------------------------------


def _rooms(seen: State) -> list[Room]:
    return sorted({int(room) for room in seen.room if room >= 0})


def _room(seen: State, room: Room) -> shown.Room:
    """Pips and points as they stand (U11), by player; the leaders have the most pips, and a dark room has none."""
    pips = [int(pips) for pips in seen.room_pips[room, : seen.num_players]]
    return {
        "room": ROOM_LETTERS[room],
        "center": room == seen.center,
        "pips": pips,
        "points": [int(points) for points in seen.room_points[room, : seen.num_players]],
        "leaders": [player for player, own in enumerate(pips) if own and own == max(pips)],
    }


# --- seats ------------------------------------------------------------------------------------------------------------------------


def _seat(seen: State, player: Player, seat: Player) -> shown.Seat:
    """The token in hand and the chosen start face are shown to their owner alone. For everybody else bag and hand are one number
    per kind, `unshown`; for the owner too, who knows the difference."""
    is_own = player == seat
    start = int(seen.starts[player])
    return {
        "color": COLOR_NAMES[player],
        "start": _name(start),
        "start_right": bool(seen.ways[player, start] & START_RIGHT),
        "points": int(seen.points[player]),
        "center_pips": int(seen.room_pips[seen.center, player]),
        "unshown": [{"faces": _faces(seen, kind), "count": int(seen.unshown[player, kind])} for kind in _kinds(seen)],
        "num_unshown": int(seen.num_unshown[player]),
        "hand_size": int(seen.hand_size[player]),
        "hand": _faces(seen, int(seen.hand[player])) if is_own and seen.hand[player] != NO_KIND else None,
        "has_chosen": bool(seen.has_chosen[player]),
        "start_face": int(seen.start_face[player]) if is_own and seen.start_face[player] != NO_FACE else None,
        "is_out": bool(seen.is_out[player]),
    }


def _kinds(seen: State) -> list[Kind]:
    return [kind for kind in range(MAX_KINDS) if seen.kind_faces[kind, 0] != NO_FACE]


def _faces(seen: State, kind: Kind) -> list[int]:
    return [int(face) for face in seen.kind_faces[kind]]


# --- targets ----------------------------------------------------------------------------------------------------------------------


def _targets(seen: State) -> list[shown.Target]:
    """Where the player whose turn it is may place, and which tokens count there. The board alone tells, so all may see it."""
    if seen.phase != PLAY_PHASE or seen.drawer != NO_PLAYER:
        return []
    ways = seen.ways[seen.active]
    return [_target(seen, int(square), int(ways[square])) for square in np.flatnonzero(ways)]


def _target(seen: State, square: int, ways: int) -> shown.Target:
    origins = [_origin(seen, square, direction) for direction in range(NUM_DIRECTIONS) if ways & 1 << direction]
    return {
        "square": square_name(square),
        "origins": [square_name(origin) for origin in sorted(origins)],
        "start_right": bool(ways & START_RIGHT),
    }


def _origin(seen: State, square: int, direction: int) -> int:
    """Back along a counting line that ends here: the first token on it is where it starts."""
    square -= int(STEPS[direction])
    while seen.top[square] == EMPTY:
        square -= int(STEPS[direction])
    return square


# --- events -----------------------------------------------------------------------------------------------------------------------


def events(trail: npt.NDArray[np.int32]) -> list[Event]:
    """What an action did, in order."""
    return [_event(*(int(number) for number in row)) for row in trail]


def _event(kind: int, player: Player, a: int, b: int) -> Event:
    match kind:
        case _ if kind in _TOKEN_EVENTS:
            return {"event": _TOKEN_EVENTS[kind], "player": player, "square": square_name(a), "face": b}
        case _ if kind == SEATED:
            return {"event": "seated", "player": player, "square": square_name(a)}
        case _ if kind == POINTS_CHANGED:
            return {
                "event": "points_gained" if b > 0 else "points_lost",
                "player": player,
                "room": ROOM_LETTERS[a],
                "points": abs(b),
            }
        case _:
            return {"event": _PLAIN_EVENTS[kind], "player": player}


_TOKEN_EVENTS: dict[int, TokenEventName] = {
    START_SHOWN: "start_shown",
    TOKEN_PLACED: "token_placed",
    TOKEN_COVERED: "token_covered",
}
_PLAIN_EVENTS: dict[int, PlainEventName] = {TOKEN_DRAWN: "token_drawn", START_CHOSEN: "start_chosen", BLOCKED: "blocked"}
