"""Who is at which table: people with a socket, people who poll because no socket reaches them,
here and elsewhere."""

from __future__ import annotations

import asyncio

from lampion.server import wire
from lampion.server.bus import Bus
from lampion.server.peers import NOBODY_HERE, Here, Peers
from lampion.server.tables.happenings import Attended, Described, Removed
from lampion.server.tables.info import table_info
from lampion.server.tables.room import Room, Viewer

RECOUNT_SECONDS = 1.0
PRESENT_SECONDS = 30.0
"""How long a poll counts; a page in the background asks every ten seconds."""


class Caller:
    """A watcher that need not be told anything, since it asks."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer = viewer
        self.folds = False
        self.until: asyncio.TimerHandle | None = None

    def offer(self, message: bytes) -> None:
        pass


class Presence:
    def __init__(self, bus: Bus, peers: Peers) -> None:
        self._bus = bus
        self._peers = peers
        self._recounted: set[str] = set()
        """Tables whose number of spectators has changed and will be told in a moment."""
        bus.subscribe(Attended, lambda attended: self._note(attended.room))
        bus.subscribe(Removed, lambda removed: self._forget(removed.room))

    def info(self, room: Room, viewer: Viewer) -> wire.TableInfo:
        """What a viewer may know of a table, with everybody who is there, at whichever process."""
        elsewhere = self._peers.elsewhere(room.table.id)
        watching = room.num_spectators + elsewhere.spectators
        return table_info(
            room.table, viewer, connected=room.connected() | elsewhere.people, watching=watching
        )

    def _note(self, room: Room) -> None:
        table = room.table
        before = self._present(room)
        counted = self._peers.here(table.id).spectators
        here = Here(room.connected(), room.num_spectators, room.away())
        if not self._peers.note_here(table.id, here):
            return
        if before != self._present(room):
            self._bus.publish(Described(room))
        elif counted != here.spectators and table.id not in self._recounted:
            self._recounted.add(table.id)
            asyncio.get_running_loop().call_later(RECOUNT_SECONDS, self._recount, room)

    def _recount(self, room: Room) -> None:
        """However many spectators come and go, their number is told once a second."""
        self._recounted.discard(room.table.id)
        self._bus.publish(Described(room))

    def _forget(self, room: Room) -> None:
        self._peers.note_here(room.table.id, NOBODY_HERE)

    def _present(self, room: Room) -> frozenset[str]:
        here = self._peers.here(room.table.id)
        return here.people | self._peers.elsewhere(room.table.id).people

    def call(self, room: Room, viewer: Viewer, *, is_hidden: bool = False) -> None:
        """A person polls: they are at the table for the next half minute."""
        if viewer.person is None or not room.table.seats_of(viewer.person):
            return
        known = (
            each
            for each in room.watchers
            if isinstance(each, Caller) and each.viewer.person == viewer.person
        )
        caller = next(known, None) or Caller(viewer)
        room.watchers.add(caller)
        room.watchers.hide(caller, is_hidden)
        if caller.until:
            caller.until.cancel()
        caller.until = asyncio.get_running_loop().call_later(
            PRESENT_SECONDS, self._leave, room, caller
        )
        self._bus.publish(Attended(room))

    def _leave(self, room: Room, caller: Caller) -> None:
        room.watchers.discard(caller)
        self._bus.publish(Attended(room))
