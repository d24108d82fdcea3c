"""The ids of actions hide behind functions, each with its inverse."""

from __future__ import annotations

from itertools import product

from lampion.games.lanterns.actions import (
    ACTIONS,
    exchange_action,
    given_color,
    place_action,
    placed_on,
    placed_rotation,
    placed_slot,
    taken_color,
)
from lampion.games.lanterns.components import HAND_SIZE, NUM_COLORS, NUM_SIDES
from lampion.games.lanterns.state import MAX_FRONTIER


def test_every_exchange_is_read_as_it_was_written() -> None:
    for give, take in product(range(NUM_COLORS), repeat=2):
        action = exchange_action(give, take)
        assert action == ACTIONS["exchange"].id(give, take)
        assert (given_color(action), taken_color(action)) == (give, take)


def test_every_placement_is_read_as_it_was_written() -> None:
    for where in product(range(MAX_FRONTIER), range(HAND_SIZE), range(NUM_SIDES)):
        action = place_action(*where)
        assert action == ACTIONS["place"].id(*where)
        assert (placed_on(action), placed_slot(action), placed_rotation(action)) == where
