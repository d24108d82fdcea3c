"""`lampion admin`: tables."""

from __future__ import annotations

from typing import Any

import click
import msgspec

from lampion.cli.admin.base import (
    ask,
    confirm,
    print_done,
    print_json,
    reason_option,
    sure_option,
    where_options,
)
from lampion.cli.admin.text import print_facts, print_rows, shown, when
from lampion.cli.admin_group import admin
from lampion.server.store.base import SeatKind, TableStatus
from lampion.server.wire import admin as wire


@admin.command()
@click.argument("text", default="")
@click.option("--status", type=click.Choice([str(kind) for kind in TableStatus]), default=None)
@click.option("--game", default=None, help="The name of a game, as `lampion games` lists it.")
@click.option("--limit", "-n", type=click.IntRange(1, 200), default=50, show_default=True)
@click.option("--after", default="", help="Continue the list after this id.")
@where_options
def tables(
    text: str, status: str | None, game: str | None, limit: int, after: str, **where: Any
) -> None:
    """List tables, or search them: TEXT is the beginning of an id or a part of a name.

    \b
    Examples:
      lampion admin tables --status running
      lampion admin tables --game GAME Ada
      lampion admin tables --status quarantined --json
    """
    wanted = TableStatus(status) if status else None
    request = wire.FindTables(text, wanted, game, limit, after)
    found: wire.TableLines = ask(where, "tables", request)
    if where["as_json"]:
        print_json(found.tables)
        return
    print_tables(found.tables, "No such table.")
    if found.more:
        click.echo(f"There are more: add --after {found.tables[-1].id}")


def print_tables(found: list[wire.TableLine], empty: str) -> None:
    rows = [
        (
            row.id,
            row.game,
            row.status,
            "public" if row.public else "private",
            when(row.changed_ms),
            ", ".join(map(_who, row.seats)),
        )
        for row in found
    ]
    print_rows(("TABLE", "GAME", "STATUS", "OPEN TO", "CHANGED", "SEATS"), rows, empty)


def _who(seat: wire.SeatLine) -> str:
    if seat.kind == SeatKind.OPEN:
        return "(open)"
    return f"(bot {seat.level})" if seat.kind == SeatKind.BOT else seat.name or "(deleted)"


@admin.command()
@click.argument("table")
@where_options
def table(table: str, **where: Any) -> None:
    """Show one table: seats, people, clocks, the length of its log. No hands, seeds or chat.

    \b
    Example:
      lampion admin table Vx2mQ9aL0bTe
    """
    found: wire.TableDetails = ask(where, "table", wire.OneTable(table))
    if where["as_json"]:
        print_json(found)
        return
    pace = " ".join(str(value) for value in msgspec.to_builtins(found.pace).values())
    options = ", ".join(f"{name}={value}" for name, value in found.options.items())
    result = found.result
    print_facts(
        [
            ("table", found.id),
            ("game", f"{found.game}, rules version {found.rules_version}"),
            ("status", found.status),
            ("problem", found.problem or "-"),
            ("open to", "everybody" if found.public else "invited people"),
            ("options", options or "-"),
            ("pace", pace),
            ("host", found.host or "-"),
            ("created", when(found.created_ms)),
            ("changed", when(found.changed_ms)),
            ("ply", "-" if found.ply is None else found.ply),
            ("to act", ", ".join(f"seat {seat + 1}" for seat in found.actors) or "-"),
            ("watching", found.watching),
            ("log", f"{found.events} events, {found.chat_lines} lines of chat"),
            ("result", f"{result.reason}, scores {result.scores}" if result else "-"),
            ("rematch of", found.previous_table or "-"),
            ("rematch", found.next_table or "-"),
        ]
    )
    click.echo()
    _print_seats(found.seats)


def _print_seats(seats: list[wire.TableSeat]) -> None:
    rows = [
        (
            seat.seat + 1,
            seat.kind,
            seat.name or "-",
            seat.person or "-",
            seat.level or "-",
            _state(seat),
        )
        for seat in seats
    ]
    print_rows(("SEAT", "KIND", "NAME", "PERSON", "LEVEL", "STATE"), rows, "No seats.")


def _state(seat: wire.TableSeat) -> str:
    states = {
        "here": seat.connected,
        "resigned": seat.resigned,
        "out of time": seat.out_of_time,
        f"bot {seat.stand_in} stands in": seat.stand_in is not None,
    }
    return ", ".join(name for name, holds in states.items() if holds) or "-"


@admin.command()
@click.argument("table")
@reason_option
@where_options
def chat(table: str, reason: str, **where: Any) -> None:
    """Read the chat of a table. For complaints: it needs a reason and is written in the audit log.

    \b
    Example:
      lampion admin chat Vx2mQ9aL0bTe --reason "complaint of 22 August"
    """
    found: wire.ChatTexts = ask(where, "chat", wire.OneTableWithReason(table, reason))
    if where["as_json"]:
        print_json(found.lines)
        return
    rows = [
        (when(line.at_ms), line.person, "-" if line.seat is None else line.seat + 1, line.text)
        for line in found.lines
    ]
    print_rows(("AT", "PERSON", "SEAT", "TEXT"), rows, "Nothing was said.")


@admin.command()
@click.argument("table")
@reason_option
@where_options
def close(table: str, reason: str, **where: Any) -> None:
    """End the game at a table without a result. Its players see that, and keep the record.

    \b
    Example:
      lampion admin close Vx2mQ9aL0bTe --reason "both players asked for it"
    """
    done = ask(where, "close", wire.OneTableWithReason(table, reason))
    print_done(where, done, f"Table {shown(table)} is closed.")


@admin.command()
@click.argument("table")
@reason_option
@sure_option
@where_options
def delete(table: str, reason: str, is_sure: bool, **where: Any) -> None:
    """Delete a table with its log and chat. This cannot be undone.

    \b
    Example:
      lampion admin delete Vx2mQ9aL0bTe --reason "made by a script"
    """
    confirm(is_sure, f"Delete table {shown(table)} with its log and chat for good?")
    done = ask(where, "delete", wire.OneTableWithReason(table, reason))
    print_done(where, done, f"Table {shown(table)} is deleted.")


@admin.command()
@click.argument("table")
@where_options
def retry(table: str, **where: Any) -> None:
    """Read the log of a quarantined table again, after an update say. If it works, play goes on.

    \b
    Examples:
      lampion admin tables --status quarantined
      lampion admin retry Vx2mQ9aL0bTe
    """
    found: wire.Retried = ask(where, "retry", wire.OneTable(table))
    print_done(where, found, f"Table {shown(table)} is back; it is {found.status}.")
