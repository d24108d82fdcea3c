"""What operators and the supervisor ask of a store, SQLite and PostgreSQL alike."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest

from lampion.core.gamelog import MAX_NAME
from lampion.server.store.base import (
    LONGEST_NEWS,
    LOST,
    AdminKeyRow,
    Appended,
    AuditRow,
    Duplicate,
    News,
    PersonRow,
    ProcessRow,
    SanctionRow,
    SeatKind,
    SeatRow,
    SeatTaken,
    Stale,
    StorageFailed,
    Store,
    TableStatus,
    TokenKind,
    TokenRow,
)
from lampion.server.store.news import MOST_WAITING, Inbox
from lampion.server.store.seats import unique_name
from tests.server.store.support import (
    events,
    opened,
    person_row,
    run,
    table_row,
    two_seats,
    with_tables,
)
from tests.server.store.test_conformance import tell


async def with_people(store: Store, *names: str) -> None:
    for name in names:
        await store.add_person(person_row(name))


def seated(name: str, seat: int = 0, table: str = "table1", called: str | None = None) -> SeatRow:
    return SeatRow(table, seat, SeatKind.PERSON, f"id-{name}", None, called or name)


# Names at a table


def test_names_get_the_first_free_number() -> None:
    assert unique_name("Ada", {"ben"}) == "Ada"
    assert unique_name("ADA", {"ada"}) == "ADA 2"
    assert unique_name("Ada", {"ada", "ada 2", "ada 3"}) == "Ada 4"
    assert unique_name("STRASSE", {"straße".casefold()}) == "STRASSE 2"
    assert unique_name(None, {"ada"}) is None
    long = "x" * (MAX_NAME - 2) + " y"
    numbered = unique_name(long, {long})
    assert numbered == "x" * (MAX_NAME - 2) + " 2" and len(numbered) == MAX_NAME


def test_no_two_seats_of_a_table_have_the_same_name(url: str) -> None:
    async def story(store: Store) -> None:
        await with_people(store, "Ada", "Ben")
        seats = [SeatRow("table1", n, SeatKind.BOT, None, "easy", "Bot") for n in range(3)]
        await store.create_table(table_row(), [*seats, SeatRow("table1", 3, SeatKind.OPEN)])
        assert [s.name for s in await store.seats("table1")] == ["Bot", "Bot 2", "Bot 3", None]
        wish = seated("Ada", 3, called="bOT 2")
        stored = await store.set_seat(wish, expect_kind=SeatKind.OPEN)
        assert stored == msgspec.structs.replace(wish, name="bOT 2 2")
        assert (await store.seats("table1"))[3] == stored
        again = await store.set_seat(wish, expect_kind=SeatKind.PERSON, expect_person="id-Ada")
        assert again == stored, "its own name is free"

    tell(url, story)


def test_a_new_name_is_made_unique_at_each_table(url: str) -> None:
    async def story(store: Store) -> None:
        await with_people(store, "Ada", "Ben")
        await with_tables(store, ["table1", "table2"])
        for table in ("table1", "table2"):
            await store.set_seat(seated("Ada", table=table), expect_kind=SeatKind.OPEN)
        await store.set_seat(seated("Ben", 1, "table2"), expect_kind=SeatKind.BOT)
        await store.rename("id-Ada", "ben")
        ada = await store.person("id-Ada")
        assert ada is not None and ada.name == "ben"
        assert [s.name for s in await store.seats("table1")] == ["ben", "Bot"]
        assert [s.name for s in await store.seats("table2")] == ["ben 2", "Ben"]

    tell(url, story)


# A seat and its event


def test_a_seat_and_its_event_change_together(url: str) -> None:
    async def story(store: Store) -> None:
        await with_people(store, "Ada", "Ben")
        await with_tables(store, ["table1"])
        sit = (seated("Ada", called="Bot"), SeatKind.OPEN, None)
        named = msgspec.structs.replace(sit[0], name="Bot 2")
        first = await store.append("table1", 0, events("sits", command="c"), seat=sit)
        assert first == Appended(1, named)
        again = await store.append("table1", 0, events("sits", command="c"), seat=sit)
        assert again == Duplicate(1), "the same command is answered as before"
        late = (seated("Ben"), SeatKind.OPEN, None)
        assert await store.append("table1", 0, events("sits"), seat=late) == Stale(1)
        assert await store.append("table1", 1, events("a", "b"), seat=late) == SeatTaken(named)
        nowhere = (seated("Ben", 7), SeatKind.OPEN, None)
        assert await store.append("table1", 1, events("a"), seat=nowhere) == SeatTaken(None)
        assert [event.payload for event in await store.read("table1")] == ["sits"]
        assert (await store.seats("table1"))[0] == named
        leave = (SeatRow("table1", 0, SeatKind.OPEN), SeatKind.PERSON, "id-Ada")
        left = await store.append(
            "table1",
            1,
            events("leaves", at_ms=9),
            seat=leave,
            status=TableStatus.STOPPED,
        )
        assert left == Appended(2, leave[0])
        row = await store.table("table1")
        assert row is not None and (row.status, row.changed_ms) == (TableStatus.STOPPED, 9)

    tell(url, story)


def test_of_many_who_sit_down_at_once_one_gets_the_seat(url: str) -> None:
    async def story(store: Store) -> None:
        names = [f"P{number}" for number in range(6)]
        await with_people(store, *names)
        await with_tables(store, ["table1"])
        changes = [(seated(name), SeatKind.OPEN, None) for name in names]
        outcomes = await asyncio.gather(
            *(store.append("table1", 0, events("sits"), seat=change) for change in changes)
        )
        kinds = sorted(type(outcome).__name__ for outcome in outcomes)
        assert kinds == ["Appended"] + ["Stale"] * 5
        assert len(await store.read("table1")) == 1

    tell(url, story)


def test_a_rematch_is_one_table(url: str) -> None:
    async def story(store: Store) -> None:
        await with_tables(store, ["table1"])
        made = await asyncio.gather(
            *(
                store.create_table(table_row(name), two_seats(name), after="table1")
                for name in ("next1", "next2", "next3")
            )
        )
        assert len(set(made)) == 1
        old, new = await store.table("table1"), await store.table(made[0])
        assert old is not None and old.next_table == made[0]
        assert new is not None and new.previous_table == "table1"
        assert len(await store.search_tables()) == 2
        with pytest.raises(StorageFailed, match="storage-inconsistent"):
            await store.create_table(table_row("x"), [], after="nowhere")
        assert await store.table("x") is None
        assert await store.create_table(table_row("y"), two_seats("y")) == "y"

    tell(url, story)


# Tokens


def test_tokens_work_for_their_kind_until_they_expire(url: str) -> None:
    async def story(store: Store) -> None:
        await with_people(store, "Ada")
        for hash_, kind, expires in (
            ("cookie", TokenKind.COOKIE, None),
            ("bot", TokenKind.BOT, 100),
            ("link1", TokenKind.LINK, 100),
            ("link2", TokenKind.LINK, 100),
        ):
            await store.add_token(TokenRow(hash_, "id-Ada", kind, 1, expires))
        keys = (TokenKind.COOKIE, TokenKind.BOT)
        assert await store.person_of_token("cookie", keys, 2**41) == person_row("Ada")
        assert await store.person_of_token("bot", keys, 99) == person_row("Ada")
        assert await store.person_of_token("bot", keys, 100) is None
        assert await store.person_of_token("bot", [TokenKind.COOKIE], 99) is None
        assert await store.person_of_token("link1", keys, 99) is None, "a code is no key"
        assert await store.person_of_token("cookie", [], 1) is None
        taken = await store.take_token("link1", TokenKind.LINK, 99)
        assert taken == TokenRow("link1", "id-Ada", TokenKind.LINK, 1, 100)
        assert await store.take_token("link2", TokenKind.LINK, 100) is None
        assert await store.take_token("link2", TokenKind.LINK, 1) is None, "it is gone"
        assert await store.drop_expired_tokens(99) == 0
        assert await store.drop_expired_tokens(100) == 1
        assert [token.hash for token in await store.tokens("id-Ada")] == ["cookie"]

    tell(url, story)


# Sanctions, audit, keys, settings


def test_sanctions_hold_until_they_end_or_are_lifted(url: str) -> None:
    async def story(store: Store) -> None:
        rows = [
            SanctionRow("s1", "ban", "person", "id-Ada", "rude", 1),
            SanctionRow("s2", "mute", "person", "id-Ada", "loud", 2, until_ms=50),
            SanctionRow("s3", "ban", "address", "2001:db8::/64", "flood", 3, until_ms=90),
        ]
        for row in rows:
            await store.add_sanction(row)
        assert await store.active_sanctions(49) == rows
        assert await store.active_sanctions(50) == [rows[0], rows[2]]
        assert await store.lift_sanction("s1", 60)
        assert not await store.lift_sanction("s1", 61) and not await store.lift_sanction("x", 60)
        assert await store.active_sanctions(60) == [rows[2]]
        lifted = msgspec.structs.replace(rows[0], lifted_ms=60)
        assert await store.sanctions(2) == [rows[2], rows[1]]
        assert await store.sanctions(9, "id-Ada") == [rows[1], lifted]
        for bad in (("kick", "person"), ("ban", "planet")):
            with pytest.raises(StorageFailed, match="storage-inconsistent"):
                await store.add_sanction(SanctionRow("s4", *bad, "id-Ada", "", 1))

    tell(url, story)


def test_the_audit_log_is_read_page_by_page(url: str) -> None:
    async def story(store: Store) -> None:
        rows = [AuditRow(f"a{n}", n, "operator", "ban", "id-Ada", '{"n": 1}') for n in range(5)]
        for row in rows:
            await store.add_audit(row)
        assert await store.audit_log(2) == [rows[4], rows[3]]
        assert await store.audit_log(9, before_ms=3) == [rows[2], rows[1], rows[0]]

    tell(url, story)


def test_keys_of_operators_and_settings(url: str) -> None:
    async def story(store: Store) -> None:
        keys = [AdminKeyRow("hash1", "laptop", 1), AdminKeyRow("hash2", "phone", 2, 100)]
        for key in keys:
            await store.add_admin_key(key)
        assert await store.admin_key("hash2", 99) == keys[1]
        assert await store.admin_key("hash2", 100) is None and await store.admin_key("x", 1) is None
        assert await store.admin_keys() == keys
        assert await store.drop_admin_key("hash1") and not await store.drop_admin_key("hash1")
        assert await store.admin_keys() == keys[1:]
        assert await store.setting("announcement") is None
        for value in ("Café at 8", "at 9", None):
            await store.set_setting("announcement", value)
            assert await store.setting("announcement") == value

    tell(url, story)


# Search and retention


def test_tables_and_people_are_found(url: str) -> None:
    async def story(store: Store) -> None:
        await with_people(store, "Ada", "Zoë")
        for name, status in (
            ("abc1", TableStatus.OPEN), ("abc2", TableStatus.RUNNING), ("b%_!", TableStatus.RUNNING),
        ):  # fmt: skip
            row = table_row(name, status=status, host="id-Ada")
            await store.create_table(row, [SeatRow(name, 0, SeatKind.OPEN)])
        zoe = seated("Zoë", table="b%_!", called="100% Zoë")
        await store.set_seat(zoe, expect_kind=SeatKind.OPEN)

        async def found(**wanted: str) -> list[str]:
            return [row.id for row in await store.search_tables(**wanted)]  # type: ignore[arg-type]

        assert await found() == ["abc1", "abc2", "b%_!"] and await found(game="dorfromantik") == []
        assert await found(text="abc") == ["abc1", "abc2"] and await found(text="bc") == []
        assert await found(text="ZOË") == await found(text="% z") == ["b%_!"]
        assert await found(text="_z") == [] == await found(text="%z"), "no signs of a pattern"
        assert [row.id for row in await store.search_tables(limit=1, after="abc1")] == ["abc2"]
        running = await store.search_tables(status=TableStatus.RUNNING, game="lanterns", text="a")
        assert [row.id for row in running] == ["abc2"]
        assert await store.count_tables() == {
            **dict.fromkeys(TableStatus, 0), TableStatus.OPEN: 1, TableStatus.RUNNING: 2,
        }  # fmt: skip
        both = (TableStatus.OPEN, TableStatus.RUNNING)
        assert await store.count_tables_of("id-Ada", both) == 3
        assert await store.count_tables_of("id-Ada", [TableStatus.OPEN]) == 1
        assert await store.count_tables_of("id-Zoë", both) == 0
        assert await store.count_tables_of("id-Ada", []) == 0
        assert await store.search_people("zOË") == [person_row("Zoë")]
        assert await store.search_people("id-A") == [person_row("Ada")]
        assert len(await store.search_people("")) == 2
        assert await store.search_people("", after="id-Ada") == [person_row("Zoë")]
        assert len(await store.search_people("", limit=1)) == 1

    tell(url, story)


def test_old_tables_are_found_and_deleted(url: str) -> None:
    async def story(store: Store) -> None:
        await with_people(store, "Ada")
        running = TableStatus.RUNNING
        for name, changed in (("old", 10), ("older", 5), ("new", 90), ("played", 10)):
            await store.create_table(
                table_row(name, status=running, changed_ms=changed),
                two_seats(name),
            )
        await store.append("played", 0, events("x", at_ms=80))
        await store.append("old", 0, events("x", at_ms=20))
        assert await store.tables_unchanged_since(running, 50, 9) == ["older", "old"]
        assert await store.tables_unchanged_since(running, 50, 1) == ["older"]
        assert await store.tables_unchanged_since(running, 50, 9, 1) == ["old"]
        assert await store.tables_unchanged_since(running, 20, 9) == ["older"]
        assert await store.tables_unchanged_since(TableStatus.OPEN, 50, 9) == []
        await store.create_table(table_row("middle"), two_seats("middle"), after="old")
        await store.create_table(table_row("last"), two_seats("last"), after="middle")
        await store.append("middle", 0, events("x", "y"))
        await store.add_chat("middle", 1, "id-Ada", None, "hi")
        assert await store.delete_table("middle") and not await store.delete_table("middle")
        assert await store.table("middle") is None and await store.seats("middle") == []
        assert await store.read("middle") == [] and await store.chat("middle") == []
        before, after = await store.table("old"), await store.table("last")
        assert before is not None and before.next_table is None
        assert after is not None and after.previous_table is None
        assert len(await store.read("old")) == 1

    tell(url, story)


def test_people_who_never_came_back_are_found_and_deleted(url: str) -> None:
    async def story(store: Store) -> None:
        for number in range(30):
            await store.add_person(PersonRow(f"p{number:02d}", "Guest", 1, number))
            await store.add_token(TokenRow(f"h{number:02d}", f"p{number:02d}", TokenKind.COOKIE, 1))
        finished = table_row("done", status=TableStatus.FINISHED)
        for row, guest in ((finished, "p01"), (table_row("open"), "p02")):
            await store.create_table(row, [SeatRow(row.id, 0, SeatKind.PERSON, guest, None, "G")])
        lines = (store.add_chat("done", at, "p01", None, f"line {at}") for at in range(450))
        await asyncio.gather(*lines)  # in a few transactions rather than one for each line
        assert await store.people_unseen_since(3, 9) == ["p00", "p01"]
        gone = await store.people_unseen_since(25, 99)
        assert (
            len(gone) == 24
            and "p02" not in gone
            and len(await store.people_unseen_since(25, 7)) == 7
        )
        await store.delete_people(gone)
        assert [row.id for row in await store.search_people("")] == [
            "p02",
            *(f"p{n}" for n in range(25, 30)),
        ]
        assert await store.chat("done") == [] and await store.tokens("p01") == []
        assert await store.seats("done") == [SeatRow("done", 0, SeatKind.PERSON)]
        while not await store.scrub():
            pass
        assert await store.scrub(), "nothing is left to do"

    tell(url, story)


# News, processes, care


def test_a_process_hears_what_it_tells(url: str) -> None:
    async def story(store: Store) -> None:
        await with_tables(store, ["table1"])
        heard: list[News] = []
        listening = asyncio.ensure_future(_listen(store, heard))
        await asyncio.sleep(0.3)
        await store.append("table1", 0, events("own"))
        with pytest.raises(StorageFailed, match="news-too-long"):
            await store.tell([("name", "fine", ""), ("name", "long", "é" * LONGEST_NEWS)])
        await store.tell([("name", "id-Ada", "Ada"), ("end", "", "")])
        await listening
        assert [told for told in heard if told.kind != LOST] == [
            News(store.process, "name", "id-Ada", "Ada"),
            News(store.process, "end", "", ""),
        ]

    async def _listen(store: Store, heard: list[News]) -> None:
        async for told in store.news():
            heard.append(told)
            if told.kind == "end":
                return

    tell(url, story)


def test_a_slow_reader_is_told_that_news_were_lost() -> None:
    async def story() -> None:
        inbox = Inbox()
        many = [News("me", "many", str(number)) for number in range(MOST_WAITING)]
        inbox.put(many)
        await asyncio.sleep(0)
        assert [await inbox.get() for _ in many] == many
        inbox.put(many)
        inbox.put([News("me", "one too many", "")])
        inbox.put([News("me", "last", "")])
        await asyncio.sleep(0)
        assert [await inbox.get() for _ in range(2)] == [News("", LOST, ""), News("me", "last", "")]
        inbox.close()
        assert await inbox.get() is None

    run(story())


def test_processes_tell_where_they_are(url: str) -> None:
    async def story(store: Store) -> None:
        await store.beat("one", 10, "http://10.0.0.1:8000")
        await store.beat("two", 20)
        assert await store.processes(10) == [
            ProcessRow("one", 10, "http://10.0.0.1:8000"),
            ProcessRow("two", 20),
        ]
        assert await store.other_processes(store.process, 11) == ["two"]

    tell(url, story)


def test_readiness(url: str, tmp_path: Path) -> None:
    async def story(store: Store) -> None:
        await store.ping()
        free = await store.disk_free()
        assert (free is None) == url.startswith("postgresql") and (free is None or free > 0)

    tell(url, story)


def test_the_audit_log_refuses_changes(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store:
            await store.add_audit(AuditRow("a1", 1, "operator", "ban", "id-Ada", ""))
            with pytest.raises(StorageFailed, match="storage-inconsistent"):
                await store.add_audit(AuditRow("a1", 1, "operator", "lift", "id-Ada", ""))
            for sql in ("UPDATE audit SET actor = 'x'", "DELETE FROM audit WHERE id = 'a1'"):
                with pytest.raises(StorageFailed, match="append-only"):
                    await store._writer.do(lambda db, sql=sql: db.execute(sql))  # type: ignore[attr-defined]
            assert len(await store.audit_log(9)) == 1

    asyncio.run(story())
