"""The benchmark of environments, with games outside the package installed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.examples.support import install

REPOSITORY = Path(__file__).parent.parent.parent


def test_games_outside_are_measured_with_as_many_players_as_they_take(tmp_path: Path) -> None:
    """Kuhn poker is for two, and the benchmark asks for two and four."""
    path = os.pathsep.join([str(install(tmp_path / "installed")), str(REPOSITORY)])
    out = tmp_path / "figures.json"
    words = ["kuhn", "leduc", "--seconds", "0.01", "--slots", "64", "--json", str(out)]
    subprocess.run(
        [sys.executable, "-m", "benchmarks.research", *words],
        env={**os.environ, "PYTHONPATH": path},
        check=True,
        capture_output=True,
        cwd=tmp_path,
    )
    rows = json.loads(out.read_text())["rows"]
    assert [(row["game"], row["players"]) for row in rows] == [
        ("kuhn", 2), ("leduc", 2), ("leduc", 4),
    ]  # fmt: skip
    assert all(min(row["batched_steps_per_second"]) > 0 for row in rows)
