"""What other processes tell is taken in here, in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from typing import Any, Protocol

from lampion.core.errors import LampionError
from lampion.server.bus import Bus
from lampion.server.peers import NewsKind, Peers
from lampion.server.people.keys import KeysInDoubt, KeysRevoked, People
from lampion.server.play.duties import Duties
from lampion.server.store.base import LOG, LOST, News, StorageFailed, Store, decode_log_news
from lampion.server.tables.happenings import Described
from lampion.server.tables.rooms import Rooms

log = logging.getLogger("lampion.following")


class Refreshed(Protocol):
    """What every process keeps in memory whole, and reads again when it changes."""

    async def reload(self) -> None: ...


class Following:
    def __init__(
        self,
        store: Store,
        rooms: Rooms,
        peers: Peers,
        people: People,
        duties: Duties,
        kept: Mapping[str, Refreshed],
    ) -> None:
        """`kept` is named by the news that say that it has changed."""
        self._store = store
        self._rooms = rooms
        self._peers = peers
        self._people = people
        self._duties = duties
        self._kept = kept
        self._bus: Bus = rooms.bus
        self._tasks: set[asyncio.Task[None]] = set()
        self._has_missed = False
        """News was heard, but the store failed when it was to be taken in."""

    async def run(self) -> None:
        """Whatever ends this, such as a fault of the store, is made good when it is begun again:
        the first news is then a LOST."""
        async for news in self._store.news():
            await self._take(news)

    async def make_good(self) -> None:
        """Read again what could not be read when others told of it."""
        if self._has_missed:
            self._has_missed = False
            try:
                await self._rooms.refresh_all()
            except StorageFailed:
                self._has_missed = True
                raise

    async def _take(self, news: News) -> None:
        watched_elsewhere = await self._peers.take(news)
        if watched_elsewhere:
            self._note_watchers(watched_elsewhere)
        match news.kind:
            case _ if news.kind == LOG:
                self._take_log(news)
            case _ if news.kind == LOST:
                await self._look_at_everything()
            case NewsKind.PERSON:
                self._people.forget(news.about)
                self._spawn(self._rooms.refresh_person(news.about))
            case NewsKind.TABLE:
                self._spawn(self._rooms.refresh(news.about))
            case NewsKind.KEYS:
                only, _, keep = news.data.partition(" ")[2].partition(",")
                self._bus.publish(KeysRevoked(news.about, only, keep))
                await self._peers.acknowledge(news.data)
            case kind if kind in self._kept:
                await self._kept[kind].reload()
            case NewsKind.REACH:
                await self._rooms.reachable.refresh(news.about)
            case NewsKind.RETRIED:
                self._spawn(self._duties.adopt(news.about))

    def _take_log(self, news: News) -> None:
        room = self._rooms.in_memory.get(news.about)
        told = decode_log_news(news.data)
        if room is not None and told.seq > room.table.seq:
            self._spawn(self._rooms.catch_up(news.about, told.events or ()))

    async def _look_at_everything(self) -> None:
        """News may have been lost: ask who is there, and read everything again that others may
        have changed."""
        self._bus.publish(KeysInDoubt())
        self._spawn(self._rooms.refresh_all())
        await self._peers.say_hello()
        for kept in self._kept.values():
            await kept.reload()
        await self._rooms.reachable.reload()

    def _note_watchers(self, table: str) -> None:
        room = self._rooms.in_memory.get(table)
        if room is not None:
            self._bus.publish(Described(room))
        self._duties.begin(table)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Beside the stream of news: a table that is slow to read must not hold up the others."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        self._has_missed |= isinstance(error, StorageFailed)
        if isinstance(error, LampionError):
            log.debug("news could not be taken in", extra={"problem": str(error)})
        elif error is not None:
            log.error("news could not be taken in", exc_info=error)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
