"""Everything that crosses the wire, in one place.

The OpenAPI document, the page on live messages and the TypeScript types of the client are made from these classes (`make schemas`),
and every message that comes in is checked against them, strictly. Two directions:

    commands   from a person to a table, over the socket or by POST; told apart by "do"
    messages   from a table to a person, over the socket or by GET; told apart by "type"

What a game shows (views and events) is typed by the games themselves; here it is a dictionary.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from lampion.core.gamelog import ActorName

# --- small words ------------------------------------------------------------------------------------------------------------------

TableId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8,24}$")]
SeatNumber = Annotated[int, Meta(ge=0, le=3)]
Ply = Annotated[int, Meta(ge=0, le=100_000)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
CommandId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,40}$", description="chosen by the sender; the same id is done only once")]
Secret = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{16,64}$")]
Nonce = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{0,64}$", description="a person's own share of the fair chance")]
Status = Literal["open", "running", "finished", "stopped", "quarantined"]
Phrase = Literal["hello", "good-luck", "well-played", "thanks", "thinking", "oops", "wow", "again"]


class Strict(Struct, forbid_unknown_fields=True):
    """What comes in: a field that we do not know is an error."""


# --- how fast a table plays -------------------------------------------------------------------------------------------------------


class NoClock(Strict, tag="none", tag_field="kind"):
    """Take your time."""


class Clock(Strict, tag="clock", tag_field="kind"):
    """So many seconds for the whole game, and some more after every move."""

    seconds: Annotated[int, Meta(ge=30, le=7200)]
    increment: Annotated[int, Meta(ge=0, le=120)] = 0


class Days(Strict, tag="days", tag_field="kind"):
    """So many days for every move."""

    days: Annotated[int, Meta(ge=1, le=14)]


Pace = NoClock | Clock | Days

# --- bodies of requests -----------------------------------------------------------------------------------------------------------


class SeatChoice(Strict):
    """Who will sit there: you, somebody who comes by link, a bot, or somebody at your screen."""

    kind: Literal["me", "open", "bot", "local"]
    level: str | None = None
    name: Name | None = None


class NewTable(Strict):
    game: str
    seats: Annotated[list[SeatChoice], Meta(min_length=2, max_length=4)]
    options: dict[str, str] = {}
    pace: Pace = field(default_factory=NoClock)
    public: bool = False
    nonce: Nonce = ""


class Join(Strict):
    """Take an open seat. A table that is not public asks for its invitation."""

    invite: Secret | None = None
    seat: SeatNumber | None = None
    name: Name | None = None
    nonce: Nonce = ""


class NewName(Strict):
    name: Name


class ChangeSeat(Strict):
    """Before the start the host may give an open seat to a bot, or open it again."""

    kind: Literal["open", "bot"]
    level: str | None = None


class Claim(Strict):
    """Exchange a link made on another device for this browser's own key."""

    code: Secret


class ReplayRequest(Strict):
    """A record, and which part of it to show through whose eyes."""

    record: dict[str, Any]
    seat: SeatNumber | None = None
    start: Ply = 0
    count: Annotated[int, Meta(ge=1, le=60)] = 40
    draws: bool = False
    """Whether to give what is needed to work every outcome of chance out again."""


class HintRequest(Strict):
    seat: SeatNumber
    language: Literal["en", "fr", "it"] = "en"


# --- commands ---------------------------------------------------------------------------------------------------------------------


class Command(Strict, tag_field="do"):
    id: CommandId
    seat: SeatNumber


class Act(Command, tag="act"):
    """Do an action of the list that came with `ply`."""

    ply: Ply
    action: Annotated[str, Meta(min_length=1, max_length=40)]


class Undo(Command, tag="undo"):
    """Take back the seat's last decision: at once if nothing new was shown since, otherwise the others are asked."""


class Stop(Command, tag="stop"):
    """Ask the others to end the game without a result."""


class Answer(Command, tag="answer"):
    """Agree to what somebody asked, or not."""

    request: Ply
    yes: bool


