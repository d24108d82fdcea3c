"""Changes of a view, forwards and backwards. Knows no game.

    ["add", path, n]                     a number grows by n
    ["set", path, before, after]         a value is replaced
    ["insert", path, index, value]       a list gains an element
    ["remove", path, index, value]       a list loses one

A path is a list of keys and indexes. Every change says what it needs to be taken back, so a screen
can walk through a game in both directions. Views are never changed in place: a folded view shares
what did not change with the one it came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from lampion.core.types import Json

Change: TypeAlias = list[Json]
Path: TypeAlias = tuple[str | int, ...]
View: TypeAlias = Mapping[str, Json]
SHORT = 4
"""A list this short is replaced as a whole when two of its elements change."""
_encode = msgspec.json.Encoder().encode


def value_at(part: Json, path: Sequence[Json]) -> Json:
    """What a view shows at a path."""
    for key in path:
        part = part[key]
    return part


def fold(view: Json, events: Iterable[Mapping[str, Json]]) -> Json:
    """The view after these events."""
    for event in events:
        for change in event.get("changes", ()):
            view = changed(view, change)
    return view


def unfold(view: Json, events: Sequence[Mapping[str, Json]]) -> Json:
    """The view before these events."""
    for event in reversed(events):
        for change in reversed(event.get("changes", ())):
            view = changed(view, _inverse(change))
    return view


def changed(view: Json, change: Change) -> Json:
    """The view after one change."""
    return _changed_at(view, change[1], change)


def changed_value(value: Json, change: Change) -> Json:
    """The value at the path of a change after it."""
    kind, _, *values = change
    return _CHANGES[kind](value, *values)


def _changed_at(part: Json, path: Sequence[Json], change: Change) -> Json:
    if not path:
        return changed_value(part, change)
    key, *rest = path
    # Only what lies on the path is copied. All else stays the same object, and comparing two views
    # costs next to nothing wherever they share one.
    copy = part.copy()
    copy[key] = _changed_at(part[key], rest, change)
    return copy


def _inserted(part: list[Json], index: int, value: Json) -> list[Json]:
    return [*part[:index], value, *part[index:]]


def _removed(part: list[Json], index: int, _: Json) -> list[Json]:
    return [*part[:index], *part[index + 1 :]]


_CHANGES: dict[str, Callable[..., Json]] = {
    "add": lambda part, n: part + n,
    "set": lambda part, before, after: after,
    "insert": _inserted,
    "remove": _removed,
}


def _inverse(change: Change) -> Change:
    kind, path, *values = change
    if kind == "add":
        return [kind, path, -values[0]]
    if kind == "set":
        return [kind, path, *reversed(values)]
    return ["remove" if kind == "insert" else "insert", path, *values]


# --- differences --------------------------------------------------------------------------------


def differences(before: Json, after: Json, path: list[Json] | None = None) -> list[Change]:
    """The changes that lead from one view to another, or from one part at a path to another."""
    found: list[Change] = []
    if not _is_same(before, after):
        _compare(before, after, path or [], found)
    return found


def remaining(before: View, told: Sequence[Change], after: View) -> list[Change]:
    """The changes that lead from one view, after the changes that were told, to another. Looks only
    where something was told or differs."""
    found: list[Change] = []
    _compare_told(before, told, 0, after, [], found)
    return found


def _compare_told(
    before: Json,
    told: Sequence[Change],
    depth: int,
    after: Json,
    path: list[Json],
    found: list[Change],
) -> None:
    """Add what differs at a path of that depth after the changes there that were told."""
    if not told:
        if not _is_same(before, after):
            _compare(before, after, path, found)
        return
    goes_deeper = all(len(change[1]) > depth for change in told)
    kind = type(before)
    if goes_deeper and kind is dict and type(after) is dict and before.keys() == after.keys():
        _compare_parts(before, told, depth, after, path, found)
    elif goes_deeper and kind is list and type(after) is list and len(before) == len(after):
        parts: list[Change] = []
        _compare_parts(before, told, depth, after, path, parts)
        if parts:
            found += _shorter(parts, ["set", path, folded(before, told, depth), after])
    else:
        value = folded(before, told, depth)
        if not _is_same(value, after):
            _compare(value, after, path, found)


def _compare_parts(
    before: Json,
    told: Sequence[Change],
    depth: int,
    after: Json,
    path: list[Json],
    found: list[Change],
) -> None:
    by_key: dict[Json, list[Change]] = {}
    for change in told:
        by_key.setdefault(change[1][depth], []).append(change)
    for key, value in after.items() if type(after) is dict else enumerate(after):
        changes = by_key.get(key, ())
        if changes or before[key] is not value:
            _compare_told(before[key], changes, depth + 1, value, [*path, key], found)


def folded(before: Json, told: Sequence[Change], depth: int) -> Json:
    """What is at a path of that depth after changes of it or of its parts."""
    for change in told:
        before = _changed_at(before, change[1][depth:], change)
    return before


def _compare(before: Json, after: Json, path: list[Json], found: list[Change]) -> None:
    """Add what differs at a path. The server compares views after every move, so equal parts,
    which are most, cost no call."""
    if type(before) is dict and type(after) is dict and before.keys() == after.keys():
        for key, value in after.items():
            if not _is_same(before[key], value):
                _compare(before[key], value, [*path, key], found)
    elif type(before) is list and type(after) is list:
        found += _list_differences(before, after, path)
    elif type(before) is int and type(after) is int:
        found.append(["add", path, after - before])
    else:
        found.append(["set", path, before, after])


def _is_same(before: Json, after: Json) -> bool:
    """Equal, and for JSON too: Python takes true for 1."""
    return before is after or (before == after and type(before) is type(after))


def _list_differences(before: list[Json], after: list[Json], path: list[Json]) -> list[Change]:
    whole = ["set", path, before, after]
    if len(before) == len(after) <= SHORT:
        differ = [index for index in range(len(after)) if not _is_same(before[index], after[index])]
        if len(differ) > 1 and not any(isinstance(value, dict | list) for value in after):
            return [whole]
    ends = _same_ends(before, after)
    if _is_another(before, after, ends):
        return [whole]
    parts: list[Change] = []
    _compare_lists(before, after, ends, path, parts)
    return parts if len(parts) == 1 else _shorter(parts, whole)


def _is_another(before: list[Json], after: list[Json], ends: tuple[int, int]) -> bool:
    """Whether a list of records has so little in common with the one before that what is at the
    same index are two different things: to compare those takes long and saves nothing."""
    longest = max(len(before), len(after))
    if len(before) == len(after) or longest <= SHORT or 2 * sum(ends) >= longest:
        return False
    return type((after or before)[0]) is dict


def _shorter(parts: list[Change], whole: Change) -> list[Change]:
    """Small changes inside a list, or the list as a whole where that is less to tell."""
    return parts if len(_encode(parts)) <= len(_encode([whole])) else [whole]


def _compare_lists(
    before: list[Json],
    after: list[Json],
    ends: tuple[int, int],
    path: list[Json],
    found: list[Change],
) -> None:
    """What is the same at both ends stays; between them elements change in their places, then come
    or go."""
    start, end = ends
    stop = min(len(before), len(after)) - end
    for index in range(start, stop):
        if not _is_same(before[index], after[index]):
            _compare(before[index], after[index], [*path, index], found)
    # From the back: no index then depends on the removals before it, and taking them back in
    # reverse puts each element where it was.
    gone = range(len(before) - end - 1, stop - 1, -1)
    found += [["remove", path, index, before[index]] for index in gone]
    found += [["insert", path, index, after[index]] for index in range(stop, len(after) - end)]


def _same_ends(before: list[Json], after: list[Json]) -> tuple[int, int]:
    """How many elements two lists share at the start, and behind those at the end."""
    shortest = min(len(before), len(after))
    start = 0
    for earlier, value in zip(before, after, strict=False):
        if earlier is not value and earlier != value:
            break
        start += 1
    end = 0
    for earlier, value in zip(reversed(before), reversed(after), strict=False):
        if end == shortest - start or (earlier is not value and earlier != value):
            break
        end += 1
    return start, end
