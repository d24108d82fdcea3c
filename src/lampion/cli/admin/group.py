"""The group `lampion admin`."""

from __future__ import annotations

import click


@click.group()
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
