"""How fast files of games become arrays on one core: `python -m benchmarks.readers [--games-played N] [GAME ...]`.

Plays some games between searching bots into a Parquet file, reads it a few times, and prints decisions per second of processor
time, all threads counted, from opening the file to observations, masks, actions, outcomes and what the searches found. The best
round counts: what else the machine does can only make a round slower.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from lampion.core.game import find_game
from lampion.core.names import own_game_names
from lampion.research.files import write_games
from lampion.research.selfplay import SelfPlay
from lampion.research.tensors import read_decisions
from lampion.terminal import show, table

ROUNDS = 5
BOTS = ("search:20", "greedy")


def decisions_per_second(path: Path) -> tuple[int, float]:
    before, count = time.process_time(), 0
    for decisions in read_decisions(path):
        count += len(decisions)
    return count, count / (time.process_time() - before)


def measure(game: str, games: int, folder: Path) -> tuple[str, ...]:
    players = find_game(game).NUM_PLAYERS[0]
    run = SelfPlay(game, players, BOTS)
    path = folder / f"{game}.parquet"
    write_games(path, (run.play(number) for number in range(games)))
    rounds = [decisions_per_second(path) for _ in range(ROUNDS)]
    count, best = rounds[0][0], max(rate for _, rate in rounds)
    size = path.stat().st_size / count
    return game, str(games), f"{count:,}", f"{size:,.0f}", f"{best:,.0f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(own_game_names()))
    parser.add_argument("--games-played", type=int, default=300)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(game, wanted.games_played, Path(folder)) for game in wanted.games]
    heads = ("game", "games", "decisions", "bytes each", "decisions read a second")
    show(table(heads, rows))


if __name__ == "__main__":
    main()
