"""The bots that look ahead: greedy, one move deep, and search, as deep as the budget allows (see `bots.tree`)."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lampion.bots import tree, utility
from lampion.bots.base import Budget, Stop, num_players
from lampion.bots.ends import EndSolver
from lampion.bots.knowledge import can_evaluate
from lampion.bots.net import NO_WEIGHTS, load_weights
from lampion.core import play
from lampion.core.facts import EVALUATED_PLAYOUT, POLICY_PLAYOUT, RANDOM_PLAYOUT, TO_THE_END
from lampion.core.game import Game, facts_of, game_of_record
from lampion.core.native.library import make_ready
from lampion.core.record import Record
from lampion.core.rng import new_rng, next_random
from lampion.core.types import GAME_OVER, Action, IntArray, Player, Rng

CHUNK_SECONDS = 0.01
"""How long compiled code runs between two looks at the clock."""
WALL_PATIENCE, LEAST_WALL_SECONDS = 10.0, 2.0
"""On a busy machine, a search ends with what it has after this many times its budget in wall-clock
time."""
NODES_A_SECOND_SOLVED, NODES_AN_ITERATION_SOLVED = 5_000_000, 16
"""About as many positions as the solver looks at in the time that a budget is worth: larger endgames
are not tried. With a budget in seconds it is the clock that ends it."""
NO_LIMIT = 2**62
FIRST_CHUNK, CHUNK_GROWTH = 16, 4
"""How much compiled code does before the clock is looked at for the first time, and how fast that
grows."""
MOST_NODES, NODES_A_SECOND = 6_000_000, 1_600_000
ALL_MOVES = 1e6
"""A root width with which no move waits for its turn."""


def _setting(default: float, least: float, most: float) -> Any:
    return dataclasses.field(default=default, metadata={"least": least, "most": most})


@dataclass(frozen=True)
class SearchSettings:
    """How to search (`utility.SETTINGS` says what each number does); the defaults suit a game that nobody has tuned yet."""

    exploration: float = _setting(0.1, 0, 100)
    widening: float = _setting(1.0, 0, ALL_MOVES)
    root_width: float = _setting(1.5, 0, ALL_MOVES)
    prior_visits: float = _setting(2.0, 0, 1e6)
    margin_share: float = _setting(0.3, 0, 1)
    margin_scale: float = _setting(8.0, 0.001, 1e6)
    playout: int = _setting(POLICY_PLAYOUT, RANDOM_PLAYOUT, EVALUATED_PLAYOUT)
    cutoff: int = _setting(4, TO_THE_END, 10_000)
    guided: int = _setting(0, 0, 1000)
    net: int = _setting(1, 0, 1)
    """Whether positions are evaluated by the trained network, where there is one (`bots.net`); 0 never."""
    exact: float = _setting(0.7, 0, 1)
    """The share of the budget that may go into solving the rest of the game (`bots.ends`)."""

    def record(self) -> npt.NDArray[np.void]:
        return np.array(
            [tuple(self.__dict__[name] for name in utility.SETTINGS.names or ())], utility.SETTINGS
        )


PLAIN = SearchSettings(exploration=0.5, root_width=ALL_MOVES, cutoff=TO_THE_END)
"""For a game without an evaluation: every move is tried, and games are played to their end."""


@dataclass
class Move:
    """A root move as a search sees it: its utility for the player (0 to 1), how often it was tried, and what may follow."""

    action: Action
    visits: int
    value: float
    line: list[str]
    prior: float = 0.0
    """What it looked like before any visit."""


@dataclass
class Thought:
    """What a search has found so far: the moves, best first."""

    moves: list[Move]
    iterations: int
    is_exact: bool = False
    """Whether the rest of the game was solved: then values are placements, and all visits, one, are
    those of the best move."""

    def is_known(self, move: Move) -> bool:
        """Whether the value of a move says anything: it was tried, or solved."""
        return self.is_exact or move.visits > 0


def wall_patience(seconds: float) -> float:
    """How long, by the clock on the wall, a search may take over a budget in processor time."""
    return max(WALL_PATIENCE * seconds, LEAST_WALL_SECONDS)


class Clock:
    """What a search has used of its budget: processor time of its thread, so that it means the same
    on a busy machine."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = 1e9 if seconds is None else max(seconds, 1e-9)
        self.patience = wall_patience(self.seconds)
        self.start, self.began = time.thread_time(), time.perf_counter()

    @property
    def used(self) -> float:
        return time.thread_time() - self.start

    @property
    def left(self) -> float:
        """On the processor; less where the wall clock goes faster than it should."""
        return self.seconds * (1.0 - self.share)

    @property
    def share(self) -> float:
        """How much is gone, 1 being all of it: of the processor time or of the patience, whichever
        is more."""
        waited = (time.perf_counter() - self.began) / self.patience
        return max(self.used / self.seconds, waited)


