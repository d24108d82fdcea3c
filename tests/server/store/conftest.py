"""Both stores, empty, for every test that asks for a `url`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from lampion.server.store import open_backend
from lampion.server.store.schema import metadata
from tests.server.store.postgres import Postgres, running_postgres

STORES = ("sqlite", "postgres")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    with running_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def database(postgres: Postgres) -> str:
    url = postgres.create("lampion")
    open_backend(url).close()
    return url


@pytest.fixture
def postgres_url(database: str) -> str:
    """Emptied rather than made again, which is much quicker."""
    with psycopg.connect(database, autocommit=True) as db:
        # Without triggers, since the audit log cannot be emptied otherwise.
        db.execute("SET session_replication_role = replica")
        db.execute(f"TRUNCATE {', '.join(metadata.tables)} CASCADE")
    return database


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/lampion.db"


@pytest.fixture(params=STORES)
def url(request: pytest.FixtureRequest) -> str:
    found: str = request.getfixturevalue(f"{request.param}_url")
    return found
