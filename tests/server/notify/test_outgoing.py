"""Requests that must not be made, links that must not work, headers that must not be written."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from lampion.server import wire
from lampion.server.errors import TableError, TooMany
from lampion.server.notify.mail import checked_address, mailbox
from lampion.server.notify.outgoing import (
    LOOKUPS_AT_ONCE,
    NotDelivered,
    Outgoing,
    check,
    is_public,
    lane_of,
)
from lampion.server.notify.quiet import quiet_until
from lampion.server.store.base import PersonRow, ReachRow, WayKind, WayRow
from tests.server.notify.receivers import Postbox, receiving
from tests.server.notify.support import SITE, house

PRIVATE = [
    "0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.8.8.8", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1",
    "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
    "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:8.8.8.8", "64:ff9b::7f00:1",
    "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1", "2001:db8::1", "2002:7f00:1::1",
    "2002:808:808::1", "fc00::1", "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
    "localhost", "example.org",
]  # fmt: skip
PUBLIC = [
    "8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111",
    "2a00:1450:4001:80e::2004",
]  # fmt: skip
BAD_URLS = [
    "http://push.example/x", "ftp://push.example/", "file:///etc/passwd", "//push.example/",
    "https:///", "https://user@push.example/", "https://u:p@push.example/",
    "https://push.example/#f", "https://push.example:99999/", "https://push.example/\r\nHost:x",
    "https://push.example/a b", "https://push.example/\u00e9", "javascript:alert(1)",
    "https://" + "a" * 2000,
]  # fmt: skip


def outgoing(*addresses: str) -> Outgoing:
    async def resolve(host: str, port: int) -> list[str]:
        return list(addresses)

    return Outgoing((), resolve)


def test_only_public_addresses_are_reached_whatever_a_name_resolves_to() -> None:
    assert [address for address in PRIVATE if is_public(address)] == []
    assert [address for address in PUBLIC if not is_public(address)] == []

    async def ask(guard: Outgoing, host: str = "push.example") -> None:
        await guard.addresses(guard.target(f"https://{host}/x"))

    async def run() -> None:
        for address in PRIVATE:
            # One public address among them does not help.
            with pytest.raises(TableError, match="bad-address"):
                await ask(outgoing("8.8.8.8", address))
        await ask(outgoing(*PUBLIC))
        # However the address of this machine is written, it is resolved before it is judged.
        for host in ("127.1", "2130706433", "localhost", "[::1]", "[::ffff:7f00:1]"):
            with pytest.raises(TableError, match="bad-address"):
                await ask(Outgoing(), host)

    asyncio.run(run())
    for url in BAD_URLS:
        with pytest.raises(TableError, match="bad-address"):
            outgoing().target(url)


def test_a_name_is_resolved_once_and_the_connection_goes_where_it_was_checked() -> None:
    """DNS rebinding: the second answer would be this machine."""

    async def run() -> None:
        asked = 0

        async def rebinding(host: str, port: int) -> list[str]:
            nonlocal asked
            asked += 1
            return ["192.0.2.1"] if asked > 1 else ["127.0.0.1"]

        async with receiving() as receiver:
            guard = Outgoing((f"push.example:{receiver.port}",), rebinding)
            url = f"http://push.example:{receiver.port}/x"
            reply = await guard.post(url, {"X": "y"}, b"hello")
            assert (reply.status, reply.body, asked) == (201, b"ok", 1)
            assert receiver.got[0].headers["host"] == f"push.example:{receiver.port}"
            # A redirect is an answer like any other, and not followed.
            receiver.status, receiver.location = 302, "http://127.0.0.1/admin"
            asked = 0
            with pytest.raises(NotDelivered, match="302"):
                check(await guard.post(url, {}, b""), (410,))
            assert len(receiver.got) == 2
            asked = 0
            with pytest.raises(NotDelivered):
                await guard.post(url, {"X": "y\r\nEvil: 1"}, b"")
            # A certificate for another name, or none, ends the attempt before anything is sent.
            tls = Outgoing((f"127.0.0.1:{receiver.port}",), tls=ssl.create_default_context())
            with pytest.raises(NotDelivered):
                await tls.post(f"https://127.0.0.1:{receiver.port}/", {}, b"secret")
            assert len(receiver.got) == 2

    asyncio.run(run())


def test_every_address_of_a_host_is_tried() -> None:
    """Many hosts have an IPv6 address that does not lead to them from everywhere."""

    async def run() -> None:
        async with receiving() as receiver:
            named = (f"push.example:{receiver.port}",)
            url = f"http://push.example:{receiver.port}/x"

            async def two(host: str, port: int) -> list[str]:
                return ["127.9.9.9", "127.0.0.1"]  # nobody listens at the first

            assert (await Outgoing(named, two).post(url, {}, b"hello")).status == 201

            async def nobody(host: str, port: int) -> list[str]:
                return ["127.9.9.8", "127.9.9.9"]

            with pytest.raises(NotDelivered, match="no connection"):
                await Outgoing(named, nobody).post(url, {}, b"hello")
            assert len(receiver.got) == 1

    asyncio.run(run())


def test_name_servers_that_hang_hold_up_only_ways_of_their_kind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = threading.Event()

    def lookup(host: str, port: int, **more: object) -> list[object]:
        if host == "tarpit.example":
            answers.wait()
        return [(0, 0, 0, "", ("8.8.8.8", port))]

    async def run() -> None:
        guard = Outgoing()
        tarpit, good = map(guard.target, ("https://tarpit.example/", "https://good.example/"))
        hanging = [
            asyncio.create_task(guard.addresses(tarpit, lane))
            for lane in ("push-failed", "webhook")
            for _ in range(2 * LOOKUPS_AT_ONCE)
        ]
        await asyncio.sleep(0)
        for lane in ("push", "webhook-failed", "check"):
            assert await guard.addresses(good, lane) == ["8.8.8.8"]
        assert not any(task.done() for task in hanging)
        answers.set()
        await asyncio.gather(*hanging)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    try:
        asyncio.run(run())
    finally:
        answers.set()


def test_ways_that_have_failed_have_a_lane_of_their_own() -> None:
    ways = [
        WayRow("w", "ben", kind, "", "", 0, 0, problem)
        for kind in (WayKind.PUSH, WayKind.WEBHOOK)
        for problem in (None, "status 500")
    ]
    assert [*map(lane_of, ways)] == ["push", "push-failed", "webhook", "webhook-failed"]


def test_mail_addresses_cannot_carry_headers_or_a_second_receiver() -> None:
    assert checked_address("Ada.B+lampion@Mail.Example") == "ada.b+lampion@mail.example"
    assert mailbox("Ada.B+lampion@Mail.Example") == mailbox("ada.b@mail.example")
    assert mailbox("a.d.a+x@googlemail.com") == mailbox("Ada@gmail.com") == "ada@gmail.com"
    assert mailbox("a.da@mail.example") != mailbox("ada@mail.example"), "only Gmail ignores dots"
    bad = ["", "ada", "ada@", "@mail.example", "ada@mail", "a b@mail.example", "a,b@mail.example",
           "ada@mail.example\r\nBcc: eve@mail.example", "ada@mail.example,eve@mail.example",
           "ada@mail.example\n", "<ada@mail.example>", '"ada"@mail.example', "ada@[127.0.0.1]",
           "ada@-mail.example", ".ada@mail.example", "ada..b@mail.example", "ad\u00e4@mail.example",
           "a" * 65 + "@mail.example", "ada@" + "a" * 64 + ".example"]  # fmt: skip
    for address in bad:
        with pytest.raises(TableError, match="bad-address"):
            checked_address(address)


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    with Postbox() as running:
        yield running


def test_codes_links_and_names(
    tmp_path: Path, postbox: Postbox, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with house(tmp_path, postbox) as here:
            ways, store = here.services.ways, here.services.store
            way = await ways.add_mail("ben", wire.NewMail("ben@mail.example"))
            code = here.code()
            wrong = f"{(int(code) + 1) % 1_000_000:06}"
            for _ in range(4):
                with pytest.raises(TableError, match="wrong-code"):
                    await ways.confirm("ben", wire.MailCode(way.id, wrong))
            with pytest.raises(TableError, match="no-way"):
                await ways.confirm("ada", wire.MailCode(way.id, code))
            assert "ben" not in here.services.rooms.reachable
            await ways.confirm("ben", wire.MailCode(way.id, code))
            assert "ben" in here.services.rooms.reachable

            other = await ways.add_mail("ada", wire.NewMail("eve@mail.example"))
            last = here.code()
            for _ in range(5):
                with pytest.raises(TableError, match="wrong-code"):
                    await ways.confirm(
                        "ada", wire.MailCode(other.id, wrong if wrong != last else code)
                    )
            with pytest.raises(TableError, match="code-expired"):
                await ways.confirm("ada", wire.MailCode(other.id, last))
            for name in ("p1", "p2"):
                await store.add_person(PersonRow(name, name, 1, 1))
                await ways.add_mail(name, wire.NewMail("eve@mail.example"))
            with pytest.raises(TooMany):
                await ways.add_mail("ben", wire.NewMail("eve@mail.example"))

            # A name of a player goes into a letter as text, and never into a header of its own.
            table = await here.table()
            await store.rename("ada", "Eve <b>\u202e&")
            await here.turn_of(table, "ada")
            postbox.letters.clear()
            await here.act(table)
            await here.deliver()
            ((to, letter, _),) = postbox.letters
            html = letter.get_body(("html",)).get_content()  # type: ignore[union-attr]
            assert "Eve &lt;b&gt;" in html and to == ["ben@mail.example"]

            link = str(letter["List-Unsubscribe"]).strip("<>")
            name, signed = link.removeprefix(f"{SITE}/api/unsubscribe/").split("/")
            assert name == way.id
            forged = signed[:-1] + ("A" if signed[-1] != "A" else "B")
            assert not await ways.unsubscribe(name, forged)
            assert not await ways.unsubscribe(other.id, signed)
            assert await store.way(way.id) is not None
            assert await ways.unsubscribe(name, signed)
            assert await ways.unsubscribe(name, signed), "a second click does no harm"
            # No more letters, but the way back is still there, and the person may change their mind.
            (shown,) = (await ways.shown("ben")).ways
            assert shown.silent and await ways.mailboxes("ben") == ["ben@mail.example"]
            with pytest.raises(TableError, match="not-offered"):
                await ways.test("ben", way.id)
            postbox.letters.clear()
            here.services.come_back.ask("ben@mail.example", "en")
            await asyncio.gather(*here.services.come_back._tasks)
            assert len(postbox.letters) == 1
            await here.act(table)
            await here.act(table)
            await here.deliver()
            assert len(postbox.letters) == 1
            again = await ways.add_mail("ben", wire.NewMail("ben@mail.example"))
            assert not again.silent and len(postbox.letters) == 1, "it is confirmed already"
            await here.act(table)
            await here.act(table)
            await here.deliver()
            assert len(postbox.letters) == 2
            await ways.silence("ben", way.id, True)
            assert "ben" not in here.services.rooms.reachable
            secrets = [await store.setting(name) for name in ("vapid_key", "notify_secret")]
            assert all(secrets) and not any(str(one) in caplog.text for one in secrets)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("language", "code_says", "link_says"),
    [
        ("en", "It is valid for 15 minutes", "Sign in"),
        ("fr", "Il est valable 15 minutes", "Se connecter"),
        ("it", "È valido per 15 minuti", "Accedi"),
    ],
)
def test_codes_and_links_come_as_text_and_as_html(
    tmp_path: Path, postbox: Postbox, language: str, code_says: str, link_says: str
) -> None:
    async def run() -> None:
        async with house(tmp_path, postbox) as here:
            way = await here.services.ways.add_mail("ben", wire.NewMail("b@mail.example", language))
            ((_, letter, _),) = postbox.letters
            plain, html = (_part(letter, kind) for kind in ("plain", "html"))
            code = here.code()
            assert code_says in plain and code_says in html and f'lang="{language}"' in html
            assert code in plain and f">{code}</strong>" in html
            await here.services.ways.confirm("ben", wire.MailCode(way.id, code))

            await here.services.store.rename("ben", "Ben <i>& Co</i>")
            here.services.come_back.ask("b@mail.example", "en")
            await asyncio.gather(*here.services.come_back._tasks)
            ((_, letter, _),) = postbox.letters
            plain, html = (_part(letter, kind) for kind in ("plain", "html"))
            link = next(line for line in plain.splitlines() if line.startswith(SITE))
            assert f'href="{link}"' in html and f">{link_says}</a>" in html
            assert "Ben &lt;i&gt;&amp; Co&lt;/i&gt;" in html and "<i>" not in html

    asyncio.run(run())


def _part(letter: EmailMessage, kind: str) -> str:
    found: str = letter.get_body((kind,)).get_content()  # type: ignore[union-attr]
    return found


def test_quiet_hours_on_the_night_that_clocks_change() -> None:
    """Rome, 28 March 2027: at two in the morning it is three."""
    reach = ReachRow("ben", zone="Europe/Rome", quiet_from=22 * 60, quiet_to=7 * 60)
    eleven_at_night = 1806184800000  # 27 March, 22:00 UTC
    assert quiet_until(reach, eleven_at_night) == eleven_at_night + 7 * 3_600_000
    assert quiet_until(reach, eleven_at_night + 7 * 3_600_000) is None
    assert quiet_until(reach, eleven_at_night - 3_600_001) is None
    assert quiet_until(ReachRow("ben"), eleven_at_night) is None
