"""The command `lampion`: one module per chore, put together here.

Exit codes: 0 done · 1 the input is wrong (one line on standard error, with a code) · 2 the command line is wrong · 130 interrupted.
"""

from __future__ import annotations

import os
import sys
from pkgutil import resolve_name
from typing import Any

import click

from lampion import __version__
from lampion.cli.failing import extra_with, fail
from lampion.core.errors import LampionError
from lampion.core.names import own_game_names


def _with_a_game(words: str | None) -> str:
    return (words or "").replace("{game}", own_game_names()[0])


COMMANDS = {
    "admin": ("admin_group:admin", "Look after a server: tables, people, bans, announcements"),
    "analyse": ("analyse:analyse", "Say what each move of a position is worth"),
    "arena": ("arena:arena", "Let bots play each other and rate them"),
    "bench": ("bench:bench", "Measure random play on one core"),
    "components": ("components:components", "The pieces of the games as files that you can change"),
    "data": ("data:data", "Back up, restore, export and look after what the server keeps"),
    "dataset": ("dataset:dataset", "Write games of graded bots with luck and regret as Parquet"),
    "games": ("games:games", "List the games, their players, options and variants"),
    "leaderboard": ("leaderboard:leaderboard", "Rank bots in a file that anybody can check"),
    "mcp": ("mcp:mcp", "Give a language model a seat at a table of bots"),
    "perft": ("perft:perft", "Count the sequences of actions of each length"),
    "play": ("play:play", "Play in this terminal against bots, or share the keyboard"),
    "print": ("printing:print_", "Write the printable sheets, boards and tokens of a game"),
    "replay": ("replay:replay", "Show the table of a record at any moment"),
    "review": (
        "review:review",
        "Separate luck from play in a game, and find its costliest decisions",
    ),
    "schema": ("schema:schema", "Print the JSON Schema of record or components files"),
    "selfplay": ("selfplay:selfplay", "Let bots play and keep the games as Parquet or JSON"),
    "serve": ("serve:serve", "Serve the games to browsers and programs"),
    "simulate": ("simulate:simulate", "Play random games and write one record per line"),
    "verify": ("verify:verify", "Replay every record in a file and check each move"),
}
"""Where each command is, and what the list of commands says about it. Only the one that was asked
for is imported: some take long."""


class Command(click.Group):
    """Turns every error that input can cause into one line, and shows examples with a game that is
    there."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, words) for name, (_, words) in sorted(COMMANDS.items())])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = resolve_name(f"lampion.cli.{COMMANDS[cmd_name][0]}")
        for one in (found, *(found.commands.values() if isinstance(found, click.Group) else ())):
            one.help = _with_a_game(one.help)
        return found

    def main(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().main(*args, **kwargs)
        except LampionError as error:
            fail(str(error))
        except ModuleNotFoundError as missing:
            if not (extra := extra_with(missing.name or "")):
                raise
            fail(
                f"this needs {missing.name}, which is not installed;"
                f" type: pip install 'lampion[{extra}]' [missing-extra]"
            )
        except BrokenPipeError:
            # The reader, such as `head`, has closed the pipe; keep Python from complaining about it on exit.
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
