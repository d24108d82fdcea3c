"""The record file: one JSON document for a finished or running game, also the bug report and the
form of the golden tests.

    {"format": "lampion-record/1", "game": "my_game", "rules": 1, "players": 3, "options": {}, "names": ["Ada", ...],
     "fairness": {"commitment": "...", "seed": null, "nonces": [], "match": ""},
     "log": [["c", "+4"], ["c", "+17"], [0, "17r1@0,-1"], [0, "undo 9"], ...],
     "scores": [34, 29, 31], "winners": [0]}

The classes below are the one home of the format: the reader, the writer and the published JSON
Schema come from them. This module knows the form; whether the entries can be played is for `Match`
to say, through the same gate as a live move.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lampion.core.errors import InvalidOptions, InvalidRecord
from lampion.core.fairness import SEED_BYTES, Chance
from lampion.core.types import CHANCE, GAME_OVER, Player

FORMAT: Literal["lampion-record/1"] = "lampion-record/1"
CHANCE_ACTOR: Literal["c"] = "c"
MAX_NAME = 40

Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_NAME,
        pattern=r"^[^\x00-\x1f\x7f]*$",
        description="how a player is called",
    ),
]
Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Seed = Annotated[str, Meta(pattern=f"^[0-9a-f]{{{2 * SEED_BYTES}}}$")]
ActorName = Annotated[int, Meta(ge=0)] | Literal["c"]
Text = Annotated[str, Meta(max_length=200)]
Place = Annotated[int, Meta(ge=1, le=16)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]


class Fairness(msgspec.Struct, forbid_unknown_fields=True):
    """How the chance outcomes can be checked (`lampion verify`)."""

    commitment: Annotated[Digest, Meta(description="SHA-256 of the seed, known before the deal")]
    seed: Annotated[Seed | None, Meta(description="null while the game is running")] = None
    nonces: Annotated[
        list[Annotated[str, Meta(max_length=200)]],
        Meta(max_length=16, description="what players added"),
    ] = []
    match: Annotated[
        str,
        Meta(
            max_length=200, description="what the outcomes are bound to, such as the id of a table"
        ),
    ] = ""

    @classmethod
    def of(cls, chance: Chance) -> Fairness:
        """What a source of chance promises, without its seed."""
        return cls(chance.commitment, nonces=list(chance.nonces), match=chance.match)

    @property
    def chance(self) -> Chance | None:
        """The source of chance, if the seed is known."""
        return Chance(bytes.fromhex(self.seed), self.match, self.nonces) if self.seed else None


class Findings(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What a bot found before one decision. Lists have a number for each action that was legal,
    in the order in which the rules list them; they are empty where the bot did not search."""

    visits: Annotated[list[int], Meta(description="how often the search tried each action")] = []
    values: Annotated[
        list[float | None],
        Meta(description="what it found each action worth, from 0 to 1; null: it did not try it"),
    ] = []
    priors: Annotated[
        list[float], Meta(description="what each action looked worth before the search")
    ] = []
    iterations: Annotated[int | None, Meta(description="budget: tries")] = None
    seconds: Annotated[float | None, Meta(description="budget: seconds")] = None
    spent: Annotated[float | None, Meta(description="seconds of processor time")] = None


class Decided(msgspec.Struct, forbid_unknown_fields=True):
    """How players lost by something other than the rules: the result counts, not the position."""

    places: Annotated[list[Place], Meta(max_length=16, description="by seat; 1 is the best")]
    late: Annotated[list[SeatNumber], Meta(description="seats that ran out of time")] = []
    resigned: Annotated[list[SeatNumber], Meta(description="seats that resigned")] = []

    @property
    def forfeited(self) -> set[Player]:
        """The seats that come last, whatever they scored."""
        return {*self.late, *self.resigned}


class Continued(msgspec.Struct, forbid_unknown_fields=True):
    """The game goes on from a position of another one."""

    ply: Annotated[
        int,
        Meta(
            ge=1,
            description="number of leading entries taken from that game; the seed does not determine their draws",
        ),
    ]


class GameRecord(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A finished or running game of Lampion."""

    format: Literal["lampion-record/1"]
    game: Annotated[str, Meta(max_length=100)]
    rules: Annotated[int, Meta(ge=1, description="RULES_VERSION of the game when it was played")]
    players: Annotated[int, Meta(ge=1, le=16)]
    options: dict[str, str]
    names: Annotated[list[Name], Meta(max_length=16)]
    fairness: Fairness | None
    log: Annotated[
        list[tuple[ActorName, Text]],
        Meta(description='who acted ("c" is chance) and what, in notation'),
    ]
    scores: Annotated[list[int] | None, Meta(description="null while the game is running")]
    winners: list[int] | None
    components: Annotated[
        str | None, Meta(description="SHA-256 of components that are not the published ones")
    ] = None
    legal: Annotated[
        list[list[str]] | None,
        Meta(description="per log entry, what was legal for its actor just before"),
    ] = None
    decisions: Annotated[
        list[Findings] | None,
        Meta(description="per decision of a player, in order, what a bot found out before it"),
    ] = None
    substituted: Annotated[
        list[Annotated[int, Meta(ge=0)]] | None,
        Meta(description="numbers of the log entries that a bot made in place of a player"),
    ] = None
    decided: Decided | None = None
    continued: Continued | None = None

    @property
    def first_ply(self) -> int:
        """The first entry of this game; those before it come from the one that it continues."""
        return self.continued.ply if self.continued else 0


# --- actors and names -----------------------------------------------------------------------------


def actor_name(actor: Player) -> ActorName | None:
    """How an actor is written in JSON: a number, "c" for chance, null when nobody is to act."""
    return CHANCE_ACTOR if actor == CHANCE else None if actor == GAME_OVER else actor


def log_name(actor: Player) -> ActorName:
    return CHANCE_ACTOR if actor == CHANCE else actor


def checked_names(names: Sequence[str], players: int) -> tuple[str, ...]:
    if not names:
        return tuple(f"Player {player + 1}" for player in range(players))
    if len(names) != players:
        raise InvalidOptions(
            f"{players} players need {players} names, not {len(names)}",
            code="invalid-names",
            where="names",
        )
    for name in names:
        if not 0 < len(name) <= MAX_NAME or not name.isprintable():
            raise InvalidOptions(
                f"{name!r} is not a valid name: 1 to {MAX_NAME} printable characters",
                code="invalid-names",
                where="names",
            )
    return tuple(names)


# --- reading and writing --------------------------------------------------------------------------

_decoder = msgspec.json.Decoder(GameRecord)
_encoder = msgspec.json.Encoder()


def read_record(data: bytes | str, where: str = "record") -> GameRecord:
    """Read one JSON document. Whatever the bytes are, the result is a record or `InvalidRecord`."""
    try:
        return _decoder.decode(data)
    except msgspec.ValidationError as problem:
        raise InvalidRecord(
            f"not a valid {FORMAT}: {_one_line(problem)}", where=where, problem=_one_line(problem)
        ) from None
    except (msgspec.DecodeError, UnicodeError, RecursionError) as problem:
        text = f"not a valid JSON document: {_one_line(problem)}"
        raise InvalidRecord(
            text, code="invalid-json", where=where, problem=_one_line(problem)
        ) from None


def _one_line(problem: Exception) -> str:
    return " ".join(str(problem).split()).rstrip(".")


def write_record(record: GameRecord) -> str:
    """One line of JSON."""
    return _encoder.encode(record).decode()


def record_schema() -> dict[str, Any]:
    """The published JSON Schema of the format."""
    schema = msgspec.json.schema(GameRecord)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": FORMAT, **schema}
