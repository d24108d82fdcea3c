"""Write what the web client shares with the engine, one home for each: lanterns, emblems and colors,
the pieces in drawn examples, and the words for pieces."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from lampion.core.messages import catalog, languages
from lampion.games import art
from lampion.games.lanterns import svg as lanterns
from lampion.games.lanterns_dice.svg import table_pieces
from lampion.games.lanterns_dice.svg_lake import sign_pieces
from lampion.games.lumens.svg_board import board_definitions

WEB = Path(__file__).parent.parent / "web" / "src"


def palette() -> str:
    """Custom properties for the colors of `art.py`."""
    names = [
        "GROUND_DEEP",
        "GROUND",
        "RAISED",
        "RAISED_EDGE",
        "PAPER",
        "INK",
        "NIGHT_TEXT",
        "NIGHT_TEXT_QUIET",
        "GOLD",
        "WARNING",
    ]
    names += ["WOOD_LIGHT", "WOOD", "WOOD_DARK", "RIPPLE"]
    lines = [f"  --{name.lower().replace('_', '-')}: {getattr(art, name)};" for name in names]
    for letter, look in art.LANTERNS.items():
        hues = {"": look.color, "-lit": look.lit, "-rim": look.rim}
        lines += [f"  --lantern-{letter}{part}: {hue};" for part, hue in hues.items()]
    return "\n".join(
        ["/* Made by scripts/web_art.py from lampion/games/art.py. */", ":root {", *lines, "}", ""]
    )


def outlines() -> str:
    """The shapes of the lanterns, for boards that draw them in their own way."""
    entries = [
        f'  {letter}: {{ name: "{look.name}", outline: "{look.outline}", letterY: {look.letter_y:g} }},'
        for letter, look in art.LANTERNS.items()
    ]
    head = "// Made by scripts/web_art.py from lampion/games/art.py."
    return "\n".join([head, "export const LANTERN_SHAPES = {", *entries, "} as const;", ""])


def dice_pieces() -> str:
    """What only Lanterns Dice has; its board brings them along."""
    return art.element("defs", *sign_pieces(), *table_pieces()) + "\n"


def components(game: str) -> dict[str, Any]:
    """The published pieces of a game."""
    return tomllib.loads((Path(art.__file__).parent / game / "components.toml").read_text("utf-8"))


def lanterns_examples() -> dict[str, Any]:
    """What the drawn examples of the rulebook show: the tiles, and the honor on top of each stack."""
    given = components("lanterns")
    return {
        "tiles": [
            {"sides": tile["sides"], "platform": tile.get("platform", False)}
            for tile in given["tiles"]
        ],
        "topHonor": {stack: tokens[0]["honor"] for stack, tokens in given["dedications"].items()},
        "exchangeCost": given["exchange_cost_favors"],
    }


def dice_examples() -> dict[str, Any]:
    """Lake 1 with its boats, and the shapes with the honor of their first tiles."""
    given = components("lanterns_dice")
    lake, height = given["lakes"]["lake1"], given["grid"]["rows"]
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
            for name, shape in given["fireworks"]["shapes"].items()
        },
    }


def lumens_examples() -> dict[str, Any]:
    """The two houses with the start squares of a full table, the kinds of token, and what the first place in a room pays."""
    given = components("lumens")
    boards = {name: given["boards"][key] for name, key in (("small", "p2"), ("large", "p34"))}
    return {
        "boards": {name: _house(board) for name, board in boards.items()},
        "colors": given["player_colors"],
        "tokens": given["tokens"],
        "pointsFirst": given["points_first"],
    }


def _house(board: dict[str, Any]) -> dict[str, Any]:
    rows = board["map"]
    starts = board["starts"][str(max(board["players"]))]
    return {
        "columns": len(rows[0]),
        "rows": len(rows),
        "map": rows,
        "center": board["center"],
        "starts": [f"{chr(ord('a') + column)}{len(rows) - row}" for column, row in starts],
    }


WORDS = ("words", "cards")
"""The sections of a catalog that name pieces and what they do."""
EXAMPLES = {
    "lanterns": lanterns_examples,
    "lanterns_dice": dice_examples,
    "lumens": lumens_examples,
}


def words(game: str, language: str) -> dict[str, str]:
    """What the catalog of a game calls its pieces. Forms of words, such as `R.lantern`, are for
    sentences about events, which are told by the whole catalog."""
    known = catalog(Path(art.__file__).parent / game, language)
    return {
        f"{section}.{key}": text
        for section in WORDS
        for key, text in known.get(section, {}).items()
        if "." not in key
    }


def files() -> dict[Path, str]:
    examples = {
        WEB / "boards" / game / "examples" / "pieces.json": json.dumps(pieces(), indent=1) + "\n"
        for game, pieces in EXAMPLES.items()
    }
    texts = {
        WEB / "boards" / game / "messages" / language / "words.json": json.dumps(
            words(game, language), indent=2, ensure_ascii=False
        )
        + "\n"
        for game in EXAMPLES
        for language in languages()
    }
    return {
        **examples,
        **texts,
        WEB / "art" / "definitions.svg": art.definitions() + "\n",
        WEB / "art" / "shapes.ts": outlines(),
        WEB / "boards" / "lanterns" / "pieces.svg": "<defs>"
        + "".join(lanterns.pieces())
        + "</defs>\n",
        WEB / "boards" / "lanterns_dice" / "pieces.svg": dice_pieces(),
        WEB / "boards" / "lumens" / "pieces.svg": art.element("defs", *board_definitions()) + "\n",
        WEB / "styles" / "palette.css": palette(),
    }


if __name__ == "__main__":
    for path, content in files().items():
        path.write_text(content)
        print(path.relative_to(WEB.parent.parent))
