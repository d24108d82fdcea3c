"""What `lampion admin` reads and prints: lengths of time, dates, tables of text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

import click

_UNITS = {"m": 60, "h": 3600, "d": 24 * 3600, "w": 7 * 24 * 3600}
_LENGTH = re.compile(r"([1-9][0-9]{0,5})([mhdw])", re.ASCII)
MEGABYTE = 1024 * 1024


def length(text: str) -> int:
    """30m, 2h, 7d, 4w, in seconds."""
    found = _LENGTH.fullmatch(text)
    if not found:
        raise click.BadParameter(f"{text[:40]!r} is not a length of time such as 30m, 2h, 7d or 4w")
    return int(found[1]) * _UNITS[found[2]]


def date(text: str) -> int:
    """2026-12-31 or 2026-12-31T18:00 in milliseconds; local time unless it says otherwise."""
    try:
        return int(datetime.fromisoformat(text).timestamp() * 1000)
    except (ValueError, OverflowError):
        message = f"{text[:40]!r} is not a date such as 2026-12-31 or 2026-12-31T18:00"
        raise click.BadParameter(message) from None


def shown(text: object) -> str:
    """Nothing that a player wrote may steer the terminal."""
    return "".join(sign if sign.isprintable() else "?" for sign in str(text))


def when(ms: int | None, otherwise: str = "-") -> str:
    """In local time, to the minute."""
    if ms is None:
        return otherwise
    return datetime.fromtimestamp(ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")


def yes(holds: bool, word: str = "yes") -> str:
    return word if holds else "-"


def print_rows(heads: Sequence[str], rows: Sequence[Sequence[object]], empty: str) -> None:
    """Columns side by side; one line for each row, whatever the width of the terminal."""
    if not rows:
        click.echo(empty)
        return
    texts = [list(heads), *([shown(cell) for cell in row] for row in rows)]
    widths = [max(len(row[place]) for row in texts) for place in range(len(heads))]
    for row in texts:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())


def print_facts(facts: Sequence[tuple[str, object]]) -> None:
    width = max(len(name) for name, _ in facts)
    for name, fact in facts:
        click.echo(f"{name.ljust(width)}  {shown(fact)}")
