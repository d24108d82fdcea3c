"""A table in memory, and its watchers."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Iterator, MutableSet
from dataclasses import dataclass, field
from typing import Any, Protocol

from lampion.server.tables.table import Table


@dataclass(frozen=True)
class Viewer:
    """On whose behalf a table is looked at."""

    person: str | None = None
    is_invited: bool = False
    """Whether the viewer knows the invitation of the table."""


NO_ONE = Viewer()


class Watcher(Protocol):
    """A socket or a stream that follows a table."""

    @property
    def viewer(self) -> Viewer: ...

    @property
    def folds(self) -> bool:
        """Whether it needs no view where events tell how the last one changes."""

    def offer(self, message: bytes) -> None: ...


class Watchers(MutableSet[Watcher]):
    """Who follows a table. Thousands may, and every one that comes or goes is counted: so the
    people among them are counted here, not looked for again each time."""

    def __init__(self) -> None:
        self._all: set[Watcher] = set()
        self._people: Counter[str | None] = Counter()
        self._hidden: set[Watcher] = set()
        self._people_hidden: Counter[str | None] = Counter()

    def __contains__(self, watcher: object) -> bool:
        return watcher in self._all

    def __iter__(self) -> Iterator[Watcher]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def add(self, watcher: Watcher) -> None:
        if watcher not in self._all:
            self._all.add(watcher)
            self._people[watcher.viewer.person] += 1

    def discard(self, watcher: Watcher) -> None:
        self.hide(watcher, False)
        if watcher in self._all:
            self._all.discard(watcher)
            self._people[watcher.viewer.person] -= 1
            if not self._people[watcher.viewer.person]:
                del self._people[watcher.viewer.person]

    def hide(self, watcher: Watcher, is_hidden: bool = True) -> None:
        """Nobody looks at that page, or a viewer does again."""
        if watcher in self._all and is_hidden != (watcher in self._hidden):
            (self._hidden.add if is_hidden else self._hidden.discard)(watcher)
            self._people_hidden[watcher.viewer.person] += 1 if is_hidden else -1

    def away(self, people: Iterable[str]) -> frozenset[str]:
        """Those of these people who are here with pages that nobody looks at, and with no other."""
        return frozenset(
            person
            for person in self.present(people)
            if self._people_hidden[person] >= self._people[person]
        )

    def count_of(self, people: Iterable[str]) -> int:
        """How many watch on behalf of these people."""
        return sum(self._people[person] for person in people if person in self._people)

    def present(self, people: Iterable[str]) -> frozenset[str]:
        """Those of these people who are here."""
        return frozenset(person for person in people if person in self._people)


@dataclass(eq=False)
class Room:
    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: Watchers = field(default_factory=Watchers)
    told: int = 0
    """The number of the last event of which the watchers have been told."""
    published: int = 0
    """The ply up to which the watchers know the game."""
    shown: dict[int | None, dict[str, Any]] = field(default_factory=dict)
    """The views of watched seats (None for spectators) at that ply."""
    is_broken: bool = False
    """The table may differ from its log, and is read again before it is used."""
    touched: float = field(default_factory=time.monotonic)

    def connected(self) -> frozenset[str]:
        """The people with a seat who are here."""
        return self.watchers.present(self.table.people)

    def away(self) -> frozenset[str]:
        """Those of them who look at none of their pages."""
        return self.watchers.away(self.table.people)

    @property
    def num_spectators(self) -> int:
        return len(self.watchers) - self.watchers.count_of(self.table.people)
