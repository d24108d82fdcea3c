"""Looking after a database from outside the server, which may be running: backup, restore, export."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from lampion.server.store import is_postgres, open_backend, open_store, sqlite, sqlite_path
from lampion.server.store.base import StorageFailed
from lampion.server.store.transfer import RecordOf, fresh_file, records, restore_rows


def back_up(url: str, path: Path) -> None:
    """As it is now, into a new file; neither waits for the server nor holds it up."""
    with fresh_file(path) as part:
        if is_postgres(url):
            from lampion.server.store import postgres  # its driver is optional

            postgres.backup(url, part)
        elif sqlite_path(url).is_file():
            sqlite.backup(sqlite_path(url), part)
        else:
            raise StorageFailed("there is no database yet", code="no-database", where=url)


def restore(url: str, path: Path) -> int:
    """Put a backup into an empty database; returns how many tables for play it holds."""
    backend = open_backend(url)
    try:
        return restore_rows(path, backend.engine())
    finally:
        backend.close()


async def export(url: str, record_of: RecordOf) -> AsyncIterator[str]:
    """The records of the games that are finished now; the server may go on meanwhile, they are read from a copy."""
    with tempfile.TemporaryDirectory(prefix="lampion-") as folder:
        copy = Path(folder) / "copy.db"
        back_up(url, copy)
        store = open_store(str(copy))
        try:
            async for record in records(store, record_of):
                yield record
        finally:
            await store.close()
