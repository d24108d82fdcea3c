"""The same tiles in other colors and with other numbers. Red stays red, because the first player
faces it (L1), and the start tile keeps its number."""

from collections.abc import Callable
from typing import Any

from lampion.games.lanterns.components import COLOR_LETTERS, RED, START_TILE


def disguise(pieces: dict[str, Any], shuffled: Callable[[list[Any]], list[Any]]) -> None:
    others = [letter for color, letter in enumerate(COLOR_LETTERS) if color != RED]
    colors = str.maketrans(dict(zip(others, shuffled(others), strict=True)))
    for tile in pieces["tiles"]:
        tile["sides"] = tile["sides"].translate(colors)
    start, rest = pieces["tiles"][: START_TILE + 1], pieces["tiles"][START_TILE + 1 :]
    pieces["tiles"] = [*start, *shuffled(rest)]
