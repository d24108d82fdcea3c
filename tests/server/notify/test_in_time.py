"""Messages that must arrive while the move can still be made, and not more often than needed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lampion.server import wire
from lampion.server.notify.notifier import FULL_PAUSE_MS, GROUP_MS, HOUR_MS, PER_WAY_AND_HOUR
from lampion.server.notify.push import LEAST_SECONDS, MOST_SECONDS
from lampion.server.store.base import Mark, NoticeKind, PersonRow
from lampion.server.tables.merging import merge
from lampion.server.tables.reminders import remind_of_turn
from tests.server.inside import ADA
from tests.server.notify.receivers import Postbox
from tests.server.notify.support import BEN, DAY, HOUR, MINUTE, House, house

DAY_SECONDS = 24 * 3600


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    with Postbox() as running:
        yield running


@pytest.fixture
def at_home(tmp_path: Path, postbox: Postbox) -> Callable[..., None]:
    def run(play: Callable[[House], Awaitable[None]], **settings: Any) -> None:
        async def inside() -> None:
            postbox.letters.clear()
            async with house(tmp_path, postbox, **settings) as here:
                await play(here)

        asyncio.run(inside())

    return run


Play = Callable[..., None]


async def _called(here: House, table: str) -> None:
    """Ada has moved, and it is Ben's turn."""
    await here.turn_of(table, "ada")
    await here.act(table)


async def _ttl(here: House) -> int:
    await here.deliver()
    seconds = int(here.receiver.got[-1].headers["ttl"])
    here.receiver.got.clear()
    return seconds


# --- for how long a push service keeps a message ---


def test_a_push_service_keeps_a_call_as_long_as_the_move_can_be_made(at_home: Play) -> None:
    async def play(here: House) -> None:
        await here.push("ben")
        await _called(here, await here.table(days=3))
        assert await _ttl(here) == 3 * DAY_SECONDS
        await here.pass_time(2 * DAY)
        assert await _ttl(here) == DAY_SECONDS, "a day is left"
        await _called(here, await here.table(pace=wire.NoClock()))
        assert await _ttl(here) == MOST_SECONDS == 28 * DAY_SECONDS
        # A minute before a day is over; the clock may have been forgiven some time.
        quiet = wire.Wishes("en", "UTC", 8 * 60, 8 * 60 - 1)
        await here.services.ways.wish("ben", quiet)
        await _called(here, await here.table(days=1))
        await here.deliver()
        assert not here.receiver.got
        await here.pass_time(DAY - MINUTE)
        assert await _ttl(here) == LEAST_SECONDS

    at_home(play)


def test_a_vacation_keeps_a_call_for_longer_but_no_longer_than_four_weeks(at_home: Play) -> None:
    async def play(here: House) -> None:
        await here.push("ben")
        # It is 15 January 2027, 08:00, in both.
        away = wire.NewVacation("2027-01-17", "2027-01-20")
        await here.services.ways.add_vacation("ben", away)
        table = await here.table(days=3)
        await _called(here, table)
        assert await _ttl(here) == 7 * DAY_SECONDS
        await here.act(table)
        await here.pass_time(10 * DAY)
        await _called(here, await here.table(days=14))
        assert await _ttl(here) == 14 * DAY_SECONDS

    at_home(play)


# --- turns that began before there was a way ---


def test_a_first_way_brings_the_reminder_of_a_turn_that_is_running(at_home: Play) -> None:
    async def play(here: House) -> None:
        mine, theirs = await here.table(days=3), await here.table(days=3)
        await here.turn_of(mine, "ben")
        await here.turn_of(theirs, "ada")
        await here.push("ben")
        await here.push("ben", "/push/2")
        expected = {"waiting": 2, "seen": 2}
        assert await here.states() == expected, "each device once, and not for Ada's turn"
        await here.pass_time(2 * DAY - 1)
        assert not here.receiver.got
        await here.pass_time(1)
        told, again = here.pushed()
        assert told["notification"]["title"] == "Your move is due within a day"
        assert told["notification"]["navigate"].partition("?")[0].endswith(mine)
        assert told["app_badge"] == again["app_badge"] == 1

    at_home(play)


def test_the_badge_counts_turns_that_began_before_there_was_a_way(at_home: Play) -> None:
    async def play(here: House) -> None:
        tables = [await here.table(pace=wire.NoClock()) for _ in range(3)]
        for table in tables[:2]:
            await here.turn_of(table, "ben")
        await here.command(tables[1], "ada", wire.Pause)
        await here.turn_of(tables[2], "ada")
        first = await here.push("ben")
        await here.push("ben", "/push/2")
        await here.services.ways.drop("ben", first.id)
        await here.deliver()
        assert not here.pushed(), "he knows of them"
        await here.act(tables[2])
        await here.deliver()
        assert [one["app_badge"] for one in here.pushed()] == [3]
        await here.act(tables[2])
        await here.act(tables[0])
        await here.act(tables[0])
        await here.deliver()
        assert [one["app_badge"] for one in here.pushed()] == [2]

    at_home(play)


