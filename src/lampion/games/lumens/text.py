"""Lumens drawn in plain text.

A square shows its token, `y5` for a yellow 5, followed by `"` if it is full; an empty one the
letter of its room or a dot. Brackets mark where the player to act may place:

    5   .   .   D  [D] y5
    4  r2"  .   .  [g3] .
        a   b   c   d   e

Beside the board stand the pips per room and player, with an asterisk for the leaders and a
plus for the center room.
"""

from __future__ import annotations

from itertools import zip_longest

from lampion.core.gamelog import MAX_NAME
from lampion.core.types import Json
from lampion.games.art import who_won
from lampion.games.lumens.components import COLUMN_LETTERS

_CELL, _FULL = 4, '"'


def draw_text(view: dict[str, Json]) -> str:
    left, right = _board(view), _rooms(view)
    width = max(len(line) for line in left) + 3
    table = [
        f"{line:{width}}{beside}".rstrip()
        for line, beside in zip_longest(left, right, fillvalue="")
    ]
    return "\n".join(
        [*table, "", *(_seat(view, player) for player in range(view["players"])), _turn(view)]
    ).rstrip()


def _board(view: dict[str, Json]) -> list[str]:
    lights = {light["square"]: light for light in view["squares"]}
    targets = {target["square"] for target in view["targets"]}
    lines = []
    for index, signs in enumerate(view["board"]["map"]):
        row = view["board"]["rows"] - index
        cells = [
            _cell(view, sign, f"{column}{row}", lights, targets)
            for column, sign in zip(COLUMN_LETTERS, signs, strict=False)
        ]
        lines.append(f"{row:2} {''.join(cells)}")
    columns = COLUMN_LETTERS[: view["board"]["columns"]]
    return [*lines, "   " + "".join(f"{letter:^{_CELL}}" for letter in columns)]


def _cell(
    view: dict[str, Json], sign: str, square: str, lights: dict[str, Json], targets: set[str]
) -> str:
    light = lights.get(square)
    inside = (
        sign
        if light is None
        else f"{_letter(view, light['player'])}{light['face']}{_FULL if light['covered'] else ''}"
    )
    return f"[{inside}]".ljust(_CELL) if square in targets else f" {inside}".ljust(_CELL)


def _letter(view: dict[str, Json], player: int) -> str:
    """y, g, r or v."""
    return str(view["seats"][player]["color"][0])


def _rooms(view: dict[str, Json]) -> list[str]:
    players = range(view["players"])
    lines = ["room " + "".join(f"{_letter(view, player):>5}" for player in players)]
    for room in view["rooms"]:
        pips = [
            f"{room['pips'][player] or '-'}{'*' if player in room['leaders'] else ' '}"
            for player in players
        ]
        lines.append(
            f"  {room['room']}{'+' if room['center'] else ' '} "
            + "".join(f"{own:>6}"[1:] for own in pips)
        )
    return [
        *lines,
        "     " + "".join(f"{view['scores'][player]:>4} " for player in players) + " points",
    ]


def _seat(view: dict[str, Json], player: int) -> str:
    seat = view["seats"][player]
    mark = ">" if player in view["actors"] else " "
    tokens = "  ".join(
        f"{kind['faces'][0]}/{kind['faces'][1]} x{kind['count']}" for kind in seat["unshown"]
    )
    parts = [f"{mark} {view['names'][player]:12} {seat['color']:6}", f"to show {tokens}"]
    if seat["hand"]:
        parts.append(f"hand {seat['hand'][0]}/{seat['hand'][1]}")
    if seat["start_face"]:
        parts.append(f"chose {seat['start_face']}")
    if seat["start_right"]:
        parts.append(f"may go back to {seat['start']}")
    return "  ".join([*parts, *(["blocked"] if seat["is_out"] else [])])


def _turn(view: dict[str, Json]) -> str:
    if view["to_act"] is None:
        return f"The game is over. {who_won(view, MAX_NAME)}."
    if view["turn"]["phase"] == "start_face":
        return "All choose the face of their start token in secret."
    return ""
