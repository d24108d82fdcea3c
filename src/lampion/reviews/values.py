"""The value function: what everybody at a table can expect from a position, all hands face up.

It judges games that are over. It sees what no player sees, so nothing that plays or advises may
import this package; a test keeps it so.

Three numbers for each player, which at the end of a game are exactly its result:

    PLACE    the share of the others that the player leaves behind, a tie counting half: 0 to 1
    POINTS   the points that the player will have
    WIN      the chance to win; several winners share it

A game says in its module `value_net` what a position is told by:

    num_value_features(players)          how many numbers
    value_features(state, player, out)   writes them, from that player's side, and returns the
                                         share of the game that is left

and two small networks (`bots.net`) make of them a strength and the points. Who comes out ahead of
whom follows from the difference of two strengths by the logistic function, so that the places of a
table always add up, and who wins from all of them. A strength counts the more the less of the game
is left. Before an outcome of chance that a decision follows, the values are the mean over its
outcomes. For a game without such networks the three numbers are the means of games played at random
from the position, always with the same random numbers: slow, rough, and just as exact at the end.
"""

from __future__ import annotations

import functools
import importlib
import json
import math
from pathlib import Path
from typing import Annotated, Any, cast

import numpy as np
import numpy.typing as npt

from lampion.bots.net import POINTS_SCALE, Features, run_network
from lampion.core.compile import Rule, entry, rule, verb
from lampion.core.game import (
    Game,
    apply,
    chance_weights,
    game_of_record,
    has_module,
    legal_actions,
    placements,
    scores,
    to_act,
)
from lampion.core.match import Match
from lampion.core.numbers import exp, sigmoid
from lampion.core.options import checked
from lampion.core.play import play_to_end
from lampion.core.types import CHANCE, GAME_OVER, Batch, Elements, IntArray, IntTable, Player
from lampion.core.variants import declared_options

PLACE, POINTS, WIN = range(3)
UNITS = ("place", "points", "win")
NUM_UNITS = len(UNITS)
STRENGTH_NET, POINTS_NET = range(2)
Values = Annotated[npt.NDArray[np.float64], Elements(axes=2)]
"""By player and unit."""
Networks = Annotated[npt.NDArray[np.float32], Elements(axes=3)]
"""That of strengths and that of points."""
NO_NETWORKS: Networks = np.zeros((0, 0, 0), np.float32)
PLAYOUTS = 48
VERSION = 1
"""Goes up when reviews of old games would come out differently: with new networks or formulas."""
SEED = np.uint64(20_250_401)
LEAST_LEFT = 0.02
"""Even a last move is not certain to be the one that the network expects."""
NODE, SCRATCH, INNER, PLAYOUT, NUM_STATES = range(5)
"""The states that a valuation works with."""


# --- the networks of a game -----------------------------------------------------------------------


def networks_file(game: Game, players: int) -> Path:
    return Path(game.__file__).parent / f"value_net_{players}.npz"


@functools.cache
def _networks_in(path: Path, rules: int) -> Networks:
    with np.load(path) as file:
        about = json.loads(str(file["about"]))
        assert about["version"] == VERSION, f"{path} is of another version"
        assert about["rules"] == rules, f"{path} was trained with other rules"
        return np.ascontiguousarray(file["networks"], np.float32)


def load_networks(game: Game, players: int) -> Networks:
    """The frozen networks of a game with that many players; NO_NETWORKS where there are none."""
    path = networks_file(game, players)
    return _networks_in(path, game.RULES_VERSION) if path.exists() else NO_NETWORKS


def value_module(game: Game) -> Any:
    """The module `value_net` of a game, if it has one."""
    if not has_module(game, "value_net"):
        return None
    return importlib.import_module(f"{game.__name__}.value_net")


def is_as_trained(match: Match) -> bool:
    """Whether a match is played as the training games were: with the published pieces, and with no
    option that changes more than what chance could have brought anyway (`COVERED_OPTIONS` of the
    module). What the networks say of other games nobody has measured."""
    game = match.game
    covered = getattr(value_module(game), "COVERED_OPTIONS", ())
    chosen, usual = (
        checked(game.TITLE, declared_options(game), match.players, options)
        for options in (match.options, {})
    )
    changed = {name for name, value in chosen.items() if value != usual.get(name)}
    return changed <= {*covered} and match.components == game.read_components(None)


@rule
def no_features(state: Any, player: Player, out: Features) -> float:
    return 1.0


def _answer(dtype: np.dtype[Any]) -> Rule:
    module = value_module(game_of_record(dtype))
    return cast(Rule, module.value_features if module else no_features)


@verb(_answer)
def value_features(state: Any, player: Player, out: Features) -> float:
    """What a position is told by, from a player's side; the share of the game that is left."""
    raise AssertionError("the module of the game answers")


# --- values of one state --------------------------------------------------------------------------


@rule
def add_result(state: Any, places: IntArray, points: IntArray, share: float, out: Values) -> None:
    """Add the result as it stands, times a share, to the values."""
    players = state.num_players
    placements(state, places)
    scores(state, points)
    winners = 0
    for player in range(players):
        winners += places[player] == 1
    for player in range(players):
        behind, equal = 0, -1
        for other in range(players):
            behind += places[other] > places[player]
            equal += places[other] == places[player]
        out[player, PLACE] += share * (behind + 0.5 * equal) / max(players - 1, 1)
        out[player, POINTS] += share * points[player]
        out[player, WIN] += share * (places[player] == 1) / max(winners, 1)


