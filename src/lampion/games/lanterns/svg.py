"""Lanterns drawn as SVG, from a view alone.

The lake lies in the middle, turned so that the viewer sits at the bottom; the other seats sit on
their sides of it. Letters and numbers stay upright, coordinates and rotations stay those of the
notation: a hand tile lies as `r0` would lie on this lake.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from lampion.core.types import Json
from lampion.games import art
from lampion.games.art import (
    GOLD,
    INK,
    PAPER,
    RIPPLE,
    WARNING,
    WOOD,
    WOOD_DARK,
    WOOD_LIGHT,
    Box,
    Svg,
    label,
    quiet,
)

View: TypeAlias = dict[str, Json]

_SIDES: Final = ("north", "east", "south", "west")
_TOP, _RIGHT, _BOTTOM, _LEFT = range(4)
_OUTWARDS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""On the screen, from the middle of a tile towards the top, right, bottom and left."""

_STACKS: Final = {
    "four_of_a_kind": "d4 four of a kind",
    "three_pairs": "d3 three pairs",
    "seven_unique": "d7 seven unique",
}
_STEPS: Final = {
    "exchange": "may exchange, dedicate or place",
    "dedicate": "may dedicate or place",
    "place": "places a tile",
}

_MARGIN, _GAP, _HEADER = 16, 14, 38
_WIDTH, _CORNER, _BAND = 900, 256, 148
_STRIP, _STRIP_HEIGHT = 112, 300
_SHORE, _BANNER = 28, 62
_LARGEST_CELL, _SMALLEST_CELL, _LAKE_HEIGHT = 92, 50, 720


# --- plan -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Plan:
    """Where things go. `turn` is how many quarter turns clockwise the compass is
    turned on the viewer's screen."""

    turn: int
    cell: float
    origin: tuple[float, float]
    lake: Box
    width: float

    @property
    def foot(self) -> Box:
        return Box(_MARGIN, self.lake.bottom + _GAP, self.width - 2 * _MARGIN, _BAND)

    def place(self, x: int, y: int) -> tuple[float, float]:
        """The middle of a place on the screen."""
        right, up = _turned(x, y, self.turn)
        return self.origin[0] + right * self.cell, self.origin[1] - up * self.cell

    def on_screen(self, side: str) -> int:
        return (_SIDES.index(side) + self.turn) % 4


def _turned(x: int, y: int, turn: int) -> tuple[int, int]:
    for _ in range(turn):
        x, y = y, -x
    return x, y


def _plan(view: View) -> Plan:
    """Cells shrink until the lake fits; where they would become too small to read,
    the picture grows instead."""
    turn = (
        0
        if view["seat"] is None
        else (_BOTTOM - _SIDES.index(view["seats"][view["seat"]]["side"])) % 4
    )
    left, right, up, down = _extent(view, turn)
    columns, rows = right - left + 1, up - down + 1
    taken = {(_SIDES.index(seat["side"]) + turn) % 4 for seat in view["seats"]}
    start, end = (_MARGIN + (_STRIP + _GAP) * (side in taken) for side in (_LEFT, _RIGHT))
    cell = max(
        _SMALLEST_CELL,
        min(_LARGEST_CELL, (_WIDTH - start - end - 2 * _SHORE) / columns, _LAKE_HEIGHT / rows),
    )
    width = max(_WIDTH, start + end + 2 * _SHORE + columns * cell)
    banner = _BANNER if _is_over(view) else 0
    lake = Box(
        start,
        _HEADER + _BAND + 2 * _GAP,
        width - start - end,
        max(_STRIP_HEIGHT, rows * cell + 2 * _SHORE + banner),
    )
    x, y = lake.middle
    return Plan(
        turn,
        cell,
        (x - (left + right) / 2 * cell, y + banner / 2 + (up + down) / 2 * cell),
        lake,
        width,
    )


def _extent(view: View, turn: int) -> tuple[int, int, int, int]:
    """The outermost places on the screen: left, right, up, down."""
    tiles = [_turned(tile["x"], tile["y"], turn) for tile in view["lake"]]
    places = tiles + [_turned(x, y, turn) for x, y in _shown_places(view)]
    return (
        min(x for x, _ in places),
        max(x for x, _ in places),
        max(y for _, y in places),
        min(y for _, y in places),
    )


