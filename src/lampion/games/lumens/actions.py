"""The actions of Lumens and their ids.

A placement is named by row, column and face; which kind of token it is follows from the face.
Choosing the face of the start token is a kind of action of its own, because it is secret.
"""

import functools

from lampion.core.actions import ActionSpace, Block
from lampion.core.bits import by_remainder
from lampion.core.compile import rule
from lampion.core.types import Action, Player
from lampion.games.lumens.components import (
    COLUMN_LETTERS,
    MAX_COLUMNS,
    MAX_FACE,
    MAX_KINDS,
    MAX_PLAYERS,
    MAX_ROWS,
    Face,
    Kind,
)
from lampion.games.lumens.state import ROW_LENGTH, SQUARES_PER_WORD, START_SHOWN

ACTIONS = ActionSpace(
    Block("place", MAX_ROWS, MAX_COLUMNS, MAX_FACE, rule="U5"),  # row, column and face, all from 0
    Block("choose_start", MAX_FACE, rule="U4", secret=True, shown_by=START_SHOWN),
    Block("middle", MAX_PLAYERS, rule="U3", by_chance=True),
    Block("draw", MAX_KINDS, rule="U9", secret=True, by_chance=True),
)

PLACE: Action = ACTIONS["place"].start
CHOOSE_START: Action = ACTIONS["choose_start"].start
MIDDLE: Action = ACTIONS["middle"].start
DRAW: Action = ACTIONS["draw"].start


@rule(inline=True)
def place_action(square: int, face: Face) -> Action:
    place = (square // ROW_LENGTH - 1) * MAX_COLUMNS + square % ROW_LENGTH
    return PLACE + place * MAX_FACE + face - 1


@rule(inline=True)
def placed_square(action: Action) -> int:
    place = (action - PLACE) // MAX_FACE
    return (place // MAX_COLUMNS + 1) * ROW_LENGTH + place % MAX_COLUMNS


@rule(inline=True)
def placed_face(action: Action) -> Face:
    return (action - PLACE) % MAX_FACE + 1


@rule(inline=True)
def choose_action(face: Face) -> Action:
    return CHOOSE_START + face - 1


@rule(inline=True)
def middle_action(player: Player) -> Action:
    return MIDDLE + player


@rule(inline=True)
def draw_action(kind: Kind) -> Action:
    return DRAW + kind


PLACE_OFFSETS = by_remainder(
    [place_action(square, 0) - place_action(0, 0) for square in range(SQUARES_PER_WORD)]
)
"""How far the id of a placement lies behind that on the first square of its word, by the remainder
of the square's bit (see `core.bits`)."""


@functools.cache
def square_name(square: int) -> str:
    """A square as in the notation, such as c5."""
    row, column = divmod(square, ROW_LENGTH)
    return f"{COLUMN_LETTERS[column]}{row}"


@functools.cache
def square_number(name: str) -> int:
    return int(name[1:]) * ROW_LENGTH + COLUMN_LETTERS.index(name[0])
