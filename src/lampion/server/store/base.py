"""What the server keeps, and what any store must do with it. SQLite and PostgreSQL answer alike.

    log of a table     event 1, event 2, ... event n          append-only; `seq` counts from 1
    a reader           has seen n events, asks for `read(table, since=n)`
    a writer           has seen n events, asks for `append(table, n, events)`
                         nobody was quicker         -> Appended(n + len(events)), durable before it returns
                         the log is longer          -> Stale(its length): read on, decide anew
                         the command was done       -> Duplicate(seq of its event): answer as the first time

Several processes may append to one table: exactly one wins each place in the log. A hint from another process can be lost;
the log decides, so whoever watches a table asks for `lengths` now and then.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol, TypedDict, Unpack

import msgspec

from lampion.core.errors import LampionError

OPEN, RUNNING, FINISHED, STOPPED, QUARANTINED = "open", "running", "finished", "stopped", "quarantined"
"""The status of a table."""

SEAT_OPEN, SEAT_PERSON, SEAT_BOT, SEAT_LOCAL = "open", "person", "bot", "local"
"""The kinds of seat."""


class StorageFailed(LampionError):
    """The database could not do it. Codes: storage-full (no space; nothing was stored), storage-failed (an error of disk or
    database; nothing was stored), storage-unreachable (PostgreSQL is away; whether it was stored is unknown, so read the log),
    storage-inconsistent (a row names something that is not there), database-in-use, database-not-empty, not-a-database."""

    code = "storage-failed"


class NewEvent(msgspec.Struct, frozen=True):
    """An event to append. Names seats, never persons. At most one event of an append needs the `command_id`."""

    at_ms: int
    actor: int
    """A seat, or -1 for chance, or -2 for nobody."""
    kind: str
    payload: str
    command_id: str | None = None


class Event(msgspec.Struct, frozen=True):
    seq: int
    at_ms: int
    actor: int
    kind: str
    payload: str
    command_id: str | None = None


class Appended(NamedTuple):
    seq: int
    """Of the last event written: the new length of the log."""


class Stale(NamedTuple):
    seq: int
    """How long the log really is."""


class Duplicate(NamedTuple):
    seq: int
    """Of the event that the command made the first time."""


class TableRow(msgspec.Struct, frozen=True):
    id: str
    game: str
    players: int
    rules_version: int
    options: str
    """JSON."""
    public: bool
    pace: str
    """JSON."""
    status: str
    seed: str
    """Secret until the end."""
    commitment: str
    created_ms: int
    changed_ms: int
    next_table: str | None = None
    host: str | None = None


class TableChange(TypedDict, total=False):
    """The columns of a table that may change."""

    public: bool
    pace: str
    status: str
    seed: str
    commitment: str
    changed_ms: int
    next_table: str | None
    host: str | None


class RunningTable(NamedTuple):
    id: str
    game: str
    pace: str
    seq: int
    """The length of its log."""
    at_ms: int
    """When its last event was; for an empty log, when the table last changed."""


class SeatRow(msgspec.Struct, frozen=True):
    table_id: str
    seat: int
    kind: str
    person_id: str | None = None
    level: str | None = None
    name: str | None = None


class PersonRow(msgspec.Struct, frozen=True):
    id: str
    name: str
    created_ms: int
    seen_ms: int


class TokenRow(msgspec.Struct, frozen=True):
    hash: str
    """Of the secret, which is kept nowhere."""
    person_id: str
    kind: str
    """cookie, bot or link."""
    created_ms: int


class ChatLine(msgspec.Struct, frozen=True):
    number: int
    """Counts from 1 at each table."""
    at_ms: int
    person_id: str
    seat: int | None
    text: str


class Hint(NamedTuple):
    table: str
    """Empty: hints may have been lost, look at everything you watch."""
    seq: int


class Store(Protocol):
    """Every method raises StorageFailed when the database cannot do it. A cancelled call may still be carried out."""

    # The log

    async def append(
        self, table: str, expected_seq: int, events: Sequence[NewEvent], *, status: str | None = None
    ) -> Appended | Stale | Duplicate:
        """All events or none, right after event `expected_seq`. With a `status`, the table gets it in the same transaction
        (and `changed_ms` from the last event)."""
        ...

    async def read(self, table: str, since: int = 0) -> list[Event]: ...

    async def lengths(self, tables: Collection[str]) -> dict[str, int]:
        """How long these logs are; 0 for an empty or unknown one."""
        ...

    def hints(self) -> AsyncIterator[Hint]:
        """What other processes wrote; ends when the store is closed."""
        ...

    # Tables and seats

    async def create_table(self, row: TableRow, seats: Sequence[SeatRow]) -> None: ...

    async def table(self, table: str) -> TableRow | None: ...

    async def update_table(self, table: str, *, expect_status: str | None = None, **columns: Unpack[TableChange]) -> bool:
        """False if there is no such table, or its status is not the expected one."""
        ...

    async def seats(self, table: str) -> list[SeatRow]:
        """In the order of the seats."""
        ...

    async def seats_of(self, tables: Collection[str]) -> dict[str, list[SeatRow]]: ...

    async def set_seat(self, row: SeatRow, *, expect_kind: str, expect_person: str | None = None) -> bool:
        """Compare and set: False, and nothing changed, if the seat is not (or no longer) of that kind and person."""
        ...

    async def public_tables(self, limit: int, status: str = OPEN) -> list[TableRow]:
        """The last changed first."""
        ...

    async def tables_of(self, person: str, limit: int) -> list[TableRow]:
        """The tables at which the person sits or which the person hosts; the last changed first."""
        ...

    async def running_tables(self) -> list[RunningTable]: ...

    async def finished_tables(self, limit: int, after: str = "") -> list[TableRow]:
        """Ordered by id, those behind the id `after`: page by page through all of them."""
        ...

    # Persons

    async def add_person(self, row: PersonRow) -> None: ...

    async def person(self, person: str) -> PersonRow | None: ...

    async def rename(self, person: str, name: str) -> None:
        """Also in all seats of the person."""
        ...

    async def saw_person(self, person: str, at_ms: int) -> None: ...

    async def delete_person(self, person: str) -> None:
        """Name, tokens, chat and the links from seats are gone for good; the games stay. SQLite rewrites its file for that, and
        other writes wait meanwhile. A seat keeps its kind: in a running game, first give it to a bot."""
        ...

    async def add_token(self, row: TokenRow) -> None: ...

    async def person_of_token(self, token_hash: str) -> PersonRow | None: ...

    async def tokens(self, person: str) -> list[TokenRow]: ...

    async def drop_token(self, token_hash: str) -> None: ...

    async def take_token(self, token_hash: str, kind: str) -> TokenRow | None:
        """Drop a token that works once, and say whose it was; of two who try at the same time only one is told."""
        ...

    async def drop_tokens(self, person: str, *, keep: str = "") -> None:
        """All tokens of the person but the one with the hash `keep`."""
        ...

    # Chat

    async def add_chat(self, table: str, at_ms: int, person: str, seat: int | None, text: str) -> ChatLine: ...

    async def chat(self, table: str, since: int = 0, limit: int = 200) -> list[ChatLine]:
        """The last `limit` lines behind number `since`, in order."""
        ...

    # Processes and care

    async def beat(self, process: str, now_ms: int) -> None: ...

    async def other_processes(self, process: str, since_ms: int) -> list[str]:
        """Those that have beaten since then."""
        ...

    async def backup(self, path: Path) -> None:
        """Everything, as of one moment, into a new SQLite file; play goes on meanwhile. `restore` reads it into either store."""
        ...

    async def close(self) -> None:
        """Waits for what is under way. Calls after it raise StorageFailed."""
        ...