class Resign(Command, tag="resign"):
    """Give up: with two players the other wins; with more a bot plays the seat to the end."""


class Leave(Command, tag="leave"):
    """Let a bot play the seat."""


class Return(Command, tag="return"):
    """Take the seat back from its bot."""


class Say(Strict, tag="say", tag_field="do"):
    id: CommandId
    text: Annotated[str, Meta(min_length=1, max_length=300)] | None = None
    phrase: Phrase | None = None


class Sync(Strict, tag="sync", tag_field="do"):
    """Send everything since that ply again."""

    since: Ply = 0


class Ping(Strict, tag="ping", tag_field="do"):
    pass


SeatCommand = Act | Undo | Stop | Answer | Resign | Leave | Return
Incoming = SeatCommand | Say | Sync | Ping

# --- what is known of a table -----------------------------------------------------------------------------------------------------


class Seat(Struct):
    seat: int
    kind: Literal["open", "person", "bot", "local"]
    name: str | None
    level: str | None
    mine: bool
    stand_in: str | None
    """The level of the bot that plays for an absent person."""
    connected: bool
    resigned: bool
    out_of_time: bool


class Request(Struct):
    """Something that the people at the table must agree to."""

    number: int
    what: Literal["undo", "stop"]
    by: int
    agreed: list[int]
    waiting: list[int]


class Result(Struct):
    reason: Literal["played", "resigned", "stopped"]
    scores: list[int]
    placements: list[int]
    winners: list[int]


class TableInfo(Struct):
    """A table as one person sees it."""

    id: str
    game: str
    status: Status
    players: int
    options: dict[str, str]
    public: bool
    pace: Pace
    seats: list[Seat]
    is_host: bool
    invite: str | None
    """What a friend needs to sit down; shown to those who sit at the table."""
    commitment: str
    actors: list[int]
    ply: int
    request: Request | None
    result: Result | None
    hints: bool
    next_table: str | None
    watching: int
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


# --- messages ---------------------------------------------------------------------------------------------------------------------


class Message(Struct, tag_field="type"):
    pass


class Update(Message, tag="update"):
    """The table after `steps`, through the eyes of a seat. `ply` is how many entries the log has; a gap means: sync."""

    table: str
    seat: int | None
    since: int
    ply: int
    asked: int
    """Actions of this seat are good for any ply from here on."""
    steps: list[Step]
    view: dict[str, Any]
    legal: list[str]
    clocks: list[ClockFace]


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


class Pong(Message, tag="pong"):
    pass


Outgoing = Update | Info | Said | Done | Problem | Pong

# --- replies ----------------------------------------------------------------------------------------------------------------------


class Me(Struct):
    id: str
    name: str


class Level(Struct):
    name: str
    title: str
    about: str


class GameInfo(Struct):
    name: str
    title: str
    designer: str
    players: list[int]
    options: dict[str, str]
    """Option -> what it does; the first word is its default."""


class Catalogue(Struct):
    """What can be played, and against whom."""

    games: list[GameInfo]
    levels: list[str]
    default_level: str
    preparing: list[str]
    """Games whose rules are still being compiled, which happens once; a table of theirs opens when that is done."""


class Tables(Struct):
    tables: list[TableInfo]


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


class Draw(Struct):
    """What a page needs to work an outcome of chance out again."""

    number: int
    weights: list[int]
    outcomes: list[str]


class Positions(Struct):
    plies: int
    positions: list[Position]


class Verified(Struct):
    """Whether every outcome of chance follows from the seed that was promised."""

    fair: bool
    draws: int
    message: str


class HintMove(Struct):
    action: str
    win_chance: float
    share: float
    """How much of the search went into this action."""


class Hint(Struct):
    ply: int
    moves: list[HintMove]
    events: list[dict[str, Any]]
    sentence: str


class Link(Struct):
    """A link that works once, for ten minutes."""

    code: str


class BotAccount(Struct):
    """A key for a program; it is shown only now."""

    id: str
    token: str


class Health(Struct):
    status: Literal["ok"]
    version: str
    tables: int
    sockets: int
