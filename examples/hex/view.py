"""Hex as everybody sees it, ready for JSON."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from hex.notation import COLUMN_LETTERS, cell_name
from hex.state import EDGES_CONNECTED, ROW, SIZE, STONE_PLACED, State
from lampion.core.types import Json, Player
from lampion.core.views import MatchView, doc

FREE, SIGNS = ".", "xo"
EVENT_NAMES = {STONE_PLACED: "stone_placed", EDGES_CONNECTED: "edges_connected"}


class Table(TypedDict):
    """The game's part of a view."""

    board: Annotated[
        list[str],
        doc("rows from the top: x and o are the stones of the two players, dots are free"),
    ]
    columns: Annotated[str, doc("the letters of the columns, from the left")]


class View(MatchView, Table):
    """The table as everybody sees it."""


class StonePlaced(TypedDict):
    """A stone lies on a cell."""

    event: Literal["stone_placed"]
    player: int
    cell: Annotated[str, doc("column and row, such as f6")]


class EdgesConnected(TypedDict):
    """Both edges of a player are connected: the game is over."""

    event: Literal["edges_connected"]
    player: int


Event: TypeAlias = StonePlaced | EdgesConnected


def view(seen: State, seat: Player) -> Table:
    maps = seen.stones.reshape(-1, ROW, ROW)[:, 1 : SIZE + 1, 1 : SIZE + 1]
    signs = np.where(maps[0] != 0, SIGNS[0], np.where(maps[1] != 0, SIGNS[1], FREE))
    return {"board": ["".join(row) for row in signs.tolist()], "columns": COLUMN_LETTERS}


def events(trail: npt.NDArray[np.int32]) -> list[dict[str, Json]]:
    """What an action did, in order."""
    return [_event(*row) for row in trail.tolist()]


def _event(kind: int, player: Player, cell: int, _: int) -> dict[str, Json]:
    event: dict[str, Json] = {"event": EVENT_NAMES[kind], "player": player}
    return {**event, "cell": cell_name(cell)} if kind == STONE_PLACED else event
