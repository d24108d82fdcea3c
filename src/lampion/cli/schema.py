"""`lampion schema`: the published JSON Schemas."""

from __future__ import annotations

import json

import click

from lampion.core.components import components_schema
from lampion.core.game import find_game
from lampion.core.gamelog import record_schema


@click.command()
@click.argument("what", metavar="record|GAME")
def schema(what: str) -> None:
    """Print the JSON Schema of record files, or of the components file of a game.

    \b
    Examples:
      lampion schema record
      lampion schema {game}
    """
    found = record_schema() if what == "record" else components_schema(find_game(what).COMPONENTS)
    click.echo(json.dumps(found, indent=2))
