"""Write the art that the web client shares with the drawings of the engine: the same lanterns, emblems and colours, one home."""

from __future__ import annotations

from pathlib import Path

from lampion.games import art
from lampion.games.lanterns import svg as lanterns
from lampion.games.lanterns_dice.svg import table_pieces
from lampion.games.lanterns_dice.svg_lake import sign_pieces
from lampion.games.lumens.svg_board import board_definitions

WEB = Path(__file__).parent.parent / "web" / "src"


def palette() -> str:
    """Custom properties for the colours of `art.py`."""
    names = ["GROUND_DEEP", "GROUND", "RAISED", "RAISED_EDGE", "PAPER", "INK", "NIGHT_TEXT", "NIGHT_TEXT_QUIET", "GOLD", "WARNING"]
    names += ["WOOD_LIGHT", "WOOD", "WOOD_DARK", "RIPPLE"]
    lines = [f"  --{name.lower().replace('_', '-')}: {getattr(art, name)};" for name in names]
    for letter, look in art.LANTERNS.items():
        hues = {"": look.color, "-lit": look.lit, "-rim": look.rim}
        lines += [f"  --lantern-{letter}{part}: {hue};" for part, hue in hues.items()]
    return "\n".join(["/* Made by scripts/web_art.py from lampion/games/art.py. */", ":root {", *lines, "}", ""])


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


def files() -> dict[Path, str]:
    return {
        WEB / "art" / "definitions.svg": art.definitions() + "\n",
        WEB / "art" / "shapes.ts": outlines(),
        WEB / "boards" / "lanterns" / "pieces.svg": "<defs>" + "".join(lanterns.pieces()) + "</defs>\n",
        WEB / "boards" / "lanterns_dice" / "pieces.svg": dice_pieces(),
        WEB / "boards" / "lumens" / "pieces.svg": art.element("defs", *board_definitions()) + "\n",
        WEB / "styles" / "palette.css": palette(),
    }


if __name__ == "__main__":
    for path, content in files().items():
        path.write_text(content)
        print(path.relative_to(WEB.parent.parent))
