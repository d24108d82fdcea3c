"""What goes out: the table as a person may know it, the messages of the live feed, the replies."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType

from lampion.core.gamelog import ActorName
from lampion.core.options import Option
from lampion.server.store.base import SeatKind, TableStatus, WayKind
from lampion.server.wire.incoming import Pace, Phrase, Wishes

# --- what is known of a table
# -----------------------------------------------------------------------------------------------------


class Vacation(Struct):
    """From a moment to the first one after it."""

    from_ms: int
    to_ms: int


class Seat(Struct):
    seat: int
    kind: SeatKind
    name: str | None
    level: str | None
    mine: bool
    stand_in: str | None
    """The level of the bot that plays for an absent person."""
    connected: bool
    resigned: bool
    out_of_time: bool
    may_return: bool
    """Whether the bot only stands in: the person can take the seat back."""
    ready: bool
    host: bool
    vacations: list[Vacation]
    """When the clock of the seat stands still, in a game with days for every move."""


class QuestionKind(StrEnum):
    UNDO = "undo"
    STOP = "stop"
    PAUSE = "pause"
    CONTINUE = "continue"


class Request(Struct):
    """Something that the people at the table must agree to."""

    number: int
    what: QuestionKind
    by: int
    agreed: list[int]
    waiting: list[int]


class Refused(Struct):
    """A request that a seat said no to."""

    number: int
    what: QuestionKind
    by: int
    seat: int


class Result(Struct):
    """Seats that resigned or lost on time come last, whatever they scored."""

    reason: Literal["played", "timeout", "resigned", "stopped"]
    """The last three end a game before its rules do: by a clock, by resignations, by consent."""
    scores: list[int]
    placements: list[int]
    winners: list[int]


class TableInfo(Struct):
    """A table as one person sees it."""

    id: str
    game: str
    status: TableStatus
    players: int
    options: dict[str, str]
    public: bool
    pace: Pace
    seats: list[Seat]
    is_host: bool
    is_insider: bool
    """Whether you may know who sits here, sit down, and read and write the chat."""
    is_removed: bool
    """Whether the host has removed you: you cannot sit down here again."""
    invites_me: bool
    """Whether the host has asked you in person to take an open seat."""
    asks_ready: bool
    """Whether everybody sits, and all must say that they are ready before the clock starts."""
    invite: str | None
    """What a friend needs to sit down; shown to people at the table."""
    commitment: str
    actors: list[int]
    ply: int
    continued: int | None
    """How many entries of the log come from a finished game, from which this one goes on. Their draws do not follow from the
    commitment, and the game does not count in anyone's results."""
    paused: bool
    """Whether the game is paused by consent: no clock runs, and nobody can act."""
    request: Request | None
    refused: Refused | None
    """The last request that was refused."""
    result: Result | None
    hints: bool
    next_table: str | None
    watching: int
    muted: bool
    """Whether you want no notifications about this table."""
    created_ms: int
    changed_ms: int


class Step(Struct):
    """One entry of the log as a seat may read it, and what it did."""

    ply: int
    actor: ActorName
    action: str
    events: list[dict[str, Any]]


class ClockFace(Struct):
    """Time left in milliseconds, and whether it runs."""

    seat: int
    left_ms: int
    running: bool


# --- messages
# ---------------------------------------------------------------------------------------------------------------------


class Message(Struct, tag_field="type"):
    pass


class Effects(Struct):
    """What each legal action would do. Many actions share events, so each event is told once."""

    events: list[dict[str, Any]]
    of: list[list[int]]
    """For each action of `legal`, in its order: the events by their place in `events`."""


class Update(Message, tag="update"):
    """The table after `steps`, as a seat sees it. `ply` is how many entries the log
    has; a gap means: sync. A client that asked for `fold` gets no view where the changes that the events
    tell lead to it from the view before; then `since` must be the ply of that view."""

    table: str
    seat: int | None
    since: int
    ply: int
    asked: int
    """Actions of this seat are good for any ply from here on."""
    steps: list[Step]
    view: dict[str, Any] | None
    legal: list[str]
    effects: Effects | None
    """Null where they are too many for every update: then `LargeEffects` follows on a socket that asked
    for `fold`, and `previews` gives them to everybody else."""
    clocks: list[ClockFace]
    drawing: str | UnsetType = UNSET
    """The table as SVG, for a game that the client has no board for."""


