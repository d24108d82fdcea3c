"""Sends what has happened to everybody who watches, each as their seat sees it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from lampion.server import wire
from lampion.server.bus import Bus
from lampion.server.clock import Clock
from lampion.server.play.presence import Presence
from lampion.server.tables.chat import said
from lampion.server.tables.happenings import Changed, Chatted, Described
from lampion.server.tables.info import for_viewer, is_insider, nameless, told_like
from lampion.server.tables.kinds import EventKind
from lampion.server.tables.room import Room, Viewer, Watcher
from lampion.server.tables.rooms import Rooms
from lampion.server.web.large_effects import LargeEffectsQueue

encode = msgspec.json.Encoder().encode


class Publisher:
    def __init__(self, bus: Bus, rooms: Rooms, presence: Presence, clock: Clock) -> None:
        self._presence = presence
        self._clock = clock
        self._large_effects = LargeEffectsQueue(rooms)
        self._followers: dict[str, set[Watcher]] = {}
        """Streams of a person's own tables, by person."""
        bus.subscribe(Changed, self._changed)
        bus.subscribe(Described, lambda described: self._tell_info(described.room))
        bus.subscribe(Chatted, self._chatted)

    async def close(self) -> None:
        await self._large_effects.close()

    @contextlib.contextmanager
    def followed(self, person: str, follower: Watcher) -> Iterator[None]:
        """Tell the follower of all tables of the person while the block runs."""
        followers = self._followers.setdefault(person, set())
        followers.add(follower)
        try:
            yield
        finally:
            followers.discard(follower)
            if not followers and self._followers.get(person) is followers:
                del self._followers[person]

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
        folded = {seat for seat, watchers in listeners.items() if any(w.folds for w in watchers)}
        before = {seat: view for seat, view in room.shown.items() if seat in folded}
        updates = table.updates(list(listeners), since, self._clock.now_ms(), before)
        room.shown = {update.seat: update.view for update in updates if update.view is not None}
        for update in updates:
            encoded = _Encoded(update, _may_fold(before.get(update.seat), update))
            for watcher in listeners[update.seat]:
                watcher.offer(encoded.for_watcher(watcher, is_insider(table, watcher.viewer)))
            self.follow_up(room, update, listeners[update.seat])

    def follow_up(self, room: Room, update: wire.Outgoing, watchers: Iterable[Watcher]) -> None:
        """Large effects come in a message of their own."""
        if isinstance(update, wire.Update) and update.effects is None:
            folding = [watcher for watcher in watchers if watcher.folds]
            if folding:
                self._large_effects.tell(room, update, folding)

    def _tell_info(self, room: Room) -> None:
        """Encoded once for all spectators, however many there are."""
        messages: dict[Viewer, bytes] = {}
        for watcher in room.watchers:
            viewer = told_like(room.table, watcher.viewer)
            if viewer not in messages:
                messages[viewer] = encode(wire.Info(self._presence.info(room, viewer)))
            watcher.offer(messages[viewer])
        self._tell_followers(room)

    def _tell_followers(self, room: Room) -> None:
        for person in room.table.people & self._followers.keys():
            message = encode(wire.Info(self._presence.info(room, Viewer(person))))
            for follower in self._followers[person]:
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
            if table.ply == room.published:
                room.shown |= {update.seat: update.view for update in updates if update.view}
            messages += [for_viewer(table, viewer, update) for update in updates]
        return messages


def _may_fold(before: dict[str, Any] | None, update: wire.Update) -> bool:
    """Whether the events lead from the view before to this one. Only insiders see names, so no
    event contains them."""
    if before is None or update.view is None:
        return False
    return bool(before["ply"] == update.since and before["names"] == update.view["names"])


class _Encoded:
    """One update as each kind of watcher gets it; each form is encoded when the first one needs it."""

    def __init__(self, update: wire.Update, may_fold: bool) -> None:
        self._update, self._may_fold = update, may_fold
        self._forms: dict[tuple[bool, bool], bytes] = {}

    def for_watcher(self, watcher: Watcher, is_insider: bool) -> bytes:
        folds = watcher.folds and self._may_fold
        if (folds, is_insider) not in self._forms:
            update = self._update if is_insider else nameless(self._update)
            if folds:
                update = msgspec.structs.replace(update, view=None)
            self._forms[folds, is_insider] = encode(update)
        return self._forms[folds, is_insider]
