"""`lampion games`: what can be played."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click
import msgspec

from lampion.core.game import Game, find_game, game_names
from lampion.core.messages import option_text
from lampion.core.options import ChoiceOption, Option
from lampion.core.variants import declared_options

_INDENT = " " * 18


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def games(as_json: bool) -> None:
    """List the games, their numbers of players, their options and variants.

    \b
    Examples:
      lampion games
      lampion games --json
    """
    for name in game_names():
        game = find_game(name)
        if as_json:
            click.echo(json.dumps(_about(game)))
            continue
        click.echo(
            f"{game.NAME:15} {game.TITLE}, by {game.DESIGNER}; "
            f"{game.NUM_PLAYERS[0]} to {game.NUM_PLAYERS[-1]} players"
        )
        for option in declared_options(game):
            for line in _lines(game.NAME, option):
                click.echo(_INDENT + line)


def _about(game: Game) -> dict[str, object]:
    return {
        "game": game.NAME,
        "title": game.TITLE,
        "designer": game.DESIGNER,
        "rules": game.RULES_VERSION,
        "players": list(game.NUM_PLAYERS),
        "options": msgspec.to_builtins(declared_options(game)),
    }


def _lines(game: str, option: Option) -> Iterator[str]:
    """The option with what it takes, then each choice with its meaning."""
    allowed = " or ".join(str(number) for number in option.players)
    whom = f" (with {allowed} players)" if allowed else ""
    help = option_text(game, f"{option.name}.help") or ""
    if not isinstance(option, ChoiceOption):
        yield f"{option.name} = {option.default}, or {option.wanted}{whom}: {help}"
        return
    yield f"{option.name}{whom}: {help}"
    for value in option.choices:
        label = option_text(game, f"{option.name}.{value}") or value
        about = option_text(game, f"{option.name}.{value}.help")
        default = "  [default]" if value == option.default else ""
        yield f"  {option.name}={value:12} {label}{f'. {about}' if about else ''}{default}"
