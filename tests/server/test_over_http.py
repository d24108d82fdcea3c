"""Small endpoints over HTTP: lessons, words, searches for your own machine, keys, metrics."""

from __future__ import annotations

import httpx
import pytest

from tests.server.support import PLAIN, Json, Person, Server
from tests.support import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_is_done_step_by_step(ada: Person, game: str) -> None:
    first = ada.call("GET", f"/api/lessons/{game}")["lessons"][0]["name"]
    path, done = f"/api/lessons/{game}/{first}", list[str]()
    begins = ada.call("POST", path, {"done": []})
    assert begins["steps"] == [] and set(begins["wanted"]) <= set(begins["legal"])
    done.append(begins["wanted"][0])
    after = ada.call("POST", path, {"done": done})
    assert after["ply"] > begins["ply"]
    assert after["steps"][0]["action"] == done[0]
    assert ada.problem("POST", path, {"done": ["nonsense"]})["code"] != "internal"


def test_there_is_no_such_lesson_rulebook_or_language(ada: Person) -> None:
    for method, path in (
        ("POST", "/api/lessons/lanterns/flying"),
        ("GET", "/api/rulebook/lanterns/xx"),
        ("GET", "/api/messages/xx"),
    ):
        reply = ada.ask(method, path)
        assert (reply.status_code, reply.json()["code"]) == (404, "no-page")
    assert ada.ask("GET", "/api/lessons/chess").status_code == 404


def test_a_search_for_my_own_machine_is_worded_only_if_it_is_legal(ada: Person) -> None:
    table = ada.table("me", "novice")
    path = f"/api/tables/{table['id']}/hint"
    assert "iterations" in str(ada.call("POST", f"{path}/task", {"seat": 0}))
    found = [{"action": 10**6, "value": 0.5, "visits": 10}]
    assert ada.problem("POST", path, {"seat": 0, "found": found})["code"] == "stale"


def test_a_device_that_signs_itself_out_is_a_stranger(server: Server) -> None:
    for way in ("devices", "sign-out"):
        ada = Person(server, "Ada")
        (device,) = ada.call("GET", "/api/me/access")["devices"]
        if way == "devices":
            ada.call("DELETE", f"/api/me/devices/{device['id']}")
        else:
            ada.call("POST", "/api/me/sign-out")
        assert "lampion" not in ada.web.cookies, "the cookie is gone, too"
        assert ada.call("GET", "/api/me")["id"] is None


def test_what_a_person_does_not_have_cannot_be_kept_or_dropped(ada: Person, milo: Person) -> None:
    assert ada.problem("POST", "/api/me/recovery/kept")["code"] == "no-phrase"
    assert ada.problem("DELETE", "/api/me/passkeys/nothing")["code"] == "no-passkey"
    assert ada.problem("DELETE", "/api/me/devices/nothing")["code"] == "no-device"
    before = ada.call("GET", "/api/me/access")
    ada.call("POST", "/api/me/recovery")
    kept = ada.call("POST", "/api/me/recovery/kept")
    assert (before["phrase_kept"], kept["phrase_kept"]) == (False, True)


def test_a_new_browser_without_a_game_leaves_nothing_behind(server: Server, ada: Person) -> None:
    """A guest who has played is offered to bring the tables along; one who has not, is not."""
    for has_played in (False, True):
        other = Person(server, "Guest")
        if has_played:
            other.table("me", "novice")
        claimed = other.call(
            "POST", "/api/claim", {"code": ada.call("POST", "/api/me/link")["code"]}
        )
        assert bool(claimed["guest"]) == has_played


def test_metrics_are_for_this_machine_and_not_through_a_proxy(server: Server) -> None:
    plain = httpx.get(f"{server.base}/metrics", verify=PLAIN, timeout=60)
    assert plain.status_code == 200 and "lampion_" in plain.text
    via = {"Via": "1.1 proxy"}
    found = httpx.get(f"{server.base}/metrics", headers=via, verify=PLAIN, timeout=60)
    assert (found.status_code, found.json()["code"]) == (404, "no-page")


def test_a_record_is_looked_at_from_any_entry_on(ada: Person) -> None:
    table = ada.table("me", "me", game="lumens")
    ada.command(table, "resign", seat=0).raise_for_status()
    record: Json = ada.call("GET", f"/api/tables/{table['id']}/record")
    whole = ada.call("POST", "/api/replay", {"record": record, "draws": True})
    part = ada.call("POST", "/api/replay", {"record": record, "start": 1, "count": 2})
    assert [one["ply"] for one in part["positions"]] == [1, 2][: whole["plies"]]
    assert any(one["draw"] for one in whole["positions"])
    assert ada.problem("POST", "/api/replay", {"record": record, "seat": 5})["code"]


def test_what_a_browser_found_in_a_record_is_worded_only_if_it_was_legal(ada: Person) -> None:
    table = ada.table("me", "me")
    ply, seat = ada.update(table)["ply"], ada.info(table)["actors"][0]
    ada.command(table, "resign", seat=0).raise_for_status()
    record: Json = ada.call("GET", f"/api/tables/{table['id']}/record")
    asked = {"record": record, "ply": ply, "seat": seat}
    found = [{"action": 10**6, "value": 0.5, "visits": 10}]
    assert ada.problem("POST", "/api/replay/hint", asked | {"found": found})["code"] == "stale"
