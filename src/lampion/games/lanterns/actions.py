"""The actions of Lanterns and their ids.

A placement is named by its place in the frontier, the slot of the hand and the rotation, so ids
stay few (952 in all) and the list is written by arithmetic alone. Ids have a meaning only together
with a state; the text of an action names tile and cell.
"""

from itertools import combinations

import numpy as np

from lampion.core.actions import ActionSpace, Block
from lampion.core.compile import rule
from lampion.core.types import Action
from lampion.games.lanterns.components import (
    COLOR_LETTERS,
    FOUR_OF_A_KIND,
    HAND_SIZE,
    NUM_COLORS,
    NUM_SIDES,
    NUM_TILES,
    SEVEN_UNIQUE,
    THREE_PAIRS,
    Color,
    Rotation,
    Stack,
    Tile,
)
from lampion.games.lanterns.state import MAX_FRONTIER

TRIPLES = np.array(list(combinations(range(NUM_COLORS), 3)), np.int32)
"""The sets of three colors for three pairs, in order."""
TRIPLE_NUMBERS = np.zeros((NUM_COLORS, NUM_COLORS, NUM_COLORS), np.int32)
TRIPLE_NUMBERS[tuple(TRIPLES.T)] = np.arange(len(TRIPLES))

ACTIONS = ActionSpace(
    Block("pass", rule="L14"),
    Block("exchange", NUM_COLORS, NUM_COLORS, rule="L6"),  # give, take
    Block("dedicate_four", NUM_COLORS, rule="L7"),
    Block("dedicate_pairs", len(TRIPLES), rule="L7"),
    Block("dedicate_seven", rule="L7"),
    Block("discard", NUM_COLORS, rule="L8"),
    Block("place", MAX_FRONTIER, HAND_SIZE, NUM_SIDES, rule="L9"),  # frontier place, slot, rotation
    Block("draw", NUM_TILES, rule="L13", secret=True, by_chance=True),
)

PASS: Action = ACTIONS["pass"].start
EXCHANGE: Action = ACTIONS["exchange"].start
DEDICATE_FOUR: Action = ACTIONS["dedicate_four"].start
DEDICATE_PAIRS: Action = ACTIONS["dedicate_pairs"].start
DEDICATE_SEVEN: Action = ACTIONS["dedicate_seven"].start
DISCARD: Action = ACTIONS["discard"].start
PLACE: Action = ACTIONS["place"].start
DRAW: Action = ACTIONS["draw"].start
PLACES_PER_CELL = HAND_SIZE * NUM_SIDES


@rule(inline=True)
def exchange_action(give: Color, take: Color) -> Action:
    return EXCHANGE + give * NUM_COLORS + take


@rule(inline=True)
def given_color(exchange: Action) -> Color:
    return (exchange - EXCHANGE) // NUM_COLORS


@rule(inline=True)
def taken_color(exchange: Action) -> Color:
    return (exchange - EXCHANGE) % NUM_COLORS


@rule(inline=True)
def dedicated_stack(dedicate: Action) -> Stack:
    if dedicate < DEDICATE_PAIRS:
        return FOUR_OF_A_KIND
    return THREE_PAIRS if dedicate < DEDICATE_SEVEN else SEVEN_UNIQUE


@rule(inline=True)
def place_action(frontier_place: int, slot: int, rotation: Rotation) -> Action:
    return PLACE + frontier_place * PLACES_PER_CELL + slot * NUM_SIDES + rotation


@rule(inline=True)
def placed_on(place: Action) -> int:
    """The place in the frontier."""
    return (place - PLACE) // PLACES_PER_CELL


@rule(inline=True)
def placed_slot(place: Action) -> int:
    return (place - PLACE) // NUM_SIDES % HAND_SIZE


@rule(inline=True)
def placed_rotation(place: Action) -> Rotation:
    return (place - PLACE) % NUM_SIDES


@rule(inline=True)
def draw_action(tile: Tile) -> Action:
    return DRAW + tile


def triple_letters(triple: int) -> str:
    return "".join(COLOR_LETTERS[color] for color in TRIPLES[triple])
