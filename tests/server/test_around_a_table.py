"""Filling, leaving and repeating a table while others do the same, seen from inside."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.services import Services
from lampion.server.store import open_store
from lampion.server.store.base import Mark, News, PersonRow, SeatKind, TableRow, TableStatus
from lampion.server.tables import commands, lobby
from lampion.server.tables.deletion import delete_person
from lampion.server.tables.room import Viewer
from tests.server.inside import ADA, Failing, Screen, act, new_table, running, store_rules_version
from tests.server.store.postgres import Postgres


class Deaf(Failing):
    """A store that hears nothing from other processes."""

    async def news(self) -> AsyncIterator[News]:
        await asyncio.Event().wait()
        yield News("", "", "")


def inside(play: Callable[[Services], Awaitable[None]], folder: Path, **settings: Any) -> None:
    async def run() -> None:
        async with running(open_store(str(folder / "db")), **settings) as services:
            await play(services)

    asyncio.run(run())


async def guest(services: Services, name: str) -> PersonRow:
    person, _ = await services.people.new_guest(name)
    return person


async def kinds(services: Services, table: str) -> list[SeatKind]:
    async with services.rooms.at(table) as room:
        return [seat.kind for seat in room.table.seats]


async def refusal(refused: Awaitable[Any]) -> str:
    with pytest.raises(TableError) as error:
        await refused
    return error.value.code


def test_who_sits_down_already_sits(tmp_path: Path) -> None:
    async def play(services: Services) -> None:
        table = await new_table(services, "me", "open", "open", public=True)
        milo = await guest(services, "Milo")
        for _ in range(2):
            await lobby.join(services.rooms, table, milo, wire.Join())
        assert await kinds(services, table) == ["person", "person", "open"]

    inside(play, tmp_path)


def test_a_seat_that_is_taken_in_the_same_moment_is_not_the_only_one(postgres: Postgres) -> None:
    """Two people sit down through two processes, neither of which has heard of the other."""

    async def run() -> None:
        url = postgres.create("same_seat")
        async with (
            running(Deaf(open_store(url))) as left,
            running(Deaf(open_store(url))) as right,
        ):
            table = await new_table(left, "me", "open", "open", public=True)
            await right.rooms.room(table)
            milo, iris = await guest(left, "Milo"), await guest(right, "Iris")
            await lobby.join(left.rooms, table, milo, wire.Join())
            await lobby.join(right.rooms, table, iris, wire.Join())
            seats = await left.store.seats(table)
            assert [seat.person_id for seat in seats] == ["ada", milo.id, iris.id]

    asyncio.run(run())


def test_a_guest_who_sits_down_meanwhile_does_not_keep_the_host_from_starting(
    postgres: Postgres,
) -> None:
    async def run() -> None:
        url = postgres.create("start_and_join")
        async with running(open_store(url)) as left, running(Deaf(open_store(url))) as right:
            table = await new_table(left, "me", "open", "open", public=True)
            await right.rooms.room(table)
            milo = await guest(left, "Milo")
            await lobby.join(left.rooms, table, milo, wire.Join())
            await lobby.start(right.rooms, table, "ada")
            assert await kinds(right, table) == ["person", "person", "bot"]
            async with right.rooms.at(table) as room:
                assert room.table.status == TableStatus.RUNNING

    asyncio.run(run())


def test_a_rematch_keeps_the_bots_and_the_neighbors_at_one_screen(tmp_path: Path) -> None:
    async def play(services: Services) -> None:
        rooms = services.rooms
        table = await new_table(services, "me", "me", "novice")
        milo = await guest(services, "Milo")
        assert await refusal(lobby.rematch(rooms, table, ADA)) == "no-rematch"
        await rooms.change(table, lambda at: commands.stop(at, 0))
        assert await refusal(lobby.rematch(rooms, table, milo)) == "no-rematch"
        again = await lobby.rematch(rooms, table, ADA)
        assert await kinds(services, again) == ["person", "bot", "person"]
        async with rooms.at(again) as room:
            assert room.table.seats[1].level == "novice"
            assert room.table.status == TableStatus.RUNNING
        assert await lobby.rematch(rooms, table, ADA) == again

    inside(play, tmp_path)


def test_a_rematch_made_by_another_process_is_found_and_shown(postgres: Postgres) -> None:
    async def run() -> None:
        url = postgres.create("other_rematch")
        async with (
            running(Deaf(open_store(url))) as left,
            running(Deaf(open_store(url))) as right,
        ):
            table, screen = await new_table(left, "me", "me"), Screen(Viewer("ada"))
            await left.rooms.change(table, lambda at: commands.stop(at, 0))
            room = await right.rooms.room(table)
            room.watchers.add(screen)
            made = await lobby.rematch(left.rooms, table, ADA)
            assert await lobby.rematch_made(right.rooms, table, ADA) == made
            assert made.encode() in screen.messages[-1]
            room.table.row = (await right.store.table(table)) or room.table.row
            # A process that does not know of it either makes no second one.
            other = await new_table(left, "me", "me")
            await left.rooms.change(other, lambda at: commands.stop(at, 0))
            await right.rooms.room(other)
            first = await lobby.rematch(left.rooms, other, ADA)
            assert await lobby.rematch(right.rooms, other, ADA) == first

    asyncio.run(run())


def test_nobody_is_removed_from_a_seat_that_is_free_or_not_there(tmp_path: Path) -> None:
    async def play(services: Services) -> None:
        rooms = services.rooms
        table = await new_table(services, "me", "open", "novice", public=True)
        for seat in (1, 2, 9):
            assert await refusal(lobby.remove(rooms, table, seat, "ada")) == "seat-free"
        milo = await guest(services, "Milo")
        await lobby.join(rooms, table, milo, wire.Join())
        assert await refusal(lobby.remove(rooms, table, 1, "ada")) == "already-started"
        assert await services.store.marked_people(table, Mark.REMOVED) == set()

    inside(play, tmp_path)


def test_a_player_of_two_seats_who_leaves_has_a_bot_at_the_one_that_had_none(
    tmp_path: Path,
) -> None:
    async def play(services: Services) -> None:
        rooms = services.rooms
        table = await new_table(services, "me", "me", "open", public=True)
        milo = await guest(services, "Milo")
        await lobby.join(rooms, table, milo, wire.Join())
        await rooms.do(table, "ada", wire.Leave("leave", 1))
        await lobby.dismiss(rooms, table, "ada")
        left = [event.actor for event in await rooms.store.read(table) if event.kind == "leave"]
        assert left == [1, 0], "the second seat was left before"

    inside(play, tmp_path)


def test_a_deleted_person_leaves_open_running_and_finished_tables(tmp_path: Path) -> None:
    async def play(services: Services) -> None:
        rooms, milo = services.rooms, await guest(services, "Milo")
        tables = [await new_table(services, *kinds, public=True) for kinds in (
            ("me", "open", "open"), ("me", "open"), ("me", "open"))]  # fmt: skip
        for table in tables:
            await lobby.join(rooms, table, milo, wire.Join())
        await rooms.change(tables[2], lambda at: commands.stop(at, 0))
        await delete_person(rooms, services.people, milo.id)
        assert await services.store.person(milo.id) is None
        assert await kinds(services, tables[0]) == ["person", "open", "open"]
        async with rooms.at(tables[1]) as room:
            assert list(room.table.stand_ins) == [1]

    inside(play, tmp_path)


def test_a_game_that_begins_while_a_player_is_deleted_does_not_wait_for_them(
    tmp_path: Path,
) -> None:
    class Late(Failing):
        """The host starts just after the tables of the player were listed."""

        begins = ""

        async def tables_of(self, *asked: Any) -> list[TableRow]:
            found: list[TableRow] = await self._store.tables_of(*asked)
            if self.begins:
                table, self.begins = self.begins, ""
                await lobby.start(here[0].rooms, table, "ada")
            return found

    here: list[Services] = []

    async def run() -> None:
        store = Late(open_store(str(tmp_path / "db")))
        async with running(store) as services:
            here.append(services)
            milo = await guest(services, "Milo")
            table = await new_table(services, "me", "open", "open", public=True)
            await lobby.join(services.rooms, table, milo, wire.Join())
            store.begins = table
            await delete_person(services.rooms, services.people, milo.id)
            async with services.rooms.at(table) as room:
                assert room.table.status == TableStatus.RUNNING
                assert list(room.table.stand_ins) == [1]

    asyncio.run(run())


def test_a_table_that_cannot_be_read_keeps_nobody_here(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(services: Services) -> None:
        rooms, milo = services.rooms, await guest(services, "Milo")
        table = await new_table(services, "me", "open", public=True)
        await lobby.join(rooms, table, milo, wire.Join())
        store_rules_version(tmp_path / "db", table, 99)
        rooms.forget(table)
        await delete_person(rooms, services.people, milo.id)
        assert await services.store.person(milo.id) is None
        (said,) = [one for one in caplog.records if one.message == "seat not vacated"]
        assert (said.levelno, said.problem) == (logging.WARNING, "update-server")  # type: ignore[attr-defined]

    inside(play, tmp_path)


def test_a_new_name_is_not_folded_into_the_next_move(tmp_path: Path) -> None:
    """No event tells of it, so a page that folds gets the whole view once."""

    async def play(services: Services) -> None:
        table = await new_table(services, "me", "me")
        room = await services.rooms.room(table)
        screen = Screen(Viewer("ada"), folds=True)
        room.watchers.add(screen)
        services.publisher.greeting(room, screen.viewer, -1)
        await services.people.rename(ADA, "Countess")
        await services.rooms.refresh_person("ada")
        for expected in (True, False):
            screen.messages.clear()
            await act(services, table, f"c{expected}", seat=room.table.actors[0])
            assert (b'"Countess"' in screen.messages[0]) == expected

    inside(play, tmp_path)
