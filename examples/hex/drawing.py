"""Hex in plain text and as a picture, made from a view alone.

  a b c
1 . x .
 2 . o .          player 0 (x) connects top and bottom, player 1 (o) left and right
  3 . . x
"""

from __future__ import annotations

import math

from hex.view import SIGNS
from lampion.core.types import Json

_EDGES = ("top and bottom", "left and right")
_RADIUS, _MARGIN = 20, 30
_STEP = math.sqrt(3) * _RADIUS
_EMPTY_COLOR, _COLORS = "#1e2a52", ("#f2b441", "#d9534f")


def draw_text(view: dict[str, Json]) -> str:
    rows = [
        f"{' ' * number}{number + 1:2} {' '.join(signs)}"
        for number, signs in enumerate(view["board"])
    ]
    seats = [
        f"{SIGNS[player]} {name}, {_EDGES[player]}{_mark(view, player)}"
        for player, name in enumerate(view["names"])
    ]
    return "\n".join([f"   {' '.join(view['columns'])}", *rows, "", *seats])


def _mark(view: dict[str, Json], player: int) -> str:
    if view["to_act"] is None:
        return " *" if player in view["winners"] else ""
    return " <" if player == view["to_act"] else ""


def draw_svg(view: dict[str, Json]) -> str:
    rows: list[str] = view["board"]
    size = len(rows)
    width, height = 2 * _MARGIN + 1.5 * size * _STEP, 2 * _MARGIN + (1.5 * size + 0.5) * _RADIUS
    edges = [_edge(size, player) for player in range(2)]
    cells = [
        f'<g data-action="{view["columns"][column]}{row + 1}">{_cell(column, row, sign)}</g>'
        for row, signs in enumerate(rows)
        for column, sign in enumerate(signs)
    ]
    picture = "".join([*edges, *cells])
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}">{picture}</svg>'


def _center(column: float, row: float) -> tuple[float, float]:
    return _MARGIN + (column + 0.5 * row + 0.5) * _STEP, _MARGIN + (1.5 * row + 1) * _RADIUS


def _edge(size: int, player: int) -> str:
    """A broad line along the middles of the outermost cells, of which the cells leave half to be seen."""
    last = size - 1
    ends = (
        [((0, 0), (last, 0)), ((0, last), (last, last))]
        if player == 0
        else [((0, 0), (0, last)), ((last, 0), (last, last))]
    )
    lines = [(*_center(*start), *_center(*end)) for start, end in ends]
    style = f'stroke="{_COLORS[player]}" stroke-width="{2.6 * _RADIUS:.0f}" stroke-linecap="round"'
    return "".join(
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" {style}/>'
        for x1, y1, x2, y2 in lines
    )


def _cell(column: int, row: int, sign: str) -> str:
    """Player 1's stones also have a ring, for those who do not see the difference of colors."""
    x, y = _center(column, row)
    corners = [
        (x + _RADIUS * math.sin(turn * math.pi / 3), y + _RADIUS * math.cos(turn * math.pi / 3))
        for turn in range(6)
    ]
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    cell = f'<polygon points="{points}" fill="{_EMPTY_COLOR}" stroke="#0d1430"/>'
    if sign not in SIGNS:
        return cell
    stone = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.7 * _RADIUS:.0f}" fill="{_COLORS[SIGNS.index(sign)]}"/>'
    ring = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.35 * _RADIUS:.0f}" fill="none" stroke="#fff" stroke-width="2"/>'
    return cell + stone + (ring if sign == SIGNS[1] else "")
