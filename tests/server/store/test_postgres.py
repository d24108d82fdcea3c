"""What only several processes on one PostgreSQL can get wrong. A store of its own stands for each process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import psycopg
import pytest

from lampion.server.store import open_store
from lampion.server.store.backend import Connection, Cursor
from lampion.server.store.base import (
    LOG,
    LONGEST_NEWS,
    LOST,
    Appended,
    Duplicate,
    Event,
    LogNews,
    News,
    SeatKind,
    SeatRow,
    Stale,
    StorageFailed,
    Store,
    TableStatus,
    decode_log_news,
    encode_log_news,
)
from lampion.server.store.news import LONGEST_PAYLOAD, payloads, unpacked
from lampion.server.store.postgres import PostgresBackend, PostgresConnection
from lampion.server.store.sqlstore import SqlStore
from tests.server.store.postgres import Postgres
from tests.server.store.support import (
    events,
    opened,
    person_row,
    run,
    table_row,
    two_seats,
    with_tables,
)


def tell(url: str, story: Callable[[Store, Store], Awaitable[None]]) -> None:
    async def told() -> None:
        async with opened(url) as one, opened(url) as two:
            await story(one, two)

    run(told())


def cut(url: str, name: str) -> int:
    """End the connections of this name as a restart would; returns how many there were."""
    with psycopg.connect(url, autocommit=True) as db:
        sql = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s AND datname = current_database()"
        return db.execute(sql, (name,)).rowcount


def test_of_two_processes_one_wins_each_place(postgres_url: str) -> None:
    """Each plays on as soon as it can, many tables at once, several events at a time."""

    async def story(one: Store, two: Store) -> None:
        names = [f"table{number}" for number in range(10)]
        await with_tables(one, names)
        counts = await asyncio.gather(
            *(
                _race(store, name, who)
                for name in names
                for who, store in (("one", one), ("two", two))
            )
        )
        for name in names:
            log = await one.read(name)
            assert [event.seq for event in log] == list(range(1, len(log) + 1))
            assert [event.payload for event in log[::2]] == [
                event.payload for event in log[1::2]
            ], "never half of an append"
        assert sum(counts) * 2 == sum((await two.lengths(names)).values())

    tell(postgres_url, story)


async def _race(store: Store, table: str, who: str) -> int:
    won = seen = 0
    for turn in range(20):
        outcome = await store.append(table, seen, events(f"{who} {turn}", f"{who} {turn}"))
        assert not isinstance(outcome, Duplicate)
        won += isinstance(outcome, Appended)
        seen = outcome.seq
    return won


def test_one_of_two_processes_gets_the_seat_and_commands_are_done_once(postgres_url: str) -> None:
    async def story(one: Store, two: Store) -> None:
        await with_tables(one, ["table1"])
        await one.add_person(person_row("Ada"))
        row = SeatRow("table1", 0, SeatKind.PERSON, "id-Ada", None, "Ada")
        got = await asyncio.gather(
            *(store.set_seat(row, expect_kind=SeatKind.OPEN) for store in (one, two))
        )
        assert sorted(got, key=bool) == [None, row]
        same = await asyncio.gather(
            *(store.append("table1", 0, events("x", command="c")) for store in (one, two))
        )
        assert sorted(same, key=lambda outcome: type(outcome).__name__) == [
            Appended(1),
            Duplicate(1),
        ]
        lines = await asyncio.gather(
            *(
                store.add_chat("table1", 1, "id-Ada", 0, "hi")
                for store in (one, two)
                for _ in range(10)
            )
        )
        assert sorted(line.number for line in lines) == list(range(1, 21))

    tell(postgres_url, story)


def log_news(store: Store, table: str, first: int, *payloads: str) -> News:
    """What another process hears when `store` appends."""
    at = 1_800_000_000_000
    told = [Event(seq, at, 0, "act", text) for seq, text in enumerate(payloads, first)]
    data = encode_log_news(LogNews(first + len(payloads) - 1, told))
    return News(store.process, LOG, table, data)


def test_appends_of_other_processes_are_news(postgres_url: str) -> None:
    async def story(one: Store, two: Store) -> None:
        await with_tables(one, ["table1", "table2", "table3"])
        news = one.news()
        assert await anext(news) == News("", LOST, ""), "from now on it listens"
        await one.append("table1", 0, events("own"))
        await two.append("table1", 1, events("a", 'b"\\ é'))
        assert await anext(news) == log_news(two, "table1", 2, "a", 'b"\\ é'), "its own are not"
        assert await two.append("table3", 7, events("x")) == Stale(0)
        await two.append("table2", 0, events("d"))
        told = await anext(news)
        assert told == log_news(two, "table2", 1, "d"), "what was refused is not told"
        assert decode_log_news(told.data).events == await one.read("table2")

    tell(postgres_url, story)


def test_events_that_are_too_long_are_told_by_their_number(postgres_url: str) -> None:
    async def story(one: Store, two: Store) -> None:
        await with_tables(one, ["table1"])
        news = one.news()
        await anext(news)
        await two.append("table1", 0, events("short", "é" * LONGEST_NEWS))
        await two.append("table1", 2, events('"' * (LONGEST_NEWS // 2)))
        for length in (2, 3):
            told = await anext(news)
            assert (told.kind, told.about) == (LOG, "table1")
            assert decode_log_news(told.data) == LogNews(length, None)

    tell(postgres_url, story)


def test_every_process_hears_what_is_told_in_order(postgres_url: str) -> None:
    async def story(one: Store, two: Store) -> None:
        mine, others = one.news(), two.news()
        for listener in (mine, others):
            assert (await anext(listener)).kind == LOST
        wanted = [("name", f"person {n}", "x" * (n % 900)) for n in range(400)]
        await one.tell(wanted[:300])
        await one.tell([("same", "a", ""), ("same", "a", "")])
        await one.tell(wanted[300:])
        expected = [*wanted[:300], ("same", "a", ""), ("same", "a", ""), *wanted[300:]]
        for listener in (mine, others):
            heard = [await anext(listener) for _ in expected]
            assert heard == [News(one.process, *told) for told in expected]
        assert one.process != two.process

    tell(postgres_url, story)


def test_lost_news_are_found_in_the_log(postgres_url: str) -> None:
    async def story(one: Store, two: Store) -> None:
        await with_tables(one, ["table1"])
        news = one.news()
        await anext(news)
        assert cut(postgres_url, "lampion-news") == 1
        await two.append("table1", 0, events("unheard"))
        assert await one.lengths(["table1"]) == {"table1": 1}
        # It may have been heard before the connection went; the listener comes back in any case.
        while (await anext(news)).kind != LOST:
            pass
        await two.append("table1", 1, events("heard"))
        assert await anext(news) == log_news(two, "table1", 2, "heard")

    tell(postgres_url, story)


def test_every_new_reader_is_told_that_it_may_have_missed_something(postgres_url: str) -> None:
    """Between two readers nobody reads, and what is told meanwhile waits for nobody."""

    async def story(one: Store, two: Store) -> None:
        first = one.news()
        assert await anext(first) == News("", LOST, "")
        await first.aclose()  # type: ignore[attr-defined]
        await two.tell([("name", "unheard", "")])
        second = one.news()
        assert await asyncio.wait_for(anext(second), 10) == News("", LOST, "")
        await two.tell([("name", "heard", "")])
        told = [await anext(second)]
        if told[0].about == "unheard":  # it came late, and just in time for the new reader
            told.append(await anext(second))
        assert told[-1] == News(two.process, "name", "heard", "")

    tell(postgres_url, story)


def test_many_news_are_told_in_pieces() -> None:
    news = [("kind", f"table{number:07d}", '"é"' * 50) for number in range(2000)]
    made = list(payloads("me", news))
    assert max(len(payload.encode()) for payload in made) <= LONGEST_PAYLOAD < 8000
    assert len(made) > 1 and len(set(made)) == len(made)
    assert [told for payload in made for told in unpacked(payload)] == [
        News("me", *n) for n in news
    ]


def test_cut_connections_are_made_again(postgres_url: str) -> None:
    async def story(one: Store, two: Store) -> None:
        await with_tables(one, ["table1"])
        for seen in range(5):
            cut(postgres_url, "lampion")
            assert await one.append("table1", seen, events(f"{seen}")) == Appended(seen + 1)
            assert len(await one.read("table1")) == seen + 1

    tell(postgres_url, story)


def test_play_goes_on_after_postgres_was_killed(postgres: Postgres, postgres_url: str) -> None:
    """Every acknowledged event is there, none twice, and what waited meanwhile is done."""

    async def story(one: Store, two: Store) -> None:
        names = [f"table{number}" for number in range(8)]
        await with_tables(one, names)
        players = [asyncio.ensure_future(_play(one, name, 120)) for name in names]
        await asyncio.sleep(0.15)
        await asyncio.to_thread(postgres.kill)
        await asyncio.to_thread(postgres.start)
        for name, acknowledged in zip(names, await asyncio.gather(*players), strict=True):
            assert len(acknowledged) == 120
            assert [event.payload for event in await two.read(name)] == acknowledged

    tell(postgres_url, story)


async def _play(store: Store, table: str, turns: int) -> list[str]:
    """What was acknowledged; a turn is tried again with the same command until it is."""
    done: list[str] = []
    while len(done) < turns:
        text = f"{table} {len(done)}"
        try:
            outcome = await store.append(table, len(done), events(text, command=text))
        except StorageFailed as problem:
            assert problem.code == "storage-unreachable"
            await asyncio.sleep(0.1)
            continue
        assert outcome in (Appended(len(done) + 1), Duplicate(len(done) + 1))
        done.append(text)
        await asyncio.sleep(0.002)
    return done


class DoubtfulConnection(PostgresConnection):
    """The server commits, but its answer to the third transaction is lost on the way."""

    commits = 0

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Cursor:
        cursor = super().execute(sql, values)
        if sql == "COMMIT":
            DoubtfulConnection.commits += 1
            if DoubtfulConnection.commits == 3:
                self.close()
                raise psycopg.OperationalError("the answer was lost")
        return cursor


class DoubtfulBackend(PostgresBackend):
    def connect(self) -> Connection:
        return DoubtfulConnection(self.url)


def test_a_commit_without_an_answer_is_looked_up_in_the_log(postgres_url: str) -> None:
    """Of what was in doubt, appends are found there, even without a command; other jobs are not done twice but refused."""

    async def story() -> None:
        store = SqlStore(DoubtfulBackend(postgres_url, 5.0))
        await asyncio.gather(
            store.add_person(person_row("Ada")),
            *(with_tables(store, [name]) for name in ("table1", "table2")),
        )
        DoubtfulConnection.commits = 2
        outcomes = await asyncio.gather(
            store.append("table1", 0, events("a", "b")), store.append("table2", 0, events("c", command="c")),
            store.append("table2", 0, events("late")), store.add_chat("table1", 1, "id-Ada", None, "hi"), return_exceptions=True,
        )  # fmt: skip
        assert list(outcomes[:3]) == [Appended(2), Appended(1), Stale(1)]
        # Whether the chat was in the same transaction is a matter of luck; it is there once in any case.
        assert (
            not isinstance(outcomes[3], BaseException) or outcomes[3].code == "storage-unreachable"  # type: ignore[attr-defined]
        )
        assert len(await store.chat("table1")) == 1 and len(await store.read("table1")) == 2
        assert DoubtfulConnection.commits > 3
        await store.close()

    run(story())


def test_without_postgres_calls_fail_in_time(postgres: Postgres) -> None:
    url = postgres.create("away")

    async def story() -> None:
        async with opened(url, patience=0.5) as store:
            await with_tables(store, ["table1"])
            await store.append("table1", 0, events("x"))
            await asyncio.to_thread(postgres.kill)
            for call in (
                store.append("table1", 1, events("y")),
                store.read("table1"),
                store.add_person(person_row("Ada")),
            ):
                with pytest.raises(StorageFailed, match="storage-unreachable"):
                    await asyncio.wait_for(call, 5)
            await asyncio.to_thread(postgres.start)
            assert await store.append("table1", 1, events("y")) == Appended(2)
            assert len(await store.read("table1")) == 2

    run(story())


def test_everything_heals_after_seven_seconds_without_postgres(
    postgres: Postgres,
    postgres_url: str,
) -> None:
    """Longer than the patience: calls fail meanwhile, and nothing needs a restart afterwards."""

    async def story(one: Store, two: Store) -> None:
        await with_tables(one, ["table1", "table2"])
        await one.add_person(person_row("Ada"))
        heard: list[News] = []
        listening = asyncio.ensure_future(_listen(two, heard))
        while not heard:
            await asyncio.sleep(0.01)
        assert await one.append("table1", 0, events("before")) == Appended(1)
        playing = asyncio.ensure_future(_play(one, "table2", 60))
        await asyncio.to_thread(postgres.kill)
        gone = time.monotonic()
        for call in (
            one.append("table1", 1, events("during")),
            one.read("table1"),
            one.rename("id-Ada", "Zoë"),
            two.tell([("name", "id-Ada", "")]),
            one.ping(),
        ):
            with pytest.raises(StorageFailed, match="storage-unreachable"):
                await asyncio.wait_for(call, 30)
        await asyncio.sleep(max(0.0, gone + 7 - time.monotonic()))
        heard.clear()
        await asyncio.to_thread(postgres.start)
        await one.ping()
        assert await one.append("table1", 1, events("after")) == Appended(2)
        assert [event.payload for event in await two.read("table1")] == ["before", "after"]
        played = await playing
        assert [event.payload for event in await two.read("table2")] == played
        while LOST not in {told.kind for told in heard}:
            await asyncio.sleep(0.01)
        await one.tell([("end", "", "")])
        await listening

    tell(postgres_url, story)


async def _listen(store: Store, heard: list[News]) -> None:
    async for told in store.news():
        heard.append(told)
        if told.kind == "end":
            return


def test_two_processes_give_different_names(postgres_url: str) -> None:
    """Each would find the name free if it did not lock the table first."""

    async def story(one: Store, two: Store) -> None:
        for number in range(12):
            await one.add_person(person_row(f"P{number}"))
        for turn in range(10):
            table = f"table{turn}"
            free = [SeatRow(table, n, SeatKind.OPEN) for n in range(4)]
            await one.create_table(table_row(table), free)
            rows = [SeatRow(table, n, SeatKind.PERSON, f"id-P{n}", None, "Ada") for n in range(4)]
            stores = (one, two, one, two)
            await asyncio.gather(
                *(
                    store.set_seat(row, expect_kind=SeatKind.OPEN)
                    for store, row in zip(stores, rows, strict=True)
                ),
                *(store.rename(f"id-P{n}", "ada") for n, store in enumerate(stores)),
            )
            names = [seat.name for seat in await one.seats(table)]
            assert len({name.casefold() for name in names if name}) == 4, names

    tell(postgres_url, story)


def test_two_processes_make_one_rematch(postgres_url: str) -> None:
    async def story(one: Store, two: Store) -> None:
        for turn in range(10):
            old = f"old{turn}"
            await with_tables(one, [old])
            made = await asyncio.gather(
                *(
                    store.create_table(table_row(f"{old}-{n}"), two_seats(f"{old}-{n}"), after=old)
                    for n, store in enumerate((one, two, one, two))
                )
            )
            row = await two.table(old)
            assert row is not None and {row.next_table} == set(made)
            assert len(await two.search_tables(text=old)) == 2

    tell(postgres_url, story)


def test_two_processes_seat_one_person_with_one_event(postgres_url: str) -> None:
    async def story(one: Store, two: Store) -> None:
        for name in ("Ada", "Ben"):
            await one.add_person(person_row(name))
        names = [f"table{number}" for number in range(20)]
        await with_tables(one, names)
        outcomes = await asyncio.gather(
            *(
                store.append(
                    name,
                    0,
                    events(who),
                    seat=(SeatRow(name, 0, SeatKind.PERSON, f"id-{who}"), SeatKind.OPEN, None),
                    status=TableStatus.RUNNING,
                )
                for name in names
                for who, store in (("Ada", one), ("Ben", two))
            )
        )
        assert sum(isinstance(outcome, Appended) for outcome in outcomes) == len(names)
        for name in names:
            (event,) = await one.read(name)
            assert (await two.seats(name))[0].person_id == f"id-{event.payload}"

    tell(postgres_url, story)


def test_a_server_that_is_not_there_is_named(postgres: Postgres) -> None:
    with pytest.raises(StorageFailed, match="storage-unreachable"):
        open_store("postgresql://127.0.0.1:1/lampion")
