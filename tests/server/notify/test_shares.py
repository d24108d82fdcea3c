"""Nobody uses up what is meant for all: letters, messages to one receiver, tests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from lampion.server import wire
from lampion.server.notify.notifier import FULL_PAUSE_MS, WEBHOOKS_PER_PERSON
from lampion.server.notify.outgoing import PER_ADDRESS, PER_HOST, NotDelivered, Outgoing
from lampion.server.store.base import (
    NoticeKind,
    NoticeState,
    OutboxRow,
    PersonRow,
    WayKind,
    WayRow,
)
from lampion.server.store.sql import insert
from lampion.server.store.writer import Writer
from lampion.server.tables import lobby
from lampion.server.tables.lobby import MOST_INVITATIONS
from tests.server.inside import ADA
from tests.server.notify.receivers import Postbox
from tests.server.notify.support import BEN, HOUR, House, house
from tests.server.support import Person, Server

API = "/api/me/notifications"


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    with Postbox() as running:
        yield running


def at_home(play: Callable[[House], Awaitable[None]], folder: Path, postbox: Postbox) -> None:
    async def run() -> None:
        postbox.letters.clear()
        async with house(folder, postbox, mails_per_hour=40) as here:
            await play(here)

    asyncio.run(run())


async def _letters(here: House, table: str, postbox: Postbox) -> int:
    """How many letters Ben gets when it is his turn."""
    before = len(postbox.letters)
    await here.turn_of(table, "ada")
    await here.act(table)
    await here.pass_time(1000)
    return len(postbox.letters) - before


async def _got(here: House, way: WayRow, table: str, count: int) -> None:
    """So many messages have gone out by this way in the last hour."""
    now_ms = here.clock.now_ms()
    rows = [
        OutboxRow(
            f"{way.id}.{n}", way.person_id, way.id, table, NoticeKind.OVER, 1, now_ms, now_ms,
            NoticeState.SENT, sent_ms=now_ms - 1000 * n - 1,
        )
        for n in range(count)
    ]  # fmt: skip
    writer: Writer = here.services.store._writer  # type: ignore[attr-defined]
    await writer.do(lambda db: [insert(db, "outbox", row) for row in rows])


async def _way(here: House, name: str, person: str, kind: WayKind, address: str) -> WayRow:
    if await here.services.store.person(person) is None:
        await here.services.store.add_person(PersonRow(person, person, 1, 1))
    row = WayRow(name, person, kind, address, "{}", here.clock.now_ms(), 1)
    await here.services.store.add_way(row)
    return row


def test_the_last_letters_of_an_hour_are_for_people_who_had_none(
    tmp_path: Path, postbox: Postbox
) -> None:
    """Forty letters an hour, twenty for each person."""

    async def play(here: House) -> None:
        table = await here.table(pace=wire.NoClock())
        await here.mail("ben")
        assert await _letters(here, table, postbox) == 1
        # Six guests, who have had five letters each, cannot take more than that now.
        greedy = [
            await _way(here, f"w{n}", f"g{n}", WayKind.MAIL, f"g{n}@mail.example") for n in range(6)
        ]
        for way in greedy:
            await _got(here, way, table, 5)
        enough = here.services.notifier._has_letters_enough
        hour_ago = here.clock.now_ms() - HOUR
        assert all([await enough(way, hour_ago) for way in greedy])
        assert await _letters(here, table, postbox) == 1, "Ben has had one"
        # One more guest with the same mailbox, and one person with another mailbox.
        same = await _way(here, "w7", "g7", WayKind.MAIL, "g1+x@mail.example")
        other = await _way(here, "w8", "g1", WayKind.MAIL, "new@mail.example")
        assert await enough(same, hour_ago) and await enough(other, hour_ago)
        # At last even newcomers wait.
        await _got(here, same, table, 7)
        fresh = await _way(here, "w9", "g9", WayKind.MAIL, "g9@mail.example")
        assert not await enough(fresh, hour_ago)
        await _got(here, other, table, 1)
        assert await enough(fresh, hour_ago)
        assert await _letters(here, table, postbox) == 0
        await here.pass_time(HOUR + FULL_PAUSE_MS)
        assert len(postbox.letters) == 3

    at_home(play, tmp_path, postbox)


def test_one_person_gets_twenty_letters_an_hour_by_all_addresses_together(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def run() -> None:
        async with house(tmp_path, postbox, mails_per_hour=10_000) as here:
            table = await here.table(pace=wire.NoClock())
            ways = [
                await _way(here, f"w{n}", "ben", WayKind.MAIL, f"b{n}@mail.example")
                for n in range(2)
            ]
            enough, hour_ago = (
                here.services.notifier._has_letters_enough,
                here.clock.now_ms() - HOUR,
            )
            await _got(here, ways[0], table, 19)
            assert not await enough(ways[1], hour_ago)
            await _got(here, ways[1], table, 1)
            assert await enough(ways[0], hour_ago) and await enough(ways[1], hour_ago)

    asyncio.run(run())


def test_all_webhooks_of_a_person_have_one_limit(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        table = await here.table(pace=wire.NoClock())
        await here.turn_of(table, "ada")
        await here.webhook("ben")
        others = [
            await _way(here, f"w{n}", "ben", WayKind.WEBHOOK, f"https://h{n}.example")
            for n in range(2)
        ]
        for way in others:
            await _got(here, way, table, WEBHOOKS_PER_PERSON // 2)
        pause = here.services.notifier._pause_of
        (own,) = [way for way in await here.services.store.ways("ben") if way not in others]
        assert await pause(own, here.clock.now_ms()) == here.clock.now_ms() + FULL_PAUSE_MS
        await here.act(table)
        await here.deliver()
        assert not here.receiver.got
        await here.services.store.drop_way("w1")
        assert await pause(own, here.clock.now_ms()) is None
        await here.pass_time(FULL_PAUSE_MS)
        assert len(here.receiver.got) == 1

    at_home(play, tmp_path, postbox)


def test_cancelled_tables_are_no_way_to_send_more_invitations(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        played = await here.table(pace=wire.NoClock())
        await here.command(played, "ada", wire.Resign)
        await here.push("ben")
        friend = wire.SeatChoice("open", friend=f"{played}.1")
        wanted = wire.NewTable("lanterns", [wire.SeatChoice("me"), friend])
        rooms = here.services.rooms

        async def told() -> int:
            """How many of four tables, made and cancelled, Ben hears of."""
            for _ in range(4):
                await lobby.cancel(rooms, await lobby.create(rooms, ADA, wanted), "ada")
                await here.deliver()
            return await invited()

        async def invited() -> int:
            found = await here.services.store.notices(None, 100)
            return sum(row.kind == NoticeKind.INVITED for row, _ in found)

        assert await told() == MOST_INVITATIONS
        await here.pass_time(lobby.INVITED_MS + 1)
        # Those that he accepts do not count: who plays together may go on.
        for _ in range(4):
            await lobby.join(rooms, await lobby.create(rooms, ADA, wanted), BEN, wire.Join())
        assert await invited() == MOST_INVITATIONS + 4
        assert await told() == 2 * MOST_INVITATIONS + 4

    at_home(play, tmp_path, postbox)


def test_one_receiver_gets_so_much_from_all_senders() -> None:
    """A connection to nowhere counts as well: the name was asked for, and the port was knocked at."""

    async def run() -> None:
        now = 0.0

        async def nowhere(host: str, port: int) -> list[str]:
            return []

        guard = Outgoing((), nowhere, now=lambda: now)

        async def tries(url: str, receiver: str = "") -> str:
            with pytest.raises(NotDelivered) as told:
                async with guard.line(url, receiver=receiver):
                    pass
            return str(told.value)

        for n in range(int(PER_HOST.burst)):
            assert "cannot find" in await tries(f"https://victim.example/{n}")
        assert "too many" in await tries("https://victim.example/another")
        assert "cannot find" in await tries("https://other.example/")
        now = 3600 / PER_HOST.per_hour
        assert "cannot find" in await tries("https://victim.example/")
        assert "too many" in await tries("https://victim.example/")
        # Of a service for all, each topic or subscription by itself, though ntfy has one address.
        for _ in range(int(PER_ADDRESS.burst)):
            await tries("https://ntfy.sh/", "https://ntfy.sh/topic")
        assert "too many" in await tries("https://ntfy.sh/", "https://ntfy.sh/topic")
        assert "cannot find" in await tries("https://ntfy.sh/", "https://ntfy.sh/other")
        for n in range(int(PER_HOST.burst) + 1):
            assert "cannot find" in await tries(f"https://fcm.googleapis.com/fcm/send/{n}")

    asyncio.run(run())


def test_tests_by_e_mail_are_few_for_one_visitor_and_one_mailbox(
    tmp_path: Path, postbox: Postbox
) -> None:
    server = Server(str(tmp_path / "lampion.db"), log=tmp_path / "log")
    server.flags = ("--public-url", server.base, *postbox.flags, "--limit-scale", "1")
    with server.start():
        postbox.letters.clear()
        ada = Person(server, "Ada")
        way = ada.call("POST", f"{API}/mail", {"address": "ada@mail.example"})["id"]
        code = str(postbox.letters[-1][1]["Subject"]).rpartition(" ")[2]
        ada.call("POST", f"{API}/mail/confirm", {"way": way, "code": code})
        postbox.letters.clear()
        told = [ada.ask("POST", f"{API}/ways/{way}/test").status_code for _ in range(6)]
        assert told == [200] * 4 + [429] * 2 and len(postbox.letters) == 4
        silent = ada.call("PUT", f"{API}/ways/{way}/silent", {"silent": True})
        assert [one["silent"] for one in silent["ways"]] == [True]
        assert ada.call("GET", "/api/me/access")["mail"] == ["ada@mail.example"]
        loud = ada.call("PUT", f"{API}/ways/{way}/silent", {"silent": False})
        assert [one["silent"] for one in loud["ways"]] == [False]
        eve = Person(server, "Eve")
        refused = eve.problem("PUT", f"{API}/ways/{way}/silent", {"silent": True})
        assert refused["code"] == "no-way"
