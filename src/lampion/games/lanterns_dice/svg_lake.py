"""The lake of Lanterns Dice as SVG: where things are on a sheet, for the screen and for print, and
how they look by night.

A diagonal cuts each pool in two areas; it runs like this where row + column, from the top left, is
even, and the other way where it is odd. The upper area always has the whole top side, the lower
area the whole bottom side:

    even  ┌─────┐      odd  ┌─────┐
          │ u ╱ │           │ ╲ u │
          │ ╱ l │           │ l ╲ │
          └─────┘           └─────┘
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from lampion.core.types import Json
from lampion.games import art
from lampion.games.art import GOLD, INK, PAPER, RIPPLE, WOOD, WOOD_DARK, WOOD_LIGHT, Box, Svg
from lampion.games.lanterns_dice.components import (
    COLOR_LETTERS,
    COLUMN_LETTERS,
    HALF_LETTERS,
    LOWER,
    NUM_COLUMNS,
    NUM_ROWS,
    PAVILION_LOWER,
    PAVILION_UPPER,
    PLATFORM,
    POOL_NAMES,
    UPPER,
)

_SLASH, _BACKSLASH = range(2)
_LEANINGS: Final = (_SLASH, _BACKSLASH)

# --- where things are -----------------------------------------------------------------------------

TRIANGLES: Final = (
    ("M-50-50H50L-50 50Z", "M50-50V50H-50Z"),  # the upper and the lower area of a pool with /
    ("M-50-50H50V50Z", "M-50-50L50 50H-50Z"),  # and with \
)
"""The areas of a pool, by diagonal and half, in a square from -50 to 50."""
LANTERN_SPOTS: Final = (((-23, -23), (23, 23)), ((23, -23), (-23, 23)))
PAVILION_SPOTS: Final = (((20, -35), (-20, 35)), ((-20, -35), (20, 35)))


def leaning(column: int, row: int) -> int:
    """Which way the diagonal of a pool runs; the row is counted from the top."""
    return (column + row) % 2


@dataclass(frozen=True)
class Grid:
    """The pools of a lake on the page."""

    x: float
    y: float
    cell: float

    @property
    def box(self) -> Box:
        return Box(self.x, self.y, NUM_COLUMNS * self.cell, NUM_ROWS * self.cell)

    def middle(self, name: str) -> tuple[float, float]:
        column, row = place(name)
        return self.x + (column + 0.5) * self.cell, self.y + (row + 0.5) * self.cell

    def border(self, pools: Iterable[str]) -> str:
        """The sides of a set of pools beyond which the set does not go on."""
        spots = {place(name) for name in pools}
        return "".join(
            self._stroke(column, row, ends)
            for column, row in sorted(spots)
            for (dx, dy), ends in _SIDES.items()
            if (column + dx, row + dy) not in spots
        )

    def spine(self, pools: Iterable[str]) -> str:
        """Lines from pool to neighboring pool, and the middle of four pools: drawn as wide as a
        pool they make the shape of a tile."""
        spots = {place(name) for name in pools}
        return "".join(
            self._stroke(column + 0.5, row + 0.5, ends)
            for column, row in sorted(spots)
            for (dx, dy), ends in _LINKS.items()
            if {(column + dx, row), (column, row + dy), (column + dx, row + dy)} <= spots
        )

    def _stroke(self, column: float, row: float, ends: tuple[float, float, float, float]) -> str:
        """A line between two points that lie so many pools from a place."""
        ax, ay, bx, by = ends
        x, y, cell = self.x, self.y, self.cell
        return _line(
            x + cell * (column + ax),
            y + cell * (row + ay),
            x + cell * (column + bx),
            y + cell * (row + by),
        )


_SIDES: Final = {
    (0, -1): (0, 0, 1, 0),
    (1, 0): (1, 0, 1, 1),
    (0, 1): (0, 1, 1, 1),
    (-1, 0): (0, 0, 0, 1),
}
"""The neighbor on each side, and the ends of that side."""
_LINKS: Final = {
    (0, 0): (0, 0, 0, 0),
    (1, 0): (0, 0, 1, 0),
    (0, 1): (0, 0, 0, 1),
    (1, 1): (0.5, 0.5, 0.5, 0.5),
}
"""How far the pools of a link reach, and its ends."""


def place(name: str) -> tuple[int, int]:
    """Column and row, from the top left."""
    row, column = divmod(POOL_NAMES.index(name), NUM_COLUMNS)
    return column, NUM_ROWS - 1 - row


def _line(ax: float, ay: float, bx: float, by: float) -> str:
    return f"M{art.number(ax)} {art.number(ay)}L{art.number(bx)} {art.number(by)}"


def pool_codes(lake: list[str]) -> list[tuple[str, str]]:
    """The names and codes of all pools, from the top left."""
    rows = zip(range(NUM_ROWS, 0, -1), lake, strict=True)
    return [
        (f"{letter}{number}", code)
        for number, codes in rows
        for letter, code in zip(COLUMN_LETTERS, codes.split(), strict=True)
    ]


# --- a lake by night ------------------------------------------------------------------------------


def draw_lake(seat: dict[str, Json], grid: Grid, *, is_lit: bool, is_near: bool) -> Svg:
    """A player's lake; the near one has names along its sides and shows its groups."""
    water = grid.box.draw(6, fill=art.url("lake-lit" if is_lit else "lake"))
    if seat["lake"] is None:
        return water + art.quiet("the sheets are dealt", *grid.box.middle, 13)
    shaded = set(seat["shaded"])
    pools = [_pool(name, code, shaded, grid) for name, code in pool_codes(seat["lake"])]
    boats = [_boat(boat, grid) for boat in seat["boats"]]
    tiles = [_tile(tile, grid) for tile in seat["tiles"]]
    lines = grid.box.draw(6, fill="none", stroke=RIPPLE, stroke_opacity=0.5)
    return art.group(
        water,
        *pools,
        *boats,
        _groups(seat, grid),
        *tiles,
        _bonus(seat, grid),
        lines,
        _names(grid) if is_near else "",
    )


