"""What people may choose about notifications, and what they are refused."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import h11
import pytest
from msgspec.structs import replace

from lampion.core.errors import LampionError
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.notify import comeback, outgoing, push, texts
from lampion.server.notify.mail import MailSender
from lampion.server.notify.ways import MOST_VACATIONS, MOST_WAYS
from lampion.server.store.base import (
    NoticeKind,
    OutboxRow,
    SeatKind,
    SeatRow,
    StorageFailed,
    VacationRow,
    WayKind,
)
from lampion.server.tables import lobby
from lampion.server.tables.kinds import EventKind
from tests.server.inside import ADA, store_rules_version, until
from tests.server.notify.receivers import Browser, Postbox
from tests.server.notify.support import BEN, DAY, HOUR, MINUTE, SITE, House, house
from tests.server.support import Person
from tests.server.test_table import new_row

API = "/api/me/notifications"


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    with Postbox() as running:
        yield running


def at_home(
    play: Callable[[House], Awaitable[None]], folder: Path, postbox: Postbox, **settings: Any
) -> None:
    async def run() -> None:
        postbox.letters.clear()
        async with house(folder, postbox, **settings) as here:
            await play(here)

    asyncio.run(run())


async def code_of(refused: Awaitable[Any]) -> str:
    """The code with which it is refused."""
    with pytest.raises(LampionError) as error:
        await refused
    return error.value.code


def test_wishes_that_make_no_sense_are_refused_and_change_nothing(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        ways, good = here.services.ways, wire.Wishes("fr", "Europe/Rome", 60, 120)
        await ways.wish("ben", good)
        for wrong, code in (
            (replace(good, zone="Europe/Atlantis"), "bad-zone"),
            (replace(good, language="tlh"), "bad-language"),
            (replace(good, quiet_to=None), "bad-hours"),
        ):
            assert await code_of(ways.wish("ben", wrong)) == code
        assert (await ways.shown("ben")).wishes == good

    at_home(play, tmp_path, postbox)


def test_what_a_server_does_not_offer_cannot_be_chosen(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        ways = here.services.ways
        new_mail = wire.NewMail("ben@mail.example")
        offered = await ways.shown(None)
        assert (offered.push_key, offered.mail, offered.webhooks) == (None, False, False)
        assert await code_of(ways.add_mail("ben", new_mail)) == "not-offered"
        assert await code_of(here.webhook("ben")) == "not-offered"
        assert await code_of(here.push("ben")) == "not-offered"
        with pytest.raises(LampionError) as refused:
            here.services.come_back.ask("ben@mail.example", "en")
        assert refused.value.code == "not-offered"

    at_home(play, tmp_path, postbox, smtp_host="", push=False, webhooks=False)


def test_only_a_confirmed_address_can_be_silenced_or_tested(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        ways = here.services.ways
        hook = (await here.webhook("ben")).way
        assert await code_of(ways.silence("ben", hook.id, True)) == "not-offered"
        asked = await ways.add_mail("ben", wire.NewMail("ben@mail.example"))
        assert await code_of(ways.silence("ben", asked.id, True)) == "not-offered"
        assert await code_of(ways.test("ben", asked.id)) == "not-offered"
        code = wire.MailCode(asked.id, here.code())
        confirmed = await ways.confirm("ben", code)
        assert await ways.confirm("ben", code) == confirmed, "pressed twice"
        assert await code_of(ways.test("ada", asked.id)) == "no-way"

    at_home(play, tmp_path, postbox)


def test_a_code_that_cannot_be_sent_says_so(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        wanted = wire.NewMail("ben@mail.example")
        assert await code_of(here.services.ways.add_mail("ben", wanted)) == "mail-failed"

    at_home(play, tmp_path, postbox, smtp_port=1)


def test_a_person_has_ten_ways_and_renewing_one_makes_no_eleventh(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        for number in range(MOST_WAYS):
            await here.webhook("ben", f"/hook/{number}")
        assert await code_of(here.webhook("ben", "/hook/more")) == "too-many-ways"
        await here.webhook("ben", "/hook/0", "ntfy")
        assert len(await here.ways("ben")) == MOST_WAYS

    at_home(play, tmp_path, postbox)


def test_an_address_inside_the_operators_network_is_no_webhook(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        for url in ("http://127.0.0.1:1/", "https://10.0.0.1/", "ftp://example.org/"):
            wanted = wire.NewWebhook(url)
            refused = code_of(here.services.ways.add_webhook("ben", wanted, SITE))
            assert await refused == "bad-address"
        assert await here.ways("ben") == []

    at_home(play, tmp_path, postbox)


def test_a_vacation_begins_tomorrow_overlaps_no_other_and_has_an_end(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        # The given clock begins on Friday, 15 January 2027.
        ways = here.services.ways
        for first, last, where in (
            ("2027-01-15", "2027-01-16", "first"),
            ("2027-01-18", "2027-01-17", "first"),
            ("2027-01-18", "2028-06-01", "first"),
            ("2027-02-30", "2027-03-01", "first"),
            ("2027-01-18", "2027-02-30", "last"),
        ):
            with pytest.raises(TableError) as refused:
                await ways.add_vacation("ben", wire.NewVacation(first, last))
            assert (refused.value.code, refused.value.where) == ("bad-vacation", where)
        await ways.add_vacation("ben", wire.NewVacation("2027-01-18", "2027-01-20"))
        overlapping = wire.NewVacation("2027-01-20", "2027-01-25")
        assert await code_of(ways.add_vacation("ben", overlapping)) == "vacations-overlap"
        too_long = wire.NewVacation("2027-02-01", "2027-02-28")
        assert await code_of(ways.add_vacation("ben", too_long)) == "too-much-vacation"
        (away,) = (await ways.shown("ben")).vacations
        assert (away.first, away.last) == ("2027-01-18", "2027-01-20")

    at_home(play, tmp_path, postbox, vacation_days=10)


def test_many_short_vacations_are_too_many(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        start = here.clock.at_ms
        rows = [
            VacationRow("ben", start - n * DAY - HOUR, start - n * DAY)
            for n in range(2, MOST_VACATIONS + 2)
        ]
        await here.services.store.set_vacations("ben", rows)
        one_more = wire.NewVacation("2027-01-18", "2027-01-18")
        refused = await code_of(here.services.ways.add_vacation("ben", one_more))
        assert refused == "too-much-vacation"

    at_home(play, tmp_path, postbox, vacation_days=60)


def test_a_vacation_that_has_begun_ends_now_and_one_to_come_is_gone(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        ways = here.services.ways
        for day in ("2027-01-16", "2027-01-20"):
            await ways.add_vacation("ben", wire.NewVacation(day, day))
        begun, to_come = (await ways.shown("ben")).vacations
        here.clock.at_ms = begun.from_ms + HOUR
        await ways.drop_vacation("ben", begun.from_ms)
        await ways.drop_vacation("ben", to_come.from_ms)
        (left,) = (await ways.shown("ben")).vacations
        assert (left.from_ms, left.to_ms) == (begun.from_ms, here.clock.at_ms)

    at_home(play, tmp_path, postbox)


def test_a_sign_in_link_that_fails_is_logged_and_answered_like_any_other(
    tmp_path: Path, postbox: Postbox, caplog: pytest.LogCaptureFixture, monkeypatch: Any
) -> None:
    async def play(here: House) -> None:
        await here.mail("ben")
        here.services.come_back.ask("ben@mail.example", "en")
        here.services.come_back.ask("nobody@mail.example", "en")
        await asyncio.gather(*here.services.come_back._tasks, return_exceptions=True)
        await asyncio.sleep(0)
        (failed,) = [one for one in caplog.records if one.message == "sign-in link failed"]
        assert failed.levelno == logging.ERROR and failed.exc_info

    async def broken(*_: Any) -> None:
        raise RuntimeError("out of ink")

    monkeypatch.setattr(MailSender, "send_link", broken)
    at_home(play, tmp_path, postbox)


def test_sign_in_links_have_a_limit_and_end_with_the_server(
    tmp_path: Path, postbox: Postbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = 0

    async def slow(*_: Any) -> None:
        nonlocal asked
        asked += 1
        await asyncio.Event().wait()

    async def play(here: House) -> None:
        await here.mail("ben")
        come_back = here.services.come_back
        for _ in range(comeback.MOST_LETTERS + 5):
            come_back.ask("ben@mail.example", "en")
        assert len(come_back._tasks) == comeback.MOST_LETTERS
        async with asyncio.timeout(60):
            while asked < comeback.MOST_LETTERS:
                await asyncio.sleep(0.01)
        await come_back.close()
        assert not come_back._tasks

    monkeypatch.setattr(MailSender, "send_link", slow)
    at_home(play, tmp_path, postbox)


def test_a_way_that_the_server_no_longer_has_is_told_to_its_person(
    tmp_path: Path, postbox: Postbox
) -> None:
    """An operator has switched e-mail off, and a sender has a bug: both are a line in the list of
    ways, and the notices are tried again later."""

    class Broken:
        def line(self, way: Any) -> Any:
            raise RuntimeError("out of ink")

    async def play(here: House) -> None:
        table = await here.table()
        await here.turn_of(table, "ada")
        await here.webhook("ben")
        for senders, problem in (
            ({WayKind.WEBHOOK: Broken()}, "RuntimeError"),
            ({}, "this server sends no webhook"),
        ):
            here.services.notifier.senders = senders
            await here.act(table)
            await here.turn_of(table, "ada")
            await here.act(table)
            await here.deliver()
            (way,) = (await here.services.ways.shown("ben")).ways
            assert way.problem == problem
            await here.turn_of(table, "ada")

    at_home(play, tmp_path, postbox)


# --- what is due, and is not sent all the same ---


def test_a_table_of_newer_rules_is_told_without_its_question_and_reminds_later(
    tmp_path: Path, postbox: Postbox
) -> None:
    """Another process of a newer version may serve it: this one cannot read it."""

    async def play(here: House) -> None:
        rooms = here.services.rooms
        table = await here.table()
        await here.turn_of(table, "ada")
        await here.push("ben")
        await here.services.ways.wish("ben", wire.Wishes("en", "UTC", 0, 24 * 60 - 1))
        await here.act(table)
        await here.command(table, "ada", wire.Pause)
        await here.deliver()
        assert not here.pushed(), "both wait for the morning"
        row = await here.services.store.table(table)
        assert row
        store_rules_version(tmp_path / "lampion.db", table, 99)
        rooms.forget(table)
        await here.services.ways.wish("ben", wire.Wishes("en", "UTC"))
        await here.pass_time(DAY)
        (told,) = here.pushed()
        assert "Ada" not in told["notification"]["title"], "who asks is in the log"
        await here.pass_time(DAY)
        assert not here.pushed()
        store_rules_version(tmp_path / "lampion.db", table, row.rules_version)
        await here.pass_time(HOUR)
        (told,) = here.pushed()
        assert told["notification"]["title"] == "Your move is due within a day"

    at_home(play, tmp_path, postbox)


def test_a_reminder_is_not_sent_while_the_game_is_paused(tmp_path: Path, postbox: Postbox) -> None:
    async def play(here: House) -> None:
        table = await here.table()
        await here.turn_of(table, "ada")
        await here.push("ben")
        await here.act(table)
        await here.deliver()
        here.pushed()
        await here.services.rooms.change(
            table, lambda at: at.emit(EventKind.PAUSE, 0, here.clock.at_ms)
        )
        await here.pass_time(2 * DAY)
        assert not here.pushed()

    at_home(play, tmp_path, postbox)


def test_nobody_is_told_that_a_table_was_cancelled_before_its_game(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def play(here: House) -> None:
        rooms = here.services.rooms
        await here.push("ben")
        seats = [wire.SeatChoice("me"), wire.SeatChoice("open"), wire.SeatChoice("open")]
        table = await lobby.create(rooms, ADA, wire.NewTable("lanterns", seats, public=True))
        await lobby.join(rooms, table, BEN, wire.Join())
        await lobby.cancel(rooms, table, "ada")
        await here.pass_time(DAY)
        assert not here.pushed() and await here.states() == {}

    at_home(play, tmp_path, postbox)


def test_what_cannot_be_noted_is_logged_and_tried_again(
    tmp_path: Path, postbox: Postbox, caplog: pytest.LogCaptureFixture, monkeypatch: Any
) -> None:
    def said(message: str) -> bool:
        return any(one.message == message for one in caplog.records)

    async def play(here: House) -> None:
        table = await here.table()
        await here.turn_of(table, "ada")
        await here.webhook("ben")
        for error, message in (
            (StorageFailed("away"), "notice not noted"),
            (RuntimeError("out of order"), "notice failed"),
        ):

            async def fail(*_: Any, error: Exception = error, **__: Any) -> None:
                raise error

            await here.turn_of(table, "ada")
            await here.deliver()
            with monkeypatch.context() as patch:
                patch.setattr(here.services.notifier, "_note_sent", fail)
                await here.act(table)
                await here.services.notifier.start_due()
                await until(partial(said, message))
            await here.pass_time(2 * MINUTE)
            assert (await here.states()).get("sent"), "the lease was over"

    at_home(play, tmp_path, postbox)


def test_many_names_are_cut_short_and_a_game_that_is_gone_keeps_its_name() -> None:
    row = new_row()
    seats = [SeatRow("t", n, SeatKind.PERSON, f"p{n}", None, f"N{n}") for n in range(8)]
    notice = OutboxRow("n", "p0", "way", "t", NoticeKind.TURN, 1, 0, 0)
    said = texts.message([texts.About(notice, row, seats)], "en", 1).body.splitlines()[0]
    assert said.startswith("Lanterns with N1, ") and said.endswith(", …")
    gone = replace(row, game="gone")
    assert texts.message([texts.About(notice, gone, seats[:2])], "en", 1).body == "gone with N1"


def test_keys_that_nothing_can_be_encrypted_for_are_refused() -> None:
    good = Browser().subscription("https://push.example/")
    for p256dh, auth in (("not base64!", good["auth"]), (good["p256dh"], "AAAA")):
        with pytest.raises(TableError) as refused:
            push.checked_keys(p256dh, auth)
        assert refused.value.code == "bad-keys"


def test_receivers_are_remembered_for_a_while_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "MOST_RECEIVERS", 2)
    receivers = outgoing.Receivers(lambda: 0.0)
    for host in ("a.example", "b.example", "c.example"):
        receivers.spend(host, "192.0.2.1")
    assert list(receivers._left) == ["b.example", "c.example"]


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\nHTTP/1.1 204 X\r\n\r\n",
        b"HTTP/1.1 204 X\r\nContent-Length: 9999999\r\n\r\n" + bytes(100_000),
    ],
)
def test_a_receiver_may_say_more_than_it_has_to(answer: bytes) -> None:
    """A hint before the status; and of a long reply no more than a little is read."""

    async def run() -> None:
        reader, reply = asyncio.StreamReader(), outgoing.Reply()
        reader.feed_data(answer)
        talk = h11.Connection(h11.CLIENT)
        request = h11.Request(method="GET", target="/", headers=[("Host", "x")])
        for part in (request, h11.EndOfMessage()):
            talk.send(part)
        await outgoing._read(reply, talk, reader)
        assert reply.status == 204 and len(reply.body) < 2 * outgoing.MOST_BYTES

    asyncio.run(run())


# --- over HTTP ---


def test_choices_over_http(ada: Person) -> None:
    wishes = {"language": "it", "zone": "Europe/Rome", "off": ["over"]}
    assert ada.call("PUT", API, wishes)["wishes"]["off"] == ["over"]
    assert ada.problem("PUT", API, wishes | {"zone": "Rome"})["code"] == "bad-zone"
    day = str(datetime.now(UTC).date() + timedelta(days=10))
    (away,) = ada.call("POST", "/api/me/vacations", {"first": day, "last": day})["vacations"]
    assert (away["first"], away["last"]) == (day, day)
    assert ada.call("DELETE", f"/api/me/vacations/{away['from_ms']}")["vacations"] == []
    for path in (f"{API}/mail", "/api/recover/mail"):
        assert ada.problem("POST", path, {"address": "ada@mail.example"})["code"] == "not-offered"
    table = ada.table("me", "novice")["id"]
    ada.call("PUT", f"/api/me/tables/{table}/mute", {"muted": False})
    forged = ada.ask("GET", "/api/unsubscribe/way/forged")
    assert (forged.status_code, forged.json()["code"]) == (403, "bad-link")
