"""A search as a task for any machine: it contains what one seat knows and how to search, and
nothing else.

A server hands a `Task` to a player's browser, where the same rules and the same search run as
WebAssembly (`web/src/engine`). The record in it is redacted, so its reader learns what the seat may
see and no more. With the same task every machine grows the same tree, bit by bit; `solve` is the
search of this one.
"""

from __future__ import annotations

import base64
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from lampion.bots import solver, tree
from lampion.bots.base import Budget, num_players
from lampion.bots.ends import BY_PLACEMENT, EndSolver
from lampion.bots.net import NO_WEIGHTS, load_weights
from lampion.bots.search import (
    Search,
    SearchSettings,
    Workspace,
    likely_best_first,
    nodes_for,
    nodes_to_solve,
)
from lampion.core.game import game_of_record
from lampion.core.native.library import web_stamp
from lampion.core.record import Record
from lampion.core.rng import new_rng
from lampion.core.types import IntArray, Player

NO_LIMIT = 2**31 - 1


class Exact(msgspec.Struct, frozen=True):
    """What the solver is told (`bots.ends`)."""

    moves: list[int]
    """In the order in which the solver looks at them."""
    guesses: int
    most_nodes: int
    settings: str
    share: float
    """Of the time, after which the rest is left to the search."""
    max_levels: int
    level_bytes: int
    progress_bytes: int
    nodes_at: int
    """Where the progress keeps how many positions have been looked at, a 64-bit int."""


class Task(msgspec.Struct, frozen=True):
    """Bytes are in base 64, in the order of this machine's memory, which is that of WebAssembly."""

    game: str
    engine: str
    """The stamp of the WebAssembly module that agrees with this server. A browser that has another one, because its page
    is older than the server, leaves the search to the server."""
    seat: Player
    players: int
    state: str
    """The redacted record of the seat."""
    legal: list[int]
    settings: str
    weights: str
    """The network that judges positions, row by row; empty where there is none."""
    weights_shape: tuple[int, int]
    seed: str
    """The state of the generator, in decimal: JSON has no 64-bit ints."""
    iterations: int
    num_actions: int
    num_nodes: int
    max_depth: int
    node_bytes: int
    visits_at: int
    """Where a node keeps how often it was visited, a 32-bit int, and the sum of its values, a 64-bit float."""
    value_at: int
    exact: Exact | None
    """How to solve the rest of the game before anything is searched, where it looks small enough."""


class Found(msgspec.Struct, frozen=True):
    """The root moves, best first, and all bytes of the tree; none where the rest was solved."""

    actions: list[int]
    visits: list[int]
    nodes: bytes


def task_for(
    seen: Record, seat: Player, legal: IntArray, iterations: int, seed: int, **changed: float
) -> Task:
    """What a seat would have to search; `seen` is its redacted record."""
    game, players = game_of_record(seen.dtype), num_players(seen)
    settings = Search(**changed).settings(game)
    weights = load_weights(game.NAME, players) if settings.net else NO_WEIGHTS
    fields: Any = tree.NODE.fields
    return Task(
        game=game.NAME, engine=web_stamp(seen.dtype), seat=seat, players=players, state=_text(seen.tobytes()),
        legal=[int(action) for action in legal],
        settings=_text(settings.record().tobytes()), weights=_text(weights.tobytes()),
        weights_shape=(int(weights.shape[0]), int(weights.shape[1])), seed=str(seed % 2**64), iterations=iterations,
        num_actions=game.ACTIONS.size, num_nodes=nodes_for(Budget(iterations=iterations), settings), max_depth=tree.MAX_DEPTH,
        node_bytes=tree.NODE.itemsize, visits_at=fields["visits"][1], value_at=fields["value"][1],
        exact=_exact(seen, seat, legal, iterations, settings, seed % 2**64),
    )  # fmt: skip


def weights_for(seen: Record) -> str:
    """The network with which a position is searched, as in a task."""
    return _text(load_weights(game_of_record(seen.dtype).NAME, num_players(seen)).tobytes())


def _exact(
    seen: Record,
    seat: Player,
    legal: IntArray,
    iterations: int,
    settings: SearchSettings,
    seed: int,
) -> Exact | None:
    most_nodes = nodes_to_solve(Budget(iterations=iterations), settings)
    guesses = EndSolver(seen).plan(seat, most_nodes, seed)
    if not guesses:
        return None
    moves, _ = likely_best_first(seen, seat, legal, settings, seed)
    return exact_for(moves, guesses, most_nodes, BY_PLACEMENT, settings.exact)


def exact_for(
    moves: IntArray, guesses: int, most_nodes: int, unit: npt.NDArray[np.void], share: float
) -> Exact:
    """What the solver is told to find the values of these moves in a unit."""
    fields: Any = solver.PROGRESS.fields
    return Exact(
        moves=[int(action) for action in moves],
        guesses=guesses, most_nodes=most_nodes, settings=_text(unit.tobytes()), share=share,
        max_levels=solver.MAX_LEVELS, level_bytes=solver.LEVEL.itemsize,
        progress_bytes=solver.PROGRESS.itemsize, nodes_at=fields["nodes"][1],
    )  # fmt: skip


def solve(task: Task, seen: Record, **changed: float) -> Found:
    """The same search on this machine."""
    rng, search = new_rng(int(task.seed)), Search(**changed)
    legal = np.array(task.legal, np.int32)
    if task.exact:
        moves = np.array(task.exact.moves, np.int32)
        values = EndSolver(seen).solve(
            task.seat,
            moves,
            task.exact.guesses,
            task.exact.most_nodes,
            int(task.seed),
            only_best=False,
        )
        if values is not None:
            order = np.argsort(-values, kind="stable")
            return Found([int(moves[k]) for k in order], [1] + [0] * (len(moves) - 1), b"")
    work = search.plant(seen, task.seat, legal, Budget(iterations=task.iterations), rng)
    tree.run_iterations(work.root, work.states, work.nodes, work.used, task.seat, work.path, work.legal, work.utilities, work.totals,
                        work.weights, work.settings, rng, np.zeros(1, np.uint8), task.iterations, NO_LIMIT)  # fmt: skip
    return _found(work)


def _found(work: Workspace) -> Found:
    nodes, order = work.children, work.best_first()
    used = work.nodes[: int(work.used[0])]
    return Found(
        [int(work.moves[k]) for k in order],
        [int(nodes["visits"][k]) for k in order],
        used.tobytes(),
    )


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
