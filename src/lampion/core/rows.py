"""Rows of trails that are told alike. Most of what happens follows from its row alone, such as a
card that goes to a player: its events are written once, for all seats and matches.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from lampion.core.derived import Derived, is_in
from lampion.core.events import AnyEvent, Telling
from lampion.core.fold import Change
from lampion.core.game import Game
from lampion.core.position import Trail

_encode = msgspec.json.Encoder().encode
Row: TypeAlias = tuple[int, ...]


class Written:
    """What one row of a trail tells."""

    __slots__ = ("_encoded", "_touched", "changes", "events")

    def __init__(self, events: list[AnyEvent]) -> None:
        self.events = events
        self.changes: list[Change] = [change for event in events for change in event["changes"]]
        self._encoded: list[bytes] | None = None
        self._touched: frozenset[str] | None = None

    @property
    def encoded(self) -> list[bytes]:
        """The events as JSON."""
        if self._encoded is None:
            self._encoded = [_encode(event) for event in self.events]
        return self._encoded

    def touched(self, derived: Mapping[str, Derived]) -> frozenset[str]:
        """The keys of the view below which they change something derived, or what holds it."""
        if self._touched is None:
            paths = [change[1] for change in self.changes]
            self._touched = frozenset([path[0] for path in paths if is_in(derived, path)])
        return self._touched


Rows: TypeAlias = dict[Row, Written]
MOST_ROWS = 4096
_rows: dict[str, Rows] = {}


def known_rows(game: Game) -> Rows:
    """What is told alike in all matches of a game, with changes of a view. It is shared: not for
    changing."""
    rows = _rows.setdefault(game.NAME, {})
    if len(rows) > MOST_ROWS:
        rows.clear()
    return rows


def told_rows(game: Game, telling: Telling, trail: Trail, rows: Rows) -> list[Written]:
    """What each row of a trail tells. Where that follows from the row alone, it is kept in `rows`
    and taken from there: most of what happens is of that kind, such as a card for a player."""
    found = []
    for number, row in enumerate(map(tuple, trail.tolist())):
        written = rows.get(row)
        if written is not None:
            telling.again(written.changes)
        else:
            telling.has_looked = False
            events = game.events(trail[number : number + 1], telling)
            written = Written(events)
            if not telling.has_looked:
                rows[row] = written
        found.append(written)
    return found
