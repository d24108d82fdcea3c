"""`lampion games`: what can be played."""

from __future__ import annotations

import json

import click

from lampion.core.game import find_game, game_names


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object per line.")
def games(as_json: bool) -> None:
    """List the games, their numbers of players and their options.

    \b
    Examples:
      lampion games
      lampion games --json
    """
    for name in game_names():
        game = find_game(name)
        about = {
            "game": game.NAME, "title": game.TITLE, "designer": game.DESIGNER, "rules": game.RULES_VERSION,
            "players": list(game.NUM_PLAYERS), "options": dict(game.OPTIONS),
        }  # fmt: skip
        if as_json:
            click.echo(json.dumps(about))
        else:
            click.echo(
                f"{game.NAME:15} {game.TITLE}, by {game.DESIGNER}; {game.NUM_PLAYERS[0]} to {game.NUM_PLAYERS[-1]} players"
            )
            for option, meaning in game.OPTIONS.items():
                click.echo(f"{'':15}   {option} = {meaning}")
