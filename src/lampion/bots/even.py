"""A bot that keeps the game close, whoever plays against it.

It searches like the strongest level, but when it is ahead it plays the move after which both sides
have about the same chances: never one that throws the game away at once, and never one that refuses
free points. When it is behind, it plays as well as it can. So it
adapts to its opponent within the game, from nothing but what its seat sees.
"""

from __future__ import annotations

import numpy as np

from lampion.bots.base import Budget, Stop
from lampion.bots.human import free_points, prospects_of
from lampion.bots.search import Move, Search, Thought
from lampion.core.record import Record
from lampion.core.types import Action, IntArray, Player, Rng

FAIR = 0.5
"""The utility of a game that is open; with more players, too: half of the others behind."""
MOST_GIVEN = 0.5
"""How much utility it gives away in one move at most."""


class Even:
    def __init__(self) -> None:
        self._search = Search()

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
        chooser = np.random.default_rng(int(rng[0]))
        *_, found = self._search.think(seen, seat, legal, budget, rng, stop)
        chosen = even_move(found)
        place = int(np.flatnonzero(legal == chosen.action)[0])
        return int(legal[free_points(place, *prospects_of(seen, seat, legal, chooser))])


def even_move(found: Thought) -> Move:
    """The move after which the game is most open, among those that do not give it away at once."""
    best = found.moves[0]
    if best.value <= FAIR:
        return best
    known = [move for move in found.moves if found.is_known(move)]
    near = [move for move in known if move.value >= best.value - MOST_GIVEN]
    return min(near, key=lambda move: (abs(move.value - FAIR), move.value), default=best)
