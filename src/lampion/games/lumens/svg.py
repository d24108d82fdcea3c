"""Lumens drawn as SVG, from a view alone.

The house lies at the left, the seats stand at the right, and below there is a card for
every room: who has how many pips in it, and what it would pay. North is up for everybody,
because squares have names.
"""

from __future__ import annotations

from typing import Final

from lampion.core.types import Json
from lampion.games import art
from lampion.games.art import GOLD, INK, PAPER, WARNING, Box, Svg, label, quiet
from lampion.games.lumens.lamps import lamp
from lampion.games.lumens.svg_board import Plan, View, board_definitions, draw_board

_MARGIN, _GAP, _HEADER = 16, 14, 44
_WIDTH, _LEGEND, _BOARD, _LARGEST_CELL = 900, 24, 600, 60
_SEAT_HEIGHT, _SEAT_GAP, _BANNER = 140, 14, 62
_CARDS_IN_A_ROW, _CARD_LINE = 11, 17
_PHASES: Final = {
    "seats": "the middle spot is dealt",
    "start_draw": "start tokens are drawn",
    "start_face": "all choose a start face in secret",
    "hand_draw": "first tokens are drawn",
    "play": "a token is drawn",
}


def _is_over(view: View) -> bool:
    return view["to_act"] is None


# --- the picture ----------------------------------------------------------------------------------


def draw_svg(view: dict[str, Json]) -> str:
    """The table as a seat sees it."""
    plan = _plan(view)
    status = _status(view)
    seats = [_seat_box(view, plan, player) for player in range(view["players"])]
    foot = max(plan.box.bottom + 32, seats[-1].bottom + _GAP)
    cards = _cards(view, foot + (_BANNER if _is_over(view) else 0))
    height = cards[-1].bottom + _MARGIN
    ground = Box(0, 0, _WIDTH, height).draw(18, fill=art.url("ground"))
    drawn = (
        *(_seat(view, player, box) for player, box in enumerate(seats)),
        *(_card(view, room, box) for room, box in zip(view["rooms"], cards, strict=True)),
    )
    parts = (ground, _header(status), draw_board(view, plan), *drawn, _banner(view, foot))
    return art.picture(
        f"Lumens: {status}",
        _description(view),
        _WIDTH,
        height,
        art.definitions(*board_definitions()),
        *parts,
    )


def _plan(view: View) -> Plan:
    columns, rows = view["board"]["columns"], view["board"]["rows"]
    cell = min(_LARGEST_CELL, _BOARD / columns, _BOARD / rows)
    left = _MARGIN + _LEGEND + (_BOARD - columns * cell) / 2
    return Plan(Box(left, _HEADER + _GAP, columns * cell, rows * cell), cell, view["board"]["map"])


def _status(view: View) -> str:
    if _is_over(view):
        return _result(view)
    if view["turn"]["phase"] == "play" and isinstance(view["to_act"], int):
        return f"{art.shortened(view['names'][view['to_act']], 24)} places a token"
    return _PHASES[view["turn"]["phase"]]


def _result(view: View) -> str:
    is_tied = view["scores"].count(max(view["scores"])) > len(view["winners"])
    words = f"{art.who_won(view, 16)} with {max(view['scores'])} points"
    return f"{words} and the center room" if is_tied else words


def _description(view: View) -> str:
    """The picture in words, for screen readers."""
    people = [
        f"{view['names'][player]}, {seat['color']}: {view['scores'][player]} points"
        for player, seat in enumerate(view["seats"])
    ]
    lights = [
        f"{view['seats'][light['player']]['color']} {light['face']} on {light['square']}"
        for light in view["squares"]
    ]
    targets = [target["square"] for target in view["targets"]]
    places = [f"Next to {', '.join(targets)}"] if targets else []
    return ". ".join([*people, f"Lights: {', '.join(lights) or 'none'}", *places]) + "."


def _header(status: str) -> Svg:
    title = label(
        "Lumens", _MARGIN + 2, 25, 25, fill=GOLD, text_anchor="start", font_family=art.TITLE_FONTS
    )
    return title + label(status, _WIDTH - _MARGIN - 2, 26, 16, text_anchor="end")


def _banner(view: View, top: float) -> Svg:
    """Between the house and the cards of its rooms, where it hides nothing."""
    if not _is_over(view):
        return ""
    words = _result(view)
    x, y = _WIDTH / 2, top + 24
    size = min(24, (_WIDTH - 120) / (0.58 * len(words)))
    width = 0.58 * size * len(words) + 60
    scroll = Box(x - width / 2, top + 1, width, 46).draw(
        23, fill=PAPER, stroke=GOLD, stroke_width=3
    )
    return scroll + label(
        words, x, y, size, fill=INK, font_weight="bold", font_family=art.TITLE_FONTS
    )


# --- seats ----------------------------------------------------------------------------------------


def _seat_box(view: View, plan: Plan, player: int) -> Box:
    left = _MARGIN + _LEGEND + _BOARD + _GAP + 8
    room = max(plan.box.height + 2 * _SEAT_GAP, view["players"] * (_SEAT_HEIGHT + _SEAT_GAP))
    step = min(room / view["players"], _SEAT_HEIGHT + 2 * _SEAT_GAP)
    return Box(left, plan.box.y + player * step, _WIDTH - _MARGIN - left, _SEAT_HEIGHT)


