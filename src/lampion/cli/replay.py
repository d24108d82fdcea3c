"""`lampion replay`: a record as pictures."""

from __future__ import annotations

import json

import click

import lampion
from lampion.cli.common import output, read_components, read_one_record
from lampion.core.errors import InvalidOptions
from lampion.core.gamelog import actor_name
from lampion.core.replay import match_from_record
from lampion.core.types import SPECTATOR


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, allow_dash=True))
@click.option(
    "--line", type=click.IntRange(1), default=1, show_default=True, help="Which record of the file."
)
@click.option(
    "--ply",
    type=click.IntRange(0),
    default=None,
    help="Show the table after that many log entries [default: the end].",
)
@click.option(
    "--seat",
    type=click.IntRange(0),
    default=None,
    help="Show what that seat knew [default: what everybody saw].",
)
@click.option(
    "--log", is_flag=True, help="Print the log up to there as well, as that seat could read it."
)
@click.option(
    "--json", "as_json", is_flag=True, help="Print the view as JSON instead of a drawing."
)
@click.option(
    "--svg", type=click.Path(dir_okay=False), default=None, help="Write the picture to this file."
)
@click.option(
    "--components",
    type=click.Path(dir_okay=False),
    default=None,
    help="The pieces the record was played with.",
)
def replay(
    file: str, line: int, ply: int | None, seat: int | None, log: bool, as_json: bool, svg: str | None, components: str | None
) -> None:  # fmt: skip
    """Show the table of a record at any moment, with exactly what a seat knew then.

    \b
    Examples:
      lampion replay game.json --ply 40 --seat 1
      lampion simulate {game} | lampion replay - --log
    """
    record = read_one_record(file, line)
    match = match_from_record(record, components=read_components(record.game, components))
    if ply is not None and ply > match.ply:
        raise InvalidOptions(
            f"this record has {match.ply} log entries, not {ply}", code="no-such-ply", where="--ply"
        )
    if seat is not None and seat >= match.players:
        raise InvalidOptions(
            f"this record has seats 0 to {match.players - 1}, not {seat}",
            code="no-such-seat",
            where="--seat",
        )
    _show(
        match if ply is None else match.at(ply),
        SPECTATOR if seat is None else seat,
        log,
        as_json,
        svg,
    )


def _show(match: lampion.Match, seat: int, log: bool, as_json: bool, svg: str | None) -> None:
    if log:
        for number, (actor, text) in enumerate(match.log.read_by(seat)):
            click.echo(
                f"{number:4}  {'chance' if actor == 'c' else match.names[int(actor or 0)]:12} {text}"
            )
    click.echo(json.dumps(match.view(seat)) if as_json else match.draw(seat))
    if not as_json and not match.is_over:
        to_act = actor_name(match.to_act)
        click.echo(f"to act: {'chance' if to_act == 'c' else match.names[int(to_act or 0)]}")
    if svg:
        with output(svg) as picture:
            picture.write(match.svg(seat))