class LargeEffects(Message, tag="effects"):
    """What the actions of an update would do, where that is too much for the update: it follows as soon
    as the server has found it. Compressed, since sockets are not."""

    table: str
    seat: int
    ply: int
    deflated: str
    """`Effects` as JSON, compressed with DEFLATE (no header), in base64."""


class Info(Message, tag="info"):
    table: TableInfo


class Said(Message, tag="said"):
    number: int
    at_ms: int
    seat: int | None
    name: str
    text: str | None
    phrase: Phrase | None


class Done(Message, tag="done"):
    """The command with that id has been done and will not be forgotten."""

    id: str


class Problem(Message, tag="problem"):
    """What was wrong with a command or a request, and the rule that speaks against it."""

    code: str
    message: str
    id: str | None = None
    where: str | None = None
    rule: str | None = None
    values: dict[str, Any] = {}
    retry_after: float | None = None


class Announcement(Struct, frozen=True):
    """A sentence from the operator to everybody."""

    text: str
    until_ms: int | None = None


class Announced(Message, tag="announced"):
    """The operator says something to everybody, or no longer does."""

    announcement: Announcement | None


class Pong(Message, tag="pong"):
    pass


Outgoing = Update | LargeEffects | Info | Said | Done | Problem | Announced | Pong

# --- replies
# ----------------------------------------------------------------------------------------------------------------------


class Me(Struct):
    id: str | None
    """Null until you do something: reading stores nobody."""
    name: str
    safe: bool = True
    """Whether you can come back after losing all devices: by a phrase that you keep, by a passkey,
    or by a confirmed e-mail address. True while there is nobody to lose."""
    due: int = 0
    """How many of the positions that you practice are due."""


class Way(Struct):
    """A way in which the person is notified."""

    id: str
    kind: WayKind
    address: str
    """An e-mail address, the URL of a webhook, or the host of the push service."""
    label: str
    confirmed: bool
    problem: str | None
    """Why the last message did not arrive."""
    created_ms: int
    here: bool
    """Whether it leads to the device that asks."""
    silent: bool = False
    """Whether an e-mail address is kept only to sign in by it."""


class NewSecret(Struct):
    """A new webhook. The secret, with which its messages are signed, is shown only now."""

    way: Way
    secret: str


class MyVacation(Struct):
    from_ms: int
    to_ms: int
    first: str
    last: str
    """Days, both included, in the person's own time zone."""


class Notifications(Struct):
    """How a person is notified, and how that is possible here."""

    push_key: str | None
    """For `applicationServerKey`; null if the server sends no push messages."""
    mail: bool
    webhooks: bool
    ways: list[Way]
    wishes: Wishes
    vacations: list[MyVacation]
    vacation_days: int
    """How many days a year can be announced."""


class GameInfo(Struct):
    name: str
    title: str
    designer: str
    players: list[int]
    options: list[Option]
    """Variants are choices of the option `variant`. The words for all are in the catalogs of
    messages."""


class Catalogue(Struct):
    """What can be played, and against whom."""

    games: list[GameInfo]
    levels: list[str]
    default_level: str
    preparing: list[str]
    """Games whose rules are still being compiled, which happens once; a table of theirs opens
    when that is done."""
    announcement: Announcement | None = None
    build: str = ""
    """A name for the web client that this server has; a page with another name is outdated."""


class Tables(Struct):
    tables: list[TableInfo]


class History(Struct):
    """Games that you played to an end, the last first."""

    tables: list[TableInfo]
    next: str | None
    """What to ask for to get the games before these; null when there are none."""


class Feed(Struct):
    """The same messages as the socket's, over plain HTTP."""

    messages: list[Outgoing]


class Previews(Struct):
    """What each legal action would do, for everybody at the table."""

    ply: int
    previews: dict[str, list[dict[str, Any]]]


