"""Self-play: bots play game after game, on all cores or wherever joblib's current backend runs; the result is a stream of records.

Game number k has the deal `seed + k`, and the bots move one seat on from game to game. So the games of a run follow from its
settings alone, whatever the number of workers, and a run that was broken off can be resumed. Every record has what the bots found
out before each decision (`core.gamelog.Findings`). All of it follows from the settings and the version of Lampion, with two
exceptions: bots whose budget is in seconds, and the processor time that is noted if `times` says so.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import msgspec

from lampion.bots.levels import BotPlayer, level_bot, make_player
from lampion.bots.sources import sources_of
from lampion.core.errors import InvalidOptions
from lampion.core.fairness import Chance, seed_from_number
from lampion.core.game import find_game
from lampion.core.gamelog import MAX_NAME, GameRecord
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.research.thinking import decide

RUN_SUFFIX = ".run.json"
"""Beside a file of games: the run that plays them."""
GAMES_PER_TASK = 8
"""What one worker plays before it reports."""


@functools.cache
def _player(name: str, game: str) -> BotPlayer:
    """Bots keep nothing between calls, so one of each per process is enough."""
    return make_player(name, game)


@dataclass(frozen=True)
class SelfPlay:
    """What is played."""

    game: str
    players: int
    bots: tuple[str, ...]
    seed: int = 0
    options: dict[str, str] = field(default_factory=dict)
    times: bool = True
    """Whether the processor time of each decision is noted, which is never the same twice."""

    def check(self) -> None:
        """Refuse bad input before anything is played."""
        if not self.bots:
            raise InvalidOptions("self-play needs a bot", code="too-few-bots", where="--bots")
        for name in self.bots:
            make_player(name, self.game)
        Match(find_game(self.game), self.players, self.options)

    @property
    def specs(self) -> tuple[str, ...]:
        """The bots behind the names, in this game."""
        return tuple(level_bot(name, self.game) for name in self.bots)

    def seating(self, number: int) -> tuple[int, ...]:
        """The bot in each seat, as its number in the list."""
        return tuple((seat + number) % len(self.bots) for seat in range(self.players))

    def names(self, number: int) -> list[str]:
        return [self.bots[bot][:MAX_NAME] for bot in self.seating(number)]

    def is_game(self, number: int, record: GameRecord) -> bool:
        """Whether a record is that of this run with that number."""
        seed = seed_from_number(self.seed + number).hex()
        told = (
            record.game,
            record.players,
            record.options,
            record.names,
            record.fairness and record.fairness.seed,
        )
        return told == (self.game, self.players, self.options, self.names(number), seed)

    def play(self, number: int) -> GameRecord:
        """One game; the draws follow from the deal, the bots' own dice from deal and seat."""
        deal = self.seed + number
        chance = Chance(seed_from_number(deal))
        match = Match(find_game(self.game), self.players, self.options, chance=chance)
        players = [_player(self.bots[bot], self.game) for bot in self.seating(number)]
        dice = [new_rng(1_000_003 * deal + seat) for seat in range(self.players)]
        decisions = []
        while not match.is_over:
            seat = match.to_act
            action, decision = decide(match, players[seat], dice[seat], times=self.times)
            match.submit(action, seat)
            decisions.append(decision)
        record = match.to_record()
        record.names, record.decisions = self.names(number), decisions
        return record

    def play_range(self, first: int, last: int) -> list[GameRecord]:
        return [self.play(number) for number in range(first, last)]

    def run(self, first: int, last: int, workers: int | None = None) -> Iterator[GameRecord]:
        """The games `first ... last - 1`, in order."""
        workers = workers or os.cpu_count() or 1
        tasks = [
            (start, min(start + GAMES_PER_TASK, last))
            for start in range(first, last, GAMES_PER_TASK)
        ]
        if workers == 1:
            for start, end in tasks:
                yield from self.play_range(start, end)
            return
        from joblib import Parallel, delayed

        for records in Parallel(n_jobs=workers, return_as="generator")(
            delayed(self.play_range)(*task) for task in tasks
        ):
            yield from records


class Run(msgspec.Struct, frozen=True):
    """What the games of a file follow from, as a shard's manifest has it."""

    lampion: str
    rules: int
    game: str
    players: int
    options: dict[str, str]
    bots: list[str]
    specs: list[str]
    """The bots behind the names in this game."""
    seed: int
    times: bool
    sources: str

    @classmethod
    def of(cls, work: SelfPlay) -> Run:
        return cls(
            version("lampion"), find_game(work.game).RULES_VERSION, work.game, work.players,
            work.options, list(work.bots), list(work.specs), work.seed, work.times,
            sources_of(work.game, "research"),
        )  # fmt: skip

    def check(self, games: Path) -> None:
        """Refuse a file whose games are those of another run, or of one that nothing is known of."""
        path = run_path(games)
        try:
            before = msgspec.json.decode(path.read_bytes(), type=Run) if path.exists() else None
        except msgspec.DecodeError as problem:
            message = f"does not say what was played: {problem}"
            raise InvalidOptions(message, code="other-run", where=str(path)) from None
        differing = [
            name
            for name in self.__struct_fields__
            if getattr(before, name, None) != getattr(self, name)
        ]
        if differing:
            what = f"other {', '.join(differing)}" if before else f"there is no {path.name}"
            message = f"this file holds the games of another run, or of another version: {what}"
            raise InvalidOptions(message, code="other-run", where=str(games))

    def write(self, games: Path) -> None:
        text = msgspec.json.format(msgspec.json.encode(self), indent=2)
        unfinished = games.with_name(f".{run_path(games).name}")
        unfinished.write_bytes(text + b"\n")
        os.replace(unfinished, run_path(games))


def run_path(games: Path) -> Path:
    return games.with_name(games.name + RUN_SUFFIX)
