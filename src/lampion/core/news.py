"""News: the events that lead a seat from one view to the next, for one seat or for all who watch.

Most of what happens at a table is public. `news_for_all` computes it once and gives every seat
exactly what `news` would give it alone, in the same order, so nothing reveals what others know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

from lampion.core.derived import Derived, FactFinder, derived_parts
from lampion.core.events import AnyEvent, Telling, told
from lampion.core.fold import Change, Path, View, remaining, value_at
from lampion.core.rows import Written, known_rows, told_rows
from lampion.core.types import Action, Json, Player

if TYPE_CHECKING:
    from lampion.core.log import Entry
    from lampion.core.match import Match


def news(
    match: Match, seat: Player, before: Mapping[str, Json], after: Mapping[str, Json]
) -> list[list[AnyEvent]]:
    """The events of each log entry that leads from one view of a seat to another. The last ones
    close with the facts."""
    return news_for_all(match, [Watched(seat, before, after)])[0]


class Watched(NamedTuple):
    """What a seat saw before, and sees now."""

    seat: Player
    before: Mapping[str, Json]
    after: Mapping[str, Json]


def news_for_all(match: Match, watched: Sequence[Watched]) -> list[list[list[AnyEvent]]]:
    """The `news` of several seats. What follows from a row of a trail alone is told once, and
    views that were made together share what is public, so that facts are compared once as well.
    The events are shared: not for changing."""
    newsroom = _Newsroom(match)
    return [newsroom.news_of(one) for one in watched]


class _Told:
    """What was told to a seat before the facts, and all that this depended on."""

    def __init__(
        self,
        actions: list[Action | None],
        seen: list[tuple[Path, Json]],
        steps: list[list[Written]],
        derived: Mapping[str, Derived],
    ) -> None:
        self._actions = actions
        """Of each log entry, as far as the seat may know them."""
        self._seen = seen
        """What writers looked at in the view before."""
        self.steps = [[event for row in step for event in row.events] for step in steps]
        self._written = [row for step in steps for row in step]
        self.touched = frozenset[str]().union(*[row.touched(derived) for row in self._written])
        """The keys of the view below which something derived was told, or what holds it."""

    def is_for(self, actions: list[Action | None], before: View) -> bool:
        """Whether another seat that saw this is told the same."""
        if actions != self._actions:
            return False
        return all(value_at(before, path) == value for path, value in self._seen)

    def changes_below(self, keys: Set[str]) -> list[Change]:
        return [change for row in self._written for change in row.changes if change[1][0] in keys]


class _Newsroom:
    """What has been told of a match, for the next seat to be told the same where it is."""

    def __init__(self, match: Match) -> None:
        self._match = match
        self._rows = known_rows(match.game)
        self._derived = derived_parts(match.game)
        self._facts = FactFinder(self._derived)
        self._entries: dict[tuple[int, int], list[Entry]] = {}
        self._told: dict[tuple[int, int], list[_Told]] = {}
        """By the plies of the views before and after."""

    def news_of(self, one: Watched) -> list[list[AnyEvent]]:
        plies = (one.before["ply"], one.after["ply"])
        entries = self._entries.get(plies)
        if entries is None:
            entries = self._entries[plies] = self._match.log[slice(*plies)]
        if any(entry.is_undo for entry in entries):
            return self._news_with_undo(one, entries)
        told = self._told_by(one, entries, self._told.setdefault(plies, []))
        return _closed(told.steps, self._facts_after(one.before, told, one.after))

    def _told_by(self, one: Watched, entries: list[Entry], known: list[_Told]) -> _Told:
        actions = [entry.known_action(one.seat) for entry in entries]
        for other in known:
            if other.is_for(actions, one.before):
                return other
        telling = Telling(self._match.start, one.before)
        steps = [
            self._rows_told(telling, entry, action)
            for entry, action in zip(entries, actions, strict=True)
        ]
        seen = [(path, value_at(one.before, path)) for path in telling.looked_at]
        known.append(_Told(actions, seen, steps, self._derived))
        return known[-1]

    def _rows_told(self, telling: Telling, entry: Entry, action: Action | None) -> list[Written]:
        telling.action = action
        return told_rows(self._match.game, telling, entry.trail, self._rows)

    def _facts_after(self, before: View, told: _Told, after: View) -> list[Change]:
        """The changes of all derived fields. Everything else was told by the events. Where those
        told of something derived, or of what holds it, all that is there is compared."""
        touched = told.touched
        found = self._facts.between(before, after, touched)
        if touched:
            some = [{key: view[key] for key in touched} for view in (before, after)]
            found += remaining(some[0], told.changes_below(touched), some[1])
        return found

    def _news_with_undo(self, one: Watched, entries: list[Entry]) -> list[list[AnyEvent]]:
        """What an undo brings back can leave again within the same news, so nothing is shared
        between seats."""
        game, telling = self._match.game, Telling(self._match.start, one.before)
        view, changes, steps = one.before, list[Change](), []
        for ply, entry in enumerate(entries, int(one.before["ply"])):
            events = told(game, telling, entry, one.seat)
            if entry.is_undo:
                is_last = ply + 1 == one.after["ply"]
                earlier = one.after if is_last else self._match.at(ply + 1).view(one.seat)
                events[0]["changes"] = remaining(view, changes, earlier)
                telling.follow(earlier)
                view, changes = earlier, []
            else:
                changes += [change for event in events for change in event["changes"]]
            steps.append(events)
        return _closed(steps, remaining(view, changes, one.after))


def _closed(steps: list[list[AnyEvent]], facts: list[Change]) -> list[list[AnyEvent]]:
    """The last events close with the facts."""
    if not steps or not facts:
        return steps
    return [*steps[:-1], [*steps[-1], {"event": "facts", "changes": facts}]]
