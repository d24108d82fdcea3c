"""The review of a finished game over HTTP: the ledger at once, decisions a few at a time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import msgspec
import pytest

from lampion.reviews.judging import judged
from lampion.reviews.ledger import ledger_of
from lampion.reviews.values import PLACE
from lampion.server.study.kept import Kept, Once, key_of
from tests.server.support import Json, Person, Server, play_live
from tests.support import GAMES, Case, finished

PARTS = ("start", "deal", "draws", "own", "others", "remainder")


def content(game: str, players: int = 2) -> Json:
    match = finished(Case(game, players, {}), 11)
    built: Json = msgspec.to_builtins(match.to_record(reveal_seed=True))
    return built


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_reviewed_and_its_decisions_judged(server: Server, game: str) -> None:
    ada, record = Person(server, "Ada"), content(game)
    told = ada.call("POST", "/api/replay/review", {"record": record})
    ledger = ledger_of(finished(Case(game, 2, {}), 11))
    for seat, account in enumerate(told["accounts"]):
        assert abs(sum(account[part] for part in PARTS) - account["result"]) < 1e-9
        assert account["result"] == ledger.result[seat, PLACE]
    assert told["is_over"] and told["curve"][0]["ply"] == 0
    assert told["curve"][-1]["ply"] == told["plies"]
    plies = [one["ply"] for one in told["decisions"]][:3]
    wanted = {"record": record, "plies": plies, "language": "fr"}
    found = ada.call("POST", "/api/replay/judgements", wanted)
    match = finished(Case(game, 2, {}), 11)
    for one, judgement in zip(found["judged"], judged(match, plies=plies), strict=True):
        assert (one["ply"], one["verdict"]) == (judgement.ply, judgement.verdict)
        assert (one["cost"], one["interval"]) == (judgement.cost, judgement.interval)
    assert ada.call("POST", "/api/replay/judgements", wanted) == found


def test_a_game_that_still_runs_is_not_reviewed(server: Server) -> None:
    ada, record = Person(server, "Ada"), content("lumens")
    running = {**record, "log": record["log"][:-4], "scores": None, "winners": None}
    running["fairness"] = {**record["fairness"], "seed": None}
    for path, more in (("review", {}), ("judgements", {"plies": [20]})):
        problem = ada.problem("POST", f"/api/replay/{path}", {"record": running, **more})
        assert problem["code"] == "not-ended"


def test_a_game_that_was_stopped_says_so(server: Server) -> None:
    """Its seed is known, as no running game's is."""
    ada, record = Person(server, "Ada"), content("lumens")
    stopped = {**record, "log": record["log"][:-4], "scores": None, "winners": None}
    told = ada.call("POST", "/api/replay/review", {"record": stopped})
    assert not told["is_over"]
    for account in told["accounts"]:
        assert abs(sum(account[part] for part in PARTS) - account["result"]) < 1e-9


def test_nobody_is_judged_for_what_a_bot_did(server: Server) -> None:
    ada, record = Person(server, "Ada"), content("lumens")
    plain = ada.call("POST", "/api/replay/review", {"record": record})
    by_bot = [one["ply"] for one in plain["decisions"] if one["seat"] == 1][:4]
    told = ada.call("POST", "/api/replay/review", {"record": {**record, "substituted": by_bot}})
    assert [one for one in plain["decisions"] if one["ply"] not in by_bot] == told["decisions"]
    assert [account["substituted"] for account in told["accounts"]] == [0, 4]


def test_a_clock_that_decided_is_the_result(server: Server) -> None:
    ada, record = Person(server, "Ada"), content("lumens")
    early = {**record, "log": record["log"][:-4], "scores": None, "winners": None}
    early["decided"] = {"places": [2, 1], "late": [0]}
    told = ada.call("POST", "/api/replay/review", {"record": early})
    assert told["is_over"] and [account["result"] for account in told["accounts"]] == [0, 1]
    assert told["curve"][-1]["win"] == [0, 1]


def test_only_decisions_that_stand_are_judged(server: Server) -> None:
    ada, record = Person(server, "Ada"), content("lumens")
    for plies in ([0], [10**5], [20, 10**5]):
        body = {"record": record, "plies": plies}
        problem = ada.problem("POST", "/api/replay/judgements", body)
        assert (problem["code"], problem["where"]) == ("invalid-query", "plies")
    too_many = {"record": record, "plies": [*range(20, 40)]}
    assert ada.problem("POST", "/api/replay/judgements", too_many)["code"] == "invalid-message"


