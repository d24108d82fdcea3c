"""The state of Lanterns: one record.

The lake (L9) is unbounded in the rules. At most 33 tiles lie in one connected group, so it is kept
on a helix of 1024 cells, where a step east is +1 and a step north is +90, modulo 1024: two places
get the same cell only if they are at least 45 steps apart, and no two tiles or free places of one
lake ever are (ADR 0003; a test tries all).

    lake[cell] =  0                    open water, not touching any tile
                  1 + 4 * tile + turn  a tile, turned clockwise by `turn` quarters
                 -1 - f                a free place: the place number f in `frontier`, where a tile may be laid

Coordinates cannot be read off a cell, so the frontier and the list of laid tiles carry theirs.
"""

from lampion.core.record import ALL, NOBODY, OWNER, Record, array, scalar
from lampion.core.trail import trail, trail_length
from lampion.core.types import IntArray, Player
from lampion.games.lanterns.components import (
    HAND_SIZE,
    MAX_PLAYERS,
    MAX_STACK,
    MAX_TILES_IN_PLAY,
    NUM_COLORS,
    NUM_SIDES,
    NUM_STACKS,
    NUM_TILES,
    Tile,
)

LAKE_CELLS = 1024
CELL_MASK = LAKE_CELLS - 1
NORTHWARD = 90
START_CELL = 0
OPEN_WATER = 0

MAX_LAKE_TILES = MAX_TILES_IN_PLAY + 1
MAX_FRONTIER = 2 * MAX_LAKE_TILES + 2
"""n connected squares have at most 2n + 2 neighbors, and a row of them has."""

NO_TILE: Tile = -1

# The step of a turn: what may still be done in it. A step is skipped by taking a later one.
EXCHANGE_STEP, DEDICATE_STEP, PLACE_STEP = range(3)

# fmt: off
# What the trail tells (see core.trail), and from where to where things go:
#                      player            what             x, y                    count
PLACED = 0  #          who laid it       4 * tile + turn  where it lies           1          hand -> lake
MATCHED = 1  #         the active one    color            side of the laid tile   1 or 0     supply -> player
PLATFORM = 2  #        the active one    0                side, or OWN_TILE       1          bank -> player: a favor
FACING = 3  #          each in turn      color            side of the laid tile   1 or 0     supply -> player
EXCHANGE_COST = 4  #   who               0                0                       favors     player -> bank
EXCHANGE_GIVE = 5  #   who               color            0                       1          player -> supply
EXCHANGE_TAKE = 6  #   who               color            0                       1          supply -> player
DEDICATE_GIVE = 7  #   who               color            stack                   cards      player -> supply
DEDICATED = 8  #       who               0 if it is empty stack                   honor      stack -> player
DISCARDED = 9  #       who               color            0                       1          player -> supply
DEALT = 10  #          who               0                0                       1          out of the game's box -> hand
DRAWN = 11  #          who               0                0                       1          draw stack -> hand
FINAL_ROUND = 12  #    whose turn it is  0                0                       0          all tiles are placed
PASSED = 13  #         who               0                0                       0
# fmt: on
# Which tile is dealt or drawn is a secret. A count of 0 means that the pile is empty (L12).
OWN_TILE = 4
"""As a side, where the platform of the laid tile itself gives the favor."""
MAX_EVENTS = 16
"""Of placing a tile there are at most 15: the tile, a card and a favor on each of four sides, a
favor for its own platform, a card for each of four players, and the final round."""


class State(Record):
    # The pieces of this match, copied from the components; they never change.
    # Color, by Tile, Side at r0.
    tile_sides: IntArray = array(NUM_TILES, NUM_SIDES, seen_by=ALL, dtype="i1")
    tile_platform: IntArray = array(NUM_TILES, seen_by=ALL, dtype="i1")
    # How many rotations look different.
    tile_rotations: IntArray = array(NUM_TILES, seen_by=ALL, dtype="i1")
    stack_honor: IntArray = array(NUM_STACKS, MAX_STACK, seen_by=ALL, dtype="i1")  # from the top
    stack_size: IntArray = array(NUM_STACKS, seen_by=ALL)
    seat_sides: IntArray = array(MAX_PLAYERS, seen_by=ALL)  # Side that faces each Player
    num_players: int = scalar(seen_by=ALL)
    hand_tiles: int = scalar(seen_by=ALL)
    exchange_cost: int = scalar(seen_by=ALL)
    card_limit: int = scalar(seen_by=ALL)
    generic_honor: int = scalar(seen_by=ALL)
    public_hands: int = scalar(seen_by=ALL)  # 1: everybody sees all hands

    # The table.
    lake: IntArray = array(LAKE_CELLS, seen_by=ALL, dtype="i2")
    frontier: IntArray = array(MAX_FRONTIER, seen_by=ALL)  # cells
    frontier_x: IntArray = array(MAX_FRONTIER, seen_by=ALL)
    frontier_y: IntArray = array(MAX_FRONTIER, seen_by=ALL)
    num_frontier: int = scalar(seen_by=ALL)
    laid: IntArray = array(MAX_LAKE_TILES, seen_by=ALL)  # 4 * tile + turn, in the order of laying
    laid_x: IntArray = array(MAX_LAKE_TILES, seen_by=ALL)
    laid_y: IntArray = array(MAX_LAKE_TILES, seen_by=ALL)
    num_laid: int = scalar(seen_by=ALL)
    supply: IntArray = array(NUM_COLORS, seen_by=ALL)  # lantern cards left, by Color
    tokens_taken: IntArray = array(NUM_STACKS, seen_by=ALL)
    lanterns: IntArray = array(MAX_PLAYERS, NUM_COLORS, seen_by=ALL)  # cards held, by Player, Color
    num_lanterns: IntArray = array(MAX_PLAYERS, seen_by=ALL)  # their sum
    favors: IntArray = array(MAX_PLAYERS, seen_by=ALL)
    honor: IntArray = array(MAX_PLAYERS, seen_by=ALL)

    # Tiles in hand and not yet seen. The unseen ones are all that nobody has, the tiles that left
    # the game among them: knowing this set would reveal the hands.
    # Tile or NO_TILE, by Player, slot.
    hand: IntArray = array(MAX_PLAYERS, HAND_SIZE, seen_by=OWNER, open_if="public_hands")
    hand_size: IntArray = array(MAX_PLAYERS, seen_by=ALL)
    unseen: IntArray = array(NUM_TILES, seen_by=NOBODY)  # in no order
    num_unseen: int = scalar(seen_by=ALL)
    left_to_draw: int = scalar(seen_by=ALL)

    # The turn.
    active: Player = scalar(seen_by=ALL)
    step: int = scalar(seen_by=ALL)
    drawer: Player = scalar(seen_by=ALL)  # who is dealt or draws the next tile, or NO_PLAYER
    to_deal: int = scalar(seen_by=ALL)  # tiles of the deal still to come
    is_over: int = scalar(seen_by=ALL)

    events: IntArray = trail(MAX_EVENTS)
    num_events: int = trail_length()
