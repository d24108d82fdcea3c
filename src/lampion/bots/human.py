"""A bot that errs as people do, for the lower levels.

It looks one move ahead, like `greedy`, but not at everything. People look at some of the places and
not at others, forget that a kind of action exists, see their own gain better than what they give
away, prefer points now to promises, and misjudge what is close. They do not refuse free points:
when an action scores at once and is no worse than the chosen one by full judgment, it is taken.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lampion.bots import tree
from lampion.bots.base import Budget, Stop, num_players
from lampion.core import play
from lampion.core.actions import ActionSpace
from lampion.core.game import game_of_record
from lampion.core.record import Record
from lampion.core.types import Action, IntArray, Player, Rng

LEAST_NOTICED = 3
"""Even a hasty player compares a few actions."""
Numbers = npt.NDArray[np.float64]


def _limit(default: float, most: float) -> Any:
    return dataclasses.field(default=default, metadata={"least": 0.0, "most": most})


@dataclass(frozen=True)
class Limits:
    """How far a player sees; the defaults are those of a player who sees everything one move deep."""

    glance: float = _limit(1.0, 1)
    """The share of the actions of a kind that the player looks at."""
    forget: float = _limit(0.0, 1)
    """How often a kind of action does not come to mind at all."""
    promise: float = _limit(1.0, 1)
    """How much of what is not yet points counts."""
    gifts: float = _limit(1.0, 1)
    """How much of what an action gives the strongest rival counts."""
    doubt: float = _limit(0.0, 100)
    """How far judgments are off, in points."""

    def doubled(self) -> Limits:
        """Those of a player who falls short of seeing everything by twice as much."""
        shares = (max(0.0, 2 * share - 1) for share in (self.glance, self.promise, self.gifts))
        glance, promise, gifts = shares
        return Limits(glance, min(1.0, 2 * self.forget), promise, gifts, 2 * self.doubt)


class Human:
    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()

    def choose(
        self,
        seen: Record,
        seat: Player,
        legal: IntArray,
        budget: Budget,
        rng: Rng,
        stop: Stop | None = None,
    ) -> Action:
        chooser = np.random.default_rng(int(rng[0]))
        play.next_number(rng)
        if len(legal) == 1:
            return int(legal[0])
        before, prospects = prospects_of(seen, seat, legal, chooser)
        kinds = kinds_of(game_of_record(seen.dtype).ACTIONS, legal)
        noticed = self._notice(kinds, chooser)
        judged = self._judge(prospects, chooser)
        chosen = int(noticed[np.argmax(judged[noticed])])
        return int(legal[free_points(chosen, before, prospects)])

    def _notice(self, kinds: IntArray, chooser: np.random.Generator) -> npt.NDArray[np.int64]:
        """The places of the actions that come to mind."""
        limits = self.limits
        forgotten = [kind for kind in np.unique(kinds) if chooser.random() < limits.forget]
        is_noticed = (chooser.random(len(kinds)) < limits.glance) & ~np.isin(kinds, forgotten)
        found = np.flatnonzero(is_noticed)
        if len(found) >= min(LEAST_NOTICED, len(kinds)):
            return found
        return chooser.permutation(len(kinds))[:LEAST_NOTICED]

    def _judge(self, prospects: Prospects, chooser: np.random.Generator) -> Numbers:
        limits = self.limits
        own = prospects.points + limits.promise * (prospects.own - prospects.points)
        errors = limits.doubt * chooser.standard_normal(len(own))
        return np.asarray(own - limits.gifts * prospects.rival + errors)


@dataclass(frozen=True)
class Prospects:
    """What each action leads to, in points, by action."""

    points: Numbers
    """The player's points as they stand afterwards."""
    own: Numbers
    """The points that the player can expect then."""
    rival: Numbers
    """The same of the best of the others."""


def prospects_of(
    seen: Record, seat: Player, legal: IntArray, chooser: np.random.Generator
) -> tuple[int, Prospects]:
    """The player's points as they stand, and the prospects of all legal actions in one guess of what
    the player cannot see."""
    states = np.zeros(2, seen.dtype)
    out = np.zeros((len(legal), 3))
    dice = np.array([chooser.integers(2**63)], np.uint64)
    tree.look_at_prospects(
        seen.batch[seen.index : seen.index + 1], states, seat, legal, num_players(seen), out, dice
    )
    scores = np.zeros(num_players(seen), np.int32)
    play.scores_at(seen.batch, seen.index, scores)
    points, own, rival = out.T
    return int(scores[seat]), Prospects(points, own, rival)


def kinds_of(actions: ActionSpace, legal: IntArray) -> IntArray:
    starts = [block.start for block in actions.blocks]
    return np.searchsorted(starts, legal, side="right").astype(np.int32)


def free_points(chosen: int, before: int, prospects: Prospects) -> int:
    """The place of the action to play: a scoring one instead of the chosen one, if nothing speaks
    against it."""
    if prospects.points[chosen] > before:
        return chosen
    full = prospects.own - prospects.rival
    scoring = np.flatnonzero(prospects.points > before)
    if len(scoring) == 0:
        return chosen
    best = int(scoring[np.argmax(full[scoring])])
    return best if full[best] >= full[chosen] else chosen
