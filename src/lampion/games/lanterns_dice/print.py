"""Lanterns Dice to print: blank sheets, fireworks tiles and emperor cards, A4, black on white.

Lengths are millimeters. A pool is as large on a sheet as on a tile, so that cut-out tiles cover
what they should. Colors are told by the outline of their lantern and by their letter, so a pencil
and a gray printer are enough.
"""

from __future__ import annotations

from typing import Final

from lampion.core.messages import game_text
from lampion.games import art
from lampion.games.art import Box, Svg, Value
from lampion.games.lanterns_dice.components import (
    BOAT,
    COLUMN_LETTERS,
    LOWER,
    MAX_STACK,
    NAME,
    NUM_ROWS,
    PAVILION_LOWER,
    PAVILION_UPPER,
    PLATFORM,
    SHAPE_NAMES,
    SHEET_LETTERS,
    SIDE_LETTERS,
    UPPER,
    CardFile,
    LanternsDiceFile,
    cells,
)
from lampion.games.lanterns_dice.svg_lake import (
    LANTERN_SPOTS,
    PAVILION_SPOTS,
    TRIANGLES,
    Grid,
    leaning,
    most_central,
    place,
    pool_codes,
)

_PAGE: Final = Box(0, 0, 210, 297)
_MARGIN, _POOL, _LAKE_TOP = 15, 20, 38
_BLACK: Final = "#000"
_THIN: Final[dict[str, Value]] = {"fill": "none", "stroke": _BLACK, "stroke_width": 0.25}
_CUT: Final[dict[str, Value]] = {
    "fill": "#fff",
    "stroke": _BLACK,
    "stroke_width": 0.3,
    "stroke_dasharray": "1.6 1",
}
_NOTICE: Final = "Made with Lampion. Not affiliated with the designers or publishers of Lanterns Dice. Game design: Chris Bryan."
_RECONSTRUCTED: Final = "Lakes, lower tile values, most turn bonuses and five of the emperor's actions are reconstructions."
_TILE_MARGIN, _TILE_GAP, _TILES_TOP = 11, 2, 30


def printable(components: LanternsDiceFile) -> dict[str, str]:
    """Every page by its name: the sheets for each option `lakes`, the tiles by shape,
    and both sides of the cards."""
    pages = {
        f"sheet-{letter}-lakes-same": _sheet(components, letter, 0) for letter in SHEET_LETTERS
    }
    pages |= {
        f"sheet-{letter}-lakes-four": _sheet(components, letter, number)
        for number, letter in enumerate(SHEET_LETTERS)
    }
    pages |= {f"fireworks-{name}": _tiles(components, name) for name in SHAPE_NAMES}
    return {**pages, "emperor": _cards(components)}


# --- a page ---------------------------------------------------------------------------------------


def _page(title: str, *content: Svg) -> Svg:
    white = _PAGE.draw(0, fill="#fff")
    notice = _text(_NOTICE, _PAGE.width / 2, 289, 2.6, text_anchor="middle")
    size: dict[str, Value] = {
        "width": "210mm",
        "height": "297mm",
        "viewBox": "0 0 210 297",
        "font_family": art.TEXT_FONTS,
    }
    heading = _text(title, _MARGIN, 20, 8, font_family=art.TITLE_FONTS)
    return art.element(
        "svg",
        art.tooltip(title),
        white,
        heading,
        *content,
        notice,
        xmlns="http://www.w3.org/2000/svg",
        **size,
    )


def _text(content: object, x: float, y: float, size: float, **attributes: Value) -> Svg:
    return art.label(content, x, y, size, **{"fill": _BLACK, "text_anchor": "start", **attributes})


def _scaled(drawing: Svg, x: float, y: float, size: float) -> Svg:
    """A drawing made in a square from -50 to 50."""
    place_on_page = f"translate({art.number(x)} {art.number(y)}) scale({size / 100:.4f})"
    return art.group(
        drawing, transform=place_on_page, fill="none", stroke=_BLACK, stroke_width=0.3 * 100 / size
    )


def _lantern(letter: str, x: float, y: float, size: float) -> Svg:
    look = art.LANTERNS[letter]
    outline = _scaled(art.path(look.outline, stroke_linejoin="round"), x, y, size)
    return outline + _text(
        letter, x, y + look.letter_y * size / 100, 0.44 * size, text_anchor="middle"
    )


# --- sheets ---------------------------------------------------------------------------------------


