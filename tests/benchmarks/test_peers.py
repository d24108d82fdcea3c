"""The page of the benchmarks beside peers, from figures that are made up; and a peer that cannot be measured."""

from __future__ import annotations

import copy
import sys
from typing import Any

import pytest

from benchmarks.peers import __main__ as run
from benchmarks.peers.page import page, requirements
from benchmarks.peers.worker import BATCH, FROM_PYTHON, ROLLOUTS, SEARCH, Task, measure


def figure(game: str, how: str, rate: float, note: str = "") -> dict[str, Any]:
    return {
        "game": game,
        "how": how,
        "note": note,
        "decisions_per_second": rate,
        "games_per_second": rate / 20,
        "all_cores": 2 * rate,
    }


FOUND: list[dict[str, Any]] = [
    {"name": "lampion", "engine": "Lampion 1", "figures": [
        figure("connect_four", ROLLOUTS, 20e6), figure("connect_four", FROM_PYTHON, 1e6, "one call"), figure("hex", ROLLOUTS, 10e6),
        figure("hex", SEARCH, 100e3), figure("Lanterns, 2 players", ROLLOUTS, 5e6)]},
    {"name": "openspiel", "engine": "OpenSpiel 2", "figures": [
        figure("connect_four", ROLLOUTS, 2e6), figure("connect_four", FROM_PYTHON, 0.5e6), figure("hex", ROLLOUTS, 1.25e6)]},
    {"name": "pgx", "engine": "Pgx 2", "figures": [figure("hex", BATCH, 80e3, "16 games"), figure("hex", BATCH, 100e3, "128 games")]},
    {"name": "rlcard", "problem": "no matching | distribution"},
]  # fmt: skip


def test_like_is_compared_with_like() -> None:
    text = page(FOUND)
    assert (
        "| OpenSpiel 2 | playouts inside the engine | 2,000,000 | 100,000 | 4,000,000 | 10 times |"
        in text
    )
    assert (
        "| OpenSpiel 2 | step by step from Python | 500,000 | 25,000 | 1,000,000 | 2 times |"
        in text
    )
    assert "| Lampion 1 | Connect Four | one call | 1.0 |" in text
    assert "| Pgx 2 | batched (128 games) | 100,000 | 5,000 | 200,000 | 100 times |" in text, (
        "the best batch size"
    )
    assert "16 games" not in text


def test_a_peer_that_cannot_be_measured_is_named_with_the_reason() -> None:
    assert "| rlcard | no matching / distribution |" in page(FOUND)


def test_requirements_hold_or_not() -> None:
    assert [round(one.ratio or 0) for one in requirements(FOUND)] == [10, 8, 100]
    assert all(one.holds for one in requirements(FOUND))
    slower = copy.deepcopy(FOUND)
    slower[1]["figures"][2]["decisions_per_second"] = 2.5e6
    assert [one.holds for one in requirements(slower)] == [True, False, True]


def test_a_worker_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        run, "command", lambda name: [sys.executable, "-c", "raise SystemExit('no such engine')"]
    )
    assert run.measure("pgx", []) == {"name": "pgx", "problem": "no such engine"}


def test_a_figure_counts_what_the_loop_did() -> None:
    def loop() -> tuple[int, int]:
        return sum(range(1000)) and 30, 2

    found = measure(Task("hex", SEARCH, loop), 0.01)
    assert found["decisions_per_second"] == pytest.approx(15 * found["games_per_second"])
