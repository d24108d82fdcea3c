"""Bots and clocks go on, whatever ended them."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lampion.server import services as services_module
from lampion.server import wire
from lampion.server.bus import Bus
from lampion.server.clock import Clock
from lampion.server.errors import Forbidden, UpdateNeeded
from lampion.server.peers import DEAD_SECONDS, NewsKind, Peers
from lampion.server.people.keys import Key
from lampion.server.people.origins import UNSEEN
from lampion.server.play import retention
from lampion.server.play import supervisor as supervisor_module
from lampion.server.play.supervisor import Supervisor, Troubles
from lampion.server.services import Services
from lampion.server.store import open_store
from lampion.server.store.base import (
    News,
    PersonRow,
    SanctionRow,
    SeatKind,
    SeatRow,
    StorageFailed,
    TableStatus,
    TokenKind,
)
from lampion.server.store.sqlstore import SqlStore
from lampion.server.tables import lobby
from lampion.server.tables.happenings import Attended
from lampion.server.tables.room import Viewer
from lampion.server.tables.rooms import SeatChange
from tests.server.inside import (
    ADA,
    PATIENCE,
    Failing,
    GivenClock,
    Screen,
    act,
    new_table,
    runner,
    running,
    store_rules_version,
    until,
)
from tests.server.store.postgres import Postgres

MINUTE = 60_000
FAST = wire.Clock(60)


async def actors(services: Services, table: str) -> list[int]:
    async with services.rooms.at(table) as room:
        return list(room.table.actors)


def hanging(*_: Any) -> int:
    time.sleep(20)
    return 0


def failing(*_: Any) -> int:
    raise RuntimeError("out of ideas")


def cheating(*_: Any) -> int:
    return 10**6


@pytest.mark.parametrize("choose", [hanging, failing, cheating])
def test_a_bot_that_hangs_fails_or_cheats_never_stalls_a_table(tmp_path: Path, choose: Any) -> None:
    async def play() -> None:
        bots = runner(choose, grace=0.3)
        async with running(open_store(str(tmp_path / "db")), bots=bots) as services:
            table = await new_table(services, "novice", "me")
            other = await new_table(services, "me", "novice")
            await act(services, other)
            room = await services.rooms.room(table)
            await until(lambda: room.table.actors == [1])

    asyncio.run(play())


@pytest.mark.parametrize("fault", ["sanctions", "lost"])
def test_news_that_nobody_read_while_the_store_was_away_is_made_good(
    tmp_path: Path, fault: str
) -> None:
    """The follower ends when the store fails under it, whatever it was about to do. Meanwhile
    another process revokes a key, bans a player and announces: all of it holds here, too."""

    async def play() -> None:
        inner = open_store(str(tmp_path / "db"))
        store = Failing(inner)
        assert isinstance(inner, SqlStore)
        async with running(store) as services:
            await until(lambda: services.peers.is_current)
            person, secret = await services.people.new_guest("Milo")
            key = Key(secret, TokenKind.COOKIE)
            store.is_off = True
            inner._hear([News("another", fault, "")])
            await until(lambda: "news" in services.supervisor.troubles)
            await inner.drop_tokens(person.id)
            await inner.add_sanction(SanctionRow("s", "ban", "person", "spammer", "spam", 0))
            inner._hear([News("another", NewsKind.KEYS, person.id, "n ,")])
            inner._hear([News("another", NewsKind.SANCTIONS, "")])
            store.is_off = False
            await until(lambda: services.peers.is_current)
            async with asyncio.timeout(PATIENCE):
                while await services.people.of_key(key) is not None:
                    await asyncio.sleep(0.02)
            await until(lambda: is_banned(services, "spammer"))

    asyncio.run(play())


def is_banned(services: Services, person: str) -> bool:
    try:
        services.sanctions.check_not_banned(person, "")
    except Forbidden:
        return True
    return False


def test_a_table_that_could_not_be_read_when_it_changed_is_read_later(tmp_path: Path) -> None:
    async def play() -> None:
        inner = open_store(str(tmp_path / "db"))
        store = Failing(inner)
        assert isinstance(inner, SqlStore)
        async with running(store) as services:
            table = await new_table(services, "me", "open")
            room = await services.rooms.room(table)
            await inner.rename("ada", "Countess")
            store.is_off = True
            inner._hear([News("another", NewsKind.PERSON, "ada")])
            await until(lambda: services.following._has_missed)
            store.is_off = False
            await until(lambda: room.table.seats[0].name == "Countess")

    asyncio.run(play())


def test_tables_without_their_host_share_one_queue(tmp_path: Path) -> None:
    """A person who makes sixty tables and is gone leaves no sixty visitors behind. Once a player is
    seen again, their bots wait for nobody else."""
    think = threading.Event()

    def choose(seen: Any, seat: int, legal: Any, *_: Any) -> int:
        think.wait(60)
        return int(legal[0])

    async def play() -> None:
        bots = runner(choose, grace=60)
        async with running(open_store(str(tmp_path / "db")), bots=bots) as services:
            tables = [await new_table(services, "novice", "me") for _ in range(6)]
            ada, named = ADA.id, bots._scheduler._named
            for table in tables:
                await services.store.update_table(table, host=None)
                await services.rooms.refresh(table)
            await until(lambda: len(named) == 4)
            assert {piece.owner for _, piece in named.values()} == {UNSEEN}
            services.origins.note(ada, "192.0.2.1")
            await services.duties.look_at_all()
            assert {piece.owner for _, piece in named.values()} == {"address 192.0.2.1"}
            room = await services.rooms.room(tables[0])
            room.table.row = msgspec.structs.replace(room.table.row, host="guest")
            services.origins.note("guest", "192.0.2.2")
            assert services.duties._owner(room.table) == "address 192.0.2.2", "the host's table"
            room.watchers.add(Screen(Viewer(ada)))
            services.bus.publish(Attended(room))
            assert services.duties._owner(room.table) == "address 192.0.2.1", "the host has gone"
            think.set()

    asyncio.run(play())


def test_bots_and_clocks_go_on_after_the_store_was_away(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Whether anybody watches or not; the error is logged once, with its cause, however many tables it concerns."""

    async def play() -> None:
        store, clock, think = (
            Failing(open_store(str(tmp_path / "db"))),
            GivenClock(),
            threading.Event(),
        )

        def choose(seen: Any, seat: int, legal: Any, *_: Any) -> int:
            think.wait(60)
            return int(legal[0])

        async with running(store, clock=clock, bots=runner(choose, grace=60)) as services:
            bots = [await new_table(services, "me", "novice") for _ in range(5)]
            clocks = [await new_table(services, "me", "me", pace=FAST) for _ in range(5)]
            for number, table in enumerate(bots):
                await act(services, table, f"c{number}")
            store.is_off = True
            think.set()
            await until(lambda: not services.rooms.outage.is_over)
            clock.at_ms += 2 * MINUTE
            await until(lambda: services.rooms.outage.ended_ms == clock.at_ms)
            store.is_off = False
            for table in bots:
                await until_actors(services, table, [0])
            for table in clocks:
                await until_forgiven(services, table)
            await until(lambda: not services.supervisor.troubles.names)
            clock.at_ms += 2 * MINUTE
            for table in clocks:
                await until_timed_out(services, table)

    with caplog.at_level(logging.WARNING):
        asyncio.run(play())
    told = [record for record in caplog.records if record.message == "failed, will be tried again"]
    assert {record.__dict__["duty"] for record in told} <= {
        "storage", "beat", "logs", "sweep", "presence", "news", "retention", "scrub", "notices",
        "count notices", "news to make good"}  # fmt: skip
    assert sum(record.__dict__["duty"] == "storage" for record in told) == 1


