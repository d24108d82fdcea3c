"""`lampion admin`: people, bans and mutes."""

from __future__ import annotations

from typing import Any, Literal

import click

from lampion.cli.admin.base import (
    ask,
    confirm,
    print_done,
    print_json,
    reason_option,
    sure_option,
    where_options,
)
from lampion.cli.admin.tables import print_tables
from lampion.cli.admin.text import date, length, print_facts, print_rows, shown, when, yes
from lampion.cli.admin_group import admin
from lampion.server.wire import admin as wire

length_option = click.option(
    "--for", "seconds", type=length, default=None, help="Such as 30m, 2h, 7d or 4w."
)
until_option = click.option(
    "--until", type=date, default=None, help="Such as 2026-12-31 or 2026-12-31T18:00."
)


@admin.command()
@click.argument("text", default="")
@click.option("--limit", "-n", type=click.IntRange(1, 200), default=50, show_default=True)
@click.option("--after", default="", help="Continue the list after this id.")
@where_options
def people(text: str, limit: int, after: str, **where: Any) -> None:
    """List people, or search them: TEXT is the beginning of an id or a part of a name.

    \b
    Examples:
      lampion admin people Ada
      lampion admin people -n 200 --json
    """
    found: wire.PersonLines = ask(where, "people", wire.FindPeople(text, limit, after))
    if where["as_json"]:
        print_json(found.people)
        return
    rows = [
        (row.id, row.name, when(row.created_ms), when(row.seen_ms), yes(row.banned), yes(row.muted))
        for row in found.people
    ]
    heads = ("PERSON", "NAME", "CREATED", "SEEN", "BANNED", "MUTED")
    print_rows(heads, rows, "No such person.")
    if found.more:
        click.echo(f"There are more: add --after {found.people[-1].id}")


@admin.command()
@click.argument("person")
@where_options
def person(person: str, **where: Any) -> None:
    """Show one person: tables, bans and mutes, and the address they were last seen at.

    The address is known only while the server remembers it; it is not stored.

    \b
    Example:
      lampion admin person qD3kVb0a-T1x
    """
    found: wire.PersonDetails = ask(where, "person", wire.OnePerson(person))
    if where["as_json"]:
        print_json(found)
        return
    print_facts(
        [
            ("person", found.id),
            ("name", found.name),
            ("created", when(found.created_ms)),
            ("seen", when(found.seen_ms)),
            ("address", found.address or "not known"),
        ]
    )
    click.echo()
    print_tables(found.tables, "No tables.")
    click.echo()
    print_sanctions(found.sanctions, "No bans or mutes.")


@admin.command("delete-person")
@click.argument("person")
@reason_option
@sure_option
@where_options
def delete_person(person: str, reason: str, is_sure: bool, **where: Any) -> None:
    """Delete a person: name, keys, chat. Bots finish their games. This cannot be undone.

    \b
    Example:
      lampion admin delete-person qD3kVb0a-T1x --reason "asked for it by mail"
    """
    confirm(is_sure, f"Delete person {shown(person)} for good?")
    done = ask(where, "delete-person", wire.OnePersonWithReason(person, reason))
    print_done(where, done, f"Person {shown(person)} is deleted.")


# --- bans and mutes ---


@admin.command()
@click.argument("subject", metavar="PERSON_OR_ADDRESS")
@reason_option
@length_option
@until_option
@where_options
def ban(subject: str, reason: str, seconds: int | None, until: int | None, **where: Any) -> None:
    """Ban a person or an address. They are shown the reason.

    An IPv6 address stands for its /64. Without --for and --until it holds until it is lifted.

    \b
    Examples:
      lampion admin ban qD3kVb0a-T1x --reason "insults" --for 7d
      lampion admin ban 203.0.113.7 --reason "floods the server" --until 2026-12-31
    """
    _sanction("ban", subject, reason, seconds, until, where)


@admin.command()
@click.argument("subject", metavar="PERSON_OR_ADDRESS")
@reason_option
@length_option
@until_option
@where_options
def mute(subject: str, reason: str, seconds: int | None, until: int | None, **where: Any) -> None:
    """Let a person or an address play, but not chat. The reason is shown to them.

    \b
    Example:
      lampion admin mute qD3kVb0a-T1x --reason "spam in the chat" --for 2d
    """
    _sanction("mute", subject, reason, seconds, until, where)


def _sanction(
    what: Literal["ban", "mute"],
    subject: str,
    reason: str,
    seconds: int | None,
    until: int | None,
    where: dict[str, Any],
) -> None:
    request = wire.NewSanction(what, subject, reason, seconds, until)
    found: wire.SanctionLine = ask(where, "sanction", request)
    verb = {"ban": "banned", "mute": "muted"}[what]
    end = when(found.until_ms, "it is lifted")
    sentence = (
        f"{shown(found.subject)} is {verb} until {end}. To undo: lampion admin lift {found.id}"
    )
    print_done(where, found, sentence)


@admin.command()
@click.argument("sanction")
@where_options
def lift(sanction: str, **where: Any) -> None:
    """Lift a ban or a mute.

    \b
    Examples:
      lampion admin sanctions
      lampion admin lift 5f0c9a1e
    """
    done = ask(where, "lift", wire.Lift(sanction))
    print_done(where, done, f"{shown(sanction)} is lifted.")


@admin.command()
@click.argument("subject", metavar="[PERSON_OR_ADDRESS]", required=False)
@click.option("--all", "over", is_flag=True, help="Include expired and lifted ones.")
@where_options
def sanctions(subject: str | None, over: bool, **where: Any) -> None:
    """List bans and mutes.

    \b
    Examples:
      lampion admin sanctions
      lampion admin sanctions qD3kVb0a-T1x --all
    """
    found: wire.SanctionLines = ask(where, "sanctions", wire.FindSanctions(subject, over))
    if where["as_json"]:
        print_json(found.sanctions)
        return
    print_sanctions(found.sanctions, "No bans or mutes.")


def print_sanctions(found: list[wire.SanctionLine], empty: str) -> None:
    rows = [
        (row.id, row.what, row.subject, when(row.created_ms), _end(row), row.reason)
        for row in found
    ]
    print_rows(("ID", "WHAT", "SUBJECT", "SINCE", "UNTIL", "REASON"), rows, empty)


def _end(row: wire.SanctionLine) -> str:
    return f"lifted {when(row.lifted_ms)}" if row.lifted_ms else when(row.until_ms, "lifted")
