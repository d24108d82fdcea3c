"""What moves are worth by playing on from them many times: slow, and independent of any search.

Every move is followed by the same guesses of what the seat cannot see and the same random numbers,
so that differences between moves are known much better than their values. All players play on as
`greedy` does, to the end of the game: by the evaluation that people wrote and never by a trained
network, so that networks can be compared by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lampion.bots.net import NO_WEIGHTS, Weights
from lampion.bots.search import SearchSettings
from lampion.bots.tree import play_out
from lampion.bots.utility import Floats, Settings, by_placement, final_utilities
from lampion.core.compile import entry
from lampion.core.facts import EVALUATED_PLAYOUT, TO_THE_END
from lampion.core.game import apply, determinize, game_of_record, placements, scores
from lampion.core.record import Record
from lampion.core.types import Action, Batch, IntArray, Player, Rng

MARGIN_SHARE = 0.1
"""How much of the utility is the margin in points: results come first."""


@entry(loops=True)
def roll_out(
    root: Batch,
    states: Batch,
    seat: Player,
    move: Action,
    legal: IntArray,
    weights: Weights,
    playing: Settings,
    paying: Settings,
    dice: Rng,
    out: Floats,
) -> None:
    """A player's utility at the end of a game after a move, by number of the game: `dice` has the
    random numbers of each."""
    players = states[0].num_players
    utilities = np.zeros(players)
    values = np.zeros(players)
    places = np.zeros(players, np.int32)
    points = np.zeros(players, np.int32)
    for game in range(len(out)):
        states[0] = root[0]
        rng = dice[game : game + 1]
        determinize(states[0], seat, rng)
        apply(states[0], seat, move)
        play_out(states, legal, weights, playing, rng)
        placements(states[0], places)
        scores(states[0], points)
        final_utilities(places, points, values, paying, utilities)
        out[game] = utilities[seat]


def rolled(
    seen: Record, seat: Player, moves: Sequence[Action], games: int, seed: int
) -> npt.NDArray[np.float64]:
    """The utility of a seat by move and game."""
    settings = SearchSettings(playout=EVALUATED_PLAYOUT, cutoff=TO_THE_END).record()
    rules: Any = game_of_record(seen.dtype)
    states = np.zeros(2, seen.dtype)
    root = seen.batch[seen.index : seen.index + 1]
    states[0] = root[0]
    legal = np.zeros(rules.ACTIONS.size, np.int32)
    dice = np.random.default_rng(seed).integers(2**63, size=games).astype(np.uint64)
    found = np.zeros((len(moves), games))
    for k, move in enumerate(moves):
        roll_out(
            root, states, seat, move, legal, NO_WEIGHTS, settings, by_placement(MARGIN_SHARE),
            dice.copy(), found[k],
        )  # fmt: skip
    return found
