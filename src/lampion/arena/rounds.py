"""The games of an entry on a leaderboard: how one is played, and all of them side by side."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from lampion.arena.board import Board, BoardHead, Entrant, PlayedGame, Wanted, derived, wanted_games
from lampion.arena.run import STAND_IN, forfeited
from lampion.arena.submissions import bot_of
from lampion.bots.external import BotFailed, ExternalBot
from lampion.bots.levels import BotPlayer, make_player
from lampion.core.fairness import Chance
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.core.types import Action, Player, Rng
from lampion.reviews.ledger import ledger_of
from lampion.reviews.values import PLACE

START_SECONDS = 5.0
"""Processor time that a program may use to start, besides its budget for each decision."""
DIGITS = 6
"""Of luck and time in the file."""


@dataclass(frozen=True)
class Task:
    """A game to be played."""

    head: BoardHead
    entry: int
    wanted: Wanted
    specs: tuple[str, ...]
    """By seat."""
    names: tuple[str, ...]
    seed: bytes
    """Of the deal."""
    dice: tuple[int, ...]
    """The seeds of the bots' own generators."""


class Seat:
    """A bot that plays one game; programs are started again, so that none remembers a deal."""

    def __init__(self, spec: str, dice: int, head: BoardHead) -> None:
        self.player: BotPlayer = bot_of(spec, head)
        self.dice: Rng = new_rng(dice)
        self.head = head
        self.spent, self.decisions, self.failure = 0.0, 0, ""

    def choose(self, match: Match, seat: Player) -> Action:
        seen, legal = match.seen_from(seat), match.legal_ids(seat)
        if not self.failure:
            before = time.process_time()
            try:
                bot, budget = self.player.bot, self.player.budget
                return bot.choose(seen, seat, legal, budget, self.dice)
            except BotFailed as failure:
                self.failure = str(failure)
            finally:
                self.spent += time.process_time() - before
                self.decisions += 1
        stand_in = make_player(STAND_IN)
        return stand_in.bot.choose(seen, seat, legal, stand_in.budget, self.dice)

    def close(self) -> None:
        """End a program, and count what it has used."""
        if not isinstance(self.player.bot, ExternalBot):
            return
        import resource

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.player.bot.close()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        most = (self.head.seconds or 0.0) * self.decisions + START_SECONDS
        if self.spent > most and not self.failure:
            self.failure = f"used {self.spent:.1f} s of processor time; {most:.1f} s are allowed"


def play_task(task: Task) -> PlayedGame:
    """One game, from its record to its luck."""
    seats = [Seat(spec, dice, task.head) for spec, dice in zip(task.specs, task.dice, strict=True)]
    match = Match(
        find_game(task.head.game), task.head.players, task.head.options, names=task.names,
        chance=Chance(task.seed),
    )  # fmt: skip
    try:
        while not match.is_over:
            seat = match.to_act
            match.submit(seats[seat].choose(match, seat), seat)
    finally:
        for one in seats:
            one.close()
    failures = {seat: one.failure for seat, one in enumerate(seats) if one.failure}
    return PlayedGame(
        task.entry, task.wanted.deal, list(task.wanted.seats),
        list(forfeited(match.placements, failures)), match.scores, luck_of(match),
        [round(one.spent, DIGITS) for one in seats], failures, match.to_record(),
    )  # fmt: skip


def luck_of(match: Match) -> list[float]:
    """By seat, in places."""
    return [round(float(luck), DIGITS) for luck in ledger_of(match).luck[:, PLACE]]


def tasks(head: BoardHead, entries: list[Entrant], entry: int, seed: bytes) -> Iterator[Task]:
    """All games of a round, in order."""
    for wanted in wanted_games(head, entry):
        turn = " ".join(map(str, wanted.seats))
        dice = [
            int.from_bytes(derived(seed, "dice", wanted.deal, turn, seat)[:8], "big")
            for seat in range(head.players)
        ]
        sitting = [entries[number] for number in wanted.seats]
        yield Task(
            head, entry, wanted,
            tuple(one.spec for one in sitting), tuple(one.name for one in sitting),
            derived(seed, "deal", wanted.deal), tuple(dice),
        )  # fmt: skip


def play_round(board: Board, workers: int | None = None) -> Iterator[PlayedGame]:
    """Play what is missing in the open round, add it to the board, and reveal the seed. Gives the
    games as they come."""
    going_on = board.open_round
    assert going_on
    done = {Wanted(game.deal, tuple(game.seats)) for game in going_on.games}
    todo = [
        task
        for task in tasks(board.head, board.entries, going_on.entry.number, board.secret())
        if task.wanted not in done
    ]
    for game in _played(todo, workers):
        board.add(game)
        yield game
    board.reveal()


def _played(todo: list[Task], workers: int | None) -> Iterator[PlayedGame]:
    if workers == 1 or len(todo) < 2:
        yield from map(play_task, todo)
        return
    from joblib import Parallel, delayed

    calls = (delayed(play_task)(task) for task in todo)
    yield from Parallel(n_jobs=workers or -1, return_as="generator_unordered")(calls)
