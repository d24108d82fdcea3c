"""The steps in `migrations` lead to what `schema.py` describes, on both databases."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from lampion.server.store import is_postgres, migrate, open_backend, sqlite
from lampion.server.store import postgres as postgres_store
from lampion.server.store.base import StorageFailed
from lampion.server.store.schema import metadata
from tests.server.store.postgres import Postgres


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return str(tmp_path / "lampion.db")
    server: Postgres = request.getfixturevalue("postgres")
    return server.create("migrations")


def engine_of(url: str) -> sa.Engine:
    return postgres_store.engine_of(url) if is_postgres(url) else sqlite.engine_of(Path(url))


def test_from_empty_to_the_described_schema_and_nothing_to_do_after_it(empty_url: str) -> None:
    for _ in range(2):
        open_backend(empty_url).close()
        with engine_of(empty_url).connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            assert compare_metadata(context, metadata) == []


def test_a_database_of_a_newer_version_is_left_alone(empty_url: str) -> None:
    open_backend(empty_url).close()
    with engine_of(empty_url).begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageFailed, match="database-too-new"):
        open_backend(empty_url)


def test_a_failed_migration_leaves_nothing_behind(empty_url: str) -> None:
    """A table of the same name stands in the way of the last step."""
    if not is_postgres(empty_url):
        Path(empty_url).touch()
    with engine_of(empty_url).begin() as connection:
        connection.execute(sa.text("CREATE TABLE event (something INTEGER)"))
    with pytest.raises(StorageFailed, match="already exists"):
        open_backend(empty_url)
    with engine_of(empty_url).connect() as connection:
        assert set(sa.inspect(connection).get_table_names()) == {"event"}


def test_processes_that_start_together_migrate_once(postgres: Postgres) -> None:
    url = postgres.create("together")
    problems: list[BaseException] = []

    def start() -> None:
        try:
            migrate.upgrade(postgres_store.engine_of(url))
        except BaseException as problem:
            problems.append(problem)

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not problems
