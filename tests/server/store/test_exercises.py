"""Decisions that people practice, in both stores."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from lampion.server.store.base import ExerciseRow, PersonRow, SeatKind, SeatRow, Store, TableStatus
from tests.server.store.support import opened, run, table_row


def exercise(
    person: str, name: str, due_ms: int = 10, *, created_ms: int = 1, **more: Any
) -> tuple[ExerciseRow, str]:
    row = ExerciseRow(person, name, "lumens", 2, 1, 20, "{}", created_ms, due_ms, **more)
    return row, f"record of {name}"


async def with_people(store: Store) -> None:
    for name in ("ada", "ben"):
        await store.add_person(PersonRow(name, name.title(), 1, 1))


async def names(store: Store, person: str) -> list[str]:
    return [row.id for row in await store.exercises(person)]


def test_what_a_person_keeps_is_theirs_alone(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store:
            await with_people(store)
            first, second = exercise("ada", "first", 30), exercise("ada", "second", 20)
            assert await store.keep_exercises("ada", [first, second])
            assert await store.exercises("ada") == [second[0], first[0]], "the one due first first"
            assert await store.exercises("ben") == []
            assert await store.exercise("ada", "first") == first[0]
            assert await store.exercise("ben", "first") is None
            assert await store.exercise_records("ada", "first") == {"first": "record of first"}
            assert set(await store.exercise_records("ada")) == {"first", "second"}
            assert await store.exercise_records("ben", "first") == {}
            assert not await store.drop_exercise("ben", "first")
            stolen = replace(first[0], person_id="ben", due_ms=0)
            assert not await store.change_exercise(stolen, was=first[0])
            assert await store.drop_exercise("ada", "first")
            assert not await store.drop_exercise("ada", "first"), "it is gone"
            assert not await store.keep_exercises("nobody", [exercise("nobody", "first")])

    run(story())


def test_the_same_decision_is_kept_once(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store:
            await with_people(store)
            row, record = exercise("ada", "first")
            assert await store.keep_exercises("ada", [(row, record), (row, record)])
            answered = replace(row, due_ms=99, memory="{}")
            assert await store.change_exercise(answered, was=row)
            assert await store.keep_exercises("ada", [(row, record), exercise("ada", "second")])
            assert {row.id: row.due_ms for row in await store.exercises("ada")} == {
                "first": 99,
                "second": 10,
            }
            assert await store.keep_exercises("ben", [exercise("ben", "first")])

    run(story())


def test_an_answer_counts_once(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store:
            await with_people(store)
            row, record = exercise("ada", "first")
            await store.keep_exercises("ada", [(row, record)])
            changes = [
                replace(row, due_ms=20, memory="one"),
                replace(row, due_ms=20, memory="two"),
                replace(row, suspended_ms=5),
            ]
            done = [await store.change_exercise(each, was=row) for each in changes]
            assert done == [True, False, False]
            assert await store.exercise("ada", "first") == changes[0]
            suspended = replace(changes[0], suspended_ms=6)
            assert await store.change_exercise(suspended, was=changes[0])
            assert not await store.change_exercise(changes[0], was=changes[0])
            assert await store.change_exercise(changes[0], was=suspended)

    run(story())


def test_due_is_what_is_due_and_not_suspended(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store:
            await with_people(store)
            new = [exercise("ada", f"e{number}", 10 * number) for number in range(4)]
            new.append(exercise("ada", "suspended", 0, suspended_ms=3))
            await store.keep_exercises("ada", new)
            counts = [await store.count_due_exercises("ada", at) for at in (-1, 9, 10, 30)]
            assert counts == [0, 1, 2, 4]
            assert await store.count_due_exercises("ben", 99) == 0

    run(story())


def test_when_there_are_too_many_suspended_ones_go_oldest_first(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lampion.server.store.exercises.MOST_EXERCISES", 4)

    async def story() -> None:
        async with opened(url) as store:
            await with_people(store)
            old = [
                exercise("ada", "active"),
                exercise("ada", "later", suspended_ms=8),
                exercise("ada", "earlier", suspended_ms=7),
                exercise("ada", "last", suspended_ms=9),
            ]
            assert await store.keep_exercises("ada", old)
            three = [exercise("ada", f"new{number}") for number in range(3)]
            assert await store.keep_exercises("ada", three[:1])
            assert {*await names(store, "ada")} == {"active", "later", "last", "new0"}
            assert not await store.keep_exercises("ada", [*three, exercise("ada", "new3")])
            assert {*await names(store, "ada")} == {"active", "later", "last", "new0"}
            assert await store.keep_exercises("ada", three)
            assert {*await names(store, "ada")} == {"active", "new0", "new1", "new2"}
            assert not await store.keep_exercises("ada", [exercise("ada", "new4")])
            assert await store.keep_exercises("ada", three), "they are there already"
            assert await store.keep_exercises("ben", [exercise("ben", "new4")]), "another person's"

    run(story())


def test_two_processes_cannot_keep_more_than_there_may_be(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lampion.server.store.exercises.MOST_EXERCISES", 6)

    async def story() -> None:
        async with opened(postgres_url) as one, opened(postgres_url) as other:
            await with_people(one)
            kept = await asyncio.gather(
                *(
                    store.keep_exercises("ada", [exercise("ada", f"{number}{process}")])
                    for number in range(5)
                    for process, store in enumerate((one, other))
                )
            )
            assert kept.count(True) == 6 == len(await one.exercises("ada"))

    run(story())


def test_a_guest_who_becomes_a_person_brings_theirs_along(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lampion.server.store.exercises.MOST_EXERCISES", 4)

    async def story() -> None:
        async with opened(url) as store:
            await with_people(store)
            own = [
                exercise("ada", "both", 50, memory="ada's"),
                exercise("ada", "soon", 5),
                exercise("ada", "suspended", suspended_ms=3),
            ]
            guests = [
                exercise("ben", "both", 1, memory="ben's"),
                exercise("ben", "middle", 20),
                exercise("ben", "late", 90),
            ]
            await store.keep_exercises("ada", own)
            await store.keep_exercises("ben", guests)
            assert await store.merge_people("ben", "ada")
            assert await names(store, "ada") == ["soon", "middle", "both", "late"]
            both = await store.exercise("ada", "both")
            assert both is not None and both.memory == "ada's"
            assert (await store.exercise_records("ada", "late")) == {"late": "record of late"}
            assert await store.exercises("ben") == []

    run(story())


def test_they_go_with_the_person_and_with_forgotten_games(url: str) -> None:
    async def story() -> None:
        async with opened(url) as store:
            await with_people(store)
            for person in ("ada", "ben"):
                await store.keep_exercises(person, [exercise(person, "first")])
            await store.delete_person("ada")
            assert await store.exercises("ada") == []
            seats = [SeatRow("t", 0, SeatKind.PERSON, "ben", None, "Ben")]
            await store.create_table(table_row("t", status=TableStatus.FINISHED), seats)
            await store.delete_table("t")
            assert await names(store, "ben") == ["first"], "it outlives its table"
            assert await store.forget_history("ben") == 0
            assert await store.exercises("ben") == []

    run(story())
