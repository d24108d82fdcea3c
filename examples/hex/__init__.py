"""Hex on 11 x 11 cells, found by Piet Hein and again by John Nash. Rules H1 to H3; the
rulebook is in `rulebook/`.

  a b c
1 . x .
 2 . o .          player 0 (x) connects top and bottom, player 1 (o) left and right
  3 . . x
"""

import math
from typing import Annotated, TypedDict

from hex.rules import COLUMNS, ROW, SIZE, State
from lampion.core.events import AnyEvent, Telling
from lampion.core.plain import complete
from lampion.core.types import Json, Player
from lampion.core.views import MatchView, doc

NAME, TITLE, DESIGNER = "hex", "Hex", "Piet Hein and John Nash"
NUM_PLAYERS = range(2, 3)
SIGNS = ".xo"
_EDGES = ("top and bottom", "left and right")
_EMPTY_COLOR, _COLORS = "#1e2a52", ("#f2b441", "#d9534f")
_RADIUS, _MARGIN = 20, 30
_STEP = math.sqrt(3) * _RADIUS


class GameView(TypedDict):
    """The game's part of a view."""

    board: Annotated[
        list[str], doc("rows from the top; x and o are the two players' stones, dots are free")
    ]


class View(MatchView, GameView):
    """The table as everybody sees it."""


def view(seen: State, seat: Player) -> GameView:
    first, second = seen.stones.reshape(2, ROW, ROW)[:, 1 : SIZE + 1, 1 : SIZE + 1] != 0
    rows = (first + 2 * second).tolist()
    return {"board": ["".join(SIGNS[number] for number in row) for row in rows]}


def tell(telling: Telling, event: AnyEvent) -> None:
    """A stone shows where it lies."""
    if event["event"] == "place":
        column, row = COLUMNS.index(event["x"]), int(event["y"]) - 1
        if signs := telling.at("board", row):
            sign = SIGNS[1 + event["player"]]
            telling.set(f"{signs[:column]}{sign}{signs[column + 1 :]}", "board", row)


def draw_text(view: dict[str, Json]) -> str:
    rows = [f"{' ' * n}{n + 1:2} {' '.join(signs)}" for n, signs in enumerate(view["board"])]
    seats = [
        f"{sign} {name}, {edges}"
        for sign, name, edges in zip(SIGNS[1:], view["names"], _EDGES, strict=True)
    ]
    return "\n".join([f"   {' '.join(COLUMNS)}", *rows, "", *seats])


def draw_svg(view: dict[str, Json]) -> str:
    rows: list[str] = view["board"]
    size = len(rows)
    width, height = 2 * _MARGIN + 1.5 * size * _STEP, 2 * _MARGIN + (1.5 * size + 0.5) * _RADIUS
    edges = [_edge(size, player) for player in range(2)]
    cells = [
        f'<g data-action="{COLUMNS[column]}{row + 1}">{_cell(column, row, sign)}</g>'
        for row, signs in enumerate(rows)
        for column, sign in enumerate(signs)
    ]
    picture = "".join([*edges, *cells])
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}">{picture}</svg>'


def _center(column: float, row: float) -> tuple[float, float]:
    return _MARGIN + (column + 0.5 * row + 0.5) * _STEP, _MARGIN + (1.5 * row + 1) * _RADIUS


def _edge(size: int, player: int) -> str:
    """A broad line along the middles of the outermost cells, of which the
    cells leave half to be seen."""
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
    """Player 1's stones also have a ring, for players who cannot tell the colors apart."""
    x, y = _center(column, row)
    corners = [
        (x + _RADIUS * math.sin(turn * math.pi / 3), y + _RADIUS * math.cos(turn * math.pi / 3))
        for turn in range(6)
    ]
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
    cell = f'<polygon points="{points}" fill="{_EMPTY_COLOR}" stroke="#0d1430"/>'
    if sign == SIGNS[0]:
        return cell
    stone = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.7 * _RADIUS:.0f}" fill="{_COLORS[SIGNS.index(sign) - 1]}"/>'
    ring = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{0.35 * _RADIUS:.0f}" fill="none" stroke="#fff" stroke-width="2"/>'
    return cell + stone + (ring if sign == SIGNS[2] else "")


complete(__name__)