def _pool(name: str, code: str, shaded: set[str], grid: Grid) -> Svg:
    lean, spot = leaning(*place(name)), grid.middle(name)
    lit = [name + half in shaded for half in HALF_LETTERS]
    areas = [
        art.stamp(
            f"dice-area-{code[half]}{lean}{HALF_LETTERS[half]}{'-lit' if lit[half] else ''}",
            *spot,
            grid.cell,
        )
        for half in (UPPER, LOWER)
    ]
    glow = art.stamp("dice-glow", *spot, grid.cell) if all(lit) else ""
    return art.group(
        art.tooltip(f"{name} {code}"), *areas, glow, _feature(code[2], lean, spot, grid.cell)
    )


def _feature(feature: str, lean: int, spot: tuple[float, float], cell: float) -> Svg:
    if feature == PLATFORM:
        return art.stamp("dice-pier", *spot, 0.3 * cell)
    if feature in (PAVILION_UPPER, PAVILION_LOWER):
        dx, dy = PAVILION_SPOTS[lean][UPPER if feature == PAVILION_UPPER else LOWER]
        return art.stamp(
            "dice-pavilion", spot[0] + dx * cell / 100, spot[1] + dy * cell / 100, 0.28 * cell
        )
    return ""


def _boat(boat: Json, grid: Grid) -> Svg:
    """A surrounded boat has a golden ring; one whose pool is shaded is out of the game."""
    x, y = grid.middle(boat["pool"])
    size = 0.36 * grid.cell
    if boat["surrounded"]:
        ring = art.circle(
            x, y, 0.72 * size, fill=GOLD, fill_opacity=0.35, stroke=GOLD, stroke_width=0.12 * size
        )
        return ring + art.stamp("dice-boat", x, y, size)
    return art.stamp("dice-boat", x, y, size, opacity=0.35 if boat["lost"] else None)


def _groups(seat: Json, grid: Grid) -> Svg:
    """The second largest group scores, so it has the golden border; the largest one a plain one."""
    borders = [
        art.path(
            grid.border(pools),
            stroke=color,
            stroke_width=0.05 * grid.cell,
            stroke_linecap="round",
            fill="none",
        )
        for pools, color in zip(seat["groups"], (PAPER, GOLD), strict=False)
        if len(pools) > 1
    ]
    return "".join(borders)


def _tile(tile: Json, grid: Grid) -> Svg:
    spine, cell = grid.spine(tile["pools"]), grid.cell
    layers = [
        art.path(
            spine, stroke=color, stroke_width=width * cell, stroke_linecap="square", fill="none"
        )
        for color, width in ((GOLD, 0.9), ("#171a4d", 0.82))
    ]
    bursts = [art.stamp("dice-burst", *grid.middle(name), 0.86 * cell) for name in tile["pools"]]
    spot = grid.middle(most_central(tile["pools"]))
    return art.group(
        art.tooltip(tile["launch"]),
        *layers,
        *bursts,
        art.token("seal", tile["honor"], *spot, max(15, 0.46 * cell)),
    )


