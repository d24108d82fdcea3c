"""The review of a finished game over HTTP: the ledger at once, decisions a few at a time."""

from __future__ import annotations

import random

import msgspec
import pytest

from lampion.reviews.judging import judged
from lampion.reviews.ledger import ledger_of
from lampion.reviews.values import PLACE
from lampion.server.study.kept import Kept, key_of
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


def test_what_is_kept_is_bounded() -> None:
    kept: Kept[int] = Kept(2)
    for number in range(3):
        kept.keep(key_of(number), number)
    assert [kept.find(key_of(number)) for number in range(3)] == [None, 1, 2]
    kept.find(key_of(1))
    kept.keep(key_of(3), 3)
    assert kept.find(key_of(1)) == 1 and kept.find(key_of(2)) is None
