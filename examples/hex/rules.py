"""Hex, H1 to H3: the state, the actions and the rules.

The board has a border all round, so that every cell has six neighbors and no rule asks where the
board ends. A cell is `13 * row + column`, rows counted from 1 at the top and columns from 1 at the
left; its neighbors are

        -13  -12
      -1   *   +1          the board leans to the right: the row below begins half a cell further
        +12  +13

Each player has a map of the board, `stones[player]`, in which a stone is a number of three bits and
anything else is NO_STONE:

    STONE            set for every stone of this player
    TO_FIRST_EDGE    set if a chain of stones leads from it to the player's first edge: the top, or the left
    TO_SECOND_EDGE   the same for the bottom, or the right

The border next to an edge looks like stones that are connected to it. So no rule asks for edges
either: a stone is connected to whatever a stone beside it is connected to, and who has a stone with
all three bits has won.
"""

from lampion.core.actions import ActionSpace, Block
from lampion.core.compile import rule
from lampion.core.plain_views import Kind
from lampion.core.record import ALL, Record, array, scalar
from lampion.core.trail import clear_trail, note, trail, trail_length
from lampion.core.types import GAME_OVER, NO_PLAYER, Action, IntArray, Player

SIZE = 11
ROW = SIZE + 2
NUM_CELLS = ROW * ROW
COLUMNS, ROWS = "abcdefghijk", [str(row) for row in range(1, SIZE + 1)]
NEIGHBORS = (-ROW, 1 - ROW, -1, 1, ROW - 1, ROW)
NO_STONE, STONE, TO_FIRST_EDGE, TO_SECOND_EDGE = 0, 1, 2, 4
BOTH_EDGES = STONE | TO_FIRST_EDGE | TO_SECOND_EDGE

# The id of an action is `11 * row + column`, both counted from 0.
ACTIONS = ActionSpace(Block("place", SIZE, SIZE, rule="H2", names=[ROWS, COLUMNS], text="{1}{0}"))
EVENTS = (Kind("place", x=COLUMNS, y=ROWS), Kind("edges_connected"))
STONE_PLACED, EDGES_CONNECTED = range(len(EVENTS))


class State(Record):
    num_players: int = scalar(seen_by=ALL)
    stones: IntArray = array(2, NUM_CELLS, seen_by=ALL, dtype="i1", by_player=True)  # see above
    free: IntArray = array(SIZE * SIZE, seen_by=ALL)  # the legal actions, ascending
    num_free: int = scalar(seen_by=ALL)
    active: Player = scalar(seen_by=ALL)  # or GAME_OVER
    winner: Player = scalar(seen_by=ALL)  # or NO_PLAYER
    queue: IntArray = array(SIZE * SIZE, seen_by=ALL, transient=True)  # of a rule at work
    events: IntArray = trail(2)
    num_events: int = trail_length()


def set_up(state: State) -> None:
    """H1: the board is empty."""
    state.winner = NO_PLAYER
    state.free[:] = range(SIZE * SIZE)
    state.num_free = SIZE * SIZE
    maps, inner = state.stones.reshape(2, ROW, ROW), slice(1, SIZE + 1)
    maps[0, 0, inner] = maps[1, inner, 0] = STONE | TO_FIRST_EDGE
    maps[0, -1, inner] = maps[1, inner, -1] = STONE | TO_SECOND_EDGE


@rule(inline=True)
def cell_of(action: Action) -> int:
    return (action // SIZE + 1) * ROW + action % SIZE + 1


@rule
def legal_actions(state: State, player: Player, out: IntArray) -> int:
    """H2: any free cell."""
    free = state.free
    for k in range(state.num_free):
        out[k] = free[k]
    return state.num_free


@rule
def apply(state: State, player: Player, action: Action) -> None:
    """H2: a stone on a free cell, for good. H3: the player who connects both edges wins;
    one of the two always does."""
    clear_trail(state)
    cell = cell_of(action)
    note(state, STONE_PLACED, player, 0, action % SIZE, action // SIZE, 1)
    take_from_free(state, action)
    state.active = 1 - player
    connected = connections(state, player, cell)
    state.stones[player, cell] = connected
    if connected == BOTH_EDGES:
        note(state, EDGES_CONNECTED, player, 0, 0, 0, 0)
        state.winner, state.active = player, GAME_OVER
    elif connected != STONE:
        spread(state, player, cell)


@rule
def take_from_free(state: State, action: Action) -> None:
    """Those behind move up. Every element is written, moved or not: without a branch,
    several are done at a time."""
    free = state.free
    state.num_free -= 1
    for k in range(state.num_free):
        this, following = free[k], free[k + 1]
        free[k] = this if this < action else following


@rule
def connections(state: State, player: Player, cell: int) -> int:
    """What a new stone is connected to: all that the stones beside it are."""
    stones = state.stones[player]
    connected = STONE
    for step in NEIGHBORS:
        connected |= stones[cell + step]
    return connected


@rule
def spread(state: State, player: Player, cell: int) -> None:
    """Tell all stones that hang together with this one what they are connected to now."""
    stones, queue = state.stones[player], state.queue
    connected = stones[cell]
    queue[0] = cell
    length = 1
    while length > 0:
        length -= 1
        cell = queue[length]
        for step in NEIGHBORS:
            neighbor = cell + step
            if stones[neighbor] != NO_STONE and stones[neighbor] != connected:
                stones[neighbor] = connected
                queue[length] = neighbor
                length += 1


@rule
def scores(state: State, out: IntArray) -> None:
    for player in range(state.num_players):
        out[player] = player == state.winner
