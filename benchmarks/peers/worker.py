"""What the workers share. A worker measures one engine and prints one JSON object; it needs nothing but Python and that engine.

    python -m benchmarks.peers.openspiel [--seconds S] [--core N] [--games GAME ...]

A figure is what one loop of random play (or of search) did, by processor time.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

ROLLOUTS = "playouts inside the engine"
FROM_PYTHON = "step by step from Python"
BATCH = "batched"
SEARCH = "search with random playouts"


class Task(NamedTuple):
    """One thing to measure: a loop that plays for a little while and returns (decisions or simulations, whole games)."""

    game: str
    how: str
    loop: Callable[[], tuple[int, int]]
    note: str = ""


def measure(task: Task, seconds: float) -> dict[str, Any]:
    """Run a loop again and again, once without counting: compilers and caches."""
    task.loop()
    decisions = games = 0
    before = time.process_time()
    while time.process_time() - before < seconds:
        more, whole = task.loop()
        decisions, games = decisions + more, games + whole
    spent = time.process_time() - before
    rates = {"decisions_per_second": decisions / spent, "games_per_second": games / spent}
    return {"game": task.game, "how": task.how, "note": task.note, **rates}


def version(distribution: str) -> str:
    return importlib.metadata.version(distribution)


def main(engine: str, tasks: Callable[[float], Iterable[Task]]) -> None:
    """Measure and print. `tasks` is given the seconds, for loops that have to know how long they may take."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--core", type=int, default=None, help="stay on this core")
    parser.add_argument("--games", nargs="*", default=None, help="measure these alone")
    arguments = parser.parse_args()
    if arguments.core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {arguments.core})
    wanted = (
        task
        for task in tasks(arguments.seconds)
        if arguments.games is None or task.game in arguments.games
    )
    print(json.dumps({"engine": engine, "figures": list(_figures(wanted, arguments.seconds))}))


def _figures(tasks: Iterable[Task], seconds: float) -> Iterator[dict[str, Any]]:
    for task in tasks:
        print(f"  {task.game}: {task.how}", file=sys.stderr)
        yield measure(task, seconds)
