"""What happens in Lanterns Dice, told: the trail that the rules wrote, with what it changes in the
view."""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt

from lampion.core.events import AnyEvent, Telling, Writer, move
from lampion.core.types import Player
from lampion.games.lanterns_dice.actions import (
    PLACEMENT_SHAPES,
    SHAPE_CHOICES,
    SHEET_DEALS,
    SIDE_CHOICES,
    Placement,
    half_of,
    pool_of,
)
from lampion.games.lanterns_dice.components import (
    CARD_ACTIONS,
    COLOR_LETTERS,
    NUM_HALVES,
    NUM_POOLS,
    POOL_NAMES,
    SHAPE_NAMES,
    SHEET_LETTERS,
    SIDE_LETTERS,
)
from lampion.games.lanterns_dice.notation import (
    area_text,
    placement_text,
    roll_letters,
    shape_names,
    sheet_letters,
    side_letters,
)
from lampion.games.lanterns_dice.rules_shading import die_faced
from lampion.games.lanterns_dice.state import (
    AREA_SHADED,
    BOAT_LOST,
    BONUS_DUE,
    CARD_BOUGHT,
    CARDS_LAID,
    DICE_ROLLED,
    GAME_ENDED,
    GIFT_EARNED,
    LAST_LAUNCH,
    LAUNCHED,
    POOL_COMPLETED,
    REROLLED,
    SHAPES_CHOSEN,
    SHEETS_DEALT,
    SKIPPED,
    TRAY_TURNED,
    TURN_ENDED,
)
from lampion.games.lanterns_dice.view import (
    CHOICE_NAMES,
    launched_tile,
    stack_of,
    turn_bonuses,
)
from lampion.games.lanterns_dice.view_pools import lake_rows

_AREAS = [area_text(half_of(area), pool_of(area)) for area in range(NUM_HALVES * NUM_POOLS)]
_ORDER = {name: area for area, name in enumerate(_AREAS)}
"""Shaded areas are listed in this order."""


def events(trail: npt.NDArray[np.int32], telling: Telling) -> list[AnyEvent]:
    """What an action did, in order."""
    return [_EVENTS[cause](telling, *row) for cause, *row in trail.tolist()]


# --- set-up and dice ----------------------------------------------------------------------------


def _sheets_dealt(t: Telling, _: Player, deal: int, *__: int) -> AnyEvent:
    for player in range(t.start.num_players):
        sheet = int(SHEET_DEALS[deal, player])
        t.set(SHEET_LETTERS[sheet], "seats", player, "sheet")
        t.set(turn_bonuses(t.start, sheet), "seats", player, "turn_bonuses")
        t.set([*lake_rows(t.start, sheet)], "seats", player, "lake")
    return t.event({"event": "sheets_dealt", "sheets": sheet_letters(deal)})


def _shapes_chosen(t: Telling, _: Player, choice: int, *__: int) -> AnyEvent:
    for shape in SHAPE_CHOICES[choice].tolist():
        t.append(stack_of(t.start, shape, 0), "stacks")
    return t.event({"event": "shapes_chosen", "shapes": shape_names(choice)})


def _cards_laid(t: Telling, _: Player, choice: int, *__: int) -> AnyEvent:
    for card, side in enumerate(SIDE_CHOICES[choice].tolist()):
        t.set(SIDE_LETTERS[side], "emperor", card, "side")
        action = int(t.start.card_actions[card, side])
        t.set(CARD_ACTIONS[action], "emperor", card, "action")
    return t.event({"event": "cards_laid", "sides": side_letters(choice)})


def _dice_rolled(t: Telling, _: Player, roll: int, *__: int) -> AnyEvent:
    t.set(roll_letters(roll), "dice")
    return t.event({"event": "dice_rolled", "dice": roll_letters(roll)})


def _tray_turned(t: Telling, player: Player, _: int, quarters: int, *__: int) -> AnyEvent:
    t.set(quarters, "tray")
    dice = t.at("dice")
    for other in range(t.start.num_players if dice else 0):
        t.set(dice[die_faced(t.start, other, quarters, 0)], "seats", other, "die")
    return t.event({"event": "tray_turned", "player": player, "tray": quarters})


