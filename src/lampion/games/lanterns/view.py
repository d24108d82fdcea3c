"""Lanterns as a seat sees it, ready for JSON. Everything here is made from the redacted record alone.

Arrays become lists in one step, because to read them element by element from Python costs far more than all the rest.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from lampion.core.record import HIDDEN
from lampion.core.types import NO_PLAYER, SPECTATOR, Player
from lampion.games.lanterns.components import (
    COLOR_LETTERS,
    NUM_SIDES,
    NUM_TILES,
    SIDE_NAMES,
    STACK_NAMES,
    ColorLetter,
    sides_text,
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
    Place,
    Seat,
    Stack,
    StepName,
    Table,
    Tile,
)

STEP_NAMES: tuple[StepName, ...] = get_args(StepName)
EventWriter: TypeAlias = Callable[[Player, int, int], Event]
_COLORS: tuple[ColorLetter, ...] = get_args(ColorLetter)
_ALL_TILES = frozenset(range(NUM_TILES))


def view(seen: State, seat: Player) -> Table:
    public = _public_view(seen.unpacked())
    return public if seat == SPECTATOR else own_view(public, seen, seat)


def _public_view(seen: State) -> Table:
    laid = seen.laid[: seen.num_laid].tolist()
    hands = _shown_hands(seen)
    known = {tile // NUM_SIDES for tile in laid}.union(*hands.values())
    return {
        "lake": _lake(seen, laid),
        "free_places": _free_places(seen),
        "supply": _cards(seen.supply.tolist()),
        "stacks": _stacks(seen),
        "generic_honor": seen.generic_honor,
        "card_limit": seen.card_limit,
        "exchange_cost": seen.exchange_cost,
        "seats": _seats(seen, hands),
        "left_to_draw": seen.left_to_draw,
        "not_seen": sorted(_ALL_TILES - known),
        "turn": {
            "active": seen.active,
            "step": STEP_NAMES[seen.step],
            "final_round": not seen.to_deal
            and not seen.left_to_draw
            and not any(seen.hand_size.tolist()),
            "drawer": None if seen.drawer == NO_PLAYER else seen.drawer,
        },
    }


def own_view(public: Table, seen: State, seat: Player) -> Table:
    """What a spectator sees, and the hand of that seat."""
    hand = _shown_hands(seen)[seat]
    seats = [*public["seats"]]
    seats[seat] = {**seats[seat], "hand": _hand(seen, hand)}
    return {
        **public,
        "seats": seats,
        "not_seen": [tile for tile in public["not_seen"] if tile not in hand],
    }


def _shown_hands(seen: State) -> dict[Player, list[int]]:
    """The tiles of each hand that can be seen in this record, by player."""
    hands = enumerate(seen.hand.tolist())
    return {
        player: sorted(tile for tile in hand if tile != NO_TILE)
        for player, hand in hands
        if HIDDEN not in hand
    }


def _hand(seen: State, hand: list[int]) -> list[Tile]:
    tiles = _tiles(seen)
    return [tiles[NUM_SIDES * tile].copy() for tile in hand]


def _cards(counts: list[int]) -> Cards:
    red, orange, green, blue, purple, white, black = counts
    return {"R": red, "O": orange, "G": green, "B": blue, "P": purple, "W": white, "K": black}


def _tiles(seen: State) -> list[Tile]:
    """All tiles in their four rotations, by 4 * tile + turn."""
    return _tiles_of(seen.tile_sides.tobytes(), seen.tile_platform.tobytes())


@functools.lru_cache(maxsize=64)
def _tiles_of(colors: bytes, platforms: bytes) -> list[Tile]:
    """They never change in a match, and few sets of pieces are ever in use."""
    sides = [
        "".join(COLOR_LETTERS[color] for color in colors[k : k + NUM_SIDES])
        for k in range(0, len(colors), NUM_SIDES)
    ]
    return [
        {
            "tile": tile,
            "rotation": rotation,
            "sides": sides_text(sides[tile], rotation),
            "platform": bool(platforms[tile]),
        }
        for tile in range(NUM_TILES)
        for rotation in range(NUM_SIDES)
    ]


def _lake(seen: State, laid: list[int]) -> list[LaidTile]:
    """In the order of laying."""
    tiles, count = _tiles(seen), len(laid)
    places = zip(laid, seen.laid_x[:count].tolist(), seen.laid_y[:count].tolist(), strict=True)
    return [{**tiles[tile], "x": x, "y": y} for tile, x, y in places]


def _free_places(seen: State) -> list[Place]:
    count = seen.num_frontier
    return [
        [x, y]
        for x, y in zip(
            seen.frontier_x[:count].tolist(), seen.frontier_y[:count].tolist(), strict=True
        )
    ]


def _stacks(seen: State) -> list[Stack]:
    """Tokens are taken from the top."""
    stacks = zip(
        STACK_NAMES,
        seen.stack_honor.tolist(),
        seen.tokens_taken.tolist(),
        seen.stack_size.tolist(),
        strict=True,
    )
    return [{"kind": name, "honors": honors[taken:size]} for name, honors, taken, size in stacks]


def _seats(seen: State, hands: dict[Player, list[int]]) -> list[Seat]:
    sides, cards, num_cards = (
        seen.seat_sides.tolist(),
        seen.lanterns.tolist(),
        seen.num_lanterns.tolist(),
    )
    favors, honor, hand_sizes = seen.favors.tolist(), seen.honor.tolist(), seen.hand_size.tolist()
    return [
        {
            "side": SIDE_NAMES[sides[player]],
            "cards": _cards(cards[player]),
            "num_cards": num_cards[player],
            "favors": favors[player],
            "honor": honor[player],
            "hand_size": hand_sizes[player],
            "hand": _hand(seen, hands[player]) if player in hands else None,
        }
        for player in range(seen.num_players)
    ]


# --- events -----------------------------------------------------------------------------------------------------------------------


def events(trail: npt.NDArray[np.int32]) -> list[Event]:
    """What an action did, in order."""
    return [_EVENTS[kind](player, a, b) for kind, player, a, b in trail.tolist()]


def _tile_placed(player: Player, laid: int, index: int) -> Event:
    tile, rotation = divmod(laid, NUM_SIDES)
    return {
        "event": "tile_placed",
        "player": player,
        "tile": tile,
        "rotation": rotation,
        "index": index,
    }


def _favor_gained(player: Player, side: int, _: int) -> Event:
    return {
        "event": "match_favor",
        "player": player,
        "side": None if side == OWN_TILE else SIDE_NAMES[side],
    }


def _lantern_event(name: LanternEventName) -> EventWriter:
    return lambda player, color, side: {
        "event": name,
        "player": player,
        "color": _COLORS[color],
        "side": SIDE_NAMES[side],
    }


_EVENTS: dict[int, EventWriter] = {
    TILE_PLACED: _tile_placed,
    MATCH_LANTERN: _lantern_event("match_lantern"),
    MATCH_FAVOR: _favor_gained,
    FACING_LANTERN: _lantern_event("facing_lantern"),
    NO_LANTERN: _lantern_event("no_lantern"),
    EXCHANGED: lambda player, gave, took: {
        "event": "exchanged",
        "player": player,
        "gave": _COLORS[gave],
        "took": _COLORS[took],
    },
    DEDICATED: lambda player, stack, honor: {
        "event": "dedicated",
        "player": player,
        "stack": STACK_NAMES[stack],
        "honor": honor,
    },
    DISCARDED: lambda player, color, _: {
        "event": "discarded",
        "player": player,
        "color": _COLORS[color],
    },
    TILE_DRAWN: lambda player, _, __: {"event": "tile_drawn", "player": player},
    PASSED: lambda player, _, __: {"event": "passed", "player": player},
}
