"""What the server promises, measured all at once: `python -m benchmarks.nightly` (about two hours).

Runs each benchmark of the server to its end, whatever became of the one before, and writes a table for
docs/decisions/0013-a-server-that-looks-after-itself.md: what held, what did not, at which commit, and how busy
the machine was. The whole output of each is kept beside the table. Fails if one of them failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

BENCHMARKS = {
    "server": ["benchmarks.server"],
    "processes": ["benchmarks.processes"],
    "kills": ["benchmarks.kills"],
    "fuzz": ["benchmarks.fuzz", "--cases", "50000"],
    "abuse": ["benchmarks.abuse", "--minutes", "10"],
    "store": ["benchmarks.store", "--deleting", "373"],
}
LAST_LINES = 3
"""What is shown of a benchmark that gives no verdicts."""


@dataclass
class Run:
    name: str
    is_good: bool
    minutes: float
    load: tuple[float, float]
    """The mean number of programs that wanted a core in the last minute, before and after."""
    output: str

    @property
    def findings(self) -> list[str]:
        lines = [line.strip() for line in self.output.splitlines() if line.strip()]
        verdicts = [line for line in lines if line.startswith(("held", "FAILED"))]
        return verdicts or lines[-LAST_LINES:]

    def row(self) -> str:
        cells = [
            f"`{self.name}`",
            "held" if self.is_good else "**failed**",
            f"{self.minutes:.0f} min",
            f"{self.load[0]:.1f} / {self.load[1]:.1f}",
            "<br>".join(line.replace("|", "\\|") for line in self.findings),
        ]
        return f"| {' | '.join(cells)} |"


def run(name: str, words: list[str]) -> Run:
    """Show the output as it comes, and keep it."""
    print(f"== {name}", flush=True)
    began, load, lines = time.monotonic(), os.getloadavg()[0], []
    command = [sys.executable, "-u", "-m", *words]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    minutes = (time.monotonic() - began) / 60
    loads = (load, os.getloadavg()[0])
    return Run(name, process.returncode == 0, minutes, loads, "".join(lines))


def commit() -> str:
    """With a plus if there is more than that."""
    words = ["git", "describe", "--always", "--dirty=+", "--abbrev=10"]
    found = subprocess.run(words, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"


def page(runs: list[Run]) -> Iterator[str]:
    today = datetime.now(UTC).date().isoformat()
    yield f"Commit {commit()}, {today}, {os.cpu_count()} cores; the load is that of the whole machine"
    yield "before and after each run."
    yield ""
    yield "| benchmark | verdict | time | load | findings |"
    yield "|---|---|---|---|---|"
    for each in runs:
        yield each.row()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--only", nargs="+", choices=list(BENCHMARKS), default=list(BENCHMARKS), help="some of them"
    )
    parser.add_argument(
        "--out", type=Path, default=Path(".venv/server-figures"), help="a folder for the results"
    )
    wanted = parser.parse_args()
    wanted.out.mkdir(parents=True, exist_ok=True)
    runs = []
    for name in wanted.only:
        runs.append(run(name, BENCHMARKS[name]))
        (wanted.out / f"{name}.txt").write_text(runs[-1].output)
        # After each: what there is stays, even if the next one takes the machine with it.
        (wanted.out / "table.md").write_text("\n".join(page(runs)) + "\n")
    print("\n".join(page(runs)))
    print(f"\nwritten to {wanted.out / 'table.md'}")
    sys.exit(0 if all(each.is_good for each in runs) else 1)


if __name__ == "__main__":
    main()
