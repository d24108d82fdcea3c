"""`lampion selfplay`: games between bots as data."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from lampion.bots.knowledge import what_would_help
from lampion.cli.arena import running_on
from lampion.cli.common import (
    default_players,
    game_argument,
    match_options,
    parse_options,
)
from lampion.core.errors import InvalidOptions
from lampion.core.game import find_game
from lampion.core.gamelog import GameRecord, write_record
from lampion.core.native.library import make_ready
from lampion.research.files import PARQUET, read_finished_lines, read_games, write_games
from lampion.research.selfplay import Run, SelfPlay
from lampion.research.shards import Shards
from lampion.terminal import note, progress


@click.command()
@game_argument
@match_options
@click.option(
    "--bots",
    "-b",
    "bots",
    multiple=True,
    metavar="BOT",
    help="A bot, such as greedy or search:500; repeat it.",
)
@click.argument("more_bots", nargs=-1, metavar="[BOT]...")
@click.option(
    "--games", "-n", type=click.IntRange(1), default=100, show_default=True, help="How many games."
)
@click.option(
    "--seed",
    "-s",
    type=int,
    default=0,
    show_default=True,
    help="The first deal; the same seed gives the same games.",
)
@click.option(
    "--jobs", "-j", type=click.IntRange(1), default=None, help="Processes [default: one per core]."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="A .parquet or .jsonl file, or a folder with --shards; resume from it if it exists.",
)
@click.option(
    "--shards",
    type=click.IntRange(1, 99_999),
    default=None,
    help="Split the output into this many Parquet files in a folder, each written by the worker that played its games.",
)
@click.option(
    "--times/--no-times",
    default=True,
    show_default=True,
    help="Note the processor time of each decision; without it, the same run gives the same bytes.",
)
@click.option(
    "--backend",
    type=click.Choice(["loky", "dask", "ray"]),
    default="loky",
    show_default=True,
    help="Where to run.",
)
@click.option("--address", default=None, help="The scheduler of an existing Dask or Ray cluster.")
def selfplay(
    game: str, players: int | None, options: tuple[str, ...], components: str | None, bots: tuple[str, ...], more_bots: tuple[str, ...],
    games: int, seed: int, jobs: int | None, out: Path, shards: int | None, times: bool, backend: str, address: str | None,
) -> None:  # fmt: skip
    """Let bots play and keep the games, as rows of a Parquet file or as lines of JSON.

    The bots rotate seats after every game. An interrupted run resumes where it stopped; so does one that is asked for
    more games. Every game has what its bots found out before each decision: visits, values and priors of all legal actions, budget
    and processor time. `lampion.research.tensors` turns such files into arrays.

    \b
    Examples:
      lampion selfplay {game} --players 2 --bots greedy search:100 --games 10000 --out games.parquet
      lampion selfplay {game} --bots planner --games 500 --out games.jsonl
      lampion selfplay {game} --bots search:200 --games 100000 --shards 100 --out games --no-times
    """
    if components:
        raise InvalidOptions(
            "self-play uses the published pieces", code="bad-option", where="--components"
        )
    rules = find_game(game)
    work = SelfPlay(
        game,
        default_players(rules, players),
        (*bots, *more_bots),
        seed,
        parse_options(options),
        times,
    )
    work.check()
    make_ready(rules.State.dtype, for_study=True)
    if missing := what_would_help(rules):
        note(f"{missing}.")
    with running_on(backend, address):
        if shards is None:
            _write_file(work, out, games, jobs)
        else:
            _write_folder(Shards(work, games, shards, out.absolute()), jobs)


def _write_folder(shards: Shards, jobs: int | None) -> None:
    """Files that are there are kept; the rest is played."""
    left = sum(last - first for first, last in map(shards.bounds, shards.missing()))
    with progress("Playing", left) as advance:
        for played in shards.run(jobs):
            advance(played)
    note(f"{shards.games} games are in {shards.folder}.")


def _write_file(work: SelfPlay, out: Path, games: int, jobs: int | None) -> None:
    if out.suffix not in (PARQUET, ".jsonl"):
        raise InvalidOptions(
            f"{out} is neither a .parquet nor a .jsonl file; --shards writes into a folder",
            code="bad-option",
            where="--out",
        )
    lines = out.with_name(f"{out.name}.part.jsonl") if out.suffix == PARQUET else out
    done = _done_before(work, out, lines)
    _play(work, lines, done, games, jobs)
    if lines != out:
        write_games(out, read_games(lines))
        lines.unlink()
    note(f"{max(games, len(done))} games are in {out}.")


def _done_before(work: SelfPlay, out: Path, lines: Path) -> list[GameRecord]:
    """The games that an earlier run has played, and `lines` with exactly these in it."""
    unfinished = read_finished_lines(lines)
    finished = list(read_games(out)) if lines != out and out.exists() else []
    done = max(unfinished, finished, key=len)
    run = Run.of(work)
    if done:
        run.check(out)
    run.write(out)
    for number, record in enumerate(done):
        if not work.is_game(number, record):
            raise InvalidOptions(
                "this file holds the games of another run",
                code="other-run",
                where=f"{out}, game {number}",
            )
    if done or lines.exists():
        write_games(lines, done)
    return done


def _play(
    work: SelfPlay, lines: Path, done: list[GameRecord], games: int, jobs: int | None
) -> None:
    left = max(0, games - len(done))
    with progress("Playing", left) as advance, lines.open("a", encoding="utf-8") as file:
        records: Iterator[GameRecord] = work.run(len(done), games, jobs)
        for record in records:
            file.write(f"{write_record(record)}\n")
            file.flush()
            advance(1)
