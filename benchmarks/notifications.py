"""Notifications under hard kills: `python -m benchmarks.notifications` (about four minutes a store).

Pairs of people play games by push, e-mail and webhook alone: each comes when called, moves, asks,
gives up, invites and leaves. Some receivers answer a second late. Six more people never come: they
must be told by e-mail and reminded. Meanwhile the server is killed (kill -9) 20 times. Every
notification that was due must arrive, none twice at the same device within a minute, and 95 of 100
within two seconds.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.server.notify.crashes import Report, crash
from tests.server.store.postgres import running_postgres
from tests.server.support import close_clients

P95_SECONDS = 2.0


def is_good(report: Report) -> bool:
    return not report.lost and not report.twice and report.p95 < P95_SECONDS


def record(store: str, report: Report) -> str:
    """A line for the table of docs/decisions/0016-called-back-to-the-table.md."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.strip()
    cells = [
        time.strftime("%Y-%m-%d", time.gmtime()),
        commit,
        store,
        report.kills,
        len(report.delays),
        len(report.lost),
        len(report.twice),
        report.reminders,
        f"{statistics.median(report.delays):.2f} s",
        f"{report.p95:.2f} s",
        f"{max(report.delays):.1f} s",
        f"{os.getloadavg()[1]:.0f}",
    ]
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--sleepers", type=int, default=6, help="people who never come")
    parser.add_argument("--seconds", type=float, default=6.0, help="between two kills")
    parser.add_argument("--store", choices=("sqlite", "postgres", "both"), default="both")
    wanted = parser.parse_args()
    good = True
    with tempfile.TemporaryDirectory() as name, running_postgres() as postgres:
        folder = Path(name)
        databases = {"sqlite": str(folder / "lampion.db"), "postgres": postgres.create("notices")}
        for store, database in databases.items():
            if wanted.store in (store, "both"):
                report = crash(
                    database,
                    folder,
                    pairs=wanted.pairs,
                    kills=wanted.kills,
                    seconds=wanted.seconds,
                    sleepers=wanted.sleepers,
                )
                close_clients()
                print(f"{store}: {report.tell()}", flush=True)
                print(record(store, report), flush=True)
                for problem in (*report.lost, *report.twice):
                    print(f"    {problem}", flush=True)
                good &= is_good(report)
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
