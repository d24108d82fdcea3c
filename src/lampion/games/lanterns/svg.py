"""Lanterns drawn as SVG, from a view alone.

The lake lies in the middle and is turned so that the viewer sits at the bottom; the other seats sit on their sides of it. Letters and
numbers stay upright, coordinates and rotations stay those of the notation: a hand tile lies as `r0` would lie on this lake.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lampion.core.types import Json
from lampion.games import art
from lampion.games.art import GOLD, INK, NIGHT_TEXT_QUIET, PAPER, RIPPLE, WARNING, Svg

View = dict[str, Json]

_SIDES: Final = ("north", "east", "south", "west")
_TOP, _RIGHT, _BOTTOM, _LEFT = range(4)
_OUTWARDS: Final = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""On the screen, from the middle of a tile towards the top, right, bottom and left."""

_STACKS: Final = {
    "four_of_a_kind": ("d4", "four of a kind"),
    "three_pairs": ("d3", "three pairs"),
    "seven_unique": ("d7", "seven unique"),
}
_STEPS: Final = {"exchange": "may exchange, dedicate or place", "dedicate": "may dedicate or place", "place": "places a tile"}

_MARGIN, _GAP, _HEADER = 16, 12, 34
_WIDTH, _CORNER, _BAND = 900, 256, 148
_STRIP, _STRIP_HEIGHT = 112, 296
_SHORE, _BANNER = 26, 62
_LARGEST_CELL, _SMALLEST_CELL, _LAKE_HEIGHT = 88, 50, 820


# --- plan -------------------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(frozen=True)
class Plan:
    """Where things go. `turn` is how many quarter turns clockwise the viewer's screen is turned against the compass."""

    turn: int
    cell: float
    origin_x: float
    origin_y: float
    lake: Box
    width: float

    @property
    def height(self) -> float:
        return self.lake.bottom + _GAP + _BAND + _MARGIN

    def place(self, x: int, y: int) -> tuple[float, float]:
        """The middle of a place on the screen."""
        east, north = _turned(x, y, self.turn)
        return self.origin_x + east * self.cell, self.origin_y - north * self.cell

    def on_screen(self, side: str) -> int:
        return (_SIDES.index(side) + self.turn) % 4


def _turned(x: int, y: int, turn: int) -> tuple[int, int]:
    for _ in range(turn):
        x, y = y, -x
    return x, y


def _plan(view: View) -> Plan:
    """Cells shrink until the lake fits; where they would become too small to read, the picture grows instead."""
    turn = 0 if view["seat"] is None else (_BOTTOM - _SIDES.index(view["seats"][view["seat"]]["side"])) % 4
    taken = {(_SIDES.index(seat["side"]) + turn) % 4 for seat in view["seats"]}
    places = [_turned(x, y, turn) for x, y in _shown_places(view)]
    west, east = min(x for x, _ in places), max(x for x, _ in places)
    south, north = min(y for _, y in places), max(y for _, y in places)
    columns, rows = east - west + 1, north - south + 1
    left, right = (_MARGIN + (_STRIP + _GAP) * (side in taken) for side in (_LEFT, _RIGHT))
    cell = min(_LARGEST_CELL, (_WIDTH - left - right - 2 * _SHORE) / columns, _LAKE_HEIGHT / rows)
    cell = max(cell, _SMALLEST_CELL)
    width = max(_WIDTH, left + right + 2 * _SHORE + columns * cell)
    banner = _BANNER if _is_over(view) else 0
    lake = Box(left, _HEADER + _BAND + 2 * _GAP + 8, width - left - right, max(_STRIP_HEIGHT, rows * cell + 2 * _SHORE + banner))
    middle = lake.y + (lake.height + banner) / 2
    return Plan(turn, cell, lake.middle - (west + east) / 2 * cell, middle + (south + north) / 2 * cell, lake, width)


def _shown_places(view: View) -> list[tuple[int, int]]:
    return [(tile["x"], tile["y"]) for tile in view["lake"]] + [(x, y) for x, y in view["free_places"]]


def _is_over(view: View) -> bool:
    return view["to_act"] is None


# --- the picture ------------------------------------------------------------------------------------------------------------------