class Position(Struct):
    """The table after a log entry (or at the beginning, when `step` is null), as a seat saw it."""

    ply: int
    step: Step | None
    view: dict[str, Any]
    draw: Draw | None = None
    drawing: str | UnsetType = UNSET
    """The table as SVG, for a game that the client has no board for."""


class Draw(Struct):
    """What a page needs to work an outcome of chance out again."""

    number: int
    weights: list[int]
    outcomes: list[str]


class Positions(Struct):
    plies: int
    positions: list[Position]


class Standing(Struct):
    """The scores when the log had `ply` entries."""

    ply: int
    round: str
    """Its number, or a key in the section `scoring` of the catalogs; empty before the first."""
    scores: list[int]


class RoundGains(Struct):
    """What each seat gained in a round; below 0: lost."""

    round: str
    ply: int
    """How many entries the log had when it began."""
    gains: list[int]


class Swing(Struct):
    """The last entry of those that moved a seat furthest against the best of the others."""

    ply: int
    round: str
    seat: int
    before: int
    """How far ahead of the best of the others the seat was; below 0: behind."""
    after: int
    equals: int
    """How many entries moved a seat as far, this one included."""


class Lead(Struct):
    """When the seat with the highest score at the end came to lead alone, and stayed."""

    ply: int
    round: str
    seat: int
    changes: int
    """How often the lead went from one seat to another."""


class TieBreak(Struct):
    """What told the winners from other seats with the same score."""

    what: str
    seats: list[int]
    values: list[int]


class Scorebook(Struct):
    """How the scores of a record came about, without what was taken back. Names of parts, rounds
    and tie-breaks are keys in the section `scoring` of the catalogs; behind a colon stands what
    the text calls `{of}`."""

    plies: int
    is_over: bool
    """Whether the rules ended the game; otherwise scores and places are as they stand."""
    scores: list[int]
    placements: list[int]
    parts: list[str]
    shares: list[list[int]]
    """What each part gave, by seat and part: they add up to the score."""
    rounds: list[RoundGains]
    curve: list[Standing]
    """The beginning, every change of a score, and the end."""
    swing: Swing | None
    lead: Lead | None
    tie_break: TieBreak | None


class Verified(Struct):
    """Whether every outcome of chance that was checked follows from the seed that was promised."""

    fair: bool
    draws: int
    message: str
    unchecked: int = 0
    """How many leading entries come from another game, whose seed is not known here."""


class HintMove(Struct):
    action: str
    value: float | None
    """What the seat can expect from it, 0 to 1: its placement, with some weight on the margin in
    points; null for an action that the search did not try."""
    share: float
    """How much of the search went into this action."""
    events: list[dict[str, Any]]
    """What it would do, as far as the seat can know."""
    does: str
    """The same in words."""


class Hint(Struct):
    ply: int
    moves: list[HintMove]
    events: list[dict[str, Any]]
    sentence: str


class LessonStep(Struct):
    name: str
    rule: str | None
    """The rule that says it in full."""
    waits: bool
    """Whether the learner is asked for an action."""


class Lesson(Struct):
    name: str
    steps: list[LessonStep]


class Course(Struct):
    """What the guide of a game teaches, in order. The words are the client's."""

    lessons: list[Lesson]


class LessonPosition(Struct):
    """A position of a lesson as the learner sees it."""

    ply: int
    seat: int
    steps: list[Step]
    """What followed from the last thing that the learner did."""
    view: dict[str, Any]
    legal: list[str]
    previews: dict[str, list[dict[str, Any]]]
    wanted: list[str]
    """The legal actions that do what the lesson asks for now."""


class Link(Struct):
    """A link that works once, for ten minutes."""

    code: str


class BotAccount(Struct):
    """A key for a program; it is shown only now."""

    id: str
    token: str


class Live(Struct):
    status: Literal["ok"]


class Ready(Struct):
    """Whether people should be sent here, and what each check found."""

    status: Literal["ok", "not-ready"]
    checks: dict[str, str]


class Health(Struct):
    status: Literal["ok"]
    version: str
    tables: int
    """Tables in memory."""
    sockets: int
    processes: int
    """Processes that serve the same database, this one included."""
    troubles: list[str]
    """Chores that fail at the moment and are tried again."""
