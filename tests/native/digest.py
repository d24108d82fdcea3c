"""What a game looks like from the inside: every state of some games and every node of some search trees, as one hash.

`python -m tests.native.digest GAME` prints it for however rules run in this process: compiled, checked, plain.
"""

from __future__ import annotations

import hashlib
import random
import sys

import numpy as np

import lampion
from lampion.bots.base import Budget, Stop
from lampion.bots.search import Clock, Greedy, Search
from lampion.core import play
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE
from tests.support import EXAMPLES

ITERATIONS = {"lanterns": 6, "lanterns_dice": 6, "lumens": 30}
"""As many as plain Python does in a few seconds."""


def tree_of(match: Match, iterations: int) -> bytes:
    """All nodes of the tree that the search plants here."""
    seat, rng, budget = match.to_act, new_rng(5), Budget(iterations=iterations)
    search = Search()
    work = search.plant(match.seen_from(seat), seat, match.legal_ids(), budget, rng)
    for _ in search.iterate(work, seat, budget, Clock(None), rng, Stop()):
        pass
    names = work.nodes.dtype.names or ()
    return b"".join(work.nodes[: work.used[0]][name].tobytes() for name in names)


def games_of(name: str, seed: int, plies: int) -> Match:
    """A match played at random for a while, its states added up."""
    match, chooser = lampion.new(name, 2, seed=seed), random.Random(seed)
    for _ in range(plies):
        if not match.is_over:
            match.submit(int(chooser.choice(match.legal_ids())), match.to_act)
    return match


def digest(name: str) -> str:
    found = hashlib.sha256()
    for seed in range(3):
        match = games_of(name, seed, 25)
        found.update(match.state.tobytes())
        if not match.is_over and name not in EXAMPLES:
            found.update(tree_of(match, ITERATIONS[name]))
            chosen = Greedy().choose(
                match.seen_from(match.to_act), match.to_act, match.legal_ids(), Budget(), new_rng(2)
            )
            found.update(str(chosen).encode())
    found.update(_whole_game(name))
    return found.hexdigest()


def _whole_game(name: str) -> bytes:
    """One game to its end in one call, and how chance would go on in another."""
    match = lampion.new(name, 2, seed=9)
    states, legal, rng = (
        match.state.copy().batch,
        np.zeros(match.game.ACTIONS.size, np.int32),
        new_rng(9),
    )
    play.play_random_game(states, 0, legal, rng)
    assert play.to_act_at(states, 0) != CHANCE
    return bytes(states.tobytes()) + rng.tobytes()


if __name__ == "__main__":
    print(digest(sys.argv[1]))
