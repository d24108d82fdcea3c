"""`lampion mcp`: a seat for a language model."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from types import FrameType

import click

from lampion.cli.common import default_players, game_argument, match_options, parse_options
from lampion.core.errors import InvalidOptions
from lampion.core.game import find_game
from lampion.core.native.library import make_ready
from lampion.mcp.results import Line, ResultFile
from lampion.mcp.seat import AgentSeat
from lampion.mcp.terms import Terms


@click.command()
@game_argument
@match_options
@click.option(
    "--seat", type=click.IntRange(0), default=0, show_default=True, help="Where the agent sits."
)
@click.option(
    "--bots", "-b", "bots", multiple=True, metavar="BOT",
    help="Bots for the other seats, in turn order from the agent's [default: planner].",
)  # fmt: skip
@click.option(
    "--games", "-n", type=click.IntRange(1), default=1, show_default=True, help="How many games."
)
@click.option("--seed", "-s", type=int, default=0, show_default=True, help="The first deal.")
@click.option(
    "--seconds", type=click.FloatRange(1), default=300.0, show_default=True,
    help="Time for each decision of the agent.",
)  # fmt: skip
@click.option(
    "--refusals", type=click.IntRange(0), default=20, show_default=True,
    help="Refused actions allowed in a game; one more loses it.",
)  # fmt: skip
@click.option(
    "--wait", type=click.FloatRange(1), default=3600.0, show_default=True,
    help="Time for the agent to ask for its next game.",
)  # fmt: skip
@click.option("--legal-actions", is_flag=True, help="Give the agent a tool that lists them.")
@click.option("--disguise", is_flag=True, help="Other colors and numbers for the pieces.")
@click.option(
    "--out", type=click.Path(dir_okay=False, path_type=Path), default=None,
    help="Add the result and record of every game to this file; continue from it if it exists.",
)  # fmt: skip
def mcp(
    game: str, players: int | None, options: tuple[str, ...], components: str | None, seat: int, bots: tuple[str, ...],
    games: int, seed: int, seconds: float, refusals: int, wait: float, legal_actions: bool, disguise: bool, out: Path | None,
) -> None:  # fmt: skip
    """Give a language model a seat at a table of bots, over the Model Context Protocol on standard input and output.

    The agent has tools to look, to act, to read the rules and to resign. It comes last if it runs out of time, resigns, disconnects
    or sends too many actions that are refused; a bot plays on, so that the others have a result. An agent that comes back
    with the same file continues with the next deal.

    \b
    Examples:
      lampion mcp {game} --players 2 --bots careful --games 10 --out results.jsonl
    """
    if components:
        message = "agents play with the published pieces; --disguise gives them other names"
        raise InvalidOptions(message, code="bad-option", where="--components")
    from lampion.mcp.server import make_server

    rules = find_game(game)
    terms = Terms(
        game, default_players(rules, players), seat, bots or ("planner",), parse_options(options),
        seed, games, seconds, refusals, legal_actions, disguise, wait,
    )  # fmt: skip
    make_ready(rules.State.dtype)

    file = ResultFile(out) if out else None
    seat_of_agent = AgentSeat(
        terms, time.monotonic, file.add if file else _forget, file.lines if file else ()
    )
    _leave_when_told(seat_of_agent)
    make_server(seat_of_agent).run("stdio")


def _forget(line: Line) -> None:
    """Where nobody wants results."""


def _leave_when_told(seat: AgentSeat) -> None:
    """Hosts end a server two seconds after they have closed its input, and bots may still be
    thinking in threads that cannot be interrupted. What counts is on the disk by then."""

    def leave(number: int, frame: FrameType | None) -> None:
        seat.leave()
        seat.close()
        os._exit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
