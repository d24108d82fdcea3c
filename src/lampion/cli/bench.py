"""`lampion bench`: how fast is a game here?"""

from __future__ import annotations

import json
import time

import click
import numpy as np

from lampion.cli.common import (
    default_players,
    game_argument,
    match_options,
    parse_options,
    read_components,
)
from lampion.core import play
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.native.library import make_ready
from lampion.core.rng import new_rng
from lampion.terminal import note, progress


@click.command()
@game_argument
@match_options
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 600),
    default=3.0,
    show_default=True,
    help="How long to measure.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def bench(
    game: str,
    players: int | None,
    options: tuple[str, ...],
    components: str | None,
    seconds: float,
    as_json: bool,
) -> None:
    """Measure random play on one core. Every decision lists its legal actions; chance moves are
    played but not counted.

    Figures are per second of processor time. `make bench` puts them beside other engines.

    \b
    Examples:
      lampion bench {game} --players 4
      lampion bench {game} --players 2 --seconds 10 --json
    """
    rules = find_game(game)
    number = default_players(rules, players)
    match = Match(
        rules, number, parse_options(options), components=read_components(game, components)
    )
    make_ready(rules.State.dtype)
    result = {"game": game, "players": number, **measure(match, seconds)}
    if as_json:
        click.echo(json.dumps(result))
    else:
        note(f"{rules.TITLE}, {number} players, one core:")
        click.echo(
            f"{result['decisions_per_second']:,.0f} decisions/s, {result['games_per_second']:,.0f} games/s"
        )


def measure(match: Match, seconds: float) -> dict[str, float]:
    """Random games from the start of a match for about that long."""
    start = match.state.copy().batch
    state = start.copy()
    legal, rng = np.empty(match.game.ACTIONS.size, np.int32), new_rng(1)
    games = decisions = 0
    spent, chunk = 0.0, 200
    play.play_random_games(start, state, 1, legal, rng)
    with progress("Playing", round(seconds)) as advance:
        while spent < seconds:
            before = time.process_time()
            decisions += play.play_random_games(start, state, chunk, legal, rng)
            took = time.process_time() - before
            advance(round(min(spent + took, seconds)) - round(min(spent, seconds)))
            spent, games = spent + took, games + chunk
            chunk = max(1, round(chunk * min(10.0, 0.1 / max(took, 1e-4))))
    return {"seconds": spent, "games": games, "decisions": decisions,
            "games_per_second": games / spent, "decisions_per_second": decisions / spent}  # fmt: skip
