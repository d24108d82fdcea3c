"""What tables publish on the bus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lampion.server.store.base import Event, NewEvent, SpokenLine
from lampion.server.tables.room import Room


@dataclass(frozen=True)
class Loaded:
    """A table was read into memory."""

    room: Room


@dataclass(frozen=True)
class Removed:
    """A table was deleted."""

    room: Room


@dataclass(frozen=True)
class Changed:
    """The log of a table has grown. `is_foreign`: by another process."""

    room: Room
    events: Sequence[NewEvent | Event]
    is_foreign: bool = False


@dataclass(frozen=True)
class Described:
    """Something beside the log changed: a name, a seat, the host, the next table, who is here."""

    room: Room


@dataclass(frozen=True)
class Chatted:
    room: Room
    lines: Sequence[SpokenLine]


@dataclass(frozen=True)
class Attended:
    """Who watches a table in this process has changed."""

    room: Room
