"""`lampion admin key`: keys for the admin API and the admin page."""

from __future__ import annotations

from typing import Any

import click

from lampion.cli.admin.base import ask, print_done, print_json, where_options
from lampion.cli.admin.text import length, print_rows, shown, when
from lampion.cli.admin_group import admin
from lampion.server.wire import admin as wire
from lampion.terminal import note


@admin.group()
def key() -> None:
    """Make, list and revoke admin keys.

    A key opens the admin page (/admin) and lets this command reach a server from elsewhere.

    \b
    Examples:
      lampion admin key new --label "Ada's laptop" --for 30d
      lampion admin key list
      lampion admin key revoke 3f9ac01b77
    """


@key.command("new")
@click.option("--label", required=True, help="Who uses the key; shown in the audit log.")
@click.option(
    "--for",
    "seconds",
    type=length,
    default=None,
    help="Lifetime, such as 30d [default: no expiry].",
)
@where_options
def new(label: str, seconds: int | None, **where: Any) -> None:
    """Make a key. It is printed once and kept nowhere.

    \b
    Example:
      lampion admin key new --label "Ada's laptop" --for 30d
    """
    found: wire.MadeKey = ask(where, "new-key", wire.NewKey(label, seconds))
    if where["as_json"]:
        print_json(found)
        return
    # The key alone on standard output, for $(...).
    note(f"Key {found.id}, valid until {when(found.expires_ms, 'it is revoked')}:")
    click.echo(found.secret)


@key.command("list")
@where_options
def list_keys(**where: Any) -> None:
    """List the keys; the keys themselves are not shown.

    \b
    Example:
      lampion admin key list
    """
    found: wire.KeyLines = ask(where, "keys", wire.NoDetails())
    if where["as_json"]:
        print_json(found.keys)
        return
    rows = [
        (row.id, row.label, when(row.created_ms), when(row.expires_ms), _state(row))
        for row in found.keys
    ]
    print_rows(("ID", "LABEL", "CREATED", "EXPIRES", "STATE"), rows, "There are no keys.")


def _state(row: wire.KeyLine) -> str:
    return "expired" if row.expired else "valid"


@key.command("revoke")
@click.argument("wanted", metavar="ID_OR_LABEL")
@where_options
def revoke(wanted: str, **where: Any) -> None:
    """Revoke a key, at once and everywhere.

    \b
    Example:
      lampion admin key revoke 3f9ac01b77
    """
    found: wire.KeyLine = ask(where, "revoke-key", wire.RevokeKey(wanted))
    print_done(where, found, f"Key {found.id} ({shown(found.label)}) is revoked.")