def _sheet(components: LanternsDiceFile, letter: str, lake: int) -> Svg:
    grid = Grid(_MARGIN, _LAKE_TOP, _POOL)
    rows = [" ".join(codes) for codes in components.lake(lake)]
    pools = [_pool(name, code, grid) for name, code in pool_codes(rows)]
    edge = grid.box.draw(0, **{**_THIN, "stroke_width": 0.8})
    names = [
        _text(name[0], grid.middle(name)[0], grid.box.bottom + 3.5, 3, text_anchor="middle")
        for name, _ in pool_codes(rows)[-9:]
    ]
    numbers = [
        _text(number, _MARGIN - 4, grid.middle(f"a{number}")[1], 3) for number in range(1, 7)
    ]
    head = (
        _text("Name", 120, 20, 4)
        + art.path("M133 22H195", **_THIN)
        + _text(f"Sheet {letter}", 195, 30, 6, text_anchor="end")
    )
    below = grid.box.bottom + 14
    parts = (
        _bonuses(components, letter, below),
        _gifts(components, below),
        _final_score(below + 52),
        _reminder(below + 82),
    )
    more = (
        _text(_RECONSTRUCTED, _PAGE.width / 2, 285, 2.6, text_anchor="middle")
        if components.is_standard
        else ""
    )
    return _page("Lanterns Dice", head, *pools, edge, *names, *numbers, *parts, more)


def _pool(name: str, code: str, grid: Grid) -> Svg:
    lean, (x, y) = leaning(*place(name)), grid.middle(name)
    triangles = "".join(art.path(TRIANGLES[lean][half]) for half in (UPPER, LOWER))
    lanterns = [
        _lantern(code[half], x + dx * _POOL / 100, y + dy * _POOL / 100, 6.6)
        for half, (dx, dy) in zip((UPPER, LOWER), LANTERN_SPOTS[lean], strict=True)
    ]
    return _scaled(triangles, x, y, _POOL) + _feature(code[2], lean, x, y) + "".join(lanterns)


def _feature(feature: str, lean: int, x: float, y: float) -> Svg:
    if feature in (PAVILION_UPPER, PAVILION_LOWER):
        dx, dy = PAVILION_SPOTS[lean][UPPER if feature == PAVILION_UPPER else LOWER]
        return _scaled(_PAVILION, x + dx * _POOL / 100, y + dy * _POOL / 100, 5.4)
    if feature == PLATFORM:
        return _scaled(_PIER, x, y, 6)
    return _scaled(_BOAT, x, y, 7.4) if feature == BOAT else ""


_PAVILION: Final = (
    '<circle r="46" fill="#fff"/><path d="M-34-4Q-16-10 0-34Q16-10 34-4L26 4H-26Z" fill="#000"/>'
    '<path d="M-20 4V28M0 4V28M20 4V28M-28 28H28"/>'
)
_PIER: Final = (
    '<rect x="-42" y="-42" width="84" height="84" fill="#bbb"/><path d="M-42-14H42M-42 14H42"/>'
)
_BOAT: Final = (
    '<path d="M-46 8C-24 18 24 18 46 8C40 34 24 40 0 40C-24 40-40 34-46 8Z" fill="#000"/>'
    '<path d="M-3 12V-46L32 6ZM-10 10V-30L-32 6Z" fill="#fff"/>'
)
_GIFT: Final = (
    '<rect x="-40" y="-26" width="80" height="66" fill="#fff"/>'
    '<path d="M0-26V40M-40-4H40M0-26C-30-32-24-52-6-42Q0-36 0-26Q0-36 6-42C24-52 30-32 0-26Z"/>'
)


def _bonuses(components: LanternsDiceFile, letter: str, y: float) -> Svg:
    """Three columns: turns 1 to 6 for all, then the further turns of three and of two players."""
    bonuses = components.bonuses(letter)
    columns = (
        ("2-4 players", 1, bonuses.turns_1_to_6),
        ("3 players", 7, bonuses.three_players),
        ("2 players", 7, bonuses.two_players),
    )
    drawn = [_bonus_column(*column, _MARGIN + 27 * k, y + 8) for k, column in enumerate(columns)]
    return _text("Turn bonuses", _MARGIN, y, 4.6, font_weight="bold") + "".join(drawn)


def _bonus_column(title: str, first: int, colors: str, x: float, y: float) -> Svg:
    rows = [
        _text(first + k, x + 4, y + 8 + 9 * k, 3.6, text_anchor="end")
        + art.square(x + 10, y + 8 + 9 * k, 8, **_THIN)
        + _lantern(color, x + 10, y + 8 + 9 * k, 5.6)
        for k, color in enumerate(colors)
    ]
    return _text(title, x, y, 3.2) + "".join(rows)


