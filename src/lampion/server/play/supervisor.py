"""What the server does without being asked is kept going: whatever ends it, it is taken up again.

A chore is either repeated (`every` so many seconds) or endless (a stream that it reads). A failure
is logged once with its cause, not at every attempt, and once more when the chore works again: a
repeated one when a round succeeds, an endless one when it has run for a while.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from lampion.core.errors import LampionError

log = logging.getLogger("lampion.supervisor")
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 5.0
SETTLED_SECONDS = 2 * LONGEST_PAUSE
"""An endless chore that has run for so long works again."""


@dataclass
class _Trouble:
    cause: str
    since: float
    attempts: int = 1


class Troubles:
    """What goes wrong at the moment, by name."""

    def __init__(self) -> None:
        self._now: dict[str, _Trouble] = {}

    def failed(self, name: str, error: BaseException) -> float:
        """Note a failure; returns how long to wait before the next attempt."""
        cause = f"{type(error).__name__} {error.code if isinstance(error, LampionError) else error}"
        known = self._now.get(name)
        if known is None or known.cause != cause:
            since, attempts = (known.since, known.attempts + 1) if known else (time.monotonic(), 1)
            self._now[name] = _Trouble(cause, since, attempts)
            is_expected = isinstance(error, LampionError)
            log.error("failed, will be tried again", extra={"duty": name, "cause": str(error)},
                      exc_info=None if is_expected else error)  # fmt: skip
        else:
            known.attempts += 1
        return float(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(10, self._now[name].attempts - 1)))

    def worked(self, name: str) -> None:
        trouble = self._now.pop(name, None)
        if trouble:
            seconds = round(time.monotonic() - trouble.since, 1)
            log.warning(
                "works again",
                extra={"duty": name, "after_seconds": seconds, "attempts": trouble.attempts},
            )

    def __contains__(self, name: str) -> bool:
        return name in self._now

    def __len__(self) -> int:
        return len(self._now)

    @property
    def names(self) -> list[str]:
        return sorted(self._now)


class Supervisor:
    def __init__(self) -> None:
        self.troubles = Troubles()
        self._tasks: set[asyncio.Task[None]] = set()

    def repeat(self, name: str, every: float, work: Callable[[], Awaitable[None]]) -> None:
        """Do the work now and then, until the server stops."""
        self._keep(self._repeat(name, every, work), name)

    def follow(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Keep work going that is not meant to end."""
        self._keep(self._follow(name, work), name)

    def start(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        """Do the work once, however many attempts that takes."""
        self._keep(self._until_done(name, work), name)

    async def _repeat(self, name: str, every: float, work: Callable[[], Awaitable[None]]) -> None:
        while True:
            pause = await self._attempt(name, work)
            await asyncio.sleep(pause or every)

    async def _follow(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        loop = asyncio.get_running_loop()
        while True:
            settled = loop.call_later(SETTLED_SECONDS, self.troubles.worked, name)
            pause = await self._attempt(name, work)
            settled.cancel()
            await asyncio.sleep(pause)

    async def _until_done(self, name: str, work: Callable[[], Awaitable[None]]) -> None:
        while pause := await self._attempt(name, work):
            await asyncio.sleep(pause)

    async def _attempt(self, name: str, work: Callable[[], Awaitable[None]]) -> float:
        """Returns how long to wait after a failure; 0 after a success."""
        try:
            await work()
        except Exception as error:
            return self.troubles.failed(name, error)
        self.troubles.worked(name)
        return 0.0

    def _keep(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
