"""How soon a new process is ready: `import lampion`, the first legal list of each game, commands.

python -m benchmarks.start [--rounds 15] [--json FILE]

Every figure stands beside `import numpy` of the same run, which is most of it and which nobody can
spare. The ratio is that of processor time, which means something on a busy machine, too; the limits
are for seconds on a quiet one. Each round starts every process once, and the best of all rounds
counts. All bytecode is cached before, as after an installation.

The last rows are for contributors who edit a rule: from the edit to the next legal list, with the module
of that game translated and compiled again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import lampion
from lampion.core.compile import PACKAGE
from lampion.core.game import own_game_names
from lampion.core.native.library import COMPILED
from lampion.terminal import note, progress, show, table

YARDSTICK = "import numpy"
IMPORT_LIMIT, WARM_LIMIT, EDIT_LIMIT = 0.12, 0.25, 3.0
"""Seconds on a quiet machine; the best of all rounds must stay below."""
EDITS = 3
"""Rounds of edits at most: each takes seconds."""


class Took(NamedTuple):
    seconds: float
    processor: float

    def best(self, other: Took) -> Took:
        return Took(min(self.seconds, other.seconds), min(self.processor, other.processor))


def first_list(game: str) -> list[str]:
    code = f"import lampion; lampion.new({game!r}, 2, seed=1).legal_actions()"
    return [sys.executable, "-c", code]


def processes() -> dict[str, list[str]]:
    """What is started, by how it is called in the table."""
    python = [sys.executable, "-c"]
    found = {
        "python": [*python, "pass"],
        YARDSTICK: [*python, "import numpy"],
        "import lampion": [*python, "import lampion"],
    }
    for game in lampion.game_names():
        found[f"warm start, {game}"] = first_list(game)
    for words in (["--version"], ["games"], ["--help"]):
        found[f"lampion {words[0]}"] = [sys.executable, "-m", "lampion", *words]
    return found


def measure(rounds: int) -> dict[str, Took]:
    """The shortest times of each process, from start to end."""
    commands = processes()
    best = dict.fromkeys(commands, Took(float("inf"), float("inf")))
    with tempfile.TemporaryDirectory() as folder, progress("Starting", rounds) as advance:
        environment = {
            **os.environ,
            "PYTHONPYCACHEPREFIX": folder,
            "PYTHONDONTWRITEBYTECODE": "",
        }
        for command in commands.values():
            started(command, environment)  # writes the bytecode
        for _ in range(rounds):
            for name, command in commands.items():
                best[name] = best[name].best(started(command, environment))
            advance(1)
    return best


def measure_edits(rounds: int) -> dict[str, Took]:
    """As `measure`, in a copy of the package in which nothing is compiled."""
    best: dict[str, Took] = {}
    ignored = shutil.ignore_patterns("__pycache__", COMPILED.name, "static")
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / PACKAGE.name
        shutil.copytree(PACKAGE, package, ignore=ignored)
        places = {"PYTHONPATH": folder, "LAMPION_CACHE": f"{folder}/cache"}
        environment = {**os.environ, **places, "PYTHONDONTWRITEBYTECODE": ""}
        for number in range(rounds + 1):
            for game in own_game_names():
                with (package / "games" / game / "rules.py").open("a") as rules:
                    rules.write(f"# edit {number}\n")
                took = started(first_list(game), environment)
                if number:  # the first one writes the bytecode
                    name = f"after an edit, {game}"
                    best[name] = best.get(name, took).best(took)
    return best


def started(command: list[str], environment: Mapping[str, str]) -> Took:
    before, used = time.perf_counter(), _processor_of_children()
    subprocess.run(command, env=environment, check=True, capture_output=True)
    return Took(time.perf_counter() - before, _processor_of_children() - used)


def _processor_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def limit_of(name: str) -> float | None:
    if name == "import lampion":
        return IMPORT_LIMIT
    if name.startswith("after an edit"):
        return EDIT_LIMIT
    return WARM_LIMIT if name.startswith("warm start") else None


def report(best: Mapping[str, Took]) -> None:
    rows = []
    for name, took in best.items():
        limit = limit_of(name)
        shown = "" if limit is None else f"{limit:.2f} s"
        ratio = took.processor / best[YARDSTICK].processor
        figures = f"{took.seconds:.3f} s", shown, f"{took.processor:.3f} s", f"{ratio:.2f}"
        rows.append((name, *figures))
    show(table(("new process", "best", "limit", "processor", f"of {YARDSTICK}"), rows))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15, help="how often each process is started")
    parser.add_argument("--json", type=Path, default=None, help="also write the figures here")
    arguments = parser.parse_args()
    best = measure(arguments.rounds) | measure_edits(min(arguments.rounds, EDITS))
    report(best)
    if arguments.json:
        arguments.json.write_text(
            json.dumps({name: took._asdict() for name, took in best.items()}, indent=1) + "\n"
        )
    slow = [name for name, took in best.items() if took.seconds > (limit_of(name) or took.seconds)]
    if slow:
        note(f"Over the limit: {', '.join(slow)}. Is the machine quiet?")
        sys.exit(1)


if __name__ == "__main__":
    main()
