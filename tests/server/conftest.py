"""Servers for tests: one that several tests share, and databases for those that need a server of their own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.chaos.balancer import Site
from tests.server.store.postgres import Postgres, running_postgres
from tests.server.support import Person, Server, close_clients

IS_BALANCED = os.environ.get("LAMPION_BALANCED") == "1"
"""Whether the tests that share a server talk to three processes instead, each request to another one,
and one of them is killed as soon as all three are there."""


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server | Site]:
    if IS_BALANCED:
        with running_postgres() as database, Site(database.create("balanced")) as site:
            yield site
        return
    folder = tmp_path_factory.mktemp("server")
    with Server(str(folder / "lampion.db"), log=folder / "log") as running:
        yield running


@pytest.fixture(autouse=True)
def _everybody_goes_home() -> Iterator[None]:
    yield
    close_clients()


@pytest.fixture(autouse=True)
def _one_process_dies(request: pytest.FixtureRequest) -> None:
    """Again and again, what one process knows of the tests before is gone."""
    if IS_BALANCED and "server" in request.fixturenames:
        request.getfixturevalue("server").kill_one()


@pytest.fixture
def ada(server: Server) -> Person:
    return Person(server, "Ada")


@pytest.fixture
def milo(server: Server) -> Person:
    return Person(server, "Milo")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def fresh_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "lampion.db")
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.create(f"lampion_{tmp_path.name.replace('-', '_').lower()[:40]}")
