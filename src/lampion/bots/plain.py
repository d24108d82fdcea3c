"""What bots know about a game without a module `knowledge`: its scores, and whose secret an action
is."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lampion.core.compile import rule
from lampion.core.game import legal_actions, owner, scores
from lampion.core.rng import random_below
from lampion.core.types import NO_PLAYER, Action, IntArray, Player, Rng

NO_ACTION: Action = -1
HIDDEN_KEY = -2
"""The identity of anything that a seat cannot see: another player's draw."""


@rule
def evaluate(state: Any, player: Player) -> float:
    points = np.zeros(state.num_players, np.int32)
    scores(state, points)
    return float(points[player])


@rule
def playout_action(state: Any, player: Player, legal: IntArray, rng: Rng) -> Action:
    return legal[random_below(rng, legal_actions(state, player, legal))]


@rule
def action_key(state: Any, player: Player, action: Action, seat: Player) -> int:
    knows = owner(state, player)
    return action if knows in (NO_PLAYER, seat) else HIDDEN_KEY


@rule
def keyed_action(state: Any, player: Player, key: int) -> Action:
    return NO_ACTION if key == HIDDEN_KEY else key


@rule
def kinds_at_hand(state: Any, player: Player) -> int:
    return 1


@rule
def action_kind(state: Any, player: Player, action: Action) -> int:
    return 0


@rule
def is_certain(seen: Any, seat: Player) -> bool:
    """A game that says nothing about it leaves it to guesses (`bots.ends`)."""
    return False


@rule
def net_features(state: Any, player: Player, out: npt.NDArray[np.float32]) -> bool:
    return False


@rule
def predicts_points(state: Any) -> bool:
    return False
