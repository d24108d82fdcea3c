"""`lampion data`: look after the database of the server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from lampion.cli.common import output
from lampion.terminal import note

database_option = click.option(
    "--database",
    metavar="URL",
    default=None,
    help="sqlite:///PATH, a path, or postgresql://... [default: $LAMPION_DATABASE, else a file in your folder for data].",
)
a_file = click.Path(dir_okay=False, path_type=Path)


@click.group()
def data() -> None:
    """Back up, restore, export and look after what the server keeps.

    \b
    Examples:
      lampion data backup lampion-today.db
      lampion data restore lampion-today.db --database postgresql://localhost/lampion
      lampion data export --out games.jsonl
      lampion data rollback --to 0001
    """


@data.command()
@click.argument("file", metavar="FILE", type=a_file)
@database_option
def backup(file: Path, database: str | None) -> None:
    """Write everything, as of this moment, into the new file FILE. The server may be running.

    The file holds names, and seeds of games that are still played: keep it safe.
    """
    # Here and below: the libraries for databases would slow down every other command.
    from lampion.server.store import care, default_database

    care.back_up(database or default_database(), file)
    note(f"Backup written to {file}.")


@data.command()
@click.argument("file", metavar="FILE", type=a_file)
@database_option
def restore(file: Path, database: str | None) -> None:
    """Put a backup into an empty database, SQLite or PostgreSQL, whichever it came from. Stop the
    server first."""
    from lampion.server.store import care, default_database

    tables = care.restore(database or default_database(), file)
    note(f"{tables} table{'s' if tables != 1 else ''} restored.")


@data.command()
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    default=None,
    help="Write to this file instead of standard output.",
)
@database_option
def export(out: str | None, database: str | None) -> None:
    """Write the records of all finished games, one per line. The server may be running."""
    from lampion.server.store import care, default_database
    from lampion.server.study.records import record_of

    async def write() -> int:
        count = 0
        with output(out) as file:
            async for record in care.export(database or default_database(), record_of):
                file.write(record + "\n")
                count += 1
        return count

    count = asyncio.run(write())
    note(f"{count} game{'s' if count != 1 else ''} exported.")


@data.command()
@click.option("--to", "revision", metavar="REVISION", required=True, help="For example 0001.")
@click.option("--yes", is_flag=True, help="Do it. Without this, only say what would be lost.")
@database_option
def rollback(revision: str, yes: bool, database: str | None) -> None:
    """Take the database back to an older schema, for an older version of Lampion.

    Stop every server first, and make a backup: what the older schema has no place for is dropped.
    """
    from lampion.server.store import care, default_database

    url = database or default_database()
    plan = care.roll_back(url, revision) if yes else care.plan_rollback(url, revision)
    said = "dropped" if yes else "would drop"
    subject = f"The rollback from schema {plan.current} to {plan.target}"
    note(f"{subject} {said}: {'; '.join(plan.dropped)}.")
    if not yes:
        note("Nothing has changed. Make a backup, then run this again with --yes.")
        raise SystemExit(1)


@data.command()
@database_option
def compact(database: str | None) -> None:
    """Rewrite the database without the space of what was deleted. Stop every server first."""
    from lampion.server.store import care, default_database

    care.compact(database or default_database())
    note("The database is compact.")
