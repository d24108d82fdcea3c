"""A leaderboard as a page of Markdown."""

from __future__ import annotations

import re

from lampion.arena.board import Board
from lampion.arena.ratings import Rating
from lampion.arena.standings import standings
from lampion.core.game import find_game

HEADS = (
    "",
    "entry",
    "bot",
    "Elo",
    "95 %",
    "Elo without luck",
    "95 %",
    "games",
    "failed",
    "seconds a decision",
)


def board_page(board: Board) -> str:
    """The protocol, the standings, and what the next entry will be held to."""
    head = board.head
    title = f"{find_game(head.game).TITLE}, {head.players} players"
    budget = (
        f"{head.iterations} iterations"
        if head.seconds is None
        else f"{head.seconds:g} s of processor time"
    )
    options = ", ".join(f"{name} {value}" for name, value in head.options.items())
    lines = [
        f"# Leaderboard: {title}", "",
        f"{head.deals} deals for each entry, played against every earlier entry from every seat; {budget} a decision"
        f"{f'; {options}' if options else ''}. Rules version {head.rules}.", "",
        *_table(board), "",
        *_tail(board), "",
    ]  # fmt: skip
    return "\n".join(lines)


def _table(board: Board) -> list[str]:
    rows = standings(board.rounds)
    if not rows:
        return ["No two entries have met yet."]
    table = [f"| {' | '.join(HEADS)} |", f"|{'---|' * len(HEADS)}"]
    for number, row in enumerate(rows, 1):
        cells = (
            number, _plain(row.name), f"`{_code(row.spec)}`", *_elo(row.elo), *_elo(row.adjusted),
            row.games, row.failures, f"{row.seconds:.4f}",
        )  # fmt: skip
        table.append(f"| {' | '.join(map(str, cells))} |")
    first = _plain(board.entries[0].name)
    note = (
        f"{first} has 0. Intervals come from resampling deals. *Elo without luck* takes out what chance"
        " gave, as a control variate: it estimates the same strength with less noise."
    )
    return [*table, "", note]


def _plain(name: str) -> str:
    """A name as it is, whatever it means in Markdown or HTML: entrants choose it."""
    return re.sub(r"([\\`*_\[\]()<>&#!~])", r"\\\1", name)


def _code(spec: str) -> str:
    """For a piece of code in a table."""
    return spec.replace("`", "'").replace("|", "¦").replace("\n", " ")


def _elo(rating: Rating) -> tuple[str, str]:
    return f"{rating.elo:+.0f}", f"{rating.low:+.0f} … {rating.high:+.0f}"


def _tail(board: Board) -> list[str]:
    if board.open_round:
        return [f"The games of {_plain(board.open_round.entry.name)} are being played."]
    waiting = board.waiting
    return [f"The seed of the next entry has the hash `{waiting.commitment}`."] if waiting else []
