"""What happens in Lanterns, told to a seat: the trail that the rules wrote, with what it changes in
the view."""

from __future__ import annotations

from typing import get_args

import numpy as np
import numpy.typing as npt

from lampion.core.events import AnyEvent, Telling, Writer, move
from lampion.core.types import Player
from lampion.games.lanterns.actions import DRAW
from lampion.games.lanterns.components import SIDE_NAMES, STACK_NAMES, ColorLetter
from lampion.games.lanterns.rules_lake import laid_tile, tile_of, turn_of
from lampion.games.lanterns.state import (
    DEALT,
    DEDICATE_GIVE,
    DEDICATED,
    DISCARDED,
    DRAWN,
    EXCHANGE_COST,
    EXCHANGE_GIVE,
    EXCHANGE_TAKE,
    FACING,
    FINAL_ROUND,
    MATCHED,
    OWN_TILE,
    PASSED,
    PLACED,
    PLATFORM,
)
from lampion.games.lanterns.view import turned_tiles

_COLORS: tuple[ColorLetter, ...] = get_args(ColorLetter)


def events(trail: npt.NDArray[np.int32], telling: Telling) -> list[AnyEvent]:
    """What an action did, in order."""
    return [_EVENTS[cause](telling, *row) for cause, *row in trail.tolist()]


# --- cards and favors ---------------------------------------------------------------------------


def _lanterns_come(telling: Telling, player: Player, color: str, count: int) -> None:
    """From the supply to a player; below 0 the other way."""
    telling.add(-count, "supply", color)
    telling.add(count, "seats", player, "cards", color)
    telling.add(count, "seats", player, "num_cards")


def _gained(cause: str) -> Writer:
    def write(t: Telling, player: Player, color: int, side: int, _: int, count: int) -> AnyEvent:
        letter = _COLORS[color]
        _lanterns_come(t, player, letter, count)
        told = move(cause, player, f"lantern:{letter}", "supply", f"seat:{player}", count)
        reason = {} if count else {"reason": "pile-is-empty"}
        return t.event({**told, "color": letter, "side": SIDE_NAMES[side], **reason})

    return write


def _platform(t: Telling, player: Player, _: int, side: int, __: int, count: int) -> AnyEvent:
    t.add(count, "seats", player, "favors")
    told = move("platform", player, "favor", "bank", f"seat:{player}", count)
    return t.event({**told, "side": None if side == OWN_TILE else SIDE_NAMES[side]})


def _paid(t: Telling, player: Player, _: int, __: int, ___: int, count: int) -> AnyEvent:
    t.add(-count, "seats", player, "favors")
    return t.event(move("exchange_cost", player, "favor", f"seat:{player}", "bank", count))


def _taken(t: Telling, player: Player, color: int, _: int, __: int, count: int) -> AnyEvent:
    letter = _COLORS[color]
    _lanterns_come(t, player, letter, count)
    told = move("exchange_take", player, f"lantern:{letter}", "supply", f"seat:{player}", count)
    return t.event({**told, "color": letter})


def _given(cause: str) -> Writer:
    def write(t: Telling, player: Player, color: int, stack: int, _: int, count: int) -> AnyEvent:
        letter = _COLORS[color]
        _lanterns_come(t, player, letter, -count)
        told = move(cause, player, f"lantern:{letter}", f"seat:{player}", "supply", count)
        which = {"stack": STACK_NAMES[stack]} if cause == "dedicate_give" else {}
        return t.event({**told, "color": letter, **which})

    return write


def _dedicated(
    t: Telling, player: Player, is_token: int, stack: int, _: int, honor: int
) -> AnyEvent:
    if is_token:
        t.remove(0, "stacks", stack, "honors")
    t.add(honor, "seats", player, "honor")
    name = STACK_NAMES[stack]
    told = move("dedicate", player, "honor", f"stack:{name}", f"seat:{player}", honor)
    return t.event({**told, "stack": name, "token": bool(is_token)})


# --- tiles --------------------------------------------------------------------------------------


def _placed(t: Telling, player: Player, laid: int, x: int, y: int, count: int) -> AnyEvent:
    tile = tile_of(laid)
    t.take("tile", tile, "seats", player, "hand")
    t.add(-count, "seats", player, "hand_size")
    t.append({**t.from_pieces(turned_tiles)[laid], "x": x, "y": y}, "lake")
    told = move("place", player, f"tile:{tile}", f"seat:{player}", "lake", count)
    return t.event({**told, "tile": tile, "rotation": turn_of(laid), "x": x, "y": y})


def _drawn(cause: str, origin: str) -> Writer:
    def write(t: Telling, player: Player, _: int, __: int, ___: int, count: int) -> AnyEvent:
        if cause == "draw":
            t.add(-count, "left_to_draw")
        t.add(count, "seats", player, "hand_size")
        if t.action is None:
            return t.event(move(cause, player, "tile", origin, f"seat:{player}", count))
        tile = t.action - DRAW
        t.put({**t.from_pieces(turned_tiles)[laid_tile(tile, 0)]}, "tile", "seats", player, "hand")
        told = move(cause, player, f"tile:{tile}", origin, f"seat:{player}", count)
        return t.event({**told, "tile": tile})

    return write


def _plain(name: str) -> Writer:
    return lambda t, player, *_: t.event({"event": name, "player": player})


_EVENTS: dict[int, Writer] = {
    PLACED: _placed,
    MATCHED: _gained("match"),
    PLATFORM: _platform,
    FACING: _gained("facing"),
    EXCHANGE_COST: _paid,
    EXCHANGE_GIVE: _given("exchange_give"),
    EXCHANGE_TAKE: _taken,
    DEDICATE_GIVE: _given("dedicate_give"),
    DEDICATED: _dedicated,
    DISCARDED: _given("discard"),
    DEALT: _drawn("deal", "box"),
    DRAWN: _drawn("draw", "draw_stack"),
    FINAL_ROUND: _plain("final_round"),
    PASSED: _plain("pass"),
}
