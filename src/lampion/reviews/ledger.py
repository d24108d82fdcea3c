"""The ledger of a game: what was luck and what was play, for every seat, adding up exactly.

Walk the log with a fixed value function V (see `reviews.values`):

    an outcome of chance   luck = V(after) - the mean of V over all outcomes, each with its weight
                           so its mean is zero whatever V is; what V lacked before it, the mean of
                           V over all outcomes - V(before), goes into the remainder
    a decision             change = V(after) - V(before), for its player's seat and for the others

Luck before the first decision is the deal, later luck the draws. Deal, draws, own decisions, the
decisions of others and the remainder add up to the result minus V(start), because every V between
is added once and taken away once. What was taken back does not count.

Where a game was decided by a clock or a resignation, what that changed counts as the own play of
the seats that lost by it, and as the play of others for the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lampion.core import play
from lampion.core.gamelog import Decided
from lampion.core.log import Entry
from lampion.core.match import Match
from lampion.core.position import Position
from lampion.core.types import CHANCE, Player
from lampion.reviews.values import NUM_UNITS, PLACE, POINTS, WIN, Valuer, is_as_trained

Table = npt.NDArray[np.float64]
"""By player and unit, or with an axis more before the unit."""

PARTS = ("deal", "draws", "own", "others", "remainder")
DEAL, DRAWS, OWN, OTHERS, REMAINDER = range(len(PARTS))


@dataclass(frozen=True)
class Step:
    """A log entry that stands, and what it changed."""

    ply: int
    actor: Player
    before: Table
    after: Table
    expected: Table
    """The mean over the outcomes; for a decision the same as `before`."""

    @property
    def is_chance(self) -> bool:
        return self.actor == CHANCE

    @property
    def change(self) -> Table:
        """Luck, or what a decision did."""
        return self.after - self.expected

    @property
    def drift(self) -> Table:
        return self.expected - self.before


@dataclass(frozen=True)
class Ledger:
    start: Table
    """The values before the deal."""
    result: Table
    """What came of it: the result, or the last values if the game did not end."""
    parts: Table
    """By player, part and unit."""
    done: Table
    """What each player's decisions did to each seat: by player, seat and unit."""
    steps: list[Step]
    is_finished: bool
    is_trained: bool
    """Whether the value function is one that was trained for this game, with its options and
    pieces."""

    @property
    def luck(self) -> Table:
        """Deal and draws, by player and unit."""
        return np.asarray(self.parts[:, DEAL] + self.parts[:, DRAWS])


def ledger_of(match: Match, valuer: Valuer | None = None, decided: Decided | None = None) -> Ledger:
    """The ledger of a match, finished or not, as its log tells it."""
    value = valuer or Valuer(match.game, match.players)
    befores = [
        (ply, entry.actor, *_before(value, entry, position))
        for ply, entry, position in match.walk()
    ]
    last = value(match.state)
    afters = [*(before for _, _, before, _ in befores[1:]), last]
    steps = [
        Step(ply, actor, before, after, expected)
        for (ply, actor, before, expected), after in zip(befores, afters, strict=False)
    ]
    parts, done = _summed(steps, match.players)
    start = steps[0].before if steps else last
    result = last
    if decided:
        result = decided_result(decided, match.scores)
        for seat in range(match.players):
            part = OWN if seat in decided.forfeited else OTHERS
            parts[seat, part] += result[seat] - last[seat]
    is_finished = match.is_over or decided is not None
    is_trained = value.is_trained and is_as_trained(match)
    return Ledger(start, result, parts, done, steps, is_finished, is_trained)


def changes_at(match: Match, plies: Iterable[int]) -> dict[int, float]:
    """What the decisions at these plies changed for their own seats, in places: as in the ledger,
    without the rest of it."""
    value, wanted = Valuer(match.game, match.players), {*plies}
    found = {}
    for ply, entry, position in match.walk():
        if ply in wanted:
            after = position.state.copy()
            play.apply_at(after.batch, 0, entry.actor, entry.action)
            change = value(after) - value(position.state)
            found[ply] = float(change[entry.actor, PLACE])
    return found


def decided_result(decided: Decided, scores: list[int]) -> Table:
    """The values of a result that the position does not tell."""
    places, result = np.array(decided.places), np.zeros((len(scores), NUM_UNITS))
    for seat, place in enumerate(places):
        behind, equal = int((places > place).sum()), int((places == place).sum()) - 1
        result[seat, PLACE] = (behind + 0.5 * equal) / max(len(places) - 1, 1)
        result[seat, WIN] = (place == 1) / max((places == 1).sum(), 1)
    result[:, POINTS] = scores
    return result


def _before(value: Valuer, entry: Entry, position: Position) -> tuple[Table, Table]:
    """The values before an entry, and what it was expected to bring."""
    before = value(position.state)
    return before, value.expected(position.state) if entry.actor == CHANCE else before


def _summed(steps: list[Step], players: int) -> tuple[Table, Table]:
    parts = np.zeros((players, len(PARTS), NUM_UNITS))
    done = np.zeros((players, players, NUM_UNITS))
    has_begun = False
    for step in steps:
        if step.is_chance:
            parts[:, DRAWS if has_begun else DEAL] += step.change
            parts[:, REMAINDER] += step.drift
            continue
        has_begun = True
        done[step.actor] += step.change
    own = done[np.arange(players), np.arange(players)]
    parts[:, OWN] = own
    parts[:, OTHERS] = done.sum(axis=0) - own
    return parts, done
