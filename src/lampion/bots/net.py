"""A small trained network that predicts how a position will end, run in compiled code.

The weights are one matrix of 32-bit floats:

    a row for each feature      its weights to the hidden units, and in the last column straight to the output
    a row of biases             in the same order
    a row of output weights     one for each hidden unit; the last column is not used

so the output is `direct + sum(relu(hidden) * output weights)`. Its sigmoid is the utility of the player from whose side the features
are seen; where a player's points depend little on the others (`predicts_points`), it is the points that they will have, by
`POINTS_SCALE`. `python -m lampion.research.training` finds the weights (docs/research.md); they are handed to compiled code
as an argument, so that new ones need no compilation.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt

from lampion.core.compile import rule
from lampion.core.game import find_game
from lampion.core.types import Elements

Features = npt.NDArray[np.float32]
Weights = Annotated[npt.NDArray[np.float32], Elements(axes=2)]
NO_WEIGHTS: Weights = np.zeros((0, 0), np.float32)
POINTS_SCALE = 10.0
NOT_FEATURES = 2
"""Rows of the matrix that are not features."""


def weights_file(game: str, players: int) -> Path:
    return Path(find_game(game).__file__).parent / f"knowledge_net_{players}.npy"


@functools.cache
def load_weights(game: str, players: int) -> Weights:
    """The network of a game with that many players; NO_WEIGHTS where none has been trained."""
    path = weights_file(game, players)
    return np.ascontiguousarray(np.load(path), np.float32) if path.exists() else NO_WEIGHTS


@rule
def run_network(weights: Weights, features: Features) -> float:
    """The output."""
    biases, outputs = weights[len(features)], weights[len(features) + 1]
    units = np.empty(len(biases), np.float32)
    units[:] = biases
    for k in range(len(features)):
        if features[k] != 0.0:
            row, feature = weights[k], features[k]
            for unit in range(len(units)):
                units[unit] += feature * row[unit]
    last = len(units) - 1
    total = units[last]
    for unit in range(last):
        total += max(units[unit], np.float32(0.0)) * outputs[unit]
    return float(total)
