"""The state of Hex: one record.

The board has a border all round, so that every cell has six neighbors and no rule asks where the board ends. A cell is
`13 * row + column`, rows counted from 1 at the top and columns from 1 at the left; its neighbors are

        -13  -12
      -1   *   +1          the board leans to the right: the row below begins half a cell further
        +12  +13

Each player has a map of the board, `stones[player]`, in which a stone is a number of three bits and anything else is NO_STONE:

    STONE            set for every stone of this player
    TO_FIRST_EDGE    set if a chain of stones leads from it to the player's first edge: the top, or the left
    TO_SECOND_EDGE   the same for the bottom, or the right

The border next to an edge looks like stones that are connected to it. So no rule asks for edges either: a stone is connected to
whatever a stone beside it is connected to, and who has a stone with all three bits has won.
"""

from collections.abc import Mapping
from typing import Any

from lampion.core.record import ALL, Record, array, scalar
from lampion.core.trail import trail, trail_length
from lampion.core.types import NO_PLAYER, IntArray, Player

NAME, TITLE = "hex", "Hex"
NUM_PLAYERS = range(2, 3)
SIZE = 11
ROW = SIZE + 2
NUM_CELLS = ROW * ROW
NEIGHBORS = (-ROW, 1 - ROW, -1, 1, ROW - 1, ROW)
NO_STONE, STONE, TO_FIRST_EDGE, TO_SECOND_EDGE = 0, 1, 2, 4
BOTH_EDGES = STONE | TO_FIRST_EDGE | TO_SECOND_EDGE

# What the trail tells (see core.trail):     player      a            b
STONE_PLACED = 0  #                          who         cell         0
EDGES_CONNECTED = 1  #                       who         0            0
MAX_EVENTS = 2


class State(Record):
    num_players: int = scalar(seen_by=ALL)
    stones: IntArray = array(2, NUM_CELLS, seen_by=ALL, dtype="i1")  # by Player, cell, see above
    free: IntArray = array(SIZE * SIZE, seen_by=ALL)  # the legal actions, ascending
    num_free: int = scalar(seen_by=ALL)
    active: Player = scalar(seen_by=ALL)  # or GAME_OVER
    winner: Player = scalar(seen_by=ALL)  # or NO_PLAYER
    queue: IntArray = array(
        SIZE * SIZE, seen_by=ALL, transient=True
    )  # cells to visit, while a rule is at work

    events: IntArray = trail(MAX_EVENTS)
    num_events: int = trail_length()


def new_state(players: int, options: Mapping[str, str], components: Any) -> State:
    """H1: the board is empty."""
    state = State()
    state.num_players, state.winner = players, NO_PLAYER
    state.free[:] = range(SIZE * SIZE)
    state.num_free = SIZE * SIZE
    maps, inner = state.stones.reshape(2, ROW, ROW), slice(1, SIZE + 1)
    maps[0, 0, inner] = maps[1, inner, 0] = STONE | TO_FIRST_EDGE
    maps[0, -1, inner] = maps[1, inner, -1] = STONE | TO_SECOND_EDGE
    return state