def _shown_places(view: View) -> list[tuple[int, int]]:
    """The free places, as long as a tile may come there; at the end of the
    game lights float on them."""
    return [
        (x, y) for x, y in view["free_places"] if _is_over(view) or not view["turn"]["final_round"]
    ]


def _is_over(view: View) -> bool:
    return view["to_act"] is None


# --- the picture ----------------------------------------------------------------------------------


def draw_svg(view: dict[str, Json]) -> str:
    """The table as a seat sees it."""
    plan = _plan(view)
    status = _status(view)
    height = plan.foot.bottom + _MARGIN
    ground = Box(0, 0, plan.width, height).draw(18, fill=art.url("ground"))
    supply = _supply(view, Box(_MARGIN, _HEADER + _GAP, _CORNER, _BAND))
    stacks = _stacks(view, Box(plan.width - _MARGIN - _CORNER, _HEADER + _GAP, _CORNER, _BAND))
    parts = (
        ground,
        _header(plan, status),
        supply,
        stacks,
        _lake(view, plan),
        _seats(view, plan),
        _foot(view, plan),
    )
    return art.picture(
        f"Lanterns: {status}",
        _description(view),
        plan.width,
        height,
        art.definitions(*pieces()),
        *parts,
    )


def _status(view: View) -> str:
    if _is_over(view):
        return _result(view)
    if not isinstance(view["to_act"], int):
        return "tiles are drawn"
    name = art.shortened(view["names"][view["to_act"]], 24)
    if view["turn"]["final_round"]:
        return f"final round: {name} may exchange and dedicate, then passes"
    if view["seats"][view["to_act"]]["over_limit"]:
        ways = "discards" if view["turn"]["step"] == "place" else "dedicates or discards"
        return f"{name} {ways} down to {view['card_limit']} cards"
    return f"{name} {_STEPS[view['turn']['step']]}"


def _result(view: View) -> str:
    return f"{art.who_won(view, 16)} with {max(view['scores'])} honor"


def _description(view: View) -> str:
    """The picture in words, for screen readers."""
    people = [
        f"{view['names'][player]} in the {seat['side']}: {_possessions(seat)}"
        for player, seat in enumerate(view["seats"])
    ]
    supply = f"Supply: {_counted(view['supply'])}; {view['left_to_draw']} tiles to draw"
    return ". ".join([f"{len(view['lake'])} tiles on the lake", *people, supply]) + "."


def _possessions(seat: Json) -> str:
    favors, tiles = _number(seat["favors"], "favor"), _number(seat["hand_size"], "tile")
    return f"{seat['honor']} honor, {favors}, {tiles}, cards {_counted(seat['cards'])}"


def _counted(cards: dict[str, int]) -> str:
    return (
        ", ".join(
            f"{count} {art.LANTERNS[letter].name}" for letter, count in cards.items() if count
        )
        or "none"
    )


def _header(plan: Plan, status: str) -> Svg:
    title = label(
        "Lanterns", _MARGIN + 2, 25, 25, fill=GOLD, text_anchor="start", font_family=art.TITLE_FONTS
    )
    return title + label(status, plan.width - _MARGIN - 2, 26, 16, text_anchor="end")


# --- the lake -------------------------------------------------------------------------------------


def _lake(view: View, plan: Plan) -> Svg:
    water = "lake-lit" if _is_over(view) else "lake"
    shore = "".join(
        plan.lake.draw(30, fill=art.url(fill), stroke="#33499a") for fill in (water, "ripples")
    )
    free = [_free_place(x, y, plan, view) for x, y in _shown_places(view)]
    compass = [_compass_letter(side, plan) for side in _SIDES]
    *tiles, last = (_laid_tile(tile, plan, _is_over(view)) for tile in view["lake"])
    return art.group(
        shore,
        *compass,
        *free,
        *tiles,
        _highlighted(last, view, plan),
        _banner(view, plan) if _is_over(view) else "",
    )


