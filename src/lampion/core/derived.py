"""Which parts of a view are derived: a tree that follows the types of a game's views, and the changes of
what is in it.

    {"free_places": True, "seats": [{"over_limit": True}], ...}

True stands for a field that is derived as a whole; what is not in the tree is told by events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, TypeAlias, cast, get_args, get_origin, is_typeddict

from lampion.core.fold import Change, View, differences
from lampion.core.game import Game
from lampion.core.types import Json
from lampion.core.views import fields_of, is_marked, plain

Derived: TypeAlias = "bool | dict[str, Derived] | list[Derived]"

_parts: dict[str, dict[str, Derived]] = {}


def derived_parts(game: Game) -> dict[str, Derived]:
    """The tree of a game's views."""
    if game.NAME not in _parts:
        _parts[game.NAME] = cast(dict[str, Derived], _derived(game.View) or {})
    return _parts[game.NAME]


def _derived(kind: Any) -> Derived:
    """False if nothing in a type is derived."""
    if is_marked(kind):
        return True
    kind = plain(kind)
    if is_typeddict(kind):
        parts = {key: _derived(part) for key, part in fields_of(kind).items()}
        return {key: part for key, part in parts.items() if part} or False
    if get_origin(kind) is list and (part := _derived(get_args(kind)[0])):
        return [part]
    return False


def is_in(parts: Mapping[str, Derived], path: Sequence[Json]) -> bool:
    """Whether what is at a path is derived, or holds something that is."""
    derived = parts.get(path[0], False)
    for key in path[1:] if derived else ():
        if isinstance(derived, dict):
            derived = derived.get(key, False)
        elif isinstance(derived, list):
            derived = derived[0]
    return bool(derived)


class FactFinder:
    """Finds the changes of what is derived. Views that were made together share what is public, so
    what was found for one seat is found again for the next."""

    def __init__(self, derived: dict[str, Derived]) -> None:
        self._derived = derived
        self._known: dict[tuple[str, int, int], list[Change]] = {}
        """By key and the `id` of what is there before and after: the caller keeps both."""

    def between(self, before: View, after: View, without: Set[str]) -> list[Change]:
        """The changes below all keys but some, in the order of the view."""
        found: list[Change] = []
        for key, derived in self._derived.items():
            earlier, value = before[key], after[key]
            if earlier is value or key in without:
                continue
            which = (key, id(earlier), id(value))
            changes = self._known.get(which)
            if changes is None:
                changes = self._known[which] = []
                _compare(earlier, value, derived, [key], changes)
            found += changes
        return found


def _compare(
    before: Json, after: Json, derived: Derived, path: list[Json], found: list[Change]
) -> None:
    """Add what differs in the derived parts of what is at a path. Most are equal: those cost no
    call, and no path."""
    if type(derived) is dict and type(before) is type(after):
        for key, part in derived.items():
            earlier, value = before[key], after[key]
            if earlier is not value and earlier != value:
                _compare(earlier, value, part, [*path, key], found)
    elif type(derived) is list and type(before) is type(after) and len(before) == len(after):
        part = derived[0]
        for index, value in enumerate(after):
            earlier = before[index]
            if earlier is not value and _differs(earlier, value, part):
                _compare(earlier, value, part, [*path, index], found)
    elif type(before) is int and type(after) is int:
        if before != after:
            found.append(["add", path, after - before])
    else:
        found += differences(before, after, path)


def _differs(before: Json, after: Json, derived: Derived) -> bool:
    """Whether anything derived differs in two elements of a list."""
    if type(derived) is not dict or type(before) is not type(after):
        return bool(before != after)
    for key in derived:
        earlier, value = before[key], after[key]
        if earlier is not value and earlier != value:
            return True
    return False
