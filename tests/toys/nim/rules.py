"""Nim: N1 take counters from one heap, N2 at most so many, N3 the last counter wins, or loses."""

from collections.abc import Mapping, Sequence
from typing import Any

from lampion.core.actions import ActionSpace, Block
from lampion.core.compile import rule
from lampion.core.options import ChoiceOption, NumberOption, Option, TextOption
from lampion.core.plain_views import Kind
from lampion.core.record import ALL, Record, array, scalar
from lampion.core.trail import clear_trail, note, trail, trail_length
from lampion.core.types import GAME_OVER, NO_PLAYER, Action, IntArray, Player

MAX_HEAPS, MAX_COUNTERS = 4, 9
HEAPS, COUNTS = "abcd", "123456789"
EVENTS = (Kind("taken", x=HEAPS),)
TAKEN = 0
ACTIONS = ActionSpace(
    Block("take", MAX_HEAPS, MAX_COUNTERS, rule="N2", names=[HEAPS, COUNTS], text="{0}{1}")
)


class _Heaps(TextOption, frozen=True):
    def accepts(self, value: str) -> bool:
        heaps = value.split(" ")
        sizes = {str(size) for size in range(1, MAX_COUNTERS + 1)}
        return len(heaps) <= MAX_HEAPS and set(heaps) <= sizes


OPTIONS: Sequence[Option] = (
    ChoiceOption("last", "wins", choices=("wins", "loses")),
    NumberOption("most", "3", (2,), least=1, most=9),
    _Heaps("heaps", "3 4 5", example="1 1 2", wanted="up to 4 numbers from 1 to 9"),
)


class State(Record):
    num_players: int = scalar(seen_by=ALL)
    heaps: IntArray = array(MAX_HEAPS, seen_by=ALL)
    most: int = scalar(seen_by=ALL)
    last_loses: int = scalar(seen_by=ALL)
    active: Player = scalar(seen_by=ALL)
    last: Player = scalar(seen_by=ALL)  # who took the last counter, or NO_PLAYER
    events: IntArray = trail(2)
    num_events: int = trail_length()


def new_state(players: int, options: Mapping[str, str], components: Any) -> State:
    state = State()
    state.num_players, state.last = players, NO_PLAYER
    state.last_loses = int(options["last"] == "loses")
    state.most = int(options["most"])
    heaps = [int(size) for size in options["heaps"].split(" ")]
    state.heaps[: len(heaps)] = heaps
    return state


@rule
def legal_actions(state: State, player: Player, out: IntArray) -> int:
    """N2."""
    n = 0
    for heap in range(MAX_HEAPS):
        for count in range(1, min(state.heaps[heap], state.most) + 1):
            out[n] = heap * MAX_COUNTERS + count - 1
            n += 1
    return n


@rule
def apply(state: State, player: Player, action: Action) -> None:
    """N1, N3."""
    clear_trail(state)
    heap, count = action // MAX_COUNTERS, action % MAX_COUNTERS + 1
    state.heaps[heap] -= count
    note(state, TAKEN, player, 0, heap, 0, count)
    left = 0
    for k in range(MAX_HEAPS):
        left += state.heaps[k]
    state.active = player + 1 if player + 1 < state.num_players else 0
    if left == 0:
        state.last, state.active = player, GAME_OVER


@rule
def scores(state: State, out: IntArray) -> None:
    """N3."""
    for player in range(state.num_players):
        is_last = player == state.last
        out[player] = int(state.last != NO_PLAYER and is_last != (state.last_loses == 1))
