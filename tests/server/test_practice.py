"""Decisions that come back until they are made well: what is kept, whose it is, when it is due."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from lampion.core.game import find_game
from lampion.reviews.judging import decisions_of, judged
from lampion.server.store import open_store
from lampion.server.study.practice import MOST_BYTES
from lampion.server.study.spacing import (
    DAY_MS,
    MOST_DAYS,
    MOST_LAPSES,
    Grade,
    Memory,
    Tried,
    after,
    grade_of,
)
from lampion.server.web import limits
from lampion.server.web.app import app_of
from tests.server.inside import PATIENCE, GivenClock, running
from tests.server.support import Json, Person, Server
from tests.server.test_reviews import content, read_match

PRACTICE = "/api/me/practice"
NOW = 1_800_000_000_000
LIMIT_SCALE = 1000


def mistakes(record: Json) -> list[int]:
    """The plies of the first three."""
    found = (one.ply for one in judged(read_match(record)) if one.verdict == "mistake")
    return [ply for ply, _ in zip(found, range(3), strict=False)]


@pytest.fixture(scope="module")
def record() -> Json:
    return content("lumens")


@pytest.fixture(scope="module")
def plies(record: Json) -> list[int]:
    return mistakes(record)


def best_and_played(record: Json, ply: int) -> tuple[str, str]:
    (found,) = judged(read_match(record), plies=[ply])
    return found.best, found.played


# --- what is kept ---------------------------------------------------------------------------------


def test_a_mistake_is_kept_shown_and_removed(
    server: Server, record: Json, plies: list[int]
) -> None:
    ada = Person(server, "Ada")
    assert ada.call("GET", PRACTICE)["exercises"] == []
    told = ada.call("POST", PRACTICE, {"record": record, "plies": plies})
    assert [one["ply"] for one in told["exercises"]] == plies
    assert (told["due"], told["most"]) == (3, 200) and ada.call("GET", "/api/me")["due"] == 3
    (first,) = judged(read_match(record), plies=plies[:1])
    kept = told["exercises"][0]
    assert (kept["cost"], kept["interval"], kept["seat"]) == (
        first.cost,
        first.interval,
        first.seat,
    )
    assert (kept["answers"], kept["suspended"], kept["game"]) == (0, False, "lumens")
    found = ada.call("GET", f"{PRACTICE}/{kept['id']}")
    assert found["exercise"] == kept
    assert found["record"]["names"] == ["Player 1", "Player 2"], "nobody is named"
    assert found["record"]["log"] == [[*entry] for entry in record["log"]]
    assert ada.call("DELETE", f"{PRACTICE}/{kept['id']}") == {}
    assert ada.call("GET", "/api/me")["due"] == 2
    for method in ("GET", "DELETE"):
        assert ada.problem(method, f"{PRACTICE}/{kept['id']}")["code"] == "no-exercise"


def test_the_same_decision_is_kept_once_with_any_names(
    server: Server, record: Json, plies: list[int]
) -> None:
    ada = Person(server, "Ada")
    first = ada.call("POST", PRACTICE, {"record": record, "plies": plies[:1]})
    renamed = {**record, "names": ["Iris", "Milo"]}
    again = ada.call("POST", PRACTICE, {"record": renamed, "plies": plies[:2]})
    assert len(again["exercises"]) == 2 and first["exercises"][0] in again["exercises"]


def test_only_mistakes_in_games_that_are_over_are_kept(server: Server, record: Json) -> None:
    ada = Person(server, "Ada")
    fine = next(one.ply for one in judged(read_match(record)) if one.verdict != "mistake")
    bad = {"record": record, "plies": [*mistakes(record), fine]}
    assert ada.problem("POST", PRACTICE, bad)["code"] == "no-mistake"
    running_game = {**record, "log": record["log"][:-4], "scores": None, "winners": None}
    running_game["fairness"] = {**record["fairness"], "seed": None}
    ply = decisions_of(read_match(record))[3]
    problem = ada.problem("POST", PRACTICE, {"record": running_game, "plies": [ply]})
    assert problem["code"] == "not-ended"
    for wrong in ([], [*range(13)], [-1]):
        body = {"record": record, "plies": wrong}
        assert ada.problem("POST", PRACTICE, body)["code"] == "invalid-message"
    assert ada.problem("POST", PRACTICE, {"record": record, "plies": [0]})["code"] == (
        "invalid-query"
    )
    assert ada.call("GET", PRACTICE)["exercises"] == [], "all of them or none"


def test_a_record_that_is_blown_up_is_not_stored(
    server: Server, record: Json, plies: list[int]
) -> None:
    """What reviews do not need is left out; what is left has a limit."""
    ada = Person(server, "Ada")
    legal = [["x" * 100] * 9 for _ in record["log"]]
    told = ada.call("POST", PRACTICE, {"record": {**record, "legal": legal}, "plies": plies[:1]})
    stored = ada.call("GET", f"{PRACTICE}/{told['exercises'][0]['id']}")["record"]
    assert "legal" not in stored
    assert stored["fairness"]["nonces"] == [] and stored["fairness"]["match"] == "", (
        "no table's name"
    )
    undone = next(ply for ply in decisions_of(read_match(record)) if ply > plies[0])
    move = record["log"][undone]
    again = range(undone, undone + MOST_BYTES // 10, 2)
    wordy = [entry for at in again for entry in (move, [move[0], f"undo {at}"])]
    long = {**record, "log": [*record["log"][:undone], *wordy], "scores": None, "winners": None}
    reply = ada.ask("POST", PRACTICE, {"record": long, "plies": plies[:1]})
    assert (reply.status_code, reply.json()["code"]) == (413, "too-large")


def test_a_newcomer_who_keeps_something_becomes_a_guest(
    server: Server, record: Json, plies: list[int]
) -> None:
    stranger = Person(server)
    for method, path in (("GET", PRACTICE), ("GET", f"{PRACTICE}/x"), ("DELETE", f"{PRACTICE}/x")):
        assert stranger.problem(method, path)["code"] == "who-are-you"
    assert stranger.problem("POST", PRACTICE, {"record": {}, "plies": [1]})["code"]
    assert stranger.call("GET", "/api/me")["id"] is None, "nothing was kept"
    stranger.call("POST", PRACTICE, {"record": record, "plies": plies[:1]})
    assert stranger.call("GET", "/api/me")["id"] is not None


def test_another_persons_practice_is_not_visible(
    server: Server, record: Json, plies: list[int]
) -> None:
    ada, eve = Person(server, "Ada"), Person(server, "Eve")
    kept = ada.call("POST", PRACTICE, {"record": record, "plies": plies[:1]})["exercises"][0]
    assert eve.call("GET", PRACTICE)["exercises"] == []
    path = f"{PRACTICE}/{kept['id']}"
    bodies = {"POST": {"tried": []}, "PATCH": {"suspended": True}, "GET": None, "DELETE": None}
    for method, body in bodies.items():
        reply = eve.ask(method, path, body)
        assert (reply.status_code, reply.json()["code"]) == (404, "no-exercise")
    assert ada.call("GET", path)["exercise"] == kept
    exported = ada.call("GET", "/api/me/export")["practice"]
    assert [one["exercise"] for one in exported] == [kept]
    assert eve.call("GET", "/api/me/export")["practice"] == []


def test_a_guest_who_only_practices_is_taken_over(
    server: Server, record: Json, plies: list[int]
) -> None:
    ada, guest = Person(server, "Ada"), Person(server)
    guest.call("POST", PRACTICE, {"record": record, "plies": plies})
    ada.call("POST", PRACTICE, {"record": record, "plies": plies[:1]})
    code = ada.call("POST", "/api/me/link")["code"]
    left = guest.call("POST", "/api/claim", {"code": code})["guest"]
    assert (left["tables"], left["exercises"]) == (0, 3)
    assert len(guest.call("GET", PRACTICE)["exercises"]) == 1
    guest.call("POST", "/api/me/merge", {"code": left["code"]})
    merged = ada.call("GET", PRACTICE)["exercises"]
    assert sorted(one["ply"] for one in merged) == plies


def test_forgotten_games_and_people_take_their_practice_along(
    server: Server, record: Json, plies: list[int]
) -> None:
    ada = Person(server, "Ada")
    ada.call("POST", PRACTICE, {"record": record, "plies": plies[:1]})
    ada.call("DELETE", "/api/me/history")
    assert ada.call("GET", PRACTICE)["exercises"] == []
    ada.call("POST", PRACTICE, {"record": record, "plies": plies[:1]})
    ada.call("DELETE", "/api/me")
    assert ada.problem("GET", PRACTICE)["code"] == "who-are-you"


# --- answers, with a given clock ------------------------------------------------------------------


@contextlib.asynccontextmanager
async def visited(
    folder: Path, clock: GivenClock, record: Json, plies: list[int]
) -> AsyncIterator[tuple[httpx.AsyncClient, list[str]]]:
    """A visitor who has kept these decisions, and their ids."""
    async with running(
        open_store(str(folder / "db")), clock=clock, limit_scale=LIMIT_SCALE
    ) as services:
        transport = httpx.ASGITransport(app_of(services))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://test", timeout=PATIENCE
        ) as web:
            reply = await web.post(PRACTICE, json={"record": record, "plies": plies})
            assert reply.status_code == 200, reply.text
            yield web, [one["id"] for one in reply.json()["exercises"]]


async def answered(web: httpx.AsyncClient, name: str, *tried: str, **more: bool) -> Json:
    reply = await web.post(f"{PRACTICE}/{name}", json={"tried": [*tried], **more})
    assert reply.status_code == 200, reply.text
    found: Json = reply.json()
    return found


async def refused(web: httpx.AsyncClient, name: str, *tried: str) -> tuple[int, str]:
    reply = await web.post(f"{PRACTICE}/{name}", json={"tried": [*tried]})
    return reply.status_code, reply.json()["code"]


async def due(web: httpx.AsyncClient) -> int:
    found: int = (await web.get("/api/me")).json()["due"]
    return found


def test_a_position_that_was_solved_is_gone_until_it_is_due(
    tmp_path: Path, record: Json, plies: list[int]
) -> None:
    best, _ = best_and_played(record, plies[0])
    clock = GivenClock(NOW)

    async def story() -> None:
        async with visited(tmp_path, clock, record, plies) as (web, names):
            told = await answered(web, names[0], best)
            assert (told["grade"], told["due"]) == ("good", 2), (
                "the first time it may be remembered"
            )
            assert told["exercise"]["due_ms"] == NOW + 2 * DAY_MS
            assert await due(web) == 2
            assert await refused(web, names[0], best) == (409, "not-due")
            clock.at_ms = NOW + 2 * DAY_MS - 1
            assert await due(web) == 2
            clock.at_ms += 1
            assert await due(web) == 3
            listed = (await web.get(PRACTICE)).json()
            assert [one["id"] for one in listed["exercises"]] == [*names[1:], names[0]]
            assert listed["now_ms"] == clock.at_ms
            told = await answered(web, names[0], best)
            assert told["grade"] == "easy" and told["exercise"]["answers"] == 2
            assert told["exercise"]["due_ms"] > clock.at_ms + 11 * DAY_MS

    asyncio.run(story())


def test_the_server_grades_what_was_tried(tmp_path: Path, record: Json, plies: list[int]) -> None:
    clock = GivenClock(NOW)

    async def story() -> None:
        async with visited(tmp_path, clock, record, plies) as (web, names):
            grades = []
            for name, ply, kind in zip(names, plies, ("second", "hint", "none"), strict=True):
                best, played = best_and_played(record, ply)
                tries = {"second": [played, best], "hint": [best], "none": [played]}[kind]
                told = await answered(web, name, *tries, hinted=kind == "hint")
                grades.append(told["grade"])
                assert told["exercise"]["due_ms"] == NOW + DAY_MS
            assert grades == ["hard", "hard", "again"]
            clock.at_ms += DAY_MS
            assert (await answered(web, names[0]))["grade"] == "again", "it was given up"
            assert (await refused(web, names[1], "nonsense"))[1] == "invalid-action"
            assert (await refused(web, names[1], *["x"] * 13))[1] == "invalid-message"
            assert await due(web) == 2, "a refused answer changes nothing"

    asyncio.run(story())


def test_what_is_missed_again_and_again_is_suspended(
    tmp_path: Path, record: Json, plies: list[int]
) -> None:
    clock = GivenClock(NOW)

    async def story() -> None:
        async with visited(tmp_path, clock, record, plies[:1]) as (web, (name,)):
            for number in range(1, MOST_LAPSES + 1):
                told = await answered(web, name)
                assert told["exercise"]["suspended"] == (number == MOST_LAPSES)
                clock.at_ms = told["exercise"]["due_ms"]
            assert await due(web) == 0
            assert await refused(web, name) == (409, "not-due")
            path = f"{PRACTICE}/{name}"
            resumed = (await web.patch(path, json={"suspended": False})).json()
            assert not resumed["suspended"] and await due(web) == 1
            assert (await web.patch(path, json={"suspended": False})).json() == resumed
            assert not (await answered(web, name))["exercise"]["suspended"]
            assert (await web.patch(path, json={"suspended": True})).json()["suspended"]

    asyncio.run(story())


def test_a_position_of_other_rules_is_suspended(
    tmp_path: Path, record: Json, plies: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It can be neither shown nor judged, and must not stay first in the queue."""
    clock = GivenClock(NOW)

    async def story() -> None:
        async with visited(tmp_path, clock, record, plies[:1]) as (web, (name,)):
            game = find_game(record["game"])
            monkeypatch.setattr(game, "RULES_VERSION", game.RULES_VERSION + 1)
            for _ in range(2):
                reply = await web.get(f"{PRACTICE}/{name}")
                assert reply.json()["code"] == "other-rules"
            assert await due(web) == 0
            assert (await web.delete(f"{PRACTICE}/{name}")).status_code == 200

    asyncio.run(story())


