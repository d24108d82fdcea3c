"""Nim as everybody sees it."""

from __future__ import annotations

from typing import Literal, TypeAlias, TypedDict

import numpy as np
import numpy.typing as npt

from lampion.core.types import Json, Player
from lampion.core.views import MatchView
from tests.toys.nim.rules import State


class Table(TypedDict):
    heaps: list[int]


class View(MatchView, Table):
    """The table as everybody sees it."""


class Taken(TypedDict):
    event: Literal["taken"]
    player: int
    heap: int
    count: int


Event: TypeAlias = Taken


def view(seen: State, seat: Player) -> Table:
    return {"heaps": seen.heaps.tolist()}


def events(trail: npt.NDArray[np.int32]) -> list[dict[str, Json]]:
    return [
        {"event": "taken", "player": player, "heap": heap, "count": count}
        for _, player, heap, count in trail.tolist()
    ]


def draw_text(view: dict[str, Json]) -> str:
    return "\n".join("o" * heap for heap in view["heaps"])


def draw_svg(view: dict[str, Json]) -> str:
    return '<svg xmlns="http://www.w3.org/2000/svg"></svg>'
