"""Lanterns as a seat sees it, ready for JSON. Everything here is made from
the redacted record alone.

Arrays become lists in one step, because to read them element by element from Python costs
far more than all the rest.
"""

from __future__ import annotations

import functools
from typing import get_args

from lampion.core.record import HIDDEN
from lampion.core.types import NO_PLAYER, SPECTATOR, Player
from lampion.games.lanterns.components import (
    COLOR_LETTERS,
    NUM_SIDES,
    NUM_TILES,
    SETS,
    SIDE_NAMES,
    STACK_NAMES,
    sides_text,
)
from lampion.games.lanterns.rules_cards import stack_pays
from lampion.games.lanterns.rules_lake import laid_tile, tile_of
from lampion.games.lanterns.rules_reasons import (
    ALLOWED,
    is_final_round,
    is_over_limit,
    why_not_discard,
    why_not_pass,
)
from lampion.games.lanterns.state import NO_TILE, State
from lampion.games.lanterns.view_types import (
    Cards,
    GameView,
    LaidTile,
    Place,
    Seat,
    Stack,
    StepName,
    Tile,
    TurnStepName,
)

STEP_NAMES: tuple[StepName, ...] = get_args(StepName)
_ALL_TILES = frozenset(range(NUM_TILES))


def view(seen: State, seat: Player) -> GameView:
    public = _public_view(seen.unpacked())
    return public if seat == SPECTATOR else own_view(public, seen, seat)


def _public_view(seen: State) -> GameView:
    laid = seen.laid[: seen.num_laid].tolist()
    hands = _shown_hands(seen)
    known = set(map(tile_of, laid)).union(*hands.values())
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
            "steps": _steps(seen),
            "final_round": bool(is_final_round(seen)),
            "drawer": None if seen.drawer == NO_PLAYER else seen.drawer,
        },
    }


def _steps(seen: State) -> list[TurnStepName]:
    """Cards are discarded only when the limit asks for it; the last step is to place or, in the
    end, to pass."""
    must_discard = why_not_discard(seen, seen.active) == ALLOWED
    last: TurnStepName = "pass" if why_not_pass(seen) == ALLOWED else "place"
    return ["exchange", "dedicate", *(("discard",) if must_discard else ()), last]


def own_view(public: GameView, seen: State, seat: Player) -> GameView:
    """What a spectator sees, and the hand of that seat."""
    hand = sorted(tile for tile in seen.hand[seat].tolist() if tile != NO_TILE)
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
    tiles = turned_tiles(seen)
    return [tiles[laid_tile(tile, 0)] for tile in hand]


def _cards(counts: list[int]) -> Cards:
    red, orange, green, blue, purple, white, black = counts
    return {"R": red, "O": orange, "G": green, "B": blue, "P": purple, "W": white, "K": black}


def turned_tiles(seen: State) -> list[Tile]:
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
    """In the order of laying. A tile that lies there is the same object in all views: they are
    compared after every move."""
    known, count = _laid_of(seen.tile_sides.tobytes(), seen.tile_platform.tobytes()), len(laid)
    places = zip(laid, seen.laid_x[:count].tolist(), seen.laid_y[:count].tolist(), strict=True)
    found = []
    for place in places:
        tile = known.get(place)
        if tile is None:
            if len(known) > MOST_KNOWN:
                known.clear()
            tile = known[place] = _laid(turned_tiles(seen), *place)
        found.append(tile)
    return found


def _laid(tiles: list[Tile], tile: int, x: int, y: int) -> LaidTile:
    return {**tiles[tile], "x": x, "y": y}


MOST_KNOWN = 20_000


@functools.lru_cache(maxsize=64)
def _laid_of(colors: bytes, platforms: bytes) -> dict[tuple[int, int, int], LaidTile]:
    """Tiles of one set of pieces that have been laid somewhere, by 4 * tile + turn, x and y."""
    return {}


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
    return [
        {
            "kind": name,
            "honors": honors[taken:size],
            "pays": int(stack_pays(seen, stack)),
            "set": [*SETS[stack]],
        }
        for stack, (name, honors, taken, size) in enumerate(stacks)
    ]


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
            "over_limit": bool(is_over_limit(seen, player)),
            "favors": favors[player],
            "honor": honor[player],
            "hand_size": hand_sizes[player],
            "hand": _hand(seen, hands[player]) if player in hands else None,
        }
        for player in range(seen.num_players)
    ]
