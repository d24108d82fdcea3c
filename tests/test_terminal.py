"""What commands show: aligned tables, pages of the rulebook, colors and bars on terminals only."""

from __future__ import annotations

import os
import subprocess
import sys

import click
import pytest

from lampion.terminal import page, table

BAR = "from lampion.terminal import progress\nwith progress('Playing', 2) as advance: advance(1)"
RED = "import click; from lampion.terminal import show; show(click.style('K', fg='red'))"


def test_numbers_stand_to_the_right_and_texts_to_the_left() -> None:
    shown = click.unstyle(table(("bot", "Elo"), [("greedy", "+417"), ("random", "-5")]))
    assert shown.splitlines() == [
        "bot      Elo",
        "──────  ────",
        "greedy  +417",
        "random    -5",
    ]


def test_styled_cells_are_as_wide_as_they_look() -> None:
    bold = click.style("ab", bold=True)
    assert click.unstyle(table(("x", "y"), [(bold, "c"), ("abc", "d")])).endswith("ab   c\nabc  d")


def test_a_page_shows_headings_lists_tables_and_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    markdown = """### L9 · Tiles

Place **one** tile, see
[the rules](rules.md) and `17r1@2,-1`.

- a long item that does not fit in
  one line;
- another

| Players | Tiles |
|---|---|
| 2 | 22 |
"""
    assert click.unstyle(page(markdown)).split("\n\n") == [
        "L9 · Tiles",
        "Place one tile, see the\nrules and 17r1@2,-1.",
        "- a long item that does not\n  fit in one line;\n- another",
        "Players  Tiles\n───────  ─────\n      2     22",
    ]


def on_terminal(code: str, **variables: str) -> str:
    """What a program writes to a terminal, results and notes."""
    ours, its = os.openpty()
    kept = {name: text for name, text in os.environ.items() if name != "NO_COLOR"}
    environment = kept | {"TERM": "xterm", **variables}
    subprocess.run(
        [sys.executable, "-c", code], stdin=its, stdout=its, stderr=its, env=environment, check=True
    )
    os.close(its)
    written = os.read(ours, 10_000).decode()
    os.close(ours)
    return written


needs_terminals = pytest.mark.skipif(sys.platform == "win32", reason="no terminals to be had")


@needs_terminals
def test_colors_are_for_terminals_and_no_color_turns_them_off() -> None:
    assert "\x1b[31m" in on_terminal(RED)
    assert on_terminal(RED, NO_COLOR="1").strip() == "K"
    assert on_terminal(RED, TERM="dumb").strip() == "K"
    piped = subprocess.run([sys.executable, "-c", RED], capture_output=True, text=True, check=True)
    assert piped.stdout == "K\n"


@needs_terminals
def test_a_bar_is_drawn_on_terminals_and_taken_away_in_the_end() -> None:
    drawn = on_terminal(BAR)
    assert "Playing" in drawn
    assert "1/2" in drawn
    assert drawn.endswith("\x1b[A\x1b[2K\r")
    piped = subprocess.run([sys.executable, "-c", BAR], capture_output=True, text=True, check=True)
    assert piped.stdout + piped.stderr == ""