def _seat(view: View, player: int, box: Box) -> Svg:
    seat = view["seats"][player]
    word = "winner" if player in view["winners"] else "to act" if player in view["actors"] else ""
    name = label(
        art.shortened(view["names"][player], 12),
        box.x + 66,
        box.y + 26,
        17,
        text_anchor="start",
        font_weight="bold",
    )
    sign = lamp(player, 0, box.x + 74, box.y + 47, 17) + quiet(
        seat["color"], box.x + 87, box.y + 47, 12.5, "start"
    )
    person = art.emblem(player, box.x + 36, box.y + 35, 48) + name + sign
    points = art.token("seal", view["scores"][player], box.right - 32, box.y + 32, 40)
    kinds = [
        _kind(player, kind, box.x + 12 + index * (box.width - 24) / 3, box.y + 77)
        for index, kind in enumerate(seat["unshown"])
    ]
    return art.group(
        art.tooltip(view["names"][player]),
        art.panel(box, word),
        person,
        points,
        *kinds,
        _hand(view, player, box),
    )


def _kind(player: int, kind: Json, x: float, y: float) -> Svg:
    """How many tokens of a kind are not shown yet, in bag and hand together."""
    low, high = kind["faces"]
    opacity = None if kind["count"] else 0.3
    pair = lamp(player, low, x + 12, y, 22, opacity=opacity) + lamp(
        player, high, x + 28, y, 22, opacity=opacity
    )
    count = (
        label(f"×{kind['count']}", x + 42, y, 13, text_anchor="start", font_weight="bold")
        if kind["count"]
        else ""
    )
    return pair + count


def _hand(view: View, player: int, box: Box) -> Svg:
    """The lower part of a seat: the token in hand for its owner, and what else there is to say."""
    seat, y = view["seats"][player], box.y + 115
    held = ""
    if seat["start_face"]:
        held = lamp(player, seat["start_face"], box.x + 30, y, 34) + quiet(
            "chosen", box.x + 54, y, 12.5, "start"
        )
    elif seat["hand"]:
        low, high = (
            lamp(player, face, box.x + x, y, 34)
            for face, x in zip(seat["hand"], (29, 77), strict=True)
        )
        held = low + quiet("or", box.x + 53, y, 12.5) + high
    elif seat["hand_size"]:
        held = lamp(player, 0, box.x + 30, y, 32, opacity=0.55) + label(
            "?", box.x + 30, y, 17, fill=INK, font_weight="bold"
        )
    return held + _remark(view, player, box, y)


def _remark(view: View, player: int, box: Box, y: float) -> Svg:
    seat = view["seats"][player]
    if seat["is_out"]:
        return label(
            "blocked", box.right - 14, y, 13, fill=WARNING, text_anchor="end", font_weight="bold"
        )
    if _is_over(view):
        return quiet(f"{seat['center_pips']} pips in the center", box.right - 14, y, 12.5, "end")
    if view["turn"]["phase"] == "start_face":
        return quiet(
            "has chosen" if seat["has_chosen"] else "is choosing", box.right - 14, y, 12.5, "end"
        )
    return (
        quiet(f"may return to {seat['start']}", box.right - 14, y, 12.5, "end")
        if seat["start_right"]
        else ""
    )


# --- rooms ----------------------------------------------------------------------------------------


def _cards(view: View, top: float) -> list[Box]:
    """Where the cards of the rooms lie."""
    count = len(view["rooms"])
    in_a_row = min(count, _CARDS_IN_A_ROW)
    width = min((_WIDTH - 2 * _MARGIN + 8) / in_a_row, 120)
    height = 30 + view["players"] * _CARD_LINE
    left = (_WIDTH - in_a_row * width + 8) / 2
    spots = [divmod(index, in_a_row) for index in range(count)]
    return [
        Box(left + column * width, top + row * (height + 8), width - 8, height)
        for row, column in spots
    ]


def _card(view: View, room: Json, box: Box) -> Svg:
    words, color, edge = (
        (f"{room['room']} center", GOLD, GOLD)
        if room["center"]
        else (room["room"], PAPER, art.RAISED_EDGE)
    )
    frame = box.draw(10, fill=art.RAISED, stroke=edge, stroke_width=2 if room["center"] else 1)
    name = label(words, box.middle[0], box.y + 13, 13, fill=color, font_weight="bold")
    rows = [
        _standing(room, player, box, box.y + 33 + player * _CARD_LINE)
        for player in range(view["players"])
    ]
    return art.group(art.tooltip(f"room {room['room']}"), frame, name, *rows)


def _standing(room: Json, player: int, box: Box, y: float) -> Svg:
    """One player in a room: pips, and the points they would bring. Leaders stand on a lit line."""
    pips, points = room["pips"][player], room["points"][player]
    is_leader = player in room["leaders"]
    line = (
        Box(box.x + 4, y - 8, box.width - 8, 16).draw(5, fill=GOLD, fill_opacity=0.28)
        if is_leader
        else ""
    )
    sign = lamp(player, 0, box.x + 13, y, 14, opacity=None if pips else 0.35)
    weight = "bold" if is_leader else None
    number = label(
        pips or "–",
        box.x + 23,
        y,
        13,
        text_anchor="start",
        font_weight=weight,
        opacity=None if pips else 0.5,
    )
    pays = (
        label(
            f"+{points}", box.right - 8, y, 12.5, fill=GOLD, text_anchor="end", font_weight=weight
        )
        if points
        else ""
    )
    return line + sign + number + pays
