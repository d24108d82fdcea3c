"""Failures in number: `python -m benchmarks.kills` (about half an hour).

50 hard kills of the server on each store, 10 of PostgreSQL, 10 full disks, outages of seven seconds
and a round of random kills of three processes behind a balancer. Nothing acknowledged may be lost,
and every bot and every clock must be going again within ten seconds, watched or not. The tables of a
process that stays dead must be taken over by another within five.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from tests.server.chaos.failures import (
    fill_the_disk,
    freeze_the_database,
    kill_the_database,
    kill_the_server,
)
from tests.server.chaos.support import Report
from tests.server.store.postgres import Postgres, running_postgres
from tests.server.support import close_clients


def attempt(name: str, run: Callable[[], Report]) -> bool:
    """Run it and print what it measured; False if something was lost or did not go on."""
    began = time.monotonic()
    try:
        told = run().tell(name)
    except AssertionError:
        print(f"{name}: FAILED\n{traceback.format_exc()}", flush=True)
        return False
    finally:
        close_clients()
    print(f"{told}\n    ({time.monotonic() - began:.0f} s)", flush=True)
    return True


def play_through_kills(kills: int, adopted: float) -> bool:
    """The tests of three processes, with more kills and the promised seconds."""
    env = {
        **os.environ,
        "LAMPION_RANDOM_KILLS": str(kills),
        "LAMPION_AGREE_SECONDS": "1",
        "LAMPION_ADOPTED_SECONDS": str(adopted),
    }
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "tests/server/chaos/test_many_processes.py",
        "--durations=5",
    ]
    return subprocess.run(command, env=env, check=False).returncode == 0


def all_failures(
    wanted: argparse.Namespace, folder: Path, postgres: Postgres
) -> dict[str, Callable[[], Report]]:
    limit = wanted.seconds
    return {
        "SQLite, kill -9 of the server": lambda: kill_the_server(
            str(folder / "killed.db"), wanted.kills, limit
        ),
        "PostgreSQL, kill -9 of the server": lambda: kill_the_server(
            postgres.create("killed"), wanted.kills, limit
        ),
        "kill -9 of PostgreSQL": lambda: kill_the_database(
            postgres, postgres.create("base"), wanted.database_kills, limit=limit
        ),
        "PostgreSQL gone for 7 s": lambda: kill_the_database(
            postgres, postgres.create("gone"), 2, 7, limit
        ),
        "PostgreSQL frozen for 7 s": lambda: freeze_the_database(
            postgres.create("frozen"), 2, 7, limit
        ),
        "full disk (tmpfs)": lambda: fill_the_disk(wanted.full_disks, limit),
        "full disk (RLIMIT_FSIZE)": lambda: fill_the_disk(2, limit, limited=folder),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--database-kills", type=int, default=10)
    parser.add_argument("--full-disks", type=int, default=10)
    parser.add_argument("--random-kills", type=int, default=20)
    parser.add_argument(
        "--seconds", type=float, default=10, help="within which bots and clocks must go again"
    )
    parser.add_argument(
        "--adopted",
        type=float,
        default=5,
        help="seconds within which the tables of a dead process must be taken over",
    )
    parser.add_argument("--only", default="", help="a part of the name of a failure")
    wanted = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as folder, running_postgres() as postgres:
        for name, run in all_failures(wanted, Path(folder), postgres).items():
            if wanted.only in name:
                good &= attempt(name, run)
    if wanted.only in "three processes":
        good &= play_through_kills(wanted.random_kills, wanted.adopted)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
