"""What the board in the browser takes from this package: its pieces as drawings, and the facts that
drawn examples of the rulebook show. `python -m scripts.web_art` writes both into the client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lampion.games import art
from lampion.games.lumens.svg_board import board_definitions


def pieces() -> str:
    return art.element("defs", *board_definitions())


def examples(components: Mapping[str, Any]) -> dict[str, Any]:
    """The two houses with the start squares of a full table, the kinds of token, and what the first
    place in a room pays."""
    boards = {name: components["boards"][key] for name, key in (("small", "p2"), ("large", "p34"))}
    return {
        "boards": {name: _house(board) for name, board in boards.items()},
        "colors": components["player_colors"],
        "tokens": components["tokens"],
        "pointsFirst": components["points_first"],
    }


def _house(board: Mapping[str, Any]) -> dict[str, Any]:
    rows = board["map"]
    starts = board["starts"][str(max(board["players"]))]
    return {
        "columns": len(rows[0]),
        "rows": len(rows),
        "map": rows,
        "center": board["center"],
        "starts": [f"{chr(ord('a') + column)}{len(rows) - row}" for column, row in starts],
    }
