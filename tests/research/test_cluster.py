"""Self-play on a real cluster: two worker processes of Dask, one of which is killed on the way."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from lampion.cli.main import main
from lampion.research.shards import check_hashes, read_manifest
from tests.support import GAMES

distributed = pytest.importorskip("distributed")

GAMES_PLAYED, SHARDS = 48, 24


def words(out: Path, *more: str) -> list[str]:
    run = ["--players", "2", "--bots", "search:60", "random", "--games", str(GAMES_PLAYED)]
    return [
        "selfplay",
        GAMES[0],
        *run,
        "--shards",
        str(SHARDS),
        "--no-times",
        "--out",
        str(out),
        *more,
    ]


@pytest.mark.filterwarnings("default")
def test_a_worker_that_is_killed_costs_no_game(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as cluster, distributed.Client(cluster) as client:  # fmt: skip
        workers = client.run(os.getpid)
        assert len(set(workers.values())) == 2
        address = cluster.scheduler_address
        killer = threading.Thread(target=kill, args=(next(iter(workers.values())), away))
        killer.start()
        done = CliRunner().invoke(main, words(away, "--backend", "dask", "--address", address))
        killer.join()
        assert done.exit_code == 0, done.output
        assert client.run(os.getpid).keys() != workers.keys(), "one was replaced"
    assert CliRunner().invoke(main, words(home, "--jobs", "1")).exit_code == 0
    assert read_manifest(away) == read_manifest(home), "the same bytes, wherever they were played"
    assert check_hashes(away) == []
    assert len(list(away.iterdir())) == SHARDS + 1, "nothing is left of the file it was writing"


def kill(worker: int, folder: Path) -> None:
    """As soon as a few files are there, and long before the last."""
    while len(list(folder.glob("games-*.parquet"))) < 3:
        time.sleep(0.01)
    os.kill(worker, signal.SIGKILL)
