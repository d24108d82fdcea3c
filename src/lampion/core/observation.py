"""Observation: what a seat sees as one vector of small numbers, part by part.

A part is one thing with a name, such as `Part("supply", NUM_COLORS, high=99, meaning="lantern cards
left, by color")`. Parts follow each other, so a vector is read by the start and the shape of its
parts, and the table in the documentation is made from them:

    part        shape     numbers
    supply      (7,)      0 ... 6
    hand        (4, 7)    7 ... 34      of player p and color c: 7 + 7 * p + c
    ...

A game has its parts, and the compiled rule `observe` that writes them, in its module `observation`;
one that has none is seen by the fields of its record (`core.plain_observation`). A module `compact`
has the same knowledge in fewer numbers, for callers to whom speed and memory matter most: `COMPACT`
and `observe_compact`. Players are listed
from the seat that looks: 0 is the seat itself, 1 the next in turn order. `observe` may read a full
record, but nothing in it that the seat cannot see: tests give it the redacted record as well, and
worlds that the seat cannot tell apart.
"""

from __future__ import annotations

import functools
import importlib
import math
import sys
from importlib.util import find_spec
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt

from lampion.core.compile import Rule, rule, verb
from lampion.core.game import Game, game_of_record
from lampion.core.types import Player

Vector = npt.NDArray[np.uint8]
"""Where an observation is written. A byte per number keeps a batch of them in the cache, where a
wider type would halve the speed."""
MOST = 255
"""Amounts that are larger are written as this; with the published pieces none is."""


class Part:
    """One thing that is seen. A `code` names one of several kinds, so that a network wants it
    one-hot; other numbers are amounts."""

    def __init__(self, name: str, *shape: int, high: int, code: bool = False, meaning: str) -> None:
        assert 0 < high <= MOST, f"{name}: a number of an observation is a byte"
        self.name, self.shape, self.high, self.is_code, self.meaning = (
            name,
            shape,
            high,
            code,
            meaning,
        )
        self.size = math.prod(shape)
        self.start = 0

    def of(self, vectors: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """This part of a vector, or of each of an array of vectors: a view."""
        return vectors[..., self.start : self.start + self.size].reshape(
            *vectors.shape[:-1], *self.shape
        )


class Observation:
    """The parts of a game's observation, in order."""

    def __init__(self, *parts: Part) -> None:
        self.parts = parts
        self.size = 0
        self._by_name = {part.name: part for part in parts}
        assert len(self._by_name) == len(parts), "two parts have the same name"
        for part in parts:
            part.start = self.size
            self.size += part.size

    def __getitem__(self, name: str) -> Part:
        return self._by_name[name]

    def read(self, vectors: npt.NDArray[Any]) -> dict[str, npt.NDArray[Any]]:
        """All parts by name, as views on the vectors."""
        return {part.name: part.of(vectors) for part in self.parts}

    def highest(self) -> Vector:
        """The highest number that may stand in each place; the lowest is always 0."""
        high = np.zeros(self.size, np.uint8)
        for part in self.parts:
            part.of(high)[...] = part.high
        return high


class Observing(Protocol):
    """What a game has in its module `observation`."""

    OBSERVATION: Observation
    observe: Rule


class Compacting(Protocol):
    """What a game has in its module `compact`."""

    COMPACT: Observation
    observe_compact: Rule


def observation_of(game: Game) -> Observing:
    """How a game is seen as numbers: by its module `observation`, or by the fields of its record
    where it has none."""
    return _observing(game.__name__)


@functools.cache
def _observing(package: str) -> Observing:
    if find_spec(f"{package}.observation"):
        return cast(Observing, importlib.import_module(f"{package}.observation"))
    from lampion.core.plain_observation import PlainObservation  # which needs this module

    return PlainObservation(sys.modules[package].State)


def compact_of(game: Game) -> Compacting:
    """How a game is seen in few numbers: by its module `compact`, or by the fields of its record
    with sets as bytes."""
    return _compacting(game.__name__)


@functools.cache
def _compacting(package: str) -> Compacting:
    if find_spec(f"{package}.compact"):
        return cast(Compacting, importlib.import_module(f"{package}.compact"))
    from lampion.core.plain_observation import PlainCompact  # which needs this module

    return PlainCompact(sys.modules[package].State)


def _answer(dtype: np.dtype[Any]) -> Rule:
    return observation_of(game_of_record(dtype)).observe


def _answer_again(dtype: np.dtype[Any]) -> Rule:
    found = observation_of(game_of_record(dtype))
    again: Rule = getattr(found, "observe_again", found.observe)
    return again


def _answer_compact(dtype: np.dtype[Any]) -> Rule:
    return compact_of(game_of_record(dtype)).observe_compact


@verb(_answer)
def observe(state: Any, seat: Player, out: Vector) -> None:
    """Write what a seat (or SPECTATOR) sees; every number of the vector is written."""
    raise AssertionError("the module of the game answers")


@verb(_answer_again)
def observe_again(state: Any, seat: Player, out: Vector) -> None:
    """The same, where `out` holds what any seat saw earlier in the same game. A module
    `observation` may have this rule to write only what has changed."""
    raise AssertionError("the module of the game answers")


@verb(_answer_compact)
def observe_compact(state: Any, seat: Player, out: Vector) -> None:
    """Write what a seat (or SPECTATOR) sees in few numbers; every number is written."""
    raise AssertionError("the module of the game answers")


@rule(inline=True)
def counted_from(seat: Player, player: Player, num_players: int) -> int:
    """How many places a player sits behind a seat in turn order: 0 for the seat itself."""
    return player - seat if player >= seat else player - seat + num_players
