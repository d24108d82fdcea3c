"""Copying whole databases. A backup is a SQLite file whatever the store is, so it is also the
way from one store to the other."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from lampion.core.errors import LampionError
from lampion.server.store import sqlite
from lampion.server.store.base import Event, SeatRow, StorageFailed, Store, TableRow
from lampion.server.store.schema import metadata

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS_AT_ONCE = 1000

RecordOf = Callable[[TableRow, list[SeatRow], list[Event]], str]
"""Makes the record of a finished game, one line of JSON; raises LampionError if the log is
damaged."""

log = logging.getLogger("lampion.store")


@contextmanager
def fresh_file(path: Path) -> Iterator[Path]:
    """A place beside `path` to write to; takes its name when all went well. Never replaces what
    is there."""
    if path.exists():
        raise StorageFailed(
            "there is a file of this name already",
            code="file-exists",
            where=str(path),
        )
    with tempfile.TemporaryDirectory(prefix=".lampion-", dir=path.parent) as folder:
        part = Path(folder) / path.name
        yield part
        part.chmod(0o600)
        descriptor = os.open(part, os.O_RDWR)
        os.fsync(descriptor)
        os.close(descriptor)
        part.rename(path)


def copy_to_sqlite(source: sa.Engine, path: Path) -> None:
    """All tables as of one moment."""
    rows = path.with_suffix(".rows")
    rows.touch(mode=0o600)
    sqlite.upgrade(rows)
    with (
        source.connect().execution_options(isolation_level="REPEATABLE READ") as reading,
        sqlite.engine_of(rows).begin() as writing,
    ):
        _copy_rows(reading, writing)
    # Compact, and without the write-ahead log that a database in use has beside it.
    sqlite.backup(rows, path)


def restore_rows(path: Path, engine: sa.Engine) -> int:
    """Put a backup into an empty database that is at the newest schema; returns the number of
    tables for play in it."""
    with tempfile.TemporaryDirectory(prefix="lampion-") as folder:
        # The backup itself stays as it is, even if it is of an older schema.
        copy = Path(folder) / "backup.db"
        shutil.copyfile(path, copy)
        _check(copy)
        sqlite.upgrade(copy)
        source = sqlite.engine_of(copy)
        with source.connect() as reading, engine.begin() as writing:
            if any(
                writing.execute(sa.select(table).limit(1)).first()
                for table in metadata.sorted_tables
            ):
                raise StorageFailed(
                    "a backup is restored into an empty database only",
                    code="database-not-empty",
                )
            _copy_rows(reading, writing)
            return (
                writing.scalar(
                    sa.select(sa.func.count()).select_from(metadata.tables["game_table"]),
                )
                or 0
            )


def _check(path: Path) -> None:
    engine = sqlite.engine_of(path)
    try:
        with engine.connect() as connection:
            verdict = connection.exec_driver_sql("PRAGMA integrity_check").scalar()
            known = sa.inspect(connection).has_table("alembic_version")
    except sa.exc.DatabaseError as problem:
        raise StorageFailed("this is not a backup of Lampion", code="not-a-database") from problem
    if verdict != "ok" or not known:
        raise StorageFailed(
            f"this is not a sound backup of Lampion: {verdict}",
            code="not-a-database",
        )


def _copy_rows(reading: sa.Connection, writing: sa.Connection) -> None:
    for table in metadata.sorted_tables:
        rows = reading.execution_options(yield_per=ROWS_AT_ONCE).execute(sa.select(table))
        for some in rows.mappings().partitions(ROWS_AT_ONCE):
            writing.execute(table.insert(), [dict(row) for row in some])


async def records(store: Store, record_of: RecordOf, page_size: int = 100) -> AsyncIterator[str]:
    """The records of all finished games; one whose log is damaged is left out."""
    after = ""
    while page := await store.finished_tables(page_size, after):
        seats = await store.seats_of([row.id for row in page])
        for row in page:
            try:
                yield record_of(row, seats[row.id], await store.read(row.id))
            except StorageFailed:
                raise
            except LampionError as problem:
                log.warning("table left out", extra={"table": row.id, "problem": problem.message})
        after = page[-1].id
