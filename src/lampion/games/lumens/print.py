"""Lumens on paper: A4 pages to print, black on white.

There is a page for each board, with a pad for scoring, and as many as the tokens need. A token is
printed with its two faces side by side, to be folded and glued; it fits the squares of the boards.
Silhouettes tell the players apart without any color.
"""

from __future__ import annotations

from typing import Final

from lampion.games import art
from lampion.games.art import Box, Svg, label
from lampion.games.lumens.components import (
    COLOR_NAMES,
    COLUMN_LETTERS,
    MAX_COLUMNS,
    MAX_PLAYERS,
    NO_SQUARE_SIGN,
    PASSAGE_SIGN,
    BoardFile,
    LumensFile,
)
from lampion.games.lumens.lamps import LAMPS, flames
from lampion.games.lumens.svg_board import Plan, wall_edges

_WIDTH, _HEIGHT, _MARGIN = 210, 297, 12
"""A4, in millimeters; so is everything below."""
_HEADER, _LEGEND = 16, 6
_TOKEN: Final = 11.5
_LINE: Final = _TOKEN + 1
_TOKENS_IN_A_ROW, _MOST_LINES = 7, 19
_PAD_LINE: Final = 9
_INK: Final = "#000"


def printable(components: LumensFile) -> dict[str, str]:
    """Name of a page -> SVG."""
    boards = {f"board-{name}": _board_page(board) for name, board in components.boards.items()}
    tokens = {f"tokens-{number}": page for number, page in enumerate(_token_pages(components), 1)}
    return {**boards, **tokens}


def _page(title: str, note: str, *content: Svg) -> Svg:
    head = label(title, _MARGIN, 11, 7, fill=_INK, text_anchor="start", font_family=art.TITLE_FONTS)
    foot = label(note, _MARGIN, _HEIGHT - 8, 3, fill=_INK, text_anchor="start")
    size: dict[str, art.Value] = {
        "width": f"{_WIDTH}mm",
        "height": f"{_HEIGHT}mm",
        "font_family": art.TEXT_FONTS,
    }
    paper = Box(0, 0, _WIDTH, _HEIGHT).draw(0, fill="#fff")
    box = f"0 0 {_WIDTH} {_HEIGHT}"
    return art.element(
        "svg",
        art.tooltip(title),
        paper,
        head,
        foot,
        *content,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=box,
        **size,
    )


# --- boards ---------------------------------------------------------------------------------------


def _board_page(board: BoardFile) -> Svg:
    columns, rows = len(board.map[0]), len(board.map)
    cell = (_WIDTH - 2 * _MARGIN - _LEGEND) / MAX_COLUMNS
    left = (_WIDTH + _LEGEND - columns * cell) / 2
    plan = Plan(Box(left, _HEADER + _LEGEND, columns * cell, rows * cell), cell, board.map)
    players = " or ".join(str(number) for number in sorted(board.players))
    note = f"Center room {board.center}. A square with a number is a start square for that many players (b: balanced)."
    return _page(
        f"Lumens, board for {players} players",
        note,
        *(_square(plan, column, row, sign) for column, row, sign in plan.squares()),
        *(_room(plan, room, room == board.center) for room in _rooms(board)),
        _coordinates(plan),
        *(_start(plan, column, row, words) for (column, row), words in _starts(board).items()),
        _score_pad(
            board,
            Box(
                _MARGIN,
                plan.box.bottom + 14,
                _WIDTH - 2 * _MARGIN,
                _PAD_LINE * (max(board.players) + 1),
            ),
        ),
    )


def _rooms(board: BoardFile) -> list[str]:
    return sorted(set("".join(board.map)) - {PASSAGE_SIGN, NO_SQUARE_SIGN})


def _square(plan: Plan, column: int, row: int, sign: str) -> Svg:
    """Passages are gray, rooms white."""
    x, y = plan.at(column, row)
    box = Box(x - plan.cell / 2, y - plan.cell / 2, plan.cell, plan.cell)
    return box.draw(
        0, fill="#c9c9c9" if sign == PASSAGE_SIGN else "#fff", stroke="#777", stroke_width=0.2
    )


def _room(plan: Plan, room: str, is_center: bool) -> Svg:
    """The center room has the thickest wall and its letter in a ring."""
    wall = art.path(
        wall_edges(plan, room),
        fill="none",
        stroke=_INK,
        stroke_width=1.6 if is_center else 0.8,
        stroke_linecap="square",
    )
    column, row = next((column, row) for column, row, sign in plan.squares() if sign == room)
    x, y = plan.at(column, row)
    x, y = x - 0.33 * plan.cell, y - 0.31 * plan.cell
    ring = art.circle(x, y, 2.1, fill="none", stroke=_INK, stroke_width=0.3) if is_center else ""
    return wall + ring + label(room, x, y, 3.2, fill=_INK, font_weight="bold")


