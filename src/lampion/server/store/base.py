"""What the server keeps, and what any store must do with it. SQLite and PostgreSQL answer alike.

    log of a table     event 1, event 2, ... event n      append-only; `seq` counts from 1
    a reader           has seen n events, asks for `read(table, since=n)`
    a writer           has seen n events, asks for `append(table, n, events)`
                         was first             -> Appended(n + len(events)), durable already
                         the log is longer     -> Stale(its length): read on, decide anew
                         the command was done  -> Duplicate(seq of its event): answer as before
                         the seat is not free  -> SeatTaken(who sits there): nothing was written

Several processes may append to one table: exactly one wins each place in the log. News from
another process can be lost, and then the listener says so; the log decides.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple, Protocol, TypedDict, Unpack, overload

import msgspec

from lampion.core.errors import LampionError


class TableStatus(StrEnum):
    OPEN = "open"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    QUARANTINED = "quarantined"


class SeatKind(StrEnum):
    OPEN = "open"
    PERSON = "person"
    BOT = "bot"
    LOCAL = "local"


class TokenKind(StrEnum):
    COOKIE = "cookie"
    BOT = "bot"
    LINK = "link"


class Mark(StrEnum):
    """What is noted about a person and a table, beside the seats."""

    HIDDEN = "hidden"
    """The person does not want to see it in lists any more."""
    REMOVED = "removed"
    """The host has removed the person from the table."""


class StorageFailed(LampionError):
    """The database could not do it. Codes: storage-full (no space; nothing was stored),
    storage-failed (an error of disk or database; nothing was stored), storage-unreachable
    (PostgreSQL is away; whether it was stored is unknown, so read the log), storage-inconsistent
    (a row names something that is not there), storage-closed, news-too-long, schema-changed (the
    database was rolled back under a running server), database-in-use, database-not-empty,
    database-too-new, not-a-database."""

    code = "storage-failed"


class NewEvent(msgspec.Struct, frozen=True):
    """An event to append. Names seats, never persons. At most one event of an append needs the
    `command_id`."""

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


class SeatRow(msgspec.Struct, frozen=True):
    table_id: str
    seat: int
    kind: SeatKind
    person_id: str | None = None
    level: str | None = None
    name: str | None = None


class Appended(NamedTuple):
    seq: int
    """Of the last event written: the new length of the log."""
    seat: SeatRow | None = None
    """The seat as stored, if the append changed one; its name may have got a number."""


class Stale(NamedTuple):
    seq: int
    """How long the log really is."""


class Duplicate(NamedTuple):
    seq: int
    """Of the event that the command made the first time."""


class SeatTaken(NamedTuple):
    seat: SeatRow | None
    """The seat as it is; None if there is no such seat."""


Outcome = Appended | Stale | Duplicate | SeatTaken

SeatChange = tuple[SeatRow, SeatKind, str | None]
"""The new row, and the kind and person that the seat must have before."""


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
    status: TableStatus
    seed: str
    """Secret until the end."""
    commitment: str
    created_ms: int
    changed_ms: int
    next_table: str | None = None
    host: str | None = None
    previous_table: str | None = None
    problem: str | None = None
    """Why the table is quarantined."""


class TableChange(TypedDict, total=False):
    """The columns of a table that may change."""

    public: bool
    pace: str
    status: TableStatus
    seed: str
    commitment: str
    changed_ms: int
    next_table: str | None
    host: str | None
    previous_table: str | None
    problem: str | None


class RunningTable(NamedTuple):
    id: str
    game: str
    pace: str
    seq: int
    """The length of its log."""
    at_ms: int
    """When its last event was; for an empty log, when the table last changed."""


class PersonRow(msgspec.Struct, frozen=True):
    id: str
    name: str
    created_ms: int
    seen_ms: int


class TokenRow(msgspec.Struct, frozen=True):
    hash: str
    """Of the secret, which is kept nowhere."""
    person_id: str
    kind: TokenKind
    created_ms: int
    expires_ms: int | None = None
    """The first moment at which it no longer works."""


class ChatLine(msgspec.Struct, frozen=True):
    number: int
    """Counts from 1 at each table."""
    at_ms: int
    person_id: str
    seat: int | None
    text: str


class SpokenLine(NamedTuple):
    """A line of chat and the present name of the person who wrote it."""

    line: ChatLine
    name: str


class ProcessRow(msgspec.Struct, frozen=True):
    id: str
    seen_ms: int
    url: str | None = None
    """Where other processes reach it."""


class SanctionRow(msgspec.Struct, frozen=True):
    id: str
    what: str
    """ban or mute."""
    kind: str
    """person or address."""
    subject: str
    reason: str
    created_ms: int
    until_ms: int | None = None
    lifted_ms: int | None = None


class AuditRow(msgspec.Struct, frozen=True):
    id: str
    at_ms: int
    actor: str
    action: str
    subject: str
    details: str


class AdminKeyRow(msgspec.Struct, frozen=True):
    hash: str
    label: str
    created_ms: int
    expires_ms: int | None = None


# News between processes

LOG = "log"
"""The kind of news about events that another process appended; `data` is a LogNews."""
LOST = "lost"
"""The kind of news that says: earlier news may be missing, look at everything again."""

LONGEST_NEWS = 7000
"""Bytes of one news as JSON. PostgreSQL carries 8000 in one message."""


class News(msgspec.Struct, frozen=True, array_like=True):
    sender: str
    """The `process` of the store that told it."""
    kind: str
    """LOG, LOST, or a kind of the callers'."""
    about: str
    """A table, a person, a process, ..."""
    data: str = ""


