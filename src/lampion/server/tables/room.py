"""A table in memory, and its watchers."""

from __future__ import annotations

import asyncio
import time
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


@dataclass(eq=False)
class Room:
    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[Watcher] = field(default_factory=set)
    published: int = 0
    """The ply up to which the watchers know the game."""
    shown: dict[int | None, dict[str, Any]] = field(default_factory=dict)
    """The views of watched seats (None for spectators) at that ply."""
    is_broken: bool = False
    """The table may differ from its log, and is read again before it is used."""
    touched: float = field(default_factory=time.monotonic)

    def connected(self) -> set[str]:
        return {watcher.viewer.person for watcher in self.watchers if watcher.viewer.person}

    @property
    def num_spectators(self) -> int:
        return sum(not self.table.seats_of(watcher.viewer.person) for watcher in self.watchers)
