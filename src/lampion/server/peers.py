"""The other processes that serve the same database: who they are, what they tell us, which tables
are ours to look after.

Every process beats once a second. One that has been silent for three seconds is dead, and its
tables are looked after by the others. For each table exactly one process is responsible: among
those at which people watch the table, or else among all, the one that comes first in an order that
every process works out alike (rendezvous hashing). If two processes disagree for a moment, both may
try a bot's move; the log lets one of them win.

A process knows that it misses nothing while it hears its own beats come back (`is_current`). When
it does not, it trusts no key in its memory but asks the database; so a revoked key is dead
everywhere once all others have acknowledged, or once enough time has passed for a silent process to
have stopped trusting itself.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from enum import StrEnum

import msgspec

from lampion.server import metrics
from lampion.server.store.base import News, Store

BEAT_SECONDS = 1.0
DEAD_SECONDS = 3.0
CURRENT_SECONDS = 2.0
ACKNOWLEDGE_SECONDS = CURRENT_SECONDS + 0.5
"""After that a process that has not acknowledged no longer trusts what it remembers."""
FLUSH_SECONDS = 0.25


class NewsKind(StrEnum):
    BEAT = "beat"
    BYE = "bye"
    HELLO = "hello"
    """A process is new, or may have missed news: everybody tells it who is where."""
    HERE = "here"
    """Who watches a table at the sender; an empty list and 0 when nobody does any more."""
    PERSON = "person"
    """A name changed, or a person is gone."""
    TABLE = "table"
    """Something about a table changed that is not in its log."""
    KEYS = "keys"
    ACK = "ack"
    SANCTIONS = "sanctions"
    ANNOUNCEMENT = "announcement"
    DRAIN = "drain"
    REACH = "reach"
    """A person has chosen or dropped a way to be notified."""
    RETRIED = "retried"
    """A quarantined table can be read again."""


class Here(msgspec.Struct, frozen=True, array_like=True):
    """The watchers of a table in one process: people with a seat, and how many others."""

    people: frozenset[str] = frozenset()
    spectators: int = 0
    away: frozenset[str] = frozenset()
    """People whose pages are all in the background."""

    @property
    def looking(self) -> frozenset[str]:
        return self.people - self.away


NOBODY_HERE = Here()
_decode_here = msgspec.json.Decoder(Here).decode


class Peers:
    def __init__(self, store: Store, now: Callable[[], float] = time.monotonic) -> None:
        self._store = store
        self._now = now
        self.me = store.process
        self._heard: dict[str, float] = {}
        """When each other process was last heard."""
        self._own_echo = float("-inf")
        self._elsewhere: dict[str, dict[str, Here]] = {}
        self._here: dict[str, Here] = {}
        self._dirty: set[str] = set()
        self._unacknowledged: dict[str, set[str]] = {}
        self._acknowledged = asyncio.Event()
        self.on_change: list[Callable[[], None]] = []
        """Called when a process has come or gone."""

    # --- who is there ---

    @property
    def is_current(self) -> bool:
        """Whether this process hears what the others tell."""
        return self._now() - self._own_echo < CURRENT_SECONDS

    @property
    def others(self) -> list[str]:
        return sorted(self._heard)

    def expect(self, processes: Collection[str]) -> None:
        """Processes that the database knows of when this one starts."""
        self._heard.update(dict.fromkeys(processes, self._now()))

    async def beat(self) -> None:
        self._bury_the_dead()
        metrics.PEERS.set(1 + len(self._heard))
        await self._store.tell([(NewsKind.BEAT, self.me, "")])

    def _bury_the_dead(self) -> None:
        dead = [name for name, at in self._heard.items() if self._now() - at > DEAD_SECONDS]
        for name in dead:
            self._forget(name)

    def _forget(self, process: str) -> None:
        self._elsewhere.pop(process, None)
        for waiting in self._unacknowledged.values():
            waiting.discard(process)
        self._acknowledged.set()
        if self._heard.pop(process, None) is not None:
            self._tell_change()

    def _tell_change(self) -> None:
        for call in self.on_change:
            call()

    async def say_hello(self) -> None:
        await self._store.tell([(NewsKind.HELLO, self.me, "")])

    async def say_goodbye(self) -> None:
        await self._store.tell([(NewsKind.BYE, self.me, "")])

    async def take(self, news: News) -> str | None:
        """Take in news about the processes themselves. Returns the table whose watchers
        elsewhere have changed."""
        if not news.sender:
            return None  # from the store itself: nobody whom tables could be left to
        if news.sender == self.me:
            if news.kind == NewsKind.BEAT:
                self._own_echo = self._now()
            return None
        if news.kind == NewsKind.BYE:
            self._forget(news.sender)
            return None
        is_new = news.sender not in self._heard
        self._heard[news.sender] = self._now()
        if is_new:
            self._tell_change()
        if news.kind == NewsKind.HELLO or (is_new and news.kind == NewsKind.BEAT):
            await self._tell_everything()
        elif news.kind == NewsKind.ACK:
            self._unacknowledged.get(news.about, set()).discard(news.sender)
            self._acknowledged.set()
        elif news.kind == NewsKind.HERE:
            self._note_elsewhere(news)
            return news.about
        return None

    # --- who watches where ---

    def note_here(self, table: str, here: Here) -> bool:
        """Who watches a table in this process. Returns whether that is new."""
        if self.here(table) == here:
            return False
        if here == NOBODY_HERE:
            self._here.pop(table, None)
        else:
            self._here[table] = here
        self._dirty.add(table)
        return True

    def here(self, table: str) -> Here:
        return self._here.get(table, NOBODY_HERE)

    def elsewhere(self, table: str) -> Here:
        """Who watches a table in the other processes."""
        found = [tables[table] for tables in self._elsewhere.values() if table in tables]
        people = frozenset().union(*(here.people for here in found))
        looking = frozenset().union(*(here.looking for here in found))
        return Here(people, sum(here.spectators for here in found), people - looking)

    def is_watched(self, table: str) -> bool:
        return table in self._here or any(table in tables for tables in self._elsewhere.values())

    def _note_elsewhere(self, news: News) -> None:
        tables = self._elsewhere.setdefault(news.sender, {})
        here = _decode_here(news.data)
        if here == NOBODY_HERE:
            tables.pop(news.about, None)
        else:
            tables[news.about] = here

    async def flush(self) -> None:
        """Tell the others who has come and gone here."""
        dirty, self._dirty = self._dirty, set()
        if not dirty or not self._heard:
            return
        try:
            await self._store.tell([self._here_news(table) for table in dirty])
        except BaseException:
            self._dirty |= dirty
            raise

    async def _tell_everything(self) -> None:
        self._dirty |= self._here.keys()
        await self.flush()

    def _here_news(self, table: str) -> tuple[str, str, str]:
        return NewsKind.HERE, table, msgspec.json.encode(self.here(table)).decode()

    # --- whose table it is ---

    def is_mine(self, table: str) -> bool:
        return self.responsible(table) == self.me

    def responsible(self, table: str) -> str:
        watching = [
            name
            for name, tables in self._elsewhere.items()
            if table in tables and name in self._heard
        ]
        if table in self._here:
            watching.append(self.me)
        return max(watching or [self.me, *self._heard], key=lambda name: _weight(table, name))

    # --- what must reach everybody ---

    async def tell_and_wait(self, news: Sequence[tuple[NewsKind, str, str]]) -> None:
        """Tell something, and return when no process can still act on what it knew before. News
        are taken in order, so the others need acknowledge the last only: it carries a number."""
        if not news:
            return
        number = secrets.token_hex(8)
        *some, (kind, about, data) = [(kind, about, f" {data}") for kind, about, data in news]
        waiting = self._unacknowledged[number] = set(self._heard)
        try:
            await self._store.tell([*some, (kind, about, f"{number}{data}")])
            with suppress(TimeoutError):
                async with asyncio.timeout(ACKNOWLEDGE_SECONDS):
                    while waiting:
                        self._acknowledged.clear()
                        await self._acknowledged.wait()
        finally:
            del self._unacknowledged[number]

    async def acknowledge(self, data: str) -> None:
        """Tell who waits for it, if any process does, that this one has taken in the news."""
        if number := data.partition(" ")[0]:
            await self._store.tell([(NewsKind.ACK, number, "")])


def _weight(table: str, process: str) -> bytes:
    return hashlib.blake2b(f"{table} {process}".encode(), digest_size=8).digest()
