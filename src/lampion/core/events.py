"""What happened, told whole: the trail that the rules wrote becomes events that say what moved,
from where, to where, how much, and why, and how the view of a seat changes with it.

    fold(view before, events) == view after        for every seat, and backwards (see `core.fold`)

A game's function `events` tells one trail to a `Telling`. What can be derived from a position (free
places, whose turn it is, scores as they stand) is no event's business: views mark such fields as
`derived`, and one closing event `facts` carries them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from lampion.core.fold import Change, changed_value, differences
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
        self._copied: dict[int, Json] = {}
        """The parts of the view that are this telling's own, by `id`: changed in place, where
        `fold.changed` would copy them again for every change."""
        self._pending: list[Change] = []
        self._changes: list[Change] = []

    @property
    def view(self) -> Json:
        """The view after everything told so far."""
        for change in self._pending:
            self._apply(change)
        self._pending = []
        return self._view

    def _apply(self, change: Change) -> None:
        _, path, *values = change
        if any(type(value) in (dict, list) for value in values):
            self._copied = {}  # parts of the view may be in the change now, which must stay
        self._view = part = self._own(self._view)
        for key in path[:-1]:
            part[key] = part = self._own(part[key])
        part[path[-1]] = changed_value(part[path[-1]], change)

    def _own(self, part: Json) -> Json:
        if id(part) not in self._copied:
            part = part.copy()
            self._copied[id(part)] = part
        return part

    def follow(self, view: Mapping[str, Json]) -> None:
        """Go on from another view."""
        self._view, self._pending, self._copied = view, [], {}

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
        is_changed = any(change[1][0] == path[0] for change in self._pending)
        part = self.view if is_changed else self._view
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
            events[0]["changes"] = differences(telling.view, earlier)
            telling.follow(earlier)
        steps.append(events)
    return _with_facts(steps, differences(telling.view, after))


class Watched(NamedTuple):
    """What a seat saw before, and sees now."""

    seat: Player
    before: Mapping[str, Json]
    after: Mapping[str, Json]


def news_for_all(match: Match, watched: Sequence[Watched]) -> list[list[list[AnyEvent]]]:
    """The `news` of several seats. Most of what happens is public, so most seats are told what
    another one was told."""
    found: list[list[list[AnyEvent]]] = []
    told: list[tuple[Watched, list[list[AnyEvent]]]] = []
    for one in watched:
        alike = (_as_told_to(match, one, other, events) for other, events in told)
        events = next((events for events in alike if events is not None), None)
        if events is None:
            events = news(match, *one)
            told.append((one, events))
        found.append(events)
    return found


def _as_told_to(
    match: Match, one: Watched, other: Watched, events: list[list[AnyEvent]]
) -> list[list[AnyEvent]] | None:
    """The news of a seat, made from those of another; None where something private happened to
    either (or may have: what an undo brings back can leave again in the same breath). Views that
    were made together share what is public, so `is` finds most of it."""
    if one.before["ply"] != other.before["ply"]:
        return None
    entries = match.log[int(one.before["ply"]) : int(one.after["ply"])]
    if any(
        e.is_undo or e.may_be_read_by(one.seat) != e.may_be_read_by(other.seat) for e in entries
    ):
        return None
    steps, facts = _without_facts(events)
    changes = [change for step in steps for event in step for change in event.get("changes", ())]
    moved = {change[1][0] for change in changes}
    own_facts = []
    for key, value in one.after.items():  # in the order in which `differences` tells them
        before, its_before, its_value = one.before[key], other.before[key], other.after[key]
        is_shared = before is its_before and value is its_value
        if key in moved and not is_shared:
            apart = _apart(before, its_before, (key,))
            if apart != _apart(value, its_value, (key,)) or _reaches(changes + facts, apart):
                return None
        if key in moved or is_shared:
            own_facts += [change for change in facts if change[1][0] == key]
        else:
            own_facts += differences({key: before}, {key: value})
    return _with_facts(steps, own_facts)


def _without_facts(steps: list[list[AnyEvent]]) -> tuple[list[list[AnyEvent]], list[Change]]:
    """News without their closing event, and the changes in it."""
    if steps and steps[-1] and steps[-1][-1]["event"] == "facts":
        return [*steps[:-1], steps[-1][:-1]], steps[-1][-1]["changes"]
    return steps, []


def _with_facts(steps: list[list[AnyEvent]], changes: list[Change]) -> list[list[AnyEvent]]:
    if not steps or not changes:
        return steps
    return [*steps[:-1], [*steps[-1], {"event": "facts", "changes": changes}]]


def _reaches(changes: list[Change], apart: list[Json]) -> bool:
    """Whether a change holds or touches a part that two views do not share."""
    for _, path, *_ in changes:
        for private, *_ in apart:
            length = min(len(path), len(private))
            if tuple(path[:length]) == private[:length]:
                return True
    return False


def _apart(view: Json, other: Json, path: tuple[Json, ...] = ()) -> list[Json]:
    """Where two parts of views differ, and how."""
    if type(view) is dict and type(other) is dict and view.keys() == other.keys():
        pairs = [(key, value, other[key]) for key, value in view.items()]
    elif type(view) is list and type(other) is list and len(view) == len(other):
        pairs = [(n, value, other[n]) for n, value in enumerate(view)]
    else:
        return [] if view == other else [(path, view, other)]
    found = []
    for key, value, its in pairs:
        if value is not its:
            found += _apart(value, its, (*path, key))
    return found


def last_events(match: Match, seat: Player = SPECTATOR) -> list[AnyEvent]:
    """What the last log entry did, with all changes of a seat's view."""
    return news(match, seat, match.at(match.ply - 1).view(seat), match.view(seat))[-1]
