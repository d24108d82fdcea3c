"""What may be entered on a leaderboard, with the budget of the board.

random, greedy, net, human:...   bots that do not search
search, search,exploration=0.3   the search, with the board's budget for every decision
checkpoint:weights.npy           greedy with a network of yours (`bots.net`, `research.training`)
exec:./mybot                     a program (docs/bots.md), on boards with processor time
"""

from __future__ import annotations

import functools
import hashlib
import shlex
from pathlib import Path
from typing import Protocol

import numpy as np

from lampion.bots.base import Budget, Stop
from lampion.bots.external import ExternalBot
from lampion.bots.levels import BotPlayer, make_player
from lampion.bots.net import NOT_FEATURES, Weights, load_weights
from lampion.bots.search import Greedy, Workspace, wall_patience
from lampion.core.errors import InvalidOptions
from lampion.core.record import Record
from lampion.core.types import Action, IntArray, Player, Rng

CHECKPOINT, PROGRAM = "checkpoint", "exec"
WITHOUT_SEARCH = ("random", "greedy", "net", "human")


class Conditions(Protocol):
    """What a board says about its bots."""

    @property
    def game(self) -> str: ...
    @property
    def players(self) -> int: ...
    @property
    def iterations(self) -> int | None: ...
    @property
    def seconds(self) -> float | None: ...


class Checkpoint(Greedy):
    """Takes the action after which a network of the submitter likes the position best."""

    def __init__(self, weights: Weights) -> None:
        super().__init__(net=True)
        self.weights = weights

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
        work.weights = self.weights
        values = work.evaluate_moves(seat, legal, self.settings, rng)
        return int(legal[int(np.argmax(values))])


def bot_of(spec: str, board: Conditions) -> BotPlayer:
    """A new bot; `InvalidOptions` if it may not be entered."""
    kind, _, rest = spec.partition(":")
    if kind == CHECKPOINT:
        return BotPlayer(spec, Checkpoint(_weights(rest, board.game, board.players)), Budget())
    if kind == PROGRAM:
        if board.seconds is None:
            raise _refused(
                spec, "a program cannot be held to iterations; enter it on a board with --seconds"
            )
        return BotPlayer(spec, ExternalBot(rest, wall_patience), Budget(seconds=board.seconds))
    name, comma, settings = spec.partition(",")
    if name == "search":
        budget = f"{board.seconds:g}s" if board.iterations is None else f"{board.iterations}"
        return make_player(f"search:{budget}{comma}{settings}", board.game)
    if name.partition(":")[0] not in WITHOUT_SEARCH:
        raise _refused(
            spec, "random, greedy, net, human:..., search, checkpoint:FILE, exec:PROGRAM"
        )
    return make_player(spec, board.game)


def files_of(spec: str) -> dict[str, str]:
    """The files that a bot is made of, each with its SHA-256."""
    kind, _, rest = spec.partition(":")
    if kind not in (CHECKPOINT, PROGRAM):
        return {}
    words = shlex.split(rest) if kind == PROGRAM else [rest]
    paths = [Path(word) for word in words if Path(word).is_file()]
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def is_repeatable(spec: str, board: Conditions) -> bool:
    """Whether the bot does the same again on any machine."""
    kind, name = spec.partition(":")[0], spec.partition(",")[0]
    return kind != PROGRAM and (name != "search" or board.iterations is not None)


@functools.cache
def _weights(file: str, game: str, players: int) -> Weights:
    """Compiled code trusts the shape, so nothing else gets there."""
    inputs = len(load_weights(game, players)) - NOT_FEATURES
    if inputs < 0:
        raise _refused(
            file, f"{game} with {players} players says nothing that a network could be told"
        )
    try:
        weights = np.load(file, allow_pickle=False)
    except (OSError, ValueError, EOFError):
        raise _refused(file, "a checkpoint is a matrix in a file of NumPy") from None
    is_matrix = isinstance(weights, np.ndarray) and weights.ndim == 2 and weights.shape[1] > 1
    fits = is_matrix and weights.dtype == np.float32 and len(weights) == inputs + NOT_FEATURES
    if not fits or not np.isfinite(weights).all():
        wanted = f"float32 numbers in {inputs} rows for features and {NOT_FEATURES} more"
        raise _refused(file, f"a checkpoint for {game} with {players} players has {wanted}")
    return np.ascontiguousarray(weights)


def _refused(what: str, message: str) -> InvalidOptions:
    return InvalidOptions(f"{what[:60]!r}: {message}", code="unknown-bot", where="bot")
