"""The actions of Lanterns Dice and their ids.

A placement is a shape in one of its orientations at one place of the lake. Orientations that look
the same are one placement, and only those within the lake have a number, so there are 976 and the
ids stay few (1,147 for players, 2,495 with chance):

    placements of a shape: by orientation, then by the pool at the lower left of the box around the tile, both ascending

A roll is a number in base 6, the die at place 0 of the tray first.
"""

from itertools import combinations, permutations, product
from typing import NamedTuple, TypeAlias

import numpy as np

from lampion.core.actions import ActionSpace, Block
from lampion.core.compile import rule
from lampion.core.types import Action
from lampion.games.lanterns_dice.components import (
    MAX_PLAYERS,
    MAX_SHAPE_POOLS,
    NUM_CARD_SIDES,
    NUM_CARDS,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_DICE,
    NUM_HALVES,
    NUM_ORIENTATIONS,
    NUM_POOLS,
    NUM_ROWS,
    NUM_SHAPES,
    NUM_SHEETS,
    RANDOM_SIZES,
    SHAPE_NAMES,
    SHAPE_SIZES,
    SIZES,
    TRAY_SEATS,
    Cells,
    Half,
    Orientation,
    Pool,
    Shape,
    cells,
    lowest_orientation,
)
from lampion.games.lanterns_dice.state import pool_set

# --- placements -----------------------------------------------------------------------------------

Placement: TypeAlias = int


class Look(NamedTuple):
    """A shape in an orientation that no lower one looks like."""

    shape: Shape
    orientation: Orientation
    cells: Cells

    def corners(self) -> list[Pool]:
        """Where the lower left of its box may lie."""
        width, height = (1 + max(cell[axis] for cell in self.cells) for axis in range(2))
        return [
            row * NUM_COLUMNS + column for row in range(NUM_ROWS - height + 1) for column in range(NUM_COLUMNS - width + 1)
        ]  # fmt: skip

    def steps(self) -> list[int]:
        """From the corner to each pool under the tile; repeated until there are as
        many as the largest tile has."""
        steps = sorted(NUM_COLUMNS * row + column for column, row in self.cells)
        return (steps * MAX_SHAPE_POOLS)[:MAX_SHAPE_POOLS]


LOOKS = [
    Look(shape, orientation, cells(name, orientation))
    for shape, name in enumerate(SHAPE_NAMES)
    for orientation in range(NUM_ORIENTATIONS)
    if lowest_orientation(name, orientation) == orientation
]
_PLACES = [(look, corner) for look in range(len(LOOKS)) for corner in LOOKS[look].corners()]
NUM_PLACEMENTS = len(_PLACES)

FIRST_LOOK = np.array(
    [sum(look.shape < shape for look in LOOKS) for shape in range(NUM_SHAPES + 1)], np.int32
)
"""The looks of a shape are FIRST_LOOK[shape] ... FIRST_LOOK[shape + 1] - 1."""
LOOK_STEPS = np.array([look.steps() for look in LOOKS], np.int64)
LOOK_CORNERS = np.array([pool_set(look.corners()) for look in LOOKS], np.int64)
"""Sets of pools."""
PLACEMENT_NUMBERS = np.zeros((len(LOOKS), NUM_POOLS), np.int32)
for _number, _place in enumerate(_PLACES):
    PLACEMENT_NUMBERS[_place] = _number

PLACEMENT_SHAPES = np.array([LOOKS[look].shape for look, _ in _PLACES], np.int32)
PLACEMENT_POOLS = np.array(
    [pool_set(corner + step for step in LOOKS[look].steps()) for look, corner in _PLACES], np.int64
)
"""The set of pools under the tile."""


def placement_place(placement: Placement) -> tuple[Shape, Orientation, Pool]:
    """Shape, orientation and corner of a placement."""
    look, corner = _PLACES[placement]
    return LOOKS[look].shape, LOOKS[look].orientation, corner


