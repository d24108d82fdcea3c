"""What the subcommands share: which server is meant, how it is asked, how replies are printed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from typing import Any, TypeVar

import click
import msgspec

from lampion.core.errors import LampionError
from lampion.server.admin.reach import KEY_VARIABLE, Offline, reached
from lampion.server.config import Config
from lampion.server.settings import load, with_database
from lampion.server.store import default_database
from lampion.terminal import note

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def where_options(function: Decorated) -> Decorated:
    """Which server or database is meant."""
    for option in (_SERVER, _DATABASE, _CONFIG, _JSON):
        function = option(function)
    return function


_SERVER = click.option(
    "--server",
    metavar="URL",
    default=None,
    envvar="LAMPION_ADMIN_SERVER",
    help=f"Ask this server, with the key in ${KEY_VARIABLE}.",
)
_DATABASE = click.option(
    "--database",
    metavar="URL",
    default=None,
    help="The database of the server  [default: as for `lampion serve`].",
)
_CONFIG = click.option(
    "--config",
    "config_file",
    metavar="FILE",
    default=None,
    help="The config file of the server  [default: as for `lampion serve`].",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
reason_option = click.option(
    "--reason", required=True, help="Why; kept in the audit log for good, so write no names."
)
sure_option = click.option("--yes", "is_sure", is_flag=True, help="Do not ask first.")


def ask(where: dict[str, Any], operation: str, request: msgspec.Struct) -> Any:
    """The reply to one operation; errors end the command with one line."""
    config, request = _config(where["database"], where["config_file"]), _checked(request)

    async def asked() -> Any:
        key = os.environ.get(KEY_VARIABLE, "")
        async with reached(config, where["server"] or "", key) as target:
            if isinstance(target, Offline):
                note("No server is running: working on the database itself.")
            return await target(operation, request)

    return asyncio.run(asked())


def _checked(request: msgspec.Struct) -> msgspec.Struct:
    """As strictly as the server checks what comes in."""
    try:
        found: msgspec.Struct = msgspec.convert(
            msgspec.to_builtins(request), type(request), strict=True
        )
    except msgspec.ValidationError as problem:
        raise LampionError(str(problem), code="invalid-message") from None
    return found


def _config(database: str | None, file: str | None) -> Config:
    flags = {"database": database} if database else {}
    config = load(flags, os.environ, file).config
    return with_database(config, config.database or default_database())


def print_json(found: msgspec.Struct | list[Any]) -> None:
    """One document, or one line for each row of a list."""
    for each in found if isinstance(found, list) else [found]:
        click.echo(msgspec.json.encode(each).decode())


def print_done(where: dict[str, Any], found: msgspec.Struct, sentence: str) -> None:
    if where["as_json"]:
        print_json(found)
    else:
        click.echo(sentence)


def confirm(is_sure: bool, question: str) -> None:
    if not is_sure:
        click.confirm(question, abort=True, err=True)
