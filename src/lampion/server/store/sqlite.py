"""SQLite: one file, no set-up. Write-ahead log, every commit synced to the disk before it counts.

Exactly one connection of one process ever writes or checkpoints: the writer's. Two that do so at
the same instant can corrupt the file in all SQLite before 3.51.3 (sqlite.org/wal.html#walresetbug).
A lock file keeps other processes from becoming a second writer; readers open the file `mode=ro`.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO
from urllib.parse import quote

import sqlalchemy as sa

from lampion.server.store import migrate
from lampion.server.store.backend import Connection
from lampion.server.store.base import News, StorageFailed
from lampion.server.store.news import Told
from lampion.server.store.scrub import Scrubber

WAIT_FOR_LOCK = 10.0
"""Seconds. Only recovery after a crash and the final checkpoint ever lock the file."""

INSERT_EVENTS = """
    INSERT INTO event (table_id, seq, at_ms, actor, kind, payload, command_id)
    SELECT n.value ->> 0, n.value ->> 1, n.value ->> 2, n.value ->> 3, n.value ->> 4, n.value ->> 5, n.value ->> 6
    FROM json_each(?) AS n
    WHERE (SELECT coalesce(max(e.seq), 0) FROM event AS e WHERE e.table_id = n.value ->> 0) = n.value ->> 7
    ON CONFLICT DO NOTHING RETURNING table_id, seq"""


class SqliteBackend:
    insert_events = INSERT_EVENTS
    patience = 0.0
    carries_news = False
    scrubs_as_writer = True

    def __init__(self, path: Path, folder: TemporaryDirectory[str] | None = None) -> None:
        self._folder = folder
        # Not a link to it: all who lock the file, and SQLite with its log, must mean the same one.
        self.path = path.resolve()
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = _lock(self.path)
        self._scrubber = Scrubber(self.path)
        try:
            # The file holds seeds of running games: for its owner alone. SQLite gives its side
            # files the same mode.
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            upgrade(self.path)
        except BaseException:
            self._lock.close()
            raise

    def connect(self) -> Connection:
        db = _connect(self.path, writes=True)
        db.execute(f"PRAGMA wal_autocheckpoint={self._scrubber.checkpoint_at}")
        return db

    def reader(self) -> Connection:
        return _connect(self.path, writes=False)

    def is_lost(self, problem: Exception) -> bool:
        """After an error of the disk a connection may be of no more use; a new one heals."""
        return _error_name(problem).startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN"))

    def may_repeat(self, problem: Exception) -> bool:
        return False

    def explain(self, problem: Exception) -> Exception:
        return explain(problem)

    def lock_tables(self, db: Connection, tables: Sequence[str]) -> None:
        """There is no other process."""

    def lock_person(self, db: Connection, person: str) -> None:
        """There is no other process."""

    def announce(self, db: Connection, sender: str, news: Sequence[Told]) -> None:
        """There is no other process to tell."""

    def listen(self, heard: Callable[[list[News]], None], stopped: Callable[[], bool]) -> None:
        """There is no other process to hear."""

    def scrub(self, db: Connection) -> bool:
        return self._scrubber.step(db)

    def sync(self) -> None:
        os.fsync(self._scrubber.file.fileno())

    def disk_free(self) -> int | None:
        return shutil.disk_usage(self.path.parent).free

    def backup(self, path: Path) -> None:
        backup(self.path, path)

    def engine(self) -> sa.Engine:
        return engine_of(self.path)

    def close(self) -> None:
        self._scrubber.close()
        self._lock.close()
        if self._folder is not None:
            self._folder.cleanup()


def upgrade(path: Path) -> None:
    try:
        migrate.upgrade(engine_of(path))
    except sa.exc.DBAPIError as problem:
        raise explain(problem) from problem


@contextmanager
def without_server(path: Path) -> Iterator[None]:
    """While no server uses the file, nor can start; raises StorageFailed if one does."""
    with _lock(path.resolve()):
        yield


def compact(path: Path) -> None:
    """Rewrite the file: no free pages, and no byte of what was deleted. Nothing else may use it."""
    db = _connect(path, writes=True)
    try:
        db.execute("VACUUM")
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as problem:
        raise explain(problem) from problem
    finally:
        db.close()


def engine_of(path: Path) -> sa.Engine:
    """For migrations and for copying whole tables."""

    def creator() -> sqlite3.Connection:
        return _connect(path, writes=True)

    engine = sa.create_engine("sqlite://", creator=creator, poolclass=sa.NullPool)
    # Python's sqlite3 begins no transaction for a change of the schema; then a failed migration
    # would leave half of it.
    sa.event.listen(
        engine,
        "begin",
        lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"),
    )
    return engine


def backup(path: Path, target: Path) -> None:
    """A copy as of one moment. Readers never wait for the writer, nor it for them."""
    db = _connect(path, writes=False)
    try:
        db.execute("VACUUM INTO ?", (str(target),))
    except sqlite3.Error as problem:
        raise explain(problem) from problem
    finally:
        db.close()


def _connect(path: Path, *, writes: bool) -> sqlite3.Connection:
    uri = f"file:{quote(str(path))}?mode={'rw' if writes else 'ro'}"
    try:
        db = sqlite3.connect(
            uri,
            uri=True,
            isolation_level=None,
            timeout=WAIT_FOR_LOCK,
            check_same_thread=False,
        )
        # Its own knows only the letters of ASCII.
        db.create_function("lower", 1, _lower, deterministic=True)
        if writes:
            for setting in (
                "journal_mode=WAL",
                "synchronous=FULL",
                "foreign_keys=ON",
                "secure_delete=ON",
            ):
                db.execute(f"PRAGMA {setting}")
    except sqlite3.Error as problem:
        raise explain(problem) from problem
    return db


def _lower(text: str | None) -> str | None:
    return None if text is None else text.lower()


def _error_name(problem: Exception) -> str:
    return problem.sqlite_errorname if isinstance(problem, sqlite3.Error) else ""


def explain(problem: Exception) -> Exception:
    if isinstance(problem, sa.exc.DBAPIError) and isinstance(problem.orig, Exception):
        problem = problem.orig
    if not isinstance(problem, sqlite3.Error):
        return problem
    name = _error_name(problem)
    if name == "SQLITE_FULL":
        return StorageFailed("there is no space left for the database", code="storage-full")
    if name.startswith("SQLITE_CONSTRAINT"):
        return StorageFailed(f"the database refused a row: {problem}", code="storage-inconsistent")
    if name in ("SQLITE_NOTADB", "SQLITE_CORRUPT"):
        return StorageFailed(
            f"this is not a sound SQLite database: {problem}",
            code="not-a-database",
        )
    return StorageFailed(f"the database failed: {problem}", cause=name)


def _lock(path: Path) -> IO[bytes]:
    """Held until it is closed or the process ends, however it ends."""
    file = open(f"{path}.lock", "ab")  # noqa: SIM115
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        file.close()
        message = (
            "another process uses this SQLite database; several server processes need PostgreSQL"
        )
        raise StorageFailed(message, code="database-in-use", where=str(path)) from problem
    return file