def test_a_table_is_reviewed_by_its_record(server: Server) -> None:
    ada = Person(server, "Ada")
    table = ada.table("me", "novice", game="lumens")
    play_live(ada, table, random.Random(3))
    record = ada.call("GET", f"/api/tables/{table['id']}/record")
    told = ada.call("POST", "/api/replay/review", {"record": record})
    results = [account["result"] for account in told["accounts"]]
    best = [seat for seat, result in enumerate(results) if result == max(results)]
    assert best == ada.info(table)["result"]["winners"]
    nameless = {**record, "names": ["Player 1", "Player 2"]}
    assert ada.call("POST", "/api/replay/review", {"record": nameless}) == told


def test_readers_with_other_names_and_languages_get_the_same_judgments(server: Server) -> None:
    ada, record = Person(server, "Ada"), content("lumens")
    told = ada.call("POST", "/api/replay/review", {"record": record})
    plies = [one["ply"] for one in told["decisions"]][:6]
    nameless = {**record, "names": ["Player 1", "Player 2"]}
    found = [
        ada.call(
            "POST", "/api/replay/judgements", {"record": each, "plies": plies, "language": tongue}
        )
        for each, tongue in ((record, "en"), (nameless, "en"), (record, "it"))
    ]
    words = ("played_does", "best_does", "reasons")
    bare = [
        [{key: value for key, value in one.items() if key not in words} for one in each["judged"]]
        for each in found
    ]
    assert bare[0] == bare[1] == bare[2]
    assert any(one["best_does"] for one in found[0]["judged"])
    english, _, italian = ([one["reasons"] for one in each["judged"]] for each in found)
    assert any(english) and english != italian
    assert [len(told) for told in english] == [len(told) for told in italian]
    assert all(isinstance(one["hindsight"], float) for one in found[0]["judged"])
    for english, italian in zip(found[0]["judged"], found[2]["judged"], strict=True):
        assert not english["best_does"] or english["best_does"] != italian["best_does"]


Maker = Callable[[list[bytes]], Awaitable[list[int]]]


def test_readers_at_the_same_time_share_one_answer() -> None:
    once, made = Once[int](10), []

    async def make(keys: list[bytes]) -> list[int]:
        made.append(keys)
        await asyncio.sleep(0)
        return [len(key) for key in keys]

    async def read() -> list[list[int]]:
        asked = ([b"a", b"bb"], [b"bb", b"ccc"], [b"ccc", b"a"])
        return await asyncio.gather(*(once.find(keys, make) for keys in asked))

    assert asyncio.run(read()) == [[1, 2], [2, 3], [3, 1]]
    assert made == [[b"a", b"bb"], [b"ccc"]]


def test_when_the_first_reader_fails_or_leaves_the_next_one_asks() -> None:
    once = Once[int](10)

    async def fail(_: list[bytes]) -> list[int]:
        await asyncio.sleep(0)
        raise RuntimeError("no core left")

    async def never(_: list[bytes]) -> list[int]:
        await asyncio.get_running_loop().create_future()
        return []

    async def make(_: list[bytes]) -> list[int]:
        return [5]

    async def read(first: Maker, *, leaves: bool) -> None:
        one = asyncio.ensure_future(once.find([b"a"], first))
        other = asyncio.ensure_future(once.find([b"a"], make))
        await asyncio.sleep(0)
        if leaves:
            one.cancel()
        with pytest.raises(asyncio.CancelledError if leaves else RuntimeError):
            await one
        assert await other == [5]

    asyncio.run(read(fail, leaves=False))
    once = Once[int](10)
    asyncio.run(read(never, leaves=True))


def test_what_is_kept_is_bounded() -> None:
    kept: Kept[int] = Kept(2)
    for number in range(3):
        kept.keep(key_of(number), number)
    assert [kept.find(key_of(number)) for number in range(3)] == [None, 1, 2]
    kept.find(key_of(1))
    kept.keep(key_of(3), 3)
    assert kept.find(key_of(1)) == 1 and kept.find(key_of(2)) is None
