"""`lampion perft`: how many sequences of actions there are."""

from __future__ import annotations

import time

import click
import numpy as np

import lampion
from lampion.cli.common import (
    default_players,
    game_argument,
    match_options,
    parse_options,
    read_components,
    read_one_record,
)
from lampion.core import play
from lampion.core.fairness import Chance, seed_from_number
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.native.library import make_ready
from lampion.core.replay import match_from_record
from lampion.terminal import note


@click.command()
@game_argument
@match_options
@click.option(
    "--depth",
    "-d",
    type=click.IntRange(0, 12),
    default=3,
    show_default=True,
    help="Maximum depth, in actions.",
)
@click.option(
    "--seed",
    "-s",
    type=int,
    default=None,
    help="Start after the chance moves that this seed gives [default: before them].",
)
@click.option(
    "--record", type=click.Path(dir_okay=False), default=None, help="Start from this record."
)
@click.option(
    "--ply",
    type=click.IntRange(0),
    default=None,
    help="Start after that many entries of the record.",
)
def perft(
    game: str, players: int | None, options: tuple[str, ...], components: str | None,
    depth: int, seed: int | None, record: str | None, ply: int | None,
) -> None:  # fmt: skip
    """Count the sequences of actions of each length, chance outcomes included: a check on the rules.

    Prints `depth count` per line.

    \b
    Examples:
      lampion perft {game} --players 2 --depth 3
      lampion perft {game} --players 2 --depth 4 --seed 1
    """
    rules = find_game(game)
    if record:
        loaded = read_one_record(record, 1)
        match = match_from_record(loaded, components=read_components(loaded.game, components))
        match = match if ply is None else match.at(min(ply, match.ply))
    else:
        chance = None if seed is None else Chance(seed_from_number(seed))
        pieces = read_components(game, components)
        match = Match(
            rules,
            default_players(rules, players),
            parse_options(options),
            components=pieces,
            chance=chance,
        )
    make_ready(match.game.State.dtype)
    for level in range(depth + 1):
        start = time.perf_counter()
        click.echo(f"{level} {count_sequences(match, level)}")
        note(f"  {time.perf_counter() - start:.2f} s")


def count_sequences(match: lampion.Match, depth: int) -> int:
    states = np.zeros(max(depth, 1), match.state.dtype)
    states[0] = match.state.batch[0]
    legal = np.empty((max(depth, 1), match.game.ACTIONS.size), np.int32)
    return int(play.perft(states, legal, depth))
