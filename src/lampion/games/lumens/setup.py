"""The set-up of Lumens, U1 to U3: from players, options and components to the state before chance
acts for the first time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lampion.core.errors import InvalidOptions
from lampion.core.options import ChoiceOption, Option
from lampion.core.types import NO_PLAYER
from lampion.games.lumens.components import (
    NO_FACE,
    NO_SQUARE_SIGN,
    PASSAGE_SIGN,
    PLAYERS_WITH_MIDDLE,
    ROOM_LETTERS,
    BoardFile,
    LumensFile,
    Spot,
)
from lampion.games.lumens.rules import seat_players
from lampion.games.lumens.state import (
    EMPTY,
    NO_KIND,
    NO_ROOM,
    NO_SQUARE,
    OFF_BOARD,
    PASSAGE,
    ROW_LENGTH,
    SEAT_PHASE,
    State,
)

OPTIONS: Sequence[Option] = (
    ChoiceOption("starts", "published", (PLAYERS_WITH_MIDDLE,), choices=("published", "balanced")),
)


def new_state(players: int, options: Mapping[str, str], components: LumensFile) -> State:
    spots = _start_spots(players, options, components)
    board = components.board(players)
    state = State()
    state.num_players = players
    state.drawer = NO_PLAYER
    _lay_out_board(state, board)
    _lay_out_tokens(state, components)
    state.place_points[:2] = components.points_first, components.second_place(players)
    state.spots[:players] = [_square(board, spot) for spot in spots]
    if players == PLAYERS_WITH_MIDDLE:
        state.phase = SEAT_PHASE
    else:
        seat_players(state, 0)
        state.num_events = 0
    return state


# --- options --------------------------------------------------------------------------------------


def _start_spots(players: int, options: Mapping[str, str], components: LumensFile) -> list[Spot]:
    """U3: the list of start squares that the options ask for."""
    name = f"{players}_balanced" if options["starts"] == "balanced" else str(players)
    spots = components.board(players).starts.lists()[name]
    if spots is None:
        message = "these components have no balanced start squares"
        raise InvalidOptions(
            message,
            code="option-not-in-components",
            where="options.starts",
            option="starts",
            value=options["starts"],
        )
    return spots


# --- pieces ---------------------------------------------------------------------------------------


def _square(board: BoardFile, spot: Spot) -> int:
    """Rows are counted from the top in the file and from 1 at the bottom in the state."""
    column, row = spot
    return (len(board.map) - row) * ROW_LENGTH + column


def _lay_out_board(state: State, board: BoardFile) -> None:
    state.num_rows, state.num_columns = len(board.map), len(board.map[0])
    state.center = ROOM_LETTERS.index(board.center)
    state.room[:] = NO_ROOM
    state.top[:] = state.under[:] = OFF_BOARD
    state.marker[:] = NO_PLAYER
    state.starts[:] = NO_SQUARE
    for row, signs in enumerate(board.map):
        for column, sign in enumerate(signs):
            if sign != NO_SQUARE_SIGN:
                square = _square(board, (column, row))
                state.room[square] = PASSAGE if sign == PASSAGE_SIGN else ROOM_LETTERS.index(sign)
                state.top[square] = state.under[square] = EMPTY


def _lay_out_tokens(state: State, components: LumensFile) -> None:
    """U1: all tokens are in their bags."""
    state.face_kinds[:] = NO_KIND
    for kind, token in enumerate(components.tokens):
        state.kind_faces[kind] = token.faces
        state.face_kinds[list(token.faces)] = kind
        state.unshown[: state.num_players, kind] = token.count
    state.num_unshown[:] = state.unshown.sum(axis=1)
    state.hand[:] = NO_KIND
    state.start_face[:] = NO_FACE
