"""`lampion leaderboard`: a file of games that ranks bots and can be checked by anybody."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from lampion.arena.board import FORMAT, Board, BoardHead, wanted_games
from lampion.arena.page import board_page
from lampion.arena.proof import verify_board
from lampion.arena.rounds import play_round
from lampion.arena.standings import standings
from lampion.cli.common import (
    default_players,
    game_argument,
    match_options,
    output,
    parse_options,
)
from lampion.core.errors import InvalidOptions
from lampion.core.game import find_game
from lampion.core.native.library import make_ready
from lampion.terminal import note, progress, show, table

board_argument = click.argument(
    "file", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path)
)


@click.group()
def leaderboard() -> None:
    """Rank bots in a file that anybody can check.

    \b
    Examples:
      lampion leaderboard new board.jsonl {game} --players 2 --iterations 200
      lampion leaderboard add board.jsonl greedy
      lampion leaderboard add board.jsonl search --name "the search"
      lampion leaderboard verify board.jsonl
      lampion leaderboard page board.jsonl --out board.md
    """


@leaderboard.command()
@board_argument
@game_argument
@match_options
@click.option(
    "--deals",
    "-n",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    help="Deals for each entry.",
)
@click.option(
    "--iterations",
    type=click.IntRange(1),
    default=None,
    help="Budget of a decision: tries of a search.",
)
@click.option(
    "--seconds", type=click.FloatRange(0.001), default=None, help="Or seconds of processor time."
)
def new(
    file: Path, game: str, players: int | None, options: tuple[str, ...], components: str | None,
    deals: int, iterations: int | None, seconds: float | None,
) -> None:  # fmt: skip
    """Begin a leaderboard, and commit to the seed of its first entry.

    The seed lies in FILE.secret until the games of that entry are played. Publish FILE before you know the entry: then you
    cannot have chosen the deals for it. Programs can be entered only where the budget is in seconds.
    """
    if components:
        message = "leaderboards are played with the published pieces"
        raise InvalidOptions(message, code="bad-option", where="--components")
    rules = find_game(game)
    head = BoardHead(
        FORMAT, game, rules.RULES_VERSION, default_players(rules, players), parse_options(options),
        deals, iterations, seconds,
    )  # fmt: skip
    board = Board.create(file, head)
    assert board.waiting
    note(f"{file}: the seed of the first entry has the hash {board.waiting.commitment}.")


@leaderboard.command()
@board_argument
@click.argument("bot", metavar="BOT")
@click.option("--name", default=None, help="What the entry is called [default: the bot].")
@click.option(
    "--jobs", "-j", type=click.IntRange(1), default=None, help="Processes [default: one per core]."
)
def add(file: Path, bot: str, name: str | None, jobs: int | None) -> None:
    """Enter a bot: it plays every earlier entry, then the seed is revealed.

    A command that was interrupted continues when you type it again.

    \b
    Bots:
      random · greedy · net · human:... · search (with the board's budget) · search,exploration=0.3
      checkpoint:weights.npy (a network of yours) · exec:./mybot (a program)
    """
    board = Board(file)
    make_ready(find_game(board.head.game).State.dtype)
    entered = board.admit(name or bot, bot)
    total = sum(1 for _ in wanted_games(board.head, entered.entry.number))
    failures = Counter[str]()
    with progress("Playing games", total - len(entered.games)) as advance:
        for game in play_round(board, jobs):
            failures.update(game.failures.values())
            advance(1)
    for failure, count in failures.most_common(3):
        note(f"{count} games were lost because a bot failed: {failure}")
    assert board.waiting
    note(
        f"{entered.entry.name}: {total} games. The seed of the next entry has the hash {board.waiting.commitment}."
    )


@leaderboard.command()
@board_argument
@click.option(
    "--replays",
    type=click.IntRange(0),
    default=None,
    help="Play at most so many games again [default: all].",
)
def verify(file: Path, replays: int | None) -> None:
    """Check every seed, deal, record, place and luck, play the games again, and rate the entries.

    Games are played again where all bots do the same on every machine: those that do not search, and the search with a budget of
    iterations, if the sources and files of today are those of the entry. The first thing that is not true ends the command
    with exit code 1.
    """
    board, reasons, count = Board(file), Counter[str](), 0
    make_ready(find_game(board.head.game).State.dtype)
    for checked in verify_board(board, replays):
        reasons[checked.not_replayed] += 1
        count += 1
    rows = [
        (row.name, f"{row.elo.elo:+.0f}", f"{row.adjusted.elo:+.0f}", f"{row.adjusted.low:+.0f} … {row.adjusted.high:+.0f}")
        for row in standings(board.rounds)
    ]  # fmt: skip
    if rows:
        show(table(("entry", "Elo", "without luck", "95 %"), rows))
    again = reasons.pop("", 0)
    note(
        f"{len(board.entries)} entries, {count} games: all true, {again} played again with the same moves."
    )
    for reason, games in reasons.most_common():
        note(f"{games} games were not played again: {reason}.")


@leaderboard.command()
@board_argument
@click.option("--out", type=click.Path(dir_okay=False), default=None, help="Write into this file.")
def page(file: Path, out: str | None) -> None:
    """Print the standings as Markdown."""
    with output(out) as target:
        target.write(board_page(Board(file)))
