"""The open data set: games between graded bots into a folder of Parquet files, each with its review.

The folder is one that `lampion.research.load_games` reads (see `research.shards`), and each row has
the columns of `research.files` and these:

column        type                  meaning
bots          list<int8>            the bot in each seat, as its number in the manifest
luck          list<list<float>>     outcomes of chance: what each gave every seat
change        list<list<float>>     decisions: what each changed for every seat, all hands face up
ledger        list<list<double>>    seats: start, deal, draws, own, others, remainder, result
ledger_points list<list<double>>    the same in points
regret        list<float>           decisions: what each cost, from what its seat knew; null if forced
regret_error  list<float>           its standard error; 0 if solved, null if the search played the same

`luck`, `change` and `ledger` are shares of the other players left behind, 0 to 1 (`reviews.ledger`);
`start + deal + draws + own + others + remainder = result` in every row, to within `TOLERANCE`.

Regret is a cheap form of `reviews.judging`: a short search finds an action, and if another was
played, both are searched alone with other random numbers. The regret is the mean difference. It may
fall below zero: cutting that off would make every mean too high. docs/dataset.md says how far it is
from a careful judgment.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lampion.bots.levels import make_player
from lampion.bots.sources import sources_of
from lampion.core.errors import InvalidOptions
from lampion.core.gamelog import GameRecord
from lampion.core.match import Match
from lampion.core.replay import match_from_record
from lampion.core.rng import new_rng, random_below
from lampion.core.types import CHANCE
from lampion.research.files import Column, row_of, write_rows
from lampion.research.selfplay import SelfPlay
from lampion.research.shards import Manifest, ShardFile, Shards
from lampion.reviews.judging import Care, Judge
from lampion.reviews.ledger import Ledger, Table, ledger_of
from lampion.reviews.values import PLACE, POINTS

BOTS = (
    "human:glance=0.35,forget=0.12,promise=0.5,gifts=0,doubt=2",
    "human:glance=0.6,forget=0.05,promise=0.8,gifts=0.2,doubt=1",
    "human:glance=0.9,gifts=0.5,doubt=0.3",
    "greedy",
    "search:50,net=0",
    "search:200",
)
"""From the weakest to the strongest, all with fixed settings and budgets. Levels have names for
these, but what a name means may change."""
SKETCH = Care(look=64, weigh=16, runs=2, again=0, solve=2_000)
"""A judgment that costs about as much as the game."""
TOLERANCE = 1e-9
MOST_BOTS = 127
GAMES_PER_FILE, LEAST_FILES = 250, 32
"""A file is what one process writes, and what an interrupted run loses."""
_SEATS = 0x5EA7_5EA7
"""Keeps the seating apart from the dice of bots, which start from the same numbers."""

Estimate = tuple[float | None, float | None]
"""A regret and its standard error."""


@dataclass(frozen=True)
class Graded(SelfPlay):
    """Self-play whose bots are drawn for every seat, so that every line-up is as likely as any."""

    def seating(self, number: int) -> tuple[int, ...]:
        rng = new_rng(1_000_003 * (self.seed + number) ^ _SEATS)
        return tuple(int(random_below(rng, len(self.bots))) for _ in range(self.players))


@dataclass(frozen=True)
class DataSet(Shards):
    """A run of graded games, and the files that it is cut into."""

    counts: tuple[int, ...] = (2,)
    """The numbers of players, which the games take in turn."""
    care: Care = SKETCH

    def check(self) -> None:
        """Refuse bad input before anything is played."""
        if len(set(self.counts)) != len(self.counts):
            raise _refused("a number of players is given twice", "--players")
        if len(self.work.bots) > MOST_BOTS:
            raise _refused(f"at most {MOST_BOTS} bots", "--bots")
        if self.count > self.games:
            raise _refused("there are more files than games", "--shards")
        for number in range(len(self.counts)):
            self.table(number).check()
        for name in self.work.bots:
            if make_player(name, self.work.game).budget.seconds is not None:
                message = f"{name} thinks for seconds, so the same run would give other games"
                raise _refused(f"{message}; give it a number of iterations", "--bots")

    def games_left(self) -> int:
        """How many games are in the files that are missing."""
        return sum(last - first for first, last in map(self.bounds, self.missing()))

    def table(self, number: int) -> SelfPlay:
        """What is played in that game."""
        players = self.counts[number % len(self.counts)]
        return dataclasses.replace(self.work, players=players)

    def write_games(self, path: Path, numbers: range) -> None:
        write_rows(path, map(self.row, numbers), columns())

    def row(self, number: int) -> dict[str, Any]:
        table = self.table(number)
        record = table.play(number)
        return {"bots": table.seating(number), **row_of(record), **reviewed(record, self.care)}

    def manifest(self, files: list[ShardFile]) -> Manifest:
        manifest = super().manifest(files)
        manifest.players, manifest.care = list(self.counts), dataclasses.asdict(self.care)
        manifest.sources = sources_of(self.work.game, "research", "reviews")
        return manifest


def _refused(message: str, where: str) -> InvalidOptions:
    return InvalidOptions(message, code="bad-option", where=where)


def num_files(games: int) -> int:
    """How many files a run is cut into, unless the caller says so."""
    return max(math.ceil(games / GAMES_PER_FILE), min(games, LEAST_FILES))


def columns() -> list[Column]:
    """What a row has beside the columns of self-play."""
    import pyarrow as pa

    by_seat, ledger = pa.list_(pa.list_(pa.float32())), pa.list_(pa.list_(pa.float64()))
    by_decision = pa.list_(pa.float32())
    return [
        ("bots", pa.list_(pa.int8())), ("luck", by_seat), ("change", by_seat), ("ledger", ledger),
        ("ledger_points", ledger), ("regret", by_decision), ("regret_error", by_decision),
    ]  # fmt: skip


def reviewed(record: GameRecord, care: Care = SKETCH) -> dict[str, Any]:
    """The columns of a finished game that say how it is judged."""
    match = match_from_record(record)
    ledger = ledger_of(match)
    rows = [rows_of(ledger, unit) for unit in (PLACE, POINTS)]
    steps = [(step.is_chance, step.change[:, PLACE].tolist()) for step in ledger.steps]
    estimates = list(regrets(match, care))
    return {
        "luck": [change for is_chance, change in steps if is_chance],
        "change": [change for is_chance, change in steps if not is_chance],
        "ledger": rows[0].tolist(),
        "ledger_points": rows[1].tolist(),
        "regret": [regret for regret, _ in estimates],
        "regret_error": [error for _, error in estimates],
    }


def rows_of(ledger: Ledger, unit: int) -> Table:
    """For every seat: start, the parts of the ledger, result."""
    first, last = ledger.start[:, None, unit], ledger.result[:, None, unit]
    rows = np.concatenate([first, ledger.parts[:, :, unit], last], axis=1)
    off = float(np.abs(rows[:, :-1].sum(axis=1) - rows[:, -1]).max())
    assert off < TOLERANCE, f"the ledger of a game is off by {off}"
    return rows


def regrets(match: Match, care: Care) -> Iterator[Estimate]:
    """What each decision cost, in the order of the log."""
    for ply, entry, position in match.walk():
        if entry.actor != CHANCE:
            yield regret_of(Judge(position, ply, entry, care, None))


def regret_of(judge: Judge) -> Estimate:
    if len(judge.legal) == 1:
        return None, None
    values = judge.solved()
    if values is not None:
        return float(values.max() - values[judge.legal == judge.action][0]), 0.0
    best = judge.think(judge.legal, judge.care.look, 0).moves[0].action
    if best == judge.action:
        return 0.0, None
    gaps = judge.gaps(best, judge.care.weigh, judge.care.runs, first=1)
    return float(gaps.mean()), float(gaps.std(ddof=1)) / len(gaps) ** 0.5