def most_central(pools: list[str]) -> str:
    """The pool of a tile with the least way to the others."""
    spots = {name: place(name) for name in pools}
    return min(
        pools,
        key=lambda name: sum(
            abs(spots[name][0] - x) + abs(spots[name][1] - y) for x, y in spots.values()
        ),
    )


def _bonus(seat: Json, grid: Grid) -> Svg:
    """The platform whose bonus is due."""
    if seat["bonus_pool"] is None:
        return ""
    spot = grid.middle(seat["bonus_pool"])
    glow = art.square(
        *spot,
        grid.cell,
        fill="none",
        stroke=GOLD,
        stroke_width=0.12 * grid.cell,
        filter=art.url("soft"),
    )
    return glow + art.square(
        *spot, 0.98 * grid.cell, fill="none", stroke=GOLD, stroke_width=0.06 * grid.cell
    )


def _names(grid: Grid) -> Svg:
    columns = [
        art.quiet(letter, grid.middle(f"{letter}1")[0], grid.box.bottom + 12)
        for letter in COLUMN_LETTERS
    ]
    rows = [
        art.quiet(number, grid.x - 12, grid.middle(f"a{number}")[1])
        for number in range(1, NUM_ROWS + 1)
    ]
    return "".join(columns + rows)


# --- pieces ---------------------------------------------------------------------------------------

_PIER: Final = (
    f'<g fill="{WOOD_LIGHT}" stroke="{WOOD_DARK}" stroke-width="6"><rect x="-42" y="-42" width="84" height="84" rx="6"/>'
    '<path d="M-40-20H40M-40 0H40M-40 20H40"/></g>'
)
_PAVILION: Final = (
    f'<circle r="46" fill="{GOLD}" stroke="{INK}" stroke-width="5"/>'
    f'<path d="M-34-4Q-16-10 0-34Q16-10 34-4L26 4H-26Z" fill="#b3372f" stroke="{INK}" stroke-width="3"/>'
    f'<path d="M-20 4V28M0 4V28M20 4V28M-28 28H28" stroke="{INK}" stroke-width="6" stroke-linecap="round"/>'
)
_BOAT: Final = (
    f'<path d="M-46 8C-24 18 24 18 46 8C40 34 24 40 0 40C-24 40-40 34-46 8Z" fill="{WOOD}" stroke="{INK}" stroke-width="5"/>'
    f'<path d="M-3 12V-46L32 6ZM-10 10V-30L-32 6Z" fill="{PAPER}" stroke="{INK}" stroke-width="4" stroke-linejoin="round"/>'
)
_BURST: Final = (
    f'<g fill="none" stroke="{GOLD}" stroke-width="4" stroke-linecap="round">'
    '<path d="M0-16V-34M0 16V34M-16 0H-34M16 0H34"/>'
    '<path stroke="#ff9c86" d="M11-11L24-24M-11 11L-24 24M-11-11L-24-24M11 11L24 24"/>'
    f'<path stroke="{PAPER}" stroke-width="6" d="M0-42h.1M0 42h.1M-42 0h.1M42 0h.1M30-30h.1M-30 30h.1M-30-30h.1M30 30h.1"/></g>'
)


def sign_pieces() -> list[Svg]:
    """What lies on a lake; only this game has it, so with its name in the ids."""
    symbols = {"pier": _PIER, "pavilion": _PAVILION, "boat": _BOAT, "burst": _BURST}
    return [art.symbol(f"dice-{name}", 50, drawing) for name, drawing in symbols.items()]


def lake_pieces() -> list[Svg]:
    areas = [
        art.symbol(
            f"dice-area-{letter}{lean}{HALF_LETTERS[half]}{suffix}",
            50,
            *_area(letter, lean, half, is_lit),
        )
        for letter in COLOR_LETTERS
        for lean in _LEANINGS
        for half in (UPPER, LOWER)
        for suffix, is_lit in (("", False), ("-lit", True))
    ]
    glow = art.symbol(
        "dice-glow", 50, Box(-50, -50, 100, 100).draw(0, fill=art.url("light"), opacity=0.9)
    )
    return [*areas, glow, *sign_pieces()]


def _area(letter: str, lean: int, half: int, is_lit: bool) -> list[Svg]:
    """Unshaded, an area shows its lantern lightly; shaded, it lights up."""
    color = art.LANTERNS[letter].color
    triangle = art.path(
        TRIANGLES[lean][half],
        fill=color,
        fill_opacity=0.72 if is_lit else 0.1,
        stroke=RIPPLE,
        stroke_opacity=0.35,
        stroke_width=1,
    )
    x, y = LANTERN_SPOTS[lean][half]
    return [
        triangle,
        art.lantern(letter, x, y, 36 if is_lit else 31, opacity=None if is_lit else 0.55),
    ]
