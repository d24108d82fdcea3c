"""What SQLite and PostgreSQL each do in their own way; everything else is written once, in portable
SQL with `?` for values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import sqlalchemy as sa

from lampion.server.store.base import News
from lampion.server.store.news import Told


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
        """Takes a JSON list of [table_id, seq, at_ms, actor, kind, payload, command_id,
        expected_seq] and inserts what follows right after `expected_seq` and collides with nothing;
        returns (table_id, seq) of what it inserted."""
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

    def may_repeat(self, problem: Exception) -> bool:
        """Whether another process was in the way: the same transaction may succeed next time."""
        ...

    def explain(self, problem: Exception) -> Exception:
        """The StorageFailed for an error of the driver; any other exception as it is."""
        ...

    def lock_tables(self, db: Connection, tables: Sequence[str]) -> None:
        """Until the end of the transaction, keep other processes from changing these tables."""
        ...

    def lock_person(self, db: Connection, person: str) -> None:
        """Until the end of the transaction, keep other processes from seating this person."""
        ...

    @property
    def carries_news(self) -> bool:
        """Whether `announce` reaches every process, this one included. If not, there is one."""
        ...

    def announce(self, db: Connection, sender: str, news: Sequence[Told]) -> None:
        """Tell every process, when the transaction commits."""
        ...

    def listen(self, heard: Callable[[list[News]], None], stopped: Callable[[], bool]) -> None:
        """Hear what is announced, until `stopped`; runs in a thread of its own. Reconnects for
        ever, and says LOST each time."""
        ...

    @property
    def scrubs_as_writer(self) -> bool:
        """Whether `scrub` must run on the connection that writes."""
        ...

    def scrub(self, db: Connection) -> bool:
        """Outside a transaction: one step towards leaving no bytes of what was deleted; True when
        there are none."""
        ...

    def sync(self) -> None:
        """Make durable what `scrub` did; outside the writer, since it may take long."""
        ...

    def disk_free(self) -> int | None: ...

    def backup(self, path: Path) -> None: ...

    def engine(self) -> sa.Engine:
        """For copying whole tables, while nothing else writes."""
        ...

    def close(self) -> None: ...
