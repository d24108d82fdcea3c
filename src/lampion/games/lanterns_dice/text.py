"""Lanterns Dice drawn in plain text, two lakes side by side.

A pool shows the colors of its upper and its lower area and what it holds: `^` or `v` a pavilion in
the upper or lower area, `#` a platform, `b` a boat. A shaded area is `▒`, and a pool under a
fireworks tile is `██`:

    BG#  GW   ▒Rb  ▒▒^  ██      a platform; a plain pool; a boat in a pool whose upper area is shaded; completed; covered
"""

from __future__ import annotations

from itertools import zip_longest

from lampion.core.gamelog import MAX_NAME
from lampion.core.types import Json
from lampion.games.art import who_won
from lampion.games.lanterns_dice.components import (
    COLUMN_LETTERS,
    HALF_LETTERS,
    NO_FEATURE,
    NUM_ROWS,
)

_WIDTH = 50
_SHADED, _COVERED = "▒", "██"
_CHOICES = {
    "tray": "turns the tray",
    "die": "shades for the die",
    "turn_bonus": "shades for the turn bonus",
    "card": "may buy a card",
    "card_area": "shades for the card",
    "second_area": "may shade a second area",
    "launch": "may launch",
}


def draw_text(view: dict[str, Json]) -> str:
    seats = [_seat(view, player) for player in range(view["players"])]
    pairs = [_side_by_side(seats[k : k + 2]) for k in range(0, len(seats), 2)]
    return "\n".join([_table(view), *pairs, _result(view)]).rstrip()


# --- the table ------------------------------------------------------------------------------------


def _table(view: dict[str, Json]) -> str:
    turn = view["turn"]
    dice = " ".join(view["dice"] or "----")
    tray = "" if view["tray"] is None else f"  tray t{view['tray']}"
    lines = [f"turn {turn['number']} of {turn['of']}  dice {dice}{tray}"]
    stacks = [
        f"{stack['shape']} {' '.join(map(str, stack['honors'])) or 'gone'}"
        for stack in view["stacks"]
    ]
    lines.append(f"fireworks  {'   '.join(stacks) or 'not chosen'}")
    cards = [
        f"e{card['card']} {card['action'] or '?'} ({card['cost']})" for card in view["emperor"]
    ]
    return "\n".join([*lines, f"emperor    {'   '.join(cards)}", ""])


def _result(view: dict[str, Json]) -> str:
    if view["to_act"] is not None:
        return ""
    return f"The game is over. {who_won(view, MAX_NAME)}."


# --- seats ----------------------------------------------------------------------------------------


def _side_by_side(seats: list[list[str]]) -> str:
    rows = zip_longest(*seats, fillvalue="")
    return "\n".join("".join(f"{part:{_WIDTH}}" for part in row).rstrip() for row in rows)


def _seat(view: dict[str, Json], player: int) -> list[str]:
    seat, score = view["seats"][player], view["seats"][player]["score"]
    mark = ">" if player in view["actors"] else " "
    die = f"  die {seat['die']}" if seat["die"] else ""
    active = "  active" if player == view["turn"]["active"] and view["to_act"] is not None else ""
    return [
        f"{mark} {view['names'][player][:20]}  sheet {seat['sheet'] or '?'}{die}  gifts {seat['gifts']}{active}",
        f"  honor {score['fireworks']} + {score['second_group']} + {score['boats']} = {score['total']}  {_choice(seat)}",
        f"  bonuses {_bonuses(view, player)}",
        *_lake(seat),
        f"  tiles {' '.join(tile['launch'] for tile in seat['tiles']) or 'none'}",
        "",
    ]


def _choice(seat: dict[str, Json]) -> str:
    if seat["choice"] == "platform_bonus":
        return f"shades beside platform {seat['bonus_pool']}"
    return _CHOICES.get(seat["choice"], "")


def _bonuses(view: dict[str, Json], player: int) -> str:
    """The turn bonuses of a sheet, the next one in brackets."""
    turn, column = view["turn"], view["seats"][player]["turn_bonuses"] or ""
    taken = (
        turn["number"] - (player >= turn["active"])
        if turn["phase"] not in ("last_launch", "over")
        else len(column)
    )
    return (
        f"{column[:taken]}[{column[taken]}]{column[taken + 1 :]}" if taken < len(column) else column
    )


def _lake(seat: dict[str, Json]) -> list[str]:
    if seat["lake"] is None:
        return []
    covered = {pool for tile in seat["tiles"] for pool in tile["pools"]}
    lines = ["    " + "   ".join(f"{letter} " for letter in COLUMN_LETTERS)]
    for number, codes in zip(range(NUM_ROWS, 0, -1), seat["lake"], strict=True):
        pools = zip(COLUMN_LETTERS, codes.split(), strict=True)
        lines.append(
            f"  {number} "
            + "  ".join(_pool(seat, f"{letter}{number}", code, covered) for letter, code in pools)
        )
    return lines


def _pool(seat: dict[str, Json], name: str, code: str, covered: set[str]) -> str:
    colors, feature = code[:2], code[2]
    if name in covered:
        return f"{_COVERED} "
    halves = zip(HALF_LETTERS, colors, strict=True)
    areas = "".join(_SHADED if name + half in seat["shaded"] else color for half, color in halves)
    return areas + (" " if feature == NO_FEATURE else feature)
