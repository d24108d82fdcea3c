"""From records to arrays: what the player to act saw, what it did, and what became of it, for every decision of every game.

decisions = read_tensors(read_games("games.parquet"))
decisions.observations      (decisions, numbers)   uint8     as in docs/research.md
decisions.masks             (decisions, moves)     int8      1 for what was legal
decisions.actions           (decisions,)           int32     ids
decisions.seats             (decisions,)           int8      who acted
decisions.outcomes          (decisions,)           float32   reward by placement of whoever acted, -1 ... 1
decisions.games             (decisions,)           int32     number of the record
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from lampion.core.game import Components, Game
from lampion.core.gamelog import GameRecord
from lampion.core.observation import Vector, observation_module
from lampion.core.replay import match_from_record
from lampion.core.types import CHANCE, IntArray
from lampion.core.variants import start_state
from lampion.research import stepping
from lampion.research.stepping import Mask


@dataclass
class Decisions:
    """One row per decision. All arrays have the same length."""

    observations: Vector
    masks: Mask
    actions: IntArray
    seats: npt.NDArray[np.int8]
    outcomes: npt.NDArray[np.float32]
    games: IntArray

    def __len__(self) -> int:
        return len(self.actions)


def read_tensors(
    records: Iterable[GameRecord], *, components: Components | None = None
) -> Decisions:
    """All decisions of finished games of one kind. Every record goes through the gate; what was taken back is left out."""
    parts = [_decisions_of(number, record, components) for number, record in enumerate(records)]
    assert parts, "there are no records"
    assert len({part.observations.shape[1] for part in parts}) == 1, (
        "the records are of different games"
    )
    return Decisions(
        *(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(Decisions))
    )


def _decisions_of(number: int, record: GameRecord, components: Components | None) -> Decisions:
    match = match_from_record(record, components=components)
    assert match.is_over, f"record {number} is of a game that is not over"
    entries = match.log.standing
    actors = np.array([entry.actor for entry in entries], np.int32)
    actions = np.array([entry.action for entry in entries], np.int32)
    count = int((actors != CHANCE).sum())
    made = _empty(match.game, count)
    start = start_state(match.game, match.players, match.options, match.components)
    legal = np.empty(match.game.ACTIONS.size, np.int32)
    stepping.observe_game(start.batch, actors, actions, legal, made.masks, made.observations)
    made.actions[:], made.seats[:], made.games[:] = (
        actions[actors != CHANCE],
        actors[actors != CHANCE],
        number,
    )
    rewards = np.zeros(match.players, np.float32)
    stepping.reward_places(np.array(match.placements, np.int32), rewards)
    made.outcomes[:] = rewards[made.seats]
    return made


def _empty(game: Game, count: int) -> Decisions:
    module: Any = observation_module(game)
    return Decisions(
        np.empty((count, module.OBSERVATION.size), np.uint8),
        np.empty((count, module.NUM_MOVES), np.int8),
        np.empty(count, np.int32),
        np.empty(count, np.int8),
        np.empty(count, np.float32),
        np.empty(count, np.int32),
    )