def test_one_visitor_does_not_fill_the_disk(
    tmp_path: Path, record: Json, plies: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "KEPT", limits.Limit("kept", 2 / LIMIT_SCALE, 1e-9))
    clock = GivenClock(NOW)

    async def story() -> None:
        async with visited(tmp_path, clock, record, plies[:2]) as (web, _):
            reply = await web.post(PRACTICE, json={"record": record, "plies": plies[2:]})
            assert reply.status_code == 429

    asyncio.run(story())


@pytest.mark.parametrize("name", ["nothing", "%00", "x" * 300, "0123456789ABCDEF01234567"])
def test_what_is_no_name_of_a_position_never_reaches_the_store(server: Server, name: str) -> None:
    ada = Person(server, "Ada")
    for method in ("GET", "DELETE"):
        reply = ada.ask(method, f"{PRACTICE}/{name}")
        assert reply.status_code in (400, 404, 414) and reply.json()["code"] != "storage-failed"


def test_there_are_so_many_at_most(
    tmp_path: Path, record: Json, plies: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lampion.server.store.exercises.MOST_EXERCISES", 2)
    clock = GivenClock(NOW)

    async def story() -> None:
        async with visited(tmp_path, clock, record, plies[:2]) as (web, names):
            third = {"record": record, "plies": plies[2:]}
            reply = await web.post(PRACTICE, json=third)
            assert (reply.status_code, reply.json()["code"]) == (409, "practice-full")
            await web.patch(f"{PRACTICE}/{names[1]}", json={"suspended": True})
            assert (await web.post(PRACTICE, json=third)).status_code == 200
            left = (await web.get(PRACTICE)).json()["exercises"]
            assert [one["ply"] for one in left] == [plies[0], plies[2]]

    asyncio.run(story())


# --- the schedule ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tried", "hinted", "is_first", "grade"),
    [
        ("B", False, False, "easy"),
        ("B", False, True, "good"),
        ("g", False, False, "good"),
        ("g", False, True, "good"),
        ("B", True, False, "hard"),
        ("-B", False, False, "hard"),
        ("--g", False, True, "hard"),
        ("--", False, False, "again"),
        ("-", True, True, "again"),
        ("", False, False, "again"),
    ],
)
def test_grades(tried: str, hinted: bool, is_first: bool, grade: Grade) -> None:
    kinds = {"B": Tried(True, True), "g": Tried(True, False), "-": Tried(False, False)}
    found = grade_of([kinds[each] for each in tried], hinted=hinted, is_first=is_first)
    assert found == grade


