"""Training on a small scale: self-play gives positions with results, and learning makes the loss smaller."""

from __future__ import annotations

import numpy as np
import pytest

from lampion.bots.net import NO_WEIGHTS, NOT_FEATURES
from lampion.research.training import NUM_SLOTS, Positions, fit, num_features, self_play


@pytest.fixture(scope="module")
def positions() -> Positions:
    return self_play("lanterns", 2, NO_WEIGHTS, 120 * NUM_SLOTS, seed=1)


def test_positions_come_from_finished_games(positions: Positions) -> None:
    assert len(positions.features) == len(positions.wanted) == len(positions.games) > 30 * NUM_SLOTS
    assert positions.wanted.min() >= 0 and positions.wanted.max() <= 1
    assert len(self_play("lanterns", 2, NO_WEIGHTS, NUM_SLOTS, seed=1).games) == 0, (
        "no game has ended yet"
    )


@pytest.mark.parametrize("players", [3, 4])
def test_positions_of_larger_tables_add_up(players: int) -> None:
    """Placements of a game add up to half a point per player, whoever is looked at, but for the share of the margin."""
    positions = self_play("lanterns", players, NO_WEIGHTS, 140 * NUM_SLOTS, seed=2)
    assert positions.features.shape[1] == num_features("lanterns", players)
    assert positions.wanted.mean() == pytest.approx(0.5, abs=0.1)


def test_in_lanterns_dice_it_is_points_that_are_learned() -> None:
    positions = self_play("lanterns_dice", 2, NO_WEIGHTS, 160 * NUM_SLOTS, seed=2)
    assert positions.are_points and len(positions.wanted) > 30 * NUM_SLOTS
    assert 1.5 < positions.wanted.mean() < 3.0, (
        "greedy play brings 15 to 30 points, by POINTS_SCALE"
    )


def test_a_network_learns_from_them(positions: Positions) -> None:
    pytest.importorskip("torch")
    weights, loss = fit(positions, hidden=16, seed=1)
    assert weights.shape == (num_features("lanterns", 2) + NOT_FEATURES, 16 + 1)
    assert np.isfinite(weights).all() and loss < np.log(2)
