"""The compiled half of training: what self-play does between two steps of the batched environment."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from lampion.bots import utility
from lampion.bots.knowledge import net_features
from lampion.bots.net import Features, Weights
from lampion.bots.utility import Settings
from lampion.core.compile import entry
from lampion.core.game import apply, legal_actions
from lampion.core.rng import random_below
from lampion.core.types import NO_PLAYER, Batch, Elements, IntArray, Rng

FeatureTable = Annotated[Features, Elements(axes=2)]

RANDOM_SHARE = 20
"""One action in so many is random: self-play has to see positions that it would avoid."""


@entry(loops=True)
def choose_actions(
    states: Batch, seats: IntArray, scratch: Batch, legal: IntArray, weights: Weights, settings: Settings, rng: Rng,
    features: FeatureTable, sides: IntArray, actions: IntArray,
) -> None:  # fmt: skip
    """For each slot: what a network is told of one of the players, of whom, and the action that looks best one move later, or a
    random one."""
    players = states[0].num_players
    values = np.zeros(players)
    for slot in range(len(states)):
        sides[slot] = random_below(rng, players)
        if not net_features(states[slot], sides[slot], features[slot]):
            sides[slot] = NO_PLAYER
        seat = seats[slot]
        count = legal_actions(states[slot], seat, legal)
        chosen, best = int(legal[random_below(rng, count)]), -1.0
        if random_below(rng, RANDOM_SHARE) > 0:
            for k in range(count):
                scratch[0] = states[slot]
                apply(scratch[0], seat, legal[k])
                value = utility.evaluated_utility(scratch[0], seat, values, weights, settings)
                if value > best:
                    best, chosen = value, int(legal[k])
        actions[slot] = chosen
