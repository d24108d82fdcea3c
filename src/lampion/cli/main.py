"""The command `lampion`: one module per chore, put together here.

Exit codes: 0 done · 1 the input is wrong (one line on standard error, with a code) · 2 the command line is wrong · 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from lampion import __version__
from lampion.cli import (
    arena,
    bench,
    components,
    data,
    games,
    perft,
    play,
    printing,
    replay,
    schema,
    selfplay,
    serve,
    simulate,
    verify,
)
from lampion.cli.common import fail
from lampion.core.errors import LampionError
from lampion.core.game import own_game_names


def _with_a_game(words: str | None) -> str:
    return (words or "").replace("{game}", own_game_names()[0])


class Command(click.Group):
    """Turns every error that input can cause into one line, and shows examples with a game that is there."""

    def add_command(self, cmd: click.Command, name: str | None = None) -> None:
        for one in (cmd, *(cmd.commands.values() if isinstance(cmd, click.Group) else ())):
            one.help = _with_a_game(one.help)
        super().add_command(cmd, name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), "admin"})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name == "admin" and cmd_name not in self.commands:
            # It needs the parts of the server, which would slow down every other command.
            from lampion.cli.admin import admin

            self.add_command(admin)
        return super().get_command(ctx, cmd_name)

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except LampionError as error:
            fail(str(error))
        except BrokenPipeError:
            # Somebody like `head` has seen enough; keep Python from complaining about it on the way out.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(0)
        except OSError as problem:
            fail(
                f"cannot use {problem.filename or 'a file'}: {problem.strerror or problem} [unusable-file]"
            )


@click.group(
    cls=Command, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120}
)
@click.version_option(__version__, prog_name="lampion")
def main() -> None:
    """Board games about light: play them, let bots play them, check records, measure.

    \b
    Examples:
      lampion serve --open                      play in the browser
      lampion play {game}                     a game in this terminal against two bots
      lampion simulate {game} --games 10      ten random games, one record per line
      lampion verify games.jsonl                are these records legal and fair?
      lampion COMMAND --help                    what a command can do
    """


main.help = _with_a_game(main.help)
for command in (
    arena.arena, bench.bench, components.components, data.data, games.games, perft.perft, play.play, printing.print_, replay.replay,
    schema.schema, selfplay.selfplay, serve.serve, simulate.simulate, verify.verify,
):  # fmt: skip
    main.add_command(command)
