"""Connect Four in plain text and as a picture, made from a view alone."""

from __future__ import annotations

from connect_four.view import DISC_SIGNS, FREE
from lampion.core.types import Json

_SIZE, _RADIUS = 40, 16
_BOARD_COLOR, _COLORS = (
    "#1e2a52",
    {FREE: "#0d1430", DISC_SIGNS[0]: "#f2b441", DISC_SIGNS[1]: "#d9534f"},
)


def draw_text(view: dict[str, Json]) -> str:
    board = [" ".join(row) for row in view["board"]]
    seats = [
        f"{sign} {name}{_mark(view, player)}"
        for player, (sign, name) in enumerate(zip(DISC_SIGNS, view["names"], strict=True))
    ]
    return "\n".join([*board, " ".join(view["columns"]), "", *seats])


def _mark(view: dict[str, Json], player: int) -> str:
    if view["to_act"] is None:
        return " *" if player in view["winners"] else ""
    return " <" if player == view["to_act"] else ""


def draw_svg(view: dict[str, Json]) -> str:
    """A column is one place to press: `data-action` names the action that it stands for."""
    rows: list[str] = view["board"]
    width, height = _SIZE * len(rows[0]), _SIZE * len(rows)
    board = f'<rect width="{width}" height="{height}" rx="{_RADIUS}" fill="{_BOARD_COLOR}"/>'
    columns = [
        f'<g data-action="{letter}">{_column(number, [row[number] for row in rows])}</g>'
        for number, letter in enumerate(view["columns"])
    ]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">{board}{"".join(columns)}</svg>'


def _column(column: int, signs: list[str]) -> str:
    place = f'<rect x="{_SIZE * column}" width="{_SIZE}" height="{_SIZE * len(signs)}" fill="{_BOARD_COLOR}" fill-opacity="0"/>'
    return place + "".join(_disc(column, row, sign) for row, sign in enumerate(signs))


def _disc(column: int, row: int, sign: str) -> str:
    """Player 1's discs also have a ring, for those who do not see the difference of colors."""
    x, y = _SIZE * column + _SIZE // 2, _SIZE * row + _SIZE // 2
    ring = (
        f'<circle cx="{x}" cy="{y}" r="{_RADIUS // 2}" fill="none" stroke="#fff" stroke-width="2"/>'
    )
    return f'<circle cx="{x}" cy="{y}" r="{_RADIUS}" fill="{_COLORS[sign]}"/>{ring if sign == DISC_SIGNS[1] else ""}'
