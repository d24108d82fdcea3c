"""Lanterns drawn in plain text.

A tile shows its colors on its sides, its number, and `#` for a platform; free
places show their coordinates:

    ┌──K──┐
    W 32# P    2,-1
    └──R──┘
"""

from __future__ import annotations

from lampion.core.gamelog import MAX_NAME
from lampion.core.types import Json
from lampion.games.art import who_won

_WIDTH, _HEIGHT = 8, 3
_STACK_LABELS = {
    "four_of_a_kind": "d4 four of a kind",
    "three_pairs": "d3 three pairs",
    "seven_unique": "d7 seven unique",
}


def draw_text(view: dict[str, Json]) -> str:
    parts = [
        _lake(view),
        _supply(view),
        *(_seat(view, player) for player in range(view["players"])),
        _turn(view),
    ]
    return "\n".join(part for part in parts if part)


def _tile_lines(tile: dict[str, Json]) -> list[str]:
    north, east, south, west = tile["sides"]
    name = f"{tile['tile']}{'#' if tile['platform'] else ''}"
    return [f"┌──{north}──┐", f"{west}{name:^5}{east}", f"└──{south}──┘"]


def _lake(view: dict[str, Json]) -> str:
    """North is up."""
    cells: dict[tuple[int, int], list[str]] = {
        (x, y): ["", f"{f'{x},{y}':^7}", ""] for x, y in view["free_places"]
    }
    cells |= {(tile["x"], tile["y"]): _tile_lines(tile) for tile in view["lake"]}
    columns = range(min(x for x, _ in cells), max(x for x, _ in cells) + 1)
    rows = range(max(y for _, y in cells), min(y for _, y in cells) - 1, -1)
    lines = []
    for y in rows:
        for part in range(_HEIGHT):
            line = "".join(f"{cells.get((x, y), [''] * _HEIGHT)[part]:{_WIDTH}}" for x in columns)
            lines.append(line.rstrip())
    return "\n".join(line for line in lines if line)


def _cards(cards: dict[str, int]) -> str:
    return " ".join(f"{letter}{count or '-'}" for letter, count in cards.items())


def _supply(view: dict[str, Json]) -> str:
    lines = [f"supply  {_cards(view['supply'])}    tiles to draw {view['left_to_draw']}"]
    for stack in view["stacks"]:
        honors = " ".join(str(honor) for honor in stack["honors"]) or "empty"
        lines.append(f"{_STACK_LABELS[stack['kind']]:18} {honors}  then {view['generic_honor']}")
    return "\n".join(lines)


def _seat(view: dict[str, Json], player: int) -> str:
    seat = view["seats"][player]
    mark = ">" if player == view["turn"]["active"] and view["to_act"] is not None else " "
    owned = f"{_cards(seat['cards'])}  favors {seat['favors']}  honor {seat['honor']}"
    line = f"{mark} {view['names'][player]:12} {seat['side']:5}  {owned}"
    if seat["hand"] is None:
        return f"{line}  tiles {seat['hand_size']}"
    hand = "  ".join(
        f"{tile['tile']}:{tile['sides']}{'#' if tile['platform'] else ''}" for tile in seat["hand"]
    )
    return f"{line}  hand {hand or 'empty'}"


def _turn(view: dict[str, Json]) -> str:
    if view["to_act"] is None:
        return f"The game is over. {who_won(view, MAX_NAME)}."
    if view["turn"]["final_round"]:
        return "Final round: exchange and dedicate, then pass."
    return ""
