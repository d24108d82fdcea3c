"""Connect Four as everybody sees it, ready for JSON."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from connect_four.notation import COLUMN_LETTERS
from connect_four.state import COLUMN_BITS, DISC_DROPPED, FOUR_IN_LINE, NUM_COLUMNS, NUM_ROWS, State
from lampion.core.types import Json, Player
from lampion.core.views import MatchView, doc

FREE, DISC_SIGNS = ".", "xo"
EVENT_NAMES = {DISC_DROPPED: "disc_dropped", FOUR_IN_LINE: "four_in_line"}


class Table(TypedDict):
    """The game's part of a view."""

    board: Annotated[
        list[str], doc("rows from the top: x and o are the discs of the two players, dots are free")
    ]
    columns: Annotated[str, doc("the letters of the columns, from the left")]


class View(MatchView, Table):
    """The table as everybody sees it."""


class DiscDropped(TypedDict):
    """A disc fell to its place."""

    event: Literal["disc_dropped"]
    player: int
    place: Annotated[str, doc("column and row, such as d1")]


class FourInLine(TypedDict):
    """Four discs are in line: the game is over."""

    event: Literal["four_in_line"]
    player: int


Event: TypeAlias = DiscDropped | FourInLine


def view(seen: State, seat: Player) -> Table:
    return {
        "board": [_row(seen, row) for row in reversed(range(NUM_ROWS))],
        "columns": COLUMN_LETTERS,
    }


def _row(seen: State, row: int) -> str:
    return "".join(_sign(seen, column, row) for column in range(NUM_COLUMNS))


def _sign(seen: State, column: int, row: int) -> str:
    bit = 1 << (column * COLUMN_BITS + row)
    return next(
        (sign for sign, discs in zip(DISC_SIGNS, seen.discs, strict=True) if int(discs) & bit), FREE
    )


def events(trail: npt.NDArray[np.int32]) -> list[dict[str, Json]]:
    """What an action did, in order."""
    return [_event(*row) for row in trail.tolist()]


def _event(kind: int, player: Player, column: int, row: int) -> dict[str, Json]:
    event: dict[str, Json] = {"event": EVENT_NAMES[kind], "player": player}
    return (
        {**event, "place": f"{COLUMN_LETTERS[column]}{row + 1}"} if kind == DISC_DROPPED else event
    )
