"""The group `lampion admin`; its commands are in the package `admin`.

They need the server, which takes long to import and is not installed everywhere. The group alone is
enough to be listed by `lampion --help`.
"""

from __future__ import annotations

import importlib
import re

import click

_ID = re.compile(r"-[A-Za-z0-9_-]{11}", re.ASCII)


class IdCommand(click.Command):
    """Ids are random, so some begin with a dash; they are arguments all the same."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        options = [param for param in self.get_params(ctx) if isinstance(param, click.Option)]
        known = {name for option in options for name in (*option.opts, *option.secondary_opts)}
        taking = {name for option in options if not option.is_flag for name in option.opts}
        values = {place + 1 for place, word in enumerate(args) if word in taking}
        ids = [
            place
            for place, word in enumerate(args)
            if place not in values and _ID.fullmatch(word) and word not in known
        ]
        if not ids or "--" in args:
            return super().parse_args(ctx, args)
        rest = [word for place, word in enumerate(args) if place not in ids]
        return super().parse_args(ctx, [*rest, "--", *(args[place] for place in ids)])


class AdminGroup(click.Group):
    command_class = IdCommand

    def list_commands(self, ctx: click.Context) -> list[str]:
        self._load()
        return super().list_commands(ctx)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        self._load()
        return super().get_command(ctx, cmd_name)

    def _load(self) -> None:
        """Imports the modules whose commands join this group."""
        importlib.import_module("lampion.cli.admin")


@click.group(cls=AdminGroup)
def admin() -> None:
    """Look after a server: tables, people, bans, announcements, upgrades.

    On the machine of the server it needs no set-up: it finds the server through its database. For
    a server elsewhere, give --server and put a key into LAMPION_ADMIN_KEY. If no server is
    running, the same is done on the database itself.

    \b
    Examples:
      lampion admin status
      lampion admin tables --status running Ada
      lampion admin close Vx2mQ9aL0bTe --reason "both players asked for it"
      lampion admin ban 203.0.113.7 --reason "fills the server with tables" --for 7d
      lampion admin announce "Back in ten minutes" --for 30m
      lampion admin drain
      lampion admin key new --label "Ada's laptop" --for 30d
    """
