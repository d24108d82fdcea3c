"""From the thread that listens to the task that waits: hints of the same table become one, so a slow reader costs nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress

from lampion.server.store.base import Hint


class Inbox:
    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[str, int] = {}
        self._news = asyncio.Event()
        self._closed = False

    def put(self, hints: Iterable[Hint]) -> None:
        """From any thread."""
        with suppress(RuntimeError):
            # The loop is closed: nobody waits any more.
            self._loop.call_soon_threadsafe(self._put, list(hints))

    def close(self) -> None:
        """From the event loop."""
        self._closed = True
        self._news.set()

    def _put(self, hints: list[Hint]) -> None:
        for table, seq in hints:
            self._waiting[table] = max(seq, self._waiting.get(table, 0))
        self._news.set()

    async def get(self) -> Hint | None:
        """The next one; None after the end."""
        while not self._waiting and not self._closed:
            self._news.clear()
            await self._news.wait()
        if self._closed:
            return None
        table = next(iter(self._waiting))
        return Hint(table, self._waiting.pop(table))