class SolverPace:
    """Lets the solver work in chunks while it has not used more than its share of the budget and
    nobody has stopped the search; the tree gets the rest."""

    def __init__(self, clock: Clock, share: float, stop: Stop) -> None:
        self.clock, self.share, self.stop = clock, share, stop
        self.start = clock.used
        self.chunk = FIRST_CHUNK // CHUNK_GROWTH

    def __call__(self, nodes: int) -> int:
        if self.stop.is_set or self.clock.share >= self.share:
            return 0
        spent = max(self.clock.used - self.start, 1e-6)
        in_time = int(nodes / spent * CHUNK_SECONDS) if nodes else FIRST_CHUNK
        self.chunk = max(1, min(CHUNK_GROWTH * self.chunk, in_time))
        return self.chunk


class Workspace:
    """The arrays of one search."""

    def __init__(self, seen: Record, max_nodes: int) -> None:
        players = num_players(seen)
        self.game: Game = game_of_record(seen.dtype)
        self.root = seen.batch[seen.index : seen.index + 1].copy()
        self.states = np.zeros(2, seen.dtype)
        self.nodes = np.zeros(max_nodes, tree.NODE)
        self.used = np.zeros(1, np.int32)
        self.path = np.zeros(tree.MAX_DEPTH, np.int32)
        self.legal = np.zeros(self.game.ACTIONS.size, np.int32)
        self.utilities = np.zeros(players)
        self.totals = np.zeros((players, 3))
        self.settings = SearchSettings().record()
        self.weights = NO_WEIGHTS
        self.moves: IntArray = np.zeros(0, np.int32)
        """The moves below the root, in the order of its children."""

    @property
    def children(self) -> npt.NDArray[np.void]:
        """The nodes of the root moves."""
        return self.nodes[1 : 1 + len(self.moves)]

    def use_network(self) -> None:
        """Let the trained network evaluate from now on, if the game has one."""
        self.weights = load_weights(self.game.NAME, len(self.utilities))

    def is_clear(self, visits_left: float) -> bool:
        """Whether no other move can become the most visited one any more."""
        second, first = np.sort(self.children["visits"])[-2:] if len(self.moves) > 1 else (0, 10**9)
        return int(first - second) > visits_left

    def best_first(self) -> npt.NDArray[np.int64]:
        """The places of the root moves, most visited first; of equal ones, the one of higher value."""
        visits = self.children["visits"]
        return np.lexsort((-self.children["value"] / np.maximum(visits, 1), -visits))

    def evaluate_moves(
        self, seat: Player, legal: IntArray, settings: npt.NDArray[np.void], rng: Rng
    ) -> npt.NDArray[np.float64]:
        """The utility of each move one move later, by evaluation alone."""
        values = np.zeros(len(legal))
        tree.evaluate_moves(
            self.root, self.states, seat, legal, self.weights, settings, values, rng
        )
        return values


class Greedy:
    """Takes the action with the best position after it. With `noise` it misjudges as people do:
    rarely if one action is far better than the others, often if they are close. The
    number says how large its mistakes are beside the differences between the actions.
    """

    def __init__(self, noise: float = 0.0, net: bool = False) -> None:
        self.noise, self.net = noise, net
        self.settings = SearchSettings().record()

    def choose(
        self,
        seen: Record,
        seat: Player,
        legal: IntArray,
        budget: Budget,
        rng: Rng,
        stop: Stop | None = None,
    ) -> Action:
        work = Workspace(seen, 1)
        if self.net:
            work.use_network()
        values = work.evaluate_moves(seat, legal, self.settings, rng)
        if self.noise:
            chooser = np.random.default_rng(int(rng[0]))
            play.next_number(rng)
            values = values + self.noise * values.std() * chooser.standard_normal(len(values))
        return int(legal[int(np.argmax(values))])


