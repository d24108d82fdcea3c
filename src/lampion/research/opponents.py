"""Who plays the other seats when one agent learns: bots by name, or in a batch any policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lampion.bots.levels import make_player
from lampion.core.errors import InvalidOptions
from lampion.core.types import Action, IntArray
from lampion.research.batch import HOLD, BatchEnv

Policy: TypeAlias = Callable[[npt.NDArray[np.uint8], npt.NDArray[np.int8]], npt.ArrayLike]
"""From observations and masks, a row per game, to actions."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
"""Keeps a bot's dice apart from the game's, which start from the same seed."""


class Opponents:
    """The seats that the learner does not have. `names` are bots, as in `lampion arena`: one for all, or one for each seat."""

    def __init__(self, names: str | Sequence[str] | Policy, batch: BatchEnv) -> None:
        self.policy = names if callable(names) else None
        others = batch.players - 1
        listed = (
            [names] * others if isinstance(names, str) else [] if callable(names) else list(names)
        )
        if self.policy is None and len(listed) != others:
            message = f"{batch.players} players need {others} opponents, not {len(listed)}"
            raise InvalidOptions(message, code="invalid-opponents", where="opponents")
        self.names = listed
        self._bots = [
            None if name == "random" else make_player(name, batch.game.NAME) for name in listed
        ]
        self._dice = np.zeros((batch.num_envs, 1), np.uint64)
        self._games = np.zeros(batch.num_envs, np.uint64)
        self.reset(batch)

    def reset(self, batch: BatchEnv) -> None:
        """Take new dice: what bots do follows from the seed of the game."""
        self._games[:] = batch.seeds
        self._dice[:, 0] = batch.seeds ^ _MIX

    def play(self, batch: BatchEnv, seats: IntArray) -> Any:
        """Play on everywhere until the learner in each slot is to act, or the game is over.

        Returns what the steps paid, by slot and player, and which games have ended.
        """
        rewards, ended = np.zeros_like(batch.rewards), np.zeros_like(batch.terminated)
        while (waiting := (batch.to_act >= 0) & (batch.to_act != seats)).any():
            batch.step(self._choose(batch, seats, waiting))
            rewards += batch.rewards
            ended |= batch.terminated & waiting
        return rewards, ended

    def _choose(self, batch: BatchEnv, seats: IntArray, waiting: npt.NDArray[np.bool_]) -> IntArray:
        actions = np.full(batch.num_envs, HOLD, np.int32)
        if self.policy is not None:
            actions[waiting] = self.policy(batch.observations[waiting], batch.masks[waiting])
            return actions
        actions[waiting] = batch.random_actions[waiting]
        if any(self._bots):
            for slot in np.flatnonzero(waiting):
                actions[slot] = self._ask(batch, int(slot), int(seats[slot]))
        return actions

    def _ask(self, batch: BatchEnv, slot: int, learner: int) -> Action:
        """The choice of the bot whose turn it is, from what its seat sees."""
        seat = int(batch.to_act[slot])
        player = self._bots[(seat - learner) % batch.players - 1]
        if player is None:
            return int(batch.random_actions[slot])
        if self._games[slot] != batch.seeds[slot]:
            self._games[slot] = batch.seeds[slot]
            self._dice[slot] = batch.seeds[slot] ^ _MIX
        return player.bot.choose(
            batch.seen_from(slot, seat), seat, batch.legal(slot), player.budget, self._dice[slot]
        )
