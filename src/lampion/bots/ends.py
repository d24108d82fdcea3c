"""The ends of games, played exactly: `bots.solver` for the moves of one seat."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from lampion.bots import solver, utility
from lampion.bots.base import num_players
from lampion.bots.knowledge import says_what_is_certain
from lampion.core import play
from lampion.core.game import Game, game_of_record
from lampion.core.record import Record
from lampion.core.rng import new_rng
from lampion.core.types import IntArray, Player, Rng

Values = npt.NDArray[np.float64]
Pace = Callable[[int], int]
"""How many positions to look at before it is asked again, given how many there have been; 0 gives
up."""
TIE_BREAK = 1e-6
"""How much of the utility is the margin in points: the placement comes first."""
BY_PLACEMENT = utility.by_placement(TIE_BREAK)
SAMPLES = 12
"""Random games from which the size of the rest is estimated."""
SAVED_BY_CUTTING, NOT_SAVED = 40.0, 1.0
"""Between two players cutting lines off saves that much at best, so rests that look that many times
too large are tried. Among more nothing is cut off, and a rest is about as large as it looks."""
TELLING_GUESSES = 128
"""Where a game does not say what a seat can tell (`is_certain` in its module `knowledge`), so many
guesses must agree. If the likeliest of what may be hidden has a chance of p, they all agree with a
probability of at most p to the 127th: a doubt of 5 % is overlooked once in 670 times. One that is
overlooked shifts a value by no more than the doubt itself, whatever else may be hidden."""
GUESSES = 12
"""How many guesses moves are compared over if the seat does not know everything."""


class EndSolver:
    """The arrays of a solver for one seat's decision."""

    def __init__(self, seen: Record) -> None:
        self.game: Game = game_of_record(seen.dtype)
        self.root = seen.batch[seen.index : seen.index + 1].copy()
        self.players = num_players(seen)
        self.states = np.zeros(solver.MAX_LEVELS, seen.dtype)
        self.legal = np.zeros((solver.MAX_LEVELS, self.game.ACTIONS.size), np.int32)
        self.weights = np.zeros((solver.MAX_LEVELS, self.game.ACTIONS.size), np.int32)
        self.levels = np.zeros(solver.MAX_LEVELS, solver.LEVEL)

    def plan(self, seat: Player, most_nodes: int, seed: int) -> int:
        """Over how many guesses to solve, or 0 where the rest of the game looks too large for
        `most_nodes` positions."""
        dice = new_rng(seed)
        most = most_nodes * (SAVED_BY_CUTTING if self.players == 2 else NOT_SAVED)
        size = self.estimate(seat, most, dice)
        if size > most:
            return 0
        guesses = 1 if self.knows_everything(seat, dice) else GUESSES
        return guesses if guesses * size <= most else 0

    def solve(
        self,
        seat: Player,
        moves: IntArray,
        guesses: int,
        most_nodes: int,
        seed: int,
        *,
        only_best: bool = True,
        pace: Pace | None = None,
        unit: npt.NDArray[np.void] = BY_PLACEMENT,
    ) -> Values | None:
        """The exact utility of each move, by placement with the margin breaking ties unless `unit`
        weighs them otherwise; nothing if that takes more than `most_nodes` positions, or `pace`
        gives up. With `only_best`, which is much faster, values of moves that are no better than
        one before them may be too high, up to the best."""
        values, dice = np.zeros(len(moves)), new_rng(seed)
        progress = np.zeros(1, solver.PROGRESS)
        found = solver.NOT_YET
        while found == solver.NOT_YET:
            nodes = int(progress["nodes"][0])
            chunk = min(most_nodes - nodes, pace(nodes) if pace else most_nodes)
            if chunk <= 0:
                return None
            found = solver.solve_moves(
                self.root, self.states, seat, moves, guesses, self.legal, self.weights, self.levels,
                unit, dice, chunk, only_best, progress, values,
            )  # fmt: skip
        return values if found == solver.SOLVED else None

    def estimate(self, seat: Player, most: float, dice: Rng) -> float:
        """About how many positions there are below this one, exact only up to `most`."""
        return solver.estimate_size(
            self.root, self.states, seat, self.legal[0], SAMPLES, most, dice
        )

    def knows_everything(self, seat: Player, dice: Rng) -> bool:
        """Whether nothing that matters is hidden from a seat."""
        if not self.game.State.has_secrets:
            return True
        if says_what_is_certain(self.game):
            return bool(solver.is_certain_at(self.root, seat))
        first = self._guess(seat, dice)
        return all(self._guess(seat, dice) == first for _ in range(TELLING_GUESSES - 1))

    def _guess(self, seat: Player, dice: Rng) -> list[bytes]:
        """What every player would see, if this guess were true."""
        world = self.root.copy()
        play.determinize_at(world, 0, seat, dice)
        seats = range(self.players)
        return [seen.tobytes() for seen in self.game.State(world).redacted_for(seats)]
