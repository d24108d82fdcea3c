"""Who may think next. Bots, hints, replays and verifications share the cores, and nobody can take
them all.

    every person (or address) has a queue of its own      the one that has used least is served next
    in a queue                                            the cheapest work goes first
    heavy work                                            at most `cores` pieces at the same time
    light work                                            a few more slots of its own, so it never waits for heavy work

Usage fades with a half-life of a minute, so a busy hour is forgiven, but 184 tables of one visitor
count as one visitor. Nothing here depends on how much one visitor has waiting: neither whether work
of others is refused, nor whether the server counts as ready.
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
"""Hints, replays and verifications that wait in all, beyond which more is refused. Bots of running
games are never refused, and do not count."""
MOST_PER_OWNER = 8
"""Hints, replays and verifications of one person that may wait at the same time."""
LONGEST_WAITS = {"light": 10.0, "heavy": 60.0}
"""Seconds that the owner whose turn is next may have waited before the server is too busy for
more people."""

T = TypeVar("T")


@dataclass(order=True)
class _Piece:
    cost: float
    number: int
    owner: str = field(compare=False)
    since: float = field(compare=False)
    may_refuse: bool = field(compare=False)
    turn: asyncio.Future[None] = field(compare=False)


@dataclass
class _Queue:
    """The waiting work of one owner, and how much it has used lately."""

    used: float = 0.0
    at: float = 0.0
    served_at: float = float("-inf")
    """When a piece of it last began."""
    running: int = 0
    waiting: list[_Piece] = field(default_factory=list)

    def usage(self, now: float) -> float:
        return self.used * math.pow(0.5, (now - self.at) / HALF_LIFE)

    def charge(self, seconds: float, now: float) -> None:
        self.used, self.at = self.usage(now) + seconds, now

    def begin(self, now: float) -> None:
        self.running += 1
        self.served_at = now

    def take_out(self, piece: _Piece) -> None:
        self.waiting = [other for other in self.waiting if other is not piece]
        heapq.heapify(self.waiting)

    @property
    def num_refusable(self) -> int:
        return sum(piece.may_refuse for piece in self.waiting)

    def waits(self, now: float) -> float:
        """For how long it has not been served, although it had work."""
        return now - max(self.served_at, min(piece.since for piece in self.waiting))


class Scheduler:
    def __init__(self, cores: int, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._free = {"heavy": cores, "light": LIGHT_SLOTS}
        self._queues: dict[str, dict[str, _Queue]] = {"heavy": {}, "light": {}}
        self._named: dict[str, tuple[str, _Piece]] = {}
        """Lane and piece of work that waits and may be handed over."""
        self._numbers = itertools.count()

    async def do(
        self,
        owner: str,
        cost: float,
        work: Callable[[], Awaitable[T]],
        *,
        may_refuse: bool = True,
        name: str = "",
    ) -> T:
        """Run `work` when it is the owner's turn. `cost` is how many seconds of a core it is
        expected to take. With a name, it can be handed over while it waits."""
        lane = "light" if cost <= LIGHT_SECONDS else "heavy"
        if may_refuse:
            self._check_room(self._queue(lane, owner))
        turn = asyncio.get_running_loop().create_future()
        piece = _Piece(cost, next(self._numbers), owner, self._now(), may_refuse, turn)
        await self._wait_for_turn(lane, piece, name)
        started = self._now()
        try:
            return await work()
        finally:
            now = self._now()
            self._queue(lane, piece.owner).charge(now - started, now)
            self._release(lane, piece.owner)

    def hand_over(self, name: str, owner: str) -> None:
        """The work of that name, if it still waits, waits for another owner from now on."""
        lane, piece = self._named.get(name, ("", None))
        # Its turn may have come a moment ago: then it already counts against its owner.
        if piece and piece.owner != owner and not piece.turn.done():
            self._queue(lane, piece.owner).take_out(piece)
            piece.owner = owner
            heapq.heappush(self._queue(lane, owner).waiting, piece)

    @property
    def num_waiting(self) -> int:
        return sum(len(queue.waiting) for lane in self._queues.values() for queue in lane.values())

    @property
    def longest_wait(self) -> float | None:
        """For how many seconds the owner whose turn is next has waited, if that is too long."""
        now = self._now()
        waits = {lane: queue.waits(now) for lane in self._queues if (queue := self._next(lane))}
        return max(
            (wait for lane, wait in waits.items() if wait > LONGEST_WAITS[lane]), default=None
        )

    def _queue(self, lane: str, owner: str) -> _Queue:
        return self._queues[lane].setdefault(owner, _Queue(at=self._now()))

    def _check_room(self, queue: _Queue) -> None:
        queues = (queue for lane in self._queues.values() for queue in lane.values())
        if (
            queue.num_refusable >= MOST_PER_OWNER
            or sum(queue.num_refusable for queue in queues) >= MOST_WAITING
        ):
            raise TooMany("the server is busy; try again in a moment", code="busy", seconds=5)

    async def _wait_for_turn(self, lane: str, piece: _Piece, name: str) -> None:
        """When this returns, the piece has begun in the books."""
        if self._free[lane] > 0 and self._next(lane) is None:
            self._free[lane] -= 1
            self._queue(lane, piece.owner).begin(self._now())
            return
        heapq.heappush(self._queue(lane, piece.owner).waiting, piece)
        if name:
            self._named[name] = lane, piece
        metrics.WAITING_WORK.set(self.num_waiting)
        try:
            await piece.turn
        except asyncio.CancelledError:
            if piece.turn.done() and not piece.turn.cancelled():
                self._release(lane, piece.owner)  # the slot was given just as the caller went away
            else:
                self._queue(lane, piece.owner).take_out(piece)
            raise
        finally:
            self._named.pop(name, None)

    def _next(self, lane: str) -> _Queue | None:
        """The owner that has used least. Work under way counts as used: its owner will be charged
        for it."""
        now = self._now()
        return min(
            (queue for queue in self._queues[lane].values() if queue.waiting),
            key=lambda queue: (round(queue.usage(now) + queue.running, 1), queue.waiting[0]),
            default=None,
        )

    def _release(self, lane: str, owner: str) -> None:
        """Pass the slot on to the owner whose turn is next, or keep it free."""
        self._queue(lane, owner).running -= 1
        while chosen := self._next(lane):
            piece = heapq.heappop(chosen.waiting)
            if not piece.turn.done():
                chosen.begin(self._now())
                piece.turn.set_result(None)
                break
        else:
            self._free[lane] += 1
        metrics.WAITING_WORK.set(self.num_waiting)
        self._forget_idle(self._queues[lane], self._now())

    @staticmethod
    def _forget_idle(queues: dict[str, _Queue], now: float) -> None:
        if len(queues) > 1000:
            idle = [name for name, queue in queues.items()
                    if not queue.waiting and not queue.running and queue.usage(now) < 0.01]  # fmt: skip
            for name in idle:
                del queues[name]
