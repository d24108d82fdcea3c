"""The rules of Connect Four, C1 to C4: plain functions on the state, compiled when speed is wanted."""

from connect_four.state import (
    COLUMN_BITS,
    DISC_DROPPED,
    FOUR_IN_LINE,
    LINE_STEPS,
    NUM_COLUMNS,
    NUM_ROWS,
    State,
)
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
    """C2: any column that is not full."""
    n = 0
    for column in range(NUM_COLUMNS):
        out[n] = column
        n += state.height[column] < NUM_ROWS
    return n


@rule
def apply(state: State, player: Player, column: Action) -> None:
    """C2: the disc falls to the lowest free place. C3: four in line win. C4: a full board is a draw."""
    clear_trail(state)
    row = state.height[column]
    state.discs[player] |= 1 << int(
        column * COLUMN_BITS + row
    )  # int: uncompiled, a bit of 32 would be shifted out
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
    """C3: a pair in line with another pair. `pairs` has a bit for each disc with a disc one step further."""
    for step in LINE_STEPS:
        pairs = discs & (discs >> step)
        if pairs & (pairs >> 2 * step):
            return True
    return False


@rule
def scores(state: State, out: IntArray) -> None:
    for player in range(state.num_players):
        out[player] = player == state.winner


@rule
def placements(state: State, out: IntArray) -> None:
    """C4: without a winner both share the first place."""
    for player in range(state.num_players):
        out[player] = 2 if state.winner == 1 - player else 1
