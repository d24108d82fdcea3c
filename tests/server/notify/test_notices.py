"""What people are told who are not at the table, when, and by which way."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

from lampion.server import wire
from lampion.server.notify.notifier import BACKOFF_MS, HEAD_START_MS
from lampion.server.notify.texts import Message, Send
from lampion.server.notify.webhook import signature
from lampion.server.peers import NewsKind
from lampion.server.store.base import LOST, Mark, News, NoticeKind, WayKind, WayRow
from lampion.server.tables import lobby
from tests.server.notify.receivers import Postbox, unbase64url
from tests.server.notify.support import BEN, DAY, HOUR, MINUTE, SITE, House, house

Play = Callable[[House], Awaitable[None]]


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    with Postbox() as running:
        yield running


def at_home(play: Play, folder: Path, postbox: Postbox, **settings: Any) -> None:
    async def run() -> None:
        postbox.letters.clear()
        async with house(folder, postbox, **settings) as here:
            await play(here)

    asyncio.run(run())


def test_a_turn_is_told_by_every_way_and_by_mail_if_unseen(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        table = await here.table()
        await here.turn_of(table, "ada")
        await here.push("ben", language="fr")
        hook = await here.webhook("ben")
        await here.mail("ben")
        await here.act(table)
        await here.deliver()

        push, note = sorted(here.receiver.got, key=lambda one: one.path, reverse=True)
        told = here.browser.decrypt(push.body)
        async with here.services.rooms.at(table) as room:
            ply = room.table.ply
        assert told["web_push"] == 8030 and told["app_badge"] == 1
        shown = told["notification"]
        assert (shown["title"], shown["lang"]) == ("C’est à vous de jouer", "fr")
        assert shown["body"].endswith("avec Ada") and shown["tag"] == "tables"
        assert shown["navigate"] == f"{SITE}/t/{table}?ply={ply}"
        assert push.headers["content-encoding"] == "aes128gcm" and int(push.headers["ttl"]) > 0
        _check_vapid(push.headers["authorization"], here)

        said = json.loads(note.body)
        assert said["kind"] == "turn" and said["url"].startswith(f"{SITE}/t/{table}")
        at = int(note.headers["lampion-signature"].partition(",")[0].removeprefix("t="))
        assert note.headers["lampion-signature"] == signature(hook.secret, at, note.body)
        assert at == here.clock.now_ms() // 1000 and note.headers["lampion-id"] == said["id"]

        assert not postbox.letters
        await here.pass_time(30 * MINUTE)
        (to, letter, _), *rest = postbox.letters
        assert not rest and to == ["ben@mail.example"] and "C’est à vous" in letter["Subject"]
        assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        bodies = [part.get_content() for part in letter.iter_parts()]
        assert all(f"/t/{table}" in body and "Ada" in body for body in bodies) and len(bodies) == 2
        assert await here.states() == {"sent": 3, "waiting": 1 * 3}  # and three reminders

        here.receiver.got.clear()
        await here.act(table)
        assert await here.states() == {"settled": 6}
        await here.pass_time(5 * DAY)
        assert not here.receiver.got and len(postbox.letters) == 1

    at_home(play, tmp_path, postbox)


def _check_vapid(header: str, here: House) -> None:
    """RFC 8292, from the text of the RFC."""
    scheme, _, rest = header.partition(" ")
    parts = dict(part.partition("=")[::2] for part in rest.split(","))
    head, claims, signed = parts["t"].split(".")
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unbase64url(parts["k"]))
    r, s = (int.from_bytes(half) for half in (unbase64url(signed)[:32], unbase64url(signed)[32:]))
    key.verify(encode_dss_signature(r, s), f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    said = json.loads(unbase64url(claims))
    assert scheme == "vapid" and said["aud"] == f"http://127.0.0.1:{here.receiver.port}"
    assert said["sub"] == SITE and 0 < said["exp"] - here.clock.now_ms() // 1000 <= 24 * 3600


def test_nobody_is_told_while_looking_at_the_table(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        table = await here.table()
        await here.push("ben")
        await here.turn_of(table, "ada")
        async with here.watching(table, "ben"):
            await here.act(table)
            await here.deliver()
            assert not here.receiver.got
            await here.pass_time(MINUTE)
            assert not here.receiver.got and (await here.states())["seen"] == 1
        await here.turn_of(table, "ada")
        async with here.watching(table, "ben"):
            await here.deliver()
            await here.act(table)
            await here.deliver()
        await here.pass_time(MINUTE)
        assert len(here.pushed()) == 1, "the page was there in name only"

    at_home(play, tmp_path, postbox)


def test_quiet_hours_mute_and_wishes(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        first, second = await here.table(), await here.table()
        for table in (first, second):
            await here.turn_of(table, "ada")
        await here.push("ben", zone="Asia/Tokyo")
        # The clock stands at 08:00 UTC on 15 January 2027: 17:00 in Tokyo.
        quiet = wire.Wishes("en", "Asia/Tokyo", 16 * 60, 7 * 60, off=[NoticeKind.SOON])
        await here.services.ways.wish("ben", quiet)
        for table in (first, second):
            await here.act(table)
        await here.pass_time(13 * HOUR + 59 * MINUTE)
        assert not here.receiver.got
        await here.pass_time(MINUTE)
        (told,) = here.pushed()
        shown = told["notification"]
        assert shown["title"] == "News from 2 tables" and told["app_badge"] == 2
        assert shown["body"].count("It is your turn") == 2 and shown["navigate"] == f"{SITE}/"
        assert await here.states() == {"sent": 2}

        await here.services.store.mark(first, "ben", Mark.MUTED)
        await here.act(first)
        await here.act(first)
        await here.deliver()
        assert not here.receiver.got
        await here.act(second)
        await here.act(second)
        await here.deliver()
        assert [one["app_badge"] for one in here.pushed()] == [1]

    at_home(play, tmp_path, postbox)


def test_what_fails_is_tried_again_and_can_be_retried_by_an_operator(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        table = await here.table(pace=wire.NoClock())
        await here.push("ben")
        await here.turn_of(table, "ada")
        here.receiver.status = 503
        await here.act(table)
        await here.deliver()
        pauses = (5_000, 30_000, 2 * MINUTE, 10 * MINUTE, HOUR, 4 * HOUR, 8 * HOUR, 16 * HOUR, DAY)
        for number, pause in enumerate(pauses, 1):
            await here.pass_time(pause - 1)
            assert len(here.receiver.got) == number
            await here.pass_time(1)
            assert len(here.receiver.got) == number + 1
        await here.pass_time(DAY)
        assert len(here.receiver.got) == 1 + len(pauses) and await here.states() == {"failed": 1}
        shown = await here.services.ways.shown("ben")
        assert shown.ways[0].problem == "status 503"

        here.receiver.status = 201
        here.receiver.got.clear()
        assert await here.services.store.retry_notices(None, here.clock.now_ms()) == 1
        await here.deliver()
        assert len(here.pushed()) == 1 and await here.states() == {"sent": 1}
        assert (await here.services.ways.shown("ben")).ways[0].problem is None

        # A device that is gone is forgotten, and mail does not wait for it.
        await here.mail("ben")
        here.receiver.status = 410
        await here.act(table)
        await here.act(table)
        await here.deliver()
        assert await here.ways("ben") == ["mail"] and len(postbox.letters) == 1
        # A mail server that refuses, or a redirect, is a failure like any other.
        postbox.refuses = "451 later"
        await here.act(table)
        await here.act(table)
        await here.deliver()
        postbox.refuses = ""
        await here.pass_time(5_000)
        assert len(postbox.letters) == 2
        assert len({letter["Message-ID"] for _, letter, _ in postbox.letters}) == 2

    at_home(play, tmp_path, postbox)


def test_a_way_that_works_again_tells_what_failed_and_still_counts(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        mine, moved, new = [await here.table(pace=wire.NoClock()) for _ in range(3)]
        await here.webhook("ben")
        for table in (mine, moved, new):
            await here.turn_of(table, "ada")
        await here.pass_time(MINUTE)
        here.receiver.status = 404  # a webhook that is being set up, or behind a proxy that is
        for table in (mine, moved):
            await here.act(table)
        for pause in (0, *BACKOFF_MS):
            await here.pass_time(pause)
        assert (await here.states())["failed"] == 2
        await here.act(moved)
        here.receiver.status = 200
        here.receiver.got.clear()
        await here.act(new)
        await here.deliver()
        said = [json.loads(one.body) for one in here.receiver.got]
        assert [one["url"].partition("?")[0] for one in said] == [
            f"{SITE}/t/{new}",
            f"{SITE}/t/{mine}",
        ], "not the one where Ben has moved since"

        # A test that arrives does the same, and only 410 ends a webhook.
        here.receiver.status = 503
        await here.act(new)
        await here.act(new)
        for pause in (0, *BACKOFF_MS):
            await here.pass_time(pause)
        here.receiver.status = 200
        here.receiver.got.clear()
        (way,) = await here.services.store.ways("ben")
        await here.services.ways.test("ben", way.id)
        await here.deliver()
        kinds = [json.loads(one.body)["kind"] for one in here.receiver.got]
        assert kinds == ["test", "turn"]
        here.receiver.status = 410
        await here.act(new)
        await here.act(new)
        await here.deliver()
        assert await here.ways("ben") == []

    at_home(play, tmp_path, postbox)


def test_little_time_left_a_vacation_and_a_pause(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        table = await here.table(days=3)
        await here.push("ben")
        await here.turn_of(table, "ada")
        await here.act(table)
        await here.deliver()
        here.pushed()
        await here.pass_time(2 * DAY)
        (told,) = here.pushed()
        assert told["notification"]["title"] == "Your move is due within a day"

        await here.act(table)
        # 15 January 2027, 08:00, and two days later; away from the 19th to the 21st.
        await here.services.ways.add_vacation("ben", wire.NewVacation("2027-01-19", "2027-01-21"))
        await here.act(table)
        await here.deliver()
        here.pushed()
        began = here.clock.now_ms()
        async with here.services.rooms.at(table) as room:
            seat = room.table.seats_of("ben")[0]
            assert room.table.clocks.due(seat) == began + 6 * DAY
        await here.pass_time(2 * DAY)
        async with here.services.rooms.at(table) as room:
            faces = room.table.clocks.faces(here.clock.now_ms())
            assert not faces[seat].running and faces[seat].left_ms == 3 * DAY - 40 * HOUR
        assert not here.pushed(), "the reminder waits with the clock"

        # Ben asks for a pause, Ada agrees; nothing runs until one of them goes on.
        await here.push("ada", "/push/ada")
        await here.command(table, "ben", wire.Pause)
        await here.deliver()
        (told,) = here.pushed()
        assert told["notification"]["title"] == "Ben asks to pause the game"
        async with here.services.rooms.at(table) as room:
            assert room.table.question
            number = room.table.question.number
        await here.command(table, "ada", wire.Answer, number, True)
        await here.pass_time(20 * DAY)
        async with here.services.rooms.at(table) as room:
            assert room.table.is_paused and room.table.actors == []
            assert room.table.clocks.next_due() is None
            assert room.table.clocks.left(seat, here.clock.now_ms()) == 3 * DAY - 40 * HOUR
        assert not here.pushed()
        await here.command(table, "ada", wire.Continue)
        await here.deliver()
        assert [one["notification"]["title"] for one in here.pushed()] == ["It is your turn"]
        async with here.services.rooms.at(table) as room:
            assert room.table.actors == [seat]
            assert room.table.clocks.left(seat, here.clock.now_ms()) == 3 * DAY - 40 * HOUR
            before = room.table.clocks.due(seat)
        row = await here.services.store.table(table)
        assert row and (await here.services.rooms.read(row)).clocks.due(seat) == before

    at_home(play, tmp_path, postbox)


def test_over_and_invited_again(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        table = await here.table()
        await here.push("ben")
        await here.push("ada", "/push/ada")
        await here.deliver()
        here.pushed()
        await here.command(table, "ada", wire.Resign)
        await here.deliver()
        (told,) = here.pushed()
        assert told["notification"]["title"] == "The game is over" and told["app_badge"] == 0
        new = await lobby.rematch(here.services.rooms, table, BEN)
        await here.deliver()
        (told,) = here.pushed()
        assert told["notification"]["title"] == "You are invited to a game"
        assert told["notification"]["navigate"] == f"{SITE}/t/{new}"

    at_home(play, tmp_path, postbox)


def test_people_without_a_way_out_cost_nothing(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        table = await here.table()
        for _ in range(4):
            await here.act(table)
        assert await here.states() == {}
        way = await here.push("ben")
        await here.act(table)
        await here.act(table)
        assert await here.states() != {}
        await here.services.ways.drop("ben", way.id)
        assert await here.states() == {}
        for _ in range(4):
            await here.act(table)
        assert await here.states() == {} and "ben" not in here.services.rooms.reachable

    at_home(play, tmp_path, postbox)


def test_nothing_is_in_doubt_before_a_line_is_open(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        table = await here.table(pace=wire.NoClock())
        await here.webhook("ben")
        await here.turn_of(table, "ada")
        senders = here.services.notifier.senders
        opening = asyncio.Event()

        class Slow:
            @contextlib.asynccontextmanager
            async def line(self, way: WayRow) -> AsyncIterator[Send]:
                opening.set()
                await asyncio.Event().wait()
                yield self.send

            async def send(self, message: Message) -> None:
                raise AssertionError("it never comes to that")

        here.services.notifier.senders = {WayKind.WEBHOOK: Slow()}
        await here.act(table)
        await opening.wait()
        # As if this process were dead by now: another one finds the notice, and may send it.
        store, now_ms = here.services.store, here.clock.now_ms()
        ((notice, _),) = await store.due_notices(now_ms, 10)
        here.services.notifier.senders = senders
        names = [notice.id]
        assert await store.claim_notices(names, now_ms, now_ms + MINUTE) == set(names)
        # Now it is in doubt, and nobody touches it until the lease is over, not even to put it off.
        await store.postpone_notices(names, now_ms, attempts=0)
        assert not await store.due_notices(now_ms + MINUTE - 1, 10)
        assert len(await store.due_notices(now_ms + MINUTE, 10)) == 1

    at_home(play, tmp_path, postbox)


def test_each_way_has_one_process_and_another_if_that_does_not_come_to_it(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        table = await here.table(pace=wire.NoClock())
        way = await here.webhook("ben")
        peers = here.services.peers
        numbers = iter(range(1000))
        while peers.is_mine(way.way.id):
            peers.expect([f"elsewhere/{next(numbers)}/x"])
        await here.turn_of(table, "ada")
        await here.act(table)
        await here.deliver()
        assert not here.receiver.got
        await here.pass_time(HEAD_START_MS + 1)
        assert len(here.receiver.got) == 1
        await here.act(table)
        await here.act(table)
        await here.deliver()
        assert len(here.receiver.got) == 1
        for other in peers.others:
            await peers.take(News(other, NewsKind.BYE, other))
        await here.deliver()
        assert len(here.receiver.got) == 2

    at_home(play, tmp_path, postbox)


def test_a_store_that_lost_news_is_no_process(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        peers = here.services.peers
        await peers.take(News("", LOST, ""))
        assert peers.others == [] and peers.is_mine("any table")

    at_home(play, tmp_path, postbox)


def test_a_page_in_the_background_does_not_count_as_looking(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        table = await here.table(pace=wire.NoClock())
        await here.push("ben")
        await here.turn_of(table, "ada")
        await here.deliver()
        here.pushed()
        async with here.watching(table, "ben") as screen:
            await here.look(table, screen, seen=False)
            await here.act(table)
            await here.deliver()
            assert len(here.pushed()) == 1
            # A player comes back to the page: what waits is seen, as if they had just come.
            await here.act(table)
            await here.act(table)
            await here.look(table, screen, seen=True)
            await here.pass_time(MINUTE)
            assert not here.pushed() and (await here.states())["seen"] == 1
            await here.turn_of(table, "ada")
            async with here.watching(table, "ben") as other:
                await here.look(table, other, seen=False)
                await here.act(table)
                await here.deliver()
                assert not here.pushed(), "one of the pages is looked at"

    at_home(play, tmp_path, postbox)
