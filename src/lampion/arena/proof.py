"""Is a leaderboard true? Everything in its file is worked out again from the seeds and the records;
games of bots that do the same on every machine are played again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lampion.arena.board import (
    Board,
    BoardHead,
    Commitment,
    PlayedGame,
    Round,
    Wanted,
    wanted_games,
)
from lampion.arena.rounds import Task, luck_of, play_task, tasks
from lampion.arena.run import forfeited
from lampion.arena.submissions import files_of, is_repeatable
from lampion.bots.sources import sources_of
from lampion.core.errors import InvalidRecord
from lampion.core.fairness import commitment
from lampion.core.game import find_game
from lampion.core.replay import match_from_record, verify_fairness

LUCK_TOLERANCE = 1e-4
"""Networks add up in another order on other processors."""


class Checked(NamedTuple):
    """A game that is true as far as its record tells, and why it was not played again (or "")."""

    game: PlayedGame
    not_replayed: str


def verify_board(board: Board, replays: int | None = None) -> Iterator[Checked]:
    """Every game of every round, or `InvalidRecord`. At most `replays` games are played again."""
    if board.head.rules != find_game(board.head.game).RULES_VERSION:
        raise _untrue("the board", f"it was played by version {board.head.rules} of the rules")
    _check_commitments(board)
    left = replays
    for one in board.rounds:
        if one.seed is None:
            continue  # Its games go on, and nothing is claimed yet.
        _check_round(board, one)
        why_not = _why_not_replayed(board, one)
        by_wanted = {task.wanted: task for task in _tasks(board, one)}
        for game in one.games:
            task = by_wanted[_wanted(game)]
            _check_game(board.head, task, game)
            reason = why_not[_wanted(game)] or ("as asked" if left == 0 else "")
            if not reason:
                _play_again(task, game)
                left = None if left is None else left - 1
            yield Checked(game, reason)


def _untrue(where: str, message: str) -> InvalidRecord:
    return InvalidRecord(message, code="untrue-board", where=where)


def _wanted(game: PlayedGame) -> Wanted:
    return Wanted(game.deal, tuple(game.seats))


def _tasks(board: Board, one: Round) -> list[Task]:
    assert one.seed
    number = one.entry.number
    return [*tasks(board.head, board.entries, number, bytes.fromhex(one.seed))]


def _check_commitments(board: Board) -> None:
    for line, before in zip(board.lines, board.hashes, strict=False):
        if isinstance(line, Commitment) and line.before != before:
            raise _untrue(f"commitment {line.number}", "lines before this one have been changed")


def _check_round(board: Board, one: Round) -> None:
    """The seed is the promised one, and every game of the schedule was played once."""
    where = f"entry {one.entry.number} ({one.entry.name})"
    assert one.seed
    if commitment(bytes.fromhex(one.seed)) != one.commitment.commitment:
        raise _untrue(where, "the seed is not the one that was promised")
    found = sorted(map(_wanted, one.games))
    if found != sorted(wanted_games(board.head, one.entry.number)):
        raise _untrue(where, "games are missing, or there are others")


def _check_game(head: BoardHead, task: Task, game: PlayedGame) -> None:
    """The record is that of the game, and the line says what it says."""
    where = f"entry {game.entry}, deal {game.deal}, seats {game.seats}"
    record = game.record
    match = match_from_record(record)
    verify_fairness(record, match)
    played = (
        record.game, record.players, dict(match.options), tuple(record.names),
        record.fairness and record.fairness.seed,
    )  # fmt: skip
    agreed = (head.game, head.players, dict(head.options), task.names, task.seed.hex())
    if played != agreed or record.continued or not match.is_over:
        raise _untrue(where, "the record is not that of this game, table or deal")
    places = list(forfeited(match.placements, game.failures))
    if (game.places, game.scores) != (places, match.scores):
        raise _untrue(where, f"the record gives the places {places} and the scores {match.scores}")
    told, found = game.luck, luck_of(match)
    if len(told) != len(found) or any(
        abs(one - other) > LUCK_TOLERANCE for one, other in zip(told, found, strict=True)
    ):
        raise _untrue(where, f"the record gives the luck {found}")
    if len(game.spent) != head.players or not set(game.failures) <= set(range(head.players)):
        raise _untrue(where, "there are other seats than players")


def _why_not_replayed(board: Board, one: Round) -> dict[Wanted, str]:
    """For each game of a round."""
    sources, reasons = sources_of(board.head.game), dict[int, str]()
    for entry in board.entries:
        if not is_repeatable(entry.spec, board.head):
            reasons[entry.number] = f"{entry.name} does not do the same again"
        elif entry.sources != sources:
            reasons[entry.number] = f"{entry.name} played with other sources"
        elif files_of(entry.spec) != entry.files:
            reasons[entry.number] = f"the files of {entry.name} are not here"
    return {
        wanted: next((reasons[seat] for seat in wanted.seats if seat in reasons), "")
        for wanted in wanted_games(board.head, one.entry.number)
    }


def _play_again(task: Task, game: PlayedGame) -> None:
    again = play_task(task)
    if again.record.log != game.record.log or again.failures != game.failures:
        where = f"entry {game.entry}, deal {game.deal}, seats {game.seats}"
        raise _untrue(where, "the bots do not play like this")
