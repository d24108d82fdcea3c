"""What a game looks like from the inside: every state of some games and every node of some search trees, as one hash.

`python -m tests.native.digest GAME...` prints a line for each game, however rules run in this process: compiled, checked, plain.
Unless they are plain, a second hash follows: of trees with as many nodes as a bot grows, for which plain Python would take minutes;
`python -m tests.native.digest --modules FOLDER VARIANT GAME...` for the modules of that variant in a folder;
`python -m tests.native.digest --study GAME` for what research and reviews make of some games.
"""

from __future__ import annotations

import hashlib
import random
import sys
from pathlib import Path

import numpy as np

import lampion
from lampion.bots.base import Budget, Stop
from lampion.bots.search import Clock, Greedy, Search
from lampion.core import play
from lampion.core.compile import IS_ENABLED
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.native import library, variants
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE
from lampion.research.batch import BatchEnv
from lampion.reviews.ledger import ledger_of
from tests.support import EXAMPLES, IS_NIGHT

ITERATIONS = {"lanterns": 6, "lanterns_dice": 6, "lumens": 30}
"""As many as plain Python does in a few seconds."""
MANY = 30
LARGE = 500
"""Iterations of compiled searches."""


def tree_of(match: Match, iterations: int) -> bytes:
    """All nodes of the tree that the search plants here."""
    seat, rng, budget = match.to_act, new_rng(5), Budget(iterations=iterations)
    search = Search()
    work = search.plant(match.seen_from(seat), seat, match.legal_ids(), budget, rng)
    for _ in search.iterate(work, seat, budget, Clock(None), rng, Stop()):
        pass
    names = work.nodes.dtype.names or ()
    return b"".join(work.nodes[: work.used[0]][name].tobytes() for name in names)


def games_of(name: str, seed: int, plies: int, players: int = 2) -> Match:
    """A match played at random for a while, its states added up."""
    match, chooser = lampion.new(name, players, seed=seed), random.Random(seed)
    for _ in range(plies):
        if not match.is_over:
            match.submit(int(chooser.choice(match.legal_ids())), match.to_act)
    return match


def numbers_of_players(name: str) -> list[int]:
    """Two, three and four; of a game for fewer, as many as there can be, three times. Large trees
    of more than two players take plain Python minutes: they wait for the night."""
    most, is_slow = max(find_game(name).NUM_PLAYERS), ITERATIONS.get(name, MANY) < MANY
    return [min(players, most) for players in ((2,) if is_slow and not IS_NIGHT else (2, 3, 4))]


def digest(name: str) -> str:
    found = hashlib.sha256()
    for seed, players in enumerate(numbers_of_players(name)):
        match = games_of(name, seed, 25, players)
        found.update(match.state.tobytes())
        if not match.is_over and name not in EXAMPLES:
            found.update(tree_of(match, ITERATIONS[name]))
            chosen = Greedy().choose(
                match.seen_from(match.to_act), match.to_act, match.legal_ids(), Budget(), new_rng(2)
            )
            found.update(str(chosen).encode())
    found.update(_whole_game(name))
    return found.hexdigest()


def large_digest(name: str) -> str:
    """The trees of every number of players, early and late in the game."""
    found = hashlib.sha256()
    for players in find_game(name).NUM_PLAYERS:
        for seed, plies in enumerate((10, 45)):
            match = games_of(name, seed, plies, players)
            if not match.is_over and name not in EXAMPLES:
                found.update(tree_of(match, LARGE))
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


def study_digest(name: str) -> str:
    """Environments that are stepped together, with what their seats see, and a ledger."""
    found, chooser = hashlib.sha256(), random.Random(3)
    env = BatchEnv(name, 3, seed=5, threads=1)
    for _ in range(12):
        env.step([chooser.choice(np.flatnonzero(mask).tolist()) for mask in env.masks])
        for array in (env.states, env.observations, env.rewards, env.masks, env.to_act):
            found.update(array.tobytes())
    ledger = ledger_of(games_of(name, 4, 6))
    found.update(ledger.parts.tobytes() + ledger.start.tobytes() + ledger.result.tobytes())
    return found.hexdigest()


def use_modules(folder: str, variant: str) -> None:
    """Take compiled rules from a folder and from nowhere else."""
    library.COMPILED = Path(folder)
    variants.best_variant = lambda: variant


if __name__ == "__main__":
    if sys.argv[1] == "--study":
        print(study_digest(sys.argv[2]))
    else:
        games = sys.argv[1:]
        if games[0] == "--modules":
            _, folder, variant, *games = games
            use_modules(folder, variant)
        for game in games:
            print(digest(game), large_digest(game) if IS_ENABLED else "")
