"""What nobody needs any more is cleaned up: abandoned tables, guests who never came back,
expired codes, deleted bytes."""

from __future__ import annotations

import logging

from lampion.core.errors import LampionError
from lampion.server.clock import Clock
from lampion.server.config import Config
from lampion.server.peers import NewsKind
from lampion.server.people.keys import People
from lampion.server.play.supervisor import Supervisor
from lampion.server.store.base import Store, TableStatus
from lampion.server.tables import commands
from lampion.server.tables.rooms import Rooms

log = logging.getLogger("lampion.retention")
DAY_MS = 24 * 3600 * 1000
PRUNE_SECONDS = 3600.0
SCRUB_SECONDS = 1.0
AT_ONCE = 100
NOTICE_DAYS = 60
"""How long the outbox remembers what it has sent."""


class Retention:
    def __init__(
        self, store: Store, rooms: Rooms, people: People, clock: Clock, config: Config
    ) -> None:
        self._store = store
        self._rooms = rooms
        self._people = people
        self._clock = clock
        self._config = config

    def keep(self, supervisor: Supervisor) -> None:
        supervisor.repeat("retention", PRUNE_SECONDS, self._prune)
        supervisor.repeat("scrub", SCRUB_SECONDS, self._scrub)

    async def _scrub(self) -> None:
        await self._store.scrub()

    async def _prune(self) -> None:
        await self.prune()

    async def prune(self) -> dict[str, int]:
        """Clean up now; returns how many there were of each kind."""
        now_ms = self._clock.now_ms()
        codes = await self._store.drop_expired_tokens(now_ms)
        await self._store.drop_unconfirmed_ways(now_ms - DAY_MS)
        await self._store.purge_notices(now_ms - NOTICE_DAYS * DAY_MS)
        tables = people = 0
        if self._config.abandon_days:
            tables = await self._end_abandoned(now_ms - self._config.abandon_days * DAY_MS)
        if self._config.guest_days:
            people = await self._forget_guests(now_ms - self._config.guest_days * DAY_MS)
        if codes or tables or people:
            log.info("cleaned up", extra={"codes": codes, "tables": tables, "people": people})
        return {"codes": codes, "tables": tables, "people": people}

    async def _end_abandoned(self, before_ms: int) -> int:
        """A running game that nobody touched is stopped and kept; an open table in which nothing
        happened is deleted."""
        ended = 0
        while tables := await self._store.tables_unchanged_since(
            TableStatus.OPEN, before_ms, AT_ONCE
        ):
            for table in tables:
                await self._rooms.delete(table)
            ended += len(tables)
        return ended + await self._stop_abandoned(before_ms)

    async def _stop_abandoned(self, before_ms: int) -> int:
        """What cannot be stopped (a newer version's table, say) stays, and is passed over."""
        ended = stuck = 0
        while tables := await self._store.tables_unchanged_since(
            TableStatus.RUNNING, before_ms, AT_ONCE, stuck
        ):
            stopped = [table for table in tables if await self._stop(table)]
            ended += len(stopped)
            stuck += len(tables) - len(stopped)
        return ended

    async def _stop(self, table: str) -> bool:
        try:
            await self._rooms.change(table, lambda at: commands.stop(at, self._clock.now_ms()))
        except LampionError as problem:
            log.warning("abandoned table stays", extra={"table": table, "problem": str(problem)})
            return False
        return True

    async def _forget_guests(self, before_ms: int) -> int:
        forgotten = 0
        while people := await self._store.people_unseen_since(before_ms, AT_ONCE):
            await self._people.delete_many(people)
            await self._store.tell([(NewsKind.PERSON, person, "") for person in people])
            forgotten += len(people)
        return forgotten
