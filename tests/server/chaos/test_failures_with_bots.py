"""Kills, outages and full disks: nothing acknowledged is lost, and every bot and clock goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.chaos.failures import (
    fill_the_disk,
    freeze_the_database,
    kill_the_database,
    kill_the_server,
)
from tests.server.chaos.support import DATABASE_KILLS, FULL_DISKS, KILLS
from tests.server.store.postgres import Postgres, running_postgres


@pytest.fixture(scope="module")
def own_postgres() -> Iterator[Postgres]:
    """One that may be killed without harm to the tests beside."""
    with running_postgres() as running:
        yield running


def test_kill_9_of_the_server(fresh_database: str) -> None:
    report = kill_the_server(fresh_database, KILLS)
    assert report.acknowledged > 10 * KILLS
    assert report.delays["clock"] and report.delays["bot"] and report.delays["stand-in"]


def test_kill_9_of_postgresql(own_postgres: Postgres) -> None:
    url = own_postgres.create("killed")
    report = kill_the_database(own_postgres, url, DATABASE_KILLS)
    assert report.acknowledged > 10 * DATABASE_KILLS


def test_an_outage_of_seven_seconds(own_postgres: Postgres) -> None:
    kill_the_database(own_postgres, own_postgres.create("outage"), 1, seconds=7)


def test_a_database_that_hangs_for_seven_seconds(own_postgres: Postgres) -> None:
    freeze_the_database(own_postgres.create("frozen"), 1, seconds=7)


def test_a_full_disk() -> None:
    report = fill_the_disk(FULL_DISKS)
    assert report.acknowledged > 10


def test_a_disk_on_which_no_file_may_grow(tmp_path: Path) -> None:
    fill_the_disk(1, limited=tmp_path)
