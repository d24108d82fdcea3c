"""What a position or a result is worth to each player, 0 to 1: by the end of the game, a trained network, or an evaluation."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

from lampion.bots.knowledge import evaluate, net_features, predicts_points
from lampion.bots.net import NOT_FEATURES, POINTS_SCALE, Features, Weights, run_network
from lampion.core.compile import rule
from lampion.core.numbers import sigmoid, tanh
from lampion.core.record import record_type
from lampion.core.types import Batch, Elements, IntArray, Player

SETTINGS = record_type(
    [
        ("exploration", "f8"),  # how much an uncertain move is worth trying
        ("widening", "f8"),  # children of an inner node: 1 + widening * sqrt(visits)
        ("root_width", "f8"),  # the same at the root
        ("prior_visits", "f8"),  # how many visits the first evaluation of a move counts for
        (
            "margin_share",
            "f8",
        ),  # how much of the utility is the margin in points, the rest being the placement
        ("margin_scale", "f8"),  # the margin that counts as clear
        (
            "playout",
            "i4",
        ),  # RANDOM_PLAYOUT, POLICY_PLAYOUT (the policy of the game) or EVALUATED_PLAYOUT (what looks best)
        ("cutoff", "i4"),  # decisions of a playout before it is evaluated; TO_THE_END for all
        (
            "guided",
            "i4",
        ),  # moves of each kind that a node is given by evaluation; 0: moves come one by one from the policy
    ]
)

Settings = Annotated[npt.NDArray[np.void], Elements(name="Settings", dtype=SETTINGS)]
"""One record of them."""
Floats = npt.NDArray[np.float64]
UNKNOWN = -1.0


def by_placement(tie_break: float, margin_scale: float = 8.0) -> npt.NDArray[np.void]:
    """Settings for results alone: the placement, with so much weight on the margin in points."""
    settings = np.zeros(1, SETTINGS)
    settings["margin_share"], settings["margin_scale"] = tie_break, margin_scale
    return settings


@rule
def margin_utility(values: Floats, player: Player, num_players: int, scale: float) -> float:
    """0 to 1: how far a player is ahead of the best of the others."""
    best = -1e9
    for other in range(num_players):
        if other != player:
            best = max(best, values[other])
    return 0.5 + 0.5 * tanh((values[player] - best) / scale)


@rule
def final_utilities(
    places: IntArray, points: IntArray, values: Floats, settings: Settings, out: Floats
) -> None:
    """Placement (shared ones counted half way) and margin at the end of a game."""
    players = len(out)
    for player in range(players):
        values[player] = points[player]
    for player in range(players):
        behind, equal = 0, -1
        for other in range(players):
            behind += places[other] > places[player]
            equal += places[other] == places[player]
        placement = (behind + 0.5 * equal) / (players - 1)
        margin = margin_utility(values, player, players, settings[0].margin_scale)
        out[player] = placement + settings[0].margin_share * (margin - placement)


@rule
def trained_utility(state: Batch, player: Player, weights: Weights, features: Features) -> float:
    """What a network expects for a player; UNKNOWN where there is none, or where it says something else."""
    if len(features) == 0 or predicts_points(state) or not net_features(state, player, features):
        return UNKNOWN
    return sigmoid(run_network(weights, features))


@rule
def expected_points(state: Batch, player: Player, weights: Weights, features: Features) -> float:
    """How many points a player will have, roughly: by a network that says so, or by the evaluation of the game."""
    if len(features) > 0 and predicts_points(state) and net_features(state, player, features):
        return POINTS_SCALE * run_network(weights, features)
    return evaluate(state, player)


@rule
def evaluated_utility(
    state: Batch, player: Player, values: Floats, weights: Weights, settings: Settings
) -> float:
    """What a position looks like for a player."""
    features = np.zeros(max(0, len(weights) - NOT_FEATURES), np.float32)
    utility = trained_utility(state, player, weights, features)
    if utility != UNKNOWN:
        return utility
    for other in range(len(values)):
        values[other] = expected_points(state, other, weights, features)
    return margin_utility(values, player, len(values), settings[0].margin_scale)


@rule
def evaluated_utilities(
    state: Batch, values: Floats, weights: Weights, settings: Settings, out: Floats
) -> None:
    """What a position looks like for each player."""
    features = np.zeros(max(0, len(weights) - NOT_FEATURES), np.float32)
    for player in range(len(out)):
        out[player] = trained_utility(state, player, weights, features)
    if out[0] != UNKNOWN:
        return
    for player in range(len(out)):
        values[player] = expected_points(state, player, weights, features)
    for player in range(len(out)):
        out[player] = margin_utility(values, player, len(out), settings[0].margin_scale)