# --- shading ------------------------------------------------------------------------------------


def _area_shaded(
    t: Telling, player: Player, color: int, area: int, why: int, count: int
) -> AnyEvent:
    path, name = ("seats", player, "shaded"), _AREAS[area]
    t.insert(bisect_left(t.at(*path) or (), area, key=_ORDER.__getitem__), name, *path)
    told = {"event": "area_shaded", "player": player, "area": name}
    return t.event({**told, "color": COLOR_LETTERS[color], "by": CHOICE_NAMES[why]})


def _gift_earned(t: Telling, player: Player, gifts: int, pool: int, _: int, count: int) -> AnyEvent:
    t.add(count, "seats", player, "gifts")
    told = move("pavilion", player, "gift", "bank", f"seat:{player}", count)
    return t.event({**told, "pool": POOL_NAMES[pool], "gifts": gifts})


def _pool(name: str) -> Writer:
    def write(t: Telling, player: Player, _: int, pool: int, *__: int) -> AnyEvent:
        return t.event({"event": name, "player": player, "pool": POOL_NAMES[pool]})

    return write


def _bonus_due(t: Telling, player: Player, _: int, pool: int, __: int, count: int) -> AnyEvent:
    if count:
        t.set(POOL_NAMES[pool], "seats", player, "bonus_pool")
    told = {"event": "bonus_due", "player": player, "pool": POOL_NAMES[pool]}
    return t.event({**told, "count": count})


# --- gifts and fireworks ------------------------------------------------------------------------


def _rerolled(t: Telling, player: Player, _: int, __: int, ___: int, count: int) -> AnyEvent:
    t.add(-count, "seats", player, "gifts")
    return t.event(move("reroll", player, "gift", f"seat:{player}", "bank", count))


def _card_bought(t: Telling, player: Player, card: int, _: int, __: int, count: int) -> AnyEvent:
    t.add(-count, "seats", player, "gifts")
    t.set(card + 1, "seats", player, "card")
    told = move("card", player, "gift", f"seat:{player}", "bank", count)
    return t.event({**told, "card": card + 1})


def _launched(
    t: Telling, player: Player, placement: Placement, _: int, __: int, honor: int
) -> AnyEvent:
    shape = SHAPE_NAMES[PLACEMENT_SHAPES[placement]]
    t.remove(0, "stacks", t.find("shape", shape, "stacks"), "honors")
    t.append(launched_tile(placement, honor), "seats", player, "tiles")
    told = move("launch", player, f"tile:{shape}", f"stack:{shape}", f"seat:{player}", honor)
    return t.event({**told, "launch": placement_text(placement), "shape": shape})


# --- the turn -----------------------------------------------------------------------------------


def _skipped(t: Telling, player: Player, _: int, step: int, *__: int) -> AnyEvent:
    return t.event({"event": "skipped", "player": player, "choice": CHOICE_NAMES[step]})


def _turn_ended(t: Telling, player: Player, _: int, turn: int, *__: int) -> AnyEvent:
    t.set(None, "dice")
    t.set(None, "tray")
    for other in range(t.start.num_players):
        t.set(None, "seats", other, "card")
    return t.event({"event": "turn_ended", "player": player, "turn": turn + 1})


# What chance did, or nobody, has no player.
_EVENTS: dict[int, Writer] = {
    SHEETS_DEALT: _sheets_dealt,
    SHAPES_CHOSEN: _shapes_chosen,
    CARDS_LAID: _cards_laid,
    DICE_ROLLED: _dice_rolled,
    REROLLED: _rerolled,
    TRAY_TURNED: _tray_turned,
    AREA_SHADED: _area_shaded,
    GIFT_EARNED: _gift_earned,
    POOL_COMPLETED: _pool("pool_completed"),
    BOAT_LOST: _pool("boat_lost"),
    BONUS_DUE: _bonus_due,
    CARD_BOUGHT: _card_bought,
    LAUNCHED: _launched,
    SKIPPED: _skipped,
    TURN_ENDED: _turn_ended,
    LAST_LAUNCH: lambda t, player, *_: t.event({"event": "last_launch", "player": player}),
    GAME_ENDED: lambda t, *_: t.event({"event": "game_ended"}),
}
