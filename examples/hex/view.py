"""Hex as everybody sees it, ready for JSON."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from hex.notation import COLUMN_LETTERS, cell_name
from hex.state import EDGES_CONNECTED, ROW, SIZE, STONE_PLACED, State
from lampion.core.events import AnyEvent, Telling, Writer, move
from lampion.core.types import Player
from lampion.core.views import MatchView, Movement, Told, doc

FREE, SIGNS = ".", "xo"


class Table(TypedDict):
    """The game's part of a view."""

    board: Annotated[
        list[str],
        doc("rows from the top: x and o are the stones of the two players, dots are free"),
    ]
    columns: Annotated[str, doc("the letters of the columns, from the left")]


class View(MatchView, Table):
    """The table as everybody sees it."""


class StonePlaced(Movement):
    """A stone lies on a cell."""

    cause: Literal["place"]
    cell: Annotated[str, doc("column and row, such as f6")]


class EdgesConnected(Told):
    """Both edges of a player are connected: the game is over."""

    event: Literal["edges_connected"]
    player: int


Event: TypeAlias = StonePlaced | EdgesConnected


def view(seen: State, seat: Player) -> Table:
    maps = seen.stones.reshape(-1, ROW, ROW)[:, 1 : SIZE + 1, 1 : SIZE + 1]
    signs = np.where(maps[0] != 0, SIGNS[0], np.where(maps[1] != 0, SIGNS[1], FREE))
    return {"board": ["".join(row) for row in signs.tolist()], "columns": COLUMN_LETTERS}


def events(trail: npt.NDArray[np.int32], telling: Telling) -> list[AnyEvent]:
    """What an action did, in order."""
    return [_EVENTS[cause](telling, *row) for cause, *row in trail.tolist()]


def _placed(t: Telling, player: Player, _: int, cell: int, __: int, count: int) -> AnyEvent:
    row, column = (number - 1 for number in divmod(cell, ROW))  # without the border
    if signs := t.at("board", row):
        t.set(f"{signs[:column]}{SIGNS[player]}{signs[column + 1 :]}", "board", row)
    told = move("place", player, "stone", f"seat:{player}", f"cell:{cell_name(cell)}", count)
    return t.event({**told, "cell": cell_name(cell)})


def _connected(t: Telling, player: Player, *_: int) -> AnyEvent:
    return t.event({"event": "edges_connected", "player": player})


_EVENTS: dict[int, Writer] = {STONE_PLACED: _placed, EDGES_CONNECTED: _connected}
