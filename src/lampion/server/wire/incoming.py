"""What comes in: the bodies of requests, and the commands. A field that is not known here is an
error."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

from lampion.core.types import MOST_SEATS
from lampion.server.store.base import NoticeKind

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
FriendId = Annotated[
    str,
    Meta(
        pattern="^[A-Za-z0-9_-]{8,24}[.][0-9]$",
        description="a seat of another person at a table of yours: TABLE.SEAT",
    ),
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
    friend: FriendId | None = None
    """Ask this person to take the open seat."""


class NewTable(Strict):
    game: str
    seats: Annotated[list[SeatChoice], Meta(min_length=2, max_length=MOST_SEATS)]
    options: dict[str, str] = {}
    pace: Pace = field(default_factory=NoClock)
    public: bool = False
    nonce: Nonce = ""


class Continuation(Strict):
    """Play on against bots from a position of a game that has ended: after the first `ply` entries
    of its record."""

    record: dict[str, Any]
    ply: Ply
    seats: Annotated[list[SeatChoice], Meta(min_length=2, max_length=MOST_SEATS)]
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
    """Sign out this device, every other device of yours, or all of them."""

    others: bool = False
    everywhere: bool = False


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


class ScorebookRequest(Strict):
    """A record whose scores are to be explained."""

    record: dict[str, Any]


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


class LessonRequest(Strict):
    """What the learner has done in a lesson, in order."""

    done: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=40)]], Meta(max_length=16)
    ] = []


# --- notifications
# ----------------------------------------------------------------------------------------------------------------

Zone = Annotated[str, Meta(max_length=60, description="a time zone, such as Europe/Rome")]
Minute = Annotated[int, Meta(ge=0, lt=24 * 60, description="minutes after midnight")]
Day = Annotated[str, Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]


class NewPush(Strict):
    """What the browser gave for a push subscription of this device."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1000)]
    p256dh: Annotated[str, Meta(min_length=1, max_length=200)]
    auth: Annotated[str, Meta(min_length=1, max_length=100)]
    language: Language = "en"
    zone: Zone = "UTC"


class NewMail(Strict):
    """An address; a code is sent to it."""

    address: Annotated[str, Meta(min_length=3, max_length=254)]
    language: Language = "en"
    zone: Zone = "UTC"


class MailCode(Strict):
    way: Annotated[str, Meta(max_length=40)]
    code: Annotated[str, Meta(pattern="^[0-9]{6}$")]


class NewWebhook(Strict):
    url: Annotated[str, Meta(min_length=8, max_length=1000)]
    preset: Literal["json", "discord", "ntfy"] = "json"
    language: Language = "en"
    zone: Zone = "UTC"


class Wishes(Strict):
    """When and about what a person wants to be notified."""

    language: Language
    zone: Zone
    quiet_from: Minute | None = None
    quiet_to: Minute | None = None
    escalate_minutes: Annotated[int, Meta(ge=0, le=24 * 60)] = 30
    """How long a push message may stay unseen before an e-mail follows; 0: none follows."""
    off: list[NoticeKind] = []


class NewVacation(Strict):
    """From the first to the last day, both included."""

    first: Day
    last: Day
    zone: Zone = ""


class Mute(Strict):
    muted: bool


class Silence(Strict):
    silent: bool
    """True: this e-mail address only serves to sign in. False: notifications go there, too."""


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


class Pause(Command, tag="pause"):
    """Ask the others to pause the game: no clock runs, and nobody can act."""


class Continue(Command, tag="continue"):
    """End a pause; in a game with a clock, ask the others to."""


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


class Look(Strict, tag="look", tag_field="do"):
    """Whether the person looks at the page: a tab in the background is told by other ways, too."""

    seen: bool


SeatCommand = Act | Undo | Stop | Pause | Continue | Answer | Resign | Leave | Return
Incoming = SeatCommand | Say | Sync | Ping | Look
