"""Tells players to act what each of their many actions would do, when nothing else is due.

Nobody's move waits for this: the effects of a hundred actions take longer than a move. They are
told in steps, the newest first, and between two steps everything else is served. A server
that is too busy falls behind with effects, not with moves, and drops those of tables that have gone
on: their next update has others.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Generator, Iterable

import msgspec

from lampion.server import wire
from lampion.server.tables.room import Room, Watcher
from lampion.server.tables.rooms import Rooms
from lampion.server.tables.table import large_effects_of

log = logging.getLogger("lampion.live")
encode = msgspec.json.Encoder().encode


PAUSE_SECONDS = 0.001
"""While a move is being stored: without a pause, this loop would keep the GIL from the thread that
stores it."""


class PendingEffects:
    """The effects of one update, and who waits for them."""

    def __init__(self, room: Room, update: wire.Update) -> None:
        self.watchers: set[Watcher] = set()
        self._room, self._update = room, update
        self._steps: Generator[None, None, wire.LargeEffects] | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether the table is still at this ply and a waiting watcher is still connected."""
        match = self._room.table.match
        is_now = match is not None and match.ply == self._update.ply
        return is_now and not self.watchers.isdisjoint(self._room.watchers)

    @property
    def is_undecided(self) -> bool:
        """Whether a command is being stored: until it is, memory may be ahead of the log."""
        return self._room.is_broken and self._room.lock.locked()

    def step(self) -> bool:
        """Do the next step; False after the last one, which sends the effects."""
        if self._steps is None:
            match = self._room.table.match
            assert match, "an update needs a game"
            self._steps = large_effects_of(match, self._room.table.id, self._update)
        try:
            next(self._steps)
        except StopIteration as end:
            message = encode(end.value)
            for watcher in self.watchers:
                if watcher in self._room.watchers:
                    watcher.offer(message)
            return False
        return True


class LargeEffectsQueue:
    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._pending: dict[tuple[str, int], PendingEffects] = {}
        """By table and seat, which have no more than their last ones here. The newest come first: the
        older ones of a busy server have waited so long that their tables may go on while they are
        told."""
        self._task: asyncio.Task[None] | None = None

    @property
    def num_waiting(self) -> int:
        return len(self._pending)

    def tell(self, room: Room, update: wire.Update, watchers: Iterable[Watcher]) -> None:
        """Send the effects that the update does not have, as soon as there is time."""
        assert update.seat is not None, "spectators have no actions"
        which = (update.table, update.seat)
        pending = self._pending.pop(which, None)
        if pending is None or not pending.is_wanted:
            pending = PendingEffects(room, update)
        pending.watchers.update(watchers)
        self._pending[which] = pending
        if self._task is None:
            self._task = asyncio.ensure_future(self._tell_all())

    async def _tell_all(self) -> None:
        try:
            while self._pending:
                which, pending = self._pending.popitem()
                await self._tell_one(which[0], pending)
        finally:
            self._task = None

    async def _tell_one(self, table: str, pending: PendingEffects) -> None:
        try:
            await self._let_others_go_first(pending)
            while pending.is_wanted and pending.step():
                await self._let_others_go_first(pending)
        except Exception:
            log.exception("effects failed", extra={"table": table})

    async def _let_others_go_first(self, pending: PendingEffects) -> None:
        await asyncio.sleep(PAUSE_SECONDS if self._rooms.is_storing else 0)
        while pending.is_undecided:
            await asyncio.sleep(PAUSE_SECONDS)

    async def close(self) -> None:
        self._pending.clear()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
