"""What the drawings of the games share: the palette, lanterns, seat emblems, and a few
helpers that write SVG safely.

Drawings are made to stand alone or side by side in one page: no scripts, style sheets, fonts or
images from elsewhere, and every id starts with `lampion-` and always means the same thing, so that
it does not matter whose definition a browser takes.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

Svg: TypeAlias = str
"""A piece of SVG that is already escaped."""

Value: TypeAlias = str | float | None
"""Of an attribute; None leaves it out."""

# --- palette --------------------------------------------------------------------------------------

GROUND_DEEP: Final = "#0b1230"
GROUND: Final = "#17245a"
RAISED: Final = "#1d2b63"
RAISED_EDGE: Final = "#3a4d97"
PAPER: Final = "#f7efe0"
INK: Final = "#2a2238"
NIGHT_TEXT: Final = "#f3ecdc"
NIGHT_TEXT_QUIET: Final = "#b4c0e8"
GOLD: Final = "#f2b544"
WARNING: Final = "#ff8a7a"
WOOD_LIGHT: Final = "#c9935c"
WOOD: Final = "#8a5a34"
WOOD_DARK: Final = "#4f321d"
RIPPLE: Final = "#8fb4ff"

LETTER_COLORS: Final[Mapping[str, str | int]] = {
    "R": "red",
    "O": 208,
    "G": "green",
    "B": 27,
    "P": 104,
    "W": "bright_white",
    "K": 244,
}
"""The letters of the lanterns in text, with the color that a terminal shows them in (a name, or a
number of 256)."""

TEXT_FONTS: Final = (
    "'Alegreya Sans','Gill Sans',Optima,Candara,'Segoe UI','Noto Sans','DejaVu Sans',sans-serif"
)
TITLE_FONTS: Final = (
    "Alegreya,'Palatino Linotype',Palatino,'Book Antiqua','Noto Serif','DejaVu Serif',Georgia,serif"
)

# --- writing SVG ----------------------------------------------------------------------------------

# What is not allowed, rather than all but what is: that takes ten times as long to compile.
_NOT_IN_XML: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def safe(content: object) -> Svg:
    """Any text, fit for content and attributes. XML has no place for control characters, so a name
    cannot smuggle them in."""
    text = _NOT_IN_XML.sub("", str(content))
    # By hand: the library's function would import all of HTTP, which takes longer than everything
    # else here.
    return (
        text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    )


def number(value: float) -> str:
    """At most two decimals, and neither `1.00` nor `-0`."""
    return f"{round(value, 2) + 0:.2f}".rstrip("0").rstrip(".")


def element(name: str, *children: Svg, **attributes: Value) -> Svg:
    """An element; `fill_opacity` writes the attribute `fill-opacity`."""
    written = "".join(
        _attribute(key, value) for key, value in attributes.items() if value is not None
    )
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def _attribute(key: str, value: str | float) -> Svg:
    return f' {key.replace("_", "-")}="{safe(value if isinstance(value, str) else number(value))}"'


def group(*children: Svg, **attributes: Value) -> Svg:
    return element("g", *children, **attributes)


def circle(x: float, y: float, radius: float, **attributes: Value) -> Svg:
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def path(d: str, **attributes: Value) -> Svg:
    return element("path", d=d, **attributes)


def label(content: object, x: float, y: float, size: float, **attributes: Value) -> Svg:
    """A line of text whose capitals are centered on `y`: not every renderer knows
    `dominant-baseline`."""
    style: dict[str, Value] = {"fill": NIGHT_TEXT, "text_anchor": "middle", **attributes}
    return element("text", safe(content), x=x, y=y + 0.35 * size, font_size=size, **style)


def quiet(content: object, x: float, y: float, size: float = 12, anchor: str = "middle") -> Svg:
    return label(content, x, y, size, fill=NIGHT_TEXT_QUIET, text_anchor=anchor)


def tooltip(content: object) -> Svg:
    return element("title", safe(content))


def shortened(content: str, width: int) -> str:
    """A text cut to about so many letters; the wide letters of East Asian scripts count twice."""
    total = 0
    for index, letter in enumerate(content):
        total += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if total > width:
            return content[: max(index - 1, 1)].rstrip() + "…"
    return content


def who_won(view: Mapping[str, Any], width: int) -> str:
    """The winners of a view of a game that is over, their names cut to that width."""
    names = [shortened(view["names"][player], width) for player in view["winners"]]
    return f"{' and '.join(names)} {'wins' if len(names) == 1 else 'share the victory'}"


def stamp(name: str, x: float, y: float, size: float, **attributes: Value) -> Svg:
    """A symbol of `definitions`, centered on a point."""
    return element(
        "use",
        href=f"#lampion-{name}",
        x=x - size / 2,
        y=y - size / 2,
        width=size,
        height=size,
        **attributes,
    )


def url(name: str) -> str:
    return f"url(#lampion-{name})"


def symbol(name: str, half: float, *children: Svg) -> Svg:
    """A symbol drawn round the origin of a square from `-half` to `half`."""
    box = " ".join(number(value) for value in (-half, -half, 2 * half, 2 * half))
    return element("symbol", *children, id=f"lampion-{name}", viewBox=box)


def radial(name: str, *stops: tuple[float, str, float], center_y: float = 0.5) -> Svg:
    """A gradient from the middle outwards; a stop is (offset, color, opacity)."""
    return element("radialGradient", *_stops(stops), id=f"lampion-{name}", cy=center_y)


def linear(name: str, *stops: tuple[float, str, float]) -> Svg:
    """A gradient from top to bottom."""
    return element("linearGradient", *_stops(stops), id=f"lampion-{name}", x1=0, y1=0, x2=0, y2=1)


def _stops(stops: tuple[tuple[float, str, float], ...]) -> list[Svg]:
    return [
        element("stop", offset=offset, stop_color=color, stop_opacity=opacity)
        for offset, color, opacity in stops
    ]


def tiled(name: str, width: float, height: float, mark: Svg) -> Svg:
    """A pattern."""
    return element(
        "pattern",
        mark,
        id=f"lampion-{name}",
        width=width,
        height=height,
        patternUnits="userSpaceOnUse",
    )


def picture(
    title: str,
    description: str,
    width: float,
    height: float,
    *content: Svg,
    shown_width: float = 900,
) -> Svg:
    """A whole drawing; it shrinks with its column and tells screen readers what it shows."""
    box = f"0 0 {number(width)} {number(height)}"
    size: dict[str, Value] = {
        "width": shown_width,
        "height": height * shown_width / width,
        "style": "max-width:100%;height:auto",
    }
    root: dict[str, Value] = {"role": "img", "aria_label": title, "font_family": TEXT_FONTS, **size}
    words = (tooltip(title), element("desc", safe(description)))
    return element("svg", *words, *content, xmlns="http://www.w3.org/2000/svg", viewBox=box, **root)


# --- boxes ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    def draw(self, radius: float, **attributes: Value) -> Svg:
        return element(
            "rect",
            x=self.x,
            y=self.y,
            width=self.width,
            height=self.height,
            rx=radius,
            **attributes,
        )


def square(x: float, y: float, size: float, **attributes: Value) -> Svg:
    """A rounded square centered on a point."""
    return Box(x - size / 2, y - size / 2, size, size).draw(0.12 * size, **attributes)


def panel(box: Box, word: str = "") -> Svg:
    """A raised surface. One that matters now is told by a thick frame and a word, not by a hue."""
    if not word:
        return box.draw(14, fill=RAISED, fill_opacity=0.8, stroke=RAISED_EDGE)
    x, _ = box.middle
    glow = box.draw(14, fill=GOLD, fill_opacity=0.35, filter=url("soft"))
    pill = Box(x - 34, box.y - 11, 68, 21).draw(10, fill=GOLD)
    frame = box.draw(14, fill=RAISED, stroke=GOLD, stroke_width=3)
    return glow + frame + pill + label(word, x, box.y, 13, fill=INK, font_weight="bold")


def token(kind: str, value: int, x: float, y: float, size: float) -> Svg:
    """A number on a `seal` (honor) or on a stamp that a game defines."""
    color = INK if kind == "seal" else PAPER
    return stamp(kind, x, y, size) + label(
        value, x, y, max(10.5, 0.45 * size), fill=color, font_weight="bold"
    )


def night_sky(box: Box) -> Svg:
    """Moon and stars, for where there is nothing to show."""
    stars = (
        (-130, -30),
        (-96, 22),
        (-64, -48),
        (74, -40),
        (104, 14),
        (138, -20),
        (-150, 40),
        (60, 44),
    )
    x, y = box.middle
    return stamp("moon", x, y, 150) + "".join(
        circle(x + dx, y + dy, 1.2, fill=PAPER, opacity=0.7) for dx, dy in stars
    )


# --- lanterns -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lantern:
    """How a color looks: its hue, the lit middle behind the letter, rim and outline, and a pattern
    for print and grayscale."""

    name: str
    color: str
    lit: str
    rim: str
    outline: str
    pattern: str
    letter_y: float = 0.0


def _polygon(
    corners: int, outer: float, inner: float | None = None, turn: float = 0.0, y: float = 0.0
) -> str:
    """A closed path through a ring of corners, the first at the top; with `inner` a star."""
    radii = [outer] if inner is None else [outer, inner]
    steps = corners * len(radii)
    ring = [(radii[step % len(radii)], (turn + step / steps) * math.tau) for step in range(steps)]
    return (
        "M"
        + "L".join(
            f"{number(r * math.sin(angle))} {number(y - r * math.cos(angle))}" for r, angle in ring
        )
        + "Z"
    )


_DISC: Final = "M0-44A44 44 0 1 1 0 44A44 44 0 1 1 0-44Z"

LANTERNS: Final[Mapping[str, Lantern]] = {
    "R": Lantern(
        "red",
        "#d6453d",
        "#ffd9c2",
        "#ff9c86",
        _polygon(3, 54, y=11),
        "M-2 2L2-2M0 14L14 0M12 16L16 12",
        13,
    ),
    "O": Lantern(
        "orange",
        "#f08a24",
        "#fff0c4",
        "#ffc987",
        _polygon(8, 47, turn=1 / 16),
        "M6 7a1 1 0 1 1 2 0a1 1 0 1 1-2 0",
    ),
    "G": Lantern("green", "#3f9b58", "#dcf7c9", "#93d9a1", _polygon(4, 54, 28), "M7 0V14"),
    "B": Lantern("blue", "#4288e2", "#d3ecff", "#94c2ff", _polygon(6, 48), "M0 7H14"),
    "P": Lantern(
        "purple", "#7d3fb0", "#f3dcff", "#c9a0ee", _DISC, "M3 7a4 4 0 1 1 8 0a4 4 0 1 1-8 0"
    ),
    "W": Lantern(
        "white", "#f6f1e3", "#fffdf4", "#ffffff", _polygon(5, 53, 28, y=3), "M7 4V10M4 7H10", 3
    ),
    "K": Lantern(
        "black", "#2b2b36", "#3a3a49", "#f6f1e3", "M-38-38H38V38H-38Z", "M0 0L14 14M14 0L0 14"
    ),
}
"""In the canonical order of colors."""

_GLOW_REACH: Final = 1.7


def lantern(letter: str, x: float, y: float, size: float, **attributes: Value) -> Svg:
    """A lantern about `size` wide, centered on a point; its glow reaches further."""
    return stamp(f"lantern-{letter}", x, y, size * _GLOW_REACH, **attributes)


def _lantern_definitions(letter: str, look: Lantern) -> list[Svg]:
    """Black gives no light of its own, so its light rim glows. The glow is a gradient: a filter on
    every lantern would be slow."""
    is_black = letter == "K"
    glow = look.rim if is_black else look.color
    strength = 0.35 if letter in "KW" else 0.8
    mark = path(
        look.pattern,
        fill="none",
        stroke=PAPER if is_black else "#000",
        stroke_width=2.4,
        opacity=0.28,
    )
    return [
        radial(f"glow-{letter}", (0.35, glow, strength), (0.7, glow, 0.14), (1, glow, 0)),
        radial(
            f"fill-{letter}",
            (0.3, look.lit, 1),
            (0.72, look.color, 1),
            center_y=0.5 + look.letter_y / 100,
        ),
        tiled(f"pattern-{letter}", 14, 14, mark),
        symbol(f"lantern-{letter}", 50 * _GLOW_REACH, *_lantern_layers(letter, look)),
    ]


def _lantern_layers(letter: str, look: Lantern) -> list[Svg]:
    is_black = letter == "K"
    halo: dict[str, Value] = {
        "stroke": look.lit,
        "stroke_width": 7,
        "stroke_linejoin": "round",
        "paint_order": "stroke",
    }
    return [
        circle(0, 0, 50 * _GLOW_REACH, fill=url(f"glow-{letter}")),
        path(
            look.outline,
            fill=url(f"fill-{letter}"),
            stroke=look.rim,
            stroke_width=7 if is_black else 4,
            stroke_linejoin="round",
        ),
        path(look.outline, fill=url(f"pattern-{letter}")),
        label(
            letter,
            0,
            look.letter_y,
            52,
            fill=PAPER if is_black else INK,
            font_weight="bold",
            **halo,
        ),
    ]


# --- seats ----------------------------------------------------------------------------------------

_KOI: Final = (
    '<path fill="#e98560" d="M1 11C6 12 10 15 10 20C5 20 2 18 0 15C-3 18-7 18-11 16C-9 12-4 10 1 11Z'
    'M10-9C15-9 18-6 19-2C15-1 12-2 10-4ZM-3-4C-8-4-11-1-12 4C-8 4-4 2-2-1Z"/>'
    '<path fill="#fffaf0" stroke="#c9482a" d="M-9-15C1-20 12-13 11-1C10 7 3 8 1 13C-2 9-3 4-2-1C-1-6-9-7-9-15Z"/>'
    '<path fill="#e2502e" d="M-8-16C-4-18 0-18 3-16C3-12-2-10-7-11C-8-12-9-14-8-16ZM4-8C8-9 11-6 11-2C8 1 4 0 3-3C2-5 2-7 4-8Z'
    f'M0 3C3 2 6 3 7 5C5 8 2 9 1 12C0 9-1 6 0 3Z"/><circle cx="-6.5" cy="-13.5" r="1.3" fill="{INK}"/>'
)
_CRANE: Final = (
    f'<g fill="none" stroke="{INK}" stroke-linecap="round"><path stroke-width="1.6" d="M1 8L0 20M5 8L7 13L3 16"/>'
    f'<path fill="{INK}" stroke="none" d="M4-2C12-2 17 2 19 9C14 8 10 9 6 9Z"/>'
    '<path fill="#fff" stroke-width="1.3" d="M-7 5C-6-2 3-5 10-2C13 0 14 4 12 7C8 11-4 12-7 5Z"/>'
    '<path stroke-width="5" d="M-4 4C-12-2 2-8-5-14"/><path stroke="#fff" stroke-width="2.4" d="M-4 4C-12-2 2-8-5-14"/></g>'
    '<path fill="#b98a2e" d="M-7-15L-18-11L-7-11.5Z"/>'
    '<path fill="#d6333a" stroke="#d6333a" stroke-width="1.4" d="M-8.5-15A4 4 0 0 1-1.5-16C-3-18-7-18-8.5-15Z"/>'
    f'<circle cx="-5.6" cy="-13.6" r="1" fill="{INK}"/>'
)
_PANDA: Final = (
    f'<g fill="{INK}"><circle cx="-12" cy="-12" r="6"/><circle cx="12" cy="-12" r="6"/>'
    f'<ellipse cy="1" rx="17" ry="15.5" fill="#fff" stroke="{INK}" stroke-width="1.4"/>'
    '<path d="M-10-4C-6-7-2-3-4 2C-6 6-12 6-12 2C-12-1-11-3-10-4ZM10-4C6-7 2-3 4 2C6 6 12 6 12 2C12-1 11-3 10-4Z"/>'
    '<circle cx="-6.6" r="1.7" fill="#fff"/><circle cx="6.6" r="1.7" fill="#fff"/><path d="M-3 6C-1 5 1 5 3 6C2 9-2 9-3 6Z"/>'
    f'<path fill="none" stroke="{INK}" stroke-width="1.2" d="M0 8V10C-2 12-4 12-5 11M0 10C2 12 4 12 5 11"/></g>'
)
_DRAGON: Final = (
    '<g transform="translate(0 1) scale(.9)" stroke-linecap="round">'
    '<path fill="#d9542f" d="M0-12L-8-17-9-10-18-9-14-3-20 3-13 6-14 13-7 12 0 20 7 12 14 13 13 6 20 3 14-3 18-9 9-10 8-17Z"/>'
    f'<path fill="#e9b94a" stroke="{INK}" d="M-4-11C-7-15-8-18-15-20C-12-15-12-10-8-8ZM4-11C7-15 8-18 15-20C12-15 12-10 8-8Z"/>'
    '<path fill="#3f8f57" stroke="#1d4a2e" d="M0-11C6-12 11-8 10-2C9 2 7 4 7 9C6 13-6 13-7 9C-7 4-9 2-10-2C-11-8-6-12 0-11Z"/>'
    '<path fill="#ffe08a" d="M-9-5L-2-2.5C-3 1-7 1-8-1ZM9-5L2-2.5C3 1 7 1 8-1Z"/>'
    f'<path stroke="{INK}" stroke-width="2.3" d="M-4.6-1.8h.1M4.6-1.8h.1M-3.6 6.5h.1M3.6 6.5h.1"/>'
    '<path fill="none" stroke="#f6c95a" stroke-width="1.6" d="M-6 7C-11 6-14 10-18 9M6 7C11 6 14 10 18 9"/></g>'
)
EMBLEMS: Final[Mapping[str, Svg]] = {
    "koi": _KOI,
    "crane": _CRANE,
    "panda": _PANDA,
    "dragon": _DRAGON,
}
"""Of player 0, 1, 2, 3."""


def emblem(player: int, x: float, y: float, size: float) -> Svg:
    return stamp(f"emblem-{list(EMBLEMS)[player % len(EMBLEMS)]}", x, y, size)


# --- definitions ----------------------------------------------------------------------------------

_CANDLE: Final = '<path fill="#ffc978" d="M-13 4H13L8 14H-8Z"/><path fill="#fff3c9" d="M0-18C8-8 9-2 0 4C-9-2-8-8 0-18Z"/>'
_MOON: Final = (
    f'<circle r="32" fill="{PAPER}"/><g fill="#d9cfb8" opacity=".5"><circle cx="-9" cy="-6" r="7"/><circle cx="8" cy="8" r="9"/>'
    '<circle cx="10" cy="-12" r="4"/></g>'
)


def definitions(*more: Svg) -> Svg:
    """What the stamps of a drawing refer to: lanterns, emblems, waters and lights,
    and whatever a game adds."""
    disc = circle(0, 0, 23, fill=PAPER, stroke=GOLD, stroke_width=1.4)
    lanterns = [
        part for letter, look in LANTERNS.items() for part in _lantern_definitions(letter, look)
    ]
    emblems = [symbol(f"emblem-{name}", 24, disc, figure) for name, figure in EMBLEMS.items()]
    return element("defs", *lanterns, *emblems, *_waters(), *_lights(), *more)


def _waters() -> list[Svg]:
    waves = path(
        "M8 20q8-6 16 0t16 0M62 58q8-6 16 0t16 0",
        fill="none",
        stroke=RIPPLE,
        stroke_width=1.2,
        opacity=0.13,
    )
    return [
        linear("ground", (0, GROUND, 1), (1, GROUND_DEEP, 1)),
        radial("lake", (0, "#24479a", 1), (1, "#132660", 1)),
        radial(
            "lake-lit",
            (0, "#c98f4e", 1),
            (0.35, "#8a5f66", 1),
            (0.75, "#3d3f7d", 1),
            (1, "#1d2f72", 1),
        ),
        tiled("ripples", 110, 78, waves),
    ]


def _lights() -> list[Svg]:
    """Honor is a golden seal; a plain one is what an empty stack still pays."""
    blur = element("feGaussianBlur", stdDeviation=6)
    return [
        element("filter", blur, id="lampion-soft", x="-30%", y="-30%", width="160%", height="160%"),
        radial("light", (0, "#ffe7b0", 0.9), (0.4, GOLD, 0.38), (1, GOLD, 0)),
        radial("moonlight", (0.4, PAPER, 0.3), (1, PAPER, 0)),
        symbol("candle", 50, circle(0, 0, 50, fill=url("light")), _CANDLE),
        symbol("moon", 75, circle(0, 0, 75, fill=url("moonlight")), _MOON),
        symbol("seal", 50, *_seal(GOLD, "#8a5a12")),
        symbol("seal-plain", 50, *_seal("#3b4c92", NIGHT_TEXT_QUIET)),
    ]


def _seal(fill: str, rim: str) -> list[Svg]:
    edge = path(
        _polygon(16, 49, 43.5), fill=fill, stroke=rim, stroke_width=3, stroke_linejoin="round"
    )
    return [edge, circle(0, 0, 36, fill="none", stroke=rim, stroke_width=1.8, stroke_opacity=0.7)]
