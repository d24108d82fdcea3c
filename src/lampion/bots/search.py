"""The bots that look ahead: greedy, one move deep, and search, as deep as the budget allows (see `bots.tree`)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from lampion.bots import tree
from lampion.bots.base import Budget, Stop
from lampion.core.game import Game, game_of_record
from lampion.core.record import Record
from lampion.core.types import Action, IntArray, Player, Rng

CHUNK_SECONDS = 0.01
"""How long compiled code runs before the clock is looked at."""


@dataclass(frozen=True)
class Settings:
    """How to search; the defaults are what won most matches in the arena (docs/search.md)."""

    exploration: float = 0.5
    widening: float = 1.0
    root_width: float = 1.5
    prior_visits: float = 2.0
    margin_share: float = 0.3
    margin_scale: float = 8.0
    playout: int = 1
    cutoff: int = 4

    def record(self) -> npt.NDArray[np.void]:
        return np.array([tuple(self.__dict__[name] for name in tree.SETTINGS.names or ())], tree.SETTINGS)


@dataclass
class Thought:
    """What a search found: the moves it looked at, most visited first, and how the game may end for each player."""

    moves: IntArray
    visits: IntArray
    values: npt.NDArray[np.float64]
    iterations: int
    totals: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 3)))


class Workspace:
    """The arrays of one search."""

    def __init__(self, seen: Record, players: int, max_nodes: int) -> None:
        self.game: Game = game_of_record(seen.dtype)
        self.root = seen.batch[seen.index : seen.index + 1].copy()
        self.states = np.zeros(2, seen.dtype)
        self.nodes = np.zeros(max_nodes, tree.NODE)
        self.used = np.zeros(1, np.int32)
        self.path = np.zeros(tree.MAX_DEPTH, np.int32)
        self.legal = np.zeros(self.game.ACTIONS.size, np.int32)
        self.utilities = np.zeros(players)
        self.totals = np.zeros((players, 3))


def evaluate_moves(
    work: Workspace, seat: Player, legal: IntArray, settings: npt.NDArray[np.void], rng: Rng
) -> npt.NDArray[np.float64]:
    values = np.zeros(len(legal))
    tree.evaluate_moves(work.root, work.states, seat, legal, work.utilities, settings, values, rng)
    return values


class Greedy:
    """Takes the action after which it stands best."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = (settings or Settings()).record()

    def choose(self, seen: Record, seat: Player, legal: IntArray, budget: Budget, rng: Rng, stop: Stop | None = None) -> Action:
        work = Workspace(seen, num_players(seen), 1)
        return int(legal[int(np.argmax(evaluate_moves(work, seat, legal, self.settings, rng)))])


class Search:
    """Information-set Monte Carlo tree search."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = (settings or Settings()).record()

    def choose(self, seen: Record, seat: Player, legal: IntArray, budget: Budget, rng: Rng, stop: Stop | None = None) -> Action:
        if len(legal) == 1:
            return int(legal[0])
        return int(self.think(seen, seat, legal, budget, rng, stop).moves[0])

    def think(self, seen: Record, seat: Player, legal: IntArray, budget: Budget, rng: Rng, stop: Stop | None = None) -> Thought:
        """Search until the budget is spent or somebody stops it."""
        deadline = None if budget.seconds is None else time.perf_counter() + budget.seconds
        limit = budget.iterations or 10**9
        work = Workspace(seen, num_players(seen), self._room(budget))
        priors = evaluate_moves(work, seat, legal, self.settings, rng)
        order = np.argsort(-priors, kind="stable")
        moves = np.ascontiguousarray(legal[order])
        tree.plant_root(work.root, work.nodes, work.used, seat, moves, np.ascontiguousarray(priors[order]))
        done = self._iterate(work, seat, limit, deadline, rng, stop or Stop())
        return _thought(work, moves, done)

    def _room(self, budget: Budget) -> int:
        """Nodes enough for the budget: an iteration adds a decision and the draws before it."""
        iterations = budget.iterations or int(400_000 * (budget.seconds or 1.0))
        return 2000 + 4 * min(iterations, 1_500_000)

    def _iterate(self, work: Workspace, seat: Player, limit: int, deadline: float | None, rng: Rng, stop: Stop) -> int:
        done, chunk = 0, 16
        while done < limit and not stop.is_set:
            before = time.perf_counter()
            wanted = min(chunk, limit - done)
            did = tree.run_iterations(work.root, work.states, work.nodes, work.used, seat, work.path, work.legal, work.utilities,
                                      work.totals, self.settings, rng, stop.flag, wanted)  # fmt: skip
            done += did
            now = time.perf_counter()
            if did < wanted or (deadline is not None and now >= deadline):
                break
            left = CHUNK_SECONDS if deadline is None else min(CHUNK_SECONDS, deadline - now)
            chunk = max(1, int(chunk * min(4.0, left / max(now - before, 1e-6))))
        return done


def _thought(work: Workspace, moves: IntArray, done: int) -> Thought:
    """The root moves, most visited first."""
    nodes = work.nodes[1 : 1 + len(moves)]
    values = nodes["value"] / np.maximum(nodes["visits"], 1)
    order = np.lexsort((-values, -nodes["visits"]))
    return Thought(moves[order], nodes["visits"][order], values[order], done, work.totals / max(done, 1))


def num_players(seen: Any) -> int:
    return int(seen.num_players)
