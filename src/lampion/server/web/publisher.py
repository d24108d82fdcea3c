"""Everybody who watches is told what has happened, each as their seat sees it."""

from __future__ import annotations

import msgspec

from lampion.server import wire
from lampion.server.bus import Bus
from lampion.server.clock import Clock
from lampion.server.play.presence import Presence
from lampion.server.tables.chat import said
from lampion.server.tables.happenings import Changed, Chatted, Described
from lampion.server.tables.info import for_viewer, is_insider, nameless
from lampion.server.tables.kinds import EventKind
from lampion.server.tables.room import Room, Viewer, Watcher

encode = msgspec.json.Encoder().encode


class Publisher:
    def __init__(self, bus: Bus, presence: Presence, clock: Clock) -> None:
        self._presence = presence
        self._clock = clock
        self.followers: dict[str, set[Watcher]] = {}
        """Streams of a person's own tables, by person."""
        bus.subscribe(Changed, self._changed)
        bus.subscribe(Described, lambda described: self._tell_info(described.room))
        bus.subscribe(Chatted, self._chatted)

    def _changed(self, changed: Changed) -> None:
        room = changed.room
        self._tell_updates(room)
        only_acts = all(event.kind == EventKind.ACT for event in changed.events)
        if only_acts and not room.table.reveals:
            self._tell_followers(room)
        else:
            self._tell_info(room)

    def _tell_updates(self, room: Room) -> None:
        """One update for each seat that is watched, encoded once however many watch it."""
        table, since = room.table, room.published
        room.published = table.ply
        if not table.match or table.ply == since:
            return
        listeners: dict[int | None, list[Watcher]] = {}
        for watcher in room.watchers:
            for seat in table.seats_of(watcher.viewer.person) or (None,):
                listeners.setdefault(seat, []).append(watcher)
        for update in table.updates(list(listeners), since, self._clock.now_ms()):
            message, hidden = encode(update), b""
            for watcher in listeners[update.seat]:
                if not is_insider(table, watcher.viewer):
                    hidden = hidden or encode(nameless(update))
                    watcher.offer(hidden)
                else:
                    watcher.offer(message)

    def _tell_info(self, room: Room) -> None:
        for watcher in room.watchers:
            watcher.offer(encode(wire.Info(self._presence.info(room, watcher.viewer))))
        self._tell_followers(room)

    def _tell_followers(self, room: Room) -> None:
        for person in room.table.people & self.followers.keys():
            message = encode(wire.Info(self._presence.info(room, Viewer(person))))
            for follower in self.followers[person]:
                follower.offer(message)

    def _chatted(self, chatted: Chatted) -> None:
        room = chatted.room
        for line in chatted.lines:
            message = encode(said(room.table, line))
            for watcher in room.watchers:
                if is_insider(room.table, watcher.viewer):
                    watcher.offer(message)

    def greeting(self, room: Room, viewer: Viewer, since: int) -> list[wire.Outgoing]:
        """What a viewer needs who has seen everything before ply `since`; -1 asks for the
        present only."""
        table = room.table
        first = table.ply if since < 0 or since > table.ply else since
        messages: list[wire.Outgoing] = [wire.Info(self._presence.info(room, viewer))]
        if table.match:
            seats: list[int | None] = [*table.seats_of(viewer.person)] or [None]
            updates = table.updates(seats, first, self._clock.now_ms())
            messages += [for_viewer(table, viewer, update) for update in updates]
        return messages
