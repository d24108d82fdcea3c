"""What comes in: the bodies of requests, and the commands. A field that is not known here is an
error."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from lampion.core.types import MOST_SEATS

# --- small words
# ------------------------------------------------------------------------------------------------------------------

TableId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{8,24}$")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Ply = Annotated[int, Meta(ge=0, le=100_000)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
CommandId = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_-]{1,40}$",
        description="chosen by the sender; the same id is done only once",
    ),
]
Secret = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{16,64}$")]
Nonce = Annotated[
    str,
    Meta(pattern="^[A-Za-z0-9_-]{0,64}$", description="a person's own share of the fair chance"),
]
Language = Annotated[
    str,
    Meta(pattern="^[a-z]{2,3}$", description="a language that the server has catalogs for"),
]
Phrase = Literal["hello", "good-luck", "well-played", "thanks", "thinking", "oops", "wow", "again"]


class Strict(Struct, forbid_unknown_fields=True):
    """What comes in: a field that we do not know is an error."""


# --- how fast a table plays
# -------------------------------------------------------------------------------------------------------


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

# --- bodies of requests
# -----------------------------------------------------------------------------------------------------------


class SeatChoice(Strict):
    """Who will sit there: you, a friend who comes by link, a bot, or a friend at your screen."""

    kind: Literal["me", "open", "bot", "local"]
    level: str | None = None
    name: Name | None = None


class NewTable(Strict):
    game: str
    seats: Annotated[list[SeatChoice], Meta(min_length=2, max_length=MOST_SEATS)]
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
    """Before the start the host may give an open seat to a bot, or open it again. That alone
    does not start the game."""

    kind: Literal["open", "bot"]
    level: str | None = None


class SayReady(Strict):
    """You are ready for the clock to start, or no longer."""

    ready: bool = True


class SignOut(Strict):
    """Sign out this device, or every other device of yours."""

    others: bool = False


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


class HintFound(Strict):
    """A move that the player's own browser found, by the id it has in the task."""

    action: int
    visits: Annotated[int, Meta(ge=0)]
    value: Annotated[float, Meta(ge=0, le=1)]


class HintRequest(Strict):
    seat: SeatNumber
    language: Language = "en"
    found: Annotated[list[HintFound], Meta(max_length=3)] = []
    """The best moves that the browser found, best first; without any, the server searches."""
    tries: Annotated[int, Meta(ge=0)] = 0
    """The visits of all moves in that search, also of those that are not among the best."""


class HintTaskRequest(Strict):
    seat: SeatNumber


class ReplayHintRequest(HintRequest, kw_only=True):
    """A hint for the seat that was to act when the log of a record had `ply` entries."""

    record: dict[str, Any]
    ply: Ply


class ReplayTaskRequest(HintTaskRequest, kw_only=True):
    """What that seat knew then, as a search for the visitor's own machine."""

    record: dict[str, Any]
    ply: Ply


# --- commands
# ---------------------------------------------------------------------------------------------------------------------


class Command(Strict, tag_field="do"):
    id: CommandId
    seat: SeatNumber


class Act(Command, tag="act"):
    """Do an action of the list that came with `ply`."""

    ply: Ply
    action: Annotated[str, Meta(min_length=1, max_length=40)]


class Undo(Command, tag="undo"):
    """Take back the seat's last decision: at once if nothing new was shown since, otherwise the
    others are asked."""


class Stop(Command, tag="stop"):
    """Ask the others to end the game without a result."""


class Answer(Command, tag="answer"):
    """Agree to what another player asked, or not."""

    request: Ply
    yes: bool


class Resign(Command, tag="resign"):
    """Give up: the seat comes last. A bot plays it to the end if others still play."""


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
