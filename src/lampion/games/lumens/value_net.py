"""What the value of a finished game's position is worked out from in Lumens (see `reviews.values`).

It may look into every hand: it judges games that are over and never advises a player.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lampion.core.compile import rule
from lampion.core.types import Player
from lampion.games.lumens.knowledge_net import (
    OWN_FEATURES,
    TURN_FEATURES,
    own_features,
    share_left,
    turn_features,
)
from lampion.games.lumens.state import State

Features = npt.NDArray[np.float32]


def num_value_features(players: int) -> int:
    """A player's own twice, and those of the turn."""
    return 2 * OWN_FEATURES + TURN_FEATURES + players


@rule
def value_features(state: State, player: Player, out: Features) -> float:
    """A player's points, rooms and token; the share of the game that is left."""
    out[:] = 0.0
    left = share_left(state)
    own_features(state, player, out)
    for k in range(OWN_FEATURES):
        out[OWN_FEATURES + k] = left * float(out[k])
    turn_features(state, player, left, out[2 * OWN_FEATURES :])
    return left
