"""How the scores of a finished game came about, and the games a person has played, over HTTP."""

from __future__ import annotations

import random

import msgspec
import pytest

from lampion.core.replay import match_from_record
from lampion.core.scorebook import scorebook_of
from lampion.server import wire
from lampion.server.study import scorebooks
from lampion.server.study.replay import record_in
from tests.server.support import Json, Person, Server, play_live
from tests.support import ALL_GAMES, Case, finished


def content(game: str, players: int = 2) -> Json:
    match = finished(Case(game, players, {}), 11)
    built: Json = msgspec.to_builtins(match.to_record(reveal_seed=True))
    return built


@pytest.mark.parametrize("game", ALL_GAMES)
def test_rounds_and_curve_lead_to_the_scores(game: str) -> None:
    record = content(game)
    match = match_from_record(record_in(record))
    told = scorebooks.scorebook(wire.ScorebookRequest(record))
    moments = scorebook_of(match).moments
    assert told.scores == match.scores and told.placements == match.placements
    assert [sum(share) for share in told.shares] == told.scores
    gains = [sum(column) for column in zip(*(one.gains for one in told.rounds), strict=True)]
    first = moments[0].scores
    assert [start + gain for start, gain in zip(first, gains, strict=True)] == told.scores
    plies = [point.ply for point in told.curve]
    assert plies[0] == 0 and plies[-1] == told.plies == match.ply
    assert [one.ply for one in told.rounds] == sorted(one.ply for one in told.rounds)
    by_ply = {point.ply: point.scores for point in told.curve}
    scores = by_ply[0]
    for moment in moments:
        scores = by_ply.get(moment.ply, scores)
        assert scores == moment.scores


def test_a_scorebook_is_worked_out_once_and_the_store_of_them_is_bounded() -> None:
    record = content("lumens")
    recent = scorebooks.Recent()
    told = msgspec.json.encode(scorebooks.scorebook(wire.ScorebookRequest(record)))
    key = scorebooks.key_of(wire.ScorebookRequest(record))
    recent.keep(key, told)
    nameless = {**record, "names": ["Player 1", "Player 2"]}
    assert recent.find(scorebooks.key_of(wire.ScorebookRequest(nameless))) is told
    shorter = {**record, "log": record["log"][:-1], "scores": None, "winners": None}
    assert recent.find(scorebooks.key_of(wire.ScorebookRequest(shorter))) is None
    recent.keep(b"long", bytes(scorebooks.MOST_KEPT_BYTES + 1))
    assert recent.find(b"long") is None
    for number in range(scorebooks.MOST_KEPT - 1):
        recent.keep(bytes([number]), told)
    assert recent.find(key) is told
    recent.keep(b"one more", told)
    assert recent.find(bytes([0])) is None and recent.find(key) is told


def test_a_scorebook_follows_from_the_record_that_a_viewer_may_have(server: Server) -> None:
    """There is no way to it but the record, which tells strangers no names."""
    ada, stranger = Person(server, "Ada"), Person(server, "Ben")
    table = ada.table("me", "novice", game="lumens")
    assert stranger.problem("GET", f"/api/tables/{table['id']}/record")["code"] == "no-record"
    play_live(ada, table, random.Random(3))
    mine, theirs = (one.call("GET", f"/api/tables/{table['id']}/record") for one in (ada, stranger))
    assert "Ada" in mine["names"] and "Ada" not in theirs["names"]
    told = ada.call("POST", "/api/replay/scorebook", {"record": mine})
    assert stranger.call("POST", "/api/replay/scorebook", {"record": theirs}) == told
    assert told["scores"] == ada.info(table)["result"]["scores"]
    assert "Ada" not in str(told)
    for wrong, code in (
        ({"format": "no"}, "invalid-record"),
        ({**mine, "rules": 99}, "other-rules"),
    ):
        assert ada.problem("POST", "/api/replay/scorebook", {"record": wrong})["code"] == code


def test_the_history_has_games_that_ended_by_game_and_page_by_page(server: Server) -> None:
    ada = Person(server, "Ada")
    ended = []
    for game in ("lumens", "lanterns"):
        table = ada.table("me", "novice", game=game)
        assert ada.command(table, "resign", seat=0).status_code == 200
        ended.append(table["id"])
    ada.table("me", "novice", game="lumens")
    opened = ada.table("me", "open", game="lumens")
    ada.call("DELETE", f"/api/tables/{opened['id']}")

    def ids(query: str = "") -> list[str]:
        return [info["id"] for info in ada.call("GET", f"/api/me/history{query}")["tables"]]

    whole = ada.call("GET", "/api/me/history")
    assert ids() == ended[::-1] and whole["next"] is None
    assert whole["tables"][0]["result"]["reason"] == "resigned"
    assert [seat["level"] for seat in whole["tables"][0]["seats"]] == [None, "novice"]
    assert ids("?game=lumens") == ended[:1] and ids("?game=chess") == []
    last = whole["tables"][0]
    assert ids(f"?before={last['changed_ms']}-{last['id']}") == ended[:1]
    assert ada.problem("GET", "/api/me/history?before=yesterday")["code"] == "invalid-query"
    ada.call("DELETE", f"/api/me/tables/{ended[0]}")
    assert ids() == ended[1:]
    nobody = Person(server).call("GET", "/api/me/history")
    assert nobody == {"tables": [], "next": None}
