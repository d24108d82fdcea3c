"""Ways out under attack and over time: devices that are signed out, mailboxes of strangers, names
that are more than names, receivers that never answer."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from lampion.core.errors import LampionError
from lampion.server import wire
from lampion.server.notify import outgoing
from lampion.server.notify.outgoing import NotDelivered, Outgoing
from lampion.server.notify.texts import MOST_LINES
from lampion.server.store.base import NoticeState
from tests.server.notify.receivers import Browser, Postbox, receiving_in_a_thread
from tests.server.notify.support import DAY, SITE, House, house
from tests.server.support import Person, Server

API = "/api/me/notifications"
MOST_PLAINTEXT = 3993
"""What fits into a push message of 4096 bytes (RFC 8291)."""


@pytest.fixture(scope="module")
def postbox() -> Iterator[Postbox]:
    with Postbox() as running:
        yield running


@pytest.fixture
def site(tmp_path: Path, postbox: Postbox) -> Iterator[Server]:
    with receiving_in_a_thread() as receiver:
        server = Server(str(tmp_path / "lampion.db"), log=tmp_path / "log")
        hosts = f"127.0.0.1:{receiver.port}"
        server.flags = ("--notify-hosts", hosts, "--public-url", server.base, *postbox.flags)
        with server.start():
            server.receiver = receiver  # type: ignore[attr-defined]
            yield server


def _pushed(person: Person, url: str, keys: Browser) -> str:
    way: str = person.call("POST", f"{API}/push", keys.subscription(url))["id"]
    return way


def _ways(person: Person) -> list[tuple[str, bool]]:
    return [(way["kind"], way["here"]) for way in person.call("GET", API)["ways"]]


def test_a_device_that_is_signed_out_gets_no_more_messages(site: Server) -> None:
    url = site.receiver.url  # type: ignore[attr-defined]
    ada, phone, tablet = Person(site, "Ada"), Person(site), Person(site)
    for device in (phone, tablet):
        device.call("POST", "/api/claim", {"code": ada.call("POST", "/api/me/link")["code"]})
    ada.call("POST", f"{API}/webhook", {"url": url("/hook")})
    for name, device in (("ada", ada), ("phone", phone), ("tablet", tablet)):
        _pushed(device, url(f"/push/{name}"), Browser())
    assert _ways(phone) == [("webhook", False), ("push", False), ("push", True), ("push", False)]
    lost = next(each for each in phone.call("GET", "/api/me/access")["devices"] if each["current"])
    ada.call("DELETE", f"/api/me/devices/{lost['id']}")
    assert _ways(ada) == [("webhook", False), ("push", True), ("push", False)]
    ada.call("POST", "/api/me/sign-out", {"others": True})
    assert _ways(ada) == [("webhook", False), ("push", True)]
    # A browser that renews its subscription has one, and a newcomer's device is known, too.
    _pushed(ada, url("/push/renewed"), Browser())
    assert _ways(ada) == [("webhook", False), ("push", True)]
    newcomer = Person(site)
    _pushed(newcomer, url("/push/new"), Browser())
    assert _ways(newcomer) == [("push", True)]


def test_a_browser_gets_the_messages_of_one_person(site: Server) -> None:
    url = site.receiver.url("/push/shared")  # type: ignore[attr-defined]
    ada, ben, keys = Person(site, "Ada"), Person(site, "Ben"), Browser()
    _pushed(ada, url, keys)
    _pushed(ben, url, Browser())
    assert len(_ways(ada)) == 1, "the address alone, without its keys, moves nothing"
    _pushed(ben, url, keys)
    assert (_ways(ada), _ways(ben)) == ([], [("push", True)])


def test_nobody_can_flood_a_mailbox(tmp_path: Path, postbox: Postbox) -> None:
    """Neither by asking again and again, nor as several guests, nor by dropping the address."""
    server = Server(str(tmp_path / "lampion.db"), log=tmp_path / "log")
    server.flags = ("--public-url", server.base, *postbox.flags, "--limit-scale", "1")
    with server.start():
        _flood(server, postbox)


def _flood(site: Server, postbox: Postbox) -> None:
    before = len(postbox.letters)
    spellings = ["eve@mail.example", "Eve@mail.example", "eve+1@mail.example", "eve+2@mail.example"]
    for number in range(8):
        guest = Person(site, f"G{number}")
        reply = guest.ask("POST", f"{API}/mail", {"address": spellings[number % 4]})
        if reply.status_code == 200:
            guest.call("DELETE", f"{API}/ways/{reply.json()['id']}")
        else:
            assert reply.json()["code"] == "rate-limited", reply.text
    assert len(postbox.letters) - before == 3


def test_what_waits_outlives_a_renewed_subscription(tmp_path: Path, postbox: Postbox) -> None:
    async def run() -> None:
        async with house(tmp_path, postbox) as here:
            table = await here.table()
            await here.turn_of(table, "ada")
            await _device(here, "/push/old")
            async with _silence(here):
                await here.act(table)
                await _device(here, "/push/new")
            assert [one.path for one in here.receiver.got] == ["/push/new"]
            assert len(await here.services.store.notices(NoticeState.SENT, 9)) == 1

    asyncio.run(run())


@contextlib.asynccontextmanager
async def _silence(here: House) -> AsyncIterator[None]:
    """Quiet hours for Ben; what waits is delivered when they end."""
    night = wire.Wishes("en", "UTC", 0, 24 * 60 - 1)
    await here.services.ways.wish("ben", night)
    yield
    await here.deliver()
    assert not here.receiver.got
    await here.services.ways.wish("ben", wire.Wishes("en", "UTC"))
    await here.pass_time(DAY)


async def _device(here: House, path: str) -> None:
    given = here.browser.subscription(here.receiver.url(path))
    await here.services.ways.add_push("ben", wire.NewPush(**given), SITE, "laptop")


def test_many_guesses_at_once_are_as_many_tries(tmp_path: Path, postbox: Postbox) -> None:
    async def run() -> None:
        async with house(tmp_path, postbox) as here:
            ways = here.services.ways
            way = await ways.add_mail("ben", wire.NewMail("ben@mail.example"))
            code = here.code()
            wrong = [f"{(int(code) + n) % 1_000_000:06}" for n in range(1, 21)]
            tries = [ways.confirm("ben", wire.MailCode(way.id, guess)) for guess in wrong]
            told = await asyncio.gather(*tries, return_exceptions=True)
            codes = [each.code for each in told if isinstance(each, LampionError)]
            assert len(codes) == 20 and codes.count("wrong-code") <= 5
            again = await ways.add_mail("ben", wire.NewMail("BEN@mail.example"))
            right = wire.MailCode(again.id, here.code())
            confirmed = await ways.confirm("ben", right)
            # An address that is confirmed stays so: asking again sends nothing.
            postbox.letters.clear()
            assert await ways.add_mail("ben", wire.NewMail("ben@mail.example")) == confirmed
            assert not postbox.letters and await ways.mailboxes("ben") == ["ben@mail.example"]

    asyncio.run(run())


def test_many_tables_and_long_names_still_fit_into_a_message(
    tmp_path: Path, postbox: Postbox
) -> None:
    async def run() -> None:
        async with house(tmp_path, postbox) as here:
            tables = [await here.table() for _ in range(12)]
            await here.services.store.rename("ada", "\U0001f3ee" * 40)
            for table in tables:
                await here.turn_of(table, "ada")
            await here.push("ben")
            await here.webhook("ben", preset="discord")
            async with _silence(here):
                for table in tables:
                    await here.act(table)
            push, hook = sorted(here.receiver.got, key=lambda one: one.path, reverse=True)
            told = here.browser.decrypt(push.body)
            assert len(json.dumps(told, ensure_ascii=False).encode()) < MOST_PLAINTEXT
            lines = told["notification"]["body"].splitlines()
            assert len(lines) == MOST_LINES and lines[-1] == "and 7 more tables"
            assert len(json.loads(hook.body)["content"]) <= 2000

    asyncio.run(run())


def test_two_notices_of_one_table_lead_to_that_table(tmp_path: Path, postbox: Postbox) -> None:
    async def run() -> None:
        async with house(tmp_path, postbox) as here:
            table = await here.table()
            await here.turn_of(table, "ada")
            await here.push("ben")
            async with _silence(here):
                await here.act(table)
                await here.command(table, "ada", wire.Pause)
            (told,) = here.pushed()
            shown = told["notification"]
            assert shown["title"] == "Ada asks to pause the game"
            assert shown["body"].splitlines() == ["Lanterns with Ada", "It is your turn"]
            assert shown["navigate"].startswith(f"{SITE}/t/{table}")

    asyncio.run(run())


def test_a_name_is_no_markdown(tmp_path: Path, postbox: Postbox) -> None:
    async def run() -> None:
        async with house(tmp_path, postbox) as here:
            table = await here.table()
            await here.webhook("ben", preset="discord")
            await here.services.store.rename("ada", "[win](https://evil.example)")
            await here.turn_of(table, "ada")
            here.receiver.got.clear()
            await here.act(table)
            await here.deliver()
            said = json.loads(here.receiver.got[-1].body)
            assert "[win](" not in said["content"] and "https://evil" not in said["content"]
            assert said["allowed_mentions"] == {"parse": []}

    asyncio.run(run())


def test_names_that_cannot_be_looked_up_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(host: str, port: int) -> list[str]:
        await asyncio.Event().wait()
        return []

    async def run() -> None:
        for host in ("a..b", "a" * 64 + ".example"):
            guard = Outgoing()
            with pytest.raises(NotDelivered, match="not a valid name"):
                await guard.addresses(guard.target(f"https://{host}/"))
        monkeypatch.setattr(outgoing, "SECONDS", 0.01)
        slow = Outgoing(resolve=never)
        with pytest.raises(NotDelivered, match="no answer in time"):
            await slow.addresses(slow.target("https://tarpit.example/"))

    asyncio.run(run())
