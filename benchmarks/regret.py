"""How much the moves of a bot cost, in positions whose moves were played on from hundreds of times.

    python -m benchmarks.regret lanterns --players 2 search:0.2s search:0.04s greedy
    python -m benchmarks.regret lumens --players 2 --make 2000

Positions are decisions of games between searches. The moves that look best to a longer search are
played on from, with common guesses and common random numbers (`lampion.research.rolling`), the best
of them more often. A bot's regret is the mean difference between the best of them and what it
plays, a move that was not played on from yet being played on from now. Utilities are placements, 0
to 1, with a tenth of the weight on the margin in points.

The best of several estimates is too high, so no bot reaches 0, not even perfect play; what counts
is the difference between bots, which is printed with the interval of paired differences to the
first bot.

Positions are kept in `benchmarks/yardsticks/GAME-PLAYERS-rolled.jsonl`, one game a line. They are
judged by greedy play on both sides, so they measure judgment of the next few moves better than
plans.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed

from benchmarks.yardstick import FOLDER, replayed, strong_game
from lampion.bots.base import Budget
from lampion.bots.levels import make_player
from lampion.bots.search import Search
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.core.types import Action
from lampion.research.rolling import rolled

PER_GAME = 8
"""Decisions of a game that are kept."""
PLAUSIBLE, PROPOSING = 6, 400
"""How many moves are played on from, and how many iterations propose them."""
FIRST_GAMES, MORE_GAMES, FINALISTS = 96, 160, 3
DIGITS = 4
FIRST_DEAL = 10_001
"""Far from the deals of the other yardsticks."""


@dataclass(frozen=True)
class Position:
    """A decision, and what its plausible moves are worth."""

    game: str
    players: int
    deal: int
    actions: tuple[int, ...]
    values: dict[Action, float]

    def match(self) -> Match:
        return replayed(self.game, self.deal, self.actions, self.players)

    @property
    def seed(self) -> int:
        return self.deal * 1_000 + len(self.actions)


# --- making them ----------------------------------------------------------------------------------


def plausible_moves(match: Match, seed: int) -> list[Action]:
    """The moves that a search tries most, the most tried first."""
    seat = match.to_act
    *_, found = Search(exact=0.0).think(
        match.seen_from(seat), seat, match.legal_ids(), Budget(iterations=PROPOSING), new_rng(seed)
    )
    return [move.action for move in found.moves[:PLAUSIBLE]]


def values_of(match: Match, moves: list[Action], games: int, seed: int) -> dict[Action, float]:
    seat = match.to_act
    means = rolled(match.seen_from(seat), seat, moves, games, seed).mean(axis=1)
    return {int(move): round(float(mean), DIGITS) for move, mean in zip(moves, means, strict=True)}


def judged(match: Match, seed: int) -> dict[Action, float]:
    """What the plausible moves are worth; the best of a first look are looked at three times as
    long, over the same games and more."""
    found = values_of(match, plausible_moves(match, seed), FIRST_GAMES, seed)
    best = sorted(found, key=lambda move: -found[move])[:FINALISTS]
    return found | values_of(match, best, FIRST_GAMES + MORE_GAMES, seed)


def judged_game(game: str, players: int, deal: int) -> dict[str, Any]:
    """A line of the file: a game, and some of its decisions with the values of their moves."""
    actions = strong_game(game, deal, players)
    chooser = np.random.default_rng(deal)
    kept: list[dict[str, Any]] = []
    for ply in chooser.permutation(len(actions)):
        match = replayed(game, deal, tuple(actions[:ply]), players)
        if len(match.legal_ids()) > 1:
            values = judged(match, deal * 1_000 + int(ply))
            kept.append({"ply": int(ply), "values": values})
        if len(kept) == PER_GAME:
            break
    kept.sort(key=lambda each: each["ply"])
    return {"deal": deal, "actions": actions[: kept[-1]["ply"]], "positions": kept}


def file_of(game: str, players: int) -> Path:
    return FOLDER / f"{game}-{players}-rolled.jsonl"


def make(game: str, players: int, wanted: int, jobs: int) -> None:
    """Play and judge games until there are so many positions; resumes from the file."""
    path = file_of(game, players)
    known = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    found = sum(len(line["positions"]) for line in known)
    deal = max((line["deal"] for line in known), default=FIRST_DEAL - 1) + 1
    with path.open("a") as file:
        while found < wanted:
            deals = range(deal, deal + 2 * jobs)
            for line in Parallel(n_jobs=jobs)(
                delayed(judged_game)(game, players, each) for each in deals
            ):
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
                found += len(line["positions"])
            file.flush()
            deal += len(deals)
            print(f"{game}, {players} players: {found} positions", file=sys.stderr)


# --- measuring ------------------------------------------------------------------------------------


def positions(game: str, players: int) -> Iterator[Position]:
    for text in file_of(game, players).read_text().splitlines():
        line = json.loads(text)
        for each in line["positions"]:
            actions = tuple(line["actions"][: each["ply"]])
            values = {int(action): value for action, value in each["values"].items()}
            yield Position(game, players, line["deal"], actions, values)


def regret(position: Position, bot: str) -> tuple[float, float]:
    """What a bot loses here, and the processor time it took."""
    player, match = make_player(bot, position.game), position.match()
    seat, start = match.to_act, time.process_time()
    action = int(
        player.bot.choose(
            match.seen_from(seat), seat, match.legal_ids(), player.budget, new_rng(position.seed)
        )
    )
    spent = time.process_time() - start
    known = position.values
    if action not in known:
        known = known | values_of(match, [action], FIRST_GAMES, position.seed)
    return max(known.values()) - known[action], spent


def measure(game: str, players: int, bots: list[str], jobs: int) -> None:
    known = list(positions(game, players))
    print(f"{game}, {players} players: {len(known)} positions")
    print(f"{'bot':<40} {'mean regret':>18} {'more than the first':>22} {'s/move':>8}")
    first: npt.NDArray[np.float64] | None = None
    for bot in bots:
        found = Parallel(n_jobs=jobs)(delayed(regret)(position, bot) for position in known)
        losses, seconds = np.array(found).T
        first = losses if first is None else first
        print(
            f"{bot:<40} {with_interval(losses):>18} {with_interval(losses - first):>22}"
            f" {seconds.mean():>8.3f}",
            flush=True,
        )


def with_interval(values: npt.NDArray[np.float64]) -> str:
    half = 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5
    return f"{values.mean():.4f} ± {half:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("bots", nargs="*", help="bots by name, as `lampion arena` takes them")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--make", type=int, default=0, metavar="N", help="find N positions first")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side (default: 1)")
    given = parser.parse_intermixed_args()
    if given.make:
        make(given.game, given.players, given.make, given.jobs)
    if given.bots:
        measure(given.game, given.players, given.bots, given.jobs)


if __name__ == "__main__":
    main()
