"""All counters lie in the first heap."""

from tests.toys.nim.rules import MAX_COUNTERS, State


def set_up(state: State) -> None:
    state.heaps[0] = min(int(state.heaps.sum()), MAX_COUNTERS)
    state.heaps[1:] = 0
