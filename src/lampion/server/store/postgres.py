"""PostgreSQL: one URL, any number of server processes. The primary key of the log decides who was
first; NOTIFY carries news, which can be lost.

Each process holds a shared advisory lock with the connection that writes. A rollback of the schema
takes it exclusively, so it never happens under a server.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg import errors

from lampion.server.store import migrate, transfer
from lampion.server.store.backend import Connection, Cursor
from lampion.server.store.base import LOST, News, StorageFailed
from lampion.server.store.news import Told, payloads, unpacked
from lampion.server.store.sql import chunks, marks

log = logging.getLogger("lampion.store")

CHANNEL = "lampion_news"
SERVER_LOCK = 0x1A3911
"""Shared by servers, exclusive for care that needs them stopped."""
PATIENCE_WITH_SERVERS = "3s"
"""How long care waits for servers that are just going."""
LISTEN_FOR = 0.5
"""Seconds until the listener looks whether it should stop."""
SETTINGS: dict[str, Any] = {
    "connect_timeout": 5, "tcp_user_timeout": 10_000, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
}  # fmt: skip
"""A server that vanishes without a word is noticed within seconds (the second is in
milliseconds)."""

INSERT_EVENTS = """
    INSERT INTO event (table_id, seq, at_ms, actor, kind, payload, command_id)
    SELECT n ->> 0, (n ->> 1)::int, (n ->> 2)::bigint, (n ->> 3)::int, n ->> 4, n ->> 5, n ->> 6
    FROM json_array_elements(?::json) AS n
    WHERE (SELECT coalesce(max(e.seq), 0) FROM event AS e WHERE e.table_id = n ->> 0) = (n ->> 7)::int
    ON CONFLICT DO NOTHING RETURNING table_id, seq"""


class PostgresConnection:
    """Takes `?` for values, as SQLite does."""

    def __init__(self, url: str) -> None:
        self.raw = psycopg.connect(url, autocommit=True, application_name="lampion", **SETTINGS)

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Cursor:
        return self.raw.execute(_translated(sql), values)

    def close(self) -> None:
        self.raw.close()


@lru_cache
def _translated(sql: str) -> str:
    return sql.replace("?", "%s")


class PostgresBackend:
    insert_events = INSERT_EVENTS

    carries_news = True
    scrubs_as_writer = False

    def __init__(self, url: str, patience: float) -> None:
        self.url = url
        self.patience = patience
        try:
            self._revision = migrate.upgrade(engine_of(url))
        except sa.exc.DBAPIError as problem:
            raise explain(problem) from problem

    def connect(self) -> Connection:
        db = PostgresConnection(self.url)
        try:
            self._check(db)
        except BaseException:
            db.close()
            raise
        return db

    def _check(self, db: Connection) -> None:
        if not db.execute("SELECT pg_try_advisory_lock_shared(?)", (SERVER_LOCK,)).fetchone()[0]:
            message = "the database is being looked after; start again when that is done"
            raise StorageFailed(message, code="database-in-use")
        revision = db.execute("SELECT version_num FROM alembic_version").fetchone()[0]
        if revision != self._revision:
            message = f"the schema of the database is {revision} now; this process needs a restart"
            raise StorageFailed(message, code="schema-changed")

    def reader(self) -> Connection:
        return PostgresConnection(self.url)

    def is_lost(self, problem: Exception) -> bool:
        return is_lost(problem)

    def may_repeat(self, problem: Exception) -> bool:
        return isinstance(problem, errors.DeadlockDetected | errors.SerializationFailure)

    def explain(self, problem: Exception) -> Exception:
        return explain(problem)

    def lock_tables(self, db: Connection, tables: Sequence[str]) -> None:
        # Lighter than FOR UPDATE: rows that refer to the table may still be inserted.
        for some in chunks(tables):
            where = f"WHERE id IN ({marks(some)}) ORDER BY id"
            db.execute(f"SELECT 1 FROM game_table {where} FOR NO KEY UPDATE", some)

    def lock_person(self, db: Connection, person: str) -> None:
        # A seat refers to the person, and that waits for this lock.
        db.execute("SELECT 1 FROM person WHERE id = ? FOR UPDATE", (person,))

    def announce(self, db: Connection, sender: str, news: Sequence[Told]) -> None:
        for payload in payloads(sender, news):
            db.execute("SELECT pg_notify(?, ?)", (CHANNEL, payload))

    def listen(self, heard: Callable[[list[News]], None], stopped: Callable[[], bool]) -> None:
        while not stopped():
            try:
                self._listen_once(heard, stopped)
            except Exception as problem:
                # Any: a listener that ends would leave this process deaf for good.
                log.warning("the listener lost its connection", extra={"problem": str(problem)})
            if not stopped():
                time.sleep(LISTEN_FOR)

    def _listen_once(
        self,
        heard: Callable[[list[News]], None],
        stopped: Callable[[], bool],
    ) -> None:
        name = "lampion-news"
        with psycopg.connect(self.url, autocommit=True, application_name=name, **SETTINGS) as db:
            db.execute(f"LISTEN {CHANNEL}")
            heard([News("", LOST, "")])
            while not stopped():
                for notice in db.notifies(timeout=LISTEN_FOR):
                    heard(unpacked(notice.payload))

    def scrub(self, db: Connection) -> bool:
        db.execute("VACUUM person, token, seat, chat, mark, game_table, event")
        return True

    def sync(self) -> None:
        """PostgreSQL has done it."""

    def disk_free(self) -> int | None:
        return None

    def backup(self, path: Path) -> None:
        backup(self.url, path)

    def engine(self) -> sa.Engine:
        return engine_of(self.url)

    def close(self) -> None:
        """Nothing is held beside the connections."""


def engine_of(url: str) -> sa.Engine:
    def creator() -> psycopg.Connection[Any]:
        return psycopg.connect(url, **SETTINGS)

    return sa.create_engine("postgresql+psycopg://", creator=creator, poolclass=sa.NullPool)


def backup(url: str, path: Path) -> None:
    try:
        transfer.copy_to_sqlite(engine_of(url), path)
    except sa.exc.DBAPIError as problem:
        raise explain(problem) from problem


@contextmanager
def without_servers(url: str) -> Iterator[PostgresConnection]:
    """A connection while no server uses the database; raises StorageFailed if one does."""
    try:
        db = PostgresConnection(url)
    except psycopg.Error as problem:
        raise explain(problem) from problem
    try:
        _lock_out_servers(db)
        try:
            yield db
        finally:
            # Closing would not wait until PostgreSQL notices, and a server that starts now is refused.
            with suppress(psycopg.Error):
                db.execute("SELECT pg_advisory_unlock(?)", (SERVER_LOCK,))
    except (psycopg.Error, sa.exc.DBAPIError) as problem:
        raise explain(problem) from problem
    finally:
        db.close()


def _lock_out_servers(db: PostgresConnection) -> None:
    # PostgreSQL frees the lock of a server that has just been stopped a moment after it is gone.
    db.execute(f"SET lock_timeout = '{PATIENCE_WITH_SERVERS}'")
    try:
        db.execute("SELECT pg_advisory_lock(?)", (SERVER_LOCK,))
    except errors.LockNotAvailable as problem:
        message = "a server uses this database; stop it first"
        raise StorageFailed(message, code="database-in-use") from problem
    db.execute("RESET lock_timeout")


def is_lost(problem: Exception) -> bool:
    if isinstance(problem, errors.OperationalError):
        # Without a state the driver speaks, not the server; class 57P is the server going down or
        # coming up.
        return problem.sqlstate is None or problem.sqlstate.startswith(("08", "57P"))
    return isinstance(problem, errors.InterfaceError)


def explain(problem: Exception) -> Exception:
    if isinstance(problem, sa.exc.DBAPIError) and isinstance(problem.orig, Exception):
        problem = problem.orig
    if not isinstance(problem, psycopg.Error):
        return problem
    if is_lost(problem):
        return StorageFailed(f"PostgreSQL cannot be reached: {problem}", code="storage-unreachable")
    if isinstance(problem, errors.DiskFull):
        return StorageFailed("there is no space left for the database", code="storage-full")
    # Not the whole message: its details may quote a row.
    reason = problem.diag.message_primary or type(problem).__name__
    if isinstance(problem, errors.IntegrityError):
        return StorageFailed(f"the database refused a row: {reason}", code="storage-inconsistent")
    return StorageFailed(f"the database failed: {reason}", cause=problem.sqlstate)