def test_what_is_muted_or_turned_off_meanwhile_is_not_sent(at_home: Play) -> None:
    async def play(here: House) -> None:
        store, table, other = here.services.store, await here.table(), await here.table()
        for each in (table, other):
            await here.turn_of(each, "ada")
        await here.push("ben")
        night = wire.Wishes("en", "UTC", 0, 24 * 60 - 1)
        await here.services.ways.wish("ben", night)
        for each in (table, other):
            await here.act(each)
        await here.deliver()
        await store.mark(table, "ben", Mark.MUTED)
        await here.services.ways.wish("ben", wire.Wishes("en", "UTC", off=[NoticeKind.SOON]))
        await here.pass_time(DAY)
        (told,) = here.pushed()
        assert told["notification"]["navigate"].partition("?")[0].endswith(other)
        assert told["app_badge"] == 1, "a muted table waits for nobody"
        await here.pass_time(DAY)
        assert not here.pushed(), "the reminders are not wanted either"
        assert await here.states() == {"sent": 1, "settled": 3}
        # The table is wanted again: it counts, and its reminder is due.
        await here.services.ways.wish("ben", wire.Wishes("en", "UTC"))
        await store.unmark(table, "ben", Mark.MUTED)
        await remind_of_turn(here.services.rooms, table, "ben")
        await here.deliver()
        (told,) = here.pushed()
        assert told["notification"]["title"] == "Your move is due within a day"
        assert told["app_badge"] == 2

    at_home(play)


def test_a_confirmed_address_counts_as_a_first_way(at_home: Play, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        await here.turn_of(await here.table(days=3), "ben")
        await here.mail("ben")
        await here.pass_time(2 * DAY)
        assert [letter["Subject"] for _, letter, _ in postbox.letters] == [
            "Lampion: Your move is due within a day"
        ]

    at_home(play)


def test_merging_brings_the_reminders_of_the_guest_along(at_home: Play) -> None:
    async def play(here: House) -> None:
        cleo = PersonRow("cleo", "Cleo", ADA.created_ms, ADA.seen_ms)
        await here.services.store.add_person(cleo)
        await here.turn_of(await here.table(days=3), "ben")
        await here.push("ben")
        await here.push("cleo", "/push/cleo")
        await merge(here.services.rooms, here.services.people, BEN, cleo)
        await here.pass_time(2 * DAY)
        assert [one.path for one in here.receiver.got] == ["/push/cleo"]
        (told,) = here.pushed()
        assert told["notification"]["title"] == "Your move is due within a day"

    at_home(play)


# --- not too many ---


def test_a_way_gets_sixty_messages_an_hour_and_the_next_one_later(at_home: Play) -> None:
    async def play(here: House) -> None:
        await here.webhook("ben")
        for number in range(PER_WAY_AND_HOUR + 1):
            if number % 10 == 0:  # before the game is over
                table = await here.table(pace=wire.NoClock())
            await _called(here, table)
            await here.pass_time(1000)
        assert len(here.receiver.got) == PER_WAY_AND_HOUR
        assert (await here.states())["waiting"] == 1
        await here.pass_time(FULL_PAUSE_MS)
        assert len(here.receiver.got) == PER_WAY_AND_HOUR, "the hour is not over"
        await here.pass_time(HOUR_MS)
        assert len(here.receiver.got) == PER_WAY_AND_HOUR + 1

    at_home(play)


def test_the_mail_server_has_its_own_limit(at_home: Play, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        await here.mail("ada", "ada@mail.example")
        await here.mail("ben")
        table = await here.table(pace=wire.NoClock())
        await here.turn_of(table, "ada")
        await here.pass_time(MINUTE)
        postbox.letters.clear()
        await here.pass_time(2 * HOUR)
        await here.act(table)
        await here.deliver()
        assert [to for to, _, _ in postbox.letters] == [["ben@mail.example"]]
        await here.act(table)
        await here.pass_time(FULL_PAUSE_MS)
        assert len(postbox.letters) == 1
        await here.pass_time(HOUR)
        assert [to for to, _, _ in postbox.letters[1:]] == [["ada@mail.example"]]

    at_home(play, mails_per_hour=1)


def test_tables_that_wait_minutes_apart_make_one_letter(at_home: Play, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        tables = [await here.table(pace=wire.NoClock()) for _ in range(3)]
        for table in tables:
            await here.turn_of(table, "ada")
        await here.push("ben")
        await here.mail("ben")
        first, second, late = tables
        await here.act(first)
        await here.pass_time(GROUP_MS)
        await here.act(second)
        await here.pass_time(1)
        await here.act(late)
        await here.pass_time(30 * MINUTE - GROUP_MS - 2)
        assert not postbox.letters, "he may still look at his phone"
        await here.pass_time(1)
        ((_, letter, _),) = postbox.letters
        assert letter["Subject"] == "Lampion: News from 2 tables"
        await here.pass_time(GROUP_MS)
        assert len(postbox.letters) == 1
        await here.pass_time(1)
        assert len(postbox.letters) == 2, "the third table was too late for the first letter"
        assert len(here.pushed()) == 3, "push messages replace each other, and wait for nothing"

    at_home(play)


def test_what_has_failed_is_not_hurried_by_what_is_new(at_home: Play, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        first, second = [await here.table(pace=wire.NoClock()) for _ in range(2)]
        for table in (first, second):
            await here.turn_of(table, "ada")
        await here.mail("ben")
        postbox.refuses = "451 later"
        await here.act(first)
        await here.deliver()
        postbox.refuses = ""
        await here.act(second)
        await here.deliver()
        assert [letter["Subject"] for _, letter, _ in postbox.letters] == [
            "Lampion: It is your turn"
        ]
        assert await here.states() == {"sent": 1, "waiting": 1}

    at_home(play)


def test_a_name_with_a_line_break_does_not_keep_a_letter_back(
    at_home: Play, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        table = await here.table(pace=wire.NoClock())
        await here.turn_of(table, "ada")
        await here.mail("ben")
        await here.services.store.rename("ada", "Eve\r\nBcc: eve@mail.example\u2028x")
        await here.command(table, "ada", wire.Pause)
        await here.deliver()
        ((to, letter, _),) = postbox.letters
        assert to == ["ben@mail.example"] and letter["Bcc"] is None
        assert letter["Subject"].startswith("Lampion: Eve  Bcc: eve@mail.example x asks")

    at_home(play)
