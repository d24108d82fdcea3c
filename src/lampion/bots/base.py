"""What a bot is.

A bot receives the redacted record of its seat, its legal actions, a budget and a random generator,
never the true state. It keeps nothing between calls, can be stopped at any time, and for a budget
of iterations its choice follows from the generator alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from lampion.core.record import Record
from lampion.core.types import Action, IntArray, Player, Rng


@dataclass(frozen=True)
class Budget:
    """How long a bot may think: seconds, or a number of iterations, whichever ends first."""

    seconds: float | None = None
    iterations: int | None = None


class Stop:
    """A flag that another thread may raise, even while compiled code is running."""

    def __init__(self) -> None:
        self.flag: npt.NDArray[np.uint8] = np.zeros(1, np.uint8)

    def set(self) -> None:
        self.flag[0] = 1

    @property
    def is_set(self) -> bool:
        return bool(self.flag[0])


def num_players(seen: Any) -> int:
    """Every state says how many play."""
    return int(seen.num_players)


class Bot(Protocol):
    def choose(
        self,
        seen: Record,
        seat: Player,
        legal: IntArray,
        budget: Budget,
        rng: Rng,
        stop: Stop | None = None,
    ) -> Action: ...
