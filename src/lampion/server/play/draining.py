"""Draining: a process starts no new games, and load balancers are told to look elsewhere.

The database holds the names of the processes that drain. A name belongs to one life of a process,
so after a restart it takes new games again, without anything to undo.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from lampion.server.store.base import Store

SETTING = "draining"


class Draining:
    def __init__(self, store: Store) -> None:
        self._store = store
        self.processes: frozenset[str] = frozenset()

    @property
    def is_on(self) -> bool:
        """Whether this process drains."""
        return self._store.process in self.processes

    async def reload(self) -> None:
        stored = await self._store.setting(SETTING)
        self.processes = msgspec.json.decode(stored or "[]", type=frozenset[str])

    async def set(self, processes: Iterable[str]) -> None:
        names = sorted(processes)
        await self._store.set_setting(
            SETTING, msgspec.json.encode(names).decode() if names else None
        )
        await self.reload()
