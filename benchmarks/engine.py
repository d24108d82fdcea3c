"""`make bench`: the whole picture of the engine's speed in one run, beside an oracle and OpenSpiel's C++ games, as ratios.

python -m benchmarks.engine [--seconds S] [--json FILE] [GAME ...]

Exits with 1 where all cores together do less than LEAST_SHARE of what each does alone; that is measured by the clock, so it
means something on a quiet machine only.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import lampion
from benchmarks.limits import Limit, judge
from benchmarks.openspiel import rollouts_per_second
from lampion.cli.bench import measure
from lampion.core import play
from lampion.core.compile import PACKAGE
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.terminal import note, show, table

LEAST_SHARE = 0.9
"""Of what a core does alone, when all of them work: with two, 1.8 times one."""
YARDSTICKS = ("hex(board_size=11)", "go(board_size=9)")


def start_of(game: str, players: int) -> Match:
    return Match(lampion.find_game(game), players)


def on_all_cores(match: Match, games: int, threads: int) -> float:
    """Decisions per second of wall time with that many threads, each playing that many games."""
    batches = [
        (
            match.state.copy().batch,
            match.state.copy().batch,
            np.empty(match.game.ACTIONS.size, np.int32),
        )
        for _ in range(threads)
    ]

    def work(thread: int) -> int:
        start, state, legal = batches[thread]
        return int(play.play_random_games(start, state, games, legal, new_rng(thread)))

    with ThreadPoolExecutor(threads) as pool:
        before = time.perf_counter()
        decisions = sum(pool.map(work, range(threads)))
        return decisions / (time.perf_counter() - before)


def scaling(match: Match, decisions_per_second: float) -> float:
    """How much faster all cores are than one, by wall time, the median of pairs measured one after the other."""
    cores = os.cpu_count() or 1
    games = max(1, int(decisions_per_second / 100))
    pairs = [(on_all_cores(match, games, 1), on_all_cores(match, games, cores)) for _ in range(5)]
    return statistics.median(many / one for one, many in pairs)


def step_microseconds(match: Match) -> float:
    """One step called from Python by id, through the compiled door: apply and ask who is next."""
    state, legal = match.state.copy(), np.empty(match.game.ACTIONS.size, np.int32)
    rng, steps = new_rng(3), 0
    before = time.process_time()
    while steps < 20_000:
        actor = int(play.to_act_at(state.batch, 0))
        if actor < 0:
            if actor == lampion.GAME_OVER:
                state = match.state.copy()
                continue
            play.apply_at(state.batch, 0, actor, int(play.sample_at(state.batch, 0, rng)))
        else:
            play.legal_at(state.batch, 0, actor, legal)
            play.apply_at(state.batch, 0, actor, int(legal[0]))
        steps += 1
    return (time.process_time() - before) / steps * 1e6


def submit_microseconds(game: str, players: int) -> float:
    """One `Match.submit` of a text, with the gate, the log and the draws that follow; the median over games."""
    means = []
    for seed in range(20):
        match, chooser = lampion.new(game, players, seed=seed), Random(seed)
        spent, count = 0.0, 0
        while not match.is_over:
            text = chooser.choice(match.legal_actions())
            before = time.perf_counter()
            match.submit(text)
            spent, count = spent + time.perf_counter() - before, count + 1
        means.append(spent / count * 1e6)
    return statistics.median(means)


def copy_microseconds(match: Match) -> float:
    batch = np.zeros(16, match.state.dtype)
    batch[:] = match.state.batch[0]
    play.copy_many(batch, 10)
    before = time.process_time()
    play.copy_many(batch, 1_000_000)
    return time.process_time() - before


def start_seconds(game: str) -> tuple[float, float]:
    """(after an edit, warm): a new process to its first legal list, once with the rules to be compiled and once without."""
    code = f"import lampion; lampion.new({game!r}, 2, seed=1).legal_actions()"
    ignored = shutil.ignore_patterns("__pycache__", "compiled", "static")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(PACKAGE, Path(folder) / "lampion", ignore=ignored)
        environment = {
            **os.environ,
            "LAMPION_CACHE": folder,
            "PYTHONPATH": folder,
            "PYTHONDONTWRITEBYTECODE": "",
        }

        def seconds() -> float:
            before = time.perf_counter()
            subprocess.run(
                [sys.executable, "-c", code], env=environment, check=True, stderr=subprocess.DEVNULL
            )
            return time.perf_counter() - before

        return seconds(), min(seconds() for _ in range(3))


def oracle_decisions_per_second(game: str, players: int, games: int = 3) -> float:
    from tests.support import Case, oracle_of

    chooser, decisions, spent = Random(1), 0, 0.0
    for _ in range(games):
        oracle = oracle_of(Case(game, players, {}))
        before = time.process_time()
        while (actor := oracle.to_act()) is not None:
            oracle.apply(actor, chooser.choice(sorted(oracle.legal(actor))))
            decisions += actor != "c"
        spent += time.process_time() - before
    return decisions / spent


def figures(game: str, seconds: float) -> dict[str, Any]:
    numbers = list(lampion.find_game(game).NUM_PLAYERS)
    most = start_of(game, numbers[-1])
    cold, warm = start_seconds(game)
    speed = {players: measure(start_of(game, players), seconds) for players in numbers}
    best = speed[numbers[-1]]["decisions_per_second"]
    return {
        "game": game,
        "decisions_per_second": {
            players: found["decisions_per_second"] for players, found in speed.items()
        },
        "games_per_second": {
            players: found["games_per_second"] for players, found in speed.items()
        },
        "all_cores_against_one": scaling(most, best),
        "oracle_decisions_per_second": oracle_decisions_per_second(game, numbers[-1]),
        "copy_microseconds": copy_microseconds(most),
        "state_bytes": most.state.dtype.itemsize,
        "step_microseconds": step_microseconds(most),
        "submit_microseconds": submit_microseconds(game, numbers[-1]),
        "edit_to_legal_seconds": cold,
        "warm_start_seconds": warm,
    }


def rows(
    found: dict[str, Any], yardsticks: dict[str, tuple[float, float]]
) -> Iterator[tuple[str, str]]:
    for players, decisions in found["decisions_per_second"].items():
        yield (
            f"{players} players, one core",
            f"{decisions:,.0f} decisions/s, {found['games_per_second'][players]:,.0f} games/s",
        )
    most = max(found["decisions_per_second"])
    for name, (decisions, games) in yardsticks.items():
        ratio = found["decisions_per_second"][most] / decisions
        yield (
            f"{most} players against OpenSpiel {name}",
            f"{ratio:.1f} times its {decisions:,.0f} decisions/s ({games:,.0f} games/s)",
        )
    oracle = found["oracle_decisions_per_second"]
    yield (
        f"{most} players against the oracle",
        f"{found['decisions_per_second'][most] / oracle:,.0f} times its {oracle:,.0f} decisions/s",
    )
    yield f"{os.cpu_count()} cores against one", f"{found['all_cores_against_one']:.2f} times"
    yield "copy of a state", f"{found['copy_microseconds']:.3f} us ({found['state_bytes']} bytes)"
    yield "one step from Python (ids)", f"{found['step_microseconds']:.1f} us"
    yield "one Match.submit (text, gate, log, draws)", f"{found['submit_microseconds']:.1f} us"
    yield "first legal list after an edit", f"{found['edit_to_legal_seconds']:.1f} s"
    yield "warm start to the first legal list", f"{found['warm_start_seconds']:.2f} s"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=lampion.game_names(), metavar="GAME")
    parser.add_argument(
        "--seconds", type=float, default=3.0, help="how long to measure each figure"
    )
    parser.add_argument("--json", default=None, help="also write the figures to this file")
    arguments = parser.parse_args()
    note("Measuring OpenSpiel ...")
    yardsticks = {name: rollouts_per_second(name, arguments.seconds) for name in YARDSTICKS}
    results = []
    for game in arguments.games:
        note(f"Measuring {game} ...")
        found = figures(game, arguments.seconds)
        results.append(found)
        show(table(("", lampion.find_game(game).TITLE), rows(found, yardsticks)))
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump({"openspiel": yardsticks, "games": results}, file, indent=1)
    least = LEAST_SHARE * (os.cpu_count() or 1)
    judge(
        Limit(f"all cores against one in {found['game']}", found["all_cores_against_one"], least)
        for found in results
    )


if __name__ == "__main__":
    main()