def draw_svg(view: dict[str, Json]) -> str:
    """The table as a seat sees it."""
    plan = _plan(view)
    status = _status(view)
    parts = [
        art.definitions(*_definitions()),
        art.rectangle(0, 0, plan.width, plan.height, 18, fill=art.url("ground")),
        _header(plan, status),
        _supply(view, Box(_MARGIN, _HEADER + _GAP, _CORNER, _BAND)),
        _stacks(view, Box(plan.width - _MARGIN - _CORNER, _HEADER + _GAP, _CORNER, _BAND)),
        _lake(view, plan),
        _seats(view, plan),
        _foot(view, plan),
    ]
    return art.picture(f"Lanterns: {status}", _description(view), plan.width, plan.height, *parts)


def _status(view: View) -> str:
    if _is_over(view):
        return _result(view)
    if not isinstance(view["to_act"], int):
        return "tiles are drawn"
    active = view["seats"][view["to_act"]]
    name = art.shortened(view["names"][view["to_act"]], 24)
    if view["turn"]["final_round"]:
        return f"final round: {name} may exchange and dedicate, then passes"
    if view["turn"]["step"] == "place" and active["num_cards"] > view["card_limit"]:
        return f"{name} discards down to {view['card_limit']} cards"
    return f"{name} {_STEPS[view['turn']['step']]}"


def _result(view: View) -> str:
    names = " and ".join(art.shortened(view["names"][player], 16) for player in view["winners"])
    honor = max(view["scores"])
    return f"{names} wins with {honor} honor" if len(view["winners"]) == 1 else f"{names} share the victory with {honor} honor"


def _description(view: View) -> str:
    """For those who hear the picture."""
    seats = [
        f"{name} in the {seat['side']}: {seat['honor']} honor, {seat['favors']} favors, cards {_counted(seat['cards'])}"
        for name, seat in zip(view["names"], view["seats"], strict=True)
    ]
    supply = f"Supply: {_counted(view['supply'])}; {view['left_to_draw']} tiles to draw"
    return ". ".join([f"{len(view['lake'])} tiles on the lake", *seats, supply]) + "."


def _counted(cards: dict[str, int]) -> str:
    return ", ".join(f"{count} {art.LANTERNS[letter].name}" for letter, count in cards.items() if count) or "none"


def _header(plan: Plan, status: str) -> Svg:
    title = art.label("Lanterns", _MARGIN + 2, 24, 25, fill=GOLD, text_anchor="start", font_family=art.TITLE_FONTS)
    return title + art.label(status, plan.width - _MARGIN - 2, 25, 16, text_anchor="end")


def _panel(box: Box, **attributes: str | float | None) -> Svg:
    style: dict[str, str | float | None] = {"fill": art.RAISED, "fill_opacity": 0.8, "stroke": "#3a4d97", **attributes}
    return art.rectangle(box.x, box.y, box.width, box.height, 14, **style)


# --- the lake ---------------------------------------------------------------------------------------------------------------------


def _lake(view: View, plan: Plan) -> Svg:
    is_lit = _is_over(view)
    box = plan.lake
    shore = art.rectangle(box.x, box.y, box.width, box.height, 30, fill=art.url("lake"), stroke="#4561b8", stroke_opacity=0.6)
    ripples = art.rectangle(box.x, box.y, box.width, box.height, 30, fill=art.url("ripples"))
    can_place = not is_lit and not view["turn"]["final_round"]
    free = [_free_place(x, y, plan) if can_place else _float_light(x, y, plan, is_lit) for x, y in view["free_places"]]
    last = view["lake"][-1]
    tiles = [_laid_tile(tile, plan, is_lit) for tile in view["lake"]]
    return art.group(
        shore,
        ripples,
        _light(plan) if is_lit else "",
        _compass(plan),
        *free,
        _last_glow(last, plan),
        *tiles,
        _last_ring(last, plan),
    )


def _light(plan: Plan) -> Svg:
    """At the end the whole lake lights up."""
    box = plan.lake
    return art.element(
        "ellipse",
        cx=box.middle,
        cy=box.y + box.height / 2,
        rx=box.width * 0.56,
        ry=box.height * 0.56,
        fill=art.url("light"),
        opacity=0.75,
    )


def _banner(view: View, plan: Plan) -> Svg:
    if not _is_over(view):
        return ""
    words = _result(view)
    width = min(plan.lake.width - 60, 60 + 12 * len(words))
    scroll = art.rectangle(plan.lake.middle - width / 2, plan.lake.y + 26, width, 44, 22, fill=PAPER, stroke=GOLD, stroke_width=3)
    return scroll + art.label(words, plan.lake.middle, plan.lake.y + 48, 23, fill=INK, font_weight="bold", font_family=art.TITLE_FONTS)


