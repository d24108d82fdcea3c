"""The board of Lumens drawn as SVG: a house by night. Rooms are paper floors, passages dark wood,
counting lines beams of light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from lampion.core.types import Json
from lampion.games import art
from lampion.games.art import GOLD, INK, PAPER, WOOD, WOOD_DARK, Box, Svg, label, quiet
from lampion.games.lumens.components import COLUMN_LETTERS, NO_SQUARE_SIGN, PASSAGE_SIGN
from lampion.games.lumens.lamps import LAMPS, dead_lamp, lamp, lamp_definitions

View: TypeAlias = dict[str, Json]

_SIDES: Final = ((0, -1, "M0 0H1"), (1, 0, "M1 0V1"), (0, 1, "M0 1H1"), (-1, 0, "M0 0V1"))
"""A neighboring square, by column and row from the top left, and the edge towards
it on a square of size 1."""


@dataclass(frozen=True)
class Plan:
    """Where the squares are on the screen."""

    box: Box
    cell: float
    map: list[str]

    def at(self, column: int, row: int) -> tuple[float, float]:
        """The middle of a square; rows from the top."""
        return self.box.x + (column + 0.5) * self.cell, self.box.y + (row + 0.5) * self.cell

    def spot(self, square: str) -> tuple[float, float]:
        """The middle of a square such as c5."""
        return self.at(COLUMN_LETTERS.index(square[0]), len(self.map) - int(square[1:]))

    def sign(self, column: int, row: int) -> str:
        """What the map shows there; a space beyond the border."""
        is_inside = 0 <= row < len(self.map) and 0 <= column < len(self.map[row])
        return self.map[row][column] if is_inside else NO_SQUARE_SIGN

    def squares(self) -> list[tuple[int, int, str]]:
        """Column, row and sign of every square."""
        found = [
            (column, row, sign)
            for row, signs in enumerate(self.map)
            for column, sign in enumerate(signs)
        ]
        return [square for square in found if square[2] != NO_SQUARE_SIGN]


def draw_board(view: View, plan: Plan) -> Svg:
    """From the floor up: rooms and passages, start markers, beams, lamps,
    then what must not be hidden."""
    is_over = view["to_act"] is None
    lit = {room["room"] for room in view["rooms"] if room["leaders"] or is_over}
    return art.group(
        _frame_of_house(plan.box),
        *(_floor(plan, column, row, sign, sign in lit) for column, row, sign in plan.squares()),
        _walls(view, plan),
        _coordinates(plan),
        *(
            _start_marker(plan, player, seat["start"])
            for player, seat in enumerate(view["seats"])
            if seat["start"]
        ),
        *(
            _beam(plan, origin, target["square"])
            for target in view["targets"]
            for origin in target["origins"]
        ),
        *(_light(view, plan, light) for light in view["squares"]),
        *(_target(plan, target) for target in view["targets"]),
        *(_room_letter(view, plan, room["room"]) for room in view["rooms"]),
    )


def _frame_of_house(box: Box) -> Svg:
    return Box(box.x - 7, box.y - 7, box.width + 14, box.height + 14).draw(
        12, fill=WOOD_DARK, stroke=WOOD, stroke_width=2
    )


# --- floors ---------------------------------------------------------------------------------------


def _floor(plan: Plan, column: int, row: int, sign: str, is_lit: bool) -> Svg:
    name = "passage" if sign == PASSAGE_SIGN else "floor-lit" if is_lit else "floor"
    return art.stamp(f"lumens-{name}", *plan.at(column, row), plan.cell)


def _walls(view: View, plan: Plan) -> Svg:
    """Round each room; the center room's are golden, and drawn last, above the others. They stop
    nobody (U2): they only tell the rooms apart."""
    center = view["board"]["center"]
    signs = {sign for _, _, sign in plan.squares()} - {PASSAGE_SIGN}
    rooms = sorted(signs, key=lambda sign: (sign == center, sign))
    return "".join(
        _wall(plan, room, GOLD if room == center else "#a9793f", 3.5 if room == center else 2)
        for room in rooms
    )


def _wall(plan: Plan, room: str, color: str, width: float) -> Svg:
    return art.path(
        wall_edges(plan, room),
        fill="none",
        stroke=color,
        stroke_width=width,
        stroke_linecap="round",
    )


def wall_edges(plan: Plan, room: str) -> str:
    """The path along all edges between a room and whatever is not that room."""
    edges = []
    for column, row, sign in plan.squares():
        for dx, dy, edge in _SIDES:
            if sign == room != plan.sign(column + dx, row + dy):
                edges.append(
                    _moved(
                        edge,
                        plan.box.x + column * plan.cell,
                        plan.box.y + row * plan.cell,
                        plan.cell,
                    )
                )
    return "".join(edges)


def _moved(edge: str, x: float, y: float, size: float) -> str:
    """An edge such as M1 0V1 on the screen."""
    start_x, start_y = (int(number) for number in edge[1:4].split())
    step = f"{edge[4].lower()}{art.number(size)}"
    return f"M{art.number(x + start_x * size)} {art.number(y + start_y * size)}{step}"


def _room_letter(view: View, plan: Plan, room: str) -> Svg:
    """On the corner of the room's first square, where no lamp hides it."""
    column, row = next((column, row) for column, row, sign in plan.squares() if sign == room)
    x, y = plan.box.x + column * plan.cell + 1, plan.box.y + row * plan.cell + 1
    is_center = room == view["board"]["center"]
    tab = art.circle(x, y, 8.5, fill=GOLD if is_center else PAPER, stroke=INK, stroke_width=1)
    return tab + label(room, x, y, 12, fill=INK, font_weight="bold")


