"""What happened, told whole: the trail that the rules wrote becomes events that say what moved,
from where, to where, how much, and why, and how the view of a seat changes with it.

    fold(view before, events) == view after        for every seat, and backwards (see `core.fold`)

A game's function `events` tells one trail to a `Telling`. What can be derived from a position (free
places, whose turn it is, scores as they stand) is no event's business: views mark such fields as
`derived`, and one closing event `facts` carries them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from lampion.core.fold import Change, changed_value, folded, value_at
from lampion.core.record import Record
from lampion.core.types import Action, Json, Player

if TYPE_CHECKING:
    from lampion.core.game import Game
    from lampion.core.log import Entry

T = TypeVar("T")
AnyEvent: TypeAlias = dict[str, Json]
"""An event of any game; the types of a game are in its `view_types`."""


class Telling:
    """A view of one seat that follows the events while they are told. Without a view, events are
    told without `changes`.

    It notes whether what is told depends on the match: an event that follows from its row alone is
    the same for everybody, always (see `core.rows`).
    """

    def __init__(self, start: Record, view: Mapping[str, Json] | None = None) -> None:
        self.has_looked = False
        """Whether a writer has asked for more than its row since this was last set to false."""
        self.looked_at: list[tuple[str | int, ...]] = []
        """The paths of the view that decided what was told."""
        self._start = start
        self._made: dict[Callable[[Any], Any], Any] = {}
        """Results of `from_pieces`, by function."""
        self._action: Action | None = None
        self._view: Json = view
        self._parts: dict[str, Json] = {}
        """What has been folded so far, by the first key of a path."""
        self._waiting: dict[str, list[Change]] = {}
        """The changes that are not yet folded, by the same. Most are never needed again."""
        self._copied: dict[int, Json] = {}
        """The parts of the view that are this telling's own, by `id`: changed in place, where
        `fold.changed` would copy them again for every change."""
        self._changes: list[Change] = []
        """Those since the last event."""
        self._unsorted: list[Change] = []
        """Those that are not even in `_waiting`: after events that were written before, nobody looks
        in most cases."""

    @property
    def start(self) -> Any:
        """The state before the first outcome of chance: the pieces of the match."""
        self.has_looked = True
        return self._start

    def from_pieces(self, make: Callable[[Any], T]) -> T:
        """The result of `make` for the start, computed once for all events."""
        self.has_looked = True
        if make not in self._made:
            self._made[make] = make(self._start)
        made: T = self._made[make]
        return made

    @property
    def action(self) -> Action | None:
        """The action that is told, if the seat may know it: its number holds what is secret."""
        self.has_looked = True
        return self._action

    @action.setter
    def action(self, action: Action | None) -> None:
        self._action = action

    def follow(self, view: Mapping[str, Json]) -> None:
        """Go on from another view."""
        self._view, self._parts, self._waiting, self._copied = view, {}, {}, {}
        self._changes, self._unsorted = [], []

    def event(self, event: AnyEvent) -> AnyEvent:
        """An event with all changes since the last one."""
        if self._view is None:
            return event
        event["changes"], self._changes = self._changes, []
        return event

    def again(self, changes: list[Change]) -> None:
        """Follow events that were written before, by their changes."""
        self._unsorted += changes

    # --- changes. A value that the seat does not see (null in its view) does not change for it. ---

    def add(self, n: int, *path: str | int) -> None:
        if n and self._view is not None:
            self._change(["add", [*path], n])

    def set(self, value: Json, *path: str | int) -> None:
        if self._view is not None and (before := self.at(*path)) != value:
            self._change(["set", [*path], before, value])

    def append(self, value: Json, *path: str | int) -> None:
        if (elements := self.at(*path)) is not None:
            self._change(["insert", [*path], len(elements), value])

    def put(self, value: Json, key: str, *path: str | int) -> None:
        """Insert an element into a list that is kept in the order of a key."""
        if (elements := self.at(*path)) is not None:
            before = sum(element[key] < value[key] for element in elements)
            self._change(["insert", [*path], before, value])

    def insert(self, index: int, value: Json, *path: str | int) -> None:
        if self.at(*path) is not None:
            self._change(["insert", [*path], index, value])

    def remove(self, index: int, *path: str | int) -> None:
        if (elements := self.at(*path)) is not None:
            self._change(["remove", [*path], index, elements[index]])

    def find(self, key: str, value: Json, *path: str | int) -> int:
        """The index of the element with that value, or -1 if the seat sees none."""
        for index, element in enumerate(self.at(*path) or ()):
            if element[key] == value:
                return index
        return -1

    def take(self, key: str, value: Json, *path: str | int) -> None:
        """Remove the element with that value from a list."""
        for index, element in enumerate(self.at(*path) or ()):
            if element[key] == value:
                self._change(["remove", [*path], index, element])
                return

    def at(self, *path: str | int) -> Json:
        """What the view shows at a path; None without a view."""
        self.has_looked = True
        if self._view is None:
            return None
        if self._unsorted:
            self._sort()
        key = str(path[0])
        if key not in self._parts and key not in self._waiting:
            self.looked_at.append(path)
            return value_at(self._view, path)
        if key in self._parts:
            self._fold(key)
        elif key in self._waiting:
            met = _meeting(self._waiting[key], [*path])
            if met is not None:
                self.looked_at.append(path)
                value = value_at(self._view, path)
                return folded(value, met, len(path)) if met else value
            self._fold(key)
        self.looked_at.append((key,) if key in self._parts else path)
        return value_at(self._parts if key in self._parts else self._view, path)

    def _change(self, change: Change) -> None:
        if self._unsorted:
            self._sort()
        self._changes.append(change)
        self._waiting.setdefault(change[1][0], []).append(change)

    def _sort(self) -> None:
        for change in self._unsorted:
            self._waiting.setdefault(change[1][0], []).append(change)
        self._unsorted.clear()

    def _fold(self, key: str) -> None:
        for change in self._waiting.pop(key, ()):
            self._apply(change)

    def _apply(self, change: Change) -> None:
        _, path, *values = change
        if any(type(value) in (dict, list) for value in values):
            self._copied = {}  # parts of the view may be in the change now, which must stay
        part: Json = self._parts
        part.setdefault(path[0], self._view[path[0]])
        for key in path[:-1]:
            part[key] = part = self._own(part[key])
        part[path[-1]] = changed_value(part[path[-1]], change)

    def _own(self, part: Json) -> Json:
        if id(part) not in self._copied:
            part = part.copy()
            self._copied[id(part)] = part
        return part


def _meeting(changes: list[Change], path: list[str | int]) -> list[Change] | None:
    """The changes of what is at a path, or of a part of it. None if there is one of what it is part
    of."""
    length, found = len(path), []
    for change in changes:
        other = change[1]
        if len(other) < length:
            if path[: len(other)] == other:
                return None
        elif other[:length] == path:
            found.append(change)
    return found


Writer: TypeAlias = Callable[[Telling, Player, int, int, int, int], AnyEvent]
"""Tells one row of a trail behind its cause: player, what, x, y, count (see `core.trail`)."""


def move(
    cause: str, player: Player, what: str, origin: str, target: str, count: int = 1
) -> AnyEvent:
    """Something goes from one place to another."""
    return {
        "event": "move",
        "cause": cause,
        "player": player,
        "what": what,
        "from": origin,
        "to": target,
        "count": count,
    }


def event_kind(event: Mapping[str, Json]) -> str:
    """What tells events apart: the cause of a movement, the name of any other."""
    return str(event.get("cause", event["event"]))


# --- the events of a match ------------------------------------------------------------------------


def told(game: Game, telling: Telling, entry: Entry, seat: Player) -> list[AnyEvent]:
    """What a log entry did, for a seat."""
    if entry.is_undo:
        return [{"event": "undone", "to": entry.undone_from}]
    telling.action = entry.known_action(seat)
    return game.events(entry.trail, telling)
