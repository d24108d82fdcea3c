"""From observations to what a network takes in: codes become one-hot, amounts are divided by their highest value.

    encode = Encoder(env.observation)
    inputs = encode(env.observations)      # float32, (games, encode.width)

    encode = encoder_for("my_game", 2)     # without the inputs that never change there

This is the plain way. Embeddings, or layers that are shared by all free places and tiles, learn faster: `Observation.read` gives
the parts for them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lampion.core.observation import Observation
from lampion.research.batch import BatchEnv


class Encoder:
    """Where each number of an observation goes: amounts first, then the codes, each as many places wide as it has values."""

    def __init__(self, observation: Observation, kept: npt.NDArray[np.intp] | None = None) -> None:
        """`kept` are the numbers of the inputs that are wanted, ascending; by default all."""
        highest = observation.highest().astype(np.int64)
        is_code = np.zeros(observation.size, np.bool_)
        for part in observation.parts:
            part.of(is_code)[...] = part.is_code
        amounts, codes = np.flatnonzero(~is_code), np.flatnonzero(is_code)
        widths = highest[codes] + 1
        sources = np.concatenate([amounts, np.repeat(codes, widths)])
        values = np.concatenate([np.arange(width) for width in (len(amounts), *widths)])
        self.kept = np.arange(len(sources)) if kept is None else kept
        self.width = len(self.kept)
        is_amount = self.kept < len(amounts)
        self._amounts = sources[self.kept[is_amount]]
        self._scale = (1 / highest[self._amounts]).astype(np.float32)
        self._codes = sources[self.kept[~is_amount]]
        self._values = values[self.kept[~is_amount]].astype(np.uint8)

    def __call__(self, vectors: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        inputs = np.empty((len(vectors), self.width), np.float32)
        inputs[:, : len(self._amounts)] = vectors[:, self._amounts] * self._scale
        inputs[:, len(self._amounts) :] = vectors[:, self._codes] == self._values
        return inputs


TRIED_GAMES, TRIED_STEPS = 64, 100


def encoder_for(game: str, players: int, *, seed: int = 0) -> Encoder:
    """An encoder without the inputs that are the same in all positions of some random games: many
    numbers describe boards that never change, or players who are not there."""
    env = BatchEnv(game, TRIED_GAMES, players=players, seed=seed, threads=1)
    encode, seen = Encoder(env.observation), []
    for _ in range(TRIED_STEPS):
        env.step(env.random_actions)
        seen.append(env.observations.copy())
    told = [encode(part) for part in seen]
    low = np.min([part.min(axis=0) for part in told], axis=0)
    high = np.max([part.max(axis=0) for part in told], axis=0)
    return Encoder(env.observation, np.flatnonzero(low < high))
