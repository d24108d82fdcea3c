"""From observations to what a network takes in: codes become one-hot, amounts are divided by their highest value.

    encode = Encoder(env.observation)
    inputs = encode(env.observations)      # float32, (games, encode.width)

This is the plain way. Embeddings, or layers that are shared by all free places and tiles, learn faster: `Observation.read` gives
the parts for them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lampion.core.observation import Observation


class Encoder:
    """Where each number of an observation goes: amounts first, then the codes, each as many places wide as it has values."""

    def __init__(self, observation: Observation) -> None:
        highest = observation.highest().astype(np.int64)
        is_code = np.zeros(observation.size, np.bool_)
        for part in observation.parts:
            part.of(is_code)[...] = part.is_code
        self._amounts, self._codes = np.flatnonzero(~is_code), np.flatnonzero(is_code)
        self._scale = (1 / highest[self._amounts]).astype(np.float32)
        widths = highest[self._codes] + 1
        self._first = len(self._amounts) + np.concatenate([[0], np.cumsum(widths)[:-1]])
        self.width = int(len(self._amounts) + widths.sum())

    def __call__(self, vectors: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        inputs = np.zeros((len(vectors), self.width), np.float32)
        inputs[:, : len(self._amounts)] = vectors[:, self._amounts] * self._scale
        np.put_along_axis(inputs, self._first + vectors[:, self._codes], 1.0, axis=1)
        return inputs
