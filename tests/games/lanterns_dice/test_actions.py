"""An area is one number, in the ids of shadings and in the trail."""

from __future__ import annotations

from itertools import product

from lampion.games.lanterns_dice.actions import ACTIONS, SHADE, area_of, half_of, pool_of
from lampion.games.lanterns_dice.components import NUM_HALVES, NUM_POOLS


def test_every_area_is_read_as_it_was_written() -> None:
    for half, pool in product(range(NUM_HALVES), range(NUM_POOLS)):
        area = area_of(half, pool)
        assert SHADE + area == ACTIONS["shade"].id(half, pool)
        assert (half_of(area), pool_of(area)) == (half, pool)
