"""The state of Lanterns Dice: one record.

A lake is kept as sets of pools, and a set of pools is one number: bit p stands for pool p (a1 is
bit 0, i6 is bit 53, and bit 63, the sign, is never used). Everything the rules ask is then a few
operations on whole sets:

    shaded[player, UPPER]                              pools whose upper area is shaded
    shaded[player, UPPER] & shaded[player, LOWER]      completed pools
    pools << 9                                         the pools above them
    pools & -pools                                     the lowest pool, as a set

Steps. Each player walks through the steps of a turn alone, so everybody may act at the same time
(D11); a platform's bonus comes before the step that the player has reached (D12):

    TRAY_STEP -> DIE_STEP -> TURN_BONUS_STEP -> CARD_STEP -> [CARD_AREA_STEP -> [SECOND_AREA_STEP]] -> LAUNCH_STEP -> DONE
    active       everybody   active             everybody     if bought          if two_same            active
"""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np

from lampion.core.bits import by_remainder
from lampion.core.record import ALL, Record, array, scalar
from lampion.core.trail import trail, trail_length
from lampion.core.types import IntArray, Player
from lampion.games.lanterns_dice.components import (
    MAX_PLAYERS,
    MAX_STACK,
    MAX_TURNS,
    NUM_CARD_SIDES,
    NUM_CARDS,
    NUM_COLORS,
    NUM_COLUMNS,
    NUM_DICE,
    NUM_HALVES,
    NUM_POOLS,
    NUM_ROWS,
    NUM_SHAPES,
    NUM_SHEETS,
    SHAPES_IN_PLAY,
    Card,
    Color,
    Pool,
    Shape,
)

# --- sets of pools --------------------------------------------------------------------------------

PoolSet: TypeAlias = int


def pool_set(pools: Iterable[Pool]) -> PoolSet:
    return sum(1 << pool for pool in set(pools))


def pools_in(pools: PoolSet) -> list[Pool]:
    """The pools of a set, ascending."""
    bits = int(pools)
    return [pool for pool in range(NUM_POOLS) if bits >> pool & 1]


def neighbors(pool: Pool) -> list[Pool]:
    """The pools that share a side with a pool."""
    row, column = divmod(pool, NUM_COLUMNS)
    around = ((row + 1, column), (row, column + 1), (row - 1, column), (row, column - 1))
    return [NUM_COLUMNS * y + x for y, x in around if 0 <= y < NUM_ROWS and 0 <= x < NUM_COLUMNS]


ALL_POOLS: PoolSet = pool_set(range(NUM_POOLS))
FIRST_COLUMN: PoolSet = pool_set(range(0, NUM_POOLS, NUM_COLUMNS))
LAST_COLUMN: PoolSet = FIRST_COLUMN << NUM_COLUMNS - 1
POOL_BIT = np.array([1 << pool for pool in range(NUM_POOLS)], np.int64)
NEIGHBORS = np.array([pool_set(neighbors(pool)) for pool in range(NUM_POOLS)], np.int64)

POOL_OF_REMAINDER = by_remainder(range(NUM_POOLS))
"""See `core.bits`."""

# --- names for numbers ----------------------------------------------------------------------------

NO_POOL: Pool = -1
NO_COLOR: Color = -1
NO_SHAPE: Shape = -1
NO_CARD: Card = -1
NO_CARD_SIDE = -1
NOT_TURNED = -1

MAX_LAUNCHES = MAX_TURNS + 1
"""D10, D16: one a turn, and the last one."""

# What chance owes.
NOTHING, SHEETS, FIREWORKS, EMPEROR, ROLL = range(5)

# The step that a player has reached.
(
    TRAY_STEP,
    DIE_STEP,
    TURN_BONUS_STEP,
    CARD_STEP,
    CARD_AREA_STEP,
    SECOND_AREA_STEP,
    LAUNCH_STEP,
    DONE,
) = range(8)

