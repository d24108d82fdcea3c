"""The compiled half of training a value function: games played, and positions noted, all hands
face up."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

from lampion.bots import utility
from lampion.bots.net import Weights
from lampion.bots.utility import Settings
from lampion.core.compile import entry, rule
from lampion.core.game import apply, legal_actions, sample_chance, to_act
from lampion.core.rng import random_below
from lampion.core.types import CHANCE, GAME_OVER, Action, Batch, Elements, IntArray, Player, Rng
from lampion.reviews.values import add_result, value_features

FeatureRows = Annotated[npt.NDArray[np.float32], Elements(axes=3)]
"""By position, player and feature."""
FeatureTable = Annotated[npt.NDArray[np.float32], Elements(axes=2)]
Lefts = npt.NDArray[np.float64]
Results = Annotated[npt.NDArray[np.float64], Elements(axes=3)]
"""By game, player and unit."""

NO_ROW = -1
GAME_ENDED = -1.0
"""Instead of the share that is left later."""
RANDOM_SHARE = 25
"""One action in so many is random throughout a game."""
WILD_SHARE, WILD_GAMES, WILD_ACTIONS = 3, 2, 40
"""In one game of two, one action in three is random for up to so many actions: values are wanted
for the positions that beginners get into, under sensible play from there on."""


@rule
def chosen_action(
    states: Batch, seat: Player, legal: IntArray, weights: Weights, settings: Settings,
    wildness: int, rng: Rng,
) -> Action:  # fmt: skip
    """What looks best one move later, or a random action; the state is `states[0]`."""
    count = legal_actions(states[0], seat, legal)
    chosen, best = int(legal[random_below(rng, count)]), -1.0
    if count == 1 or random_below(rng, wildness) == 0:
        return chosen
    values = np.zeros(states[0].num_players)
    for k in range(count):
        states[1] = states[0]
        apply(states[1], seat, legal[k])
        value = utility.evaluated_utility(states[1], seat, values, weights, settings)
        if value > best:
            best, chosen = value, int(legal[k])
    return chosen


@rule
def note_position(state: Batch, features: FeatureTable) -> float:
    """Write the features of every player; the share of the game that is left."""
    left = 0.0
    for player in range(state.num_players):
        left = value_features(state, player, features[player])
    return left


@entry(loops=True)
def play_and_note(
    start: Batch, states: Batch, legal: IntArray, weights: Weights, settings: Settings, rng: Rng,
    share: int, ahead: int, features: FeatureRows, lefts: Lefts, later: FeatureRows,
    later_lefts: Lefts, games: IntArray, results: Results,
) -> int:  # fmt: skip
    """Play as many games as there are results, and note one position in `share`, decisions and
    chance alike, with the position `ahead` entries later (GAME_ENDED where the game was over by
    then); the number of positions, which stop when there is no row left."""
    players, rows = start[0].num_players, 0
    places = np.zeros(players, np.int32)
    points = np.zeros(players, np.int32)
    pending = np.zeros(ahead, np.int32)
    for game in range(len(results)):
        states[0] = start[0]
        node = 0
        for k in range(ahead):
            pending[k] = NO_ROW
        is_wild = random_below(rng, WILD_GAMES) == 0
        wild_actions = random_below(rng, WILD_ACTIONS) if is_wild else 0
        actor = to_act(states[0])
        while actor != GAME_OVER:
            earlier = pending[node % ahead]
            if earlier != NO_ROW:
                later_lefts[earlier] = note_position(states[0], later[earlier])
            pending[node % ahead] = NO_ROW
            if rows < len(features) and random_below(rng, share) == 0:
                lefts[rows] = note_position(states[0], features[rows])
                later_lefts[rows] = GAME_ENDED
                games[rows] = game
                pending[node % ahead] = rows
                rows += 1
            node += 1
            if actor == CHANCE:
                apply(states[0], CHANCE, sample_chance(states[0], rng))
            else:
                wildness = WILD_SHARE if wild_actions > 0 else RANDOM_SHARE
                wild_actions -= 1
                action = chosen_action(states, actor, legal, weights, settings, wildness, rng)
                apply(states[0], actor, action)
            actor = to_act(states[0])
        add_result(states[0], places, points, 1.0, results[game])
    return rows
