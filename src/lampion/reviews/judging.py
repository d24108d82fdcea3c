"""The judgement of a decision, from what its seat knew.

A search on the redacted record of the seat finds the best action. If another was played, both are
then searched alone, several times over with fresh random numbers, and the *cost* is the mean
difference of their values, with an interval from the spread of these runs. Those runs did not
choose the best action, so they owe it nothing: a difference that the first search only imagined
comes out as zero.

A cost below its interval is not a mistake. Decisions without an alternative (`forced`) and those in
which everything is about as good (`equal`) are not counted. All numbers of iterations and seeds are
fixed, so the same record is always judged alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lampion.bots.base import Budget, Stop
from lampion.bots.net import load_weights
from lampion.bots.search import Search, Thought
from lampion.core.log import Entry
from lampion.core.match import Match
from lampion.core.position import Position
from lampion.core.record import Record
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, Action, IntArray, Player

Verdict = Literal["forced", "equal", "best", "unclear", "mistake"]
"""`unclear`: another action seemed better, but by no more than the judgement is sure of."""

EQUAL = 0.01
"""Values, 0 to 1, that differ by less are called the same."""
MISTAKE = 0.02
"""What costs less is not worth calling one, however sure the judgement is."""
STUDENT_95 = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36}
"""How many standard errors make an interval of 95 %, by the number of runs."""


@dataclass(frozen=True)
class Care:
    """How carefully decisions are judged, in iterations of the search."""

    look: int = 200
    """To find the best action."""
    weigh: int = 64
    """For each of two actions, in each run."""
    runs: int = 6

    def __post_init__(self) -> None:
        assert self.runs in STUDENT_95, f"2 to {max(STUDENT_95)} runs"


@dataclass(frozen=True)
class Judgement:
    """What a decision cost its player, in the search's value: placement, with some weight on the
    margin, 0 to 1."""

    ply: int
    seat: Player
    verdict: Verdict
    played: str
    best: str
    cost: float = 0.0
    interval: float = 0.0
    """The cost is within so much of the number, in 95 cases of 100."""
    better: tuple[str, ...] = ()
    """What the search expects after the best action, that one first."""
    chosen: Action = 0
    preferred: Action = 0

    @property
    def counts(self) -> bool:
        """Whether there was something to decide."""
        return self.verdict not in ("forced", "equal")


def decisions_of(match: Match) -> list[int]:
    """The plies of the decisions that stand."""
    return [ply for ply in match.log.standing_plies if match.log[ply].actor != CHANCE]


def judged(
    match: Match,
    *,
    care: Care = Care(),  # noqa: B008  (frozen)
    plies: Iterable[int] | None = None,
    stop: Stop | None = None,
) -> Iterator[Judgement]:
    """The judgement of each decision, or of those at some plies, in the order of the log. Ends
    early when somebody stops it."""
    wanted = None if plies is None else {*plies}
    for ply, entry, position in match.walk():
        if entry.actor != CHANCE and (wanted is None or ply in wanted):
            if stop and stop.is_set:
                return
            yield Judge(position, ply, entry, care, stop).verdict()


class Judge:
    """One decision; `position` is the one in which it was made."""

    def __init__(
        self, position: Position, ply: int, entry: Entry, care: Care, stop: Stop | None
    ) -> None:
        self.position, self.ply, self.care, self.stop = position, ply, care, stop
        self.seat, self.action, self.played = entry.actor, entry.action, entry.text
        # Where a network evaluates, playouts cost much and tell little more.
        has_network = len(load_weights(position.game.NAME, position.players)) > 0
        self.search = Search(cutoff=0) if has_network else Search()
        self.legal = position.legal_ids(self.seat)
        self.seen: Record = position.seen_from(self.seat)

    def verdict(self) -> Judgement:
        if len(self.legal) == 1:
            return Judgement(self.ply, self.seat, "forced", self.played, self.played)
        first = self._think(self.legal, self.care.look, 0)
        best = first.moves[0]
        if _is_equal(first):
            return Judgement(self.ply, self.seat, "equal", self.played, self.played)
        if best.action == self.action:
            return Judgement(self.ply, self.seat, "best", self.played, self.played)
        gaps = np.array([self._gap(best.action, run) for run in range(1, 1 + self.care.runs)])
        error = float(gaps.std(ddof=1)) / len(gaps) ** 0.5
        cost, interval = max(0.0, float(gaps.mean())), STUDENT_95[len(gaps)] * error
        is_mistake = cost > interval and cost >= MISTAKE
        return Judgement(
            self.ply,
            self.seat,
            "mistake" if is_mistake else "unclear",
            self.played,
            self.position.action_text(self.seat, best.action),
            cost,
            interval,
            tuple(best.line),
            self.action,
            best.action,
        )

    def _gap(self, best: Action, run: int) -> float:
        """How much better the best action was than the one played, in one run. Both get the same
        random numbers."""
        one, other = (
            self._think(np.array([action], np.int32), self.care.weigh, run).moves[0].value
            for action in (best, self.action)
        )
        return one - other

    def _think(self, legal: IntArray, iterations: int, run: int) -> Thought:
        rng = new_rng(1_000 * self.ply + run)
        budget = Budget(iterations=iterations)
        *_, last = self.search.think(self.seen, self.seat, legal, budget, rng, self.stop)
        return last


def _is_equal(thought: Thought) -> bool:
    """Whether the actions that the search tried are all worth about the same."""
    tried = [move.value for move in thought.moves if move.visits > 0]
    return len(tried) > 1 and max(tried) - min(tried) < EQUAL
