"""Lanterns Dice drawn as SVG, from a view alone.

The viewer's lake is the large one, a spectator sees that of the active player; the other
lakes lie below. The tray is drawn as the viewer faces it: the own die at the bottom, the
seats clockwise round it.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from lampion.core.messages import game_text
from lampion.core.types import Json
from lampion.games import art
from lampion.games.art import GOLD, INK, PAPER, WOOD, WOOD_DARK, WOOD_LIGHT, Box, Svg, label, quiet
from lampion.games.lanterns_dice.components import NAME, NUM_COLUMNS, NUM_DICE
from lampion.games.lanterns_dice.svg_lake import Grid, draw_lake, lake_pieces

View: TypeAlias = dict[str, Json]

_WIDTH, _MARGIN, _GAP, _HEADER = 900, 16, 14, 38
_BAND, _STACKS, _CARDS = 196, 316, 290
_CELL, _NAMES = 71, 26
_SIDE, _SMALL_HEAD, _LARGEST_SMALL_CELL = 190, 58, 44

_PHASES: Final = {
    "sheets": "the sheets are dealt",
    "fireworks": "the fireworks are chosen",
    "emperor": "the emperor's cards are laid out",
    "roll": "the dice are rolled",
}
_CHOICES: Final = {
    "tray": "turns the tray",
    "die": "shades for the die",
    "turn_bonus": "shades for the turn bonus",
    "card": "may buy a card",
    "card_area": "shades for the card",
    "second_area": "may shade a second area",
    "launch": "may launch",
    "platform_bonus": "shades beside a platform",
}


# --- the picture ----------------------------------------------------------------------------------


def draw_svg(view: dict[str, Json]) -> str:
    """The table as a seat sees it."""
    near = view["turn"]["active"] if view["seat"] is None else view["seat"]
    others = [(near + k) % view["players"] for k in range(1, view["players"])]
    top, main = _HEADER + _GAP, _HEADER + _BAND + 2 * _GAP
    lake = Box(_MARGIN, main, _WIDTH - 2 * _MARGIN - _SIDE - _GAP, 6 * _CELL + 2 * _NAMES)
    below, small = lake.bottom + _GAP + 10, _small_cell(len(others))
    height = below + _SMALL_HEAD + 6 * small + 12 + _MARGIN
    parts = (
        Box(0, 0, _WIDTH, height).draw(18, fill=art.url("ground")),
        _header(view),
        _stacks(view, near, Box(_MARGIN, top, _STACKS, _BAND)),
        _tray(view, near, (_MARGIN + _STACKS + _WIDTH - _MARGIN - _CARDS) / 2, top + _BAND / 2),
        _cards(view, Box(_WIDTH - _MARGIN - _CARDS, top, _CARDS, _BAND)),
        _near_lake(view, near, lake),
        _near_seat(view, near, Box(lake.right + _GAP, main, _SIDE, lake.height)),
        *(
            _other_seat(view, player, box, small)
            for player, box in zip(others, _small_boxes(len(others), below, small), strict=True)
        ),
    )
    title = f"Lanterns Dice: {_status(view)}"
    return art.picture(
        title,
        _description(view),
        _WIDTH,
        height,
        art.definitions(*lake_pieces(), *table_pieces()),
        *parts,
    )


def _small_boxes(count: int, y: float, cell: float) -> list[Box]:
    width = (_WIDTH - 2 * _MARGIN - _GAP * (count - 1)) / count
    return [
        Box(_MARGIN + (width + _GAP) * k, y, width, _SMALL_HEAD + 6 * cell + 12)
        for k in range(count)
    ]


def _small_cell(count: int) -> float:
    return min(
        _LARGEST_SMALL_CELL,
        ((_WIDTH - 2 * _MARGIN - _GAP * (count - 1)) / count - 24) / NUM_COLUMNS,
    )


def _is_over(view: View) -> bool:
    return view["to_act"] is None


def _status(view: View) -> str:
    if _is_over(view):
        return _result(view)
    turn = f"turn {view['turn']['number']} of {view['turn']['of']}"
    if view["turn"]["phase"] in _PHASES:
        return f"{turn}: {_PHASES[view['turn']['phase']]}"
    if len(view["actors"]) > 1:
        return f"{turn}: {len(view['actors'])} players are choosing"
    player = view["to_act"]
    name = art.shortened(view["names"][player], 24)
    last = "last launch" if view["turn"]["phase"] == "last_launch" else turn
    return f"{last}: {name} {_CHOICES[view['seats'][player]['choice']]}"


def _result(view: View) -> str:
    return f"{art.who_won(view, 16)} with {max(view['scores'])} honor"


def _description(view: View) -> str:
    """The picture in words, for screen readers."""
    dice = f"dice {view['dice'] or 'not rolled'}"
    people = [
        f"{name}: {seat['score']['total']} honor, {seat['gifts']} gifts, {len(seat['shaded'])} shaded areas, {len(seat['tiles'])} tiles"
        for name, seat in zip(view["names"], view["seats"], strict=True)
    ]
    return (
        ". ".join([f"Turn {view['turn']['number']} of {view['turn']['of']}, {dice}", *people]) + "."
    )


def _header(view: View) -> Svg:
    title = label(
        "Lanterns Dice",
        _MARGIN + 2,
        25,
        25,
        fill=GOLD,
        text_anchor="start",
        font_family=art.TITLE_FONTS,
    )
    return title + label(_status(view), _WIDTH - _MARGIN - 2, 26, 16, text_anchor="end")


# --- fireworks and cards --------------------------------------------------------------------------


def _stacks(view: View, near: int, box: Box) -> Svg:
    step = (box.height - 8) / 4
    reach = view["seats"][near]["reach"]
    rows = [
        _stack(stack, fits, box, box.y + 4 + step * (k + 0.5))
        for k, (stack, fits) in enumerate(zip(view["stacks"], reach, strict=True))
    ]
    return art.group(art.panel(box), *rows or [quiet("fireworks", *box.middle, 14)])


def _stack(stack: Json, reach: Json, box: Box, y: float) -> Svg:
    """The shape, its tiles from the top, and how near the viewer is to launching one."""
    shape = art.group(
        _shape(stack["rows"], box.x + 30, y, 11), opacity=None if stack["honors"] else 0.35
    )
    name = label(stack["shape"], box.x + 64, y - 9, 15, text_anchor="start", font_weight="bold")
    if not stack["honors"]:
        return shape + name + quiet("the stack is gone", box.x + 64, y + 11, 12, "start")
    top, *below = stack["honors"]
    step = min(20.0, 110 / max(len(below), 1))
    tokens = [
        art.token("seal", honor, box.x + 170 + step * k, y, 19) for k, honor in enumerate(below)
    ]
    return (
        shape
        + name
        + _nearness(reach, box.x + 64, y + 10)
        + art.token("seal", top, box.x + 140, y, 36)
        + "".join(tokens)
    )


def _nearness(reach: Json, x: float, y: float) -> Svg:
    if reach["missing"] == 0:
        return label("fits!", x, y, 13, fill=GOLD, text_anchor="start", font_weight="bold")
    return quiet(
        "no room" if reach["missing"] is None else f"{reach['missing']} to go", x, y, 11.5, "start"
    )


def _shape(rows: list[str], x: float, y: float, size: float) -> Svg:
    left, top = x - size * len(rows[0]) / 2, y - size * len(rows) / 2
    spots = [
        (left + size * (k + 0.5), top + size * (row + 0.5))
        for row, marks in enumerate(rows)
        for k, mark in enumerate(marks)
        if mark == "X"
    ]
    return "".join(
        art.square(*spot, size, fill="#171a4d", stroke=GOLD, stroke_width=1.4) for spot in spots
    )


def _cards(view: View, box: Box) -> Svg:
    step = (box.height - 6) / 3
    return art.group(
        art.panel(box),
        *(_card(card, box, box.y + 3 + step * (k + 0.5)) for k, card in enumerate(view["emperor"])),
    )


def _card(card: Json, box: Box, y: float) -> Svg:
    paper = Box(box.x + 12, y - 26, 40, 52).draw(5, fill=PAPER, stroke=GOLD, stroke_width=1.6)
    price = label(f"e{card['card']}", box.x + 32, y - 14, 13, fill=INK, font_weight="bold")
    price += art.token("dice-gift", card["cost"], box.x + 32, y + 9, 30)
    if card["action"] is None:
        return paper + price
    name = label(
        game_text(NAME, "words", card["action"]),
        box.x + 62,
        y - 10,
        15,
        text_anchor="start",
        font_weight="bold",
    )
    side = quiet(f"side {card['side']}", box.right - 12, y - 10, 11, "end")
    return (
        paper
        + price
        + name
        + side
        + quiet(game_text(NAME, "cards", card["action"]), box.x + 62, y + 10, 11, "start")
    )


# --- the tray -------------------------------------------------------------------------------------

_CLOCKWISE: Final = ((0, 1), (-1, 0), (0, -1), (1, 0))
"""From the middle of the tray to the viewer, and on clockwise."""


def _tray(view: View, near: int, x: float, y: float) -> Svg:
    if _is_over(view):
        return _celebration(x, y)
    own = view["seats"][near]["tray_seat"]
    ring = art.circle(x, y, 66, fill=WOOD, stroke=WOOD_LIGHT, stroke_width=5) + art.circle(
        x, y, 57, fill=WOOD_DARK
    )
    seats = {
        (seat["tray_seat"] - own) % NUM_DICE: player for player, seat in enumerate(view["seats"])
    }
    people = [
        art.emblem(player, x + 82 * _CLOCKWISE[k][0], y + 82 * _CLOCKWISE[k][1], 30)
        for k, player in seats.items()
    ]
    dice = view["dice"] or "?" * NUM_DICE
    turned = [dice[(own + k + (view["tray"] or 0)) % NUM_DICE] for k in range(NUM_DICE)]
    faces = [
        _die(letter, x + 34 * dx, y + 34 * dy, 39)
        for letter, (dx, dy) in zip(turned, _CLOCKWISE, strict=True)
    ]
    words = (
        "not turned"
        if view["turn"]["phase"] == "tray"
        else ""
        if view["tray"] is None
        else f"t{view['tray']}"
    )
    return art.group(ring, *people, *faces, label(words, x + 60, y + 76, 13, fill=GOLD))


def _celebration(x: float, y: float) -> Svg:
    """Nobody rolls any more: the sky belongs to the fireworks."""
    bursts = (
        (-52, -40, 96),
        (58, -22, 118),
        (-18, 48, 84),
        (-104, 34, 60),
        (96, 62, 54),
        (14, -72, 46),
    )
    return art.night_sky(Box(x, y, 0, 0)) + "".join(
        art.stamp("dice-burst", x + dx, y + dy, size) for dx, dy, size in bursts
    )


def _die(letter: str, x: float, y: float, size: float) -> Svg:
    cube = art.square(x, y, size, fill=PAPER, stroke="#d9cbb0", stroke_width=0.06 * size)
    return cube + (
        label("?", x, y, 0.5 * size, fill="#b8aa8c")
        if letter == "?"
        else art.stamp(f"dice-face-{letter}", x, y, size)
    )


# --- seats ----------------------------------------------------------------------------------------


def _mark(view: View, player: int) -> str:
    return "winner" if player in view["winners"] else "to act" if player in view["actors"] else ""


def _near_lake(view: View, player: int, box: Box) -> Svg:
    grid = Grid(box.x + (box.width - NUM_COLUMNS * _CELL) / 2 + 6, box.y + 16, _CELL)
    return art.panel(box) + draw_lake(
        view["seats"][player], grid, is_lit=_is_over(view), is_near=True
    )


def _near_seat(view: View, player: int, box: Box) -> Svg:
    seat = view["seats"][player]
    x, y = box.middle[0], box.y
    name = label(art.shortened(view["names"][player], 16), x, y + 92, 18, font_weight="bold")
    sheet = quiet(
        f"sheet {seat['sheet'] or '?'}" + (", active" if player == view["turn"]["active"] else ""),
        x,
        y + 112,
        12.5,
    )
    choice = label(_CHOICES.get(seat["choice"], ""), x, y + 134, 14, fill=GOLD)
    apart = 0 if _is_over(view) else 42
    die = (
        _die(seat["die"] or "?", x - 42, y + 172, 44) + quiet("die", x - 42, y + 206, 11)
        if apart
        else ""
    )
    gifts = art.token("dice-gift", seat["gifts"], x + apart, y + 172, 44) + quiet(
        "gifts", x + apart, y + 206, 11
    )
    person = art.emblem(player, x, y + 48, 60) + name + sheet + choice
    panel = art.tooltip(view["names"][player]) + art.panel(box, _mark(view, player))
    return art.group(
        panel,
        person,
        die,
        gifts,
        _bonuses(view, player, box, y + 230),
        _score(seat, box, box.bottom - 142),
    )


def _bonuses(view: View, player: int, box: Box, y: float) -> Svg:
    """One lantern for each turn; the next one has a ring, those taken are dim."""
    column = view["seats"][player]["turn_bonuses"] or ""
    taken = (
        len(column)
        if view["turn"]["phase"] in ("last_launch", "over")
        else view["turn"]["number"] - (player >= view["turn"]["active"])
    )
    per_row = 6 if len(column) > 5 else 5
    step = (box.width - 20) / per_row
    spots = [
        (box.x + 10 + step * (k % per_row + 0.5), y + 22 + 30 * (k // per_row))
        for k in range(len(column))
    ]
    lanterns = [
        art.lantern(letter, *spot, 19, opacity=0.3 if k < taken else None)
        for k, (letter, spot) in enumerate(zip(column, spots, strict=True))
    ]
    ring = (
        art.circle(*spots[taken], 14, fill="none", stroke=GOLD, stroke_width=2.4)
        if taken < len(column)
        else ""
    )
    return quiet("turn bonuses", box.middle[0], y, 11.5) + "".join(lanterns) + ring


def _score(seat: Json, box: Box, y: float) -> Svg:
    """The three parts of the score as they stand (D17)."""
    parts = [("fireworks", "dice-burst"), ("second_group", "dice-pool"), ("boats", "dice-boat")]
    rows = [
        art.stamp(symbol, box.x + 28, y + 27 * k, 22)
        + quiet(game_text(NAME, "words", part), box.x + 46, y + 27 * k, 13, "start")
        + label(
            seat["score"][part],
            box.right - 22,
            y + 27 * k,
            16,
            text_anchor="end",
            font_weight="bold",
        )
        for k, (part, symbol) in enumerate(parts)
    ]
    total = art.token("seal", seat["score"]["total"], box.middle[0] + 20, y + 102, 54)
    return "".join(rows) + quiet("honor", box.middle[0] - 36, y + 102, 14) + total


def _other_seat(view: View, player: int, box: Box, cell: float) -> Svg:
    """A small lake; where there is room beside it, what the near seat shows too."""
    seat, y, wide = view["seats"][player], box.y + 29, NUM_COLUMNS * cell
    has_room = box.width > wide + 2 * _SIDE
    left = box.x + (24 if has_room else (box.width - wide) / 2)
    name = label(
        art.shortened(view["names"][player], int(wide / 9 - 19)),
        left + 42,
        y - 8,
        15,
        text_anchor="start",
        font_weight="bold",
    )
    words = _CHOICES.get(seat["choice"], f"sheet {seat['sheet'] or '?'}")
    head = (
        art.emblem(player, left + 18, y, 36) + name + quiet(words, left + 42, y + 11, 11.5, "start")
    )
    tokens = _die(seat["die"], left + wide - 104, y, 30) if seat["die"] else ""
    tokens += art.token("dice-gift", seat["gifts"], left + wide - 62, y, 30) + art.token(
        "seal", seat["score"]["total"], left + wide - 19, y, 36
    )
    lake = draw_lake(
        seat, Grid(left, box.y + _SMALL_HEAD, cell), is_lit=_is_over(view), is_near=False
    )
    beside = Box((left + wide + box.right - _SIDE - 40) / 2, box.y, _SIDE + 40, box.height)
    more = (
        _bonuses(view, player, beside, y + 40) + _score(seat, beside, y + 154) if has_room else ""
    )
    return art.group(
        art.tooltip(view["names"][player]),
        art.panel(box, _mark(view, player)),
        head,
        tokens,
        lake,
        more,
    )


# --- pieces ---------------------------------------------------------------------------------------

_GIFT: Final = (
    '<rect x="-42" y="-30" width="84" height="72" rx="8" fill="#a8323a" stroke="#ffd27a" stroke-width="5"/>'
    '<path d="M0-30V42M-42-8H42" stroke="#ffd27a" stroke-width="7" stroke-opacity=".35"/>'
    '<path d="M0-30C-30-34-26-54-8-44Q0-38 0-30Q0-38 8-44C26-54 30-34 0-30Z" fill="#ffd27a"/>'
)
_POOL: Final = (
    f'<rect x="-44" y="-20" width="42" height="42" fill="none" stroke="{GOLD}" stroke-width="9"/>'
    f'<rect x="-2" y="-20" width="42" height="42" fill="none" stroke="{GOLD}" stroke-width="9"/>'
)


def table_pieces() -> list[Svg]:
    """What lies beside the lakes."""
    faces = [art.symbol(f"dice-face-{letter}", 50, _face(letter)) for letter in "ROWGBP"]
    return [art.symbol("dice-gift", 50, _GIFT), art.symbol("dice-pool", 50, _POOL), *faces]


def _face(letter: str) -> Svg:
    """A lantern on paper, without its glow."""
    look = art.LANTERNS[letter]
    outline = art.path(
        look.outline, fill=look.color, stroke=INK, stroke_width=5, stroke_linejoin="round"
    )
    ink = INK if letter in "OW" else "#fff"
    return art.group(
        outline,
        label(letter, 0, look.letter_y, 44, fill=ink, font_weight="bold"),
        transform="scale(.78)",
    )
