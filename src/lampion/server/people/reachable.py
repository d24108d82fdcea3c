"""Who has chosen a way to be told about tables while not here.

Kept in memory, so that a move at a table where nobody has chosen one costs nothing.
"""

from __future__ import annotations

from collections.abc import Collection

from lampion.server.store.base import Store


class Reachable:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._people: set[str] = set()

    def any(self, people: Collection[str]) -> bool:
        return bool(self._people) and not self._people.isdisjoint(people)

    def __contains__(self, person: object) -> bool:
        return person in self._people

    async def reload(self) -> None:
        self._people = await self._store.reachable_people()

    async def refresh(self, person: str) -> None:
        """After a way of this person has come or gone."""
        ways = await self._store.ways(person)
        if any(way.confirmed_ms is not None and way.silent_ms is None for way in ways):
            self._people.add(person)
        else:
            self._people.discard(person)
