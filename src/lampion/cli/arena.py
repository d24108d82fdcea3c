"""`lampion arena`: bots against each other."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

import click

from lampion.arena.ratings import deal_scores, ratings
from lampion.arena.report import plot, ratings_table
from lampion.arena.run import Contest, JobResult, ResultFile, run
from lampion.arena.schedule import line_ups, neighbors
from lampion.arena.sequential import Verdict, sequential_test
from lampion.bots.knowledge import what_would_help
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
from lampion.terminal import note, progress, show


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
    "--games",
    "-n",
    type=click.IntRange(1),
    default=200,
    show_default=True,
    help="Stop after this many games.",
)
@click.option("--seed", "-s", type=int, default=0, show_default=True, help="The first deal.")
@click.option(
    "--jobs", "-j", type=click.IntRange(1), default=None, help="Processes [default: one per core]."
)
@click.option(
    "--stop-at",
    type=click.FloatRange(1, 1000),
    default=None,
    metavar="ELO",
    help="Two bots: stop once it is clear whether the first is ELO stronger.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    default=None,
    help="Keep the results in this file; resume from it if it exists.",
)
@click.option(
    "--ladder",
    "is_ladder",
    is_flag=True,
    help="Bots in order of strength: only adjacent bots play each other.",
)
@click.option(
    "--plot",
    "picture",
    type=click.Path(dir_okay=False),
    default=None,
    help="Draw the ratings into this SVG file.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--backend",
    type=click.Choice(["loky", "dask", "ray"]),
    default="loky",
    show_default=True,
    help="Where to run.",
)
@click.option("--address", default=None, help="The scheduler of an existing Dask or Ray cluster.")
def arena(
    game: str, players: int | None, options: tuple[str, ...], components: str | None, bots: tuple[str, ...],
    more_bots: tuple[str, ...],
    games: int, seed: int, jobs: int | None, stop_at: float | None, out: str | None, is_ladder: bool, picture: str | None,
    as_json: bool, backend: str, address: str | None,
) -> None:  # fmt: skip
    """Let bots play each other and rate them.

    Every deal is played in all seat permutations. Ratings are Elo (Bradley-Terry on placements) with 95 % intervals by resampling
    deals; their mean is 0.

    \b
    Bots:
      random · greedy · net · search:500 (iterations) · search:0.2s (seconds) · exec:./mybot

    \b
    Examples:
      lampion arena {game} greedy random --players 2 --games 100
      lampion arena {game} search:0.2s greedy --players 2 --stop-at 50 --out duel.jsonl
    """
    if components:
        raise InvalidOptions(
            "the arena plays with the published pieces", code="bad-option", where="--components"
        )
    rules = find_game(game)
    contest = Contest(
        game,
        default_players(rules, players),
        (*bots, *more_bots),
        parse_options(options),
        seed,
        is_ladder,
    )
    contest.check()
    make_ready(rules.State.dtype)
    if missing := what_would_help(rules):
        note(f"{missing}.")
    file = ResultFile(Path(out), contest) if out else None
    with running_on(backend, address):
        results, verdict = _play(contest, games, jobs, stop_at, file)
    _report(contest, results, verdict, as_json, picture)


@contextmanager
def running_on(name: str, address: str | None) -> Iterator[None]:
    """joblib's local processes, or an existing cluster, to which the connection is closed afterwards."""
    from joblib import parallel_config

    if name == "loky":
        yield
    elif name == "dask":
        from dask.distributed import Client

        with Client(address) as client, parallel_config(backend="dask"):
            note(f"Dask: {client.dashboard_link}")
            yield
    else:
        import ray
        from ray.util.joblib import register_ray

        register_ray()
        with ray.init(address=address), parallel_config(backend="ray"):
            yield


def _num_jobs(contest: Contest, games: int) -> int:
    """So many deals give about so many games, and every line-up at least one."""
    choose = neighbors if contest.is_ladder else line_ups
    all_line_ups = choose(len(contest.bots), contest.players)
    per_job = [len(job.seatings) for job in islice(contest.jobs(), len(all_line_ups))]
    return max(len(per_job), math.ceil(games / (sum(per_job) / len(per_job))))


def _play(
    contest: Contest, games: int, workers: int | None, stop_at: float | None, file: ResultFile | None
) -> tuple[list[JobResult], Verdict | None]:  # fmt: skip
    total = _num_jobs(contest, games)
    results = list(file.results) if file else []
    verdict = None
    with progress("Playing deals", max(0, total - len(results))) as advance:
        for result in run(contest, total, workers=workers, skip={one.number for one in results}):
            results.append(result)
            if file:
                file.add(result)
            advance(1)
            if stop_at and len(contest.bots) == 2:
                verdict = sequential_test(deal_scores([one.games for one in results]), 0.0, stop_at)
                if verdict.is_stronger is not None:
                    break
    return sorted(results, key=lambda one: one.number), verdict


def _report(
    contest: Contest,
    results: list[JobResult],
    verdict: Verdict | None,
    as_json: bool,
    picture: str | None,
) -> None:
    names = list(contest.bots)
    found = ratings([result.games for result in results], names)
    title = f"{find_game(contest.game).TITLE}, {contest.players} players, {sum(len(result.games) for result in results)} games"
    if picture:
        with output(picture) as file:
            file.write(plot(found, title))
    failures = [failure for result in results for failure in result.failures]
    if failures:
        note(f"{len(failures)} games were lost because a bot failed, the first by {failures[0]}")
    if as_json:
        about = {
            "game": contest.game,
            "players": contest.players,
            "deals": len(results),
            "games": sum(len(r.games) for r in results),
        }
        stronger = None if verdict is None else verdict.is_stronger
        click.echo(
            json.dumps(
                {
                    **about,
                    "ratings": [rating._asdict() for rating in found],
                    "first_is_stronger": stronger,
                }
            )
        )
        return
    note(title)
    show(ratings_table(found, results, names))
    if verdict:
        said = {
            True: "the first bot is stronger",
            False: "the first bot is not stronger",
            None: "not decided yet",
        }
        note(f"Sequential test (5 % error): {said[verdict.is_stronger]}.")