# fmt: off
# What the trail tells (see core.trail):
#                      player            what                    x                       y       count
SHEETS_DEALT = 0  #    CHANCE            deal, as in actions
SHAPES_CHOSEN = 1  #   CHANCE            choice, as in actions
CARDS_LAID = 2  #      CHANCE            choice, as in actions
DICE_ROLLED = 3  #     CHANCE            roll, as in actions
REROLLED = 4  #        who pays                                                          gifts paid
TRAY_TURNED = 5  #     the active one                            quarter turns
AREA_SHADED = 6  #     who               color                   area                    step or PLATFORM_BONUS   1
GIFT_EARNED = 7  #     who               gifts now               pool with the pavilion          1
POOL_COMPLETED = 8  #  who                                       pool
BOAT_LOST = 9  #       who                                       pool
BONUS_DUE = 10  #      who                                       pool with the platform          1, or 0 without an area for it
CARD_BOUGHT = 11  #    who               card                                                    gifts paid
LAUNCHED = 12  #       who               placement                                               honor
SKIPPED = 13  #        who                                       step or PLATFORM_BONUS
TURN_ENDED = 14  #     the active one                            turn, from 0
LAST_LAUNCH = 15  #    whose chance
GAME_ENDED = 16  #     CHANCE
# fmt: on
PLATFORM_BONUS = DONE
"""In the trail, where a step says why: no step, but what a platform gives (D12)."""
MAX_EVENTS = 12
"""Shading a whole pool notes at most seven, and the end of a turn two more."""


class State(Record):
    # The pieces of this match, copied from the components; they never change. Sets of pools by
    # Sheet.
    # Where each Color is.
    color_areas: IntArray = array(NUM_SHEETS, NUM_COLORS, NUM_HALVES, seen_by=ALL, dtype="i8")
    pavilions: IntArray = array(NUM_SHEETS, NUM_HALVES, seen_by=ALL, dtype="i8")
    platforms: IntArray = array(NUM_SHEETS, seen_by=ALL, dtype="i8")
    boats: IntArray = array(NUM_SHEETS, seen_by=ALL, dtype="i8")
    # Color, by Sheet, turn.
    turn_bonuses: IntArray = array(NUM_SHEETS, MAX_TURNS, seen_by=ALL, dtype="i1")
    # By Shape, from the top.
    tile_honor: IntArray = array(NUM_SHAPES, MAX_STACK, seen_by=ALL, dtype="i1")
    stack_size: IntArray = array(NUM_SHAPES, seen_by=ALL)
    # CardAction, by Card, side.
    card_actions: IntArray = array(NUM_CARDS, NUM_CARD_SIDES, seen_by=ALL)
    card_costs: IntArray = array(NUM_CARDS, seen_by=ALL)
    tray_seats: IntArray = array(MAX_PLAYERS, seen_by=ALL)
    num_players: int = scalar(seen_by=ALL)
    num_turns: int = scalar(seen_by=ALL)  # of each player
    reroll_cost: int = scalar(seen_by=ALL)

    # The table.
    # Sheet, by Player; all A until they are dealt.
    sheets: IntArray = array(MAX_PLAYERS, seen_by=ALL)
    # The Shapes in play, ascending, or NO_SHAPE.
    shapes: IntArray = array(SHAPES_IN_PLAY, seen_by=ALL)
    tiles_taken: IntArray = array(NUM_SHAPES, seen_by=ALL)
    card_sides: IntArray = array(NUM_CARDS, seen_by=ALL)  # the side that lies up, or NO_CARD_SIDE
    dice: IntArray = array(NUM_DICE, seen_by=ALL)  # Color or NO_COLOR, in tray order
    tray: int = scalar(seen_by=ALL)  # quarter turns, or NOT_TURNED

    # The sheets of the players.
    shaded: IntArray = array(MAX_PLAYERS, NUM_HALVES, seen_by=ALL, dtype="i8")  # sets of pools
    covered: IntArray = array(MAX_PLAYERS, seen_by=ALL, dtype="i8")  # set of pools under tiles
    gifts: IntArray = array(MAX_PLAYERS, seen_by=ALL)
    # Placements of tiles, in order.
    launched: IntArray = array(MAX_PLAYERS, MAX_LAUNCHES, seen_by=ALL)
    launched_honor: IntArray = array(MAX_PLAYERS, MAX_LAUNCHES, seen_by=ALL)
    num_launched: IntArray = array(MAX_PLAYERS, seen_by=ALL)
    honor: IntArray = array(MAX_PLAYERS, seen_by=ALL)  # of their tiles

    # The turn.
    chance_owes: int = scalar(seen_by=ALL)
    turn: int = scalar(seen_by=ALL)  # how many full turns everybody has taken
    active: Player = scalar(seen_by=ALL)
    step: IntArray = array(MAX_PLAYERS, seen_by=ALL)
    # Platform whose bonus is due, or NO_POOL.
    bonus_pool: IntArray = array(MAX_PLAYERS, seen_by=ALL)
    bought: IntArray = array(MAX_PLAYERS, seen_by=ALL)  # Card of this turn, or NO_CARD
    # Of the second area of two_same, or NO_COLOR.
    second_color: IntArray = array(MAX_PLAYERS, seen_by=ALL)
    is_over: int = scalar(seen_by=ALL)

    events: IntArray = trail(MAX_EVENTS)
    num_events: int = trail_length()
