"""The judgment of a decision, from what its seat knew.

Where the seat knew everything that matters and the rest of the game is small, it is solved
(`bots.ends`): the values of all actions are exact, and so is the cost of the one that was played.

Elsewhere a search on the redacted record of the seat finds the best action. If another was played,
both are then searched alone, several times over with fresh random numbers, and the *cost* is the
mean difference of their values, with an interval from the spread of these runs. Those runs did not
choose the best action, so they owe it nothing: a difference that the first search only imagined
comes out as zero. These searches solve nothing, so that both values are of one kind. Each run has
another budget, too: where all is public and a network evaluates, nothing in a turn is random, and
runs that differ in their random numbers alone would all agree on the same error.

What seems to cost much is weighed a second time, with more runs and twice the budget, and only the
second weighing counts: the largest of many rough estimates are too large.

All values, solved or searched, are the search's utility: placement with some weight on the margin,
0 to 1. A cost below its interval is not a mistake. Decisions without an alternative (`forced`) and
those in which everything is about as good (`equal`) are not counted. All numbers of iterations and
seeds are fixed, so the same record is always judged alike.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import numpy.typing as npt

from lampion.bots.base import Budget, Stop
from lampion.bots.ends import EndSolver, Values
from lampion.bots.net import load_weights
from lampion.bots.search import Move, Search, Thought
from lampion.core.comparison import Reason
from lampion.core.log import Entry
from lampion.core.match import Match
from lampion.core.position import Position
from lampion.core.record import Record
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, Action, IntArray, Player
from lampion.reviews.coach import reasons

Verdict = Literal["forced", "equal", "best", "unclear", "mistake"]
"""`unclear`: another action seemed better, but by no more than the judgment is sure of."""

EQUAL = 0.01
"""Values, 0 to 1, that differ by less are called the same."""
MISTAKE = 0.02
"""What costs less is not worth calling one, however sure the judgment is."""
ENOUGH = 0.1
"""The share of all visits from which on a value is believed when decisions are called equal."""
COSTLY = 0.08
"""What seems to cost as much is weighed again."""
AGAIN = 100
"""The first run of a second weighing; earlier ones have other random numbers."""
STUDENT_95 = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36, 12: 2.20, 16: 2.13}
"""How many standard errors make an interval of 95 %, by the number of runs."""


@dataclass(frozen=True)
class Care:
    """How carefully decisions are judged, in iterations of the search."""

    look: int = 200
    """To find the best action."""
    weigh: int = 64
    """For each of two actions, on average over the runs."""
    runs: int = 6
    again: int = 16
    """Runs with twice that budget, for decisions that seem to cost much; 0 for none."""
    solve: int = 20_000
    """Positions that solving the rest of the game may take."""
    seed: int = 0
    """With another one, all random numbers are others: two judgments tell how much they matter."""

    def __post_init__(self) -> None:
        known = {0, *STUDENT_95}
        assert self.runs in STUDENT_95 and self.again in known, f"runs: one of {[*STUDENT_95]}"


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
    reasons: tuple[Reason, ...] = ()
    """What is better about the best action, as far as the seat could know."""
    chosen: Action = 0
    preferred: Action = 0
    is_exact: bool = False
    """Whether the rest of the game was solved."""

    @property
    def counts(self) -> bool:
        """Whether there was something to decide."""
        return self.verdict not in ("forced", "equal")

    @property
    def is_mistake(self) -> bool:
        return self.verdict == "mistake"

    @property
    def is_best(self) -> bool:
        """Whether nothing is better, as far as the search can tell."""
        return self.verdict in ("forced", "equal", "best")


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
    """The judgment of each decision, or of those at some plies, in the order of the log. Ends
    early when the caller stops it: a search that was cut short judges nothing."""
    wanted = None if plies is None else {*plies}
    for ply, entry, position in match.walk():
        if entry.actor != CHANCE and (wanted is None or ply in wanted):
            found = (
                None if stop and stop.is_set else Judge(position, ply, entry, care, stop).verdict()
            )
            if found is None or (stop and stop.is_set):
                return
            yield found


def judged_instead(
    match: Match,
    ply: int,
    action: str,
    *,
    care: Care = Care(),  # noqa: B008  (frozen)
) -> Judgement:
    """The judgment of another action in place of the decision at `ply`, as if it had been played.
    Illegal actions are refused as they are at a table."""
    tried = match.at(ply).submit(action, match.log[ply].actor)
    position = next(position for at, _, position in match.walk() if at == ply)
    return Judge(position, ply, tried, care, None).verdict()


class Judge:
    """One decision; `position` is the one in which it was made."""

    def __init__(
        self, position: Position, ply: int, entry: Entry, care: Care, stop: Stop | None
    ) -> None:
        self.position, self.ply, self.care, self.stop = position, ply, care, stop
        self.seat, self.action, self.played = entry.actor, entry.action, entry.text
        # Where a network evaluates, playouts cost much and tell little more.
        has_network = len(load_weights(position.game.NAME, position.players)) > 0
        self.search = Search(exact=0, cutoff=0) if has_network else Search(exact=0)
        self.legal = position.legal_ids(self.seat)
        self.seen: Record = position.seen_from(self.seat)

    def verdict(self) -> Judgement:
        if len(self.legal) == 1:
            return self._told("forced")
        values = self.solved()
        return self._searched() if values is None else self.exact(values)

    def solved(self) -> Values | None:
        """The exact values of all actions, in the unit of the search; nothing where the seat does
        not know enough, or too much is left."""
        if not self.may_solve():
            return None
        unit = self.search.settings(self.position.game).record()
        return self._ends.solve(
            self.seat,
            self.legal,
            1,
            self.care.solve,
            self.seed_of(0),
            only_best=False,
            unit=unit,
        )

    def may_solve(self) -> bool:
        """Whether the seat knows all that matters and the rest of the game looks small enough."""
        return self._ends.plan(self.seat, self.care.solve, self.seed_of(0)) == 1

    @functools.cached_property
    def _ends(self) -> EndSolver:
        return EndSolver(self.seen)

    def exact(self, values: Values) -> Judgement:
        if values.max() - values.min() < EQUAL:
            return self._told("equal")
        chosen = int(np.flatnonzero(self.legal == self.action)[0])
        cost = float(values.max() - values[chosen])
        if cost < EQUAL:
            return self._told("best")
        best = int(self.legal[int(values.argmax())])
        text = self.position.action_text(self.seat, best)
        verdict: Verdict = "mistake" if cost >= MISTAKE else "unclear"
        return replace(self._told(verdict, best, cost, better=(text,)), is_exact=True)

    def _searched(self) -> Judgement:
        first = self.think(self.legal, self.care.look, 0)
        best = first.moves[0]
        if is_equal(first, self.action):
            return self._told("equal")
        if best.action == self.action:
            return self._told("best")
        cost, interval = self.weighed(best.action, self.care.weigh, self.care.runs, 1)
        if self.care.again and cost >= COSTLY:
            cost, interval = self.weighed(best.action, 2 * self.care.weigh, self.care.again, AGAIN)
        is_mistake = cost > interval and cost >= MISTAKE
        verdict: Verdict = "mistake" if is_mistake else "unclear"
        return self._told(verdict, best.action, cost, interval, tuple(best.line))

    def _told(
        self,
        verdict: Verdict,
        best: Action | None = None,
        cost: float = 0.0,
        interval: float = 0.0,
        better: tuple[str, ...] = (),
    ) -> Judgement:
        if best is None:
            return Judgement(self.ply, self.seat, verdict, self.played, self.played)
        text = self.position.action_text(self.seat, best)
        return Judgement(
            self.ply,
            self.seat,
            verdict,
            self.played,
            text,
            cost,
            interval,
            better,
            reasons(self.position, self.seat, self.action, best),
            self.action,
            best,
        )

    def weighed(self, best: Action, weigh: int, runs: int, first: int) -> tuple[float, float]:
        """The mean difference of two actions over some runs, and its interval."""
        gaps = self.gaps(best, weigh, runs, first)
        error = float(gaps.std(ddof=1)) / runs**0.5
        return max(0.0, float(gaps.mean())), STUDENT_95[runs] * error

    def gaps(self, best: Action, weigh: int, runs: int, first: int) -> npt.NDArray[np.float64]:
        """The differences of two actions."""
        return np.array(
            [self.gap(best, first + k, budget) for k, budget in enumerate(budgets(weigh, runs))]
        )

    def gap(self, best: Action, run: int, iterations: int) -> float:
        """How much better the best action was than the one played, in one run. Both get the same
        random numbers and the same budget."""
        one, other = (
            self.think(np.array([action], np.int32), iterations, run).moves[0].value
            for action in (best, self.action)
        )
        return one - other

    def think(self, legal: IntArray, iterations: int, run: int) -> Thought:
        rng, budget = new_rng(self.seed_of(run)), Budget(iterations=iterations)
        *_, last = self.search.think(self.seen, self.seat, legal, budget, rng, self.stop)
        return last

    def seed_of(self, run: int) -> int:
        return 1_000_000_007 * self.care.seed + 1_000 * self.ply + run


def budgets(weigh: int, runs: int) -> list[int]:
    """The iterations of each run. They go from a half to three halves of the usual budget, so that
    runs differ even where nothing is random."""
    return [max(1, round(weigh * (0.5 + (run + 0.5) / runs))) for run in range(runs)]


def is_equal(thought: Thought, played: Action) -> bool:
    """Whether all that the search tried is worth about the same, and it looked long enough at the
    action that was played, and at another, to say so. A single visit says nothing: an action that
    was hardly looked at may be a mistake, and its share of a weighted mean is as small as it is."""
    tried = [move for move in thought.moves if move.visits > 0]
    all_visits = sum(move.visits for move in tried)
    values = {
        move.action: move.value for move in tried if move.visits >= max(2, ENOUGH * all_visits)
    }
    if len(values) < 2 or played not in values:
        return False
    return max(values.values()) - min(values.values()) < EQUAL and _spread(tried) < EQUAL / 2


def _spread(tried: list[Move]) -> float:
    """The standard deviation of the values, weighted by visits."""
    values, visits = np.array([(move.value, move.visits) for move in tried]).T
    mean = np.average(values, weights=visits)
    return math.sqrt(np.average((values - mean) ** 2, weights=visits))