PLACEMENT_OF = {placement_place(placement): placement for placement in range(NUM_PLACEMENTS)}

# --- what chance deals ----------------------------------------------------------------------------


def _deals_of_sheets(players: int) -> list[tuple[int, ...]]:
    """D1: everybody a different sheet, player 0 the earliest of them."""
    return [deal for deal in permutations(range(NUM_SHEETS), players) if deal[0] == min(deal)]


def _choices_of_shapes() -> list[tuple[Shape, ...]]:
    """D2: 1 small, 2 medium, 1 large, ascending."""
    of_size = [
        [shape for shape in range(NUM_SHAPES) if SHAPE_SIZES[shape] == size] for size in SIZES
    ]
    per_size = [
        combinations(shapes, RANDOM_SIZES[size])
        for shapes, size in zip(of_size, SIZES, strict=True)
    ]
    return [tuple(shape for part in parts for shape in part) for parts in product(*per_size)]


_DEALS = {players: _deals_of_sheets(players) for players in TRAY_SEATS}
SHEET_DEALS = np.array(
    [[*deal, *[0] * (MAX_PLAYERS - len(deal))] for deals in _DEALS.values() for deal in deals],
    np.int32,
)
FIRST_DEAL = np.array(
    [
        sum(len(deals) for fewer, deals in _DEALS.items() if fewer < players)
        for players in range(MAX_PLAYERS + 2)
    ],
    np.int32,
)
"""The deals for a number of players are FIRST_DEAL[players] ... FIRST_DEAL[players + 1] - 1."""
SHAPE_CHOICES = np.array(_choices_of_shapes(), np.int32)
SIDE_CHOICES = np.array(list(product(range(NUM_CARD_SIDES), repeat=NUM_CARDS)), np.int32)
NUM_ROLLS = NUM_COLORS**NUM_DICE

# --- ids ------------------------------------------------------------------------------------------

ACTIONS = ActionSpace(
    Block("skip", rule="D14"),
    Block("reroll", rule="D6"),
    Block("tray", NUM_DICE, rule="D6"),  # quarter turns
    Block("shade", NUM_HALVES, NUM_POOLS, rule="D7"),
    Block("shade_pool", NUM_POOLS, rule="D9"),  # both areas at once
    Block("card", NUM_CARDS, rule="D9"),
    Block("launch", NUM_PLACEMENTS, rule="D15"),
    Block("sheets", len(SHEET_DEALS), rule="D1", by_chance=True),
    Block("fireworks", len(SHAPE_CHOICES), rule="D2", by_chance=True),
    Block("emperor", len(SIDE_CHOICES), rule="D2", by_chance=True),
    Block("roll", NUM_ROLLS, rule="D5", by_chance=True),
)

SKIP: Action = ACTIONS["skip"].start
REROLL: Action = ACTIONS["reroll"].start
TRAY: Action = ACTIONS["tray"].start
SHADE: Action = ACTIONS["shade"].start
SHADE_POOL: Action = ACTIONS["shade_pool"].start
CARD: Action = ACTIONS["card"].start
LAUNCH: Action = ACTIONS["launch"].start
DEAL_SHEETS: Action = ACTIONS["sheets"].start
CHOOSE_SHAPES: Action = ACTIONS["fireworks"].start
LAY_CARDS: Action = ACTIONS["emperor"].start
ROLL_DICE: Action = ACTIONS["roll"].start

# --- areas ----------------------------------------------------------------------------------------

Area: TypeAlias = int
"""An area of a lake as one number, in the ids of shadings and in the trail."""


@rule(inline=True)
def area_of(half: Half, pool: Pool) -> Area:
    return half * NUM_POOLS + pool


@rule(inline=True)
def half_of(area: Area) -> Half:
    return area // NUM_POOLS


@rule(inline=True)
def pool_of(area: Area) -> Pool:
    return area % NUM_POOLS
