"""`lampion analyse`: what the moves of a position are worth."""

from __future__ import annotations

import click
import msgspec

from lampion.bots.analysis import SECONDS, Analysis, analyse_match
from lampion.bots.base import Budget
from lampion.cli.common import read_components, read_one_record
from lampion.core.errors import InvalidOptions
from lampion.core.match import Match
from lampion.core.replay import match_from_record
from lampion.core.types import CHANCE
from lampion.terminal import show, table

MOST_SECONDS = 3600.0


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, allow_dash=True))
@click.option(
    "--line", type=click.IntRange(1), default=1, show_default=True, help="Which record of the file."
)
@click.option(
    "--ply",
    type=click.IntRange(0),
    default=None,
    help="The position after that many log entries [default: where the game stands, or before its last decision].",
)
@click.option(
    "--seat",
    type=click.IntRange(0),
    default=None,
    help="Seat to analyze if several may act [default: the first of them].",
)
@click.option(
    "--seconds",
    type=click.FloatRange(0, MOST_SECONDS, min_open=True),
    default=SECONDS,
    show_default=True,
    help="Processor time for the search.",
)
@click.option("--top", type=click.IntRange(1), default=10, show_default=True, help="Moves to show.")
@click.option("--json", "as_json", is_flag=True, help="Print all moves as JSON.")
@click.option(
    "--components",
    type=click.Path(dir_okay=False),
    default=None,
    help="The pieces the record was played with.",
)
def analyse(
    file: str, line: int, ply: int | None, seat: int | None, seconds: float, top: int, as_json: bool,
    components: str | None,
) -> None:  # fmt: skip
    """Say what each move of a position is worth, from what its seat knew.

    Values, from 0 to 1, are the placement that the seat can expect, with some weight on the margin
    in points. One search gives all of them.

    \b
    Examples:
      lampion analyse game.json
      lampion analyse games.jsonl --line 3 --ply 40 --seconds 5
      lampion simulate {game} | lampion analyse - --json
    """
    record = read_one_record(file, line)
    match = match_from_record(record, components=read_components(record.game, components))
    before = match.at(_last_decision(match) if ply is None else _checked(match, ply))
    found = analyse_match(before, seat, Budget(seconds=seconds))
    if as_json:
        told = {"ply": before.ply, "value": found.value, **msgspec.to_builtins(found)}
        click.echo(msgspec.json.encode(told).decode())
    else:
        _show(before, found, top)


def _last_decision(match: Match) -> int:
    """Where the game stands; if it is over, before its last decision."""
    decisions = [ply for ply in match.log.standing_plies if match.log[ply].actor != CHANCE]
    return decisions[-1] if match.is_over and decisions else match.ply


def _checked(match: Match, ply: int) -> int:
    if ply > match.ply:
        raise InvalidOptions(
            f"this record has {match.ply} log entries, not {ply}", code="no-such-ply", where="--ply"
        )
    return ply


def _show(match: Match, found: Analysis, top: int) -> None:
    by = "solved exactly" if found.is_exact else f"{found.iterations} iterations"
    show(f"{match.names[found.seat]} after {match.ply} log entries, {by}")
    rows = [
        [
            move.text,
            "" if move.value is None else f"{move.value:.3f}",
            str(move.visits),
            " ".join(move.line[1:]),
        ]
        for move in found.moves[:top]
    ]
    show(table(["move", "value", "visits", "then"], rows))