async def until_forgiven(services: Services, table: str) -> None:
    """The first seat has its time back, and was not timed out."""
    async with asyncio.timeout(PATIENCE):
        while True:
            async with services.rooms.at(table) as room:
                assert room.table.out_of_time == set()
                if room.table.clocks.left(0, services.clock.now_ms()) > 0:
                    return
            await asyncio.sleep(0.05)


async def until_timed_out(services: Services, table: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while 0 not in (await services.rooms.room(table)).table.out_of_time:
            await asyncio.sleep(0.05)


def test_a_player_does_not_pay_for_an_outage(tmp_path: Path) -> None:
    """The clock runs out while nothing can be stored: the turn is given back, once."""

    async def play() -> None:
        store, clock = Failing(open_store(str(tmp_path / "db"))), GivenClock()
        async with running(store, clock=clock) as services:
            table = await new_table(services, "me", "me", pace=FAST)
            store.is_off = True
            with pytest.raises(StorageFailed):
                await act(services, table)
            clock.at_ms += 2 * MINUTE
            await until(lambda: services.rooms.outage.ended_ms == clock.at_ms)
            store.is_off = False
            await until_forgiven(services, table)
            clock.at_ms += 2 * MINUTE
            await until_timed_out(services, table)

    asyncio.run(play())


def test_a_clock_does_not_wait_for_a_bot_that_thinks(tmp_path: Path) -> None:
    async def play() -> None:
        clock = GivenClock()
        bots = runner(hanging, grace=30)
        async with running(open_store(str(tmp_path / "db")), bots=bots, clock=clock) as services:
            table = await new_table(services, "me", "novice", "me", pace=FAST)
            await act(services, table)
            other = await new_table(services, "me", "me", pace=FAST)
            clock.at_ms += 2 * MINUTE
            await until_timed_out(services, other)
            result = (await services.rooms.room(other)).table.result
            assert result
            assert (result.reason, result.winners) == ("timeout", [1])

    asyncio.run(play())


def test_a_restart_forgives_the_time_nobody_was_there(tmp_path: Path) -> None:
    async def play() -> None:
        clock = GivenClock()
        path = str(tmp_path / "db")
        async with running(open_store(path), clock=clock) as services:
            table = await new_table(services, "me", "me", pace=FAST)
            days = await new_table(services, "me", "me", pace=wire.Days(1))
        clock.at_ms += 30 * 24 * 60 * MINUTE
        async with running(open_store(path), clock=clock, abandon_days=0) as services:
            for each in (table, days):
                await until_forgiven(services, each)

    asyncio.run(play())


def test_a_restart_looks_first_at_tables_where_something_happened_last(tmp_path: Path) -> None:
    """There a bot may be about to move; hundreds of others wait for a person."""

    class Noting(Failing):
        async def table(self, table: str) -> Any:
            read.append(table)
            return await self._store.table(table)

    read: list[str] = []

    async def play() -> None:
        clock, path, tables = GivenClock(), str(tmp_path / "db"), []
        async with running(open_store(path), clock=clock) as services:
            for _ in range(8):
                clock.at_ms += MINUTE
                tables.append(await new_table(services, "me", "me"))
        async with running(Noting(open_store(path)), clock=clock):
            await until(lambda: len(read) >= len(tables))
        assert read == tables[::-1]

    asyncio.run(play())


def test_bots_do_not_wait_until_all_clocks_are_forgiven(tmp_path: Path) -> None:
    """And no clock rings before."""

    class Slow(Failing):
        async def append(self, table: str, *args: Any, **kwargs: Any) -> Any:
            if table == slow:
                await go_on.wait()
            return await self._store.append(table, *args, **kwargs)

    slow, go_on, think = "", asyncio.Event(), threading.Event()

    async def play() -> None:
        nonlocal slow
        clock, path = GivenClock(), str(tmp_path / "db")
        bots = runner(lambda *_: think.wait(60))
        async with running(open_store(path), clock=clock, bots=bots) as services:
            tables = []
            for seats in (("me", "me"), ("me", "me"), ("novice", "me")):
                clock.at_ms += 1
                pace = wire.NoClock() if "novice" in seats else FAST
                tables.append(await new_table(services, *seats, pace=pace))
        last, slow, bot = tables
        clock.at_ms += 2 * MINUTE
        async with running(Slow(open_store(path)), clock=clock) as services:
            await services.rooms.room(last)
            await until_actors(services, bot, [1])
            await services.duties.look_at_all()
            go_on.set()
            for table in (slow, last):
                await until_forgiven(services, table)

    try:
        asyncio.run(play())
    finally:
        think.set()


def test_another_process_takes_over_the_tables_of_a_dead_one(postgres: Postgres) -> None:
    """Unwatched ones too, bots and clocks alike."""

    async def play() -> None:
        url, clock = postgres.create("taken_over"), GivenClock()
        async with running(open_store(url), clock=clock) as right:
            left = Services(
                right.config,
                open_store(url),
                games=["lanterns"],
                clock=clock,
                bots=runner(hanging, grace=60),
            )
            await left.open()
            await until(lambda: right.peers.others and left.peers.others)
            bots = [await new_table(left, "novice", "me") for _ in range(4)]
            clocks = [await new_table(left, "me", "me", pace=FAST) for _ in range(4)]
            # It dies without a word: no beat, no goodbye.
            await left.duties.close()
            await left.supervisor.close()
            clock.at_ms += 2 * MINUTE
            for table in bots:
                await until_actors(right, table, [1])
            for table in clocks:
                await until_timed_out_in_store(right, table)
            await left.following.close()
            await left.readiness.close()
            await left.store.close()

    asyncio.run(play())


async def until_actors(services: Services, table: str, wanted: list[int]) -> None:
    async with asyncio.timeout(PATIENCE):
        while await actors(services, table) != wanted:
            await asyncio.sleep(0.1)


async def until_timed_out_in_store(services: Services, table: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while not any(event.kind == "timeout" for event in await services.store.read(table)):
            await asyncio.sleep(0.1)


def test_a_game_that_begins_during_a_sweep_keeps_its_bots_and_clocks(tmp_path: Path) -> None:
    """The list of running tables is read before the game begins, and looked through after it."""

    class Slow(Failing):
        async def running_tables(self) -> Any:
            found = await self._store.running_tables()
            listed.set()
            await go_on.wait()
            return found

    listed, go_on = asyncio.Event(), asyncio.Event()

    async def play() -> None:
        clock = GivenClock()
        go_on.set()
        async with running(Slow(open_store(str(tmp_path / "db"))), clock=clock) as services:
            await until(listed.is_set)
            listed.clear()
            go_on.clear()
            sweep = asyncio.ensure_future(services.duties.sweep())
            await until(listed.is_set)
            table = await new_table(services, "me", "me", pace=FAST)
            go_on.set()
            await sweep
            clock.at_ms += 2 * MINUTE
            await services.duties.look_at_all()
            await until_timed_out(services, table)

    asyncio.run(play())


def test_abandoned_tables_and_guests_go_after_their_time(tmp_path: Path) -> None:
    async def play() -> None:
        clock = GivenClock()
        async with running(open_store(str(tmp_path / "db")), clock=clock) as services:
            open_, under_way = (
                await new_table(services, "me", "open"),
                await new_table(services, "me", "novice"),
            )
            guest, _ = await services.people.new_guest("Milo")
            await services.people.new_link(guest)
            clock.at_ms += 59 * 24 * 60 * MINUTE
            assert await services.retention.prune() == {"codes": 1, "tables": 0, "people": 0}
            clock.at_ms += 2 * 24 * 60 * MINUTE
            assert await services.retention.prune() == {"codes": 0, "tables": 2, "people": 0}
            assert await services.store.table(open_) is None
            row = await services.store.table(under_way)
            assert row
            assert row.status == TableStatus.STOPPED
            clock.at_ms += 120 * 24 * 60 * MINUTE
            assert await services.retention.prune() == {"codes": 0, "tables": 0, "people": 1}
            assert await services.store.person(guest.id) is None
            assert await services.store.person(ADA.id) is not None

    asyncio.run(play())


def test_abandoned_tables_that_cannot_be_stopped_hide_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More of them than are looked at together, and older than the one that can be stopped."""

    async def play() -> None:
        clock = GivenClock()
        async with running(open_store(str(tmp_path / "db")), clock=clock) as services:
            newer = [await new_table(services, "me", "novice") for _ in range(3)]
            clock.at_ms += 1
            stoppable = await new_table(services, "me", "novice")
            change = services.rooms.change

            async def refuse_newer(table: str, *args: Any, **more: Any) -> None:
                if table in newer:
                    raise UpdateNeeded("made by a newer version", where=table)
                await change(table, *args, **more)

            monkeypatch.setattr(services.rooms, "change", refuse_newer)
            monkeypatch.setattr(retention, "AT_ONCE", 2)
            clock.at_ms += 61 * 24 * 60 * MINUTE
            assert (await services.retention.prune())["tables"] == 1
            row = await services.store.table(stoppable)
            assert row and row.status == TableStatus.STOPPED

    asyncio.run(play())


def test_a_chore_that_fails_is_taken_up_again_and_told_once(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def play() -> None:
        calls = 0

        async def chore() -> None:
            nonlocal calls
            calls += 1
            if calls in (2, 3):
                raise OSError("no")

        supervisor = Supervisor()
        supervisor.repeat("chore", 0.01, chore)
        await until(lambda: calls >= 5)
        await supervisor.close()

    with caplog.at_level(logging.WARNING):
        asyncio.run(play())
    assert [record.message for record in caplog.records] == [
        "failed, will be tried again",
        "works again",
    ]
    assert caplog.records[0].__dict__["cause"] == "no"


def test_what_is_done_once_is_tried_until_it_works(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor_module, "FIRST_PAUSE", 0.01)

    async def play() -> None:
        calls = 0

        async def chore() -> None:
            nonlocal calls
            calls += 1
            if calls < 3:
                raise OSError("no")

        supervisor = Supervisor()
        supervisor.start("chore", chore)
        await until(lambda: calls == 3 and not supervisor._tasks)
        assert not supervisor.troubles.names
        await supervisor.close()

    asyncio.run(play())


def test_a_rare_chore_that_failed_does_not_wait_for_its_next_round() -> None:
    async def play() -> None:
        calls = 0

        async def chore() -> None:
            nonlocal calls
            calls += 1
            if calls == 1:
                raise OSError("no")

        supervisor = Supervisor()
        supervisor.repeat("chore", 3600, chore)
        await until(lambda: calls == 2 and not supervisor.troubles.names)
        await supervisor.close()

    asyncio.run(play())


def test_an_endless_chore_works_again_when_it_has_run_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lampion.server.play.supervisor.SETTLED_SECONDS", 0.05)

    async def play() -> None:
        calls = 0

        async def chore() -> None:
            nonlocal calls
            calls += 1
            if calls == 1:
                raise OSError("no")
            await asyncio.Event().wait()

        supervisor = Supervisor()
        supervisor.follow("chore", chore)
        await until(lambda: supervisor.troubles.names == ["chore"])
        await until(lambda: not supervisor.troubles.names)
        assert calls == 2
        await supervisor.close()

    asyncio.run(play())


def test_attempts_slow_down_while_the_trouble_lasts() -> None:
    troubles = Troubles()
    pauses = [troubles.failed("it", OSError("no")) for _ in range(6)]
    assert pauses == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0]
    troubles.worked("it")
    assert troubles.failed("it", OSError("no")) == 0.5


def test_the_clock_of_the_server_ignores_the_clock_of_the_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    before = clock.now_ms()
    for jump in (3600, -3600):
        monkeypatch.setattr(time, "time_ns", lambda jump=jump: 10**18 + jump * 10**9)
        assert 0 <= clock.now_ms() - before < 10_000


def test_a_table_that_was_full_when_the_server_died_starts_when_it_is_read_again(
    tmp_path: Path,
) -> None:
    """The last seat and the start are two appends, and a process may die between them."""

    async def run() -> None:
        path = str(tmp_path / "lampion.db")
        async with running(open_store(path)) as services:
            table = await new_table(services, "me", "open", pace=wire.Days(2))
            await services.store.add_person(PersonRow("ben", "Ben", 1, 1))
            ben = SeatRow(table, 1, SeatKind.PERSON, "ben", None, "Ben")
            await lobby._seat(services.rooms, table, SeatChange(ben, SeatKind.OPEN))
        async with running(open_store(path)) as services:
            room = await services.rooms.room(table)
            await until(lambda: room.table.status == TableStatus.RUNNING)

    asyncio.run(run())


def test_a_table_whose_last_seat_got_a_bot_waits_for_its_host_after_a_restart_too(
    tmp_path: Path,
) -> None:
    async def run() -> None:
        path = str(tmp_path / "lampion.db")
        async with running(open_store(path)) as services:
            table = await new_table(services, "me", "open")
            change = wire.ChangeSeat("bot", "novice")
            await lobby.change_seat(services.rooms, table, 1, ADA.id, change)
        async with running(open_store(path)) as services:
            room = await services.rooms.room(table)
            await services.duties.look_at_all()
            await until(lambda: not services.duties._busy)
            found = [room.table.status]
            await lobby.start(services.rooms, table, ADA.id)
            found.append(room.table.status)
            assert found == [TableStatus.OPEN, TableStatus.RUNNING]

    asyncio.run(run())


def test_a_table_that_is_deleted_elsewhere_has_no_duty_left(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(open_store(str(tmp_path / "db")), clock=GivenClock()) as services:
            table = await new_table(services, "me", "me", pace=FAST)
            assert table in services.duties._duties
            await services.store.delete_table(table)
            await services.duties.sweep()
            assert table not in services.duties._duties

    asyncio.run(play())


def test_a_table_that_cannot_be_resumed_keeps_no_clock_from_being_forgiven(tmp_path: Path) -> None:
    async def play() -> None:
        clock = GivenClock()
        async with running(open_store(str(tmp_path / "db")), clock=clock) as services:
            newer, known = [await new_table(services, "me", "me", pace=FAST) for _ in range(2)]
            store_rules_version(tmp_path / "db", newer, 99)
            services.rooms.forget(newer)
            clock.at_ms += MINUTE // 2
            await services.duties.forgive(MINUTE // 2)
            async with services.rooms.at(known) as room:
                assert room.table.clocks.left(0, clock.at_ms) == MINUTE

    asyncio.run(play())


def test_a_clock_that_was_moved_on_meanwhile_does_not_ring(tmp_path: Path) -> None:
    async def play() -> None:
        clock = GivenClock()
        async with running(open_store(str(tmp_path / "db")), clock=clock) as services:
            table = await new_table(services, "me", "me", pace=FAST)
            await act(services, table)
            seq = (await services.rooms.room(table)).table.seq
            await services.duties._time_out(table)
            await services.duties._play_bot(table)
            room = await services.rooms.room(table)
            assert (room.table.seq, room.table.out_of_time) == (seq, set())

    asyncio.run(play())


def test_a_table_of_another_process_is_not_adopted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play() -> None:
        async with running(open_store(str(tmp_path / "db")), clock=GivenClock()) as services:
            table = await new_table(services, "me", "me", pace=FAST)
            services.rooms.forget(table)
            monkeypatch.setattr(services.peers, "is_mine", lambda table: False)
            await services.duties.adopt(table)
            assert table not in services.rooms.in_memory
            monkeypatch.undo()
            await services.duties.adopt(table)
            assert table in services.duties._duties

    asyncio.run(play())


def test_news_that_cannot_be_taken_in_is_logged_and_ends_with_the_server(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(table: str) -> None:
        raise RuntimeError("out of order")

    async def never(table: str) -> None:
        await asyncio.Event().wait()

    async def play() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            monkeypatch.setattr(services.rooms, "refresh", broken)
            await services.following._take(News("another", NewsKind.TABLE, "table"))
            await until(lambda: not services.following._tasks)
            (said,) = [one for one in caplog.records if one.message == "news could not be taken in"]
            assert said.levelname == "ERROR" and said.exc_info
            monkeypatch.setattr(services.rooms, "refresh", never)
            await services.following._take(News("another", NewsKind.TABLE, "table"))
            await services.following.close()
            assert not services.following._tasks

    asyncio.run(play())


def test_what_was_missed_while_the_store_was_away_stays_missed_until_it_is_read(
    tmp_path: Path,
) -> None:
    async def play() -> None:
        store = Failing(open_store(str(tmp_path / "db")))
        async with running(store) as services:
            table = await new_table(services, "me", "open")
            following = services.following
            store.is_off = True
            await following._take(News("another", NewsKind.TABLE, table))
            await until(lambda: following._has_missed)
            with pytest.raises(StorageFailed):
                await following.make_good()
            assert following._has_missed
            store.is_off = False
            await following.make_good()
            assert not following._has_missed

    asyncio.run(play())


def test_a_subscriber_that_fails_spoils_nothing_for_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    bus, heard = Bus(), list[str]()

    def fail(message: str) -> None:
        raise ValueError(message)

    bus.subscribe(str, fail)
    bus.subscribe(str, heard.append)
    bus.publish("news")
    assert heard == ["news"]
    (said,) = caplog.records
    assert (said.message, said.__dict__["kind"]) == ("a subscriber failed", "str")


def test_who_has_come_and_gone_is_told_again_after_a_fault_of_the_store(tmp_path: Path) -> None:
    async def play() -> None:
        told: list[Any] = []

        class Store:
            process, fails = "me", True

            async def tell(self, news: Any) -> None:
                if self.fails:
                    raise StorageFailed("away")
                told.extend(news)

        store = Store()
        peers = Peers(store)  # type: ignore[arg-type]
        await peers.tell_and_wait([])
        peers.expect(["another"])
        peers._dirty.add("table")
        with pytest.raises(StorageFailed):
            await peers.flush()
        store.fails = False
        await peers.flush()
        assert [about for _, about, _ in told] == ["table"]
        await peers.flush()
        assert len(told) == 1, "told once"

    asyncio.run(play())


def test_nobody_waits_for_a_process_that_has_died(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        class Store:
            process = "me"

            async def tell(self, news: Any) -> None: ...

        now, changes = [0.0], list[int]()
        peers = Peers(Store(), now=lambda: now[0])  # type: ignore[arg-type]
        peers.on_change.append(lambda: changes.append(1))
        peers.expect(["another"])
        waiting = asyncio.ensure_future(peers.tell_and_wait([(NewsKind.KEYS, "ada", "")]))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert not waiting.done()
        now[0] += DEAD_SECONDS + 1
        await peers.beat()
        await asyncio.wait_for(waiting, PATIENCE)
        assert (peers.others, changes) == ([], [1])
        peers._forget("another")
        assert changes == [1], "it was gone already"

    asyncio.run(play())


def test_a_process_of_another_user_or_machine_counts_as_running(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Better to wait a little for it than to take its tables away."""
    here = socket.gethostname()

    def refuse(pid: int, kind: int) -> None:
        raise PermissionError

    assert services_module._is_running("elsewhere/1/x")
    assert services_module._is_running(f"{here}/{os.getppid()}/x")
    assert not services_module._is_running(f"{here}/{os.getpid()}/x"), "it has its number again"
    monkeypatch.setattr(os, "kill", refuse)
    assert services_module._is_running(f"{here}/1/x")
