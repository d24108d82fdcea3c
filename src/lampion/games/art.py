"""What the drawings of the games share: the palette, lanterns, seat emblems, and a few helpers that write SVG safely.

Drawings are made to stand alone or side by side in one page: no scripts, style sheets, fonts or images from elsewhere, and every id
starts with `lampion-` and always means the same thing, so that it does not matter whose definition a browser takes.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias
from xml.sax.saxutils import escape

Svg: TypeAlias = str
"""A piece of SVG that is already escaped."""

# --- palette ----------------------------------------------------------------------------------------------------------------------

GROUND_DEEP: Final = "#0b1230"
GROUND: Final = "#17245a"
RAISED: Final = "#1d2b63"
PAPER: Final = "#f7efe0"
INK: Final = "#2a2238"
NIGHT_TEXT: Final = "#f3ecdc"
NIGHT_TEXT_QUIET: Final = "#aebbe6"
GOLD: Final = "#f2b544"
WARNING: Final = "#ff8a7a"
WOOD: Final = "#8a5a34"
WOOD_DARK: Final = "#4f321d"
RIPPLE: Final = "#8fb4ff"

TEXT_FONTS: Final = "'Alegreya Sans','Gill Sans',Optima,Candara,'Segoe UI','Noto Sans','DejaVu Sans',sans-serif"
TITLE_FONTS: Final = "Alegreya,'Palatino Linotype',Palatino,'Book Antiqua','Noto Serif','DejaVu Serif',Georgia,serif"

# --- writing SVG ------------------------------------------------------------------------------------------------------------------

_NOT_IN_XML: Final = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_QUOTE: Final = {'"': "&quot;"}


def safe(content: object) -> Svg:
    """Any text, fit for content and attributes. XML has no place for control characters, so a name cannot smuggle them in."""
    return escape(_NOT_IN_XML.sub("", str(content)), _QUOTE)


def number(value: float) -> str:
    """At most two decimals, and neither `1.00` nor `-0`."""
    return f"{round(value, 2) + 0:.2f}".rstrip("0").rstrip(".")


def element(name: str, *children: Svg, **attributes: str | float | None) -> Svg:
    """An element; `fill_opacity` writes the attribute `fill-opacity`, and None leaves an attribute out."""
    written = "".join(_attribute(key, value) for key, value in attributes.items() if value is not None)
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def _attribute(key: str, value: str | float) -> Svg:
    return f' {key.rstrip("_").replace("_", "-")}="{safe(value if isinstance(value, str) else number(value))}"'


def group(*children: Svg, **attributes: str | float | None) -> Svg:
    return element("g", *children, **attributes)


def rectangle(x: float, y: float, width: float, height: float, radius: float, **attributes: str | float | None) -> Svg:
    return element("rect", x=x, y=y, width=width, height=height, rx=radius, **attributes)


def circle(x: float, y: float, radius: float, **attributes: str | float | None) -> Svg:
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def path(d: str, **attributes: str | float | None) -> Svg:
    return element("path", d=d, **attributes)


def label(content: object, x: float, y: float, size: float, **attributes: str | float | None) -> Svg:
    """A line of text whose capitals are centred on `y`: not every renderer knows `dominant-baseline`."""
    style: dict[str, str | float | None] = {"fill": NIGHT_TEXT, "text_anchor": "middle", **attributes}
    return element("text", safe(content), x=x, y=y + 0.35 * size, font_size=size, **style)


def tooltip(content: object) -> Svg:
    return element("title", safe(content))


def shortened(content: str, width: int) -> str:
    """A text cut to about so many letters; wide letters of East Asian scripts count twice."""
    total = 0
    for index, letter in enumerate(content):
        total += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if total > width:
            return content[: max(index - 1, 1)].rstrip() + "…"
    return content


def stamp(symbol: str, x: float, y: float, size: float, **attributes: str | float | None) -> Svg:
    """A symbol of `definitions`, centred on a point."""
    return element("use", href=f"#lampion-{symbol}", x=x - size / 2, y=y - size / 2, width=size, height=size, **attributes)


def url(name: str) -> str:
    return f"url(#lampion-{name})"


def symbol(name: str, half: float, *children: Svg) -> Svg:
    """A symbol drawn round the origin of a square from `-half` to `half`."""
    box = f"{number(-half)} {number(-half)} {number(2 * half)} {number(2 * half)}"
    return element("symbol", *children, id=f"lampion-{name}", viewBox=box)


def radial(name: str, *stops: tuple[float, str, float], center_y: float = 0.5) -> Svg:
    return element("radialGradient", *_stops(stops), id=f"lampion-{name}", cy=center_y)


def linear(name: str, *stops: tuple[float, str, float]) -> Svg:
    """From top to bottom."""
    return element("linearGradient", *_stops(stops), id=f"lampion-{name}", x1=0, y1=0, x2=0, y2=1)


def _stops(stops: tuple[tuple[float, str, float], ...]) -> list[Svg]:
    return [
        element("stop", offset=offset, stop_color=color, stop_opacity=None if opacity == 1 else opacity)
        for offset, color, opacity in stops
    ]


# --- lanterns ---------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lantern:
    """How a colour looks: a hue, the lit middle behind the letter, a rim, the letter, an outline and a pattern for print."""

    name: str
    color: str
    lit: str
    rim: str
    letter: str
    outline: str
    pattern: Svg
    letter_y: float = 0.0


def _polygon(corners: int, outer: float, inner: float | None = None, turn: float = 0.0, y: float = 0.0) -> str:
    """A closed path through a ring of corners, the first at the top; with `inner` a star."""
    radii = [outer] if inner is None else [outer, inner]
    steps = corners * len(radii)
    angles = [(turn + step / steps) * math.tau for step in range(steps)]
    radius = [radii[step % len(radii)] for step in range(steps)]
    points = [f"{number(r * math.sin(a))} {number(y - r * math.cos(a))}" for r, a in zip(radius, angles, strict=True)]
    return f"M{'L'.join(points)}Z"


_SQUARE: Final = "M-38-38H38V38H-38Z"
_DISC: Final = "M0-44A44 44 0 1 1 0 44A44 44 0 1 1 0-44Z"

LANTERNS: Final[Mapping[str, Lantern]] = {
    "R": Lantern("red", "#d6453d", "#ffd9c2", "#ff9c86", INK, _polygon(3, 56, y=12), path("M-2 2L2-2M0 14L14 0M12 16L16 12"), 14),
    "O": Lantern("orange", "#f08a24", "#fff0c4", "#ffc987", INK, _polygon(8, 47, turn=1 / 16), circle(7, 7, 2.6, fill="#000")),
    "G": Lantern("green", "#3f9b58", "#dcf7c9", "#93d9a1", INK, _polygon(4, 58, 27), path("M7 0V14")),
    "B": Lantern("blue", "#3a7bd5", "#d3ecff", "#94c2ff", INK, _polygon(6, 48), path("M0 7H14")),
    "P": Lantern("purple", "#8e55c0", "#f3dcff", "#c9a0ee", INK, _DISC, circle(7, 7, 4.2)),
    "W": Lantern("white", "#f6f1e3", "#fffdf4", "#ffffff", INK, _polygon(5, 56, 29, y=3), path("M7 4V10M4 7H10"), 3),
    "K": Lantern("black", "#2b2b36", "#3a3a49", "#f6f1e3", PAPER, _SQUARE, path("M0 0L14 14M14 0L0 14")),
}
"""In the canonical order of colours."""

_GLOW_REACH: Final = 1.7


def lantern(letter: str, x: float, y: float, size: float, **attributes: str | float | None) -> Svg:
    """A lantern about `size` wide, centred on a point; its glow reaches further."""
    return stamp(f"lantern-{letter}", x, y, size * _GLOW_REACH, **attributes)


def _lantern_definitions(letter: str, look: Lantern) -> list[Svg]:
    is_dark = letter == "K"
    glow_color = look.rim if is_dark else look.color
    center_y = 0.5 + look.letter_y / 100
    return [
        radial(f"glow-{letter}", (0.35, glow_color, 0.35 if letter in "KW" else 0.8), (0.7, glow_color, 0.14), (1, glow_color, 0)),
        radial(f"fill-{letter}", (0, look.lit, 1), (0.3, look.lit, 1), (0.72, look.color, 1), center_y=center_y),
        _pattern(letter, look.pattern, PAPER if is_dark else "#000"),
        symbol(f"lantern-{letter}", 50 * _GLOW_REACH, *_lantern_layers(letter, look)),
    ]


def _lantern_layers(letter: str, look: Lantern) -> list[Svg]:
    rim = 7 if letter == "K" else 4
    halo = {"stroke": look.lit, "stroke_width": 7, "stroke_linejoin": "round", "paint_order": "stroke"}
    return [
        circle(0, 0, 50 * _GLOW_REACH, fill=url(f"glow-{letter}")),
        path(look.outline, fill=url(f"fill-{letter}"), stroke=look.rim, stroke_width=rim, stroke_linejoin="round"),
        path(look.outline, fill=url(f"pattern-{letter}")),
        label(letter, 0, look.letter_y, 48, fill=look.letter, font_weight="bold", **halo),
    ]


def _pattern(letter: str, mark: Svg, ink: str) -> Svg:
    drawn = group(mark, fill="none", stroke=ink, stroke_width=2.4, opacity=0.28)
    return element("pattern", drawn, id=f"lampion-pattern-{letter}", width=14, height=14, patternUnits="userSpaceOnUse")


# --- seats ------------------------------------------------------------------------------------------------------------------------

EMBLEMS: Final = ("koi", "crane", "panda", "dragon")
"""Of player 0, 1, 2, 3."""


def emblem(player: int, x: float, y: float, size: float) -> Svg:
    return stamp(f"emblem-{EMBLEMS[player % len(EMBLEMS)]}", x, y, size)


def _koi() -> Svg:
    """Seen from above, swimming in a curve."""
    body = "M-9-15C1-20 12-13 11-1C10 7 3 8 1 13C-2 9-3 4-2-1C-1-6-9-7-9-15Z"
    tail = "M1 11C6 12 10 15 10 20C5 20 2 18 0 15C-3 18-7 18-11 16C-9 12-4 10 1 11Z"
    fins = "M10-9C15-9 18-6 19-2C15-1 12-2 10-4ZM-3-4C-8-4-11-1-12 4C-8 4-4 2-2-1Z"
    spots = "M-8-16C-4-18 0-18 3-16C3-12-2-10-7-11C-8-12-9-14-8-16ZM4-8C8-9 11-6 11-2C8 1 4 0 3-3C2-5 2-7 4-8ZM0 3C3 2 6 3 7 5C5 8 2 9 1 12C0 9-1 6 0 3Z"
    return group(
        path(f"{tail}{fins}", fill="#e2603a", opacity=0.85),
        path(body, fill="#fffaf0", stroke="#c9482a", stroke_width=1.2),
        path(spots, fill="#e2502e"),
        circle(-6.5, -13.5, 1.3, fill=INK),
    )


def _crane() -> Svg:
    """Standing, with the red crown."""
    legs = "M1 8L0 20M5 8L7 13L3 16"
    neck = "M-4 4C-12-2 2-8-5-14"
    tail = "M4-2C12-2 17 2 19 9C14 8 10 9 6 9Z"
    wing = "M-7 5C-6-2 3-5 10-2C13 0 14 4 12 7C8 11-4 12-7 5Z"
    return group(
        path(legs, fill="none", stroke=INK, stroke_width=1.6),
        path(tail, fill=INK),
        path(wing, fill="#fff", stroke=INK, stroke_width=1.3),
        path(neck, fill="none", stroke=INK, stroke_width=5, stroke_linecap="round"),
        path(neck, fill="none", stroke="#fff", stroke_width=2.4, stroke_linecap="round"),
        path("M-7-15L-18-11L-7-11.5Z", fill="#b98a2e"),
        path("M-8.5-15A4 4 0 0 1-1.5-16C-3-18-7-18-8.5-15Z", fill="#d6333a", stroke="#d6333a", stroke_width=1.4),
        circle(-5.6, -13.6, 1, fill=INK),
    )


def _panda() -> Svg:
    ears = circle(-12, -12, 6, fill=INK) + circle(12, -12, 6, fill=INK)
    patches = "M-10-4C-6-7-2-3-4 2C-6 6-12 6-12 2C-12-1-11-3-10-4ZM10-4C6-7 2-3 4 2C6 6 12 6 12 2C12-1 11-3 10-4Z"
    return group(
        ears,
        element("ellipse", cx=0, cy=1, rx=17, ry=15.5, fill="#fff", stroke=INK, stroke_width=1.4),
        path(patches, fill=INK),
        circle(-6.6, 0, 1.7, fill="#fff") + circle(6.6, 0, 1.7, fill="#fff"),
        path("M-3 6C-1 5 1 5 3 6C2 9-2 9-3 6Z", fill=INK),
        path("M0 8V10C-2 12-4 12-5 11M0 10C2 12 4 12 5 11", fill="none", stroke=INK, stroke_width=1.2, stroke_linecap="round"),
    )


def _dragon() -> Svg:
    """The head from the front: horns, mane, whiskers."""
    mane = "M0-12L-8-17L-9-10L-18-9L-14-3L-20 3L-13 6L-14 13L-7 12L0 20L7 12L14 13L13 6L20 3L14-3L18-9L9-10L8-17Z"
    horns = "M-4-11C-7-15-8-18-15-20C-12-15-12-10-8-8ZM4-11C7-15 8-18 15-20C12-15 12-10 8-8Z"
    face = "M0-11C6-12 11-8 10-2C9 2 7 4 7 9C6 13-6 13-7 9C-7 4-9 2-10-2C-11-8-6-12 0-11Z"
    whiskers = "M-6 7C-11 6-14 10-18 9M6 7C11 6 14 10 18 9"
    return group(
        path(mane, fill="#d9542f"),
        path(horns, fill="#e9b94a", stroke=INK, stroke_width=0.9),
        path(face, fill="#3f8f57", stroke="#1d4a2e", stroke_width=1.2),
        path("M-9-5L-2-2.5C-3 1-7 1-8-1ZM9-5L2-2.5C3 1 7 1 8-1Z", fill="#ffe08a"),
        circle(-4.6, -1.8, 1.2, fill=INK) + circle(4.6, -1.8, 1.2, fill=INK),
        path("M-3.6 6.5h.1M3.6 6.5h.1", stroke="#12331f", stroke_width=2.2, stroke_linecap="round"),
        path(whiskers, fill="none", stroke="#f6c95a", stroke_width=1.6, stroke_linecap="round"),
        transform="translate(0 1) scale(.9)",
    )


def _emblem_definition(name: str, figure: Svg) -> Svg:
    disc = circle(0, 0, 23, fill=PAPER, stroke=GOLD, stroke_width=1.4)
    return symbol(f"emblem-{name}", 24, disc, figure)


# --- lights and water -------------------------------------------------------------------------------------------------------------


def _seal(name: str, fill: str, rim: str) -> Svg:
    """A token of honor."""
    edge = path(_polygon(16, 49, 43.5), fill=fill, stroke=rim, stroke_width=3, stroke_linejoin="round")
    return symbol(name, 50, edge, circle(0, 0, 36, fill="none", stroke=rim, stroke_width=1.8, stroke_opacity=0.7))


def _candle() -> Svg:
    """A little light on the water."""
    flame = path("M0-18C8-8 9-2 0 4C-9-2-8-8 0-18Z", fill="#fff3c9")
    cup = path("M-13 4H13L8 14H-8Z", fill="#ffc978")
    return symbol("candle", 50, circle(0, 0, 50, fill=url("light")), cup, flame)


def _moon() -> Svg:
    seas = circle(-9, -6, 7) + circle(8, 8, 9) + circle(10, -12, 4)
    return symbol("moon", 75, circle(0, 0, 75, fill=url("moonlight")), circle(0, 0, 32, fill=PAPER), group(seas, fill="#d9cfb8", opacity=0.5))


def _water() -> list[Svg]:
    waves = path("M8 20q8-6 16 0t16 0M62 58q8-6 16 0t16 0", fill="none", stroke=RIPPLE, stroke_width=1.2, stroke_linecap="round", opacity=0.13)
    return [
        linear("ground", (0, GROUND, 1), (1, GROUND_DEEP, 1)),
        radial("lake", (0, "#24479a", 1), (1, "#132660", 1)),
        radial("light", (0, "#ffe7b0", 0.9), (0.4, GOLD, 0.38), (1, GOLD, 0)),
        radial("moonlight", (0.4, PAPER, 0.3), (1, PAPER, 0)),
        element("pattern", waves, id="lampion-ripples", width=110, height=78, patternUnits="userSpaceOnUse"),
        element("filter", element("feGaussianBlur", stdDeviation=6), id="lampion-soft", x="-30%", y="-30%", width="160%", height="160%"),
        _seal("seal", GOLD, "#8a5a12"),
        _seal("seal-plain", "#3b4c92", NIGHT_TEXT_QUIET),
        _candle(),
        _moon(),
    ]


# --- definitions ------------------------------------------------------------------------------------------------------------------


def definitions(*more: Svg) -> Svg:
    """What the stamps of a drawing refer to: lanterns, emblems, grounds and glows, and whatever a game adds."""
    figures = zip(EMBLEMS, (_koi(), _crane(), _panda(), _dragon()), strict=True)
    return element(
        "defs",
        *(part for letter, look in LANTERNS.items() for part in _lantern_definitions(letter, look)),
        *(_emblem_definition(name, figure) for name, figure in figures),
        *_water(),
        *more,
    )


def picture(title: str, description: str, width: float, height: float, *content: Svg, shown_width: float = 900) -> Svg:
    """A whole drawing; it shrinks with its column and tells screen readers what it shows."""
    root: dict[str, str | float] = {
        "viewBox": f"0 0 {number(width)} {number(height)}",
        "width": shown_width,
        "height": round(height * shown_width / width),
        "style": "max-width:100%;height:auto",
        "role": "img",
        "aria_label": title,
        "font_family": TEXT_FONTS,
    }
    words = (tooltip(title), element("desc", safe(description)))
    return element("svg", *words, *content, xmlns="http://www.w3.org/2000/svg", **root)