def _compass(plan: Plan) -> Svg:
    return "".join(_compass_letter(plan, side) for side in _SIDES)


def _compass_letter(plan: Plan, side: str) -> Svg:
    dx, dy = _OUTWARDS[plan.on_screen(side)]
    x = plan.lake.middle + dx * (plan.lake.width / 2 - 13)
    y = plan.lake.y + plan.lake.height / 2 + dy * (plan.lake.height / 2 - 13)
    return art.label(side[0].upper(), x, y, 13, fill=NIGHT_TEXT_QUIET, font_family=art.TITLE_FONTS)


def _free_place(x: int, y: int, plan: Plan) -> Svg:
    px, py = plan.place(x, y)
    size = 0.9 * plan.cell
    dashes = {"stroke": RIPPLE, "stroke_opacity": 0.38, "stroke_dasharray": "5 5"}
    outline = art.rectangle(px - size / 2, py - size / 2, size, size, 0.12 * size, fill=RIPPLE, fill_opacity=0.04, **dashes)
    return outline + art.label(f"{x},{y}", px, py, max(11, 0.2 * plan.cell), fill=NIGHT_TEXT_QUIET)


def _float_light(x: int, y: int, plan: Plan, is_lit: bool) -> Svg:
    """Nobody places any more: little lights float where tiles could have been."""
    return art.stamp("candle", *plan.place(x, y), 0.5 * plan.cell) if is_lit else ""


def _last_glow(tile: Json, plan: Plan) -> Svg:
    return _last_frame(tile, plan, 0.98, fill=GOLD, fill_opacity=0.8, filter=art.url("soft"))


def _last_ring(tile: Json, plan: Plan) -> Svg:
    return _last_frame(tile, plan, 0.96, fill="none", stroke=GOLD, stroke_width=0.045 * plan.cell)


def _last_frame(tile: Json, plan: Plan, scale: float, **attributes: str | float | None) -> Svg:
    x, y = plan.place(tile["x"], tile["y"])
    size = scale * plan.cell
    return art.rectangle(x - size / 2, y - size / 2, size, size, 0.12 * size, **attributes)


def _laid_tile(tile: Json, plan: Plan, is_lit: bool) -> Svg:
    name = f"{tile['tile']}r{tile['rotation']}@{tile['x']},{tile['y']}"
    return _tile(tile, *plan.place(tile["x"], tile["y"]), plan.cell, plan.turn, name, is_lit)


def _tile(tile: Json, x: float, y: float, size: float, turn: int, name: str, is_lit: bool = False) -> Svg:
    letters = [tile["sides"][(side - turn) % 4] for side in range(4)]
    middle = "boat" if tile["tile"] == 0 else "pier" if tile["platform"] else None
    return art.group(
        art.tooltip(name),
        art.stamp("tile-lit" if is_lit else "tile", x, y, size),
        art.stamp(middle, x, y, 0.46 * size) if middle else "",
        *(
            art.lantern(letter, x + 0.3 * dx * size, y + 0.3 * dy * size, 0.34 * size)
            for letter, (dx, dy) in zip(letters, _OUTWARDS, strict=True)
        ),
        art.label(tile["tile"], x - 0.35 * size, y - 0.35 * size, max(9, 0.15 * size), fill="#dfe8ff"),
    )


# --- supply and dedications -------------------------------------------------------------------------------------------------------


def _supply(view: View, box: Box) -> Svg:
    piles = [_pile(letter, count, *_supply_spot(box, index)) for index, (letter, count) in enumerate(view["supply"].items())]
    x, y = _supply_spot(box, len(piles))
    draw = (
        art.tooltip("tiles to draw")
        + art.stamp("back", x - 12, y, 32)
        + art.label(view["left_to_draw"], x + 17, y, 19, font_weight="bold")
    )
    return art.group(_panel(box), _caption("supply", box), *piles, art.group(draw))


def _supply_spot(box: Box, index: int) -> tuple[float, float]:
    row, column = divmod(index, 4)
    return box.x + 38 + column * 60, box.y + 53 + row * 56


def _pile(letter: str, count: int, x: float, y: float) -> Svg:
    if count:
        return art.lantern(letter, x - 12, y, 32) + art.label(count, x + 17, y, 19, font_weight="bold")
    frame = art.rectangle(x - 31, y - 23, 58, 46, 9, fill=WARNING, fill_opacity=0.16, stroke=WARNING, stroke_width=1.6)
    cross = art.path(
        f"M{art.number(x - 26)} {art.number(y - 14)}l28 28m0-28l-28 28", stroke=WARNING, stroke_width=4, stroke_linecap="round"
    )
    number = art.label(0, x + 16, y - 5, 19, fill=WARNING, font_weight="bold")
    return (
        frame
        + art.lantern(letter, x - 12, y, 32, opacity=0.45)
        + cross
        + number
        + art.label("empty", x + 12, y + 14, 10, fill=WARNING)
    )