def _compass_letter(side: str, plan: Plan) -> Svg:
    (x, y), (dx, dy) = plan.lake.middle, _OUTWARDS[plan.on_screen(side)]
    return quiet(
        side[0].upper(),
        x + dx * (plan.lake.width / 2 - 14),
        y + dy * (plan.lake.height / 2 - 14),
        13,
    )


def _free_place(x: int, y: int, plan: Plan, view: View) -> Svg:
    """With its coordinates, for that is how moves are typed."""
    spot = plan.place(x, y)
    if _is_over(view):
        return art.stamp("candle", *spot, 0.5 * plan.cell)
    outline = art.square(
        *spot,
        0.9 * plan.cell,
        fill="none",
        stroke=RIPPLE,
        stroke_opacity=0.4,
        stroke_dasharray="5 5",
    )
    return outline + quiet(f"{x},{y}", *spot, min(16, max(12, 0.2 * plan.cell)))


def _highlighted(last: Svg, view: View, plan: Plan) -> Svg:
    """The last placed tile; the start tile was not placed by anybody."""
    if len(view["lake"]) == 1:
        return last
    spot = plan.place(view["lake"][-1]["x"], view["lake"][-1]["y"])
    glow = art.square(*spot, plan.cell, fill=GOLD, fill_opacity=0.8, filter=art.url("soft"))
    return (
        glow
        + last
        + art.square(
            *spot, 0.96 * plan.cell, fill="none", stroke=GOLD, stroke_width=max(3, 0.05 * plan.cell)
        )
    )


def _banner(view: View, plan: Plan) -> Svg:
    words = _result(view)
    x = plan.lake.middle[0]
    size = min(24, (plan.lake.width - 120) / (0.58 * len(words)))
    width = 0.58 * size * len(words) + 60
    scroll = Box(x - width / 2, plan.lake.y + 28, width, 46).draw(
        23, fill=PAPER, stroke=GOLD, stroke_width=3
    )
    return scroll + label(
        words, x, plan.lake.y + 51, size, fill=INK, font_weight="bold", font_family=art.TITLE_FONTS
    )


def _laid_tile(tile: Json, plan: Plan, is_lit: bool) -> Svg:
    notation = f"{tile['tile']}r{tile['rotation']}@{tile['x']},{tile['y']}"
    return _tile(tile, *plan.place(tile["x"], tile["y"]), plan.cell, plan.turn, notation, is_lit)


def _tile(
    tile: Json, x: float, y: float, size: float, turn: int, notation: str, is_lit: bool = False
) -> Svg:
    ground = art.stamp("lanterns-tile-lit" if is_lit else "lanterns-tile", x, y, size)
    middle = "boat" if tile["tile"] == 0 else "pier" if tile["platform"] else None
    if middle:
        ground += art.stamp(f"lanterns-{middle}", x, y, 0.46 * size)
    reach = 0.295 * size
    spots = [
        (tile["sides"][(side - turn) % 4], x + dx * reach, y + dy * reach)
        for side, (dx, dy) in enumerate(_OUTWARDS)
    ]
    lanterns = [art.lantern(*spot, 0.335 * size) for spot in spots]
    name = label(
        tile["tile"], x - 0.35 * size, y - 0.35 * size, max(9.5, 0.15 * size), fill="#e6edff"
    )
    return art.group(art.tooltip(f"{notation} {tile['sides']}"), ground, *lanterns, name)


# --- supply and dedications -----------------------------------------------------------------------


