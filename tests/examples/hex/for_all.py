"""Hex for the tests of all games: a position in the form of the oracle's `facts`, and what never
changes."""

from __future__ import annotations

from typing import Any

from hex import view
from hex.rules import NEIGHBORS, NO_STONE, SIZE, State, cell_of
from lampion.core.types import GAME_OVER, SPECTATOR


def combinations_to_try(players: int) -> list[dict[str, str]]:
    return []


def facts(state: State) -> dict[str, Any]:
    return {"board": "".join(view(state, SPECTATOR)["board"])}


def check_nothing_lost(state: State) -> None:
    """Every cell is free or has one stone, and stones that touch each other are connected to the same edges."""
    free = set(state.free[: state.num_free].tolist())
    assert sorted(free) == state.free[: state.num_free].tolist()
    for action in range(SIZE * SIZE):
        owners = [
            player for player in range(2) if state.stones[player, cell_of(action)] != NO_STONE
        ]
        assert len(owners) == (action not in free)
    if state.active != GAME_OVER:
        for player in range(2):
            check_connections(state, player)


def check_connections(state: State, player: int) -> None:
    """The last stone of a game tells nobody any more what it connects."""
    for cell in (cell_of(action) for action in range(SIZE * SIZE)):
        for step in NEIGHBORS:
            pair = {int(state.stones[player, cell]), int(state.stones[player, cell + step])}
            assert len(pair - {NO_STONE}) <= 1
