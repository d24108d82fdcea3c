"""Self-play into a folder on Ray, where Ray is installed: the same bytes as at home."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from lampion.cli.main import main
from lampion.research.shards import check_hashes, read_manifest
from tests.support import GAMES

pytest.importorskip("ray")


@pytest.mark.filterwarnings("default")
def test_ray_writes_the_same_files(tmp_path: Path) -> None:
    for name, more in (("home", ["--jobs", "1"]), ("away", ["--backend", "ray"])):
        run = ["--players", "2", "--bots", "search:20", "random", "--games", "6", "--shards", "3"]
        words = ["selfplay", GAMES[0], *run, "--no-times", "--out", str(tmp_path / name), *more]
        done = CliRunner().invoke(main, words)
        assert done.exit_code == 0, done.output
    assert read_manifest(tmp_path / "away") == read_manifest(tmp_path / "home")
    assert check_hashes(tmp_path / "away") == []
