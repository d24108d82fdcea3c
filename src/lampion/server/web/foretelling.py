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
"""While a move is being stored: the thread that stores it has no other way to the interpreter."""


class Untold:
    """The effects of one update, and who waits for them."""

    def __init__(self, room: Room, update: wire.Update) -> None:
        assert room.table.match, "an update needs a game"
        self.watchers: set[Watcher] = set()
        self._room, self._match, self._ply = room, room.table.match, update.ply
        self._steps: Generator[None, None, wire.LargeEffects] = large_effects_of(
            self._match, room.table.id, update
        )

    @property
    def is_wanted(self) -> bool:
        """Whether the table has not gone on and a watcher who waits is still there."""
        is_now = self._room.table.match is self._match and self._match.ply == self._ply
        return is_now and not self.watchers.isdisjoint(self._room.watchers)

    def tell_more(self) -> bool:
        """Do the next step; False after the last one, which sends the effects."""
        try:
            next(self._steps)
        except StopIteration as end:
            message = encode(end.value)
            for watcher in self.watchers:
                if watcher in self._room.watchers:
                    watcher.offer(message)
            return False
        return True


class Foretelling:
    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._untold: dict[tuple[str, int], Untold] = {}
        """By table and seat, which have no more than their last ones here. The newest come first: the
        older ones of a busy server have waited so long that their tables may go on while they are
        told."""
        self._task: asyncio.Task[None] | None = None

    @property
    def num_waiting(self) -> int:
        return len(self._untold)

    def tell(self, room: Room, update: wire.Update, watchers: Iterable[Watcher]) -> None:
        """Send the effects that the update does not have, as soon as there is time."""
        assert update.seat is not None, "spectators have no actions"
        which = (update.table, update.seat)
        untold = self._untold.pop(which, None)
        if untold is None or not untold.is_wanted:
            untold = Untold(room, update)
        untold.watchers.update(watchers)
        self._untold[which] = untold
        if self._task is None:
            self._task = asyncio.ensure_future(self._tell_all())

    async def _tell_all(self) -> None:
        try:
            while self._untold:
                which, untold = self._untold.popitem()
                await self._tell_one(which[0], untold)
        finally:
            self._task = None

    async def _tell_one(self, table: str, untold: Untold) -> None:
        try:
            await self._let_others_go_first()
            while untold.is_wanted and untold.tell_more():
                await self._let_others_go_first()
        except Exception:
            log.exception("effects failed", extra={"table": table})

    async def _let_others_go_first(self) -> None:
        await asyncio.sleep(PAUSE_SECONDS if self._rooms.is_storing else 0)

    async def close(self) -> None:
        self._untold.clear()
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
