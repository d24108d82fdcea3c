"""The house from inside: failures that are hard to bring about from outside."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from lampion.server.play.bots import BotRunner

from lampion.bots.base import Budget
from lampion.bots.levels import Player as BotPlayer
from lampion.bots.levels import make_player
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.services import now_ms
from lampion.server.store import open_store
from lampion.server.store.base import Appended, Duplicate, Hint, NewEvent, PersonRow, Stale, StorageFailed, Store
from lampion.server.tables import house as house_module
from lampion.server.tables import lobby
from lampion.server.tables.readiness import Readiness
from tests.server.store.postgres import Postgres

ADA = PersonRow("ada", "Ada", 0, 0)


class Hanging:
    def choose(self, *_: Any) -> int:
        time.sleep(20)
        return 0


class Failing:
    def choose(self, *_: Any) -> int:
        raise RuntimeError("out of ideas")


class Cheating:
    def choose(self, *_: Any) -> int:
        return 10**6


class Full:
    """A store whose disk can be full."""

    def __init__(self, store: Store) -> None:
        self._store, self.full = store, False

    async def append(
        self, table: str, expected_seq: int, events: Sequence[NewEvent], *, status: str | None = None
    ) -> Appended | Stale | Duplicate:
        if self.full:
            raise StorageFailed("no space left", code="storage-full")
        return await self._store.append(table, expected_seq, events, status=status)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


class Deaf(Full):
    """A store whose hints from other processes are all lost."""

    async def hints(self) -> AsyncIterator[Hint]:
        await asyncio.sleep(3600)
        yield Hint("", 0)


@contextlib.asynccontextmanager
async def running(store: Store, bots: BotRunner | None = None) -> AsyncIterator[House]:
    house = House(store, bots or BotRunner(2), Readiness(["lanterns"]), bot_pause=0.0)
    await house.open()
    if await store.person("ada") is None:
        await store.add_person(ADA)
    try:
        yield house
    finally:
        await house.close()


async def new_table(house: House, *kinds: str) -> str:
    seats = [wire.SeatChoice("me") if kind == "me" else wire.SeatChoice("bot", "novice") for kind in kinds]
    return await lobby.create(house, ADA, wire.NewTable("lanterns", seats))


async def act(house: House, table: str, command: str = "c") -> None:
    async with house.at(table) as room:
        match = room.table.match
        assert match
        action, ply = match.legal_actions()[-1], match.ply
    await house.do(table, "ada", wire.Act(command, 0, ply, action))


class Screen:
    """Somebody who watches and remembers."""

    person: str | None = None

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def offer(self, message: bytes) -> None:
        self.messages.append(message)


@pytest.mark.parametrize("bot", [Hanging(), Failing(), Cheating()])
def test_a_bot_that_hangs_fails_or_cheats_never_stalls_a_table(tmp_path: Path, bot: Any) -> None:
    async def play() -> None:
        runner = BotRunner(1, lambda name: BotPlayer(name, bot, Budget()), grace=0.3)
        async with running(open_store(str(tmp_path / "db")), runner) as house:
            table, other = await new_table(house, "bot", "me"), await new_table(house, "me", "bot")
            await act(house, other)
            async with asyncio.timeout(30):
                while (await house.room(table)).table.actors != [1]:
                    await asyncio.sleep(0.05)

    asyncio.run(play())


def test_a_full_disk_refuses_the_move_shows_nothing_and_goes_on_later(tmp_path: Path) -> None:
    async def play() -> None:
        store = Full(open_store(str(tmp_path / "db")))
        async with running(store) as house:
            table, screen = await new_table(house, "me", "bot"), Screen()
            (await house.room(table)).watchers.add(screen)
            store.full = True
            with pytest.raises(StorageFailed):
                await act(house, table)
            async with house.at(table) as room:
                assert room.table.actors == [0], "nothing has happened"
            assert screen.messages == []
            store.full = False
            await act(house, table)
            assert len(screen.messages) >= 1

    asyncio.run(play())


def test_a_lost_hint_is_made_good_by_looking(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(house_module, "POLL_SECONDS", 0.2)

    async def play() -> None:
        url = postgres.create("lost_hint")
        async with running(open_store(url)) as left, running(Deaf(open_store(url))) as right:
            table, screen = await new_table(left, "me", "me"), Screen()
            (await right.room(table)).watchers.add(screen)
            await act(left, table)
            async with asyncio.timeout(10):
                while not screen.messages:
                    await asyncio.sleep(0.05)

    asyncio.run(play())


def test_of_two_processes_one_wins_and_the_other_reads_on(postgres: Postgres) -> None:
    async def play() -> None:
        url = postgres.create("two_houses")
        async with running(Deaf(open_store(url))) as left, running(Deaf(open_store(url))) as right:
            table = await new_table(left, "me", "me")
            await right.room(table)
            await act(left, table, "first")
            async with right.at(table) as room:
                assert room.table.match
                old = room.table.match.legal_actions()[-1], room.table.match.ply
            with pytest.raises(TableError) as refused:
                await right.do(table, "ada", wire.Act("second", 0, old[1], old[0]))
            assert refused.value.code == "stale"
            async with left.at(table) as one, right.at(table) as two:
                assert one.table.match
                assert two.table.match
                assert [entry.text for entry in one.table.match.log] == [entry.text for entry in two.table.match.log]

    asyncio.run(play())


def test_the_same_command_through_two_processes_is_done_once(postgres: Postgres) -> None:
    async def play() -> None:
        url = postgres.create("same_command")
        async with running(Deaf(open_store(url))) as left, running(Deaf(open_store(url))) as right:
            table = await new_table(left, "me", "me")
            await right.room(table)
            async with left.at(table) as room:
                assert room.table.match
                command = wire.Act("same", 0, room.table.match.ply, room.table.match.legal_actions()[-1])
            await left.do(table, "ada", command)
            await right.do(table, "ada", command)
            async with left.at(table) as one, right.at(table) as two:
                assert one.table.ply == two.table.ply

    asyncio.run(play())


def test_levels_are_real_bots() -> None:
    assert make_player("novice").name == "novice"
    assert now_ms() > 1_700_000_000_000
