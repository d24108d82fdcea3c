"""A bot that keeps the game close against any player.

It searches to see how it stands. Unless it is ahead, it plays what the search found; the further
it is ahead, the lower the level whose eyes it chooses with, and in the end with those of a player
twice as hasty as the lowest. So its errors are those of a person and never a refusal of free points.
It solves no ends: exact play there would undo what it gave away before. It adapts within the game,
from nothing but what its seat sees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lampion.bots.base import Budget, Stop
from lampion.bots.human import Human, Limits
from lampion.bots.search import Search, Thought
from lampion.core.game import game_of_record
from lampion.core.record import Record
from lampion.core.types import Action, IntArray, Player, Rng

FAIR = 0.5
"""The utility of a game that is open; with more players, too: half of the others behind."""
BAND, STEP = 0.04, 0.04
"""How far ahead it begins to play like a lower level, and how much further ahead one level lower."""
LEAST_VISITS = 5
"""The lead is read from the best move, which has at least so many visits, or is not trusted."""


class Even:
    def __init__(self, levels: Callable[[str], Sequence[Limits]]) -> None:
        """`levels` gives the limits of the levels of a game to play like, the strongest first."""
        self._search, self._levels = Search(exact=0.0), levels

    def choose(
        self,
        seen: Record,
        seat: Player,
        legal: IntArray,
        budget: Budget,
        rng: Rng,
        stop: Stop | None = None,
    ) -> Action:
        if len(legal) == 1:
            return int(legal[0])
        *_, found = self._search.think(seen, seat, legal, budget, rng, stop)
        levels = self._levels(game_of_record(seen.dtype).NAME)
        limits = eyes(found, [*levels, levels[-1].doubled()])
        if limits is None:
            return found.moves[0].action
        return Human(limits).choose(seen, seat, legal, budget, rng, stop)


def eyes(found: Thought, levels: Sequence[Limits]) -> Limits | None:
    """With whose eyes to choose after this search; None: with those of the search."""
    best = found.moves[0]
    ahead = best.value - FAIR - BAND
    if best.visits < LEAST_VISITS or ahead <= 0:
        return None
    return levels[min(int(ahead / STEP), len(levels) - 1)]
