"""`lampion verify`: are records legal and fair?"""

from __future__ import annotations

import json

import click

from lampion.cli.common import read_components, read_records
from lampion.core.replay import match_from_record, verify_fairness
from lampion.terminal import note


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False, allow_dash=True))
@click.option(
    "--components",
    type=click.Path(dir_okay=False),
    default=None,
    help="The pieces the records were played with.",
)
def verify(file: str, components: str | None) -> None:
    """Play every record of a file again through the gate, and work every chance outcome out from its seed.

    Prints one JSON object per record. A record without a seed (a game still running) is checked for legality alone. The first
    record that is not legal or not fair ends the command with exit code 1.

    \b
    Examples:
      lampion verify game.json
      lampion simulate {game} --games 100 | lampion verify -
    """
    count = unchecked = 0
    for where, record in read_records(file):
        match = match_from_record(record, components=read_components(record.game, components))
        has_seed = record.fairness is not None and record.fairness.seed is not None
        outcomes = verify_fairness(record, match) if has_seed else None
        result = {
            "record": where,
            "game": record.game,
            "plies": match.ply,
            "legal": True,
            "fair": has_seed or None,
            "outcomes": outcomes,
        }
        click.echo(json.dumps(result))
        count, unchecked = count + 1, unchecked + (not has_seed)
    fair = f"{count - unchecked} fair" + (f", {unchecked} without a seed" if unchecked else "")
    note(f"{count} record{'s' if count != 1 else ''}: all legal, {fair}.")
