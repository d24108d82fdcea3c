"""Self-play: bots play game after game, on all cores or wherever joblib's current backend runs; the result is a stream of records.

Game number k has the deal `seed + k`, and the bots move one seat on from game to game. So the games of a run follow from its
settings alone, whatever the number of workers, and a run that was broken off can be gone on with.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from lampion.arena.run import Contest, play_game
from lampion.bots.levels import make_player
from lampion.core.errors import InvalidOptions
from lampion.core.fairness import seed_from_number
from lampion.core.game import find_game
from lampion.core.gamelog import MAX_NAME, GameRecord
from lampion.core.match import Match

GAMES_PER_TASK = 8
"""What one worker plays before it reports."""


@dataclass(frozen=True)
class SelfPlay:
    """What is played."""

    game: str
    players: int
    bots: tuple[str, ...]
    seed: int = 0
    options: dict[str, str] = field(default_factory=dict)

    def check(self) -> None:
        """Refuse bad input before anything is played."""
        if not self.bots:
            raise InvalidOptions("self-play needs a bot", code="too-few-bots", where="--bots")
        for name in self.bots:
            make_player(name)
        Match(find_game(self.game), self.players, self.options)

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
        contest = Contest(self.game, self.players, self.bots, self.options)
        record = play_game(contest, self.seed + number, self.seating(number), {}).to_record()
        record.names = self.names(number)
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
