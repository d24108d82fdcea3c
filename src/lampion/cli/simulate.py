"""`lampion simulate`: random games as records."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from multiprocessing import get_context

import click

from lampion.bots.base import Budget
from lampion.bots.random import RandomBot
from lampion.cli.common import (
    default_players,
    game_argument,
    match_options,
    output,
    parse_options,
    read_components,
)
from lampion.core.fairness import Chance
from lampion.core.game import find_game
from lampion.core.gamelog import write_record
from lampion.core.match import Match
from lampion.core.native.library import make_ready
from lampion.core.replay import positions
from lampion.core.rng import new_rng
from lampion.core.types import Rng
from lampion.terminal import progress

BATCH = 50


@click.command()
@game_argument
@match_options
@click.option(
    "--games", "-n", type=click.IntRange(1), default=1, show_default=True, help="How many games."
)
@click.option(
    "--seed",
    "-s",
    type=int,
    default=0,
    show_default=True,
    help="The same seed gives the same games.",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1),
    default=None,
    help="Processes [default: one per core for long runs].",
)
@click.option(
    "--trace",
    is_flag=True,
    help='Add "legal": for each log entry what was legal for its actor just before.',
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    default=None,
    help="Write to this file instead of standard output.",
)
def simulate(
    game: str, players: int | None, options: tuple[str, ...], components: str | None,
    games: int, seed: int, jobs: int | None, trace: bool, out: str | None,
) -> None:  # fmt: skip
    """Play random games and write one record per line.

    Every record carries its seed, so `lampion verify` can check it.

    \b
    Examples:
      lampion simulate {game} --players 4 --games 1000 --seed 7 --out games.jsonl
      lampion simulate {game} --players 2 --trace | head -1
    """
    rules = find_game(game)
    number = default_players(rules, players)
    parsed = parse_options(options)
    Match(
        rules, number, parsed, components=read_components(game, components)
    )  # refuses bad options before anything is written
    make_ready(rules.State.dtype)
    work = partial(simulate_batch, game, number, parsed, components, seed, trace)
    batches = [range(start, min(start + BATCH, games)) for start in range(0, games, BATCH)]
    with output(out) as file, progress("Playing", games) as advance:
        for batch, records in zip(batches, _run(work, batches, jobs), strict=True):
            file.writelines(f"{record}\n" for record in records)
            advance(len(batch))


def _run(work: partial[list[str]], batches: list[range], jobs: int | None) -> Iterator[list[str]]:
    """The batches in order, in this process or in several."""
    jobs = min(jobs or os.cpu_count() or 1, len(batches))
    if jobs == 1:
        yield from map(work, batches)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(work, batches)


def simulate_batch(
    game: str, players: int, options: dict[str, str], components: str | None, seed: int, trace: bool, batch: range
) -> list[str]:  # fmt: skip
    pieces = read_components(game, components)
    records = []
    for index in batch:
        chance = Chance(sha256(f"lampion simulate {seed} {index}".encode()).digest())
        match = Match(find_game(game), players, options, components=pieces, chance=chance)
        _play_randomly(match, new_rng(int.from_bytes(chance.seed[:8], "big")))
        records.append(_record_text(match, trace))
    return records


def _play_randomly(match: Match, rng: Rng) -> None:
    bot = RandomBot()
    while not match.is_over:
        seat = match.to_act
        match.submit(
            bot.choose(match.seen_from(seat), seat, match.legal_ids(seat), Budget(), rng), seat
        )


def _record_text(match: Match, trace: bool) -> str:
    record = match.to_record()
    if trace:
        record.legal = [earlier.legal_actions(entry.actor) for earlier, entry in positions(match)]
    return write_record(record)
