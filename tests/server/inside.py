"""The server from inside, in one event loop: for failures that are hard to bring about from outside."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from lampion.bots.base import Budget
from lampion.bots.levels import BotPlayer
from lampion.server import wire
from lampion.server.clock import Clock
from lampion.server.config import Config
from lampion.server.play.scheduler import Scheduler
from lampion.server.play.thinking import BotRunner
from lampion.server.services import Services
from lampion.server.store.base import PersonRow, StorageFailed, Store
from lampion.server.tables import lobby
from lampion.server.tables.room import NO_ONE, Viewer

ADA = PersonRow("ada", "Ada", 4_000_000_000_000, 4_000_000_000_000)
"""Seen long after any clock of these tests, so that she is no guest who never came back."""
PATIENCE = 60.0
"""Seconds; for a machine with a load of ten. Nothing is ever expected to take that long."""


class GivenClock(Clock):
    """Time passes when the test says so."""

    def __init__(self, now_ms: int = 1_800_000_000_000) -> None:
        super().__init__()
        self.at_ms = now_ms

    def now_ms(self) -> int:
        return self.at_ms

    def at_least(self, ms: int) -> None:
        self.at_ms = max(self.at_ms, ms)


class Failing:
    """A store that can be switched off: every call fails until it is switched on again."""

    def __init__(self, store: Store, code: str = "storage-unreachable") -> None:
        self._store, self._code = store, code
        self.is_off = False

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if name in ("news", "close", "process") or not callable(found):
            return found

        async def call(*args: Any, **kwargs: Any) -> Any:
            if self.is_off:
                raise StorageFailed("switched off", code=self._code)
            return await found(*args, **kwargs)

        return call


class Screen:
    """A watcher that remembers."""

    def __init__(self, viewer: Viewer = NO_ONE, *, folds: bool = False) -> None:
        self.viewer = viewer
        self.folds = folds
        self.messages: list[bytes] = []

    def offer(self, message: bytes) -> None:
        self.messages.append(message)


def first_legal() -> BotRunner:
    """Bots that choose at once."""
    return runner(lambda seen, seat, legal, *_: int(legal[0]))


def runner(choose: Callable[..., int], *, cores: int = 1, grace: float = 5.0) -> BotRunner:
    class Chooser:
        def choose(self, *args: Any) -> int:
            return choose(*args)

    return BotRunner(Scheduler(cores), lambda name: BotPlayer(name, Chooser(), Budget()), grace)


@contextlib.asynccontextmanager
async def running(
    store: Any, *, bots: BotRunner | None = None, clock: Clock | None = None, **settings: Any
) -> AsyncIterator[Services]:
    config = Config(bot_pause=0.0, **settings)
    services = Services(config, store, games=["lanterns"], clock=clock, bots=bots or first_legal())
    await services.open()
    if await store.person("ada") is None:
        await store.add_person(ADA)
    try:
        yield services
    finally:
        await services.close()


async def new_table(services: Services, *kinds: str, game: str = "lanterns", **more: Any) -> str:
    """A table for Ada. Kinds are `me`, `open`, or the level of a bot."""
    own: dict[str, wire.SeatChoice] = {"me": wire.SeatChoice("me"), "open": wire.SeatChoice("open")}
    seats = [own.get(kind) or wire.SeatChoice("bot", kind) for kind in kinds]
    return await lobby.create(services.rooms, ADA, wire.NewTable(game, seats, **more))


async def act(services: Services, table: str, command: str = "c", seat: int = 0) -> None:
    async with services.rooms.at(table) as room:
        match = room.table.match
        assert match
        action, ply = match.legal_actions(seat)[-1], match.ply
    await services.rooms.do(table, "ada", wire.Act(command, seat, ply, action))


def store_rules_version(database: Path, table: str, version: int) -> None:
    """As a server that knows other rules would have stored the table."""
    with contextlib.closing(sqlite3.connect(database)) as db, db:
        sql = "UPDATE game_table SET rules_version = ? WHERE id = ?"
        assert db.execute(sql, (version, table)).rowcount == 1


async def until(holds: Callable[[], Any]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.02)