class Search:
    """Information-set Monte Carlo tree search, with the settings tuned for each game but for those given here."""

    def __init__(self, **changed: float) -> None:
        self.changed = changed

    def settings(self, game: Game) -> SearchSettings:
        facts = facts_of(game)
        uses_network = self.changed.get("net") != 0 and facts.search_with_network
        tuned = facts.search_with_network if uses_network else facts.search
        base = SearchSettings() if can_evaluate(game) else PLAIN
        return dataclasses.replace(base, **{**tuned, **self.changed})  # type: ignore[arg-type]

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
        *_, last = self.think(seen, seat, legal, budget, rng, stop, until_clear=True)
        return last.moves[0].action

    def think(
        self, seen: Record, seat: Player, legal: IntArray, budget: Budget, rng: Rng, stop: Stop | None = None, *,
        every: float = 1e9, until_clear: bool = False,
    ) -> Iterator[Thought]:  # fmt: skip
        """Search until the budget is spent or a caller stops it; gives what it has found every so many seconds, and at the end.

        With `until_clear` it also ends when no other move can become the most visited one any more,
        and says nothing about the values of other moves than the best.
        """
        clock, done = Clock(budget.seconds), 0
        # A search may end early, at a moment that the clock decides. Its own generator keeps that from changing the caller's.
        dice, stop = np.array([next_random(rng)], np.uint64), stop or Stop()
        solved = self.solve(
            seen, seat, legal, budget, int(dice[0]), clock, stop, only_best=until_clear
        )
        if solved is not None:
            yield solved
            return
        work, shown = self.plant(seen, seat, legal, budget, dice), clock.used
        for done in self.iterate(work, seat, budget, clock, dice, stop, until_clear):
            if clock.used - shown >= every:
                shown = clock.used
                yield _thought(work, seat, done)
        yield _thought(work, seat, done)

    def solve(
        self, seen: Record, seat: Player, legal: IntArray, budget: Budget, seed: int, clock: Clock, stop: Stop, *,
        only_best: bool = False,
    ) -> Thought | None:  # fmt: skip
        """Exact play, where the rest of the game is small enough for the budget. With `only_best`,
        which is faster, values of moves other than the best may be too high."""
        settings = self.settings(game_of_record(seen.dtype))
        most_nodes = nodes_to_solve(budget, settings)
        if not most_nodes or (budget.iterations is None and not make_ready(seen.dtype)):
            return None  # plain Python looks at too few positions a second to reach any end
        ends = EndSolver(seen)
        guesses = ends.plan(seat, most_nodes, seed)
        if not guesses:
            return None
        moves, priors = likely_best_first(seen, seat, legal, settings, seed)
        if budget.iterations is None:
            most_nodes = NO_LIMIT  # planned for a slow machine; here the clock ends it
        pace = SolverPace(clock, settings.exact, stop)
        values = ends.solve(seat, moves, guesses, most_nodes, seed, only_best=only_best, pace=pace)
        if values is None:
            return None
        found = [
            Move(int(moves[k]), int(place == 0), float(values[k]), [], float(priors[k]))
            for place, k in enumerate(np.argsort(-values, kind="stable"))
        ]
        return Thought(found, 0, is_exact=True)

    def plant(
        self, seen: Record, seat: Player, legal: IntArray, budget: Budget, rng: Rng
    ) -> Workspace:
        """A tree with all moves below its root, the most promising first."""
        settings = self.settings(game_of_record(seen.dtype))
        work = Workspace(seen, nodes_for(budget, settings))
        priors = _evaluated(work, seat, legal, settings, rng)
        order = np.argsort(-priors, kind="stable")
        work.moves = np.ascontiguousarray(legal[order])
        tree.plant_root(
            work.root, work.nodes, work.used, seat, work.moves, np.ascontiguousarray(priors[order])
        )
        return work

    def iterate(
        self,
        work: Workspace,
        seat: Player,
        budget: Budget,
        clock: Clock,
        rng: Rng,
        stop: Stop,
        until_clear: bool = False,
    ) -> Iterator[int]:
        """Iterations in chunks that fit the budget; gives how many there were after each."""
        limit = budget.iterations or 10**9
        done, effort, start = 0, FIRST_CHUNK, clock.used
        while done < limit and not stop.is_set:
            before = clock.used
            did, spent = tree.run_iterations(work.root, work.states, work.nodes, work.used, seat, work.path, work.legal, work.utilities,
                                             work.totals, work.weights, work.settings, rng, stop.flag, limit - done, effort)  # fmt: skip
            done += did
            yield done
            now, left = clock.used, clock.left
            if spent < effort or left <= 0:
                return
            pace = done / max(now - start, 1e-9)
            if until_clear and work.is_clear(min(limit - done, pace * left)):
                return
            growth = min(CHUNK_SECONDS, left) / max(now - before, 1e-6)
            effort = max(1, int(spent * min(CHUNK_GROWTH, growth)))


