"""A long history that nobody has read yet: every game is counted, and what cannot be read holds up
nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from lampion.server import wire
from lampion.server.errors import CorruptLog
from lampion.server.services import Services
from lampion.server.store import open_store
from lampion.server.store.base import PersonRow, StorageFailed, TableRow, TableStatus
from lampion.server.study import outcomes
from lampion.server.study.outcomes import READ_AT_ONCE
from lampion.server.study.records import record_of
from lampion.server.tables import lobby
from lampion.server.tables.info import invitation
from lampion.server.tables.table import Table
from lampion.server.web import profiles
from tests.server.inside import ADA, Failing, GivenClock, new_table, running

BEN = PersonRow("ben", "Ben", ADA.created_ms, ADA.seen_ms)
MONTH_MS = 31 * 24 * 3_600_000
ACCESS = wire.Access([], [], None, False, [])
GAMES = 5 * READ_AT_ONCE + 5


def inside(play: Callable[[Services, Failing], Awaitable[None]], folder: Path) -> None:
    async def run() -> None:
        store = Failing(open_store(str(folder / "lampion.db")))
        async with running(store, clock=GivenClock()) as services:
            await store.add_person(BEN)
            await play(services, store)

    asyncio.run(run())


async def _finished(services: Services, count: int) -> None:
    """Ada resigns, so many times."""
    for number in range(count):
        wanted = wire.NewTable("lanterns", [wire.SeatChoice("me"), wire.SeatChoice("open")])
        table = await lobby.create(services.rooms, ADA, wanted)
        row = await services.store.table(table)
        assert row
        await lobby.join(services.rooms, table, BEN, wire.Join(invitation(row.seed)))
        await services.rooms.do(table, "ada", wire.Resign(f"c{number}", 0))


def _spoil(folder: Path, count: int) -> None:
    """The newest ones are of rules that this server does not have."""
    with sqlite3.connect(folder / "lampion.db") as db:
        newest = f"SELECT id FROM game_table ORDER BY changed_ms DESC, id LIMIT {count}"
        db.execute(f"UPDATE game_table SET rules_version = 999 WHERE id IN ({newest})")
    db.close()


async def _pending(services: Services, person: PersonRow) -> list[int]:
    """What is still to be counted after each request, until nothing is."""
    found = [GAMES]
    while found[-1] and len(found) < 2 * GAMES / READ_AT_ONCE:
        found.append((await profiles.profile(services, person)).pending)
    return found


def test_an_export_has_the_end_of_every_game(tmp_path: Path) -> None:
    async def play(services: Services, store: Failing) -> None:
        clock = services.clock
        assert isinstance(clock, GivenClock)
        await _finished(services, GAMES - 20)
        clock.at_ms += MONTH_MS
        await _finished(services, 20)
        await services.store.block("ben", "ada")
        found = await profiles.export(services, BEN, ACCESS)
        assert len(found.games) == GAMES and found.profile.pending == 0
        assert {game.reason for game in found.games} == {"resigned"}
        assert all(game.ended_ms and game.scores and game.placements for game in found.games)
        (figure,) = found.profile.figures
        assert (figure.total.games, figure.total.wins) == (GAMES, GAMES)
        months = [(each.month, each.total.games) for each in figure.months]
        assert sorted(months) == [("2027-01", GAMES - 20), ("2027-02", 20)]
        assert found.removed == ["Ada"]

    inside(play, tmp_path)


def test_logs_that_cannot_be_read_hold_up_nothing(tmp_path: Path) -> None:
    async def play(services: Services, store: Failing) -> None:
        await _finished(services, GAMES)
        _spoil(tmp_path, 2 * READ_AT_ONCE)
        assert await _pending(services, BEN) == [105, 85, 65, 45, 25, 5, 0]
        found = await profiles.profile(services, BEN)
        assert found.pending == 0 and found.games == GAMES - 2 * READ_AT_ONCE
        assert (await profiles.profile(services, ADA)).games == found.games

    inside(play, tmp_path)


def test_a_log_that_cannot_be_read_for_a_moment_is_read_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(table: str) -> None:
        raise StorageFailed("switched off", code="storage-unreachable")

    async def play(services: Services, store: Failing) -> None:
        await _finished(services, 1)
        with monkeypatch.context() as patch:
            patch.setattr(store, "read", away, raising=False)
            with pytest.raises(StorageFailed):
                await profiles.profile(services, BEN)
        assert (await profiles.profile(services, BEN)).games == 1

    inside(play, tmp_path)


def test_a_profile_says_when_older_games_are_not_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiles, "MOST_GAMES", 2)

    async def play(services: Services, store: Failing) -> None:
        for count, has_older in ((2, False), (1, True)):
            await _finished(services, count)
            found = await profiles.profile(services, ADA)
            assert (found.games, found.has_older) == (2, has_older)

    inside(play, tmp_path)


def test_a_log_without_an_end_is_given_up_and_not_exported(tmp_path: Path) -> None:
    """Its table says that the game is over, and the log does not."""

    async def play(services: Services, store: Failing) -> None:
        await _finished(services, 1)
        table = await new_table(services, "me", "novice")
        await store.update_table(table, status=TableStatus.FINISHED)
        row, log = await store.table(table), await store.read(table)
        assert row
        with pytest.raises(CorruptLog):
            record_of(row, await store.seats(table), log)
        for _ in range(2):
            found = await profiles.profile(services, ADA)
            assert (found.games, found.pending) == (1, 0)

    inside(play, tmp_path)


def test_two_who_ask_at_once_read_every_log_once(tmp_path: Path) -> None:
    async def play(services: Services, store: Failing) -> None:
        await _finished(services, 3)
        read = services.rooms.read
        count = 0

        async def counted(row: TableRow) -> Table:
            nonlocal count
            count += 1
            return await read(row)

        services.rooms.read = counted  # type: ignore[method-assign]
        found = await asyncio.gather(*(profiles.profile(services, one) for one in (ADA, BEN)))
        assert [each.games for each in found] == [3, 3]
        assert count == 3

    inside(play, tmp_path)


def test_what_cannot_be_read_is_remembered_for_a_while_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outcomes, "MOST_UNREADABLE", 2)

    async def play(services: Services, store: Failing) -> None:
        await _finished(services, 3)
        _spoil(tmp_path, 3)
        assert (await profiles.profile(services, ADA)).games == 0
        assert len(services.outcomes._unreadable) == 2

    inside(play, tmp_path)
