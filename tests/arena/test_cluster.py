"""The arena on a cluster: a Dask cluster of one worker on this machine. Runs where Dask is installed."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from lampion.cli.main import main

distributed = pytest.importorskip("distributed")


@pytest.mark.filterwarnings("default")
def test_the_arena_plays_on_a_cluster_as_it_does_at_home() -> None:
    words = ["arena", "lanterns", "--players", "2", "greedy", "random", "--games", "6", "--json"]
    at_home = CliRunner().invoke(main, [*words, "--jobs", "1"])
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tcp://",
        dashboard_address=None,
        host="127.0.0.1",
    ) as cluster:
        result = CliRunner().invoke(
            main, [*words, "--backend", "dask", "--address", cluster.scheduler_address]
        )
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout) == json.loads(at_home.stdout)
