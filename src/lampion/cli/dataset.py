"""`lampion dataset`: the open data set, games of graded bots with luck and regret."""

from __future__ import annotations

from pathlib import Path

import click

from lampion.cli.arena import running_on
from lampion.cli.common import game_argument, parse_options
from lampion.core.game import find_game
from lampion.core.native.library import make_ready
from lampion.reviews.dataset import BOTS, GAMES_PER_FILE, LEAST_FILES, DataSet, Graded, num_files
from lampion.terminal import note, progress


@click.command()
@game_argument
@click.option(
    "--games", "-n", type=click.IntRange(1), default=1000, show_default=True, help="How many games."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="The folder; resume from it if it holds an earlier part of the same run.",
)
@click.option(
    "--players",
    "-p",
    "counts",
    type=int,
    multiple=True,
    help="A number of players; repeat it [default: all that the game takes].",
)
@click.option(
    "--bots",
    "-b",
    "bots",
    multiple=True,
    metavar="BOT",
    help="A bot; repeat it [default: six from the weakest to the strongest].",
)
@click.option(
    "--option",
    "-o",
    "options",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option or variant of the game, as `lampion games` lists them; may be repeated.",
)
@click.option("--seed", "-s", type=int, default=0, show_default=True, help="The first deal.")
@click.option(
    "--shards",
    type=click.IntRange(1, 99_999),
    default=None,
    help=f"How many files [default: one for {GAMES_PER_FILE} games, and at least {LEAST_FILES}].",
)
@click.option(
    "--jobs", "-j", type=click.IntRange(1), default=None, help="Processes [default: one per core]."
)
@click.option(
    "--backend",
    type=click.Choice(["loky", "dask", "ray"]),
    default="loky",
    show_default=True,
    help="Where to run.",
)
@click.option("--address", default=None, help="The scheduler of an existing Dask or Ray cluster.")
def dataset(
    game: str, games: int, out: Path, counts: tuple[int, ...], bots: tuple[str, ...],
    options: tuple[str, ...], seed: int, shards: int | None, jobs: int | None, backend: str,
    address: str | None,
) -> None:  # fmt: skip
    """Write games of graded bots into a folder of Parquet files, with luck and regret.

    Bots are drawn for every seat, and the games take the numbers of players in turn. Beside what
    the bots found, every row has the luck of each outcome of chance, what each decision changed and
    what it cost. The same command with the same version writes the same bytes; manifest.json has
    the hash of every file. An interrupted run resumes with the files that are missing.
    docs/dataset.md describes the columns; `lampion.research.load_games(FOLDER)` reads them.

    \b
    Examples:
      lampion dataset {game} --games 1000 --out games
      lampion dataset {game} --games 100000 --out games --jobs 8
      lampion dataset {game} --players 2 --bots greedy --bots search:100 --out duels
      lampion verify games
    """
    rules = find_game(game)
    numbers = counts or tuple(rules.NUM_PLAYERS)
    work = Graded(game, numbers[0], bots or BOTS, seed, parse_options(options), times=False)
    run = DataSet(work, games, shards or num_files(games), out.absolute(), numbers)
    run.check()
    make_ready(rules.State.dtype, for_study=True)
    left = run.games_left()
    with running_on(backend, address), progress("Playing", left) as advance:
        for played in run.run(jobs):
            advance(played)
    note(f"{games} games are in {out}; {games - left} were there before.")
