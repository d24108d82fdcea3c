"""Write what the web client shares with the engine, one home for each: lanterns, emblems and colors,
the pieces in drawn examples, and the words for pieces."""

from __future__ import annotations

import importlib
import json
import tomllib
from pathlib import Path

from lampion.core.game import Game, facts_of, find_game, own_game_names
from lampion.core.messages import catalog, languages
from lampion.games import art

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
        "GOLD",
        "WARNING",
    ]
    names += ["WOOD_LIGHT", "WOOD", "WOOD_DARK", "RIPPLE"]
    lines = [f"  --{name.lower().replace('_', '-')}: {getattr(art, name)};" for name in names]
    lines += [f"  --lantern-{letter}: {look.color};" for letter, look in art.LANTERNS.items()]
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


WORDS = ("words", "cards")
"""The sections of a catalog that name pieces and what they do."""


def words(game: Game, language: str) -> dict[str, str]:
    """What the catalog of a game calls its pieces. Forms of words, such as `R.lantern`, are for
    sentences about events, which are told by the whole catalog."""
    known = catalog(_package(game), language)
    return {
        f"{section}.{key}": text
        for section in WORDS
        for key, text in known.get(section, {}).items()
        if "." not in key
    }


def _package(game: Game) -> Path:
    return Path(game.__file__).parent


def _text(content: object, indent: int) -> str:
    return json.dumps(content, indent=indent, ensure_ascii=False) + "\n"


def board_files(game: Game) -> dict[Path, str]:
    """What the board of one game takes from its package."""
    client = importlib.import_module(f"{game.__name__}.client")
    components = tomllib.loads((_package(game) / "components.toml").read_text("utf-8"))
    folder = WEB / "boards" / game.NAME
    texts = {
        folder / "messages" / language / "words.json": _text(words(game, language), 2)
        for language in languages()
    }
    return {
        folder / "pieces.svg": client.pieces() + "\n",
        folder / "examples" / "pieces.json": _text(client.examples(components), 1),
        **texts,
    }


def files() -> dict[Path, str]:
    found = {
        WEB / "art" / "definitions.svg": art.definitions() + "\n",
        WEB / "art" / "shapes.ts": outlines(),
        WEB / "styles" / "palette.css": palette(),
    }
    for game in map(find_game, own_game_names()):
        if facts_of(game).has_board:
            found |= board_files(game)
    return found


if __name__ == "__main__":
    for path, content in files().items():
        path.write_text(content)
        print(path.relative_to(WEB.parent.parent))
