"""What the open data set costs, and how good its cheap judgments are (docs/dataset.md).

python -m benchmarks.dataset GAME [--games 24] [--seed 0] [--judged 60] [--look 64] [--weigh 16]

Plays games of the data set and prints

    a game      processor seconds for playing, ledger and regret, and the time of 100,000 games
    luck        its mean over all seats but the last, with the standard error; the last seat's is
                what the others leave
    regret      by bot: how many decisions, their mean regret, the mean place (0 to 1) it ends with
    error       for some decisions: the mean difference of regret to that of a careful judgment, the
                standard deviation of that difference, and the correlation
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

import lampion
from lampion.core.game import find_game
from lampion.core.log import Entry
from lampion.core.match import Match
from lampion.core.position import Position
from lampion.core.replay import match_from_record
from lampion.core.types import CHANCE
from lampion.reviews.dataset import BOTS, DataSet, Graded, regret_of, regrets
from lampion.reviews.judging import Care, Judge
from lampion.reviews.ledger import ledger_of
from lampion.reviews.values import PLACE

CAREFUL = Care(look=1000, weigh=200, runs=6)
HOUR, FULL = 3600, 100_000


class Parts:
    """Processor time by part of the work."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.process_time()

    def begin(self) -> None:
        self._last = time.process_time()

    def end(self, part: str) -> None:
        now = time.process_time()
        self.seconds[part] = self.seconds.get(part, 0.0) + now - self._last
        self._last = now


def measure(game: str, games: int, seed: int, care: Care) -> list[Match]:
    counts = tuple(find_game(game).NUM_PLAYERS)
    data = DataSet(Graded(game, counts[0], BOTS, seed, times=False), games, 1, Path(), counts, care)
    parts, luck, found, matches = Parts(), list[float](), list[Any](), list[Match]()
    data.row(0)  # which makes everything ready
    for number in range(games):
        parts.begin()
        table = data.table(number)
        match = match_from_record(table.play(number))
        parts.end("play")
        ledger = ledger_of(match)
        parts.end("ledger")
        estimates = list(regrets(match, care))
        parts.end("regret")
        luck += ledger.luck[:-1, PLACE].tolist()
        seats = [entry.actor for entry in match.log.standing if entry.actor != CHANCE]
        bots = table.seating(number)
        found += [
            (bots[seat], regret, ledger.result[seat, PLACE])
            for seat, (regret, _) in zip(seats, estimates, strict=True)
            if regret is not None
        ]
        matches.append(match)
    report(game, games, parts.seconds, luck, np.array(found))
    return matches


def report(game: str, games: int, seconds: dict[str, float], luck: list[float], found: Any) -> None:
    each = {part: spent / games for part, spent in seconds.items()}
    total = sum(each.values())
    print(f"{game}, {games} games of all numbers of players")
    print(f"  a game   {', '.join(f'{part} {spent:.3f}' for part, spent in each.items())} seconds,"
          f" {total:.3f} together; {FULL} games: {FULL * total / HOUR:.1f} core hours")  # fmt: skip
    print(f"  luck     {np.mean(luck):+.4f} ± {np.std(luck) / len(luck) ** 0.5:.4f}")
    for number, name in enumerate(BOTS):
        own = found[found[:, 0] == number]
        if len(own):
            mean, error = own[:, 1].mean(), own[:, 1].std() / len(own) ** 0.5
            print(f"  regret   {mean:.4f} ± {error:.4f} of {len(own)}, place {own[:, 2].mean():.2f}"
                  f"  {name}")  # fmt: skip


def compare(matches: list[Match], wanted: int, care: Care) -> None:
    """The same decisions judged twice."""
    pairs = []
    for match in matches:
        plies = [ply for ply, entry in enumerate(match.log.standing) if entry.actor != CHANCE]
        for ply in plies[:: max(1, len(plies) * len(matches) // wanted)]:
            pairs += judged_twice(match, ply, care)
    cheap, careful = np.array(pairs).T
    gap = cheap - careful
    error = gap.std() / len(gap) ** 0.5
    print(f"  error    {gap.mean():+.4f} ± {error:.4f} on average, {gap.std():.3f} for one decision,"
          f" correlation {np.corrcoef(cheap, careful)[0, 1]:.2f}, {len(gap)} decisions;"
          f" careful mean {careful.mean():.4f}")  # fmt: skip


def judged_twice(match: Match, ply: int, care: Care) -> list[tuple[float, float]]:
    found: tuple[Entry, Position] = next(
        (entry, position) for number, entry, position in match.walk() if number == ply
    )
    entry, position = found
    cheap, careful = (
        regret_of(Judge(position, ply, entry, one, None))[0] for one in (care, CAREFUL)
    )
    return [] if cheap is None or careful is None else [(cheap, careful)]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", choices=lampion.game_names())
    parser.add_argument("--games", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--judged", type=int, default=60)
    parser.add_argument("--look", type=int, default=64)
    parser.add_argument("--weigh", type=int, default=16)
    wanted = parser.parse_args()
    care = Care(look=wanted.look, weigh=wanted.weigh, runs=2, again=0, solve=2_000)
    matches = measure(wanted.game, wanted.games, wanted.seed, care)
    if wanted.judged:
        compare(matches, wanted.judged, care)


if __name__ == "__main__":
    main()
