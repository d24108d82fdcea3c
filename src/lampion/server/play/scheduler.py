"""Who may think next. Bots, hints, replays and verifications share the cores, and nobody can take
them all.

    every person (or address) has a queue of its own      the one that has used least is served next
    in a queue                                            the cheapest work goes first
    heavy work                                            at most `cores` pieces at the same time
    light work                                            a few more slots of its own, so it never waits for heavy work

Usage fades with a half-life of a minute, so a busy hour is forgiven, but 184 tables of one visitor
count as one visitor.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from lampion.server import metrics
from lampion.server.errors import TooMany

LIGHT_SECONDS = 0.1
"""Work that is expected to take no longer has slots of its own."""
LIGHT_SLOTS = 2
HALF_LIFE = 60.0
MOST_WAITING = 500
"""Pieces of work that wait in all, beyond which more is refused; bots of running games are never
refused."""
MOST_PER_OWNER = 8
"""Hints, replays and verifications of one person that may wait at the same time."""

T = TypeVar("T")


@dataclass(order=True)
class _Piece:
    cost: float
    number: int
    owner: str = field(compare=False)
    turn: asyncio.Future[None] = field(compare=False)


@dataclass
class _Queue:
    """The waiting work of one owner, and how much it has used lately."""

    used: float = 0.0
    at: float = 0.0
    running: int = 0
    waiting: list[_Piece] = field(default_factory=list)

    def usage(self, now: float) -> float:
        return self.used * math.pow(0.5, (now - self.at) / HALF_LIFE)

    def charge(self, seconds: float, now: float) -> None:
        self.used, self.at = self.usage(now) + seconds, now


class Scheduler:
    def __init__(self, cores: int, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._free = {"heavy": cores, "light": LIGHT_SLOTS}
        self._queues: dict[str, dict[str, _Queue]] = {"heavy": {}, "light": {}}
        self._numbers = itertools.count()

    async def do(
        self, owner: str, cost: float, work: Callable[[], Awaitable[T]], *, may_refuse: bool = True
    ) -> T:
        """Run `work` when it is the owner's turn. `cost` is how many seconds of a core it is
        expected to take."""
        lane = "light" if cost <= LIGHT_SECONDS else "heavy"
        queue = self._queues[lane].setdefault(owner, _Queue(at=self._now()))
        if may_refuse:
            self._check_room(queue)
        await self._wait_for_turn(lane, queue, owner, cost)
        started = self._now()
        queue.running += 1
        try:
            return await work()
        finally:
            queue.running -= 1
            now = self._now()
            queue.charge(now - started, now)
            self._release(lane)

    @property
    def num_waiting(self) -> int:
        return sum(len(queue.waiting) for lane in self._queues.values() for queue in lane.values())

    def _check_room(self, queue: _Queue) -> None:
        if len(queue.waiting) >= MOST_PER_OWNER or self.num_waiting >= MOST_WAITING:
            raise TooMany("the server is busy; try again in a moment", code="busy", seconds=5)

    async def _wait_for_turn(self, lane: str, queue: _Queue, owner: str, cost: float) -> None:
        if self._free[lane] > 0 and not any(other.waiting for other in self._queues[lane].values()):
            self._free[lane] -= 1
            return
        piece = _Piece(cost, next(self._numbers), owner, asyncio.get_running_loop().create_future())
        heapq.heappush(queue.waiting, piece)
        metrics.WAITING_WORK.set(self.num_waiting)
        try:
            await piece.turn
        except asyncio.CancelledError:
            if piece.turn.done() and not piece.turn.cancelled():
                self._release(lane)  # the slot was given just as the caller went away
            else:
                queue.waiting = [other for other in queue.waiting if other is not piece]
                heapq.heapify(queue.waiting)
            raise

    def _release(self, lane: str) -> None:
        """Pass the slot on to the owner that has used least, or keep it free."""
        now = self._now()
        queues = self._queues[lane]
        waiting = [queue for queue in queues.values() if queue.waiting]
        if waiting:
            # Work under way counts as used: its owner will be charged for it.
            chosen = min(
                waiting,
                key=lambda queue: (round(queue.usage(now) + queue.running, 1), queue.waiting[0]),
            )
            piece = heapq.heappop(chosen.waiting)
            if piece.turn.done():
                self._release(lane)
            else:
                piece.turn.set_result(None)
        else:
            self._free[lane] += 1
        metrics.WAITING_WORK.set(self.num_waiting)
        self._forget_idle(queues, now)

    @staticmethod
    def _forget_idle(queues: dict[str, _Queue], now: float) -> None:
        if len(queues) > 1000:
            idle = [name for name, queue in queues.items()
                    if not queue.waiting and not queue.running and queue.usage(now) < 0.01]  # fmt: skip
            for name in idle:
                del queues[name]
