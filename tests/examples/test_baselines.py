"""The baselines learn, write what they say they write, and the page shows the runs in docs/baselines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lampion.research.runs import read_curve, read_result
from scripts import baselines
from tests.examples.support import install

FOLDER = Path(__file__).parent.parent.parent / "examples" / "baselines"
SHORT = {
    "alphazero": "--iterations 2 --every 1 --slots 8 --plies 6 --steps 4 --tries 6 --curve-deals 4 --deals 2",
    "ppo": "--steps 64 --tables 2 --rollout 16 --every 32 --curve-deals 4 --deals 2",
}
MOST_LINES = 250


@pytest.mark.parametrize("name", SHORT)
def test_a_baseline_is_one_short_file(name: str) -> None:
    assert len((FOLDER / f"{name}.py").read_text().splitlines()) < MOST_LINES


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    return install(tmp_path / "games")


def trained(name: str, out: Path, installed: Path, *more: str) -> dict[str, float]:
    """The last row of a run in Kuhn poker."""
    words = [*SHORT[name].split(), "--out", str(out), *more]
    command = [sys.executable, str(FOLDER / f"{name}.py"), "kuhn", *words]
    environment = {"PYTHONPATH": str(installed), "OMP_NUM_THREADS": "1", "PATH": ""}
    subprocess.run(command, env=environment, capture_output=True, check=True)
    result = read_result(out)
    names = {rating["bot"] for rating in result["strength"]}
    assert {name, "random", "greedy", "search:50,net=0"} <= names
    last = read_curve(out)[-1]
    assert last == result["last"]
    return {key: number for key, number in last.items() if "seconds" not in key}


def test_alphazero_runs_on_numpy_alone_and_follows_from_its_seed(
    tmp_path: Path, installed: Path
) -> None:
    first, again = (trained("alphazero", tmp_path / name, installed) for name in ("one", "two"))
    assert first == again and first["games"] > 8 and first["policy_loss"] > 0
    assert (tmp_path / "one" / "net.npz").exists()


def test_ppo_runs_where_sb3_is_installed(tmp_path: Path, installed: Path) -> None:
    pytest.importorskip("sb3_contrib")
    assert trained("ppo", tmp_path / "run", installed)["steps"] >= 64


def test_the_page_shows_the_runs() -> None:
    """`python -m scripts.baselines` writes it again."""
    page = baselines.PAGE.read_text("utf-8")
    assert baselines.with_tables(page) == page
    assert baselines.games() == ["kuhn", "lumens"]
    for game in baselines.games():
        assert (baselines.FOLDER / f"{game}.svg").read_text("utf-8") == baselines.drawing(game)
        seeds = {(run.method, run.seed) for run in baselines.runs(game)}
        assert seeds == {(method, seed) for method in baselines.METHODS for seed in (0, 1)}
