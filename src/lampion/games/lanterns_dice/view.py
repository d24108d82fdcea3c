"""Lanterns Dice as a seat sees it, ready for JSON. Everything is public, so all seats see the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args

import numpy as np
import numpy.typing as npt

from lampion.core.types import Player
from lampion.games.lanterns_dice.actions import PLACEMENT_POOLS, PLACEMENT_SHAPES
from lampion.games.lanterns_dice.components import (
    BOAT,
    CARD_ACTIONS,
    COLOR_LETTERS,
    DIAGONAL,
    LOWER,
    NO_FEATURE,
    NUM_CARDS,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_HALVES,
    NUM_POOLS,
    NUM_ROWS,
    PAVILION_LOWER,
    PAVILION_UPPER,
    PLATFORM,
    POOL_NAMES,
    SHAPE_NAMES,
    SHAPES,
    UPPER,
    ColorLetter,
    SheetLetter,
    SideLetter,
)
from lampion.games.lanterns_dice.notation import area_text, placement_text, roll_letters, shape_names, sheet_letters, side_letters
from lampion.games.lanterns_dice.rules_scoring import boats_honor, group_of_lowest, score, second_group, surrounded_boats
from lampion.games.lanterns_dice.rules_shading import completed_pools, die_color, empty_pools, is_bonus_due
from lampion.games.lanterns_dice.state import (
    AREA_SHADED,
    BOAT_LOST,
    BONUS_DUE,
    CARD_BOUGHT,
    CARDS_LAID,
    DICE_ROLLED,
    EMPEROR,
    FIREWORKS,
    GAME_ENDED,
    GIFT_EARNED,
    LAST_LAUNCH,
    LAUNCHED,
    NEIGHBORS,
    NO_CARD,
    NO_CARD_SIDE,
    NO_COLOR,
    NO_POOL,
    NO_SHAPE,
    NOT_TURNED,
    NOTHING,
    POOL_BIT,
    POOL_COMPLETED,
    REROLLED,
    ROLL,
    SHAPES_CHOSEN,
    SHEETS,
    SHEETS_DEALT,
    SKIPPED,
    TRAY_STEP,
    TRAY_TURNED,
    TURN_ENDED,
    PoolSet,
    State,
    pools_in,
)
from lampion.games.lanterns_dice.view_types import (
    Boat,
    Card,
    ChoiceName,
    Event,
    PhaseName,
    Reach,
    Score,
    Seat,
    Stack,
    Table,
    Tile,
)

CHOICE_NAMES: tuple[ChoiceName, ...] = get_args(ChoiceName)
"""By step; the last stands in the place of DONE, as PLATFORM_BONUS does in the trail."""
_DUE_NAMES: dict[int, PhaseName] = {SHEETS: "sheets", FIREWORKS: "fireworks", EMPEROR: "emperor", ROLL: "roll"}
_COLORS: tuple[ColorLetter, ...] = get_args(ColorLetter)
_SHEETS: tuple[SheetLetter, ...] = get_args(SheetLetter)
_SIDES: tuple[SideLetter, ...] = get_args(SideLetter)


def view(seen: State, seat: Player) -> Table:
    return {
        "turn": {"number": min(seen.turn + 1, seen.num_turns), "of": seen.num_turns, "active": seen.active, "phase": _phase(seen)},
        "dice": None if seen.dice[0] == NO_COLOR else "".join(COLOR_LETTERS[color] for color in seen.dice),
        "tray": None if seen.tray == NOT_TURNED else seen.tray,
        "reroll_cost": seen.reroll_cost,
        "stacks": [_stack(seen, int(shape)) for shape in seen.shapes if shape != NO_SHAPE],
        "emperor": [_card(seen, card) for card in range(NUM_CARDS)],
        "seats": [_seat(seen, player) for player in range(seen.num_players)],
    }


def _phase(seen: State) -> PhaseName:
    """What the table is doing: the work of chance, `tray`, `act` for everybody at once, and in the end `last_launch` and `over`."""
    if seen.is_over:
        return "over"
    if seen.chance_owes != NOTHING:
        return _DUE_NAMES[seen.chance_owes]
    if seen.turn == seen.num_turns:
        return "last_launch"
    return "tray" if seen.step[seen.active] == TRAY_STEP else "act"


def _stack(seen: State, shape: int) -> Stack:
    """A stack of fireworks; `honors` are those of the tiles left, from the top."""
    left = seen.tile_honor[shape, seen.tiles_taken[shape] : seen.stack_size[shape]]
    return {"shape": SHAPE_NAMES[shape], "rows": [*SHAPES[SHAPE_NAMES[shape]]], "honors": [int(honor) for honor in left]}


def _card(seen: State, card: int) -> Card:
    side = int(seen.card_sides[card])
    is_laid = side != NO_CARD_SIDE
    return {
        "card": card + 1,
        "cost": int(seen.card_costs[card]),
        "side": _SIDES[side] if is_laid else None,
        "action": CARD_ACTIONS[seen.card_actions[card, side]] if is_laid else None,
    }


# --- seats ------------------------------------------------------------------------------------------------------------------------


def _seat(seen: State, player: Player) -> Seat:
    is_turned = seen.tray != NOT_TURNED
    sheet = int(seen.sheets[player])
    is_dealt = seen.chance_owes != SHEETS
    return {
        "sheet": _SHEETS[sheet] if is_dealt else None,
        "tray_seat": int(seen.tray_seats[player]),
        "die": _COLORS[die_color(seen, player, 0)] if is_turned else None,
        "diagonal_die": _COLORS[die_color(seen, player, DIAGONAL)] if is_turned else None,
        "turn_bonuses": "".join(COLOR_LETTERS[c] for c in seen.turn_bonuses[sheet, : seen.num_turns]) if is_dealt else None,
        "choice": _choice(seen, player),
        "bonus_pool": _name(int(seen.bonus_pool[player])),
        "card": None if seen.bought[player] == NO_CARD else int(seen.bought[player]) + 1,
        "gifts": int(seen.gifts[player]),
        "lake": _lake(seen, sheet) if is_dealt else None,
        "shaded": [area_text(half, pool) for half in range(NUM_HALVES) for pool in pools_in(seen.shaded[player, half])],
        "tiles": [_tile(seen, player, k) for k in range(seen.num_launched[player])],
        "groups": _groups(completed_pools(seen, player)),
        "boats": [_boat(seen, player, pool) for pool in pools_in(seen.boats[sheet])] if is_dealt else [],
        "reach": [_reach(seen, player, int(shape)) for shape in seen.shapes if shape != NO_SHAPE],
        "score": _score(seen, player),
    }


def _choice(seen: State, player: Player) -> ChoiceName | None:
    """What the player is asked, or None; the names are those of the steps, and `platform_bonus`."""
    if seen.is_over or seen.chance_owes != NOTHING:
        return None
    if is_bonus_due(seen, player):
        return CHOICE_NAMES[-1]
    return (*CHOICE_NAMES[:-1], None)[seen.step[player]]


def _name(pool: int) -> str | None:
    return None if pool == NO_POOL else POOL_NAMES[pool]


def _names(pools: PoolSet) -> list[str]:
    return [POOL_NAMES[pool] for pool in pools_in(pools)]


def _lake(seen: State, sheet: int) -> list[str]:
    """The rows of a lake from the top, written as in a components file."""
    codes = [["", "", NO_FEATURE] for _ in range(NUM_POOLS)]
    for half in (UPPER, LOWER):
        for color, letter in enumerate(COLOR_LETTERS):
            for pool in pools_in(seen.color_areas[sheet, color, half]):
                codes[pool][half] = letter
    for feature, pools in _features(seen, sheet):
        for pool in pools_in(pools):
            codes[pool][-1] = feature
    rows = [codes[NUM_COLUMNS * row : NUM_COLUMNS * (row + 1)] for row in reversed(range(NUM_ROWS))]
    return [" ".join("".join(code) for code in row) for row in rows]


def _features(seen: State, sheet: int) -> list[tuple[str, PoolSet]]:
    return [
        (PAVILION_UPPER, seen.pavilions[sheet, UPPER]),
        (PAVILION_LOWER, seen.pavilions[sheet, LOWER]),
        (PLATFORM, seen.platforms[sheet]),
        (BOAT, seen.boats[sheet]),
    ]


def _tile(seen: State, player: Player, k: int) -> Tile:
    placement = int(seen.launched[player, k])
    return {
        "launch": placement_text(placement),
        "shape": SHAPE_NAMES[PLACEMENT_SHAPES[placement]],
        "pools": _names(PLACEMENT_POOLS[placement]),
        "honor": int(seen.launched_honor[player, k]),
    }


# --- what it is worth, and what is near -------------------------------------------------------------------------------------------


def _groups(pools: PoolSet) -> list[list[str]]:
    """The groups of completed pools, the largest first; the second one scores."""
    groups = []
    while pools:
        group = group_of_lowest(pools)
        pools ^= group
        groups.append(_names(group))
    return sorted(groups, key=len, reverse=True)


def _boat(seen: State, player: Player, pool: int) -> Boat:
    """`missing` are the neighbours that are not completed yet; `lost` means that its own pool is shaded (D13)."""
    return {
        "pool": POOL_NAMES[pool],
        "lost": not empty_pools(seen, player) & POOL_BIT[pool],
        "surrounded": bool(surrounded_boats(seen, player) & POOL_BIT[pool]),
        "missing": _names(NEIGHBORS[pool] & ~completed_pools(seen, player)),
    }


def _reach(seen: State, player: Player, shape: int) -> Reach:
    """Where a tile of this shape fits now, and how many areas are missing to the nearest place (None: there is no room left)."""
    numbers = np.flatnonzero((shape == PLACEMENT_SHAPES) & (PLACEMENT_POOLS & seen.covered[player] == 0))
    pools = PLACEMENT_POOLS[numbers]
    missing = sum(np.bitwise_count(pools & ~seen.shaded[player, half]).astype(int) for half in (UPPER, LOWER))
    is_gone = seen.tiles_taken[shape] == seen.stack_size[shape]
    if is_gone or not len(numbers):
        return {"shape": SHAPE_NAMES[shape], "launches": [], "missing": None}
    fitting = numbers[missing == 0]
    launches = [placement_text(int(placement)) for placement in fitting]
    return {"shape": SHAPE_NAMES[shape], "launches": launches, "missing": int(np.min(missing))}


def _score(seen: State, player: Player) -> Score:
    """D17, as it stands."""
    return {
        "fireworks": int(seen.honor[player]),
        "second_group": int(second_group(completed_pools(seen, player))),
        "boats": int(boats_honor(seen, player)),
        "total": int(score(seen, player)),
    }


# --- events -----------------------------------------------------------------------------------------------------------------------


def events(trail: npt.NDArray[np.int32]) -> list[Event]:
    """What an action did, in order."""
    return [_EVENTS[kind](player, a, b) for kind, player, a, b in trail.tolist()]


def _shading(player: Player, area: int, why_and_color: int) -> Event:
    (half, pool), (why, color) = divmod(area, NUM_POOLS), divmod(why_and_color, NUM_COLORS)
    shaded = area_text(half, pool)
    return {"event": "area_shaded", "player": player, "area": shaded, "color": _COLORS[color], "by": CHOICE_NAMES[why]}


# What chance did, or nobody, has no player.
_EVENTS: dict[int, Callable[[Player, int, int], Event]] = {
    SHEETS_DEALT: lambda _, deal, __: {"event": "sheets_dealt", "sheets": sheet_letters(deal)},
    SHAPES_CHOSEN: lambda _, choice, __: {"event": "shapes_chosen", "shapes": shape_names(choice)},
    CARDS_LAID: lambda _, choice, __: {"event": "cards_laid", "sides": side_letters(choice)},
    DICE_ROLLED: lambda _, roll, __: {"event": "dice_rolled", "dice": roll_letters(roll)},
    REROLLED: lambda player, paid, _: {"event": "rerolled", "player": player, "gifts_paid": paid},
    TRAY_TURNED: lambda player, quarters, _: {"event": "tray_turned", "player": player, "tray": quarters},
    AREA_SHADED: _shading,
    GIFT_EARNED: lambda player, pool, gifts: {"event": "gift_earned", "player": player, "pool": POOL_NAMES[pool], "gifts": gifts},
    POOL_COMPLETED: lambda player, pool, _: {"event": "pool_completed", "player": player, "pool": POOL_NAMES[pool]},
    BOAT_LOST: lambda player, pool, _: {"event": "boat_lost", "player": player, "pool": POOL_NAMES[pool]},
    BONUS_DUE: lambda player, pool, _: {"event": "bonus_due", "player": player, "pool": POOL_NAMES[pool]},
    CARD_BOUGHT: lambda player, card, paid: {"event": "card_bought", "player": player, "card": card + 1, "gifts_paid": paid},
    LAUNCHED: lambda player, place, honor: {"event": "launched", "player": player, "launch": placement_text(place), "honor": honor},
    SKIPPED: lambda player, step, _: {"event": "skipped", "player": player, "choice": CHOICE_NAMES[step]},
    TURN_ENDED: lambda player, turn, _: {"event": "turn_ended", "player": player, "turn": turn + 1},
    LAST_LAUNCH: lambda player, _, __: {"event": "last_launch", "player": player},
    GAME_ENDED: lambda _, __, ___: {"event": "game_ended"},
}
