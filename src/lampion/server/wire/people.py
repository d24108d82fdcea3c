"""The person behind a browser: devices, ways back, figures, friends. Requests and their replies."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from lampion.server.wire.incoming import FriendId, Language, Secret, Strict
from lampion.server.wire.outgoing import Notifications
from lampion.server.wire.practice import Exercise

Credential = dict[str, Any]
"""What `PublicKeyCredential.toJSON()` gives in the browser."""

# --- devices and ways back ---


class Device(Struct):
    """A browser or program that acts for you."""

    id: str
    kind: Literal["browser", "program"]
    label: str
    """Such as "Firefox · Linux"; empty for keys that are older than such names."""
    created_ms: int
    seen_ms: int
    """When it was last here, to the hour."""
    current: bool


class Passkey(Struct):
    id: str
    label: str
    created_ms: int
    used_ms: int | None


class Access(Struct):
    """Everything that lets a device act for you, or come back as you."""

    devices: list[Device]
    passkeys: list[Passkey]
    phrase_ms: int | None
    """When the recovery phrase was made; null if there is none."""
    phrase_kept: bool
    """Whether you said that you have written it down."""
    mail: list[str]
    """Confirmed addresses that a sign-in link can be sent to."""


class RecoveryPhrase(Struct):
    """Shown once: the server keeps only a hash."""

    phrase: str


class Recover(Strict):
    phrase: Annotated[str, Meta(min_length=1, max_length=200)]


class RecoverByMail(Strict):
    """A confirmed address; whether it is one is not told."""

    address: Annotated[str, Meta(min_length=3, max_length=254)]
    language: Language = "en"


class PasskeyOptions(Struct):
    """For `navigator.credentials`, in the form that browsers parse."""

    options: dict[str, Any]


class AddPasskey(Strict):
    credential: Credential


class UsePasskey(Strict):
    credential: Credential


class GuestLeft(Struct):
    """Who this browser was until now, if that guest has tables or practices something. The code
    takes all of it over, once, within ten minutes."""

    name: str
    tables: int
    exercises: int
    code: str


class SignedIn(Struct):
    id: str
    name: str
    guest: GuestLeft | None


class Merge(Strict):
    """Take over what the guest of this browser had."""

    code: Secret


# --- figures ---


class Share(Struct):
    """How often something happened: a share, and where it lies with 95 % confidence."""

    games: int
    wins: float
    """A victory that is shared by two counts half."""
    share: float
    low: float
    high: float


class Figure(Struct):
    """Results in one game, with so many players, against opponents of one kind."""

    game: str
    players: int
    against: str
    """The level of all bots, `people`, or `mixed`."""
    total: Share
    chance: float
    """What a player as strong as the others would win: one divided by the players."""
    months: list[Month]


class Month(Struct):
    month: str
    """Such as 2026-11, in universal time."""
    total: Share


class Profile(Struct):
    name: str
    since_ms: int
    games: int
    figures: list[Figure]
    pending: int
    """Games that are not counted yet: ask again."""
    has_older: bool = False
    """Whether there are more finished games than are counted: the latest ones are."""


class ExportedSeat(Struct):
    name: str | None
    kind: str
    level: str | None
    mine: bool


class ExportedGame(Struct):
    table: str
    game: str
    options: dict[str, str]
    pace: dict[str, Any]
    created_ms: int
    ended_ms: int | None
    reason: str | None
    seats: list[ExportedSeat]
    scores: list[int] | None
    placements: list[int] | None


class ExportedLine(Struct):
    """What you wrote at a table."""

    table: str
    at_ms: int
    text: str


class ExportedExercise(Struct):
    """A position that you practice, and the game it is from, without names."""

    exercise: Exercise
    record: dict[str, Any]


class Export(Struct):
    """Everything that the server keeps about you. Of very many games and lines, the last."""

    format: str
    name: str
    created_ms: int
    seen_ms: int
    access: Access
    profile: Profile
    games: list[ExportedGame]
    """Also those that are not over, which have no scores yet."""
    chat: list[ExportedLine]
    notifications: Notifications
    removed: list[str]
    """People whom you have removed from your list: they cannot invite you."""
    practice: list[ExportedExercise]


# --- friends ---


class Friend(Struct):
    """A person you have played with. Nothing here but what your tables showed you."""

    id: FriendId
    name: str
    game: str
    """What you last played together."""
    last_ms: int


class Friends(Struct):
    friends: list[Friend]
