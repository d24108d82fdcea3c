"""The review of a finished game over HTTP: the ledger at once, decisions a few at a time."""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections.abc import Awaitable, Callable

import msgspec
import pytest

import lampion
from lampion.core.match import Match
from lampion.reviews.judging import MISTAKE, decisions_of, judged, judged_instead
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


def costly(person: Person, record: Json) -> Json:
    """A mistake of a game in which everybody plays at random."""
    plies = [one.ply for one in judged(read_match(record)) if one.verdict == "mistake"]
    wanted = {"record": record, "plies": plies[:1]}
    found: Json = person.call("POST", "/api/replay/judgements", wanted)["judged"][0]
    return found


def read_match(record: Json) -> Match:
    return lampion.load(json.dumps(record))


@pytest.mark.parametrize("game", GAMES)
def test_a_puzzle_shows_what_the_seat_saw(server: Server, game: str) -> None:
    ada, record = Person(server, "Ada"), content(game, 3)
    match = read_match(record)
    for ply in decisions_of(match)[::10]:
        told = ada.call("POST", "/api/replay/puzzle", {"record": record, "ply": ply})
        earlier, entry = match.at(ply), match.log[ply]
        assert (told["ply"], told["seat"], told["played"]) == (ply, entry.actor, entry.text)
        assert told["view"] == json.loads(json.dumps(earlier.view(entry.actor)))
        assert told["legal"] == earlier.legal_actions(entry.actor) == [*told["previews"]]
        assert told["previews"] == json.loads(json.dumps(earlier.previews(entry.actor)))


def test_tried_actions_are_judged_like_those_that_were_played(server: Server) -> None:
    ada, record = Person(server, "Ada"), content("lumens")
    mistake = costly(ada, record)
    ply, match = mistake["ply"], read_match(record)
    attempts = {}
    for action in {mistake["played"], mistake["best"], *match.at(ply).legal_actions()[:8]}:
        body = {"record": record, "ply": ply, "action": action, "language": "it"}
        told = attempts[action] = ada.call("POST", "/api/replay/puzzle/attempt", body)
        expected = judged_instead(match, ply, action)
        assert (told["cost"], told["interval"]) == (expected.cost, expected.interval)
        assert told["seat"] == mistake["seat"] and told["action"] == action and told["does"]
        if told["outcome"] == "found":
            assert expected.verdict != "mistake"
        else:
            gain = mistake["cost"] - told["cost"]
            is_clear = gain >= MISTAKE and gain > math.hypot(mistake["interval"], told["interval"])
            assert (told["outcome"] == "better") == is_clear
    best, played = attempts[mistake["best"]], attempts[mistake["played"]]
    assert best["outcome"] == "found" and best["is_best"] and best["cost"] == 0
    assert played["outcome"] == "not-better" and played["cost"] == mistake["cost"]


def test_puzzles_are_of_decisions_that_stand_in_games_that_are_over(server: Server) -> None:
    ada, record = Person(server, "Ada"), content("lumens")
    ply = decisions_of(read_match(record))[3]
    running = {**record, "log": record["log"][:-4], "scores": None, "winners": None}
    running["fairness"] = {**record["fairness"], "seed": None}
    tried = {"action": record["log"][ply][1]}
    for path, more in (("puzzle", {}), ("puzzle/attempt", tried)):
        where = f"/api/replay/{path}"
        for bad in (0, 10**5):
            problem = ada.problem("POST", where, {"record": record, "ply": bad, **more})
            assert (problem["code"], problem["where"]) == ("invalid-query", "ply")
        problem = ada.problem("POST", where, {"record": running, "ply": ply, **more})
        assert problem["code"] == "not-ended"


def test_only_legal_actions_can_be_tried(server: Server) -> None:
    ada, record = Person(server, "Ada"), content("lumens")
    ply = decisions_of(read_match(record))[3]
    for action, code in (("undo 0", "invalid-action"), ("nonsense", "invalid-action")):
        body = {"record": record, "ply": ply, "action": action}
        assert ada.problem("POST", "/api/replay/puzzle/attempt", body)["code"] == code
    body = {"record": record, "ply": ply, "action": "x" * 201}
    assert ada.problem("POST", "/api/replay/puzzle/attempt", body)["code"] == "invalid-message"
