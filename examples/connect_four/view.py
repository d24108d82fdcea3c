"""Connect Four as everybody sees it, ready for JSON."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from connect_four.notation import COLUMN_LETTERS
from connect_four.state import COLUMN_BITS, DISC_DROPPED, FOUR_IN_LINE, NUM_COLUMNS, NUM_ROWS, State
from lampion.core.events import AnyEvent, Telling, Writer, move
from lampion.core.types import Player
from lampion.core.views import MatchView, Movement, Told, doc

FREE, DISC_SIGNS = ".", "xo"


class Table(TypedDict):
    """The game's part of a view."""

    board: Annotated[
        list[str], doc("rows from the top: x and o are the discs of the two players, dots are free")
    ]
    columns: Annotated[str, doc("the letters of the columns, from the left")]


class View(MatchView, Table):
    """The table as everybody sees it."""


class DiscDropped(Movement):
    """A disc fell to its place."""

    cause: Literal["drop"]
    place: Annotated[str, doc("column and row, such as d1")]


class FourInLine(Told):
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


def events(trail: npt.NDArray[np.int32], telling: Telling) -> list[AnyEvent]:
    """What an action did, in order."""
    return [_EVENTS[cause](telling, *row) for cause, *row in trail.tolist()]


def _dropped(t: Telling, player: Player, _: int, column: int, row: int, count: int) -> AnyEvent:
    from_top = NUM_ROWS - 1 - row
    if signs := t.at("board", from_top):
        t.set(f"{signs[:column]}{DISC_SIGNS[player]}{signs[column + 1 :]}", "board", from_top)
    place = f"{COLUMN_LETTERS[column]}{row + 1}"
    told = move("drop", player, "disc", f"seat:{player}", f"place:{place}", count)
    return t.event({**told, "place": place})


def _four_in_line(t: Telling, player: Player, *_: int) -> AnyEvent:
    return t.event({"event": "four_in_line", "player": player})


_EVENTS: dict[int, Writer] = {DISC_DROPPED: _dropped, FOUR_IN_LINE: _four_in_line}
