"""Kuhn poker for the tests of all games: options to try, a position in the form of the oracle's
`facts`, and what never changes."""

from __future__ import annotations

from typing import Any

from kuhn import START, State
from lampion.core.types import CHANCE


def combinations_to_try(players: int) -> list[dict[str, str]]:
    return []


def facts(state: State) -> dict[str, Any]:
    return {"cards": state.card.tolist(), "pot": state.pot}


def shows_secrets(state: State) -> bool:
    """The second player ends the hand with a pass, and either ends it after a bet."""
    return bool(state.active != CHANCE and (state.is_bet or state.active == 1))


def check_nothing_lost(state: State) -> None:
    """Every coin is in the pot or in a hand, and no card is there twice."""
    assert state.pot + state.coins.sum() == 2 * START
    dealt = state.card[: state.num_dealt].tolist()
    assert len(set(dealt)) == len(dealt)