def _coordinates(plan: Plan) -> Svg:
    rows = [
        label(len(plan.map) - row, plan.box.x - 3.5, plan.at(0, row)[1], 3, fill=_INK)
        for row in range(len(plan.map))
    ]
    below = plan.box.bottom + 3.5
    columns = [
        label(COLUMN_LETTERS[column], plan.at(column, 0)[0], below, 3, fill=_INK)
        for column in range(len(plan.map[0]))
    ]
    return art.group(*rows, *columns)


def _starts(board: BoardFile) -> dict[tuple[int, int], str]:
    """Start squares and for how many players each is one."""
    found: dict[tuple[int, int], list[str]] = {}
    for name, spots in board.starts.lists().items():
        for spot in spots or []:
            found.setdefault(spot, []).append(name.replace("_balanced", "b"))
    return {spot: " ".join(sorted(names)) for spot, names in found.items()}


def _start(plan: Plan, column: int, row: int, words: str) -> Svg:
    x, y = plan.at(column, row)
    x, y = x + 0.08 * plan.cell, y + 0.08 * plan.cell
    ring = art.circle(
        x, y, 0.36 * plan.cell, fill="none", stroke=_INK, stroke_width=0.4, stroke_dasharray="1 0.7"
    )
    return ring + label(words, x, y, 3 if len(words) < 5 else 2.3, fill=_INK)


def _score_pad(board: BoardFile, box: Box) -> Svg:
    """A line per player, a column per room and one for the sum."""
    heads = ["", *_rooms(board), "sum"]
    lines, width = round(box.height / _PAD_LINE), box.width / len(heads)
    rules = [
        f"M{art.number(box.x)} {art.number(box.y + line * _PAD_LINE)}h{art.number(box.width)}"
        for line in range(1, lines + 1)
    ]
    rules += [
        f"M{art.number(box.x + column * width)} {art.number(box.y)}v{art.number(box.height)}"
        for column in range(1, len(heads) + 1)
    ]
    names = [
        label(head, box.x + (column + 0.5) * width, box.y + _PAD_LINE / 2, 3.4, fill=_INK)
        for column, head in enumerate(heads)
    ]
    signs = [
        _lamp(player, box.x + width / 2, box.y + (player + 1.5) * _PAD_LINE, 6)
        for player in range(lines - 1)
    ]
    return art.group(art.path("".join(rules), stroke="#777", stroke_width=0.2), *names, *signs)


# --- tokens ---------------------------------------------------------------------------------------


def _token_pages(components: LumensFile) -> list[Svg]:
    """Each player's tokens together, kind by kind, as many players to a page as fit."""
    kinds = [token.faces for token in components.tokens for _ in range(token.count)]
    starts = range(0, len(kinds), _MOST_LINES * _TOKENS_IN_A_ROW)
    blocks = [
        (player, kinds[start : start + _MOST_LINES * _TOKENS_IN_A_ROW])
        for player in range(MAX_PLAYERS)
        for start in starts
    ]
    pages: list[list[Svg]] = []
    top = float(_HEIGHT)
    for player, some in blocks:
        height = -(-len(some) // _TOKENS_IN_A_ROW) * _LINE + 10
        if top + height > _HEIGHT - _MARGIN:
            pages.append([])
            top = _HEADER + 6
        pages[-1].append(_block(player, some, top))
        top += height
    return [
        _page(
            "Lumens, light tokens",
            "Cut along the thin lines, fold along the dotted ones, glue.",
            *page,
        )
        for page in pages
    ]


def _block(player: int, kinds: list[tuple[int, int]], top: float) -> Svg:
    name = label(COLOR_NAMES[player], _MARGIN, top, 4, fill=_INK, text_anchor="start")
    step = (_WIDTH - 2 * _MARGIN) / _TOKENS_IN_A_ROW
    spots = [divmod(index, _TOKENS_IN_A_ROW) for index in range(len(kinds))]
    pairs = [
        _pair(player, faces, _MARGIN + column * step, top + 4 + row * _LINE)
        for faces, (row, column) in zip(kinds, spots, strict=True)
    ]
    return art.group(name, *pairs)


def _pair(player: int, faces: tuple[int, int], x: float, y: float) -> Svg:
    cut = Box(x, y, 2 * _TOKEN, _TOKEN).draw(0, fill="none", stroke="#777", stroke_width=0.15)
    fold = art.path(
        f"M{art.number(x + _TOKEN)} {art.number(y)}v{_TOKEN}",
        stroke="#777",
        stroke_width=0.2,
        stroke_dasharray="0.8 0.8",
    )
    shown = [
        _face(player, face, x + (side + 0.5) * _TOKEN, y + _TOKEN / 2)
        for side, face in enumerate(faces)
    ]
    return art.group(cut, fold, *shown)


def _face(player: int, face: int, x: float, y: float) -> Svg:
    return _lamp(player, x, y, 0.87 * _TOKEN, flames(face, fill=_INK))


def _lamp(player: int, x: float, y: float, size: float, *inside: Svg) -> Svg:
    body = art.path(LAMPS[player].outline, fill="#fff", stroke=_INK, stroke_width=5)
    return art.group(
        body,
        *inside,
        transform=f"translate({art.number(x)} {art.number(y)}) scale({art.number(size / 100)})",
    )
