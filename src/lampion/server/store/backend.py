"""What SQLite and PostgreSQL each do in their own way; everything else is written once, in portable SQL with `?` for values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import sqlalchemy as sa

from lampion.server.store.base import Hint


class Cursor(Protocol):
    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> list[Any]: ...


class Connection(Protocol):
    """Commits every statement by itself, except between BEGIN and COMMIT."""

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Cursor: ...

    def close(self) -> None: ...


class Backend(Protocol):
    @property
    def insert_events(self) -> str:
        """Takes a JSON list of [table_id, seq, at_ms, actor, kind, payload, command_id, expected_seq] and inserts what follows
        right after `expected_seq` and collides with nothing; returns (table_id, seq) of what it inserted."""
        ...

    @property
    def patience(self) -> float:
        """Seconds that calls wait for a lost database to come back."""
        ...

    def connect(self) -> Connection:
        """The one connection that writes."""
        ...

    def reader(self) -> Connection: ...

    def is_lost(self, problem: Exception) -> bool:
        """Whether the connection is gone, rather than a statement refused."""
        ...

    def explain(self, problem: Exception) -> Exception:
        """The StorageFailed for an error of the driver; any other exception as it is."""
        ...

    def announce(self, db: Connection, written: dict[str, int]) -> None:
        """Tell other processes, when the transaction commits, how long these logs are now."""
        ...

    def listen(self, heard: Callable[[list[Hint]], None], stopped: Callable[[], bool]) -> None:
        """Hear what other processes announce, until `stopped`; runs in a thread of its own."""
        ...

    def scrub(self, db: Connection) -> None:
        """Outside a transaction: leave no bytes of what was deleted."""
        ...

    def backup(self, path: Path) -> None: ...

    def engine(self) -> sa.Engine:
        """For copying whole tables, while nothing else writes."""
        ...

    def close(self) -> None: ...
