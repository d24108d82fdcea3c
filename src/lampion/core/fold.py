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

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import msgspec

from lampion.core.types import Json

Change: TypeAlias = list[Json]
View: TypeAlias = Mapping[str, Json]
_encode = msgspec.json.Encoder().encode


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
    kind, path, *values = change
    return _changed_at(view, path, 0, kind, values)


def _changed_at(part: Json, path: Sequence[Json], depth: int, kind: str, values: Change) -> Json:
    if depth == len(path):
        return _CHANGES[kind](part, *values)
    copy = part.copy()
    copy[path[depth]] = _changed_at(part[path[depth]], path, depth + 1, kind, values)
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


def differences(before: Json, after: Json, path: Sequence[Json] = ()) -> Iterator[Change]:
    """The changes that lead from one view to another."""
    if before is after or (before == after and type(before) is type(after)):
        return
    if isinstance(before, dict) and isinstance(after, dict) and before.keys() == after.keys():
        for key, value in after.items():
            if value is not before[key]:  # saves a call for most numbers, names and nulls
                yield from differences(before[key], value, (*path, key))
    elif isinstance(before, list) and isinstance(after, list):
        yield from _shorter(list(_in_list(before, after, path)), ["set", [*path], before, after])
    elif type(before) is int and type(after) is int:
        yield ["add", [*path], after - before]
    else:
        yield ["set", [*path], before, after]


def _shorter(parts: list[Change], whole: Change) -> list[Change]:
    """Small changes inside a list, or the list as a whole where that is less to tell."""
    return parts if len(_encode(parts)) <= len(_encode([whole])) else [whole]


def _in_list(before: list[Json], after: list[Json], path: Sequence[Json]) -> Iterator[Change]:
    """What is the same at both ends stays; between them elements change in their places, then come
    or go."""
    start, end = _same_ends(before, after)
    stop = min(len(before), len(after)) - end
    for index in range(start, stop):
        yield from differences(before[index], after[index], (*path, index))
    for index in range(len(before) - end - 1, stop - 1, -1):
        yield ["remove", [*path], index, before[index]]
    for index in range(stop, len(after) - end):
        yield ["insert", [*path], index, after[index]]


def _same_ends(before: list[Json], after: list[Json]) -> tuple[int, int]:
    """How many elements two lists share at the start, and behind those at the end."""
    shortest = min(len(before), len(after))
    start = 0
    while start < shortest and before[start] == after[start]:
        start += 1
    end = 0
    while end < shortest - start and before[-1 - end] == after[-1 - end]:
        end += 1
    return start, end