def _coordinates(plan: Plan) -> Svg:
    left, below = plan.box.x - 17, plan.box.bottom + 17
    rows = [
        quiet(len(plan.map) - row, left, plan.at(0, row)[1], 12) for row in range(len(plan.map))
    ]
    columns = [
        quiet(COLUMN_LETTERS[column], plan.at(column, 0)[0], below, 12)
        for column in range(len(plan.map[0]))
    ]
    return art.group(*rows, *columns)


# --- lamps and beams ------------------------------------------------------------------------------


def _start_marker(plan: Plan, player: int, square: str) -> Svg:
    """A mat whose rim, in the player's color, shows round any lamp on it."""
    x, y = plan.spot(square)
    mat = art.square(
        x, y, 0.92 * plan.cell, fill=INK, stroke=LAMPS[player].color, stroke_width=0.09 * plan.cell
    )
    return art.group(
        art.tooltip(f"start marker {square}"), mat, art.emblem(player, x, y, 0.66 * plan.cell)
    )


def _light(view: View, plan: Plan, light: Json) -> Svg:
    """The lamp on a square; one below it peeks out."""
    x, y = plan.spot(light["square"])
    size = 0.84 * plan.cell
    words = f"{light['square']}: {view['names'][light['player']]} {light['face']}"
    below, raised = "", 0.0
    if light["covered"]:
        raised = 0.07 * plan.cell
        words += f" on {view['names'][light['covered']['player']]} {light['covered']['face']}"
        below = dead_lamp(light["covered"]["player"], x + raised, y + raised, size)
    top = lamp(light["player"], light["face"], x - raised, y - raised, size)
    ring = ""
    if light["square"] == view["last_placed"]:
        ring = art.circle(
            x, y, 0.53 * plan.cell, fill=GOLD, fill_opacity=0.85, filter=art.url("lumens-halo")
        )
    return art.group(art.tooltip(words), ring, below, top)


def _beam(plan: Plan, origin: str, square: str) -> Svg:
    """A counting line, from its origin to where it ends."""
    (x, y), (end_x, end_y) = plan.spot(origin), plan.spot(square)
    line = f"M{art.number(x)} {art.number(y)}L{art.number(end_x)} {art.number(end_y)}"
    strokes = (("#a85a08", 0.28, 0.3), (GOLD, 0.16, 0.75), ("#fff6d8", 0.05, 0.9))
    return "".join(
        _stroke(line, color, width * plan.cell, opacity) for color, width, opacity in strokes
    )


def _stroke(line: str, color: str, width: float, opacity: float) -> Svg:
    return art.path(
        line, stroke=color, stroke_width=width, stroke_opacity=opacity, stroke_linecap="round"
    )


def _target(plan: Plan, target: Json) -> Svg:
    """Where the player to act may place; a double frame is the way back
    to the start marker (U7)."""
    x, y = plan.spot(target["square"])
    ways = [f"from {', '.join(target['origins'])}"] if target["origins"] else []
    words = " or ".join(
        [*ways, *(["by the right of the start marker"] if target["start_right"] else [])]
    )
    sizes = (0.9, 0.72) if target["start_right"] else (0.9,)
    return art.group(
        art.tooltip(f"{target['square']} {words}"),
        *(_frame(x, y, size * plan.cell) for size in sizes),
    )


def _frame(x: float, y: float, size: float) -> Svg:
    """Gold on a dark line, to be seen on paper and on wood."""
    dark = art.square(
        x, y, size, fill=GOLD, fill_opacity=0.14, stroke=INK, stroke_width=4, stroke_opacity=0.75
    )
    return dark + art.square(
        x, y, size, fill="none", stroke=GOLD, stroke_width=2.4, stroke_dasharray="6 3"
    )


# --- pieces ---------------------------------------------------------------------------------------


def board_definitions() -> list[Svg]:
    """What only this game has, so with its name in the ids."""
    blur = art.element("feGaussianBlur", stdDeviation=3)
    return [
        art.element(
            "filter",
            blur,
            id="lampion-lumens-halo",
            x="-30%",
            y="-30%",
            width="160%",
            height="160%",
        ),
        art.symbol("lumens-floor", 50, *_mats("#b9a67d", "#a8946b")),
        art.symbol("lumens-floor-lit", 50, *_mats("#f4e3b8", "#e2cb94")),
        art.symbol("lumens-passage", 50, *_planks()),
        *lamp_definitions(),
    ]


def _mats(fill: str, seam: str) -> list[Svg]:
    """A floor of straw and paper."""
    weave = "M-50-25H50M-50 0H50M-50 25H50"
    return [
        Box(-50, -50, 100, 100).draw(0, fill=fill, stroke=seam, stroke_width=2),
        art.path(weave, stroke=seam, stroke_opacity=0.35),
    ]


def _planks() -> list[Svg]:
    plank = Box(-49, -49, 98, 98).draw(5, fill="#5b3c26", stroke="#3d2717", stroke_width=2)
    return [
        plank,
        art.path("M-46-16H46M-46 17H46", stroke="#3d2717", stroke_width=2, stroke_opacity=0.8),
    ]
