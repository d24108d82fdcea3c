"""The state of Connect Four: one record.

The discs of a player are the bits of one number, seven bits for each column and the lowest at the bottom. The seventh bit of a
column is border and never set, so that no line goes on from the top of a column to the bottom of the next:

     6  13  20  27  34  41  48       border
     5  12  19  26  33  40  47       the top row
     .   .   .   .   .   .   .       one up is + 1, one to the right + 7, the diagonals + 6 and + 8
     0   7  14  21  28  35  42       the bottom row
"""

from collections.abc import Mapping
from typing import Any

from lampion.core.record import ALL, Record, array, scalar
from lampion.core.trail import trail, trail_length
from lampion.core.types import NO_PLAYER, IntArray, Player

NAME, TITLE = "connect_four", "Connect Four"
NUM_PLAYERS = range(2, 3)
NUM_COLUMNS, NUM_ROWS = 7, 6
COLUMN_BITS = NUM_ROWS + 1
LINE_STEPS = (1, COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1)

# What the trail tells (see core.trail):     player      a            b
DISC_DROPPED = 0  #                          who         column       row
FOUR_IN_LINE = 1  #                          who         0            0
MAX_EVENTS = 2


class State(Record):
    num_players: int = scalar(seen_by=ALL)
    discs: IntArray = array(2, seen_by=ALL, dtype="i8")  # by Player, see above
    height: IntArray = array(NUM_COLUMNS, seen_by=ALL)  # discs in each column
    num_discs: int = scalar(seen_by=ALL)
    active: Player = scalar(seen_by=ALL)  # or GAME_OVER
    winner: Player = scalar(seen_by=ALL)  # or NO_PLAYER

    events: IntArray = trail(MAX_EVENTS)
    num_events: int = trail_length()


def new_state(players: int, options: Mapping[str, str], components: Any) -> State:
    """C1: the board is empty."""
    state = State()
    state.num_players, state.winner = players, NO_PLAYER
    return state
