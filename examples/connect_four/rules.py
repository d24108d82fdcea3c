"""Connect Four, C1 to C4: the state, the actions and the rules.

The discs of a player are the bits of one number, seven bits for each column and the lowest at the
bottom. The seventh bit of a column is border and never set, so that no line goes on from the top of
a column to the bottom of the next:

     6  13  20  27  34  41  48       border
     5  12  19  26  33  40  47       the top row
     .   .   .   .   .   .   .       one up is + 1, one to the right + 7, the diagonals + 6 and + 8
     0   7  14  21  28  35  42       the bottom row
"""

from lampion.core.actions import ActionSpace, Block
from lampion.core.compile import rule
from lampion.core.plain_views import Kind
from lampion.core.record import ALL, Record, array, scalar
from lampion.core.trail import clear_trail, note, trail, trail_length
from lampion.core.types import GAME_OVER, NO_PLAYER, Action, IntArray, Player

NUM_COLUMNS, NUM_ROWS = 7, 6
COLUMNS, ROWS = "abcdefg", "123456"
COLUMN_BITS = NUM_ROWS + 1
LINE_STEPS = (1, COLUMN_BITS - 1, COLUMN_BITS, COLUMN_BITS + 1)

ACTIONS = ActionSpace(Block("drop", NUM_COLUMNS, rule="C2", names=[COLUMNS], text="{0}"))
EVENTS = (Kind("drop", x=COLUMNS, y=ROWS), Kind("four_in_line"))
DISC_DROPPED, FOUR_IN_LINE = range(len(EVENTS))


class State(Record):
    num_players: int = scalar(seen_by=ALL)
    discs: IntArray = array(2, seen_by=ALL, dtype="i8", by_player=True)  # by Player, see above
    height: IntArray = array(NUM_COLUMNS, seen_by=ALL)  # discs in each column
    num_discs: int = scalar(seen_by=ALL)
    active: Player = scalar(seen_by=ALL)  # or GAME_OVER
    winner: Player = scalar(seen_by=ALL)  # or NO_PLAYER
    events: IntArray = trail(2)
    num_events: int = trail_length()


def set_up(state: State) -> None:
    """C1: the board is empty."""
    state.winner = NO_PLAYER


@rule
def legal_actions(state: State, player: Player, out: IntArray) -> int:
    """C2: any column that is not full."""
    n = 0
    for column in range(NUM_COLUMNS):
        out[n] = column
        n += state.height[column] < NUM_ROWS
    return n


@rule
def apply(state: State, player: Player, column: Action) -> None:
    """C2: the disc falls to the lowest free place. C3: four in line win.
    C4: a full board is a draw."""
    clear_trail(state)
    row = state.height[column]
    # int: uncompiled, a bit of 32 would be shifted out
    state.discs[player] |= 1 << int(column * COLUMN_BITS + row)
    state.height[column] = row + 1
    state.num_discs += 1
    note(state, DISC_DROPPED, player, 0, column, row, 1)
    state.active = 1 - player
    if has_four(state.discs[player]):
        note(state, FOUR_IN_LINE, player, 0, 0, 0, 0)
        state.winner, state.active = player, GAME_OVER
    elif state.num_discs == NUM_COLUMNS * NUM_ROWS:
        state.active = GAME_OVER


@rule
def has_four(discs: int) -> bool:
    """C3: a pair in line with another pair. `pairs` has a bit for each disc
    with a disc one step further."""
    for step in LINE_STEPS:
        pairs = discs & (discs >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


@rule
def scores(state: State, out: IntArray) -> None:
    for player in range(state.num_players):
        out[player] = player == state.winner
