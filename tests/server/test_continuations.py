"""Games that go on from a position of a finished one, against bots."""

from __future__ import annotations

import json
import random

import msgspec
import pytest

import lampion
from lampion.core.errors import InvalidRecord
from lampion.core.gamelog import GameRecord
from lampion.core.match import Match
from lampion.core.replay import match_from_record, verify_fairness
from lampion.core.types import CHANCE
from lampion.reviews.judging import decisions_of
from lampion.server.study.continuations import MOST_ENTRIES, beginning
from lampion.server.wire import Continuation
from tests.server.support import Json, Person, Server, play_live
from tests.support import GAMES, Case, finished


def ended(game: str, players: int = 3, seed: int = 11) -> tuple[Match, Json]:
    match = finished(Case(game, players, {}), seed)
    return match, json.loads(lampion.dump(match, reveal_seed=True))


def wanted(match: Match, record: Json, ply: int) -> Json:
    """A table where the person sits in the seat that decided."""
    mine = match.log[ply].actor
    seats = [
        {"kind": "me", "name": "Ada"} if seat == mine else {"kind": "bot", "level": "novice"}
        for seat in range(match.players)
    ]
    return {"seats": seats, "record": record, "ply": ply}


def middle(match: Match) -> int:
    plies = decisions_of(match)
    return plies[len(plies) // 2]


def read(content: Json) -> GameRecord:
    return msgspec.convert(content, GameRecord)


@pytest.mark.parametrize("game", GAMES)
def test_a_table_goes_on_from_there(server: Server, game: str) -> None:
    ada, (match, record) = Person(server, "Ada"), ended(game)
    ply = middle(match)
    earlier, seat = match.at(ply), match.log[ply].actor
    table = ada.call("POST", "/api/replay/continue", wanted(match, record, ply))
    assert (table["status"], table["continued"]) == ("running", ply)
    assert table["ply"] == ply and table["actors"] == earlier.actors
    update = feed(ada, table, seat)
    assert update["view"] == earlier.view(seat) | {"names": update["view"]["names"]}
    assert update["legal"] == earlier.legal_actions(seat)
    told = [(step["actor"], step["action"]) for step in update["steps"]]
    assert told == earlier.log.read_by(seat), "no secret of another seat is told"


def feed(person: Person, table: Json, seat: int) -> Json:
    found: Json = person.call("GET", f"/api/tables/{table['id']}/feed?since=0")
    return next(
        each for each in found["messages"] if each["type"] == "update" and each["seat"] == seat
    )


def test_its_record_says_what_is_of_the_other_game(server: Server) -> None:
    ada, (match, record) = Person(server, "Ada"), ended("lumens", 2)
    ply = middle(match)
    table = ada.call("POST", "/api/replay/continue", wanted(match, record, ply))
    play_live(ada, table, random.Random(5))
    found = ada.call("GET", f"/api/tables/{table['id']}/record")
    assert found["continued"] == {"ply": ply}
    assert found["log"][:ply] == record["log"][:ply] and found["log"] != record["log"]
    again = match_from_record(read(found))
    draws = sum(entry.actor == CHANCE for entry in again.log[ply:])
    assert verify_fairness(read(found), again) == draws
    verified = ada.call("POST", "/api/verify", found)
    assert (
        verified["fair"]
        and f"the first {ply} entries come from another game" in verified["message"]
    )
    assert verified["unchecked"] == ply
    dumped = lampion.dump(again, reveal_seed=True)
    assert read(json.loads(dumped)).first_ply == ply
    assert lampion.verify(dumped) == draws, "read and written again, it is still fair"
    review = ada.call("POST", "/api/replay/review", {"record": found})
    assert min(one["ply"] for one in review["decisions"]) >= ply


def test_draws_of_the_new_game_must_follow_from_its_seed(server: Server) -> None:
    ada, (match, record) = Person(server, "Ada"), ended("lumens", 2)
    ply = middle(match)
    table = ada.call("POST", "/api/replay/continue", wanted(match, record, ply))
    play_live(ada, table, random.Random(5))
    found = ada.call("GET", f"/api/tables/{table['id']}/record")
    assert not ada.call("POST", "/api/verify", {**found, "continued": None})["fair"]


def test_it_counts_in_no_figures(server: Server) -> None:
    ada, (match, record) = Person(server, "Ada"), ended("lumens", 2)
    table = ada.call("POST", "/api/replay/continue", wanted(match, record, middle(match)))
    play_live(ada, table, random.Random(5))
    other = ada.table("me", "novice", game="lumens")
    play_live(ada, other, random.Random(5))
    assert ada.call("GET", "/api/me/profile")["games"] == 1
    shown = ada.call("GET", "/api/me/history")["tables"]
    assert {one["id"]: one["continued"] for one in shown} == {
        table["id"]: middle(match),
        other["id"]: None,
    }


def test_nothing_of_the_other_game_is_taken_back(server: Server) -> None:
    ada, (match, record) = Person(server, "Ada"), ended("lumens", 2)
    ply = middle(match)
    table = ada.call("POST", "/api/replay/continue", wanted(match, record, ply))
    seat = match.log[ply].actor
    command = {"do": "undo", "seat": seat, "id": "u1"}
    problem = ada.problem("POST", f"/api/tables/{table['id']}/commands", command)
    assert problem["code"] == "nothing-to-undo"


def test_the_log_of_such_a_table_survives_a_restart(server: Server) -> None:
    ada, (match, record) = Person(server, "Ada"), ended("lanterns")
    ply = middle(match)
    table = ada.call("POST", "/api/replay/continue", wanted(match, record, ply))
    before = feed(ada, table, match.log[ply].actor)
    server.kill()
    server.start()
    after = feed(ada, table, match.log[ply].actor)
    assert (after["ply"], after["view"], after["steps"]) == (
        before["ply"],
        before["view"],
        before["steps"],
    )


def test_only_finished_games_are_continued(server: Server) -> None:
    ada, (match, record) = Person(server, "Ada"), ended("lumens", 2)
    ply = middle(match)
    running = {**record, "log": record["log"][:-4], "scores": None, "winners": None}
    running["fairness"] = {**record["fairness"], "seed": None}
    refused = (
        (running, ply, "not-ended"),
        (record, len(record["log"]), "not-to-act"),
        (record, len(record["log"]) + 1, "invalid-query"),
        (record, 0, "not-to-act"),
        ({**record, "format": "x"}, ply, "invalid-record"),
    )
    for content, at, code in refused:
        body = wanted(match, record, ply) | {"record": content, "ply": at}
        assert ada.problem("POST", "/api/replay/continue", body)["code"] == code
    assert ada.call("GET", "/api/me/tables")["tables"] == []


def test_only_against_bots_in_all_other_seats(server: Server) -> None:
    ada, (match, record) = Person(server, "Ada"), ended("lumens", 2)
    body, bot, me = wanted(match, record, middle(match)), {"kind": "bot"}, {"kind": "me"}
    for seats in ([me, {"kind": "open"}], [me, {"kind": "local"}], [bot, bot], [me, bot, bot]):
        problem = ada.problem("POST", "/api/replay/continue", body | {"seats": seats})
        assert problem["code"] == "bots-only"


def with_undo(match: Match, record: Json, ply: int) -> Json:
    """The record up to a decision that is taken back."""
    line = record["log"][ply]
    return {
        **record,
        "log": [*record["log"][: ply + 1], [line[0], f"undo {ply}"]],
        "scores": None,
        "winners": None,
    }


def test_what_was_taken_back_is_left_out() -> None:
    match, record = ended("lumens", 2)
    ply = middle(match)
    found = beginning(Continuation(with_undo(match, record, ply), ply + 2, []))
    assert found.earlier == [tuple(line) for line in record["log"][:ply]]
    assert len(found.earlier) < MOST_ENTRIES


def test_a_record_does_not_take_back_what_it_continues() -> None:
    match, record = ended("lumens", 2)
    ply = middle(match)
    content = with_undo(match, record, ply)
    match_from_record(read({**content, "continued": {"ply": ply}}))
    for wrong in (ply + 1, len(content["log"]) + 1):
        with pytest.raises(InvalidRecord, match="takes back one of the first"):
            match_from_record(read({**content, "continued": {"ply": wrong}}))
