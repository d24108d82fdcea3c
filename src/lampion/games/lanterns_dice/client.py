"""What the board in the browser takes from this package: its pieces as drawings, and the facts that
drawn examples of the rulebook show. `python -m scripts.web_art` writes both into the client."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lampion.games import art
from lampion.games.lanterns_dice.svg import table_pieces
from lampion.games.lanterns_dice.svg_lake import sign_pieces


def pieces() -> str:
    return art.element("defs", *sign_pieces(), *table_pieces())


def examples(components: Mapping[str, Any]) -> dict[str, Any]:
    """Lake 1 with its boats, and the shapes with the honor of their first tiles."""
    lake, height = components["lakes"]["lake1"], components["grid"]["rows"]
    codes = [
        (code, column, height - row)
        for row, line in enumerate(lake)
        for column, code in enumerate(line.split())
    ]
    return {
        "lake": lake,
        "boats": [
            f"{chr(ord('a') + column)}{row}" for code, column, row in codes if code.endswith("b")
        ],
        "shapes": {
            name: {"rows": shape["rows"], "honor": shape["honor"][0]}
            for name, shape in components["fireworks"]["shapes"].items()
        },
    }
