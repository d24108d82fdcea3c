"""One sentence from the operator to everybody, such as "back in ten minutes"."""

from __future__ import annotations

import msgspec

from lampion.server import wire
from lampion.server.bus import Bus
from lampion.server.clock import Clock
from lampion.server.store.base import Store

SETTING = "announcement"


class Announcement:
    def __init__(self, store: Store, bus: Bus, clock: Clock) -> None:
        self._store = store
        self._bus = bus
        self._clock = clock
        self._current: wire.Announcement | None = None

    @property
    def current(self) -> wire.Announcement | None:
        found = self._current
        is_over = (
            found is not None
            and found.until_ms is not None
            and found.until_ms <= self._clock.now_ms()
        )
        return None if is_over else found

    async def reload(self) -> None:
        stored = await self._store.setting(SETTING)
        found = msgspec.json.decode(stored, type=wire.Announcement) if stored else None
        if found != self._current:
            self._current = found
            self._bus.publish(found or wire.Announcement(""))

    async def set(self, announcement: wire.Announcement | None) -> None:
        text = msgspec.json.encode(announcement).decode() if announcement else None
        await self._store.set_setting(SETTING, text)
        await self.reload()