@rule
def add_playouts(states: Batch, index: int, legal: IntArray, share: float, out: Values) -> None:
    """Add the mean result of games played at random, always with the same random numbers."""
    players = states[index].num_players
    places = np.zeros(players, np.int32)
    points = np.zeros(players, np.int32)
    rng = np.zeros(1, np.uint64)
    rng[0] = SEED
    for _ in range(PLAYOUTS):
        states[PLAYOUT] = states[index]
        play_to_end(states, PLAYOUT, legal, rng)
        add_result(states[PLAYOUT], places, points, share / PLAYOUTS, out)


@rule
def add_expectation(state: Any, networks: Networks, share: float, out: Values) -> None:
    """Add what the networks expect."""
    players = state.num_players
    features = np.zeros(networks.shape[1] - 2, np.float32)
    strengths = np.zeros(players)
    for player in range(players):
        left = value_features(state, player, features)
        strength = run_network(networks[STRENGTH_NET], features)
        strengths[player] = strength / math.sqrt(LEAST_LEFT + left)
        out[player, POINTS] += share * POINTS_SCALE * run_network(networks[POINTS_NET], features)
    for player in range(players):
        ahead, rivals = 0.0, 0.0
        for other in range(players):
            difference = strengths[other] - strengths[player]
            rivals += exp(difference)
            if other != player:
                ahead += sigmoid(-difference)
        out[player, PLACE] += share * ahead / max(players - 1, 1)
        out[player, WIN] += share / rivals


@rule
def add_leaf(
    states: Batch, index: int, networks: Networks, legal: IntArray, share: float, out: Values
) -> None:
    """Add the result of a game that is over, or what the networks or playouts expect."""
    if to_act(states[index]) == GAME_OVER:
        players = states[index].num_players
        places = np.zeros(players, np.int32)
        points = np.zeros(players, np.int32)
        add_result(states[index], places, points, share, out)
    elif len(networks) > 0:
        add_expectation(states[index], networks, share, out)
    else:
        add_playouts(states, index, legal, share, out)


@rule
def is_before_decision(states: Batch, index: int, outcomes: IntArray) -> bool:
    """Whether chance is to act, and a player or nobody after it."""
    if to_act(states[index]) != CHANCE:
        return False
    legal_actions(states[index], CHANCE, outcomes)
    states[INNER] = states[index]
    apply(states[INNER], CHANCE, outcomes[0])
    return to_act(states[INNER]) != CHANCE


@rule
def add_values(
    states: Batch, index: int, networks: Networks, lists: IntTable, share: float, out: Values
) -> None:
    """Add the values of a state. Networks are asked after an outcome of chance, not before: there
    they would have to know what every outcome is worth. Only within a deal they are."""
    outcomes, weights, legal = lists[0], lists[1], lists[2]
    if len(networks) == 0 or not is_before_decision(states, index, outcomes):
        add_leaf(states, index, networks, legal, share, out)
        return
    count = legal_actions(states[index], CHANCE, outcomes)
    total = list_weights(states[index], count, weights)
    for k in range(count):
        states[INNER] = states[index]
        apply(states[INNER], CHANCE, outcomes[k])
        add_leaf(states, INNER, networks, legal, share * weights[k] / total, out)


@rule
def list_weights(state: Batch, count: int, weights: IntArray) -> int:
    """Write the weights of the outcomes; return their sum."""
    chance_weights(state, weights)
    total = 0
    for k in range(count):
        total += weights[k]
    return total


# --- doors ----------------------------------------------------------------------------------------


@entry(loops=True)
def values_at(states: Batch, networks: Networks, lists: IntTable, out: Values) -> None:
    """Add the values of the state NODE of `states`."""
    add_values(states, NODE, networks, lists, 1.0, out)


@entry(loops=True)
def expected_at(states: Batch, networks: Networks, lists: IntTable, out: Values) -> int:
    """Add the mean of the values over all outcomes of the chance that acts in the state NODE, each
    with its probability; how many outcomes there are."""
    outcomes, weights = lists[3], lists[4]
    count = legal_actions(states[NODE], CHANCE, outcomes)
    total = list_weights(states[NODE], count, weights)
    for k in range(count):
        states[SCRATCH] = states[NODE]
        apply(states[SCRATCH], CHANCE, outcomes[k])
        add_values(states, SCRATCH, networks, lists, weights[k] / total, out)
    return count


class Valuer:
    """The value function of one game and number of players, with its arrays."""

    def __init__(self, game: Game, players: int, networks: Networks | None = None) -> None:
        self.networks = load_networks(game, players) if networks is None else networks
        self._states = np.zeros(NUM_STATES, game.State.dtype)
        self._lists = np.zeros((5, game.ACTIONS.size), np.int32)
        self._players = players

    @property
    def is_trained(self) -> bool:
        return len(self.networks) > 0

    def __call__(self, state: Any) -> npt.NDArray[np.float64]:
        """By player and unit."""
        out = np.zeros((self._players, NUM_UNITS))
        self._states[NODE] = state.batch[state.index]
        values_at(self._states, self.networks, self._lists, out)
        return out

    def expected(self, state: Any) -> npt.NDArray[np.float64]:
        """The mean over the outcomes of the chance that is to act."""
        out = np.zeros((self._players, NUM_UNITS))
        self._states[NODE] = state.batch[state.index]
        expected_at(self._states, self.networks, self._lists, out)
        return out
