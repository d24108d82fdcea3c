"""Looking after a database from outside the server: backup and export, while it may be running;
restore, rollback and compacting, while it is not."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import sqlalchemy as sa

from lampion.server.store import (
    is_postgres,
    migrate,
    open_backend,
    open_store,
    postgres_module,
    sqlite,
    sqlite_path,
)
from lampion.server.store.base import StorageFailed
from lampion.server.store.transfer import RecordOf, fresh_file, records, restore_rows


def back_up(url: str, path: Path) -> None:
    """As it is now, into a new file; neither waits for the server nor holds it up."""
    with fresh_file(path) as part:
        if is_postgres(url):
            postgres_module().backup(url, part)
        else:
            sqlite.backup(_existing(url), part)


def restore(url: str, path: Path) -> int:
    """Put a backup into an empty database; returns how many tables for play it holds."""
    backend = open_backend(url)
    try:
        return restore_rows(path, backend.engine())
    finally:
        backend.close()


async def export(url: str, record_of: RecordOf) -> AsyncIterator[str]:
    """The records of the games that are finished now; the server may go on meanwhile, they are
    read from a copy."""
    with tempfile.TemporaryDirectory(prefix="lampion-") as folder:
        copy = Path(folder) / "copy.db"
        back_up(url, copy)
        store = open_store(str(copy))
        try:
            async for record in records(store, record_of):
                yield record
        finally:
            await store.close()


def plan_rollback(url: str, revision: str) -> migrate.Rollback:
    """What `roll_back` would do; changes nothing."""
    if is_postgres(url):
        return migrate.plan_rollback(postgres_module().engine_of(url), revision)
    return migrate.plan_rollback(sqlite.engine_of(_existing(url)), revision)


def roll_back(url: str, revision: str) -> migrate.Rollback:
    """To the schema of an older version of Lampion. Refuses while a server uses the database."""
    if is_postgres(url):
        postgres = postgres_module()
        with postgres.without_servers(url):
            return migrate.downgrade(postgres.engine_of(url), revision)
    path = _existing(url)
    with sqlite.without_server(path):
        return migrate.downgrade(sqlite.engine_of(path), revision)


def check_schema(url: str) -> None:
    """Raises StorageFailed if the schema is not this version's, or if a server uses the SQLite
    file."""
    try:
        if is_postgres(url):
            migrate.check_current(postgres_module().engine_of(url))
            return
        path = _existing(url)
        with sqlite.without_server(path):
            migrate.check_current(sqlite.engine_of(path))
    except sa.exc.DBAPIError as problem:
        explain = postgres_module().explain if is_postgres(url) else sqlite.explain
        raise explain(problem) from problem


def compact(url: str) -> None:
    """Give back the space of what was deleted. Refuses while a server uses the database."""
    if is_postgres(url):
        with postgres_module().without_servers(url) as db:
            db.execute("VACUUM FULL")
        return
    path = _existing(url)
    with sqlite.without_server(path):
        sqlite.compact(path)


def _existing(url: str) -> Path:
    path = sqlite_path(url)
    if not path.is_file():
        raise StorageFailed("there is no database yet", code="no-database", where=url)
    return path
