"""`lampion components`: pieces as files."""

from __future__ import annotations

import json
from pathlib import Path

import click

from lampion.core.components import parse_components
from lampion.core.errors import InvalidComponents
from lampion.core.game import find_game


@click.group()
def components() -> None:
    """The pieces of the games as files that you can change."""


@components.command()
@click.argument("file", metavar="FILE", type=click.Path(dir_okay=False))
def check(file: str) -> None:
    """Say whether a components file can be played with.

    \b
    Examples:
      lampion components show {game} > mine.toml
      lampion components check mine.toml
      lampion play {game} --components mine.toml
    """
    data = Path(file).read_bytes()
    pieces = find_game(_game_of(data, file)).read_components(data, file)
    click.echo(
        json.dumps(
            {"file": file, "valid": True, "published": pieces.is_standard, "hash": pieces.hash}
        )
    )


def _game_of(data: bytes, file: str) -> str:
    """Which game the pieces are for; everything else is for that game to check."""
    content = parse_components(data, file)
    name = content.get("game") if isinstance(content, dict) else None
    if not isinstance(name, str):
        raise InvalidComponents(
            'the file must say which game it is for, such as game = "my_game"',
            where=f"{file}, game",
        )
    return name


@components.command()
@click.argument("game", metavar="GAME")
def show(game: str) -> None:
    """Print the published pieces of a game as a components file.

    \b
    Example:
      lampion components show {game} > mine.toml
    """
    click.echo(
        Path(find_game(game).__file__).with_name("components.toml").read_text("utf-8"), nl=False
    )
