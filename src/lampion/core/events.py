"""What happened, told whole: the trail that the rules wrote becomes events that say what moved,
from where, to where, how much, and why, and how the view of a seat changes with it.

    fold(view before, events) == view after        for every seat, and backwards (see `core.fold`)

A game's function `events` tells one trail to a `Telling`. What can be derived from a position (free
places, whose turn it is, scores as they stand) is no event's business: views mark such fields as
`derived`, and one closing event `facts` carries them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from lampion.core.fold import Change, changed, differences
from lampion.core.record import Record
from lampion.core.types import SPECTATOR, Action, Json, Player

if TYPE_CHECKING:
    from lampion.core.game import Game
    from lampion.core.log import Entry
    from lampion.core.match import Match

AnyEvent: TypeAlias = dict[str, Json]


class Telling:
    """A view of one seat that follows the events while they are told. Without a view, events are
    told without `changes`."""

    def __init__(self, start: Record, view: Mapping[str, Json] | None = None) -> None:
        self.start: Any = start
        """The state before the first outcome of chance: the pieces of the match."""
        self.action: Action | None = None
        """The action that is told, if the seat may know it: its number holds what is secret."""
        self._view: Json = view
        self._pending: list[Change] = []
        self._changes: list[Change] = []

    @property
    def view(self) -> Json:
        """The view after everything told so far."""
        for change in self._pending:
            self._view = changed(self._view, change)
        self._pending = []
        return self._view

    def follow(self, view: Mapping[str, Json]) -> None:
        """Go on from another view."""
        self._view, self._pending = view, []

    def event(self, event: AnyEvent) -> AnyEvent:
        """An event with all changes since the last one."""
        if self._view is None:
            return event
        event["changes"], self._changes = self._changes, []
        return event

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
        elements = self.at(*path) or ()
        return next((k for k, element in enumerate(elements) if element[key] == value), -1)

    def take(self, key: str, value: Json, *path: str | int) -> None:
        """Remove the element with that value from a list."""
        if (index := self.find(key, value, *path)) >= 0:
            self.remove(index, *path)

    def at(self, *path: str | int) -> Json:
        """What the view shows at a path; None without a view."""
        part = self.view
        for key in path if part is not None else ():
            part = part[key]
        return part

    def _change(self, change: Change) -> None:
        self._pending.append(change)
        self._changes.append(change)


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
    is_known = entry.action >= 0 and entry.may_be_read_by(seat)
    telling.action = entry.action if is_known else None
    return game.events(entry.trail, telling)


def news(
    match: Match, seat: Player, before: Mapping[str, Json], after: Mapping[str, Json]
) -> list[list[AnyEvent]]:
    """The events of each log entry that leads from one view of a seat to another. The last ones
    close with the facts."""
    telling, steps = Telling(match.start, before), []
    for ply in range(int(before["ply"]), int(after["ply"])):
        events = told(match.game, telling, match.log[ply], seat)
        if match.log[ply].is_undo:
            is_last = ply + 1 == int(after["ply"])
            earlier = after if is_last else match.at(ply + 1).view(seat)
            events[0]["changes"] = list(differences(telling.view, earlier))
            telling.follow(earlier)
        steps.append(events)
    if steps and (facts := closing_facts(telling.view, after)):
        steps[-1].append(facts)
    return steps


def closing_facts(folded: Mapping[str, Json], after: Mapping[str, Json]) -> AnyEvent | None:
    """What changed besides: all that can be derived from the position."""
    changes = list(differences(folded, after))
    return {"event": "facts", "changes": changes} if changes else None


def last_events(match: Match, seat: Player = SPECTATOR) -> list[AnyEvent]:
    """What the last log entry did, with all changes of a seat's view."""
    return news(match, seat, match.at(match.ply - 1).view(seat), match.view(seat))[-1]