def _gifts(components: LanternsDiceFile, y: float) -> Svg:
    """Shade the middle when you earn a gift, cross the circle out when you spend it; more may be
    drawn, for gifts are not capped."""
    spots = [(107 + 12.4 * (k % 7), y + 11 + 13 * (k // 7)) for k in range(components.gift_circles)]
    circles = [
        art.circle(x, spot_y, 5, **_THIN) + art.circle(x, spot_y, 1.8, **_THIN)
        for x, spot_y in spots
    ]
    earned = [
        art.circle(x, spot_y, 1.8, fill=_BLACK) for x, spot_y in spots[: components.starting_gifts]
    ]
    return _text("Gifts", 102, y, 4.6, font_weight="bold") + "".join(circles + earned)


def _final_score(y: float) -> Svg:
    words = ("fireworks", "second group", "4 per boat", "honor")
    boxes = [
        Box(102 + 25 * k, y, 19, 13).draw(
            1, **{**_THIN, "stroke_width": 0.8 if word == "honor" else 0.25}
        )
        for k, word in enumerate(words)
    ]
    names = [
        _text(word, 111 + 25 * k, y + 17, 3, text_anchor="middle") for k, word in enumerate(words)
    ]
    signs = [
        _text(sign, 123.5 + 25 * k, y + 6.5, 5, text_anchor="middle")
        for k, sign in enumerate("++=")
    ]
    return "".join(boxes + names + signs)


def _reminder(y: float) -> Svg:
    lines = (
        "1  The active player rolls, may pay a gift to roll again, turns the tray.",
        "2  Everybody may shade an area of the color of their die; the active player also one for the turn bonus.",
        "3  Everybody may pay for one emperor action.",
        "4  The active player may launch one display.",
    )
    return "".join(_text(line, _MARGIN, y + 5 * k, 3.4) for k, line in enumerate(lines))


# --- fireworks tiles ------------------------------------------------------------------------------


def _tiles(components: LanternsDiceFile, name: str) -> Svg:
    """All tiles of a shape, row by row; the largest stack of the largest
    shape still fits on a page."""
    columns, rows = (1 + max(cell[axis] for cell in cells(name, 0)) for axis in range(2))
    width, height = _POOL * columns + _TILE_GAP, _POOL * rows + _TILE_GAP
    per_row = int((_PAGE.width - 2 * _TILE_MARGIN + _TILE_GAP) // width)
    top = _TILES_TOP - _POOL * (NUM_ROWS - rows)
    places = [
        (_TILE_MARGIN + width * (k % per_row), top + height * (k // per_row))
        for k in range(MAX_STACK)
    ]
    honors = components.shape(name).honor
    tiles = [
        _tile(name, honor, Grid(*place, _POOL))
        for honor, place in zip(honors, places, strict=False)
    ]
    return _page(f"Fireworks {name}", *tiles)


def _tile(name: str, honor: int, grid: Grid) -> Svg:
    """A tile on the lowest rows of a grid of pools."""
    pools = sorted(f"{COLUMN_LETTERS[column]}{row + 1}" for column, row in cells(name, 0))
    inner = art.path("".join(grid.border([pool]) for pool in pools), **{**_THIN, "stroke": "#bbb"})
    bursts = [_scaled(_BURST, *grid.middle(pool), _POOL) for pool in pools]
    spot = grid.middle(most_central(pools))
    seal = art.circle(*spot, 5.4, fill="#fff", stroke=_BLACK, stroke_width=0.5)
    number = _text(honor, *spot, 7, text_anchor="middle", font_weight="bold")
    return art.group(inner, *bursts, art.path(grid.border(pools), **_CUT), seal, number)


_BURST: Final = (
    '<path d="M0-12V-30M0 12V30M-12 0H-30M12 0H30M9-9L21-21M-9 9L-21 21M-9-9L-21-21M9 9L21 21" stroke-linecap="round"/>'
    '<path d="M0-37h.1M0 37h.1M-37 0h.1M37 0h.1M27-27h.1M-27 27h.1M-27-27h.1M27 27h.1" stroke-width="4" stroke-linecap="round"/>'
)


# --- emperor cards --------------------------------------------------------------------------------


def _cards(components: LanternsDiceFile) -> Svg:
    faces = [
        _card(card, number + 1, letter, 10 + 64 * number, 34 + 92 * side)
        for number, card in enumerate(components.emperor_cards)
        for side, letter in enumerate(SIDE_LETTERS)
    ]
    return _page("Emperor cards", *faces)


def _card(card: CardFile, number: int, letter: str, x: float, y: float) -> Svg:
    action = card.A if letter == SIDE_LETTERS[0] else card.B
    middle = x + 30
    price = [
        _scaled(_GIFT, middle + 11 * (k - (card.cost - 1) / 2), y + 32, 9)
        for k in range(min(card.cost, 5))
    ]
    words = _wrapped(game_text(NAME, "cards", action), middle, y + 62)
    name = _text(
        game_text(NAME, "words", action),
        middle,
        y + 50,
        5.4,
        text_anchor="middle",
        font_weight="bold",
    )
    corner = _text(f"e{number}", x + 5, y + 8, 5, font_weight="bold") + _text(
        letter, x + 55, y + 8, 5, text_anchor="end"
    )
    cost = _text(
        f"{card.cost} gift{'' if card.cost == 1 else 's'}", middle, y + 18, 5, text_anchor="middle"
    )
    return art.group(Box(x, y, 60, 88).draw(3, **_CUT), corner, cost, *price, name, words)


def _wrapped(content: str, x: float, y: float, width: int = 24) -> Svg:
    lines = [""]
    for word in content.split():
        fits = len(lines[-1]) + len(word) < width
        lines[-1:] = [f"{lines[-1]} {word}".strip()] if fits else [lines[-1], word]
    return "".join(
        _text(line, x, y + 6 * k, 4.2, text_anchor="middle") for k, line in enumerate(lines)
    )