def _caption(words: str, box: Box) -> Svg:
    return art.label(words, box.x + 14, box.y + 15, 12, fill=NIGHT_TEXT_QUIET, text_anchor="start")


def _stacks(view: View, box: Box) -> Svg:
    rows = [_stack(stack, view["generic_honor"], box, box.y + 27 + 47 * index) for index, stack in enumerate(view["stacks"])]
    return art.group(_panel(box), *rows)


def _stack(stack: Json, generic: int, box: Box, y: float) -> Svg:
    notation, name = _STACKS[stack["kind"]]
    top, *below = stack["honors"] or [generic]
    step = min(19.0, (box.width - 112) / max(len(below), 1))
    start = box.x + 63
    words = f"then {generic}" if stack["honors"] else f"only {generic}s from here on"
    end = start + step * len(below) - (6 if below else 8)
    return art.group(
        _token("seal" if stack["honors"] else "seal-plain", top, box.x + 28, y, 40),
        art.label(name, start - 9, y - 12, 13, text_anchor="start"),
        art.label(notation, box.right - 14, y - 12, 12, fill=NIGHT_TEXT_QUIET, text_anchor="end"),
        *(_token("seal", honor, start + step * index, y + 9, 20) for index, honor in enumerate(below)),
        art.label(words, end, y + 9, 12, fill=NIGHT_TEXT_QUIET, text_anchor="start"),
    )


def _token(symbol: str, value: int, x: float, y: float, size: float) -> Svg:
    color = INK if symbol == "seal" else PAPER
    return art.stamp(symbol, x, y, size) + art.label(value, x, y, max(10.5, 0.45 * size), fill=color, font_weight="bold")


# --- seats ------------------------------------------------------------------------------------------------------------------------


def _seats(view: View, plan: Plan) -> Svg:
    places = {plan.on_screen(seat["side"]): player for player, seat in enumerate(view["seats"])}
    top = Box(_MARGIN + _CORNER + _GAP, _HEADER + _GAP, plan.width - 2 * (_MARGIN + _CORNER + _GAP), _BAND)
    strip_y = plan.lake.y + (plan.lake.height - _STRIP_HEIGHT) / 2
    left, right = (Box(x, strip_y, _STRIP, _STRIP_HEIGHT) for x in (_MARGIN, plan.width - _MARGIN - _STRIP))
    drawn = [_seat_strip(view, places[side], box) for side, box in ((_LEFT, left), (_RIGHT, right)) if side in places]
    return "".join(drawn) + (_seat_card(view, places[_TOP], top) if _TOP in places else _moon(top))


def _moon(box: Box) -> Svg:
    """Over a side where nobody sits."""
    stars = ((-130, -30), (-96, 22), (-64, -48), (74, -40), (104, 14), (138, -20), (-150, 40), (60, 44))
    y = box.y + box.height / 2
    return art.stamp("moon", box.middle, y, 150) + "".join(
        art.circle(box.middle + dx, y + dy, 1.2, fill=PAPER, opacity=0.7) for dx, dy in stars
    )


def _seat_frame(view: View, player: int, box: Box) -> Svg:
    """Who is active or has won is said by a thick frame and a word, not by a hue."""
    word = "winner" if player in view["winners"] else "to act" if player in view["actors"] else ""
    if not word:
        return _panel(box)
    glow = _panel(box, fill=GOLD, fill_opacity=0.35, stroke="none", filter=art.url("soft"))
    pill = art.rectangle(box.middle - 32, box.y - 10, 64, 20, 10, fill=GOLD)
    return (
        glow
        + _panel(box, fill_opacity=1, stroke=GOLD, stroke_width=3)
        + pill
        + art.label(word, box.middle, box.y, 13, fill=INK, font_weight="bold")
    )


def _seat_card(view: View, player: int, box: Box) -> Svg:
    """A seat lying along its side: at the top and at the bottom."""
    seat = view["seats"][player]
    return art.group(_seat_frame(view, player, box), _seat_content(view, player, seat, box))


