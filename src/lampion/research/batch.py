"""BatchEnv: thousands of games of one kind, stepped together in one compiled call on all cores.

    env = BatchEnv("my_game", 4096, players=2, seed=7)
    while training:
        actions = policy(env.observations, env.masks)     # views, written in place by every step
        env.step(actions)                                 # env.rewards, env.terminated, env.to_act

Each slot holds one game and is always at a decision of the player `to_act`; what that player sees is in `observations`, what it may
do is in `masks`. A game that is over, where it is not replaced at once, shows what a spectator sees. Chance acts inside the step, by
the slot's own generator: what happens in a slot follows from its seed and its actions alone, whatever the other slots do and
however many threads there are.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt

from lampion.core import play
from lampion.core.errors import IllegalAction, InvalidOptions
from lampion.core.game import Components, find_game
from lampion.core.match import Match
from lampion.core.observation import Observation, Vector, compact_of, observation_of
from lampion.core.record import Record
from lampion.core.rng import new_rng
from lampion.core.types import IntArray, Player
from lampion.research import stepping
from lampion.research.stepping import HOLD, Flags, Mask, Rewards

__all__ = ["AUTO_RESETS", "HOLD", "OBSERVATIONS", "REWARDS", "BatchEnv", "Snapshot"]

AUTO_RESETS = {
    "off": stepping.STAY,
    "same_step": stepping.SAME_STEP,
    "next_step": stepping.NEXT_STEP,
}
OBSERVATIONS = {"full": stepping.FULL, "compact": stepping.COMPACT}
REWARDS = {"placement": stepping.BY_PLACE, "score": stepping.BY_SCORE}

APART = 16
"""Numbers of 64 bits from one thread's generator to the next: in one line of the cache, they would
take it from each other with every draw."""

_SLOT_COLUMNS = (
    "seeds",
    "generators",
    "to_act",
    "standing",
    "masks",
    "spans",
    "observations",
    "random_actions",
)
_RESULT_COLUMNS = ("rewards", "terminated", "scores", "places")
"""In the order in which `stepping` takes them."""


@dataclass(frozen=True)
class Snapshot:
    """One slot as it was: to be kept, copied, pickled, and restored into any slot of an environment of the same game."""

    state: bytes
    columns: dict[str, bytes]


class Helper(threading.Thread):
    """A thread that steps one slice whenever it is told to. A pool of futures would take a twentieth of the time of a step."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(name="lampion-batch", daemon=True)
        self._arguments = arguments
        self._orders: SimpleQueue[bool] = SimpleQueue()
        self._results: SimpleQueue[BaseException | None] = SimpleQueue()
        self.start()

    def run(self) -> None:
        while self._orders.get():
            try:
                stepping.step_slots(*self._arguments)
                self._results.put(None)
            except BaseException as problem:  # for the waiting thread
                self._results.put(problem)

    def begin(self) -> None:
        self._orders.put(True)

    def finish(self) -> None:
        if problem := self._results.get():
            raise problem

    def dismiss(self) -> None:
        self._orders.put(False)


def _dismiss(helpers: list[Helper]) -> None:
    for helper in helpers:
        helper.dismiss()


