"""Hold events to their promise in many random games: `python -m benchmarks.fold --games 10000`.

For every game, number of players, seat and spectator:

    fold(view before, events) == view after        unfold(view after, events) == view before

each event is of its published type, and the closing facts carry nothing but derived fields. One game
in ten is checked after every log entry. The others are checked in stretches of one to eight entries,
drawn at random, as a server sends a decision and the draws behind it; that takes half the time,
because the views between are not made. Options and variants take turns. Game n of a case follows
from n alone, so a difference names the game that shows it (`--only lanterns-3p:812` plays that one
again).

A file keeps what was checked, a line for every few games. A run that was stopped resumes where
it was, and games checked with other sources do not count.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import functools
import hashlib
import json
import multiprocessing
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from lampion.core.compile import PACKAGE
from lampion.core.game import find_game
from lampion.testing.folding import play_and_check
from tests.support import ALL_GAMES, Case, options_to_try

CHUNK = 10
"""Games in a line of the file. One of them, in turn, is checked after every log entry."""
ASIDE = ("knowledge", "observation", "print", "scoring", "svg", "text")
"""Modules of games that no view and no event comes from."""
LONGEST = 8
"""Log entries in a stretch of the others."""


class Chunk(NamedTuple):
    """Games `first` to `first + CHUNK - 1` of a game and number of players."""

    game: str
    players: int
    first: int

    @property
    def case(self) -> str:
        return f"{self.game}-{self.players}p"


class Checked(NamedTuple):
    """A line of the file."""

    case: str
    first: int
    games: int
    entries: int
    seconds: float
    """Of one core."""
    differences: list[str]
    sources: str


@functools.cache
def sources() -> str:
    """What the result depends on: the code of the core and of all games, but for what only bots,
    drawings and pages of results read. Comments and docstrings do not count."""
    folders = [PACKAGE / "core", *{Path(find_game(name).__file__).parent for name in ALL_GAMES}]
    found = sorted(file for folder in folders for file in folder.rglob("*.py"))
    files = [file for file in found if not file.name.startswith(ASIDE)]
    together = "".join(file.name + _code(file) for file in files)
    return hashlib.sha256(together.encode()).hexdigest()[:12]


def _code(file: Path) -> str:
    tree = ast.parse(file.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value = ast.Constant(None)
    return ast.dump(tree)


def play(game: str, players: int, number: int) -> int:
    """Check one game; returns how many log entries it had."""
    options = options_to_try(game, players)
    case = Case(game, players, options[number % len(options)])
    longest = 1 if number % CHUNK == number // CHUNK % CHUNK else LONGEST
    return play_and_check(case.without_chance(), random.Random(number), longest)


def checked(chunk: Chunk) -> Checked:
    started, entries, differences = time.process_time(), 0, []
    for number in range(chunk.first, chunk.first + CHUNK):
        try:
            entries += play(chunk.game, chunk.players, number)
        except Exception:  # an error in a game is a difference too, and the others go on
            differences.append(f"{chunk.case}:{number}\n{traceback.format_exc()[-2000:]}")
    seconds = time.process_time() - started
    return Checked(chunk.case, chunk.first, CHUNK, entries, seconds, differences, sources())


# --- the run --------------------------------------------------------------------------------------


def chunks(games: int, wanted: list[str]) -> list[Chunk]:
    """A round of all cases at a time: a run that is stopped has about as many games of each."""
    found = [
        Chunk(name, players, first)
        for first in range(0, games, CHUNK)
        for name in ALL_GAMES
        for players in find_game(name).NUM_PLAYERS
    ]
    return [chunk for chunk in found if not wanted or chunk.case in wanted]


def read(file: Path) -> list[Checked]:
    lines = file.read_text().splitlines() if file.exists() else []
    known = [Checked(**json.loads(line)) for line in lines]
    return [one for one in known if one.sources == sources()]


def run(todo: list[Chunk], jobs: int) -> Iterator[Checked]:
    if jobs == 1:
        yield from map(checked, todo)
        return
    context = multiprocessing.get_context("forkserver")
    with context.Pool(jobs, signal.signal, (signal.SIGINT, signal.SIG_IGN)) as pool:
        yield from pool.imap_unordered(checked, todo)


def report(results: Iterable[Checked]) -> None:
    """Games, log entries and time of each case."""
    totals: dict[str, Counter[str]] = {}
    for one in results:
        case = totals.setdefault(one.case, Counter())
        case.update(games=one.games, entries=one.entries, differences=len(one.differences))
        case["ms"] += round(1000 * one.seconds)
    print(f"{'case':20}{'games':>9}{'entries':>11}{'ms/game':>9}{'differences':>13}")
    for name, case in sorted(totals.items()):
        each = case["ms"] / case["games"]
        print(f"{name:20}{case['games']:9}{case['entries']:11}{each:9.1f}{case['differences']:13}")
    whole = sum((case for case in totals.values()), Counter[str]())
    print(
        f"{whole['games']} games, {whole['entries']} log entries, "
        f"{whole['ms'] / 3_600_000:.2f} hours of one core, {whole['differences']} differences"
    )


def main() -> None:
    options = arguments()
    if options.only:
        case, number = options.only.split(":")
        game, players = case.removesuffix("p").rsplit("-", 1)
        print(f"{play(game, int(players), int(number))} log entries without a difference")
        return
    results = read(options.out)
    done = {(one.case, one.first) for one in results}
    asked = chunks(options.games, options.cases)
    todo = [chunk for chunk in asked if (chunk.case, chunk.first) not in done]
    with options.out.open("a") as out, contextlib.suppress(KeyboardInterrupt):
        for count, one in enumerate(run(todo, options.jobs), 1):
            out.write(json.dumps(one._asdict()) + "\n")
            out.flush()
            results.append(one)
            for difference in one.differences:
                print(difference, file=sys.stderr)
            print(f"\r{count * CHUNK} of {len(todo) * CHUNK} games", end="", file=sys.stderr)
    print(file=sys.stderr)
    report(results)
    sys.exit(any(one.differences for one in results))


def arguments() -> Any:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=10_000, help="of each case")
    parser.add_argument("--cases", nargs="*", default=[], help="such as lumens-2p; all by default")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--out", type=Path, default=Path("fold.jsonl"), help="resume from this file if it exists"
    )
    parser.add_argument("--only", metavar="CASE:NUMBER", help="play this one game")
    return parser.parse_args()


if __name__ == "__main__":
    main()