def _seat_content(view: View, player: int, seat: Json, box: Box) -> Svg:
    step = (box.width - 24) / 8
    return art.group(
        art.emblem(player, box.x + 40, box.y + 40, 52),
        art.label(art.shortened(view["names"][player], 15), box.x + 76, box.y + 31, 19, text_anchor="start", font_weight="bold"),
        _num_cards(view, seat, box.x + 76, box.y + 53, text_anchor="start"),
        _tokens(seat, box.right - 96, box.y + 36, 62),
        *(
            _held(letter, count, box.x + 12 + step * (i + 0.5), box.y + 92, 0, 29)
            for i, (letter, count) in enumerate(_holdings(seat))
        ),
    )


def _seat_strip(view: View, player: int, box: Box) -> Svg:
    """A seat standing along its side: at the left and at the right."""
    seat = view["seats"][player]
    return art.group(
        _seat_frame(view, player, box),
        art.emblem(player, box.middle, box.y + 42, 52),
        art.label(art.shortened(view["names"][player], 12), box.middle, box.y + 83, 16, font_weight="bold"),
        _num_cards(view, seat, box.middle, box.y + 102),
        _tokens(seat, box.middle - 24, box.y + 130, 48),
        *(
            _held(letter, count, box.x + 32 + i % 2 * 50, box.y + 180 + i // 2 * 31, 19, 0)
            for i, (letter, count) in enumerate(_holdings(seat))
        ),
    )


def _holdings(seat: Json) -> list[tuple[str, int]]:
    """The cards by colour, then the tiles (told by an empty letter)."""
    return [*seat["cards"].items(), ("", seat["hand_size"])]


def _held(letter: str, count: int, x: float, y: float, dx: float, dy: float) -> Svg:
    """A lantern with its count beside or below; what is missing stays in its place, unlit."""
    opacity = None if count else 0.3
    picture = art.lantern(letter, x, y, 25, opacity=opacity) if letter else art.stamp("back", x, y, 24, opacity=opacity)
    style = {"font_weight": "bold"} if count else {"fill": NIGHT_TEXT_QUIET}
    return picture + art.label(count, x + dx, y + dy, 15, **style)


def _num_cards(view: View, seat: Json, x: float, y: float, **attributes: str | float | None) -> Svg:
    is_over_limit = seat["num_cards"] > view["card_limit"]
    words = f"{seat['num_cards']} card{'s' * (seat['num_cards'] != 1)}" + f", limit {view['card_limit']}" * is_over_limit
    return art.label(words, x, y, 12.5, fill=WARNING if is_over_limit else NIGHT_TEXT_QUIET, **attributes)


def _tokens(seat: Json, x: float, y: float, step: float) -> Svg:
    tokens = _token("seal", seat["honor"], x, y, 36) + _token("favor", seat["favors"], x + step, y, 34)
    names = art.label("honor", x, y + 26, 11, fill=NIGHT_TEXT_QUIET) + art.label(
        "favors", x + step, y + 26, 11, fill=NIGHT_TEXT_QUIET
    )
    return tokens + names


# --- the viewer's side ------------------------------------------------------------------------------------------------------------


def _foot(view: View, plan: Plan) -> Svg:
    box = Box(_MARGIN, plan.lake.bottom + _GAP, plan.width - 2 * _MARGIN, _BAND)
    player = next(p for p, seat in enumerate(view["seats"]) if plan.on_screen(seat["side"]) == _BOTTOM)
    seat = view["seats"][player]
    near = Box(box.x, box.y, 440, box.height)
    rest = Box(near.right, box.y, box.right - near.right - 16, box.height)
    more = _scores(view, rest) if _is_over(view) else _hand(seat, rest, plan.turn)
    return art.group(_seat_frame(view, player, box), _seat_content(view, player, seat, near), more)


def _hand(seat: Json, box: Box, turn: int) -> Svg:
    tiles = seat["hand"] if seat["hand"] is not None else [None] * seat["hand_size"]
    step = min(128.0, box.width / max(len(tiles), 1))
    spots = [(box.right - step * (len(tiles) - index - 0.5), box.y + box.height / 2) for index in range(len(tiles))]
    return "".join(_hand_tile(tile, x, y, step - 8, turn) for tile, (x, y) in zip(tiles, spots, strict=True))


def _hand_tile(tile: Json, x: float, y: float, size: float, turn: int) -> Svg:
    return art.stamp("back", x, y, 0.7 * size, opacity=0.7) if tile is None else _tile(tile, x, y, size, turn, f"{tile['tile']}r0")


def _scores(view: View, box: Box) -> Svg:
    """The order of the final score: honor, then favors, then cards (L15)."""

    def strength(player: int) -> tuple[int, int, int]:
        seat = view["seats"][player]
        return view["scores"][player], seat["favors"], seat["num_cards"]

    ranking = sorted(range(view["players"]), key=strength, reverse=True)
    step = min(32.0, (box.height - 20) / len(ranking))
    start = box.y + box.height / 2 - step * (len(ranking) - 1) / 2
    return "".join(_score(view, player, box, start + step * index) for index, player in enumerate(ranking))


def _score(view: View, player: int, box: Box, y: float) -> Svg:
    seat = view["seats"][player]
    is_winner = player in view["winners"]
    weight = "bold" if is_winner else None
    details = f"{seat['favors']} favors, {seat['num_cards']} cards"
    return art.group(
        art.emblem(player, box.x + 44, y, 28),
        art.label(art.shortened(view["names"][player], 15), box.x + 68, y, 16, text_anchor="start", font_weight=weight),
        _token("seal", view["scores"][player], box.x + 232, y, 30),
        art.label(details, box.x + 260, y, 13, fill=NIGHT_TEXT_QUIET, text_anchor="start"),
    )


# --- definitions ------------------------------------------------------------------------------------------------------------------



def _definitions() -> list[Svg]:
    """The pieces of this game."""
    return [
        art.linear("water", (0, "#2f63b4", 1), (1, "#1d4388", 1)),
        art.linear("water-lit", (0, "#5a6fb0", 1), (1, "#3c5192", 1)),
        art.symbol("tile", 50, *_tile_ground("water")),
        art.symbol("tile-lit", 50, *_tile_ground("water-lit"), art.circle(0, 0, 46, fill=art.url("light"))),
        art.symbol("back", 50, *_tile_back()),
        art.symbol("pier", 50, *_pier()),
        art.symbol("boat", 50, *_boat()),
        art.symbol("favor", 50, *_favor()),
    ]


def _tile_ground(water: str) -> list[Svg]:
    waves = "M-40-31q5-4 10 0t10 0M20-36q5-4 10 0t10 0M-40 34q5-4 10 0t10 0M18 37q5-4 10 0t10 0M-8 0q4-3 8 0t8 0"
    return [
        art.rectangle(-48, -48, 96, 96, 12, fill=art.url(water), stroke=RIPPLE, stroke_opacity=0.6, stroke_width=1.5),
        art.path(waves, fill="none", stroke=RIPPLE, stroke_opacity=0.45, stroke_width=1.4, stroke_linecap="round"),
    ]


def _tile_back() -> list[Svg]:
    waves = "M-30 8q7.5-9 15 0t15 0t15 0t15 0M-30 24q7.5-9 15 0t15 0t15 0t15 0"
    return [
        art.rectangle(-46, -46, 92, 92, 14, fill="#27408f", stroke=PAPER, stroke_width=5),
        art.circle(0, -17, 13, fill=PAPER),
        art.path(waves, fill="none", stroke=RIPPLE, stroke_width=5, stroke_linecap="round"),
    ]


def _pier() -> list[Svg]:
    posts = "".join(art.circle(x, y, 7, fill=WOOD_DARK) for x in (-36, 36) for y in (-36, 36))
    planks = "M-38-19H38M-38 0H38M-38 19H38"
    return [
        art.rectangle(-38, -38, 76, 76, 4, fill=WOOD, stroke=WOOD_DARK, stroke_width=5),
        art.path(planks, stroke=WOOD_DARK, stroke_width=4),
        posts,
    ]


def _boat() -> list[Svg]:
    return [
        art.path("M-44 10C-24 20 24 20 44 10C38 34 24 38 0 38C-24 38-38 34-44 10Z", fill=WOOD, stroke=WOOD_DARK, stroke_width=4),
        art.path("M-3 14V-42L30 8Z", fill=PAPER, stroke=INK, stroke_width=2.5, stroke_linejoin="round"),
        art.path("M-9 12V-28L-30 8Z", fill="#e9d9b4", stroke=INK, stroke_width=2.5, stroke_linejoin="round"),
    ]


def _favor() -> list[Svg]:
    """Favors are earned at piers, so they are of their wood."""
    return [
        art.rectangle(-42, -42, 84, 84, 22, fill=WOOD, stroke="#d9a066", stroke_width=5),
        art.path("M-40-20H40M-40 20H40", stroke=WOOD_DARK, stroke_width=4, stroke_opacity=0.6),
    ]
