"""Games over the wire: whole ones, and everything people may do at a table."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from lampion.core.gamelog import read_record
from lampion.core.replay import match_from_record, verify_fairness
from tests.server.support import PLAIN, Json, Person, Server, play_live, wait_for
from tests.support import GAMES


@pytest.fixture
def table(ada: Person, milo: Person) -> Json:
    """Ada and Milo at a table of Lanterns, Ada to act."""
    made = ada.table("me", "open")
    milo.join(made)
    return made


def acted(person: Person, table: Json) -> Json:
    """Let a person act once; gives the update before."""
    update: Json = wait_for(
        lambda: next((one for one in person.updates(table) if one["legal"]), None), 30
    )
    assert person.act(table, update).status_code == 200
    return update


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_against_bots_over_the_socket(ada: Person, game: str) -> None:
    table = ada.table("me", "novice", "novice", game=game)
    info = play_live(ada, table, random.Random(1))
    assert info["status"] == "finished"
    assert info["result"]["reason"] == "played"
    content = ada.web.get(f"/api/tables/{table['id']}/record").content
    record = read_record(content)
    match = match_from_record(record)
    assert match.is_over
    assert verify_fairness(record, match) > 0
    assert record.fairness
    assert record.fairness.commitment == table["commitment"], (
        "the seed is the one that was promised before the deal"
    )
    assert ada.call("POST", "/api/verify", json.loads(content))["fair"]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_over_plain_http(ada: Person, game: str) -> None:
    table = ada.table("me", "local", game=game)
    while ada.info(table)["status"] == "running":
        for update in ada.updates(table):
            if update["legal"]:
                assert ada.act(table, update).status_code == 200
                break
    assert ada.info(table)["result"]["winners"]


def test_a_bot_of_ten_lines_plays_a_whole_game(ada: Person, server: Server) -> None:
    table = ada.table("open", "novice")
    link = f"{server.base}/t/{table['id']}#{table['invite'] or invite_of(ada, table)}"
    program = Path(__file__).parents[2] / "examples" / "bot" / "ten_lines.py"
    subprocess.run([sys.executable, str(program), link], check=True, timeout=120)
    assert ada.info(table)["status"] == "finished"


def invite_of(person: Person, table: Json) -> str:
    found: str = person.info(table)["invite"]
    return found


def test_a_refused_action_names_its_rule_and_changes_nothing(ada: Person, table: Json) -> None:
    before = ada.update(table)
    refused = ada.act(table, before, "pass").json()
    assert (refused["code"], refused["rule"]) == ("illegal-action", "L14")
    assert ada.act(table, before, "nonsense").json()["code"] == "invalid-action"
    assert ada.act(table, before, "undo 3").json()["code"] == "invalid-action"
    assert ada.update(table) == before


def test_a_command_is_done_once_however_often_it_arrives(ada: Person, table: Json) -> None:
    update = ada.update(table)
    command = {
        "do": "act",
        "id": "same",
        "seat": 0,
        "ply": update["ply"],
        "action": update["legal"][0],
    }
    path = f"/api/tables/{table['id']}/commands"
    first, second = (ada.call("POST", path, command)["messages"] for _ in range(2))
    assert first[0] == second[0] == {"type": "done", "id": "same"}
    assert first[2]["ply"] == second[2]["ply"]


def test_an_old_choice_is_stale_and_the_table_comes_again(
    ada: Person, milo: Person, table: Json
) -> None:
    with ada.live(table) as live:
        old = live.turn()
        live.send("act", seat=0, ply=old["ply"], action=old["legal"][-1])
        live.next("done")
        acted(milo, table)
        now = live.turn()
        live.send("act", seat=0, ply=old["ply"], action=now["legal"][0])
        assert live.next("problem")["code"] == "stale"
        assert live.next("update")["ply"] == now["ply"]


def test_nobody_acts_for_another_seat(
    ada: Person, milo: Person, server: Server, table: Json
) -> None:
    update = ada.update(table)
    assert milo.act(table, update).json()["code"] == "not-your-seat"
    assert Person(server, "Eve").act(table, update).json()["code"] == "not-your-seat"
    assert (
        milo.command(table, "act", seat=1, ply=update["ply"], action=update["legal"][0]).json()[
            "code"
        ]
        == "not-your-turn"
    )
    assert Person(server).command(table, "resign", seat=0).json()["code"] == "who-are-you"


def test_previews_are_for_the_seat_that_asks(ada: Person, milo: Person, table: Json) -> None:
    previews = ada.call("GET", f"/api/tables/{table['id']}/previews?seat=0")
    assert set(previews["previews"]) == set(ada.update(table)["legal"])
    assert (
        milo.problem("GET", f"/api/tables/{table['id']}/previews?seat=0")["code"] == "not-your-seat"
    )
    assert milo.call("GET", f"/api/tables/{table['id']}/previews?seat=1")["previews"] == {}


def test_simultaneous_choices_do_not_make_each_other_stale(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open", game="lanterns_dice")
    milo.join(table)
    chooser = random.Random(2)
    for _ in range(60):
        both = [
            update for person in (ada, milo) for update in person.updates(table) if update["legal"]
        ]
        if len(both) == 2:
            assert ada.act(table, both[0]).status_code == 200
            assert milo.act(table, both[1]).status_code == 200, (
                "what the other did meanwhile does not matter"
            )
            return
        person = (ada, milo)[both[0]["seat"]]
        assert person.act(table, both[0], chooser.choice(both[0]["legal"])).status_code == 200
    raise AssertionError("they never acted at the same time")


# --- undo, stop, resign, leave ----------------------------------------------------------------------------------------------------


def test_undo_is_free_against_bots_and_asked_for_among_people(
    ada: Person, milo: Person, table: Json
) -> None:
    before = acted(ada, table)
    assert ada.command(table, "undo", seat=0).status_code == 200
    asked = milo.info(table)["request"]
    assert (asked["what"], asked["by"], asked["waiting"]) == ("undo", 0, [1])
    assert (
        ada.command(table, "answer", seat=0, request=asked["number"], yes=True).json()["code"]
        == "no-question"
    )
    assert (
        milo.command(table, "answer", seat=1, request=asked["number"], yes=True).status_code == 200
    )
    after = ada.update(table)
    assert after["legal"] == before["legal"]
    assert after["view"]["seats"] == before["view"]["seats"]
    assert milo.info(table)["request"] is None

    alone = ada.table("me", "novice")
    first = acted(ada, alone)
    wait_for(lambda: ada.update(alone)["legal"], 30)
    assert ada.command(alone, "undo", seat=0).status_code == 200
    assert ada.info(alone)["request"] is None
    assert ada.update(alone)["legal"] == first["legal"]


def test_a_no_closes_the_question(ada: Person, milo: Person, table: Json) -> None:
    ada.command(table, "stop", seat=0)
    question = milo.info(table)["request"]
    assert ada.command(table, "stop", seat=0).json()["code"] == "question-open"
    milo.command(table, "answer", seat=1, request=question["number"], yes=False)
    assert ada.info(table)["request"] is None
    assert ada.info(table)["status"] == "running"


def test_stopped_by_consent_without_a_result(ada: Person, milo: Person, table: Json) -> None:
    ada.command(table, "stop", seat=0)
    milo.command(table, "answer", seat=1, request=milo.info(table)["request"]["number"], yes=True)
    info = ada.info(table)
    assert (info["status"], info["result"]["reason"], info["result"]["winners"]) == (
        "stopped",
        "stopped",
        [],
    )
    assert ada.web.get(f"/api/tables/{table['id']}/record").status_code == 200


def test_who_resigns_loses(ada: Person, milo: Person, table: Json) -> None:
    assert milo.ask("GET", f"/api/tables/{table['id']}/record").json()["code"] == "no-record"
    milo.command(table, "resign", seat=1)
    result = ada.info(table)["result"]
    assert (result["reason"], result["winners"], result["placements"]) == ("resigned", [0], [1, 2])


def test_a_bot_takes_over_a_seat_and_gives_it_back(ada: Person, milo: Person, table: Json) -> None:
    ada.command(table, "leave", seat=0)
    wait_for(lambda: milo.update(table)["legal"], 30)
    assert milo.info(table)["seats"][0]["stand_in"]
    assert ada.updates(table)[0]["legal"] == []
    assert ada.command(table, "return", seat=0).status_code == 200
    acted(milo, table)
    assert wait_for(lambda: ada.update(table)["legal"], 30)
    assert ada.command(table, "return", seat=0).json()["code"] == "not-away"


# --- looking on, talking, looking back --------------------------------------------------------------------------------------------


def test_a_spectator_sees_the_public_table_only(server: Server, table: Json) -> None:
    update = Person(server).update(table)
    assert update["seat"] is None
    assert update["legal"] == []
    assert all(seat["hand"] is None for seat in update["view"]["seats"])


def test_chat_reaches_everybody_at_the_table(ada: Person, milo: Person, table: Json) -> None:
    with milo.live(table) as live:
        ada.command(table, "say", text="good evening\n")
        ada.command(table, "say", phrase="good-luck")
        said = [live.next("said") for _ in range(2)]
    assert [(line["name"], line["text"], line["phrase"]) for line in said] == [
        ("Ada", "good evening", None),
        ("Ada", None, "good-luck"),
    ]
    assert ada.command(table, "say").json()["code"] == "nothing-said"
    again = milo.call("GET", f"/api/tables/{table['id']}/chat")["messages"]
    assert again == said


def test_a_hint_is_legal_and_only_for_games_against_bots(ada: Person, table: Json) -> None:
    assert ada.problem("POST", f"/api/tables/{table['id']}/hint", {"seat": 0})["code"] == "no-hints"
    alone = ada.table("me", "novice")
    hint = ada.call("POST", f"/api/tables/{alone['id']}/hint", {"seat": 0, "language": "fr"})
    assert hint["moves"][0]["action"] in ada.update(alone)["legal"]
    assert hint["sentence"].startswith("Le meilleur coup, comme indiqué : poser une tuile. ")
    assert re.search(
        r"[Vv]ous recevez une lanterne .*En regardant plus loin, .*\.$", hint["sentence"]
    )


def test_a_record_can_be_looked_at_from_every_seat(ada: Person) -> None:
    table = ada.table("me", "local", game="lumens")
    while ada.info(table)["status"] == "running":
        update = next(update for update in ada.updates(table) if update["legal"])
        ada.act(table, update)
    record = json.loads(ada.web.get(f"/api/tables/{table['id']}/record").content)
    plies = [position["ply"] for start in (0, 40) for position in
             ada.call("POST", "/api/replay", {"record": record, "seat": 1, "start": start})["positions"]]  # fmt: skip
    assert plies[:80] == list(range(min(80, len(record["log"]) + 1)))
    assert (
        ada.problem("POST", "/api/replay", {"record": {**record, "rules": 99}})["code"]
        == "other-rules"
    )
    assert (
        ada.problem("POST", "/api/replay", {"record": {"format": "no"}})["code"] == "invalid-record"
    )


@pytest.mark.parametrize("language", ["en", "fr", "it"])
def test_rulebooks_and_messages_are_served(server: Server, language: str) -> None:
    for game in GAMES:
        assert (
            "###" in httpx.get(f"{server.base}/api/rulebook/{game}/{language}", verify=PLAIN).text
        )
    assert httpx.get(f"{server.base}/api/messages/{language}", verify=PLAIN).json()["games"][
        "lanterns"
    ]["events"]
    assert httpx.get(f"{server.base}/api/rulebook/lanterns/../x", verify=PLAIN).status_code == 404
