"""What operators ask for and get. Each operation takes one of the requests and gives one reply.

No reply has a field for a seed, an invitation, the hash of a key or what a seat holds.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from lampion.server.store.base import NoticeKind, NoticeState, SeatKind, TableStatus, WayKind
from lampion.server.wire.incoming import Pace, Strict, TableId
from lampion.server.wire.outgoing import Announcement, Result

# --- small words ---

Reason = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=300,
        description="kept in the audit log for good, so write no names",
    ),
]
SearchText = Annotated[str, Meta(max_length=60)]
Limit = Annotated[int, Meta(ge=1, le=200)]
PersonId = Annotated[str, Meta(min_length=1, max_length=60)]
ShortId = Annotated[str, Meta(min_length=1, max_length=60)]
Label = Annotated[str, Meta(min_length=1, max_length=60)]
Seconds = Annotated[int, Meta(ge=1, le=10 * 366 * 24 * 3600)]
Milliseconds = Annotated[int, Meta(ge=0, le=2**52)]

# --- requests ---


class NoDetails(Strict):
    """Nothing more needs to be said."""


class FindTables(Strict):
    """The text is the beginning of an id or a part of a seat's name."""

    text: SearchText = ""
    status: TableStatus | None = None
    game: SearchText | None = None
    limit: Limit = 50
    after: SearchText = ""
    """Those after this id: the next page."""


class FindPeople(Strict):
    """The text is the beginning of an id or a part of the name."""

    text: SearchText = ""
    limit: Limit = 50
    after: SearchText = ""


class OneTable(Strict):
    table: TableId


class OneTableWithReason(Strict):
    table: TableId
    reason: Reason


class OnePerson(Strict):
    person: PersonId


class OnePersonWithReason(Strict):
    person: PersonId
    reason: Reason


class NewSanction(Strict):
    """Without `for_seconds` and `until_ms` it holds until it is lifted."""

    what: Literal["ban", "mute"]
    subject: Annotated[str, Meta(min_length=1, max_length=60)]
    """The id of a person, or an address."""
    reason: Reason
    """Shown to the person, too."""
    for_seconds: Seconds | None = None
    until_ms: Milliseconds | None = None


class Lift(Strict):
    sanction: ShortId


class FindSanctions(Strict):
    subject: Annotated[str, Meta(max_length=60)] | None = None
    over: bool = False
    """Whether to list those that are over or lifted, too."""
    limit: Limit = 100


class Announce(Strict):
    """Replaces what was announced before; without a text nothing is announced any more."""

    text: Annotated[str, Meta(min_length=1, max_length=300)] | None
    for_seconds: Seconds | None = None


class Drain(Strict):
    on: bool = True
    process: Annotated[str, Meta(max_length=200)] | None = None
    """The name of one process, or its beginning; all that run now if it is not given."""


class NewKey(Strict):
    label: Label
    for_seconds: Seconds | None = None


class RevokeKey(Strict):
    key: ShortId
    """Its id, or its label if only one key has it."""


class ReadAudit(Strict):
    limit: Limit = 50
    before_ms: Milliseconds | None = None


class FindNotices(Strict):
    """Notices in the outbox, the newest first."""

    state: NoticeState | None = None
    limit: Limit = 50


class RetryNotices(Strict):
    """One that failed, or all of them."""

    notice: Annotated[str, Meta(max_length=120)] | None = None


# --- replies ---


class Completed(Struct):
    """It is done, and every process has been told."""


class SeatLine(Struct):
    kind: SeatKind
    name: str | None
    level: str | None


class TableLine(Struct):
    id: str
    game: str
    status: TableStatus
    public: bool
    seats: list[SeatLine]
    created_ms: int
    changed_ms: int
    problem: str | None
    """Why it is quarantined."""


class TableLines(Struct):
    tables: list[TableLine]
    more: bool
    """Whether there are more after the last one."""


class TableSeat(Struct):
    seat: int
    kind: SeatKind
    name: str | None
    person: str | None
    level: str | None
    stand_in: str | None
    connected: bool
    resigned: bool
    out_of_time: bool


class TableDetails(Struct):
    """Everything about a table but what its players hide from each other and say to each other."""

    id: str
    game: str
    rules_version: int
    status: TableStatus
    public: bool
    options: dict[str, str]
    pace: Pace
    host: str | None
    seats: list[TableSeat]
    ply: int | None
    """None if the log cannot be read."""
    actors: list[int]
    watching: int
    events: int
    """The length of the log."""
    chat_lines: int
    result: Result | None
    commitment: str
    created_ms: int
    changed_ms: int
    previous_table: str | None
    next_table: str | None
    problem: str | None


class ChatText(Struct):
    number: int
    at_ms: int
    person: str
    seat: int | None
    text: str


class ChatTexts(Struct):
    lines: list[ChatText]


class PersonLine(Struct):
    id: str
    name: str
    created_ms: int
    seen_ms: int
    banned: bool
    muted: bool


class PersonLines(Struct):
    people: list[PersonLine]
    more: bool


class SanctionLine(Struct):
    id: str
    what: Literal["ban", "mute"]
    kind: Literal["person", "address"]
    subject: str
    reason: str
    created_ms: int
    until_ms: int | None
    lifted_ms: int | None
    in_force: bool


class SanctionLines(Struct):
    sanctions: list[SanctionLine]


class PersonDetails(Struct):
    id: str
    name: str
    created_ms: int
    seen_ms: int
    address: str | None
    """Where the process that answers last saw the person; it is not stored."""
    tables: list[TableLine]
    """The last changed."""
    sanctions: list[SanctionLine]


class Retried(Struct):
    status: TableStatus


class Pruned(Struct):
    """How many were removed: expired codes, abandoned tables, guests who never came back."""

    codes: int
    tables: int
    people: int


class ProcessLine(Struct):
    id: str
    url: str | None
    seen_ms: int
    draining: bool
    answers: bool
    """Whether this is the process that gave this reply."""


class ProcessLines(Struct):
    processes: list[ProcessLine]


class KeyLine(Struct):
    id: str
    label: str
    created_ms: int
    expires_ms: int | None
    expired: bool


class KeyLines(Struct):
    keys: list[KeyLine]


class MadeKey(Struct):
    """A new admin key. The secret is shown only now; of it only a hash is kept."""

    id: str
    label: str
    secret: str
    expires_ms: int | None


class AuditLine(Struct):
    id: str
    at_ms: int
    actor: str
    action: str
    subject: str
    details: str
    """JSON."""


class AuditLines(Struct):
    entries: list[AuditLine]


class NoticeLine(Struct):
    """A notice in the outbox: to whom, about what, how far. Neither the address nor the words."""

    id: str
    kind: NoticeKind
    way: WayKind
    person: str
    table: str
    state: NoticeState
    created_ms: int
    due_ms: int
    sent_ms: int | None
    attempts: int
    problem: str | None


class NoticeLines(Struct):
    notices: list[NoticeLine]


class RetriedNotices(Struct):
    count: int


class ServerStatus(Struct):
    version: str
    process: str
    """The process that answers; empty if no server is running."""
    processes: int
    draining: list[str]
    announcement: Announcement | None
    tables: dict[str, int]
    """How many tables there are of each status."""
    in_memory: int
    sockets: int
    waiting: int
    """How many pieces of work wait for a core."""
    preparing: list[str]
    troubles: list[str]
    sanctions: int
    """How many bans and mutes are in force."""
    disk_free: int | None
    notices: dict[str, int]
    """How many notices are in the outbox, by state."""
