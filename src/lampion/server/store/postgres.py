"""PostgreSQL: one URL, any number of server processes. The primary key of the log decides who was first; NOTIFY is only a hint."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa
from psycopg import errors

from lampion.server.store import migrate, transfer
from lampion.server.store.backend import Connection, Cursor
from lampion.server.store.base import Hint, StorageFailed

CHANNEL = "lampion_log"
LONGEST_PAYLOAD = 7900
"""Bytes; PostgreSQL allows 8000."""
LISTEN_FOR = 0.5
"""Seconds until the listener looks whether it should stop."""
SETTINGS: dict[str, Any] = {
    "connect_timeout": 5, "tcp_user_timeout": 10_000, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
}  # fmt: skip
"""A server that vanishes without a word is noticed within seconds (the second is in milliseconds)."""

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

    def __init__(self, url: str, patience: float) -> None:
        self.url = url
        self.patience = patience
        self._name = secrets.token_hex(8)
        """Tells our own announcements from those of others."""
        try:
            migrate.upgrade(engine_of(url))
        except sa.exc.DBAPIError as problem:
            raise explain(problem) from problem

    def connect(self) -> Connection:
        return PostgresConnection(self.url)

    reader = connect

    def is_lost(self, problem: Exception) -> bool:
        return is_lost(problem)

    def explain(self, problem: Exception) -> Exception:
        return explain(problem)

    def announce(self, db: Connection, written: dict[str, int]) -> None:
        for payload in _payloads(self._name, written):
            db.execute("SELECT pg_notify(?, ?)", (CHANNEL, payload))

    def listen(self, heard: Callable[[list[Hint]], None], stopped: Callable[[], bool]) -> None:
        while not stopped():
            with suppress(psycopg.Error):
                self._listen_once(heard, stopped)
            if not stopped():
                time.sleep(LISTEN_FOR)

    def _listen_once(self, heard: Callable[[list[Hint]], None], stopped: Callable[[], bool]) -> None:
        with psycopg.connect(self.url, autocommit=True, application_name="lampion-hints", **SETTINGS) as db:
            db.execute(f"LISTEN {CHANNEL}")
            heard([Hint("", 0)])
            while not stopped():
                for notice in db.notifies(timeout=LISTEN_FOR):
                    name, *pairs = notice.payload.split()
                    if name != self._name:
                        heard([Hint(table, int(seq)) for table, _, seq in (pair.rpartition(":") for pair in pairs)])

    def scrub(self, db: Connection) -> None:
        db.execute("VACUUM person, token, seat, chat, game_table")

    def backup(self, path: Path) -> None:
        backup(self.url, path)

    def engine(self) -> sa.Engine:
        return engine_of(self.url)

    def close(self) -> None:
        """Nothing is held beside the connections."""


def _payloads(name: str, written: dict[str, int]) -> Iterator[str]:
    payload = name
    for table, seq in written.items():
        pair = f" {table}:{seq}"
        if len(payload) + len(pair) > LONGEST_PAYLOAD:
            yield payload
            payload = name
        payload += pair
    yield payload


def engine_of(url: str) -> sa.Engine:
    def creator() -> psycopg.Connection[Any]:
        return psycopg.connect(url, **SETTINGS)

    return sa.create_engine("postgresql+psycopg://", creator=creator, poolclass=sa.NullPool)


def backup(url: str, path: Path) -> None:
    try:
        transfer.copy_to_sqlite(engine_of(url), path)
    except sa.exc.DBAPIError as problem:
        raise explain(problem) from problem


def is_lost(problem: Exception) -> bool:
    if isinstance(problem, errors.OperationalError):
        # Without a state the driver speaks, not the server; class 57P is the server going down or coming up.
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
