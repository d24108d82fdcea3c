"""`lampion admin`: the server itself."""

from __future__ import annotations

from typing import Any

import click

from lampion.cli.admin.base import ask, print_done, print_json, where_options
from lampion.cli.admin.text import MEGABYTE, date, length, print_facts, print_rows, when, yes
from lampion.cli.admin_group import admin
from lampion.server.wire import admin as wire


@admin.command()
@where_options
def status(**where: Any) -> None:
    """Show how the server is doing.

    \b
    Example:
      lampion admin status --json
    """
    found: wire.ServerStatus = ask(where, "status", wire.NoDetails())
    if where["as_json"]:
        print_json(found)
        return
    said = found.announcement
    free = "unknown" if found.disk_free is None else f"{found.disk_free // MEGABYTE:,} MB"
    said_text = f"{said.text} (until {when(said.until_ms, 'cleared')})" if said else "-"
    outbox = (f"{number} {name}" for name, number in found.notices.items() if number)
    counts = (f"{number} {name}" for name, number in found.tables.items() if number)
    print_facts(
        [
            ("version", found.version),
            ("processes", found.processes or "none: no server is running"),
            ("draining", ", ".join(found.draining) or "no"),
            ("announcement", said_text),
            ("tables", ", ".join(counts) or "none"),
            ("in memory", f"{found.in_memory} tables, {found.sockets} sockets"),
            ("waiting", f"{found.waiting} for a core"),
            ("preparing", ", ".join(found.preparing) or "-"),
            ("troubles", ", ".join(found.troubles) or "none"),
            ("sanctions", f"{found.sanctions} in force"),
            ("disk", f"{free} free"),
            ("notices", ", ".join(outbox) or "none"),
        ]
    )


@admin.command()
@where_options
def processes(**where: Any) -> None:
    """List the processes that serve the database.

    \b
    Example:
      lampion admin processes
    """
    print_processes(where, ask(where, "processes", wire.NoDetails()))


def print_processes(where: dict[str, Any], found: wire.ProcessLines) -> None:
    if where["as_json"]:
        print_json(found.processes)
        return
    rows = [
        (row.id, row.url or "-", yes(row.draining), yes(row.answers)) for row in found.processes
    ]
    print_rows(("PROCESS", "URL", "DRAINING", "ANSWERED"), rows, "No server is running.")


@admin.command()
@click.option("--undo", is_flag=True, help="Take new games again.")
@click.option("--process", default=None, help="Only the process with this name or beginning.")
@where_options
def drain(undo: bool, process: str | None, **where: Any) -> None:
    """Start no new games; running games go on, and /ready says 503.

    It holds for the processes that run now. A process that is started again takes new games.

    \b
    Examples:
      lampion admin drain
      lampion admin drain --process web1/4711
      lampion admin drain --undo
    """
    print_processes(where, ask(where, "drain", wire.Drain(on=not undo, process=process)))


@admin.command()
@click.argument("text", required=False)
@click.option("--for", "seconds", type=length, default=None, help="Such as 30m, 2h or 7d.")
@click.option("--clear", is_flag=True, help="Remove the announcement.")
@where_options
def announce(text: str | None, seconds: int | None, clear: bool, **where: Any) -> None:
    """Show a sentence to everybody, on every page.

    \b
    Examples:
      lampion admin announce "We update at 20:00; games go on afterwards." --for 2h
      lampion admin announce --clear
    """
    if clear == (text is not None):
        raise click.UsageError("give a text, or --clear")
    done = ask(where, "announce", wire.Announce(text, seconds))
    print_done(where, done, "Nothing is announced any more." if clear else "Announced.")


@admin.command()
@where_options
def prune(**where: Any) -> None:
    """Clean up now: expired codes, abandoned tables, guests who never came back.

    The settings abandon_days and guest_days say what is old. The server does this every hour.

    \b
    Example:
      lampion admin prune
    """
    found: wire.Pruned = ask(where, "prune", wire.NoDetails())
    sentence = f"Removed: {found.codes} codes, {found.tables} tables, {found.people} people."
    print_done(where, found, sentence)


@admin.command()
@click.option("--limit", "-n", type=click.IntRange(1, 200), default=50, show_default=True)
@click.option("--before", type=date, default=None, help="Only entries before this date.")
@where_options
def audit(limit: int, before: int | None, **where: Any) -> None:
    """Read the audit log, the newest entry first.

    \b
    Examples:
      lampion admin audit -n 20
      lampion admin audit --before 2026-08-01 --json
    """
    found: wire.AuditLines = ask(where, "audit", wire.ReadAudit(limit, before))
    if where["as_json"]:
        print_json(found.entries)
        return
    rows = [
        (when(row.at_ms), row.actor, row.action, row.subject or "-", row.details)
        for row in found.entries
    ]
    print_rows(("AT", "ACTOR", "ACTION", "SUBJECT", "DETAILS"), rows, "The audit log is empty.")
