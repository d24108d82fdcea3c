"""What a store must do, asked of SQLite and PostgreSQL alike."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest

from lampion.server.store import open_store
from lampion.server.store.base import (
    LOST,
    Appended,
    ChallengeRow,
    Duplicate,
    Event,
    Mark,
    NewEvent,
    News,
    OutcomeRow,
    PasskeyRow,
    PersonRow,
    RecoveryRow,
    RunningTable,
    SanctionRow,
    SeatKind,
    SeatRow,
    Stale,
    StorageFailed,
    Store,
    TableStatus,
    TokenKind,
    TokenRow,
    WayKind,
    WayRow,
)  # fmt: skip
from tests.server.store.support import (
    events,
    opened,
    person_row,
    run,
    table_row,
    two_seats,
    with_tables,
)

Story = Callable[[Store], Awaitable[None]]


def tell(url: str, story: Story) -> None:
    """Run one story on an empty store."""

    async def told() -> None:
        async with opened(url) as store:
            await story(store)

    run(told())


# The log


def test_what_is_appended_is_read_in_order(url: str) -> None:
    async def story(store: Store) -> None:
        await with_tables(store, ["table1", "table2"])
        assert await store.append("table1", 0, events("a", "b", command="first")) == Appended(2)
        assert await store.append("table1", 2, events("ç\n☃ \\ \"'", at_ms=2**41)) == Appended(3)
        assert await store.append("table2", 0, [NewEvent(5, -1, "chance", "")]) == Appended(1)
        at = 1_800_000_000_000
        first = [Event(1, at, 0, "act", "a", "first"), Event(2, at, 0, "act", "b")]
        assert await store.read("table1") == [*first, Event(3, 2**41, 0, "act", "ç\n☃ \\ \"'")]
        assert [event.seq for event in await store.read("table1", since=2)] == [3]
        assert await store.read("table1", since=3) == await store.read("nowhere") == []
        assert await store.read("table2") == [Event(1, 5, -1, "chance", "")]
        assert await store.lengths(["table1", "table2", "nowhere"]) == {
            "table1": 3,
            "table2": 1,
            "nowhere": 0,
        }

    tell(url, story)


def test_a_writer_who_has_not_seen_everything_is_stale(url: str) -> None:
    async def story(store: Store) -> None:
        await with_tables(store, ["table1"])
        await store.append("table1", 0, events("a", "b"))
        for seen in (0, 1, 3, 7):
            assert await store.append("table1", seen, events("x", "y", "z")) == Stale(2)
        assert [event.payload for event in await store.read("table1")] == ["a", "b"]

    tell(url, story)


def test_a_command_is_done_once(url: str) -> None:
    async def story(store: Store) -> None:
        await with_tables(store, ["table1", "table2"])
        await store.append("table1", 0, events("a"))
        assert await store.append("table1", 1, events("b", "c", command="again")) == Appended(3)
        assert await store.append("table1", 1, events("b", "c", command="again")) == Duplicate(2), (
            "sent twice"
        )
        assert await store.append("table1", 3, events("b", "c", command="again")) == Duplicate(2), (
            "made again by mistake"
        )
        assert await store.append("table2", 0, events("b", command="again")) == Appended(1), (
            "another table"
        )
        assert len(await store.read("table1")) == 3

    tell(url, story)


def test_all_events_of_an_append_or_none(url: str) -> None:
    async def story(store: Store) -> None:
        await with_tables(store, ["table1"])
        await store.append("table1", 0, events("a", command="used"))
        late = [*events("b", "c"), *events("d", command="used")]
        assert await store.append("table1", 1, late) == Duplicate(1)
        assert [event.payload for event in await store.read("table1")] == ["a"]
        assert await store.append("table1", 1, events("b")) == Appended(2)

    tell(url, story)


def test_of_eight_writers_of_the_same_place_one_wins(url: str) -> None:
    async def story(store: Store) -> None:
        await with_tables(store, ["table1"])
        for seen in range(5):
            outcomes = await asyncio.gather(
                *(
                    store.append("table1", seen, events(f"{seen} by {writer}"))
                    for writer in range(8)
                )
            )
            assert (
                sorted(type(outcome).__name__ for outcome in outcomes)
                == ["Appended"] + ["Stale"] * 7
            )
            winner = next(
                writer for writer, outcome in enumerate(outcomes) if isinstance(outcome, Appended)
            )
            assert (await store.read("table1", since=seen))[0].payload == f"{seen} by {winner}"

    tell(url, story)


def test_appends_to_one_table_may_follow_each_other_without_waiting(url: str) -> None:
    async def story(store: Store) -> None:
        names = [f"table{number}" for number in range(20)]
        await with_tables(store, names)
        outcomes = await asyncio.gather(
            *(store.append(name, seen, events(f"{seen}")) for seen in range(10) for name in names)
        )
        assert outcomes == [Appended(seen + 1) for seen in range(10) for _ in names]
        assert await store.lengths(names) == dict.fromkeys(names, 10)

    tell(url, story)


def test_the_status_changes_with_the_log_or_not_at_all(url: str) -> None:
    async def story(store: Store) -> None:
        await with_tables(store, ["table1"])
        await store.append("table1", 0, events("start", at_ms=50), status=TableStatus.RUNNING)
        row = await store.table("table1")
        assert row is not None and (row.status, row.changed_ms) == ("running", 50)
        assert await store.append(
            "table1", 0, events("end", at_ms=60), status=TableStatus.FINISHED
        ) == Stale(1)
        assert await store.table("table1") == row

    tell(url, story)


def test_a_bad_job_spoils_no_other(url: str) -> None:
    async def story(store: Store) -> None:
        await with_tables(store, ["table1"])
        bad = [
            store.add_token(TokenRow("hash", "nobody", TokenKind.COOKIE, 1)),
            store.create_table(table_row("table1"), []),
        ]
        good = [store.append("table1", seen, events(str(seen))) for seen in range(5)]
        outcomes = await asyncio.gather(
            bad[0], *good, bad[1], store.add_person(person_row("Ada")), return_exceptions=True
        )
        assert outcomes[1:6] == [Appended(seen + 1) for seen in range(5)] and outcomes[7] is None
        for problem in (outcomes[0], outcomes[6]):
            assert isinstance(problem, StorageFailed) and problem.code == "storage-inconsistent"
        assert await store.person("id-Ada") is not None

    tell(url, story)


# Tables and seats


def test_tables_and_seats_come_back_as_they_were(url: str) -> None:
    async def story(store: Store) -> None:
        await store.add_person(person_row("Ada"))
        row = msgspec.structs.replace(table_row(host="id-Ada"), next_table="table9")
        await store.create_table(row, two_seats())
        await store.create_table(table_row("table2", public=False), two_seats("table2"))
        assert await store.table("table1") == row
        assert await store.table("nowhere") is None and await store.seats("nowhere") == []
        assert await store.seats("table1") == two_seats()
        assert await store.seats_of(["table2", "x", "table1"]) == {
            "table2": two_seats("table2"),
            "x": [],
            "table1": two_seats(),
        }

    tell(url, story)


def test_one_of_two_gets_the_last_seat(url: str) -> None:
    async def story(store: Store) -> None:
        await with_tables(store, ["table1"])
        for name in ("Ada", "Ben"):
            await store.add_person(person_row(name))
        wishes = [
            SeatRow("table1", 0, SeatKind.PERSON, f"id-{name}", None, name)
            for name in ("Ada", "Ben")
        ]
        got = await asyncio.gather(
            *(store.set_seat(wish, expect_kind=SeatKind.OPEN) for wish in wishes)
        )
        assert sorted(got, key=bool) in ([None, wishes[0]], [None, wishes[1]])
        sitting = wishes[got.index(None) ^ 1]
        assert (await store.seats("table1"))[0] == sitting
        leave = SeatRow("table1", 0, SeatKind.BOT, None, "easy", "Bot")
        assert not await store.set_seat(
            leave, expect_kind=SeatKind.PERSON, expect_person="id-somebody"
        )
        assert not await store.set_seat(leave, expect_kind=SeatKind.PERSON)
        assert await store.set_seat(
            leave, expect_kind=SeatKind.PERSON, expect_person=sitting.person_id
        )
        assert not await store.set_seat(
            SeatRow("table1", 5, SeatKind.BOT), expect_kind=SeatKind.OPEN
        )

    tell(url, story)


def test_columns_change_only_from_the_expected_status(url: str) -> None:
    async def story(store: Store) -> None:
        await with_tables(store, ["table1"])
        assert await store.update_table(
            "table1", expect_status=TableStatus.OPEN, status=TableStatus.STOPPED, public=False
        )
        assert not await store.update_table(
            "table1", expect_status=TableStatus.OPEN, status=TableStatus.RUNNING
        )
        assert await store.update_table("table1", next_table="table2", changed_ms=9)
        assert not await store.update_table("nowhere", status=TableStatus.RUNNING)
        wanted = msgspec.structs.replace(
            table_row(), status=TableStatus.STOPPED, public=False, next_table="table2", changed_ms=9
        )
        assert await store.table("table1") == wanted

    tell(url, story)


def test_lists_of_tables(url: str) -> None:
    async def story(store: Store) -> None:
        for name in ("Ada", "Ben"):
            await store.add_person(person_row(name))
        finished, running = TableStatus.FINISHED, TableStatus.RUNNING
        rows = [
            table_row("a", changed_ms=1),
            table_row("b", changed_ms=3, host="id-Ada"),
            table_row("c", changed_ms=2, public=False),
            table_row("d", status=finished),
            table_row("e", status=running, changed_ms=7),
            table_row("f", status=finished),
            table_row("g", status=running, public=False, changed_ms=8),
        ]
        for row in rows:
            await store.create_table(row, two_seats(row.id))
        assert await store.set_seat(
            SeatRow("e", 0, SeatKind.PERSON, "id-Ada", None, "Ada"), expect_kind=SeatKind.OPEN
        )
        assert [row.id for row in await store.public_tables(10)] == ["b", "a"]
        assert [row.id for row in await store.public_tables(1)] == ["b"]
        assert [row.id for row in await store.public_tables(10, TableStatus.RUNNING)] == ["e"]
        assert [row.id for row in await store.tables_of("id-Ada", 10)] == ["e", "b"]
        assert await store.tables_of("id-Ben", 10) == []
        await store.append("e", 0, events("x", "y", at_ms=70))
        assert await store.running_tables() == [
            RunningTable("e", "lanterns", '{"days": 1}', 2, 70),
            RunningTable("g", "lanterns", '{"days": 1}', 0, 8),
        ]
        assert [row.id for row in await store.finished_tables(1)] == ["d"]
        assert [row.id for row in await store.finished_tables(9, after="d")] == ["f"]

    tell(url, story)


# Persons and chat


def test_a_person_and_tokens(url: str) -> None:
    async def story(store: Store) -> None:
        ada = person_row("Ada")
        await store.add_person(ada)
        tokens = [
            TokenRow(f"hash{number}", ada.id, TokenKind.COOKIE, number) for number in range(4)
        ]
        for token in tokens:
            await store.add_token(token)
        assert (
            await store.person_of_token("hash2", [TokenKind.COOKIE], 1)
            == ada
            == await store.person(ada.id)
        )
        assert (
            await store.person_of_token("other", [TokenKind.COOKIE], 1) is None
            and await store.person("other") is None
        )
        assert await store.tokens(ada.id) == tokens
        assert (
            await store.take_token("hash2", TokenKind.BOT, 1) is None
            and await store.take_token("other", TokenKind.COOKIE, 1) is None
        )
        taken = await asyncio.gather(
            *(store.take_token("hash2", TokenKind.COOKIE, 1) for _ in range(3))
        )
        assert sorted(taken, key=bool) == [None, None, tokens[2]], "a link works once"
        await store.drop_token("hash3")
        await store.drop_tokens(ada.id, keep="hash1")
        assert await store.tokens(ada.id) == [tokens[1]]
        await with_tables(store, ["table1"])
        await store.set_seat(
            SeatRow("table1", 0, SeatKind.PERSON, ada.id, None, "Ada"), expect_kind=SeatKind.OPEN
        )
        await store.rename(ada.id, "Zoë")
        await store.saw_person(ada.id, 99)
        assert await store.person(ada.id) == msgspec.structs.replace(ada, name="Zoë", seen_ms=99)
        assert [seat.name for seat in await store.seats("table1")] == ["Zoë", "Bot"]

    tell(url, story)


def test_a_deleted_person_leaves_the_games(url: str) -> None:
    async def story(store: Store) -> None:
        for name in ("Ada", "Ben"):
            await store.add_person(person_row(name))
            await store.add_token(TokenRow(f"hash-{name}", f"id-{name}", TokenKind.COOKIE, 1))
        await store.create_table(table_row(host="id-Ada"), two_seats())
        await store.set_seat(
            SeatRow("table1", 0, SeatKind.PERSON, "id-Ada", None, "Ada"), expect_kind=SeatKind.OPEN
        )
        await store.append("table1", 0, events("a", "b"))
        await store.add_chat("table1", 1, "id-Ada", 0, "hello, I am Ada")
        await store.add_chat("table1", 2, "id-Ben", None, "hello")
        await store.delete_person("id-Ada")
        assert (
            await store.person("id-Ada") is None
            and await store.person_of_token("hash-Ada", [TokenKind.COOKIE], 1) is None
        )
        assert (await store.seats("table1"))[0] == SeatRow("table1", 0, SeatKind.PERSON)
        assert await store.table("table1") == table_row()
        assert [(line.text, name) for line, name in await store.chat("table1")] == [
            ("hello", "Ben")
        ]
        assert len(await store.read("table1")) == 2
        assert await store.person_of_token("hash-Ben", [TokenKind.COOKIE], 1) == person_row("Ben")

    tell(url, story)


def test_the_history_of_a_person_comes_page_by_page(url: str) -> None:
    async def story(store: Store) -> None:
        for name in ("Ada", "Ben"):
            await store.add_person(person_row(name))
        ended = TableStatus.FINISHED, TableStatus.STOPPED
        for number, name in enumerate("abcdefgh"):
            row = table_row(name, status=ended[number % 2], changed_ms=number // 2)
            row = msgspec.structs.replace(row, game="lumens" if name in "bg" else "lanterns")
            await store.create_table(row, two_seats(name))
            person = "Ben" if name == "f" else "Ada"
            seat = SeatRow(name, 1, SeatKind.PERSON, f"id-{person}", None, person)
            await store.set_seat(seat, expect_kind=SeatKind.BOT)
        await store.create_table(table_row("z", status=TableStatus.RUNNING), two_seats("z"))
        await store.set_seat(
            SeatRow("z", 0, SeatKind.PERSON, "id-Ada", None, "Ada"), expect_kind=SeatKind.OPEN
        )
        await store.mark("c", "id-Ada", Mark.HIDDEN)
        await store.mark("d", "id-Ben", Mark.HIDDEN)
        pages, before = [], None
        while page := await store.ended_tables_of("id-Ada", 2, before=before):
            pages.append("".join(row.id for row in page))
            before = page[-1].changed_ms, page[-1].id
        assert pages == ["gh", "ed", "ab"]
        assert [row.id for row in await store.ended_tables_of("id-Ben", 9)] == ["f"]
        assert [row.id for row in await store.ended_tables_of("id-Ada", 9, game="lumens")] == [
            "g",
            "b",
        ]
        assert await store.ended_tables_of("id-Ada", 9, game="chess") == []

    tell(url, story)


def test_marks_go_with_their_table_and_their_person(url: str) -> None:
    async def story(store: Store) -> None:
        for name in ("Ada", "Ben"):
            await store.add_person(person_row(name))
        await with_tables(store, ["table1", "table2"])
        for _ in range(2):
            await store.mark("table1", "id-Ada", Mark.HIDDEN)
        await store.mark("table2", "id-Ada", Mark.HIDDEN)
        await store.mark("table1", "id-Ben", Mark.REMOVED)
        assert await store.marked_tables("id-Ada", Mark.HIDDEN) == {"table1", "table2"}
        assert await store.marked_tables("id-Ada", Mark.REMOVED) == set()
        assert await store.marked_people("table1", Mark.REMOVED) == {"id-Ben"}
        await store.delete_table("table2")
        assert await store.marked_tables("id-Ada", Mark.HIDDEN) == {"table1"}
        await store.delete_person("id-Ben")
        assert await store.marked_people("table1", Mark.REMOVED) == set()

    tell(url, story)


def test_chat_is_numbered_at_each_table(url: str) -> None:
    async def story(store: Store) -> None:
        await store.add_person(person_row("Ada"))
        await with_tables(store, ["table1", "table2"])
        lines = await asyncio.gather(
            *(store.add_chat("table1", at, "id-Ada", None, f"line {at}") for at in range(30))
        )
        other = await store.add_chat("table2", 1, "id-Ada", 1, "other")
        assert sorted(line.number for line in lines) == list(range(1, 31))
        assert other.number == 1 and await store.chat("table2") == [(other, "Ada")]
        said = [line for line, _ in await store.chat("table1")]
        assert said == sorted(lines, key=lambda line: line.number)
        assert [line.number for line, _ in await store.chat("table1", limit=3)] == [28, 29, 30]
        assert [line.number for line, _ in await store.chat("table1", since=29)] == [30]

    tell(url, story)


# Processes and care


def test_processes_that_beat_are_known(url: str) -> None:
    async def story(store: Store) -> None:
        for process, at in (("one", 10), ("two", 20), ("three", 5), ("three", 30)):
            await store.beat(process, at)
        assert await store.other_processes("two", 10) == ["one", "three"]
        assert await store.other_processes("two", 11) == ["three"]

    tell(url, story)


def test_a_closed_store_says_so(url: str) -> None:
    async def story() -> None:
        store = open_store(url)
        await with_tables(store, ["table1"])
        under_way = asyncio.gather(
            *(store.append("table1", seen, events("x")) for seen in range(50)), store.read("table1")
        )
        await asyncio.sleep(0)
        await store.close()
        assert (await under_way)[49] == Appended(50), "what was under way is done"
        for call in (
            store.append("table1", 50, events("x")),
            store.read("table1"),
            store.backup(Path("nowhere.db")),
        ):
            with pytest.raises(StorageFailed, match="storage-closed"):
                await call
        await store.close()

    run(story())


def test_everything_is_there_after_opening_again(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store:
            await with_tables(store, ["table1"])
            await store.append("table1", 0, events("a", "b"))
        async with opened(url) as store:
            assert await store.table("table1") == table_row()
            assert await store.append("table1", 2, events("c")) == Appended(3)
            assert [event.payload for event in await store.read("table1")] == ["a", "b", "c"]

    asyncio.run(story())


def test_news_end_with_the_store(url: str) -> None:
    async def story() -> None:
        store = open_store(url)
        ended = asyncio.ensure_future(_all(store))
        await asyncio.sleep(0.05)
        await store.close()
        assert {told.kind for told in await ended} <= {LOST}
        assert await _all(store) == [], "closed already"

    async def _all(store: Store) -> list[News]:
        return [told async for told in store.news()]

    asyncio.run(story())


# People who are one, and people who have played together


async def _two_games(store: Store) -> None:
    """Ada and Ben have finished a game; Eve, who is Ada elsewhere, hosts one with Ben."""
    for name in ("ada", "ben", "eve"):
        await store.add_person(PersonRow(name, name.title(), 1, 1))
    for table, players in (("finished1", ("ada", "ben")), ("running1", ("eve", "ben"))):
        seats = [
            SeatRow(table, number, SeatKind.PERSON, player, None, player.title())
            for number, player in enumerate(players)
        ]
        await store.create_table(table_row(table, host=players[0]), seats)
    await store.update_table("finished1", status=TableStatus.FINISHED)
    await store.update_table("running1", status=TableStatus.RUNNING)


def test_people_who_kept_a_way_back_are_not_forgotten(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store:
            kinds = (
                "phrase",
                "shown",
                "passkey",
                "mail",
                "silent",
                "unconfirmed",
                "push",
                "seated",
            )
            for name in (*kinds, "none"):
                await store.add_person(PersonRow(name, name, 1, 1))
            await store.set_recovery(RecoveryRow("phrase", "a b", "00", "h", 1))
            await store.keep_recovery("phrase", 2)
            await store.set_recovery(RecoveryRow("shown", "c d", "00", "h", 1))
            await store.add_passkey(PasskeyRow("p1", "passkey", "public", 0, "", 1))
            for name, kind, confirmed_ms in (
                ("mail", WayKind.MAIL, 1),
                ("silent", WayKind.MAIL, 1),
                ("unconfirmed", WayKind.MAIL, None),
                ("push", WayKind.PUSH, 1),
            ):
                await store.add_way(WayRow(name, name, kind, name, "{}", 1, confirmed_ms))
            await store.silence_way("silent", 1)
            seats = [SeatRow("t", 0, SeatKind.PERSON, "seated", None, "S")]
            await store.create_table(table_row("t", host="seated"), seats)
            forgotten = ["none", "push", "shown", "unconfirmed"]
            assert await store.people_unseen_since(2, 20) == forgotten

    asyncio.run(story())


def test_invitations_count_until_they_are_answered(url: str) -> None:
    """A table that is cancelled, or full of others, was an invitation all the same."""

    async def story() -> None:
        async with opened(url) as store:
            for name in ("ada", "ben", "eve"):
                await store.add_person(PersonRow(name, name.title(), 1, 1))

            async def invite(table: str, created_ms: int, host: str = "eve") -> None:
                row = msgspec.structs.replace(table_row(table, host=host), created_ms=created_ms)
                seats = [
                    SeatRow(table, 0, SeatKind.PERSON, host, None, "E"),
                    SeatRow(table, 1, SeatKind.OPEN),
                ]
                await store.create_table(row, seats, invited=["ada"])

            async def count(since_ms: int) -> int:
                return await store.unanswered_invitations("eve", "ada", since_ms)

            for number in range(4):
                await invite(f"t{number}", 100 + number)
            await invite("bens", 100, host="ben")
            assert await count(1000) == 4, "open tables count however old they are"
            await store.update_table("t0", status=TableStatus.STOPPED)
            assert (await count(99), await count(100)) == (4, 3)
            joined = SeatRow("t1", 1, SeatKind.PERSON, "ada", None, "A")
            await store.set_seat(joined, expect_kind=SeatKind.OPEN)
            assert (await count(99), await count(1000)) == (3, 2)

    asyncio.run(story())


def test_a_guest_becomes_a_person_whole_or_not_at_all(url: str) -> None:
    async def story(store: Store) -> None:
        await _two_games(store)
        await store.add_token(TokenRow("key", "eve", TokenKind.COOKIE, 1))
        await store.add_token(TokenRow("own", "ada", TokenKind.COOKIE, 1))
        await store.set_recovery(RecoveryRow("eve", "lusab babad", "00", "hash", 1))
        await store.add_passkey(PasskeyRow("pass", "eve", "public", 0, "", 1))
        await store.add_challenge(ChallengeRow("asked", "add", "eve", 99))
        await store.add_chat("running1", 1, "eve", 0, "hello")
        for person in ("ada", "eve"):
            await store.mark("finished1", person, Mark.HIDDEN)
        await store.add_sanction(SanctionRow("s1", "mute", "person", "eve", "rude", 1))
        await store.block("eve", "ben")
        await store.block("ben", "eve")
        await store.block("eve", "ada")
        assert not await store.merge_people("eve", "nobody")
        assert not await store.merge_people("eve", "ben"), "both sit at a running table"
        assert (await store.person("eve")) is not None
        assert await store.merge_people("eve", "ada")
        assert not await store.merge_people("eve", "ada"), "once"
        assert await store.person("eve") is None
        assert [(s.person_id, s.name) for s in await store.seats("running1")] == [
            ("ada", "Ada"),
            ("ben", "Ben"),
        ]
        row = await store.table("running1")
        assert row is not None and row.host == "ada"
        assert [spoken.name for spoken in await store.chat("running1")] == ["Ada"]
        assert [token.hash for token in await store.tokens("ada")] == ["own"], "keys are not moved"
        assert await store.recovery_of("ada") is await store.recovery_named("lusab babad") is None
        assert await store.passkeys("ada") == []
        assert await store.marked_tables("ada", Mark.HIDDEN) == {"finished1"}
        assert [row.subject for row in await store.active_sanctions(2)] == ["ada"]
        assert await store.is_blocked("ben", by="ada")
        assert await store.is_blocked("ada", by="ben")
        assert not await store.is_blocked("ada", by="ada")
        assert await store.blocked("ada", 9) == ["Ben"] and await store.blocked("ada", 0) == []
        assert await store.blocked("ben", 9) == ["Ada"]

    tell(url, story)


def test_companions_are_people_at_games_that_have_begun(url: str) -> None:
    async def story(store: Store) -> None:
        await _two_games(store)
        await store.create_table(table_row("open1", host="ada"), two_seats("open1"))
        assert [one.person_id for one in await store.companions("ben", 9)] == ["ada", "eve"]
        assert [one.person_id for one in await store.companions("ada", 9)] == ["ben"]
        assert await store.companion("ben", "running1", 0) == "eve"
        for stranger, table, seat in (("ada", "running1", 0), ("ben", "running1", 1)):
            assert await store.companion(stranger, table, seat) is None
        assert await store.companion("ada", "open1", 1) is None, "its game has not begun"
        await store.block("ben", "eve")
        assert [one.person_id for one in await store.companions("ben", 9)] == ["ada"]
        assert await store.forget_history("ben") == 1
        assert [one.person_id for one in await store.companions("ben", 9)] == []
        assert [seat.name for seat in await store.seats("finished1")] == ["Ada", None]
        await store.mark("open1", "ben", Mark.INVITED)
        assert {row.id for row in await store.tables_of("ben", 9)} == {"open1", "running1"}
        await store.update_table("open1", status=TableStatus.RUNNING)
        assert {row.id for row in await store.tables_of("ben", 9)} == {"running1"}

    tell(url, story)


def test_what_works_once_works_once(url: str) -> None:
    async def story(store: Store) -> None:
        await store.add_person(PersonRow("ada", "Ada", 1, 1))
        first, second = (RecoveryRow("ada", f"name{n}", "00", f"hash{n}", n) for n in (1, 2))
        await store.set_recovery(first)
        await store.set_recovery(second)
        assert await store.recovery_named("name1") is None
        assert not await store.take_recovery(first)
        assert await store.keep_recovery("ada", 7)
        assert await store.recovery_of("ada") == msgspec.structs.replace(second, kept_ms=7)
        assert await store.take_recovery(second)
        assert not await store.take_recovery(second)
        assert not await store.keep_recovery("ada", 8)
        for name, expires_ms in (("fresh", 20), ("old", 10)):
            await store.add_challenge(ChallengeRow(name, "add", "ada", expires_ms))
        assert await store.take_challenge("fresh", "sign-in", 10) is None
        assert await store.take_challenge("fresh", "add", 10) is not None
        assert await store.take_challenge("fresh", "add", 10) is None
        assert await store.drop_expired_tokens(10) == 1
        key = PasskeyRow("id", "ada", "public", 3, "", 1)
        assert await store.add_passkey(key)
        assert not await store.add_passkey(key)
        assert await store.use_passkey(key, 4, 9)
        assert not await store.use_passkey(key, 5, 9), "it was read before the other use"
        assert not await store.drop_passkey("ben", "id")
        await with_tables(store, ["table1"])
        outcome = OutcomeRow("table1", 5, "played", "[1,2]", "[2,1]", "[1]")
        await store.add_outcomes([outcome, OutcomeRow("gone", 5, "played", "[]", "[]", "[]")])
        await store.add_outcomes([msgspec.structs.replace(outcome, reason="timeout")])
        assert await store.outcomes(["table1", "gone"]) == {"table1": outcome}
        assert await store.delete_table("table1")
        await store.delete_person("ada")
        assert await store.passkey("id") is None

    tell(url, story)
