"""The outbox on both stores: written with the events, claimed once, settled by what follows."""

from __future__ import annotations

import asyncio

from lampion.server.store.base import (
    Appended,
    Calls,
    Mark,
    Notice,
    NoticeKind,
    NoticeState,
    ReachRow,
    Settled,
    Stale,
    Store,
    VacationRow,
    WayKind,
    WayRow,
)
from tests.server.store.support import events, opened, person_row, table_row, two_seats

TURN, SOON = NoticeKind.TURN, NoticeKind.SOON
MS = 1_800_000_000_000
ADA = "id-Ada"


def way(name: str, kind: WayKind = WayKind.PUSH, confirmed_ms: int | None = 1) -> WayRow:
    return WayRow(name, ADA, kind, f"https://{name}.example", "{}", MS, confirmed_ms)


async def prepared(store: Store) -> None:
    await store.add_person(person_row("Ada"))
    await store.create_table(table_row(), two_seats())


def turn(due_ms: int = MS) -> Calls:
    return Calls([Notice(ADA, TURN, due_ms, 7)])


def test_notices_are_written_with_their_events_or_not_at_all(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await prepared(store)
            assert await store.reachable_people() == set()
            await store.append("table1", 0, events("a"), calls=turn())
            assert await store.notices(None, 9) == [], "she has chosen no way out"
            for row in (way("w1"), way("w2", WayKind.MAIL), way("w3", WayKind.MAIL, None)):
                await store.add_way(row)
            assert await store.reachable_people() == {ADA}
            await store.set_reach(ReachRow(ADA, "it", escalate_ms=500, off="over"))
            both = Calls([Notice(ADA, TURN, MS, 7), Notice(ADA, NoticeKind.OVER, MS)])
            assert await store.append("table1", 1, events("b", at_ms=MS), calls=both) == Appended(2)
            found = {row.way_id: row for row, _ in await store.notices(NoticeState.WAITING, 9)}
            assert {name: row.due_ms - MS for name, row in found.items()} == {"w1": 0, "w2": 500}
            assert found["w1"].id == "table1.2.turn.w1" and found["w1"].ply == 7
            assert await store.append("table1", 0, events("c"), calls=turn()) == Stale(2)
            assert len(await store.notices(None, 9)) == 2
            assert await store.tables_waiting(ADA) == 1

            await store.mark("table1", ADA, Mark.MUTED)
            gone = Calls((Notice(ADA, TURN, MS),), (Settled((TURN, SOON), ADA),))
            await store.append("table1", 2, events("d"), calls=gone)
            counts = await store.count_notices()
            assert (counts[NoticeState.SETTLED], counts[NoticeState.WAITING]) == (2, 0)
            await store.unmark("table1", ADA, Mark.MUTED)
            await store.set_vacations(ADA, [VacationRow(ADA, 5, 9), VacationRow(ADA, 1, 3)])
            assert [row.from_ms for row in await store.vacations([ADA, "x"])] == [1, 5]
            await store.append("table1", 3, events("e"), calls=turn())
            assert await store.delete_table("table1") and await store.notices(None, 9) == []
            await store.delete_person(ADA)
            assert await store.ways(ADA) == [] and await store.vacations([ADA]) == []
            assert await store.reach(ADA) is None

    asyncio.run(run())


def test_a_notice_is_claimed_once_and_again_when_the_lease_is_over(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await prepared(store)
            await store.add_way(way("w1"))
            await store.append("table1", 0, events("a"), calls=turn())
            await store.append("table1", 1, events("b"), calls=turn(MS + 10))
            assert await store.due_notices(MS - 1, 9) == []
            names = [row.id for row, _ in await store.due_notices(MS + 10, 9)]
            assert names == ["table1.1.turn.w1", "table1.2.turn.w1"]
            claims = await asyncio.gather(
                *(store.claim_notices(names, MS + 10, MS + 100) for _ in range(8))
            )
            assert sorted(map(len, claims)) == [0] * 7 + [2]
            assert await store.due_notices(MS + 99, 9) == []
            assert len(await store.due_notices(MS + 100, 9)) == 2

            await store.finish_notices(names[:1], NoticeState.SENT, MS + 50)
            await store.postpone_notices(names[1:], MS + 200, attempts=1, problem="x" * 999)
            ((late, _),) = await store.due_notices(MS + 200, 9)
            assert late.attempts == 1 and late.problem == "x" * 200
            assert await store.count_sent(MS, way="w1") == 1
            assert await store.count_sent(MS, kind=WayKind.MAIL) == 0
            await store.saw_table("table1", ADA)
            assert (await store.count_notices())[NoticeState.SEEN] == 1

            await store.append("table1", 2, events("c"), calls=turn())
            await store.finish_notices(["table1.3.turn.w1"], NoticeState.FAILED, MS, "no")
            assert await store.retry_notices("nothing", MS) == 0
            assert await store.retry_notices(None, MS + 7) == 1
            assert [row.due_ms for row, _ in await store.due_notices(MS + 7, 9)] == [MS + 7]
            # What was settled on its way stays settled, and is counted as sent all the same.
            settled = Calls((), (Settled((TURN,)),))
            await store.append("table1", 3, events("d"), calls=settled)
            await store.finish_notices(["table1.3.turn.w1"], NoticeState.SENT, MS + 60)
            counts = await store.count_notices()
            assert (counts[NoticeState.SETTLED], await store.tables_waiting(ADA)) == (3, 0)
            assert await store.purge_notices(2**50) == 3

    asyncio.run(run())


def test_mail_takes_along_what_is_due_soon_and_has_not_been_tried(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await prepared(store)
            for row in (way("w1"), way("w2", WayKind.WEBHOOK)):
                await store.add_way(row)
            for number, due_ms in enumerate((MS, MS + 40, MS + 50, MS + 51)):
                await store.append("table1", number, events("abcd"[number]), calls=turn(due_ms))
            await store.postpone_notices(["table1.2.turn.w2"], MS + 40, attempts=1)
            due = [row.id for row, _ in await store.due_notices(MS, 9, group_ms=50)]
            assert due == ["table1.1.turn.w1", "table1.1.turn.w2", "table1.3.turn.w2"]
            assert len(await store.due_notices(MS, 9)) == 2
            assert await store.claim_notices(due[2:], MS, MS + 99, group_ms=49) == set()
            assert await store.claim_notices(due, MS, MS + 99, group_ms=50) == set(due)
            # What is in doubt keeps a lease, however early it is due.
            await store.postpone_notices(due[:1], MS, attempts=1, lease_ms=MS + 300)
            assert due[0] not in {row.id for row, _ in await store.due_notices(MS + 299, 9)}
            assert due[0] in {row.id for row, _ in await store.due_notices(MS + 300, 9)}

    asyncio.run(run())


def test_a_reminder_is_written_once(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await prepared(store)
            await store.add_way(way("w1"))
            soon = Notice(ADA, SOON, MS + 9, 7)
            await store.append("table1", 0, events("a"), calls=Calls([soon]))
            await store.remind("table1", 3, MS, ADA, [soon])
            assert [row.id for row, _ in await store.notices(None, 9)] == ["table1.1.soon.w1"]
            await store.append("table1", 1, events("b"), calls=Calls((), (Settled((SOON,)),)))
            await store.remind("table1", 4, MS, ADA, [soon])
            found = [row.id for row, _ in await store.notices(NoticeState.WAITING, 9)]
            assert found == ["table1.4.soon.w1"]
            # A second device is reminded, too, unless the first one has been.
            await store.add_way(way("w2"))
            await store.remind("table1", 4, MS, ADA, [soon])
            assert len(await store.notices(NoticeState.WAITING, 9)) == 2
            await store.finish_notices(found, NoticeState.SENT, MS)
            await store.add_way(way("w3"))
            await store.remind("table1", 4, MS, ADA, [soon])
            assert len(await store.notices(NoticeState.WAITING, 9)) == 1

    asyncio.run(run())


def test_a_turn_that_a_person_has_seen_is_counted_by_every_way(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await prepared(store)
            await store.add_way(way("w1"))
            seen = [Notice(ADA, TURN, 0, 7), Notice(ADA, NoticeKind.ASKED, 0, 7)]
            for _ in range(2):
                await store.remind("table1", 3, MS, ADA, seen)
            assert (await store.count_notices())[NoticeState.SEEN] == 2
            assert await store.tables_waiting(ADA) == 1
            assert not await store.due_notices(2**50, 9), "she knows of it"
            await store.add_way(way("w2"))
            await store.remind("table1", 3, MS, ADA, seen)
            await store.drop_way("w1")
            assert await store.tables_waiting(ADA) == 1
            assert await store.purge_notices(2**50) == 0, "the table still waits"
            await store.mark("table1", ADA, Mark.MUTED)
            await store.add_way(way("w3"))
            await store.remind("table1", 3, MS, ADA, seen)
            assert (await store.count_notices())[NoticeState.SEEN] == 2
            await store.append("table1", 0, events("a"), calls=Calls((), (Settled((TURN,)),)))
            assert await store.tables_waiting(ADA) == 1, "she is still asked"
            assert await store.purge_notices(2**50) == 1

    asyncio.run(run())


def test_what_failed_is_tried_again_where_it_works_again(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await prepared(store)
            for row in (way("w1"), way("w2")):
                await store.add_way(row)
            await store.append("table1", 0, events("a"), calls=turn())
            names = [row.id for row, _ in await store.due_notices(MS, 9)]
            await store.finish_notices(names, NoticeState.FAILED, MS, "no")
            assert await store.retry_way("w1", MS + 5) == 1
            assert [row.id for row, _ in await store.due_notices(MS + 5, 9)] == names[:1]
            # The browser of the other one renews its subscription.
            await store.add_way(way("w9"), replaces=["w2"])
            assert {row.way_id for row, _ in await store.due_notices(MS + 5, 9)} == {"w1", "w9"}
            await store.finish_notices(names, NoticeState.FAILED, MS, "no")
            await store.saw_table("table1", ADA)
            assert await store.retry_way("w1", MS + 5) == 0, "she has seen it"

    asyncio.run(run())


def test_a_silent_address_gets_nothing_and_is_kept(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await prepared(store)
            await store.add_way(way("w1", WayKind.MAIL))
            await store.append("table1", 0, events("a"), calls=turn())
            assert await store.silence_way("w1", MS) and not await store.silence_way("x", MS)
            assert await store.notices(None, 9) == [] and await store.reachable_people() == set()
            await store.append("table1", 1, events("b"), calls=turn())
            assert await store.notices(None, 9) == []
            assert [row.silent_ms for row in await store.ways(ADA)] == [MS]
            await store.silence_way("w1", None)
            await store.append("table1", 2, events("c"), calls=turn())
            await store.finish_notices(["table1.3.turn.w1"], NoticeState.SENT, MS + 1)
            assert await store.letters_sent(MS) == [(ADA, "https://w1.example", 1)]
            assert await store.count_sent(MS, person=ADA, kind=WayKind.MAIL) == 1
            assert await store.count_sent(MS, person="ben", kind=WayKind.MAIL) == 0

    asyncio.run(run())


def test_ways_and_secrets(url: str) -> None:
    async def run() -> None:
        async with opened(url) as store:
            await prepared(store)
            await store.add_way(way("w1"))
            await store.add_way(way("w2", WayKind.MAIL))
            await store.set_reach(ReachRow(ADA, escalate_ms=1000))
            await store.append("table1", 0, events("a"), calls=turn())
            await store.hasten_mail(ADA, MS + 1)
            assert {row.due_ms for row, _ in await store.due_notices(MS + 1, 9)} == {MS, MS + 1}
            again = WayRow("w9", ADA, WayKind.PUSH, "https://w1.example", "{}", MS, 1)
            await store.add_way(again)
            assert sorted(row.id for row in await store.ways(ADA)) == ["w2", "w9"]
            assert [row.id for row in await store.ways_to(WayKind.PUSH, again.address)] == ["w9"]
            assert await store.drop_way("w2") and not await store.drop_way("w2")
            assert not await store.change_way(way("w2"))
            await store.add_way(way("w3", WayKind.MAIL, None))
            assert await store.drop_unconfirmed_ways(MS + 1) == 1
            made = await asyncio.gather(*(store.setting_or("key", str(n)) for n in range(5)))
            assert len(set(made)) == 1 and await store.setting("key") == made[0]

    asyncio.run(run())