class BatchEnv:
    """Games side by side. All public arrays are read-only views that every step rewrites: copy what is to be kept."""

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        players: int | None = None,
        seed: int = 0,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        auto_reset: str = "same_step",
        reward: str = "placement",
        observation: str = "full",
        buffers: Mapping[str, npt.NDArray[Any]] | None = None,
        threads: int | None = None,
    ) -> None:
        """`players` is by default the least that the game takes. `auto_reset` says what follows the
        end of a game: a new one in the same step or in the next, or `off`, nothing.
        `reward` is `placement`, once at the end and between -1 and 1, or `score`, whatever each step adds to a player's score.
        `observation` is `full`, or `compact`: the same knowledge in few numbers. `buffers` are arrays of yours to write
        `observations`, `masks` and `rewards` into, flat or in the shapes of those attributes. Read them as you like, and
        leave writing to the environment: it changes only what differs from the step before."""
        self.auto_reset, self.reward, self.detail = auto_reset, reward, observation
        self._modes = (
            _chosen(AUTO_RESETS, "auto_reset", auto_reset),
            _chosen(REWARDS, "reward", reward),
            _chosen(OBSERVATIONS, "observation", observation),
        )
        rules = find_game(game)
        match = Match(rules, players or rules.NUM_PLAYERS[0], options, components=components)
        self.game, self.players, self.options, self.components = (
            match.game,
            match.players,
            match.options,
            match.components,
        )
        self.observation = self._layout()
        self.num_moves = self.game.ACTIONS.num_moves
        self.num_envs = num_envs
        self.threads = max(1, min(threads or os.cpu_count() or 1, num_envs))
        self._start = match.state.batch
        self.states = np.zeros(num_envs, self.game.State.dtype)
        self._columns = _new_columns(num_envs, self.players, self.num_moves, self.observation.size)
        for name, buffer in (buffers or {}).items():
            self._columns[name] = _taken(name, buffer, self._columns)
        self._actions = np.full(num_envs, HOLD, np.int32)
        self._make_ready()
        self.reset(seed=seed)

    def _layout(self) -> Observation:
        is_compact = self.detail == "compact"
        return (
            compact_of(self.game).COMPACT if is_compact else observation_of(self.game).OBSERVATION
        )

    def _make_ready(self) -> None:
        """What is not kept when an environment is copied or pickled: views, scratch arrays, threads."""
        self._helpers: list[Helper] = []
        columns = self._columns
        slots = [columns[name] for name in _SLOT_COLUMNS]
        edges = [self.num_envs * number // self.threads for number in range(self.threads + 1)]
        self._slices: list[Any] = [
            (
                self._start,
                self.states,
                first,
                last,
                *slots,
                np.empty(self.game.ACTIONS.size, np.int32),
                np.zeros(APART, np.uint64)[:1],
            )
            for first, last in pairwise(edges)
        ]
        self._step_arguments: Any = (
            self._actions,
            *(columns[name] for name in _RESULT_COLUMNS),
            *self._modes,
        )
        self.observations: Vector = _view(columns["observations"])
        self.masks: Mask = _view(columns["masks"])
        self.to_act: IntArray = _view(columns["to_act"])
        self.rewards: Rewards = _view(columns["rewards"])
        self.terminated: Flags = _view(columns["terminated"])
        self.scores: IntArray = _view(columns["scores"])
        self.places: IntArray = _view(columns["places"])
        self.random_actions: IntArray = _view(columns["random_actions"])
        self.seeds: npt.NDArray[np.uint64] = _view(columns["seeds"])

    # --- playing ---

    def reset(
        self,
        *,
        seed: int | None = None,
        seeds: Sequence[int | None] | npt.NDArray[Any] | None = None,
    ) -> None:
        """New games everywhere: from one seed, from a seed for each game, or by default (and where a
        seed is None) from where the generators stand."""
        columns = self._columns
        given = (
            None if seeds is None else [*seeds]
        )  # may be `env.seeds`, which the draw below overwrites
        if seed is not None:
            stepping.seed_slots(columns["generators"], new_rng(seed))
        stepping.draw_seeds(columns["seeds"], columns["generators"], new_rng(0))
        if given is not None:
            assert len(given) == self.num_envs, (
                f"{self.num_envs} games need {self.num_envs} seeds, not {len(given)}"
            )
            for slot, one in enumerate(given):
                if one is not None:
                    columns["seeds"][slot] = int(one) % 2**64
                    columns["generators"][slot, stepping.SEEDS] = ~columns["seeds"][slot]
        for name in _RESULT_COLUMNS:
            columns[name][...] = 0
        self._actions[:] = stepping.NEW_GAME
        self._run()

    def step(self, actions: npt.ArrayLike) -> None:
        """One action in every slot, by the player to act there; HOLD leaves a slot as it is.

        An action that is not legal raises `IllegalAction`, and nothing has happened anywhere.
        """
        self._actions[:] = actions
        slot = stepping.first_illegal(
            self._actions, self._columns["to_act"], self._columns["masks"]
        )
        if slot >= 0:
            raise IllegalAction(
                f"slot {slot}: the action {self._actions[slot]} is not legal here",
                where=f"slot {slot}",
            )
        self._run()

    def _step_slice(self, number: int) -> None:
        stepping.step_slots(*self._slices[number], *self._step_arguments)

    def _run(self) -> None:
        """Compiled code holds no lock, so threads run side by side; this one does its share."""
        if self.threads == 1:
            self._step_slice(0)
            return
        if not self._helpers:
            self._helpers = [
                Helper(*self._slices[number], *self._step_arguments)
                for number in range(1, self.threads)
            ]
            weakref.finalize(self, _dismiss, self._helpers)
        for helper in self._helpers:
            helper.begin()
        self._step_slice(0)
        for helper in self._helpers:
            helper.finish()

    # --- single slots ---

    def state(self, slot: int) -> Record:
        """The full state of a slot: a window, not a copy. Not for agents."""
        return self.game.State(self.states, slot)

    def seen_from(self, slot: int, seat: Player) -> Record:
        """The redacted record of a seat, as bots get it."""
        return self.state(slot).redacted(seat)

    def observe(self, slot: int, seat: Player) -> Vector:
        """What a seat (or SPECTATOR) sees there, no matter who is to act."""
        out = np.empty(self.observation.size, np.uint8)
        write = stepping.compact_at if self.detail == "compact" else stepping.observe_at
        write(self.states, slot, seat, out)
        return out

    def legal(self, slot: int) -> IntArray:
        """The ids of all legal actions, ascending."""
        return np.flatnonzero(self.masks[slot]).astype(np.int32)

    def may_act(self, slot: int, seat: Player) -> bool:
        return bool(play.may_act_at(self.states, slot, seat))

    def turn_to(self, slot: int, seat: Player) -> None:
        """Where several may act at the same time: let this seat act next, instead of the first in canonical order.

        Rewards of the last step are gone after that.
        """
        assert self.may_act(slot, seat), f"seat {seat} may not act in slot {slot}"
        self._columns["to_act"][slot] = seat
        self._actions[:] = HOLD
        self._actions[slot] = stepping.LOOK
        self._run()

    def match(self, slot: int) -> Match:
        """The position in a slot as a match: for drawings, texts of actions, and trying things out.
        Its log begins here, so it has no record."""
        return Match(
            self.game,
            self.players,
            self.options,
            components=self.components,
            start=self.state(slot),
        )

    def save(self, slot: int) -> Snapshot:
        """Everything about a slot, its generators included."""
        return Snapshot(
            self.state(slot).tobytes(),
            {name: column[slot].tobytes() for name, column in self._columns.items()},
        )

    def restore(self, slot: int, snapshot: Snapshot) -> None:
        """Put a snapshot into a slot: from there the same actions give the same game."""
        self.states[slot] = self.game.State.frombytes(snapshot.state).batch[0]
        for name, data in snapshot.columns.items():
            column = self._columns[name]
            column[slot] = np.frombuffer(data, column.dtype).reshape(column.shape[1:])

    # --- copying ---

    def __getstate__(self) -> dict[str, Any]:
        kept = ("auto_reset", "reward", "detail", "_modes", "players", "options", "components", "num_moves", "num_envs", "threads",
                "_start", "states", "_columns", "_actions")  # fmt: skip
        return {"game": self.game.NAME, **{name: self.__dict__[name] for name in kept}}

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        self.game = find_game(attributes["game"])
        self.observation = self._layout()
        self._make_ready()

    def close(self) -> None:
        """Let the threads go; a later step starts them again."""
        _dismiss(self._helpers)
        self._helpers = []

    def __repr__(self) -> str:
        return f"<BatchEnv of {self.num_envs} games of {self.game.NAME}, {self.players} players>"


def _chosen(known: Mapping[str, int], option: str, value: str) -> int:
    if value not in known:
        wanted = " or ".join(known)
        raise InvalidOptions(
            f"{option} is {wanted}, not {value[:40]!r}",
            code="invalid-option",
            where=option,
            option=option,
            value=value,
            wanted=wanted,
        )
    return known[value]


BUFFERS = ("observations", "masks", "rewards")


def _taken(
    name: str, buffer: npt.NDArray[Any], columns: Mapping[str, npt.NDArray[Any]]
) -> npt.NDArray[Any]:
    """A caller's array as a column: the same memory in the shape of the column."""
    if name not in BUFFERS:
        wanted = f"buffers are {', '.join(BUFFERS)}, not {name[:40]!r}"
        raise InvalidOptions(wanted, code="invalid-option", where="buffers")
    column = columns[name]
    fits = isinstance(buffer, np.ndarray) and buffer.shape in (column.shape, (column.size,))
    if not (fits and buffer.dtype == column.dtype and buffer.flags.carray):
        wanted = f"{name} needs a writable array of {column.shape} or {column.size} {column.dtype} without gaps"
        raise InvalidOptions(wanted, code="invalid-option", where="buffers")
    return buffer.reshape(column.shape)


def _new_columns(
    num_envs: int, players: int, num_moves: int, size: int
) -> dict[str, npt.NDArray[Any]]:
    """One array per thing, one row per slot. `standing` is the score at the last reward, `scores` and `places` are final;
    `spans` says between which ids a mask is marked."""
    return {
        "seeds": np.zeros(num_envs, np.uint64),
        "generators": np.zeros((num_envs, stepping.NUM_GENERATORS), np.uint64),
        "to_act": np.zeros(num_envs, np.int32),
        "standing": np.zeros((num_envs, players), np.int32),
        "masks": np.zeros((num_envs, num_moves), np.int8),
        "spans": np.zeros((num_envs, 2), np.int32),
        "observations": np.zeros((num_envs, size), np.uint8),
        "random_actions": np.zeros(num_envs, np.int32),
        "rewards": np.zeros((num_envs, players), np.float32),
        "terminated": np.zeros(num_envs, np.bool_),
        "scores": np.zeros((num_envs, players), np.int32),
        "places": np.zeros((num_envs, players), np.int32),
    }


def _view(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    view = array.view()
    view.flags.writeable = False
    return view
