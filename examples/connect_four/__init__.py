"""Connect Four, by Howard Wexler and Ned Strongin. Rules C1 to C4; the
rulebook is in `rulebook/`."""

from typing import Annotated, TypedDict

from connect_four.rules import COLUMN_BITS, COLUMNS, NUM_COLUMNS, NUM_ROWS, State
from lampion.core.events import AnyEvent, Telling
from lampion.core.plain import complete
from lampion.core.types import Json, Player
from lampion.core.views import MatchView, doc

NAME, TITLE, DESIGNER = "connect_four", "Connect Four", "Howard Wexler and Ned Strongin"
NUM_PLAYERS = range(2, 3)
SIGNS = ".xo"
_COLORS = dict(zip(SIGNS, ("#0d1430", "#f2b441", "#d9534f"), strict=True))
_BOARD_COLOR, _SIZE, _RADIUS = "#1e2a52", 40, 16


class GameView(TypedDict):
    """The game's part of a view."""

    board: Annotated[
        list[str], doc("rows from the top; x and o are the two players' discs, dots are free")
    ]


class View(MatchView, GameView):
    """The table as everybody sees it."""


def view(seen: State, seat: Player) -> GameView:
    rows = reversed(range(NUM_ROWS))
    return {"board": ["".join(_sign(seen, n, row) for n in range(NUM_COLUMNS)) for row in rows]}


def _sign(seen: State, column: int, row: int) -> str:
    bit = 1 << (column * COLUMN_BITS + row)
    return SIGNS[sum(n for n, discs in enumerate(seen.discs, 1) if int(discs) & bit)]


def tell(telling: Telling, event: AnyEvent) -> None:
    """A disc shows where it fell."""
    if event["event"] == "drop":
        column, from_top = COLUMNS.index(event["x"]), NUM_ROWS - int(event["y"])
        if signs := telling.at("board", from_top):
            sign = SIGNS[1 + event["player"]]
            telling.set(f"{signs[:column]}{sign}{signs[column + 1 :]}", "board", from_top)


def draw_text(view: dict[str, Json]) -> str:
    seats = [f"{sign} {name}" for sign, name in zip(SIGNS[1:], view["names"], strict=True)]
    return "\n".join([*(" ".join(row) for row in (*view["board"], COLUMNS)), "", *seats])


def draw_svg(view: dict[str, Json]) -> str:
    """A column is one place to press: `data-action` names the action that it stands for."""
    rows: list[str] = view["board"]
    width, height = _SIZE * len(rows[0]), _SIZE * len(rows)
    board = f'<rect width="{width}" height="{height}" rx="{_RADIUS}" fill="{_BOARD_COLOR}"/>'
    columns = [
        f'<g data-action="{letter}">{_column(number, [row[number] for row in rows])}</g>'
        for number, letter in enumerate(COLUMNS)
    ]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{board}{"".join(columns)}</svg>'


def _column(column: int, signs: list[str]) -> str:
    place = f'<rect x="{_SIZE * column}" width="{_SIZE}" height="{_SIZE * len(signs)}" fill="{_BOARD_COLOR}" fill-opacity="0"/>'
    return place + "".join(_disc(column, row, sign) for row, sign in enumerate(signs))


def _disc(column: int, row: int, sign: str) -> str:
    """Player 1's discs also have a ring, for players who cannot tell the colors apart."""
    x, y = _SIZE * column + _SIZE // 2, _SIZE * row + _SIZE // 2
    disc = f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="{_COLORS[sign]}"/>'
    ring = f'<circle cx="{x}" cy="{y}" r="8" fill="none" stroke="#fff" stroke-width="2"/>'
    return disc + (ring if sign == SIGNS[2] else "")


complete(__name__)