class LogNews(msgspec.Struct, frozen=True):
    seq: int
    """The new length of the log, which is the `seq` of the last event."""
    events: list[Event] | None
    """What was appended, just as `read` returns it; None if it was too long to be told."""


_EventNews = tuple[int, int, str, str, str | None]
_LogNews = tuple[int, list[_EventNews] | None]


def encode_log_news(news: LogNews) -> str:
    """Short: the events of an append follow each other, so only the last `seq` is written."""
    told: list[_EventNews] | None = None
    if news.events is not None:
        told = [(e.at_ms, e.actor, e.kind, e.payload, e.command_id) for e in news.events]
    return msgspec.json.encode((news.seq, told)).decode()


def decode_log_news(data: str) -> LogNews:
    seq, told = msgspec.json.decode(data, type=_LogNews)
    if told is None:
        return LogNews(seq, None)
    return LogNews(seq, [Event(n, *rest) for n, rest in enumerate(told, seq - len(told) + 1)])


class Store(Protocol):
    """Every method raises StorageFailed when the database cannot do it. A cancelled call may still
    be carried out."""

    @property
    def process(self) -> str:
        """The name of this process (host, process id and something random), new for each store."""
        ...

    # The log

    @overload
    async def append(
        self,
        table: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        *,
        status: TableStatus | None = None,
        seat: None = None,
    ) -> Appended | Stale | Duplicate: ...

    @overload
    async def append(
        self,
        table: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        *,
        status: TableStatus | None = None,
        seat: SeatChange | None,
    ) -> Outcome: ...

    async def append(
        self,
        table: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        *,
        status: TableStatus | None = None,
        seat: SeatChange | None = None,
    ) -> Outcome:
        """All events or none, right after event `expected_seq`. With a `status`, the table gets it
        in the same transaction (and `changed_ms` from the last event). With a `seat`, that seat
        changes in the same transaction, or nothing does (see `set_seat`)."""
        ...

    async def read(self, table: str, since: int = 0) -> list[Event]: ...

    async def lengths(self, tables: Collection[str]) -> dict[str, int]:
        """How long these logs are; 0 for an empty or unknown one."""
        ...

    # News between processes

    async def tell(self, news: Sequence[tuple[str, str, str]]) -> None:
        """Tell (kind, about, data) to every process, this one included. Each is at most
        LONGEST_NEWS bytes long. Returns when the database has taken it, not when others heard it.
        """
        ...

    def news(self) -> AsyncIterator[News]:
        """What processes told, in order, and what other processes appended. A LOST comes first and
        whenever news may be missing (on SQLite, with its single process, only when a reader of
        news is too slow). Ends when the store is closed."""
        ...

    # Tables and seats

    async def create_table(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        *,
        after: str | None = None,
    ) -> str:
        """Returns the id of the table. With `after`, it becomes the next table of that one, unless
        that one has a next table already: then nothing is stored, and its id is returned. Names of
        seats are made unique as in `set_seat`."""
        ...

    async def table(self, table: str) -> TableRow | None: ...

    async def update_table(
        self,
        table: str,
        *,
        expect_status: TableStatus | None = None,
        **columns: Unpack[TableChange],
    ) -> bool:
        """False if there is no such table, or its status is not the expected one."""
        ...

    async def seats(self, table: str) -> list[SeatRow]:
        """In the order of the seats."""
        ...

    async def seats_of(self, tables: Collection[str]) -> dict[str, list[SeatRow]]: ...

    async def set_seat(
        self,
        row: SeatRow,
        *,
        expect_kind: SeatKind,
        expect_person: str | None = None,
    ) -> SeatRow | None:
        """Compare and set; returns the seat as stored. None, and nothing changed, if the seat is
        not (or no longer) of that kind and person. If another seat of the table has the same name
        but for upper and lower case, the new name gets a number: Ada 2."""
        ...

    async def public_tables(
        self,
        limit: int,
        status: TableStatus = TableStatus.OPEN,
    ) -> list[TableRow]:
        """The last changed first."""
        ...

    async def tables_of(self, person: str, limit: int) -> list[TableRow]:
        """The tables at which the person sits or which the person hosts; the last changed first."""
        ...

    async def running_tables(self) -> list[RunningTable]: ...

    async def finished_tables(self, limit: int, after: str = "") -> list[TableRow]:
        """Ordered by id, those behind the id `after`: page by page through all of them."""
        ...

    async def search_tables(
        self,
        *,
        status: TableStatus | None = None,
        game: str | None = None,
        text: str = "",
        limit: int = 50,
        after: str = "",
    ) -> list[TableRow]:
        """Ordered by id, those behind the id `after`. The text is the beginning of an id or a part
        of a seat's name, in upper or lower case."""
        ...

    async def count_tables(self) -> dict[TableStatus, int]:
        """With every status, even if there is no such table."""
        ...

    async def count_tables_of(self, person: str, statuses: Collection[TableStatus]) -> int:
        """How many tables in these statuses the person hosts."""
        ...

    async def tables_unchanged_since(
        self,
        status: TableStatus,
        before_ms: int,
        limit: int,
    ) -> list[str]:
        """Tables of this status that neither changed nor got an event at or after `before_ms`."""
        ...

    async def delete_table(self, table: str) -> bool:
        """With its log, chat and seats. False if there is no such table."""
        ...

    async def mark(self, table: str, person: str, kind: Mark) -> None:
        """Once is enough; a second time changes nothing."""
        ...

    async def marked_people(self, table: str, kind: Mark) -> set[str]: ...

    async def marked_tables(self, person: str, kind: Mark) -> set[str]: ...

    # Persons

    async def add_person(self, row: PersonRow) -> None: ...

    async def person(self, person: str) -> PersonRow | None: ...

    async def rename(self, person: str, name: str) -> None:
        """Also in all seats of the person; there, the name may get a number as in `set_seat`."""
        ...

    async def saw_person(self, person: str, at_ms: int) -> None: ...

    async def search_people(self, text: str, limit: int = 50, after: str = "") -> list[PersonRow]:
        """Ordered by id, those behind the id `after`. The text is the beginning of an id or a part
        of the name, in upper or lower case."""
        ...

    async def people_unseen_since(self, before_ms: int, limit: int) -> list[str]:
        """Persons last seen before then who have no seat at an open or running table."""
        ...

    async def delete_person(self, person: str) -> None:
        """Name, tokens, chat and the links from seats are gone; the games stay. The bytes may stay
        in the files until `scrub` is done. A seat keeps its kind: in a running game, first give it
        to a bot."""
        ...

    async def delete_people(self, people: Sequence[str]) -> None:
        """A few at a time: other writes never wait long."""
        ...

    async def add_token(self, row: TokenRow) -> None: ...

    async def person_of_token(
        self,
        token_hash: str,
        kinds: Collection[TokenKind],
        now_ms: int,
    ) -> PersonRow | None:
        """None if the token is of another kind or has expired."""
        ...

    async def tokens(self, person: str) -> list[TokenRow]: ...

    async def drop_token(self, token_hash: str) -> None: ...

    async def take_token(self, token_hash: str, kind: TokenKind, now_ms: int) -> TokenRow | None:
        """Drop a token that works once, and return it unless it has expired. Of two callers at the
        same time only one gets it."""
        ...

    async def drop_tokens(self, person: str, *, keep: str = "") -> None:
        """All tokens of the person but the one with the hash `keep`."""
        ...

    async def drop_expired_tokens(self, now_ms: int) -> int:
        """Returns how many there were."""
        ...

    # Chat

    async def add_chat(
        self,
        table: str,
        at_ms: int,
        person: str,
        seat: int | None,
        text: str,
    ) -> ChatLine: ...

    async def chat(self, table: str, since: int = 0, limit: int = 200) -> list[SpokenLine]:
        """The last `limit` lines behind number `since`, in order."""
        ...

    # Operators

    async def add_sanction(self, row: SanctionRow) -> None: ...

    async def lift_sanction(self, sanction: str, at_ms: int) -> bool:
        """False if there is no such sanction, or it was lifted before."""
        ...

    async def active_sanctions(self, now_ms: int) -> list[SanctionRow]:
        """Neither over nor lifted; the oldest first."""
        ...

    async def sanctions(self, limit: int, subject: str | None = None) -> list[SanctionRow]:
        """All, or those of one subject; the newest first."""
        ...

    async def add_audit(self, row: AuditRow) -> None:
        """Cannot be changed or deleted afterwards: the database itself refuses."""
        ...

    async def audit_log(self, limit: int, before_ms: int | None = None) -> list[AuditRow]:
        """The newest first."""
        ...

    async def add_admin_key(self, row: AdminKeyRow) -> None: ...

    async def admin_key(self, key_hash: str, now_ms: int) -> AdminKeyRow | None:
        """None if there is no such key or it has expired."""
        ...

    async def admin_keys(self) -> list[AdminKeyRow]:
        """The oldest first, expired ones included."""
        ...

    async def drop_admin_key(self, key_hash: str) -> bool:
        """False if there is no such key."""
        ...

    async def setting(self, name: str) -> str | None: ...

    async def set_setting(self, name: str, value: str | None) -> None:
        """None removes it."""
        ...

    # Processes and care

    async def beat(self, process: str, now_ms: int, url: str | None = None) -> None: ...

    async def other_processes(self, process: str, since_ms: int) -> list[str]:
        """Those that have beaten since then."""
        ...

    async def processes(self, since_ms: int) -> list[ProcessRow]:
        """All that have beaten since then, this one included; ordered by name."""
        ...

    async def scrub(self) -> bool:
        """Take one short step towards leaving no byte of what was deleted in the files. Call it
        now and then until it returns True: nothing is left to do."""
        ...

    async def disk_free(self) -> int | None:
        """Bytes left where the database lies; None if that is on another machine."""
        ...

    async def ping(self) -> None:
        """Returns after a round trip of both the writer and a reader."""
        ...

    async def backup(self, path: Path) -> None:
        """Everything, as of one moment, into a new SQLite file; play goes on meanwhile. `restore`
        reads it into either store."""
        ...

    async def close(self) -> None:
        """Waits for what is under way. Calls after it raise StorageFailed."""
        ...
