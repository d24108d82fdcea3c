"""What the compiled rules cost and bring, beside another checkout of Lampion in the same run.

python -m benchmarks.compiled [--against FOLDER] [--rounds N] [--json FILE] [GAME ...]

FOLDER is a clone of the project with its own `.venv`, at an older commit for example. Rounds alternate between the two, times are
those of the processor, and the best of each is given, so a busy machine changes the ratios little. Exits with 1 where a ratio is
below what LEAST wants: it was promised against the last commit that compiled with Numba.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from benchmarks.limits import Limit, judge
from lampion.core.game import own_game_names
from lampion.core.native.library import COMPILED

RANDOM, SEARCH, BATCH = (
    "random play, decisions/s",
    "search, iterations/s",
    "batched environment, steps/s",
)
LEAST = {RANDOM: 1.0, SEARCH: 1.3, BATCH: 1.2}
"""Times what the other checkout does."""
MEASURE = """
import json, sys, time
import numpy as np
import lampion
from lampion.bots.base import Budget, Stop
from lampion.bots.search import Clock, Search
from lampion.core import play
from lampion.core.rng import new_rng
from lampion.research.batch import BatchEnv

game = sys.argv[1]
match = lampion.new(game, 2, seed=1)
start, legal = match.state.batch, np.zeros(match.game.ACTIONS.size, np.int32)
state, seat = start.copy(), match.to_act


def best(work, rounds=5):
    work()
    found = []
    for _ in range(rounds):
        before = time.process_time()
        done = work()
        found.append(done / (time.process_time() - before))
    return max(found)


def search(iterations=800):
    budget, bot = Budget(iterations=iterations), Search()
    work = bot.plant(match.seen_from(seat), seat, match.legal_ids(seat), budget, new_rng(1))
    return max(bot.iterate(work, seat, budget, Clock(budget.seconds), new_rng(1), Stop()))


env = BatchEnv(game, 1024, players=2, seed=1, threads=1)


def steps(count=20):
    for _ in range(count):
        env.step(env.random_actions)
    return count * env.num_envs


def calls(count=20000):
    for _ in range(count):
        play.to_act_at(start, 0)
    return count


def submits():
    fresh, count = lampion.new(game, 2, seed=2), 0
    while not fresh.is_over and count < 300:
        fresh.submit(int(fresh.legal_ids()[0]))
        count += 1
    return count


print(json.dumps({
    "random play, decisions/s": best(lambda: play.play_random_games(start, state, 1500, legal, new_rng(1))),
    "search, iterations/s": best(search, 4),
    "batched environment, steps/s": best(steps),
    "calls of a door/s": best(calls),
    "submits and legal lists/s": best(submits),
}))
"""


def measured(folder: Path, game: str) -> dict[str, float]:
    python = folder / ".venv" / "bin" / "python"
    done = subprocess.run(
        [python, "-c", MEASURE, game], cwd=folder, stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[str, float] = json.loads(done.stdout)
    return found


def best_of(rounds: list[dict[str, float]]) -> dict[str, float]:
    return {name: max(found[name] for found in rounds) for name in rounds[0]}


class Figure(NamedTuple):
    value: float
    ratio: float | None
    """To the other checkout, if there is one."""


def limits(found: dict[str, dict[str, Figure]]) -> list[Limit]:
    return [
        Limit(f"{game}: {name}, times the other", figures[name].ratio or 0.0, least=least)
        for game, figures in found.items()
        for name, least in LEAST.items()
        if figures[name].ratio is not None
    ]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=own_game_names(), metavar="GAME")
    parser.add_argument("--against", type=Path, help="another checkout with a .venv")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    wanted = parser.parse_args()
    here = Path(sys.prefix).parent
    found: dict[str, dict[str, Figure]] = {}
    for game in wanted.games:
        ours, theirs = list[dict[str, float]](), list[dict[str, float]]()
        for _ in range(wanted.rounds):
            ours.append(measured(here, game))
            if wanted.against:
                theirs.append(measured(wanted.against, game))
        sizes = ", ".join(
            f"{path.stat().st_size // 1000} kB" for path in sorted(COMPILED.glob(f"{game}-*"))
        )
        print(f"{game}: modules of {sizes}")
        before = best_of(theirs) if theirs else {}
        found[game] = {
            name: Figure(value, value / before[name] if before else None)
            for name, value in best_of(ours).items()
        }
        for name, figure in found[game].items():
            ratio = f", {figure.ratio:.2f} times the other" if figure.ratio else ""
            print(f"  {name}: {figure.value:,.0f}{ratio}")
    if wanted.json:
        wanted.json.write_text(json.dumps(found, indent=1) + "\n")
    judge(limits(found))


if __name__ == "__main__":
    main()
