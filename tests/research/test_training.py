"""Training on a small scale: self-play gives positions with results, and learning reduces the loss."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from lampion.bots.net import NO_WEIGHTS, NOT_FEATURES, weights_file
from lampion.core.game import find_game
from lampion.research.training import (
    NUM_SLOTS,
    Case,
    Positions,
    learned,
    self_play,
    train,
    trainable_games,
)


def case(game: str, players: int, steps: int) -> Case:
    return Case(game, players, 1, steps * NUM_SLOTS, 16, seed=1)


@pytest.fixture(scope="module")
def positions() -> Positions:
    return self_play(case("lanterns", 2, 120), NO_WEIGHTS, 0)


def test_positions_come_from_finished_games(positions: Positions) -> None:
    assert len(positions.features) == len(positions.wanted) == len(positions.games) > 30 * NUM_SLOTS
    assert positions.wanted.min() >= 0 and positions.wanted.max() <= 1
    assert len(self_play(case("lanterns", 2, 1), NO_WEIGHTS, 0).games) == 0, "no game has ended yet"


@pytest.mark.parametrize("players", [3, 4])
def test_positions_of_larger_tables_add_up(players: int) -> None:
    """Placements of a game add up to half a point per player, apart from the share of the margin."""
    wanted = case("lanterns", players, 140)
    positions = self_play(wanted, NO_WEIGHTS, 0)
    assert positions.features.shape[1] == wanted.num_features
    assert positions.wanted.mean() == pytest.approx(0.5, abs=0.1)


def test_lanterns_dice_learns_points() -> None:
    positions = self_play(case("lanterns_dice", 2, 160), NO_WEIGHTS, 0)
    assert len(positions.wanted) > 30 * NUM_SLOTS
    assert 1.5 < positions.wanted.mean() < 3.0, (
        "greedy play brings 15 to 30 points, by POINTS_SCALE"
    )


def test_a_network_learns_from_them(positions: Positions) -> None:
    wanted = case("lanterns", 2, 120)
    weights, point = learned(wanted, positions, 0, None)
    assert weights.shape == (wanted.num_features + NOT_FEATURES, 16 + 1)
    assert np.isfinite(weights).all()
    assert point["loss"] < point["loss_of_knowing_nothing"] - 0.02


def test_an_interrupted_run_resumes_and_ends_alike(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = Case("lumens", 2, 2, 70 * NUM_SLOTS, 8, seed=3)
    whole, about = train(wanted, None)
    again, _ = train(wanted, tmp_path)
    made = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    for file in tmp_path.glob("*-1-w*.npy"):
        file.unlink()
    resumed, about_resumed = train(wanted, tmp_path)
    kept = {file.name for file in tmp_path.iterdir() if file.stat().st_mtime_ns == made[file.name]}
    assert kept == {name for name in made if "-0-" in name}, "only what was lost is made again"
    np.testing.assert_array_equal(whole, again)
    np.testing.assert_array_equal(whole, resumed)
    assert about == about_resumed and about["generations"] == len(about["curve"]) == 2


def test_networks_say_how_they_were_made() -> None:
    """Those that were trained before files of curves existed have none."""
    files = [
        (game, weights_file(game, players).with_suffix(".json"))
        for game in trainable_games()
        for players in find_game(game).NUM_PLAYERS
    ]
    known = [(game, json.loads(file.read_text())) for game, file in files if file.exists()]
    assert len(known) >= 3
    for game, told in known:
        assert told["game"] == game and told["rules"] == find_game(game).RULES_VERSION
        assert told["curve"][-1]["loss"] < told["curve"][-1]["loss_of_knowing_nothing"]
