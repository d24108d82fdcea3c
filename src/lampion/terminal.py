"""What commands show in a terminal: results, notes, tables, progress, pages of Markdown.

Results go to standard output and everything else to standard error. Colors and bars appear on
terminals only; NO_COLOR turns colors off there, too.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import click

MOST_COLUMNS = 100
_ERASE_LINE_ABOVE = "\x1b[A\x1b[2K\r"
_NUMBER = re.compile(r"[-+×]?\s*[0-9].*|-?")
_LIST_ITEM = re.compile(r"(\s*(?:[-*]|[0-9]+\.)\s+)(.*)", re.DOTALL)
_RULER = re.compile(r"\|[-:| ]+\|")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]+\)")
_MARKED = re.compile(r"`(?P<code>[^`]+)`|\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*", re.DOTALL)


def show(text: str) -> None:
    """Print a result."""
    click.echo(text, color=_color())


def note(text: str) -> None:
    """Print what is not a result."""
    click.echo(text, err=True, color=_color())


def _color() -> bool | None:
    """False: never; None: click finds out whether there is a terminal."""
    return False if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" else None


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on standard error that is gone when the work is done; call what it gives after each
    piece of work, with the number of steps. Shows nothing where standard error is no terminal."""
    hidden = not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"
    bar = click.progressbar(
        length=total, label=label, file=sys.stderr, hidden=hidden, show_pos=True
    )
    try:
        with bar:
            yield bar.update
    finally:
        if not hidden:
            click.echo(_ERASE_LINE_ABOVE, err=True, nl=False)


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Columns side by side, numbers to the right, below a line with the heads."""
    cells = [list(row) for row in rows]
    columns = list(zip(heads, *cells, strict=True))
    widths = [max(_width(cell) for cell in column) for column in columns]
    to_the_right = [all(_NUMBER.fullmatch(cell) for cell in column[1:]) for column in columns]

    def line(row: Sequence[str]) -> str:
        padded = (
            " " * (width - _width(cell)) + cell if right else cell + " " * (width - _width(cell))
            for cell, width, right in zip(row, widths, to_the_right, strict=True)
        )
        return "  ".join(padded).rstrip()

    ruler = "  ".join("─" * width for width in widths)
    return "\n".join([click.style(line(heads), bold=True), ruler, *map(line, cells)])


def _width(cell: str) -> int:
    return len(click.unstyle(cell))


# --- Markdown ---


def page(markdown: str) -> str:
    """Markdown for a terminal, as far as rulebooks use it: headings, paragraphs, lists, tables."""
    width = min(shutil.get_terminal_size().columns, MOST_COLUMNS)
    return "\n\n".join(_block(block, width) for block in re.split(r"\n\s*\n", markdown.strip()))


def _block(block: str, width: int) -> str:
    lines = block.splitlines()
    if block.startswith("#"):
        level, _, title = block.partition(" ")
        return click.style(title, bold=True, underline=len(level) < 3 or None)
    if block.startswith("|"):
        heads, *rows = [_cells(line) for line in lines if not _RULER.fullmatch(line.strip())]
        return table(heads, rows)
    return "\n".join(_wrapped(paragraph, width) for paragraph in _paragraphs(lines))


def _cells(line: str) -> list[str]:
    return [_styled(cell.strip()) for cell in line.strip().strip("|").split("|")]


def _paragraphs(lines: Sequence[str]) -> list[str]:
    """The lines put together, but for the items of a list, each of which starts a new line."""
    found: list[str] = []
    for line in lines:
        if found and not _LIST_ITEM.match(line):
            found[-1] += f"\n{line.strip()}"
        else:
            found.append(line)
    return found


def _wrapped(paragraph: str, width: int) -> str:
    item = _LIST_ITEM.fullmatch(paragraph)
    bullet, words = (item[1], item[2]) if item else ("", paragraph)
    # Marks count as letters here, so a line with some is a little shorter than it might be.
    wrapped = textwrap.fill(
        _LINK.sub(r"\1", words),
        width,
        initial_indent=bullet,
        subsequent_indent=" " * len(bullet),
        break_long_words=False,
        break_on_hyphens=False,
    )
    return _styled(wrapped, len(bullet))


def _styled(text: str, start: int = 0) -> str:
    return text[:start] + _MARKED.sub(_style, text[start:])


def _style(found: re.Match[str]) -> str:
    if code := found["code"]:
        return click.style(code, fg="cyan")
    if bold := found["bold"]:
        return click.style(bold, bold=True)
    return click.style(found["italic"], italic=True)
