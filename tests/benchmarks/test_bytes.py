"""What an update costs on the wire."""

from __future__ import annotations

import pytest

from benchmarks.bytes import measure, ratio
from lampion.core.game import find_game
from tests.support import OWN

MOST_TIMES_FORMER = 1.2


@pytest.mark.parametrize("game", OWN)
def test_updates_with_events_cost_little_more_than_views_did(game: str) -> None:
    """In one random game for every number of players; nothing here depends on a clock."""
    for players in find_game(game).NUM_PLAYERS:
        assert ratio(measure(game, players, games=1)) <= MOST_TIMES_FORMER
