"""Leduc poker for the tests of all games: options to try, a position in the form of the oracle's
`facts`, and what never changes."""

from __future__ import annotations

from typing import Any

from leduc.rules import COPIES, NUM_RANKS, SHOW_PHASE, START, State, copies_left


def combinations_to_try(players: int) -> list[dict[str, str]]:
    return []


def facts(state: State) -> dict[str, Any]:
    players = state.num_players
    cards = [*state.card[:players].tolist(), state.table_card]
    return {
        "paid": state.paid[:players].tolist(),
        "cards": cards,
        "folded": [bool(out) for out in state.folded[:players]],
    }


def shows_secrets(state: State) -> bool:
    """The cards are shown by an action of its own, so that nobody's call tells what others hold."""
    return bool(state.phase == SHOW_PHASE)


def check_nothing_lost(state: State) -> None:
    """Every coin is in the pot or in a hand, and no card is there three times."""
    players = state.num_players
    coins = sum(START - state.paid[player] + state.won[player] for player in range(players))
    pot = state.paid[:players].sum() if not state.won.any() else 0
    assert coins + pot == START * players
    assert state.num_left == players - state.folded[:players].sum()
    assert all(0 <= copies_left(state, rank) <= COPIES for rank in range(NUM_RANKS))
