"""Measure everything and write docs/benchmarks.md.

    python -m benchmarks.peers [PEER ...] [--seconds S] [--games GAME ...] [--json FILE]

Every engine is measured twice: alone on one core, and with a process on each core at the same time. The environments of the peers
are made by uv from the pinned versions in benchmarks/peers/*.txt and touch nothing of ours.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from benchmarks.peers.page import page, requirements

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
PAGE = ROOT / "docs" / "benchmarks.md"
PEERS = ("openspiel", "pgx", "pettingzoo", "rlcard", "catanatron")
LONGEST = 1800


def command(name: str) -> list[str]:
    """The Python of an engine: ours, or one with the peer's own packages."""
    if name == "lampion":
        return [sys.executable]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    requirements = str(FOLDER / f"{name}.txt")
    return [
        str(ROOT / "scripts" / "uv"), "run", "--quiet", "--no-project", "--isolated", "--python", version,
        "--with-requirements", requirements, "python",
    ]  # fmt: skip


def start(name: str, options: list[str], core: int) -> subprocess.Popen[str]:
    words = [*command(name), "-m", f"benchmarks.peers.{name}", *options, "--core", str(core)]
    environment = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"}
    environment["PYTHONWARNINGS"] = "ignore"
    return subprocess.Popen(
        words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def finish(worker: subprocess.Popen[str]) -> dict[str, Any]:
    """What a worker printed, or why it could not."""
    try:
        printed, complaints = worker.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        worker.kill()
        return {"problem": f"not done after {LONGEST} s"}
    if worker.returncode:
        lines = [line.strip() for line in complaints.splitlines() if line.strip()]
        return {"problem": lines[-1][:200] if lines else f"exit code {worker.returncode}"}
    found: dict[str, Any] = json.loads(printed.splitlines()[-1])
    return found


def measure(name: str, options: list[str]) -> dict[str, Any]:
    """The figures of one engine, with `all_cores` in each: decisions a second of all processes together."""
    cores = os.cpu_count() or 1
    print(f"{name}: one core ...", file=sys.stderr)
    found = {"name": name, **finish(start(name, options, 0))}
    if "problem" in found:
        print(f"{name}: {found['problem']}", file=sys.stderr)
        return found
    print(f"{name}: {cores} cores ...", file=sys.stderr)
    workers = [start(name, options, core) for core in range(cores)]
    together = [finish(worker) for worker in workers]
    for number, figure in enumerate(found["figures"]):
        figure["all_cores"] = sum(
            worker["figures"][number]["decisions_per_second"] for worker in together
        )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("peers", nargs="*", metavar="PEER", default=PEERS)
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="how long to measure each figure"
    )
    parser.add_argument(
        "--games", nargs="*", default=None, help="measure these alone, such as connect_four hex"
    )
    parser.add_argument(
        "--json", type=Path, default=None, help="also write the figures to this file"
    )
    parser.add_argument("--page", type=Path, default=PAGE, help="where to write the page")
    arguments = parser.parse_args()
    options = [
        "--seconds",
        str(arguments.seconds),
        *(["--games", *arguments.games] if arguments.games else []),
    ]
    found = [measure(name, options) for name in ("lampion", *arguments.peers)]
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1))
    arguments.page.write_text(page(found))
    print(f"written to {arguments.page}", file=sys.stderr)
    if not all(requirement.holds for requirement in requirements(found)):
        sys.exit("a requirement does not hold")


if __name__ == "__main__":
    main()
