"""The bot that chooses any legal action with the same probability."""

from __future__ import annotations

from lampion.bots.base import Budget, Stop
from lampion.core.record import Record
from lampion.core.rng import random_below
from lampion.core.types import Action, IntArray, Player, Rng


class RandomBot:
    def choose(
        self,
        seen: Record,
        seat: Player,
        legal: IntArray,
        budget: Budget,
        rng: Rng,
        stop: Stop | None = None,
    ) -> Action:
        return int(legal[random_below(rng, len(legal))])
