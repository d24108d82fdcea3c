"""What the server keeps, and what any store must do with it. SQLite and PostgreSQL answer alike.

    log of a table     event 1, event 2, ... event n      append-only; `seq` counts from 1
    a reader           has seen n events, asks for `read(table, since=n)`
    a writer           has seen n events, asks for `append(table, n, events)`
                         was first             -> Appended(n + len(events)), durable already
                         the log is longer     -> Stale(its length): read on, decide again
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
    MERGE = "merge"


class Mark(StrEnum):
    """What is noted about a person and a table, beside the seats."""

    HIDDEN = "hidden"
    """The person does not want to see it in lists any more."""
    REMOVED = "removed"
    """The host has removed the person from the table."""
    INVITED = "invited"
    """The host has asked the person, whom they have played with, to take an open seat."""
    MUTED = "muted"
    """The person wants no notifications about it."""


class WayKind(StrEnum):
    """How a notification reaches a person who is not here."""

    PUSH = "push"
    MAIL = "mail"
    WEBHOOK = "webhook"


class NoticeKind(StrEnum):
    TURN = "turn"
    INVITED = "invited"
    OVER = "over"
    SOON = "soon"
    """Little time is left for a move."""
    ASKED = "asked"
    """A seat asks for consent: undo, stop, pause."""


class NoticeState(StrEnum):
    WAITING = "waiting"
    SENT = "sent"
    SEEN = "seen"
    """The person looked at the table before it was sent."""
    SETTLED = "settled"
    """What it tells is no longer so: the turn is over, the question answered."""
    FAILED = "failed"
    """The last try failed; an operator can have it tried again."""


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


class Notice(NamedTuple):
    """Something to tell a person about a table, by every way out that the person has chosen."""

    person: str
    kind: NoticeKind
    due_ms: int
    ply: int = 0


class Settled(NamedTuple):
    """Notices of these kinds about a table tell nothing new any more; to nobody, or to one."""

    kinds: tuple[NoticeKind, ...]
    person: str | None = None


class Calls(NamedTuple):
    """What an append means for people who are not here; stored in the same transaction."""

    notices: Sequence[Notice] = ()
    settled: Sequence[Settled] = ()


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
    label: str | None = None
    """What kind of device has it, in a few words."""
    seen_ms: int | None = None
    """When it was last used, to the hour."""


class RecoveryRow(msgspec.Struct, frozen=True):
    """How a person comes back who has lost all devices."""

    person_id: str
    name: str
    """The part of the phrase by which it is found."""
    salt: str
    hash: str
    """Of the secret part of the phrase, which is kept nowhere."""
    created_ms: int
    kept_ms: int | None = None
    """When the person said that they have written it down."""


class PasskeyRow(msgspec.Struct, frozen=True):
    id: str
    """The credential id, as base64url."""
    person_id: str
    public_key: str
    sign_count: int
    label: str
    created_ms: int
    used_ms: int | None = None


class ChallengeRow(msgspec.Struct, frozen=True):
    """What a passkey must sign, once, before it expires."""

    hash: str
    purpose: str
    person_id: str | None
    """The person who adds a passkey; None for signing in."""
    expires_ms: int


class OutcomeRow(msgspec.Struct, frozen=True):
    """How a game ended: a cache of what its log tells."""

    table_id: str
    ended_ms: int
    reason: str
    scores: str
    """JSON, like the others."""
    placements: str
    winners: str


MOST_EXERCISES = 200
"""How many a person may have; when there are more, suspended ones go."""


class ExerciseRow(msgspec.Struct, frozen=True):
    """A decision that a person wants to make better. The record it is from is stored beside it and
    read only when it is needed."""

    person_id: str
    id: str
    """Of the same decision in the same game always the same."""
    game: str
    players: int
    seat: int
    ply: int
    judged: str
    """JSON: what it was found to cost, when it was kept."""
    created_ms: int
    due_ms: int
    memory: str | None = None
    """JSON: what the schedule knows; None before the first answer."""
    suspended_ms: int | None = None
    """Since when it does not come back."""


class Companion(NamedTuple):
    """Another person at one of my tables."""

    table_id: str
    seat: int
    person_id: str
    name: str
    game: str
    changed_ms: int


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


class WayRow(msgspec.Struct, frozen=True):
    """A way out that a person has chosen: a device, an address, a webhook."""

    id: str
    person_id: str
    kind: WayKind
    address: str
    details: str
    """JSON; depends on the kind. Secret."""
    created_ms: int
    confirmed_ms: int | None = None
    """None until the code sent to the address has come back."""
    problem: str | None = None
    """Why the last delivery failed; None if it worked."""
    silent_ms: int | None = None
    """Since when nothing is sent there, by the wish of the person: the address stays a way back."""


class ReachRow(msgspec.Struct, frozen=True):
    """How and when a person wants to be told."""

    person_id: str
    language: str = "en"
    zone: str = "UTC"
    quiet_from: int | None = None
    """Minutes after midnight, in the time zone of the person."""
    quiet_to: int | None = None
    escalate_ms: int = 0
    """How long a push message may stay unseen before mail is sent; 0: no mail then."""
    off: str = ""
    """Kinds of notices that the person does not want, with commas between them."""


class VacationRow(msgspec.Struct, frozen=True):
    """Days on which the clocks of a person stand still, in games with days for each move."""

    person_id: str
    from_ms: int
    to_ms: int
    """The first moment after it."""


class OutboxRow(msgspec.Struct, frozen=True):
    """One notice for one way out."""

    id: str
    person_id: str
    way_id: str
    table_id: str
    kind: NoticeKind
    ply: int
    created_ms: int
    due_ms: int
    state: NoticeState = NoticeState.WAITING
    attempts: int = 0
    lease_ms: int = 0
    """Until then it belongs to the process that claimed it, which may have sent it and died."""
    sent_ms: int | None = None
    problem: str | None = None


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
        calls: Calls | None = None,
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
        calls: Calls | None = None,
    ) -> Outcome: ...

    async def append(
        self,
        table: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        *,
        status: TableStatus | None = None,
        seat: SeatChange | None = None,
        calls: Calls | None = None,
    ) -> Outcome:
        """All events or none, right after event `expected_seq`. With a `status`, the table gets it
        in the same transaction (and `changed_ms` from the last event). With a `seat`, that seat
        changes in the same transaction, or nothing does (see `set_seat`). The notices of `calls` go
        into the outbox in the same transaction, one for each way out of the person."""
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
        """What processes told, in order, and what other processes appended. A LOST comes first
        for each reader, and whenever news may be missing. Ends when the store is closed."""
        ...

    # Tables and seats

    async def create_table(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        *,
        after: str | None = None,
        calls: Calls | None = None,
        invited: Collection[str] = (),
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
        """The tables at which the person sits, which the person hosts, and open ones to which the
        person is invited; the last changed first."""
        ...

    async def ended_tables_of(
        self, person: str, limit: int, *, game: str = "", before: tuple[int, str] | None = None
    ) -> list[TableRow]:
        """The finished or stopped tables at which the person sits and which the person did not
        dismiss, the last changed first: of one game or of all, behind a table given by its
        `changed_ms` and id."""
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
        skip: int = 0,
    ) -> list[str]:
        """Tables of this status that neither changed nor got an event at or after `before_ms`, the
        longest unchanged first; the first `skip` are left out."""
        ...

    async def delete_table(self, table: str) -> bool:
        """With its log, chat and seats. False if there is no such table."""
        ...

    async def mark(self, table: str, person: str, kind: Mark) -> None:
        """Once is enough; a second time changes nothing."""
        ...

    async def unmark(self, table: str, person: str, kind: Mark) -> None: ...

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
        """Persons last seen before then who have no seat at an open or running table, and no way
        back: no phrase that they have kept, no passkey, no confirmed e-mail address."""
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

    async def saw_token(self, token_hash: str, person: str, at_ms: int) -> None:
        """The person was seen, with this key."""
        ...

    async def drop_token(self, token_hash: str) -> None: ...

    async def take_token(self, token_hash: str, kind: TokenKind, now_ms: int) -> TokenRow | None:
        """Drop a token that works once, and return it unless it has expired. Of two callers at the
        same time only one gets it."""
        ...

    async def drop_tokens(self, person: str, *, keep: str = "") -> None:
        """All tokens of the person but the one with the hash `keep`."""
        ...

    async def drop_expired_tokens(self, now_ms: int) -> int:
        """And expired challenges; returns how many there were."""
        ...

    # Ways back for a person who has lost their keys

    async def set_recovery(self, row: RecoveryRow) -> None:
        """Replaces the one that the person had."""
        ...

    async def recovery_of(self, person: str) -> RecoveryRow | None: ...

    async def recovery_named(self, name: str) -> RecoveryRow | None: ...

    async def keep_recovery(self, person: str, at_ms: int) -> bool:
        """Note that the person has written the phrase down. False if there is none."""
        ...

    async def take_recovery(self, row: RecoveryRow) -> bool:
        """Use it up. Of two callers at the same time only one gets True."""
        ...

    async def add_challenge(self, row: ChallengeRow) -> None: ...

    async def take_challenge(
        self, challenge_hash: str, purpose: str, now_ms: int
    ) -> ChallengeRow | None:
        """Drop it, and return it unless it has expired; like `take_token`."""
        ...

    async def add_passkey(self, row: PasskeyRow) -> bool:
        """False if there is one of this id already."""
        ...

    async def passkey(self, passkey: str) -> PasskeyRow | None: ...

    async def passkeys(self, person: str) -> list[PasskeyRow]: ...

    async def use_passkey(self, row: PasskeyRow, sign_count: int, at_ms: int) -> bool:
        """Note its new counter. False if it has been used or dropped since `row` was read."""
        ...

    async def drop_passkey(self, person: str, passkey: str) -> bool: ...

    async def merge_people(self, guest: str, person: str) -> bool:
        """Seats, tables, chat and sanctions of the guest become the person's, and the guest is
        gone with all keys; all of it or nothing. False, and nothing changed, if both sit at the
        same open or running table, or one of them is gone."""
        ...

    async def forget_history(self, person: str) -> int:
        """Take the person out of the seats of all games that are over, and forget their exercises;
        returns how many seats there were."""
        ...

    # How games ended

    async def played_tables(self, person: str, limit: int) -> list[TableRow]:
        """Finished games in which the person had a seat, the last changed first; those that the
        person has dismissed as well."""
        ...

    async def outcomes(self, tables: Collection[str]) -> dict[str, OutcomeRow]:
        """Of these, as far as they are known."""
        ...

    async def add_outcomes(self, rows: Sequence[OutcomeRow]) -> None:
        """What is known already stays as it is."""
        ...

    # Decisions that people practice

    async def keep_exercises(self, person: str, new: Sequence[tuple[ExerciseRow, str]]) -> bool:
        """Each with its record; all of them or none. Those the person has already stay as they are.
        If there are too many, those suspended for the longest go; False if that is not enough, or
        if the person is gone."""
        ...

    async def exercises(self, person: str) -> list[ExerciseRow]:
        """Earliest due first, suspended ones included."""
        ...

    async def exercise(self, person: str, exercise: str) -> ExerciseRow | None:
        """None also for another person's."""
        ...

    async def exercise_records(self, person: str, exercise: str | None = None) -> dict[str, str]:
        """The records of all of them, or of one, by id."""
        ...

    async def change_exercise(self, row: ExerciseRow, *, was: ExerciseRow) -> bool:
        """When it is due, what the schedule knows, whether it is suspended. False if it is gone or
        no longer what it was."""
        ...

    async def drop_exercise(self, person: str, exercise: str) -> bool:
        """False if there is none."""
        ...

    async def count_due_exercises(self, person: str, now_ms: int) -> int: ...

    # People who have played together

    async def companions(self, person: str, limit: int) -> list[Companion]:
        """Who sat with the person at a table whose game has begun; the last changed table first,
        each person once, without those whom the person has blocked."""
        ...

    async def companion(self, person: str, table: str, seat: int) -> str | None:
        """Who sits there, if it is another person at a table of this person."""
        ...

    async def block(self, person: str, other: str) -> None:
        """The other is no longer listed for this person, and cannot invite them."""
        ...

    async def blocked(self, person: str, limit: int) -> list[str]:
        """The names of those whom the person has blocked."""
        ...

    async def is_blocked(self, person: str, by: str) -> bool: ...

    async def unanswered_invitations(self, host: str, guest: str, since_ms: int) -> int:
        """To tables at which the guest does not sit: those that still wait for players, and all
        that were made since then, whatever the host has done with them."""
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

    async def words_of(self, person: str, limit: int) -> list[tuple[str, int, str]]:
        """What a person wrote, the last first: table, time and text."""
        ...

    async def chat(self, table: str, since: int = 0, limit: int = 200) -> list[SpokenLine]:
        """The last `limit` lines behind number `since`, in order."""
        ...

    # Notifications

    async def add_way(self, row: WayRow, *, replaces: Collection[str] = ()) -> None:
        """Replaces the way of the same person, kind and address, and those that are named."""
        ...

    async def way(self, way: str) -> WayRow | None: ...

    async def ways(self, person: str) -> list[WayRow]:
        """The oldest first."""
        ...

    async def ways_to(self, kind: WayKind, address: str) -> list[WayRow]:
        """Of all people: how often an address was asked for."""
        ...

    async def change_way(self, row: WayRow, *, was: str | None = None) -> bool:
        """False if the way is gone, or if its details are not what they were."""
        ...

    async def note_problem(self, way: str, problem: str | None) -> None: ...

    async def drop_way(self, way: str) -> bool:
        """With what was to be sent there. False if there is no such way."""
        ...

    async def silence_way(self, way: str, silent_ms: int | None) -> bool:
        """Send nothing there from now on, and forget what was to be sent; with None, send again.
        False if there is no such way."""
        ...

    async def drop_unconfirmed_ways(self, before_ms: int) -> int: ...

    async def reachable_people(self) -> set[str]:
        """Those with a way out that is confirmed and not silent."""
        ...

    async def reach(self, person: str) -> ReachRow | None: ...

    async def set_reach(self, row: ReachRow) -> None: ...

    async def vacations(self, people: Collection[str]) -> list[VacationRow]:
        """Ordered by their beginning."""
        ...

    async def set_vacations(self, person: str, rows: Sequence[VacationRow]) -> None:
        """Replaces all of them."""
        ...

    async def due_notices(
        self, now_ms: int, limit: int, *, group_ms: int = 0
    ) -> list[tuple[OutboxRow, WayRow]]:
        """Notices that are due and that nobody holds a lease of, for at most so many ways. All that
        are due for one way come together; by mail or webhook, with those that have not been tried
        yet and are due within `group_ms`."""
        ...

    async def claim_notices(
        self, notices: Sequence[str], now_ms: int, lease_ms: int, *, group_ms: int = 0
    ) -> set[str]:
        """Those that are still due, or will be within `group_ms`, are the caller's until
        `lease_ms`; of several processes one gets each."""
        ...

    async def remind(
        self, table: str, seq: int, at_ms: int, person: str, notices: Sequence[Notice]
    ) -> None:
        """What a table wants from a person already, for ways that do not know of it: what the
        person has seen for themselves is only counted (`tables_waiting`), a reminder is sent."""
        ...

    async def finish_notices(
        self, notices: Sequence[str], state: NoticeState, now_ms: int, problem: str | None = None
    ) -> None:
        """What was settled meanwhile stays settled."""
        ...

    async def postpone_notices(
        self,
        notices: Sequence[str],
        due_ms: int,
        *,
        attempts: int,
        problem: str | None = None,
        lease_ms: int = 0,
    ) -> None:
        """Give them back, to be claimed again from `due_ms` on; `attempts` more have failed. What
        is in doubt keeps a lease."""
        ...

    async def hasten_mail(self, person: str, due_ms: int) -> None:
        """A push way is gone: do not wait with the mail that follows it."""
        ...

    async def saw_table(self, table: str, person: str) -> None:
        """What waits to be sent to the person about the table needs no sending any more."""
        ...

    async def tables_waiting(self, person: str) -> int:
        """How many tables wait for the person, as far as they were told or are to be told."""
        ...

    async def count_sent(
        self,
        since_ms: int,
        *,
        way: str | None = None,
        person: str | None = None,
        kind: WayKind | None = None,
    ) -> int:
        """Messages to one way, or to all ways of a kind, of one person or of all."""
        ...

    async def letters_sent(self, since_ms: int) -> list[tuple[str, str, int]]:
        """How many messages each person got at each e-mail address."""
        ...

    async def count_notices(self) -> dict[NoticeState, int]: ...

    async def notices(
        self, state: NoticeState | None, limit: int
    ) -> list[tuple[OutboxRow, WayKind]]:
        """Those in a state, or all; the newest first."""
        ...

    async def retry_notices(self, notice: str | None, now_ms: int) -> int:
        """Try a notice that failed again, or all of them; returns how many."""
        ...

    async def retry_way(self, way: str, now_ms: int) -> int:
        """Try again what failed there and is still true: the way works again."""
        ...

    async def purge_notices(self, before_ms: int) -> int:
        """Forget those made before then that are not waiting, and that no table waits for."""
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

    async def setting_or(self, name: str, value: str) -> str:
        """The setting; if there is none, it becomes `value`. All processes get the same one."""
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
