"""Search simulations a second, on one core, beside OpenSpiel's search in C++ in the same run.

python -m benchmarks.search [--seconds S] [--json FILE] [GAME ...]

A simulation is one walk down the tree, one new node and one playout. With `random playouts` every game is played to its end by
random moves, as OpenSpiel's search does with one random roll-out; `as it plays` is the search with its own settings. Times are those
of the processor, so a busy machine changes them little; rounds alternate, and the best of each is given. Exits with
1 where two threads do less than LEAST_TIMES the work of one; that is measured by the clock, so it
means something on a quiet machine only.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import lampion
from benchmarks.limits import Limit, judge
from lampion.bots.base import Budget, Stop
from lampion.bots.search import Clock, Search
from lampion.core.facts import TO_THE_END
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.terminal import note, show, table

YARDSTICK = "hex(board_size=11)"
ROUNDS, ITERATIONS = 5, 2000
LEAST_TIMES = 1.8
"""What two threads must do of the work of one."""
BOTS = {
    "random playouts": Search(exploration=0.5, cutoff=TO_THE_END, playout=0, guided=0),
    "as it plays": Search(),
}


def simulate(search: Search, match: Match, iterations: int) -> float:
    """Seconds of processor time for so many simulations of one search from this position."""
    seat = match.to_act
    seen, legal, budget = (
        match.seen_from(seat),
        match.legal_ids(seat),
        Budget(iterations=iterations),
    )
    before = time.thread_time()
    work = search.plant(seen, seat, legal, budget, new_rng(1))
    done = max(search.iterate(work, seat, budget, Clock(budget.seconds), new_rng(1), Stop()))
    assert done == iterations, "the whole budget was used"
    return time.thread_time() - before


def simulate_openspiel(simulations: int) -> float:
    import pyspiel

    game = pyspiel.load_game(YARDSTICK)
    bot = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, simulations, 1000, False, 1, False
    )
    state = game.new_initial_state()
    before = time.thread_time()
    bot.mcts_search(state)
    return time.thread_time() - before


def threads_against_one(match: Match, iterations: int, threads: int = 2) -> float:
    """How many times the work of one thread two of them do in the same time, both searching: about 2 without an interpreter lock."""
    search = BOTS["as it plays"]

    def wall(workers: int) -> float:
        before = time.perf_counter()
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda _: simulate(search, match, iterations), range(workers)))
        return time.perf_counter() - before

    return threads * min(wall(1) for _ in range(ROUNDS)) / min(wall(threads) for _ in range(ROUNDS))


def figures(games: list[str], seconds: float) -> dict[str, Any]:
    """Simulations a second: the best of some rounds, in which everything takes its turn."""
    openings = {game: lampion.new(game, 2, seed=1) for game in games}
    counts = {
        (game, name): _iterations(bot, match, seconds)
        for game, match in openings.items()
        for name, bot in BOTS.items()
    }
    of_openspiel = max(100, int(seconds / ROUNDS * 1000 / simulate_openspiel(1000)))
    best: dict[tuple[str, str], float] = dict.fromkeys(counts, 0.0)
    yardstick = 0.0
    for _ in range(ROUNDS):
        yardstick = max(yardstick, of_openspiel / simulate_openspiel(of_openspiel))
        for (game, name), count in counts.items():
            best[game, name] = max(
                best[game, name], count / simulate(BOTS[name], openings[game], count)
            )
    threads = {
        game: threads_against_one(match, counts[game, "as it plays"])
        for game, match in openings.items()
    }
    return {
        "openspiel": yardstick,
        "games": {game: {name: best[game, name] for name in BOTS} for game in games},
        "two_threads_against_one": threads,
    }


def _iterations(bot: Search, match: Match, seconds: float) -> int:
    """As many as fit into one round."""
    simulate(bot, match, 50)  # compiled by now
    return max(ITERATIONS, int(seconds / ROUNDS * ITERATIONS / simulate(bot, match, ITERATIONS)))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", default=lampion.game_names(), metavar="GAME")
    parser.add_argument(
        "--seconds", type=float, default=3.0, help="how long to measure each figure"
    )
    parser.add_argument("--json", default=None, help="also write the figures to this file")
    arguments = parser.parse_args()
    note("Measuring search ...")
    found = figures(arguments.games, arguments.seconds)
    heads = (
        "two players, from the opening",
        *BOTS,
        f"random playouts against OpenSpiel {YARDSTICK}",
        "two threads against one",
    )
    rows = []
    for game, speeds in found["games"].items():
        ratio = speeds["random playouts"] / found["openspiel"]
        threads = found["two_threads_against_one"][game]
        row = (
            lampion.find_game(game).TITLE,
            *(f"{speeds[name]:,.0f}/s" for name in BOTS),
            f"{ratio:.1f} times its {found['openspiel']:,.0f}/s",
            f"{threads:.2f} times",
        )
        rows.append(row)
    show(table(heads, rows))
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=1)
    judge(
        Limit(f"two threads against one in {game}", times, least=LEAST_TIMES)
        for game, times in found["two_threads_against_one"].items()
    )


if __name__ == "__main__":
    main()