def _supply(view: View, box: Box) -> Svg:
    spots = [(box.x + 40 + index % 4 * 60, box.y + 52 + index // 4 * 56) for index in range(8)]
    piles = [
        _pile(letter, count, x, y)
        for (letter, count), (x, y) in zip(view["supply"].items(), spots, strict=False)
    ]
    x, y = spots[-1]
    tiles = art.stamp("lanterns-back", x - 13, y - 4, 30) + quiet("to draw", x - 1, y + 21, 11)
    number = label(view["left_to_draw"], x + 17, y - 4, 18, font_weight="bold")
    return art.group(
        art.panel(box),
        quiet("supply", box.x + 14, box.y + 16, anchor="start"),
        *piles,
        tiles,
        number,
    )


def _pile(letter: str, count: int, x: float, y: float) -> Svg:
    """An empty pile gives nothing to anybody (L12), so it is loud."""
    if count:
        return art.lantern(letter, x - 13, y, 30) + label(count, x + 17, y, 18, font_weight="bold")
    frame = Box(x - 31, y - 24, 58, 48).draw(
        9, fill=WARNING, fill_opacity=0.16, stroke=WARNING, stroke_width=1.6
    )
    diagonals = f"M{art.number(x - 26)} {art.number(y - 13)}l26 26m0-26l-26 26"
    cross = art.path(diagonals, stroke=WARNING, stroke_width=4, stroke_linecap="round")
    words = label(0, x + 14, y - 7, 18, fill=WARNING, font_weight="bold") + label(
        "none", x + 13, y + 12, 10.5, fill=WARNING
    )
    return frame + art.lantern(letter, x - 13, y, 30, opacity=0.5) + cross + words


def _stacks(view: View, box: Box) -> Svg:
    rows = [
        _stack(stack, view["generic_honor"], box, box.y + 27 + 47 * index)
        for index, stack in enumerate(view["stacks"])
    ]
    return art.group(art.panel(box), *rows)


def _stack(stack: Json, generic: int, box: Box, y: float) -> Svg:
    """The whole stack is open: the top token big, the others in order, then what an
    empty stack keeps paying (L7)."""
    notation, name = _STACKS[stack["kind"]].split(" ", 1)
    top, *below = stack["honors"] or [generic]
    x = box.x + 54
    step = min(19.0, (box.right - x - 54) / max(len(below), 1))
    tokens = [
        art.token("seal", honor, x + 9 + step * index, y + 9, 20)
        for index, honor in enumerate(below)
    ]
    first = art.token("seal" if stack["honors"] else "seal-plain", top, box.x + 28, y, 40)
    words = f"then {generic}" if stack["honors"] else f"only {generic}s from here on"
    names = label(name, x, y - 12, 13, text_anchor="start") + quiet(
        notation, box.right - 14, y - 12, anchor="end"
    )
    return (
        first
        + names
        + "".join(tokens)
        + quiet(words, x + step * len(below) + 5 * bool(below), y + 9, anchor="start")
    )


# --- seats ----------------------------------------------------------------------------------------


def _seats(view: View, plan: Plan) -> Svg:
    players = {plan.on_screen(seat["side"]): player for player, seat in enumerate(view["seats"])}
    width = min(plan.width - 2 * (_MARGIN + _CORNER + _GAP), 420)
    top = Box((plan.width - width) / 2, _HEADER + _GAP, width, _BAND)
    y = plan.lake.middle[1] - _STRIP_HEIGHT / 2
    strips = {
        _LEFT: Box(_MARGIN, y, _STRIP, _STRIP_HEIGHT),
        _RIGHT: Box(plan.width - _MARGIN - _STRIP, y, _STRIP, _STRIP_HEIGHT),
    }
    drawn = [
        _seat_strip(view, players[side], box) for side, box in strips.items() if side in players
    ]
    across = (
        art.panel(top, _mark(view, players[_TOP])) + _seat(view, players[_TOP], top)
        if _TOP in players
        else art.night_sky(top)
    )
    return "".join(drawn) + across


def _mark(view: View, player: int) -> str:
    return "winner" if player in view["winners"] else "to act" if player in view["actors"] else ""


def _seat(view: View, player: int, box: Box) -> Svg:
    """A seat lying along its side: at the top and at the bottom."""
    seat = view["seats"][player]
    step = (box.width - 24) / 8
    name = label(
        art.shortened(view["names"][player], 13),
        box.x + 76,
        box.y + 31,
        18,
        text_anchor="start",
        font_weight="bold",
    )
    held = [
        _held(*holding, box.x + 12 + step * (index + 0.5), box.y + 93, 0, 29)
        for index, holding in enumerate(_holdings(seat))
    ]
    person = (
        art.emblem(player, box.x + 40, box.y + 41, 52)
        + name
        + _num_cards(view, seat, box.x + 76, box.y + 53, "start")
    )
    return art.group(
        art.tooltip(view["names"][player]),
        person,
        _tokens(seat, box.right - 86, box.y + 36, 54),
        *held,
    )


def _seat_strip(view: View, player: int, box: Box) -> Svg:
    """A seat standing along its side: at the left and at the right."""
    seat, x, y = view["seats"][player], box.middle[0], box.y
    name = label(art.shortened(view["names"][player], 10), x, y + 85, 15, font_weight="bold")
    spots = [(box.x + 29 + index % 2 * 51, y + 184 + index // 2 * 31) for index in range(8)]
    held = [
        _held(*holding, *spot, 20, 0) for holding, spot in zip(_holdings(seat), spots, strict=True)
    ]
    person = art.emblem(player, x, y + 44, 52) + name + _num_cards(view, seat, x, y + 103, "middle")
    panel = art.tooltip(view["names"][player]) + art.panel(box, _mark(view, player))
    return art.group(panel, person, _tokens(seat, x - 24, y + 132, 48), *held)


def _holdings(seat: Json) -> list[tuple[str, int]]:
    """The cards by color, then the hand tiles (told by an empty letter)."""
    return [*seat["cards"].items(), ("", seat["hand_size"])]


def _held(letter: str, count: int, x: float, y: float, dx: float, dy: float) -> Svg:
    """A lantern with its count beside or below it; what a player lacks
    stays in its place, unlit."""
    opacity = None if count else 0.3
    what = (
        art.lantern(letter, x, y, 24, opacity=opacity)
        if letter
        else art.stamp("lanterns-back", x, y, 23, opacity=opacity)
    )
    return what + (
        label(count, x + dx, y + dy, 15, font_weight="bold")
        if count
        else quiet(count, x + dx, y + dy, 14)
    )


def _num_cards(view: View, seat: Json, x: float, y: float, anchor: str) -> Svg:
    words = _number(seat["num_cards"], "card")
    if not seat["over_limit"]:
        return quiet(words, x, y, 12.5, anchor)
    return label(f"{words}, max {view['card_limit']}", x, y, 12.5, fill=WARNING, text_anchor=anchor)


def _number(count: int, thing: str) -> str:
    return f"{count} {thing}{'' if count == 1 else 's'}"


def _tokens(seat: Json, x: float, y: float, step: float) -> Svg:
    tokens = art.token("seal", seat["honor"], x, y, 36) + art.token(
        "lanterns-favor", seat["favors"], x + step, y, 33
    )
    return tokens + quiet("honor", x, y + 26, 11) + quiet("favors", x + step, y + 26, 11)


# --- the viewer's side ----------------------------------------------------------------------------


def _foot(view: View, plan: Plan) -> Svg:
    player = next(
        player
        for player, seat in enumerate(view["seats"])
        if plan.on_screen(seat["side"]) == _BOTTOM
    )
    near = Box(plan.foot.x, plan.foot.y, 440, _BAND)
    rest = Box(near.right, plan.foot.y, plan.foot.right - near.right - 14, _BAND)
    more = _scores(view, rest) if _is_over(view) else _hand(view["seats"][player], rest, plan.turn)
    return art.panel(plan.foot, _mark(view, player)) + _seat(view, player, near) + more


def _hand(seat: Json, box: Box, turn: int) -> Svg:
    """Tiles for their owner, backs for everybody else."""
    if not seat["hand_size"]:
        return quiet("no tiles left", *box.middle, 14)
    step = min(130.0, box.width / seat["hand_size"])
    spots = [
        (box.right - step * (index + 0.5), box.middle[1])
        for index in reversed(range(seat["hand_size"]))
    ]
    if seat["hand"] is None:
        return "".join(
            art.stamp("lanterns-back", *spot, 0.55 * step, opacity=0.6) for spot in spots
        )
    return "".join(
        _tile(tile, *spot, step - 8, turn, f"{tile['tile']}r0")
        for tile, spot in zip(seat["hand"], spots, strict=True)
    )


def _scores(view: View, box: Box) -> Svg:
    """In the order of the final score: honor, then favors, then cards (L15)."""
    strengths = [
        (view["scores"][player], seat["favors"], seat["num_cards"], -player)
        for player, seat in enumerate(view["seats"])
    ]
    ranking = [-strength[-1] for strength in sorted(strengths, reverse=True)]
    start = box.middle[1] - 16 * (len(ranking) - 1)
    return "".join(
        _score(view, player, box.x, start + 32 * index) for index, player in enumerate(ranking)
    )


def _score(view: View, player: int, x: float, y: float) -> Svg:
    seat = view["seats"][player]
    weight = "bold" if player in view["winners"] else None
    name = label(
        art.shortened(view["names"][player], 14),
        x + 68,
        y,
        16,
        text_anchor="start",
        font_weight=weight,
    )
    kept = f"{_number(seat['favors'], 'favor')}, {_number(seat['num_cards'], 'card')}"
    details = quiet(kept, x + 262, y, 13, "start")
    return (
        art.emblem(player, x + 44, y, 28)
        + name
        + art.token("seal", view["scores"][player], x + 232, y, 30)
        + details
    )


# --- pieces ---------------------------------------------------------------------------------------

_TILE_WAVES: Final = "M-40-31q5-4 10 0t10 0M20-36q5-4 10 0t10 0M-40 34q5-4 10 0t10 0M18 37q5-4 10 0t10 0M-8 0q4-3 8 0t8 0"
_BACK: Final = (
    f'<rect x="-46" y="-46" width="92" height="92" rx="14" fill="#27408f" stroke="{PAPER}" stroke-width="5"/>'
    f'<circle cy="-17" r="13" fill="{PAPER}"/>'
    f'<path d="M-30 8q7.5-9 15 0t15 0t15 0t15 0M-30 24q7.5-9 15 0t15 0t15 0t15 0" fill="none" stroke="{RIPPLE}" stroke-width="5"/>'
)
_PIER: Final = (
    f'<g fill="{WOOD_LIGHT}" stroke="{WOOD_DARK}" stroke-width="5"><rect x="-40" y="-40" width="80" height="80" rx="4"/>'
    '<path d="M-38-20H38M-38 0H38M-38 20H38"/>'
    '<path d="M-39-39h.1M39-39h.1M-39 39h.1M39 39h.1" stroke-width="16" stroke-linecap="round"/></g>'
)
_BOAT: Final = (
    f'<path d="M-44 10C-24 20 24 20 44 10C38 34 24 38 0 38C-24 38-38 34-44 10Z" fill="{WOOD}" stroke="{INK}" stroke-width="4"/>'
    f'<path d="M-3 14V-42L30 8ZM-9 12V-28L-30 8Z" fill="{PAPER}" stroke="{INK}" stroke-width="2.5" stroke-linejoin="round"/>'
)
_FAVOR: Final = (
    f'<rect x="-42" y="-42" width="84" height="84" rx="22" fill="{WOOD}" stroke="#d9a066" stroke-width="5"/>'
    f'<path d="M-40-20H40M-40 20H40" stroke="{WOOD_DARK}" stroke-width="4" stroke-opacity=".6"/>'
)


def pieces() -> list[Svg]:
    """What only this game has, so with its name in the ids. Favors are earned at piers,
    so they are of their wood."""
    symbols = {"back": _BACK, "pier": _PIER, "boat": _BOAT, "favor": _FAVOR}
    light = art.circle(0, 0, 46, fill=art.url("light"), opacity=0.7)
    return [
        art.linear("lanterns-water", (0, "#2f63b4", 1), (1, "#1d4388", 1)),
        art.linear("lanterns-water-lit", (0, "#595fa8", 1), (1, "#474c94", 1)),
        art.symbol("lanterns-tile", 50, _tile_ground("lanterns-water")),
        art.symbol("lanterns-tile-lit", 50, _tile_ground("lanterns-water-lit"), light),
        *(art.symbol(f"lanterns-{name}", 50, drawing) for name, drawing in symbols.items()),
    ]


def _tile_ground(water: str) -> Svg:
    pool = Box(-48, -48, 96, 96).draw(
        12, fill=art.url(water), stroke=RIPPLE, stroke_opacity=0.6, stroke_width=1.5
    )
    return pool + art.path(
        _TILE_WAVES,
        fill="none",
        stroke=RIPPLE,
        stroke_opacity=0.45,
        stroke_width=1.4,
        stroke_linecap="round",
    )
