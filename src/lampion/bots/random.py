"""The bot that chooses any legal action with the same probability."""

from __future__ import annotations

from random import Random

from lampion.core.record import Record
from lampion.core.types import Action, IntArray, Player


def choose(seen: Record, seat: Player, legal: IntArray, rng: Random) -> Action:
    """A bot is given the redacted record of its seat, what it may do and a generator; never the true state."""
    return int(rng.choice(legal))
