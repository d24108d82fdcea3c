"""The rules of Hex, H1 to H3: plain functions on the state, compiled when speed is wanted."""

from hex.actions import cell_of
from hex.state import BOTH_EDGES, EDGES_CONNECTED, NEIGHBORS, NO_STONE, STONE, STONE_PLACED, State
from lampion.core.compile import rule
from lampion.core.plain import chance_weights, determinize, may_act, sample_chance
from lampion.core.trail import clear_trail, note
from lampion.core.types import GAME_OVER, Action, IntArray, Player

__all__ = [
    "apply", "chance_weights", "determinize", "legal_actions", "may_act", "placements", "sample_chance", "scores", "to_act",
]  # fmt: skip


@rule
def to_act(state: State) -> Player:
    return state.active


@rule
def legal_actions(state: State, player: Player, out: IntArray) -> int:
    """H2: any free cell."""
    free = state.free
    for k in range(state.num_free):
        out[k] = free[k]
    return state.num_free


@rule
def apply(state: State, player: Player, action: Action) -> None:
    """H2: a stone on a free cell, for good. H3: whoever connects both edges wins; one of the two always does."""
    clear_trail(state)
    cell = cell_of(action)
    note(state, STONE_PLACED, player, 0, cell, 0, 1)
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
    """Those behind move up. Every element is written, moved or not: without a branch, several are done at a time."""
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


@rule
def placements(state: State, out: IntArray) -> None:
    for player in range(state.num_players):
        out[player] = 2 if state.winner == 1 - player else 1
