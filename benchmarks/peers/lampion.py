"""Lampion, measured like its peers: its three games and the two examples outside the package."""

from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import lampion
from benchmarks.peers.openspiel import play_from_python
from benchmarks.peers.pettingzoo import play as play_environment
from benchmarks.peers.worker import BATCH, FROM_PYTHON, ROLLOUTS, SEARCH, Task, main
from lampion.bots.base import Budget
from lampion.bots.search import Search
from lampion.core import play
from lampion.core.facts import TO_THE_END
from lampion.core.match import Match
from lampion.core.rng import new_rng

SAME_GAMES = ("connect_four", "hex")
OWN_GAMES = (
    ("lanterns", 2),
    ("lanterns", 4),
    ("lanterns_dice", 2),
    ("lanterns_dice", 4),
    ("lumens", 2),
    ("lumens", 4),
)
SIMULATIONS = 20_000
BATCH_SIZE, BATCH_STEPS = 1024, 50
RANDOM_PLAYOUTS = Search(
    exploration=0.5, playout=0, cutoff=TO_THE_END, guided=0, widening=1e6, root_width=1e6
)
"""Plain upper confidence bounds: every move is tried, and games are played at random to their end."""


def name_of(game: str, players: int) -> str:
    return game if game in SAME_GAMES else f"{lampion.find_game(game).TITLE}, {players} players"


class Playouts:
    """Whole games inside compiled code."""

    def __init__(self, match: Match) -> None:
        self.start, self.state = match.state.copy().batch, match.state.copy().batch
        self.legal, self.rng, self.games = (
            np.empty(match.game.ACTIONS.size, np.int32),
            new_rng(1),
            2000,
        )

    def __call__(self) -> tuple[int, int]:
        return int(
            play.play_random_games(self.start, self.state, self.games, self.legal, self.rng)
        ), self.games


def play_by_ids(match: Match, legal: Any, chooser: random.Random) -> tuple[int, int]:
    """One game, one call into compiled code for each decision."""
    batch, rng, decisions = match.state.copy().batch, new_rng(chooser.randrange(2**63)), 0
    count = play.settle_at(batch, 0, legal, rng)
    while count:
        count = play.step_at(batch, 0, int(legal[int(chooser.random() * count)]), legal, rng)
        decisions += 1
    return decisions, 1


def play_match(game: str, players: int, chooser: random.Random) -> tuple[int, int]:
    """One game through the gate, with its log, in notation."""
    match = lampion.new(game, players, seed=chooser.randrange(2**31))
    decisions = 0
    while not match.is_over:
        match.submit(chooser.choice(match.legal_actions()))
        decisions += 1
    return decisions, 1


class Batched:
    """Observations and masks of many games, written by every step; the actions are drawn by the environment."""

    def __init__(self, game: str, players: int) -> None:
        from lampion.research.batch import BatchEnv

        self.env = BatchEnv(game, BATCH_SIZE, players=players, threads=1)

    def __call__(self) -> tuple[int, int]:
        finished = 0
        for _ in range(BATCH_STEPS):
            self.env.step(self.env.random_actions)
            finished += int(self.env.terminated.sum())
        return BATCH_SIZE * BATCH_STEPS, finished


def play_gymnasium(env: Any, chooser: random.Random) -> tuple[int, int]:
    """The decisions of one seat; a random bot makes the others inside the step."""
    _, info = env.reset(seed=chooser.randrange(2**31))
    decisions, is_over = 0, False
    while not is_over:
        action = chooser.choice(np.flatnonzero(info["action_mask"]).tolist())
        _, _, terminated, truncated, info = env.step(action)
        decisions, is_over = decisions + 1, terminated or truncated
    return decisions, 1


def adapters(game: str, players: int, chooser: random.Random) -> Iterator[Task]:
    """One step through each of the environments for researchers, in the loops of the peers."""
    import pyspiel

    import lampion.research.openspiel  # noqa: F401  (registers the games)
    from lampion.research import zoo
    from lampion.research.gym import GameEnv

    name = name_of(game, players)
    yield Task(
        name,
        FROM_PYTHON,
        partial(play_environment, zoo.env(game, players=players), chooser),
        "PettingZoo, with its wrappers",
    )
    yield Task(
        name,
        FROM_PYTHON,
        partial(play_environment, zoo.raw_env(game, players=players), chooser),
        "PettingZoo, raw",
    )
    yield Task(
        name,
        FROM_PYTHON,
        partial(play_gymnasium, GameEnv(game, players=players), chooser),
        "Gymnasium, against random bots",
    )
    spiel = pyspiel.load_game(f"python_{game}(players={players})")
    yield Task(
        name, FROM_PYTHON, partial(play_from_python, spiel, chooser), "OpenSpiel, a game in Python"
    )


def search(match: Match, bot: Search, rng: Any) -> tuple[int, int]:
    """One move from the opening, or after the deal."""
    actor = match.to_act
    seen, legal = match.seen_from(actor), match.legal_ids()
    *_, thought = bot.think(seen, actor, legal, Budget(iterations=SIMULATIONS), rng)
    return thought.iterations, thought.iterations


def tasks(seconds: float) -> Iterator[Task]:
    for game, players in (*((game, 2) for game in SAME_GAMES), *OWN_GAMES):
        name, match, chooser = (
            name_of(game, players),
            Match(lampion.find_game(game), players),
            random.Random(1),
        )
        legal = np.empty(match.game.ACTIONS.size, np.int32)
        yield Task(name, ROLLOUTS, Playouts(match))
        yield Task(
            name,
            FROM_PYTHON,
            partial(play_by_ids, match, legal, chooser),
            "`play.step_at`: one call per decision",
        )
        yield Task(
            name,
            FROM_PYTHON,
            partial(play_match, game, players, chooser),
            "`Match.submit`: gate, log, notation, fair draws",
        )
        if game not in SAME_GAMES:
            yield Task(
                name,
                BATCH,
                Batched(game, players),
                f"{BATCH_SIZE} games at a time, observations and masks written",
            )
        if players == 2 and game not in SAME_GAMES:
            yield from adapters(game, players, chooser)
        bot = (
            RANDOM_PLAYOUTS
            if game in SAME_GAMES
            else Search(exploration=0.5, playout=0, cutoff=TO_THE_END, guided=0)
        )
        yield Task(
            name, SEARCH, partial(search, lampion.new(game, players, seed=1), bot, new_rng(1))
        )


if __name__ == "__main__":
    sys.path.append(str(Path(__file__).parent.parent.parent / "examples"))
    for game in SAME_GAMES:
        lampion.register(importlib.import_module(game))
    main(f"Lampion {lampion.__version__}", tasks)