GRADES: tuple[Grade, ...] = ("again", "hard", "good", "easy")


def test_better_answers_come_back_later() -> None:
    memory: Memory | None = None
    now_ms = NOW
    for _ in range(6):
        dates = [after(memory, grade, now_ms)[1] for grade in GRADES]
        assert dates == sorted(dates) and now_ms + DAY_MS <= dates[0] < dates[2]
        memory, now_ms = after(memory, "good", now_ms)


def test_intervals_grow_while_it_is_found_and_shrink_when_it_is_not() -> None:
    memory: Memory | None = None
    now_ms, days = NOW, []
    for grade in (*["good"] * 8, "again"):
        memory, due_ms = after(memory, grade, now_ms)  # type: ignore[arg-type]
        days.append((due_ms - now_ms) / DAY_MS)
        now_ms = due_ms
    assert days[:-1] == sorted(days[:-1]) and days[0] == 2 and days[-2] == MOST_DAYS
    assert days[-1] < 30
    assert memory is not None and (memory.answers, memory.lapses) == (9, 1)


def test_the_same_answers_always_lead_to_the_same_dates() -> None:
    """No random number and no wall clock."""

    def dates() -> list[int]:
        memory, now_ms, found = None, NOW, []
        for grade in GRADES:
            memory, now_ms = after(memory, grade, now_ms)
            found.append(now_ms)
        return found

    assert dates() == dates() == [NOW + days * DAY_MS for days in (1, 2, 5, 17)]
