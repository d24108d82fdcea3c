"""The same sheets and cards in other colors and with other numbers. All six colors are alike in the
rules; a card keeps its price and its two sides."""

from collections.abc import Callable
from typing import Any

from lampion.games.lanterns_dice.components import COLOR_LETTERS


def disguise(pieces: dict[str, Any], shuffled: Callable[[list[Any]], list[Any]]) -> None:
    colors = str.maketrans(dict(zip(COLOR_LETTERS, shuffled([*COLOR_LETTERS]), strict=True)))
    for name, rows in pieces["lakes"].items():
        pieces["lakes"][name] = [row.translate(colors) for row in rows]
    for bonuses in pieces["turn_bonuses"].values():
        for turns, column in bonuses.items():
            bonuses[turns] = column.translate(colors)
    pieces["emperor_cards"] = shuffled(pieces["emperor_cards"])
