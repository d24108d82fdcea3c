"""Connect Four for the tests of all games: a position in the form of the oracle's `facts`, and what
never changes."""

from __future__ import annotations

from typing import Any

from connect_four import view
from connect_four.rules import COLUMN_BITS, NUM_COLUMNS, NUM_ROWS, State
from lampion.core.types import SPECTATOR


def combinations_to_try(players: int) -> list[dict[str, str]]:
    return []


def facts(state: State) -> dict[str, Any]:
    return {"board": "".join(view(state, SPECTATOR)["board"])}


def check_nothing_lost(state: State) -> None:
    """No place has two discs, none hangs in the air, and every column is as high as it says."""
    first, second = (int(discs) for discs in state.discs)
    assert first & second == 0
    for column in range(NUM_COLUMNS):
        discs = (first | second) >> (column * COLUMN_BITS) & ((1 << COLUMN_BITS) - 1)
        assert discs == (1 << int(state.height[column])) - 1
        assert state.height[column] <= NUM_ROWS
    assert state.num_discs == state.height.sum() == (first | second).bit_count()
