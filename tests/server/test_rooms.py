"""Tables in memory: what is shown is stored, what another process did is read, what cannot be read is left alone."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lampion.core.fold import fold
from lampion.server import wire
from lampion.server.errors import CorruptLog, Forbidden, TableError, UpdateNeeded
from lampion.server.services import Services
from lampion.server.store import open_store
from lampion.server.store.base import (
    LOST,
    Event,
    News,
    SanctionRow,
    Stale,
    StorageFailed,
    TableStatus,
)
from lampion.server.tables import commands, lobby
from lampion.server.tables import rooms as rooms_module
from lampion.server.tables.happenings import Attended
from lampion.server.tables.room import Viewer, Watchers
from lampion.server.tables.table import Table
from tests.server.inside import Failing, Screen, act, new_table, running, until
from tests.server.store.postgres import Postgres


class Deaf(Failing):
    """A store that hears nothing from other processes."""

    async def news(self) -> AsyncIterator[News]:
        await asyncio.sleep(3600)
        yield News("", "", "")


def test_a_full_disk_refuses_the_move_shows_nothing_and_goes_on_later(tmp_path: Path) -> None:
    async def play() -> None:
        store = Failing(open_store(str(tmp_path / "db")), "storage-full")
        async with running(store) as services:
            table, screen = await new_table(services, "me", "novice"), Screen()
            room = await services.rooms.room(table)
            room.watchers.add(screen)
            store.is_off = True
            with pytest.raises(StorageFailed):
                await act(services, table)
            store.is_off = False
            async with services.rooms.at(table) as again:
                assert again.table.actors == [0], "nothing has happened"
            assert screen.messages == []
            await act(services, table)
            assert len(screen.messages) >= 1

    asyncio.run(play())


def test_two_lines_of_chat_on_their_way_at_once_are_sent_once_each(tmp_path: Path) -> None:
    """The second line is stored before the first one is in the log, and overtakes it there."""

    async def talk() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            rooms = services.rooms
            for order in ([1, 2], [2, 1]):
                table, screen = await new_table(services, "me", "novice"), Screen(Viewer("ada"))
                (await rooms.room(table)).watchers.add(screen)
                for text in (" one", " two"):
                    await rooms.store.add_chat(table, 0, "ada", 0, text)
                for number in order:
                    note = partial(commands.note_chat, number=number, now_ms=0)
                    await rooms.change(table, note)
                heard = [json.loads(message) for message in screen.messages]
                assert [m["number"] for m in heard if m["type"] == "said"] == order
                assert (await rooms.room(table)).table.chat_lines == 2

    asyncio.run(talk())


@pytest.mark.parametrize("game", ["lanterns", "lanterns_dice", "lumens"])
def test_a_client_that_folds_gets_the_view_by_the_changes_that_events_tell(
    tmp_path: Path, game: str
) -> None:
    async def play() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            table = await new_table(services, "me", "me", game=game)
            room = await services.rooms.room(table)
            viewer = Viewer("ada")
            full, folding = Screen(viewer), Screen(viewer, folds=True)
            room.watchers |= {full, folding}
            greeting = services.publisher.greeting(room, viewer, -1)
            views = {one.seat: one.view for one in greeting if isinstance(one, wire.Update)}
            for _ in range(12):
                await act(services, table, seat=await actor(services, table))
            told = zip(updates_in(full), updates_in(folding), strict=True)
            for whole, part in told:
                assert part["view"] is None, "the changes lead there"
                events = [event for step in part["steps"] for event in step["events"]]
                views[part["seat"]] = fold(views[part["seat"]], events)
                assert views[part["seat"]] == whole["view"]
                assert part["legal"] == whole["legal"]
                if part["effects"] is not None:
                    assert len(part["effects"]["of"]) == len(part["legal"])

    asyncio.run(play())


def updates_in(screen: Screen) -> list[dict[str, Any]]:
    messages = [json.loads(message) for message in screen.messages]
    return [message for message in messages if message["type"] == "update"]


def test_lost_news_is_made_good_by_looking(postgres: Postgres) -> None:
    async def play() -> None:
        url = postgres.create("lost_news")
        async with running(open_store(url)) as left, running(Deaf(open_store(url))) as right:
            table, screen = await new_table(left, "me", "me"), Screen()
            room = await right.rooms.room(table)
            room.watchers.add(screen)
            await act(left, table)
            await until(lambda: screen.messages)

    asyncio.run(play())


def test_a_line_that_another_process_stored_first_is_heard_before_the_own_one(
    postgres: Postgres,
) -> None:
    """The second process finds out only when the log refuses its own line."""

    async def say(services: Services, table: str, text: str) -> None:
        line = await services.store.add_chat(table, 0, "ada", 0, f" {text}")
        await services.rooms.change(
            table, partial(commands.note_chat, number=line.number, now_ms=0)
        )

    async def talk() -> None:
        url = postgres.create("overtaken")
        async with running(open_store(url)) as left, running(Deaf(open_store(url))) as right:
            table, screen = await new_table(left, "me", "me"), Screen(Viewer("ada"))
            (await right.rooms.room(table)).watchers.add(screen)
            await say(left, table, "first")
            await say(right, table, "second")
            heard = [json.loads(message) for message in screen.messages]
            assert [m["text"] for m in heard if m["type"] == "said"] == ["first", "second"]

    asyncio.run(talk())


def test_a_command_that_came_through_another_process_is_shown_at_once(postgres: Postgres) -> None:
    async def play() -> None:
        url = postgres.create("twice")
        async with running(open_store(url)) as left, running(Deaf(open_store(url))) as right:
            table, screen = await new_table(left, "me", "me"), Screen(Viewer("ada"))
            room = await right.rooms.room(table)
            room.watchers.add(screen)
            async with left.rooms.at(table) as there:
                assert there.table.match
                action = there.table.match.legal_actions(0)[-1]
                command = wire.Act("c", 0, there.table.match.ply, action)
            for services in (left, right):
                await services.rooms.do(table, "ada", command)
            assert [update["seat"] for update in updates_in(screen)] == [0, 1]
            assert not room.is_broken

    asyncio.run(play())


def test_nothing_is_refused_because_of_what_this_process_has_not_heard(postgres: Postgres) -> None:
    """A person sits down through one process and says at once through another that they are ready,
    as happens behind a balancer."""

    async def play() -> None:
        url = postgres.create("not_heard")
        deaf = Deaf(open_store(url))
        async with running(open_store(url)) as left, running(deaf) as right:
            table = await new_table(left, "me", "open", public=True, pace=wire.Clock(60))
            await right.rooms.room(table)
            milo, _ = await left.people.new_guest("Milo")
            with pytest.raises(TableError) as refused:
                await lobby.say_ready(right.rooms, table, milo.id, True)
            assert refused.value.code == "not-your-seat", "in truth it is not"
            await lobby.join(left.rooms, table, milo, wire.Join())
            await lobby.say_ready(right.rooms, table, milo.id, True)
            async with right.rooms.at(table) as room:
                assert room.table.seats_of(milo.id) == [1]

    asyncio.run(play())


def test_news_of_a_table_that_is_being_read_is_not_lost(tmp_path: Path) -> None:
    """The row was read before it changed, the news comes before the log has been read."""

    class Slow(Failing):
        async def read(self, table: str, since: int = 0) -> list[Event]:
            reading.set()
            await go_on.wait()
            found: list[Event] = await self._store.read(table, since=since)
            return found

    async def play() -> None:
        async with running(Slow(open_store(str(tmp_path / "db")))) as services:
            table = await new_table(services, "me", "open")
            milo, _ = await services.people.new_guest("Milo")
            del services.rooms.in_memory[table]
            reading.clear()
            go_on.clear()
            loading = asyncio.ensure_future(services.rooms.room(table))
            await reading.wait()
            await services.store.update_table(table, host=milo.id)
            refreshing = asyncio.ensure_future(services.rooms.refresh(table))
            await asyncio.sleep(0)
            go_on.set()
            await refreshing
            assert (await loading).table.row.host == milo.id

    reading, go_on = asyncio.Event(), asyncio.Event()
    go_on.set()
    asyncio.run(play())


class Unreadable(Deaf):
    """A store that cannot read the log of one table, as if a newer version had written it."""

    unreadable = ""

    async def read(self, table: str, since: int = 0) -> list[Event]:
        if table == self.unreadable:
            raise UpdateNeeded("made by a newer version", where=table)
        found: list[Event] = await self._store.read(table, since=since)
        return found


def test_a_table_that_cannot_be_read_leaves_no_other_behind(postgres: Postgres) -> None:
    async def play() -> None:
        url = postgres.create("one_unreadable")
        store = Unreadable(open_store(url))
        async with running(open_store(url)) as left, running(store) as right:
            tables = [await new_table(left, "me", "me") for _ in range(3)]
            rooms = [await right.rooms.room(table) for table in tables]
            first, unreadable, last = rooms
            store.unreadable = unreadable.table.id
            for table in tables:
                await act(left, table)
            sanction = SanctionRow("s1", "ban", "person", "milo", "insults", 0)
            await left.store.add_sanction(sanction)
            await right.following._take(News("", LOST, ""))
            await until(lambda: first.table.ply > 0 and last.table.ply > 0)
            with pytest.raises(Forbidden):
                right.sanctions.check_not_banned("milo", "203.0.113.1")

    asyncio.run(play())


def test_of_two_processes_one_wins_and_the_other_reads_on(postgres: Postgres) -> None:
    async def play() -> None:
        url = postgres.create("two_rooms")
        async with running(Deaf(open_store(url))) as left, running(Deaf(open_store(url))) as right:
            table = await new_table(left, "me", "me")
            await right.rooms.room(table)
            await act(left, table, "first")
            async with right.rooms.at(table) as room:
                assert room.table.match
                old = room.table.match.legal_actions()[-1], room.table.match.ply
            with pytest.raises(TableError) as refused:
                await right.rooms.do(table, "ada", wire.Act("second", 0, old[1], old[0]))
            assert refused.value.code == "stale"
            async with left.rooms.at(table) as one, right.rooms.at(table) as two:
                assert one.table.match
                assert two.table.match
                texts = [
                    [entry.text for entry in at.match.log]
                    for at in (one.table, two.table)
                    if at.match
                ]
                assert texts[0] == texts[1]

    asyncio.run(play())


def test_the_same_command_through_two_processes_is_done_once(postgres: Postgres) -> None:
    async def play() -> None:
        url = postgres.create("same_command")
        async with running(Deaf(open_store(url))) as left, running(Deaf(open_store(url))) as right:
            table = await new_table(left, "me", "me")
            await right.rooms.room(table)
            async with left.rooms.at(table) as room:
                assert room.table.match
                command = wire.Act(
                    "same", 0, room.table.match.ply, room.table.match.legal_actions()[-1]
                )
            await left.rooms.do(table, "ada", command)
            await right.rooms.do(table, "ada", command)
            async with left.rooms.at(table) as one, right.rooms.at(table) as two:
                assert one.table.ply == two.table.ply

    asyncio.run(play())


def test_unknown_tables_leave_nothing_behind(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            for table in [f"unknown{number}" for number in range(200)] + [
                "x" * 10_000,
                "",
                "\0",
                "../../etc",
            ]:
                with pytest.raises(TableError) as refused:
                    await services.rooms.room(table)
                assert refused.value.code == "no-table"
                assert len(refused.value.where) <= 40
            assert services.rooms.in_memory == {}
            assert services.rooms._loading == {}

    asyncio.run(play())


def test_tables_that_nobody_watches_leave_memory_when_there_are_too_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rooms_module, "MOST_ROOMS", 3)

    async def play() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            tables = [await new_table(services, "me", "open") for _ in range(6)]
            watched = await services.rooms.room(tables[0])
            watched.watchers.add(Screen())
            services.rooms.drop_idle()
            assert len(services.rooms.in_memory) == 3
            assert tables[0] in services.rooms.in_memory
            async with services.rooms.at(tables[1]) as back:
                assert back.table.status == TableStatus.OPEN

    asyncio.run(play())


def edit(path: Path, sql: str, *values: object) -> None:
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute(sql, values)


async def a_table(path: Path) -> str:
    async with running(open_store(str(path))) as services:
        return await new_table(services, "me", "novice")


def test_rules_of_another_version_are_left_alone(tmp_path: Path) -> None:
    async def play() -> None:
        path = tmp_path / "db"
        table = await a_table(path)
        for version, code in ((99, "update-server"), (0, "old-rules")):
            edit(path, "UPDATE game_table SET rules_version = ?", version)
            async with running(open_store(str(path))) as services:
                with pytest.raises(UpdateNeeded) as refused:
                    await services.rooms.room(table)
                assert refused.value.code == code
                row = await services.store.table(table)
                assert row
                assert row.status == TableStatus.RUNNING, "nothing was quarantined"

    asyncio.run(play())


def test_an_unknown_game_or_event_asks_for_an_update(tmp_path: Path) -> None:
    async def play() -> None:
        path = tmp_path / "db"
        table = await a_table(path)
        edit(path, "UPDATE event SET kind = 'dance' WHERE seq = 2")
        async with running(open_store(str(path))) as services:
            with pytest.raises(UpdateNeeded):
                await services.rooms.room(table)
        edit(path, "UPDATE game_table SET game = 'chess'")
        async with running(open_store(str(path))) as services:
            with pytest.raises(UpdateNeeded):
                await services.rooms.room(table)
            row = await services.store.table(table)
            assert row
            assert row.status == TableStatus.RUNNING

    asyncio.run(play())


def test_a_quarantine_can_be_retried(tmp_path: Path) -> None:
    async def play() -> None:
        path = tmp_path / "db"
        table = await a_table(path)
        edit(path, "UPDATE event SET payload = '+99' WHERE seq = 4")
        async with running(open_store(str(path))) as services:
            with pytest.raises(TableError) as refused:
                await services.rooms.room(table)
            assert refused.value.code == "quarantined"
            row = await services.store.table(table)
            assert row
            assert "event 4" in (row.problem or "")
            with pytest.raises(CorruptLog):
                await services.rooms.retry_quarantined(table)
        async with running(open_store(str(tmp_path / "other"))) as services:
            whole = await new_table(services, "me", "novice")
            await services.store.update_table(
                whole, status=TableStatus.QUARANTINED, problem="by mistake"
            )
            services.rooms.forget(whole)
            assert await services.rooms.retry_quarantined(whole) == TableStatus.RUNNING
            await act(services, whole)

    asyncio.run(play())


def test_a_log_is_bounded_and_the_game_can_still_be_finished(tmp_path: Path) -> None:
    """Acting and taking back in a loop ends when the history is long; acting goes on."""

    async def play() -> None:
        async with running(open_store(str(tmp_path / "db")), most_log=100) as services:
            table = await new_table(services, "me", "me")
            refused = ""
            for number in range(100):
                await act(services, table, f"a{number}", seat=(await actor(services, table)))
                try:
                    seat = await last_actor(services, table)
                    await services.rooms.do(table, "ada", wire.Undo(f"u{number}", seat))
                except TableError as full:
                    refused = full.code
                    break
            assert refused == "log-full"
            await act(services, table, "after", seat=(await actor(services, table)))

    asyncio.run(play())


async def actor(services, table: str) -> int:  # type: ignore[no-untyped-def]
    async with services.rooms.at(table) as room:
        return int(room.table.actors[0])


async def last_actor(services, table: str) -> int:  # type: ignore[no-untyped-def]
    async with services.rooms.at(table) as room:
        return next(
            int(entry.actor) for entry in reversed(room.table.match.log) if entry.actor >= 0
        )


def test_a_watcher_that_comes_wakes_a_game_of_bots(tmp_path: Path) -> None:
    """Nobody plays and nobody watches: bots wait. With a watcher they play, and stop when it goes."""

    async def play() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            table = await new_table(services, "novice", "novice")
            room = await services.rooms.room(table)
            before = room.table.ply
            await services.duties.look_at_all()
            await asyncio.sleep(0.2)
            assert room.table.ply == before
            screen = Screen()
            room.watchers.add(screen)
            services.bus.publish(Attended(room))
            await until(lambda: room.table.ply > before + 4)

    asyncio.run(play())


def test_while_a_long_log_is_read_others_are_served(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns, folded_in = 0, set[int]()

    async def take_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    class Counted(Table):
        def fold(self, event: Event) -> None:
            folded_in.add(turns)
            super().fold(event)

    async def play() -> None:
        monkeypatch.setattr(rooms_module, "FOLDED_AT_ONCE", 5)
        async with running(open_store(str(tmp_path / "db"))) as services:
            table = await new_table(services, "me", "novice")
            room = await services.rooms.room(table)
            while room.table.seq < 20:
                await until(lambda: room.table.actors == [0])
                await act(services, table, f"c{room.table.seq}")
            row = await services.store.table(table)
            assert row
            monkeypatch.setattr(rooms_module, "Table", Counted)
            others = asyncio.create_task(take_turns())
            again = await services.rooms.read(row)
            others.cancel()
            assert len(folded_in) >= again.seq // 5 >= 4

    asyncio.run(play())


def test_a_full_log_takes_nothing_at_all(tmp_path: Path) -> None:
    async def play() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            services.rooms.most_log = 20
            table = await new_table(services, "me", "me")
            room, screen = await services.rooms.room(table), Screen(Viewer("ada"))
            room.watchers.add(screen)
            refused = ""
            for number in range(30):
                try:
                    await act(services, table, f"c{number}", seat=await actor(services, table))
                except TableError as full:
                    refused = full.code
            assert refused == "log-full"
            async with services.rooms.at(table) as again:
                stored = await services.store.lengths([table])
                assert again.table.seq == stored[table] <= 20, "memory is what is stored"

    asyncio.run(play())


def test_a_table_that_changes_all_the_time_is_given_up_politely(tmp_path: Path) -> None:
    """Another process is quicker every time."""

    class Quicker(Failing):
        async def append(self, table: str, *_: Any, **__: Any) -> Stale:
            return Stale(0)

    async def play() -> None:
        store = Failing(open_store(str(tmp_path / "db")))
        async with running(store) as services:
            table = await new_table(services, "me", "me")
            services.rooms.store = Quicker(store)
            with pytest.raises(TableError) as refused:
                await act(services, table)
            assert refused.value.code == "stale"
            services.rooms.store = store
            await act(services, table, "again")

    asyncio.run(play())


def test_a_table_that_is_not_there_cannot_be_retried_and_the_store_must_be(tmp_path: Path) -> None:
    async def play() -> None:
        store = Failing(open_store(str(tmp_path / "db")))
        async with running(store) as services:
            with pytest.raises(TableError) as refused:
                await services.rooms.retry_quarantined("nothing-here")
            assert refused.value.code == "no-table"
            tables = [await new_table(services, "me", "open") for _ in range(2)]
            asked: list[str] = []

            async def refresh(table: str) -> None:
                asked.append(table)
                raise StorageFailed("away")

            with pytest.raises(StorageFailed):
                await rooms_module._for_each(tables, refresh)
            assert asked == tables[:1], "without the store there is no point in going on"

    asyncio.run(play())


def test_who_reads_a_table_and_leaves_takes_nobody_along(tmp_path: Path) -> None:
    """The reading goes on for the others, and one that the server stops is no error."""

    async def play() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            table = await new_table(services, "me", "open")
            services.rooms.forget(table)
            leaving, staying = (asyncio.ensure_future(services.rooms.room(table)) for _ in "ab")
            await asyncio.sleep(0)
            leaving.cancel()
            assert (await staying).table.id == table
            services.rooms.forget(table)
            asked = asyncio.ensure_future(services.rooms.room(table))
            await asyncio.sleep(0)
            services.rooms._loading[table].cancel()
            with pytest.raises(asyncio.CancelledError):
                await asked
            assert services.rooms._loading == {}

    asyncio.run(play())


def test_a_watcher_that_is_gone_can_go_again() -> None:
    watchers, screen = Watchers(), Screen(Viewer("ada"))
    watchers.discard(screen)
    watchers.add(screen)
    watchers.add(screen)
    watchers.hide(screen)
    assert watchers.away(["ada", "ben"]) == {"ada"}
    for _ in range(2):
        watchers.discard(screen)
    assert (len(watchers), watchers.present(["ada"]), watchers.away(["ada"])) == (
        0,
        frozenset(),
        frozenset(),
    )
