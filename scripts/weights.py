"""Look for better weights of an evaluation that is a sum of features, by play of the greedy bot against itself.

python -m scripts.weights [lanterns_dice] [--generations 20] [--deals 60] [--seed 1]

The cross-entropy method: try weights around the ones in the code against those, keep the best quarter, go on around their mean.
Works for every game whose knowledge module has `describe`, `NUM_FEATURES` and `WEIGHTS`. Prints the weights it has found and how
they fare on deals that were not used for finding them; a person copies them into the module.
"""

from __future__ import annotations

import argparse
import importlib
from dataclasses import dataclass, field
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

import lampion
from lampion.bots.knowledge import _answer
from lampion.core.compile import entry, rule, verb
from lampion.core.game import apply, legal_actions, sample_chance, scores, to_act
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, GAME_OVER, Batch, Elements, IntArray, Player, Rng
from lampion.core.variants import start_state

Floats = npt.NDArray[np.float64]
FloatTable = Annotated[Floats, Elements(axes=2)]
WeightsOfBoth = Annotated[Floats, Elements(axes=3)]
POPULATION, ELITE = 24, 6
MARGIN_SCALE = 6.0
"""In points: how much a narrow win counts less than a clear one while searching."""


@verb(_answer("describe"))
def describe(state: Any, player: Player, out: Floats) -> float:
    raise AssertionError("the module of the game answers")


@rule
def value(
    state: Any, player: Player, points: IntArray, features: Floats, weights: FloatTable
) -> float:
    """Points, and the weighted features while the game lasts; `evaluate` of the module with weights of our own."""
    scores(state, points)
    total = float(points[player])
    if to_act(state) != GAME_OVER:
        left = describe(state, player, features)
        for k in range(len(features)):
            total += features[k] * (left * weights[k, 1] + (1.0 - left) * weights[k, 0])
    return total


@entry
def play_greedily(
    start: Batch,
    states: Batch,
    legal: IntArray,
    rng: Rng,
    points: IntArray,
    features: Floats,
    weights: WeightsOfBoth,
) -> None:
    """One game of two, each taking the action after which it is furthest ahead by its own weights; leaves the points."""
    states[0] = start[0]
    actor = to_act(states[0])
    while actor != GAME_OVER:
        chosen = int(legal[0])
        if actor == CHANCE:
            chosen = sample_chance(states[0], rng)
        else:
            best = -1e9
            for k in range(legal_actions(states[0], actor, legal)):
                states[1] = states[0]
                apply(states[1], actor, legal[k])
                ahead = value(states[1], actor, points, features, weights[actor])
                ahead -= value(states[1], 1 - actor, points, features, weights[actor])
                if ahead > best:
                    best, chosen = ahead, legal[k]
        apply(states[0], actor, chosen)
        actor = to_act(states[0])
    scores(states[0], points)


@dataclass
class GreedyGame:
    """A game of two, and the arrays to play it in."""

    game: str
    features: Floats = field(init=False)

    def __post_init__(self) -> None:
        rules = lampion.find_game(self.game)
        self.module: Any = importlib.import_module(f"{rules.__name__}.knowledge")
        self.start = start_state(rules, 2, {}, rules.read_components(None)).batch
        self.states = np.zeros(2, self.start.dtype)
        self.legal = np.zeros(rules.ACTIONS.size, np.int32)
        self.features = np.zeros(self.module.NUM_FEATURES)

    def margins(self, ours: Floats, theirs: Floats, deals: range) -> Floats:
        """Our points less theirs; each deal is played in both seats."""
        found = []
        for deal in deals:
            for sign, weights in ((1, (ours, theirs)), (-1, (theirs, ours))):
                points = np.zeros(2, np.int32)
                play_greedily(
                    self.start,
                    self.states,
                    self.legal,
                    new_rng(deal),
                    points,
                    self.features,
                    np.array(weights),
                )
                found.append(sign * (points[0] - points[1]))
        return np.array(found, np.float64)


def search(game: GreedyGame, generations: int, deals: int, seed: int) -> Floats:
    chooser, rival = np.random.default_rng(seed), np.array(game.module.WEIGHTS)
    mean, spread = rival.copy(), 0.35 * np.maximum(np.abs(rival), 0.15)
    for generation in range(generations):
        people = [
            mean,
            *(mean + spread * chooser.standard_normal(mean.shape) for _ in range(POPULATION - 1)),
        ]
        fresh = range(generation * deals, (generation + 1) * deals)
        fitness = [
            float(np.tanh(game.margins(person, rival, fresh) / MARGIN_SCALE).mean())
            for person in people
        ]
        elite = np.array([people[k] for k in np.argsort(fitness)[-ELITE:]])
        mean, spread = (
            0.3 * mean + 0.7 * elite.mean(axis=0),
            0.3 * spread + 0.7 * elite.std(axis=0) + 0.005,
        )
        print(f"generation {generation + 1}: {max(fitness):+.3f}", flush=True)
    return mean


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="?", default="lanterns_dice")
    parser.add_argument("--generations", type=int, default=20)
    parser.add_argument("--deals", type=int, default=60, help="for each trial")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    game = GreedyGame(arguments.game)
    found = search(game, arguments.generations, arguments.deals, arguments.seed)
    margins = game.margins(found, game.module.WEIGHTS, range(10**6, 10**6 + 300))
    won = np.mean(margins > 0) + 0.5 * np.mean(margins == 0)
    print(
        f"against the weights in the code: {100 * won:.1f} % of {len(margins)} games, {margins.mean():+.2f} points"
    )
    print("\n".join(f"({at_end:.2f}, {at_start:.2f})," for at_end, at_start in found))


if __name__ == "__main__":
    main()
