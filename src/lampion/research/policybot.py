"""A policy as a bot: what was trained on observations plays in the arena, at tables, in self-play."""

from __future__ import annotations

import numpy as np

from lampion.bots.base import Budget, Stop
from lampion.core.game import game_of_record
from lampion.core.observation import observation_of
from lampion.core.record import Record
from lampion.core.types import Action, IntArray, Player, Rng
from lampion.research import stepping
from lampion.research.opponents import Policy


class PolicyBot:
    """Plays what a function from observations and masks, a row per game, returns."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def choose(
        self,
        seen: Record,
        seat: Player,
        legal: IntArray,
        budget: Budget,
        rng: Rng,
        stop: Stop | None = None,
    ) -> Action:
        game = game_of_record(seen.dtype)
        observations = np.empty((1, observation_of(game).OBSERVATION.size), np.uint8)
        stepping.observe_at(seen.batch, seen.index, seat, observations[0])
        masks = np.zeros((1, game.ACTIONS.num_moves), np.int8)
        masks[0, legal] = 1
        return int(np.asarray(self._policy(observations, masks))[0])