def _evaluated(
    work: Workspace, seat: Player, legal: IntArray, settings: SearchSettings, rng: Rng
) -> npt.NDArray[np.float64]:
    """What each move looks worth; the search continues with these settings."""
    work.settings = settings.record()
    if settings.net:
        work.use_network()
    return work.evaluate_moves(seat, legal, work.settings, rng)


def likely_best_first(
    seen: Record, seat: Player, legal: IntArray, settings: SearchSettings, seed: int
) -> tuple[IntArray, npt.NDArray[np.float64]]:
    """The order in which the solver looks at moves, and what each looks worth: after a good one,
    others are cut off early. The order also decides between moves of the same value."""
    priors = _evaluated(Workspace(seen, 1), seat, legal, settings, new_rng(seed))
    order = np.argsort(-priors, kind="stable")
    return np.ascontiguousarray(legal[order]), priors[order]


def nodes_to_solve(budget: Budget, settings: SearchSettings) -> int:
    """How many positions the solver may look at."""
    nodes = (
        NODES_AN_ITERATION_SOLVED * budget.iterations
        if budget.iterations
        else NODES_A_SECOND_SOLVED * (budget.seconds or 1.0)
    )
    return int(settings.exact * nodes)


def nodes_for(budget: Budget, settings: SearchSettings) -> int:
    """Nodes enough for the budget: an iteration adds a decision and the draws before it, or a few moves for each tile of a hand."""
    if budget.iterations:
        nodes = 4 * (1 + settings.guided) * budget.iterations
    else:
        nodes = int(NODES_A_SECOND * (budget.seconds or 1.0))
    return min(MOST_NODES, 4000 + nodes)


def _thought(work: Workspace, seat: Player, done: int) -> Thought:
    nodes, moves, order = work.children, work.moves, work.best_first()
    values = nodes["value"] / np.maximum(nodes["visits"], 1)
    found = [
        Move(int(moves[k]), int(nodes["visits"][k]), float(values[k]), [], float(nodes["prior"][k]))
        for k in order
    ]
    for move, k in list(zip(found, order, strict=True))[:3]:
        move.line = _line(work, seat, int(k) + 1)
    return Thought(found, done)


def _line(work: Workspace, seat: Player, node: int, length: int = 4) -> list[str]:
    """The moves that the search tried most after a root move, in one guess of what is hidden, up to the next outcome of chance."""
    state = work.game.State(work.root.copy())
    play.determinize_at(state.batch, 0, seat, np.array([1], np.uint64))
    line: list[str] = []
    while node > 0 and len(line) < length:
        actor = int(play.to_act_at(state.batch, 0))
        if actor < 0 or actor == GAME_OVER:
            break
        action = int(tree.keyed_at(state.batch, 0, actor, int(work.nodes[node]["key"])))
        if action < 0:
            break
        line.append(work.game.action_text(state, actor, action))
        play.apply_at(state.batch, 0, actor, action)
        node = int(tree.most_visited_child(work.nodes, node))
    return line
