"""Messages about the review of a finished game: what was luck, what was play, what it cost."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from lampion.bots.weighing import Evidence
from lampion.server.wire.incoming import Language, Ply, Strict


class ReviewRequest(Strict):
    """A record of a game that has ended."""

    record: dict[str, Any]


class JudgementTaskRequest(Strict):
    """The same, and the decisions that are to be judged, a few at a time."""

    record: dict[str, Any]
    plies: Annotated[list[Ply], Meta(min_length=1, max_length=12)]


class JudgementRequest(JudgementTaskRequest, kw_only=True):
    language: Language = "en"
    found: Annotated[list[Evidence], Meta(max_length=12)] = field(default_factory=list)
    """What the reader's own machine found out about them; without it, the server searches."""


class PuzzleRequest(Strict):
    """A decision of such a record, to be made again."""

    record: dict[str, Any]
    ply: Ply


class AttemptRequest(PuzzleRequest, kw_only=True):
    """An action that a reader tries in its place."""

    action: Annotated[str, Meta(min_length=1, max_length=200)]
    language: Language = "en"


class Puzzle(Struct):
    """A decision as its seat saw it, with all that a board needs to make it again."""

    ply: int
    seat: int
    played: str
    view: dict[str, Any]
    legal: list[str]
    previews: dict[str, list[dict[str, Any]]]
    drawing: str | UnsetType = UNSET
    """The table as SVG, for a game that has no board in the client."""


class Attempt(Struct):
    """How good an action is that a reader tried in place of a decision."""

    ply: int
    seat: int
    outcome: Literal["found", "better", "not-better"]
    """`found`: nothing is clearly better. `better`: clearly better than what was played, but
    something else is clearly better still."""
    action: str
    does: str
    """What the action would do, in words, as far as the seat could know."""
    cost: float
    """Of the action that was tried, as in `Judged`."""
    interval: float
    is_exact: bool
    is_best: bool
    """Whether the search would have played it, too; otherwise it is as good, as far as is sure."""


class ReviewAccount(Struct):
    """Where a seat's result came from, as shares of the other players left behind: all but the
    last add up to the last."""

    start: float
    deal: float
    draws: float
    own: float
    others: float
    remainder: float
    """Where the value function was wrong."""
    result: float
    substituted: int
    """Decisions that a bot made in place of the player: they are not judged."""


class ReviewMoment(Struct):
    """Each seat's chance to win when the log had `ply` entries, from everything on the table."""

    ply: int
    win: list[float]


class ReviewDecision(Struct):
    """A decision with an alternative."""

    ply: int
    seat: int


class GameReview(Struct):
    """The ledger of a game. Decisions are judged a few at a time, by another request."""

    plies: int
    is_over: bool
    """Whether the rules, a clock or resignations ended the game; otherwise results are what the
    last position promised."""
    is_trained: bool
    """Whether the value function was trained for this game; otherwise numbers are rough."""
    version: int
    accounts: list[ReviewAccount]
    """By seat."""
    curve: list[ReviewMoment]
    decisions: list[ReviewDecision]


class Judged(Struct):
    """A decision judged from what its seat knew."""

    ply: int
    seat: int
    verdict: Literal["forced", "equal", "best", "unclear", "mistake"]
    """`unclear`: another action seemed better, but by no more than the judgment is sure of."""
    cost: float
    """In the value of the search: placement, with some weight on the margin, 0 to 1."""
    interval: float
    """The cost is within so much of the number, in 95 cases of 100."""
    is_exact: bool
    """Whether the rest of the game was solved: the cost is not an estimate."""
    played: str
    best: str
    played_does: str
    """What the action did, in words, as far as the seat could know."""
    best_does: str
    reasons: list[str]
    """Why the other action was better, in sentences that hold for what the seat knew."""
    hindsight: float | None
    """What the action changed for its seat with all hands face up, in shares of the other players
    left behind: what nobody could know is in here. Null where nothing was hidden."""


class Judgements(Struct):
    judged: list[Judged]
