"""Lanterns as a seat sees it, ready for JSON. Everything here is made from the redacted record alone."""

from __future__ import annotations

from typing import get_args

import numpy as np
import numpy.typing as npt

from lampion.core.types import NO_PLAYER, SPECTATOR, Player
from lampion.games.lanterns.components import (
    COLOR_LETTERS,
    MAX_PLAYERS,
    NUM_SIDES,
    NUM_STACKS,
    NUM_TILES,
    SIDE_NAMES,
    STACK_NAMES,
    ColorLetter,
)
from lampion.games.lanterns.state import (
    DEDICATED,
    DISCARDED,
    EXCHANGED,
    FACING_LANTERN,
    MATCH_FAVOR,
    MATCH_LANTERN,
    NO_LANTERN,
    NO_TILE,
    OWN_TILE,
    PASSED,
    TILE_DRAWN,
    TILE_PLACED,
    State,
)
from lampion.games.lanterns.view_types import (
    Cards,
    Event,
    LaidTile,
    LanternEventName,
    PlainEventName,
    Seat,
    Stack,
    StepName,
    Table,
    Tile,
)

STEP_NAMES: tuple[StepName, ...] = get_args(StepName)
_COLORS: tuple[ColorLetter, ...] = get_args(ColorLetter)


def view(seen: State, seat: Player) -> Table:
    return {
        "lake": [_laid_tile(seen, index) for index in range(seen.num_laid)],
        "free_places": [[int(seen.frontier_x[f]), int(seen.frontier_y[f])] for f in range(seen.num_frontier)],
        "supply": _cards(seen.supply),
        "stacks": [_stack(seen, stack) for stack in range(NUM_STACKS)],
        "generic_honor": seen.generic_honor,
        "card_limit": seen.card_limit,
        "exchange_cost": seen.exchange_cost,
        "seats": [_seat(seen, player, seat) for player in range(seen.num_players)],
        "left_to_draw": seen.left_to_draw,
        "not_seen": _not_seen(seen, seat),
        "turn": {
            "active": seen.active,
            "step": STEP_NAMES[seen.step],
            "final_round": _is_final_round(seen),
            "drawer": None if seen.drawer == NO_PLAYER else seen.drawer,
        },
    }


def _cards(counts: npt.NDArray[np.int32]) -> Cards:
    red, orange, green, blue, purple, white, black = counts.tolist()
    return {"R": red, "O": orange, "G": green, "B": blue, "P": purple, "W": white, "K": black}


def _tile(seen: State, tile: int, rotation: int = 0) -> Tile:
    """A tile as it lies; `sides` are clockwise from north."""
    colors = np.roll(seen.tile_sides[tile], rotation)
    sides = "".join(COLOR_LETTERS[color] for color in colors)
    return {"tile": tile, "rotation": rotation, "sides": sides, "platform": bool(seen.tile_platform[tile])}


def _laid_tile(seen: State, index: int) -> LaidTile:
    tile, rotation = divmod(int(seen.laid[index]), NUM_SIDES)
    return {**_tile(seen, tile, rotation), "x": int(seen.laid_x[index]), "y": int(seen.laid_y[index])}


def _stack(seen: State, stack: int) -> Stack:
    left = seen.stack_honor[stack, seen.tokens_taken[stack] : seen.stack_size[stack]]
    return {"kind": STACK_NAMES[stack], "honors": [int(honor) for honor in left]}


def _seat(seen: State, player: Player, seat: Player) -> Seat:
    """A hand is shown to its owner and is a number for everybody else."""
    return {
        "side": SIDE_NAMES[seen.seat_sides[player]],
        "cards": _cards(seen.lanterns[player]),
        "num_cards": int(seen.num_lanterns[player]),
        "favors": int(seen.favors[player]),
        "honor": int(seen.honor[player]),
        "hand_size": int(seen.hand_size[player]),
        "hand": [_tile(seen, tile) for tile in sorted(_hand(seen, player))] if player == seat else None,
    }


def _hand(seen: State, player: Player) -> list[int]:
    return [int(tile) for tile in seen.hand[player] if tile != NO_TILE]


def _not_seen(seen: State, seat: Player) -> list[int]:
    """The tiles that this seat has not seen yet: in other hands, still to be drawn, or out of the game."""
    known = {int(laid) // NUM_SIDES for laid in seen.laid[: seen.num_laid]}
    if seat != SPECTATOR:
        known.update(_hand(seen, seat))
    return [tile for tile in range(NUM_TILES) if tile not in known]


def _is_final_round(seen: State) -> bool:
    return not seen.to_deal and not seen.left_to_draw and not seen.hand_size[:MAX_PLAYERS].any()


# --- events -----------------------------------------------------------------------------------------------------------------------


def events(trail: npt.NDArray[np.int32]) -> list[Event]:
    """What an action did, in order."""
    return [_event(*(int(number) for number in row)) for row in trail]


def _event(kind: int, player: Player, a: int, b: int) -> Event:
    match kind:
        case _ if kind == TILE_PLACED:
            return {"event": "tile_placed", "player": player, "tile": a // NUM_SIDES, "rotation": a % NUM_SIDES, "index": b}
        case _ if kind in _LANTERN_EVENTS:
            return {"event": _LANTERN_EVENTS[kind], "player": player, "color": _COLORS[a], "side": SIDE_NAMES[b]}
        case _ if kind == MATCH_FAVOR:
            return {"event": "match_favor", "player": player, "side": None if a == OWN_TILE else SIDE_NAMES[a]}
        case _ if kind == EXCHANGED:
            return {"event": "exchanged", "player": player, "gave": _COLORS[a], "took": _COLORS[b]}
        case _ if kind == DEDICATED:
            return {"event": "dedicated", "player": player, "stack": STACK_NAMES[a], "honor": b}
        case _ if kind == DISCARDED:
            return {"event": "discarded", "player": player, "color": _COLORS[a]}
        case _:
            return {"event": _PLAIN_EVENTS[kind], "player": player}


_LANTERN_EVENTS: dict[int, LanternEventName] = {
    MATCH_LANTERN: "match_lantern",
    FACING_LANTERN: "facing_lantern",
    NO_LANTERN: "no_lantern",
}
_PLAIN_EVENTS: dict[int, PlainEventName] = {TILE_DRAWN: "tile_drawn", PASSED: "passed"}
