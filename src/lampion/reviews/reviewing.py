"""The review of a game: its ledger and the judgments of its decisions, put together for readers.

>>> review = lampion.review(record)                # doctest: +SKIP
>>> review.rows[0].place.draws, review.costliest   # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from lampion.bots.base import Stop
from lampion.core.gamelog import GameRecord, read_record
from lampion.core.match import Match
from lampion.core.types import CHANCE, Player
from lampion.matches import load
from lampion.reviews.judging import Care, Judgement, judged
from lampion.reviews.ledger import (
    DEAL,
    DRAWS,
    OTHERS,
    OWN,
    REMAINDER,
    Ledger,
    Table,
    changes_at,
    ledger_of,
)
from lampion.reviews.values import PLACE, POINTS, VERSION, WIN

MOST_SHOWN = 3
"""The costliest decisions that a review puts first."""


@dataclass(frozen=True)
class Account:
    """Where the result of a seat came from, in one unit: all but the last add up to the last."""

    start: float
    deal: float
    draws: float
    own: float
    others: float
    remainder: float
    result: float


@dataclass(frozen=True)
class Row:
    """A seat."""

    seat: Player
    name: str
    place: Account
    """The share of the others left behind, 0 to 1."""
    points: Account
    decisions: int
    """Those in which there was something to decide, of those that were judged."""
    mistakes: int
    error: float
    """What mistakes cost on average, over these decisions."""
    substituted: int = 0
    """Decisions that a bot made for this seat; they are not judged."""


@dataclass(frozen=True)
class Moment:
    """What everybody could expect after a log entry."""

    ply: int
    """How many entries the log had then."""
    actor: Player
    win: Sequence[float]
    place: Sequence[float]
    points: Sequence[float]
    luck: Sequence[float] | None
    """What an outcome of chance gave each seat, in the unit of places; None for decisions."""


@dataclass(frozen=True)
class Decision:
    """A decision as it was judged, and what came of it."""

    judgement: Judgement
    hindsight: float | None
    """None where nothing was hidden. What it changed for its seat by the value function, which sees all hands: what nobody could
    know is in here, and the errors of that function."""

    @property
    def cost(self) -> float:
        return self.judgement.cost


@dataclass(frozen=True)
class Review:
    game: str
    names: Sequence[str]
    version: int
    """That of the value function."""
    is_finished: bool
    is_trained: bool
    rows: Sequence[Row]
    curve: Sequence[Moment]
    decisions: Sequence[Decision] = field(default_factory=tuple)

    @property
    def costliest(self) -> list[Decision]:
        """The mistakes that cost most, the costliest first."""
        found = [one for one in self.decisions if one.judgement.is_mistake]
        return sorted(found, key=lambda one: (-one.cost, one.judgement.ply))[:MOST_SHOWN]

    def _repr_svg_(self) -> str:
        """The picture that a notebook shows."""
        from lampion.reviews.svg import review_svg  # which knows this class

        return review_svg(self)


def review(
    game: Match | GameRecord | str | bytes,
    *,
    care: Care | None = Care(),  # noqa: B008  (frozen)
    substituted: Iterable[int] = (),
    stop: Stop | None = None,
    told: Callable[[], None] = lambda: None,
) -> Review:
    """The review of a match or a record. Without `care` its decisions are not judged, which takes
    milliseconds instead of seconds; nor are decisions of a game that this one continues.
    `substituted` are the plies at which a bot acted for a seat, if the record does not say so: they
    count in the ledger, and nobody is blamed for them. `told` is called after each decision that
    was judged."""
    record = read_record(game) if isinstance(game, str | bytes) else game
    match = record if isinstance(record, Match) else load(record)
    decided, left_out, first = None, {*substituted}, 0
    if isinstance(record, GameRecord):
        decided, left_out = record.decided, left_out | {*(record.substituted or ())}
        first = record.first_ply
    ledger = ledger_of(match, decided=decided)
    if care is None:
        return put_together(match, ledger, (), left_out)
    own = [step.ply for step in ledger.steps if not step.is_chance and step.ply >= first]
    plies = [ply for ply in own if ply not in left_out]
    judgements = []
    for judgement in judged(match, care=care, plies=plies, stop=stop):
        judgements.append(judgement)
        told()
    return put_together(match, ledger, judgements, left_out)


def put_together(
    match: Match, ledger: Ledger, judgements: Sequence[Judgement], substituted: set[int]
) -> Review:
    """A review of what has been judged so far."""
    changes = {
        step.ply: float(step.change[step.actor, PLACE])
        for step in ledger.steps
        if step.actor != CHANCE
    }
    hidden = hidden_plies(match, changes)
    return Review(
        match.game.NAME,
        match.names,
        VERSION,
        ledger.is_finished,
        ledger.is_trained,
        [_row(match, ledger, judgements, substituted, seat) for seat in range(match.players)],
        _curve(ledger),
        [Decision(one, changes[one.ply] if one.ply in hidden else None) for one in judgements],
    )


def hidden_plies(match: Match, plies: Iterable[int]) -> set[int]:
    """Those of the decisions at which something was hidden from the player."""
    wanted = {*plies}
    return {
        ply for ply, _, position in match.walk() if ply in wanted and position.state.has_secrets
    }


def judged_decisions(match: Match, plies: Sequence[int]) -> list[Decision]:
    """Some decisions, judged and seen in hindsight, without the rest of the review."""
    return in_hindsight(match, list(judged(match, plies=plies)))


def in_hindsight(match: Match, judgements: Sequence[Judgement]) -> list[Decision]:
    """Judgments with what the decisions changed, all hands face up."""
    changes = changes_at(match, hidden_plies(match, [one.ply for one in judgements]))
    return [Decision(one, changes.get(one.ply)) for one in judgements]


def _row(
    match: Match,
    ledger: Ledger,
    judgements: Sequence[Judgement],
    substituted: set[int],
    seat: Player,
) -> Row:
    own = [one for one in judgements if one.seat == seat and one.counts]
    costs = [one.cost for one in own if one.is_mistake]
    return Row(
        seat,
        match.names[seat],
        _account(ledger, seat, PLACE),
        _account(ledger, seat, POINTS),
        len(own),
        len(costs),
        sum(costs) / len(own) if own else 0.0,
        sum(step.actor == seat for step in ledger.steps if step.ply in substituted),
    )


def _account(ledger: Ledger, seat: Player, unit: int) -> Account:
    parts = ledger.parts[seat, :, unit]
    return Account(
        start=float(ledger.start[seat, unit]),
        deal=float(parts[DEAL]),
        draws=float(parts[DRAWS]),
        own=float(parts[OWN]),
        others=float(parts[OTHERS]),
        remainder=float(parts[REMAINDER]),
        result=float(ledger.result[seat, unit]),
    )


def _curve(ledger: Ledger) -> list[Moment]:
    found = [Moment(0, CHANCE, *_columns(ledger.start), None)]
    for step in ledger.steps:
        luck = step.change[:, PLACE].tolist() if step.is_chance else None
        # A clock or a resignation may have decided otherwise than the last position.
        after = ledger.result if step is ledger.steps[-1] else step.after
        found.append(Moment(step.ply + 1, step.actor, *_columns(after), luck))
    return found


def _columns(values: Table) -> tuple[list[float], list[float], list[float]]:
    win, place, points = (values[:, unit].tolist() for unit in (WIN, PLACE, POINTS))
    return win, place, points
