"""Bans and mutes. They are few, so every process keeps all of them in memory."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from lampion.server.bus import Bus
from lampion.server.clock import Clock
from lampion.server.errors import Forbidden
from lampion.server.people.origins import group_of
from lampion.server.store.base import SanctionRow, Store


class What(StrEnum):
    BAN = "ban"
    MUTE = "mute"


class Whom(StrEnum):
    PERSON = "person"
    ADDRESS = "address"


@dataclass(frozen=True)
class SanctionsChanged:
    """Published on the bus: open sockets are checked again."""


class Sanctions:
    def __init__(self, store: Store, clock: Clock, bus: Bus) -> None:
        self._store = store
        self._bus = bus
        self._clock = clock
        self._active: dict[tuple[str, str], SanctionRow] = {}
        """By what and subject."""

    async def reload(self) -> None:
        rows = await self._store.active_sanctions(self._clock.now_ms())
        active = {(row.what, _subject(row)): row for row in rows}
        if active != self._active:
            self._active = active
            self._bus.publish(SanctionsChanged())

    def check_not_banned(self, person: str | None, address: str) -> None:
        self._check(What.BAN, [person or "", group_of(address)], "you are banned from this server")

    def check_not_muted(self, person: str | None, address: str) -> None:
        self._check(What.MUTE, [person or "", group_of(address)], "you may not write here")

    def _check(self, what: What, subjects: Collection[str], message: str) -> None:
        if not self._active:
            return
        now_ms = self._clock.now_ms()
        for subject in subjects:
            row = self._active.get((what, subject))
            if row is not None and (row.until_ms is None or row.until_ms > now_ms):
                until = row.until_ms if row.until_ms is not None else -1
                raise Forbidden(
                    f"{message}: {row.reason}",
                    code=f"{what}-in-force",
                    reason=row.reason,
                    until_ms=until,
                )


def _subject(row: SanctionRow) -> str:
    return group_of(row.subject) if row.kind == Whom.ADDRESS else row.subject
