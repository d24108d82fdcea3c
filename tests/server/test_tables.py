"""Tables: made, found, filled, started, played again; people and their data."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

import lampion
from lampion.core.game import find_game
from lampion.core.variants import VARIANT, variant_names
from tests.server.support import Person, Server, wait_for


def test_a_table_of_bots_and_me_starts_at_once(ada: Person) -> None:
    table = ada.table("me", "novice", "novice")
    assert table["status"] == "running"
    assert [seat["kind"] for seat in table["seats"]] == ["person", "bot", "bot"]
    assert [seat["mine"] for seat in table["seats"]] == [True, False, False]
    assert len(table["commitment"]) == 64
    assert table["invite"] is None


def test_a_friend_joins_by_link_and_the_last_one_starts_the_game(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open")
    assert table["status"] == "open"
    joined = milo.join(table)
    assert joined["status"] == "running"
    assert [seat["name"] for seat in joined["seats"]] == ["Ada", "Milo"]
    assert milo.join(table)["seats"] == joined["seats"], "who sits already just sits there"


def test_without_its_link_a_private_table_cannot_be_joined(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open")
    assert milo.info(table)["invite"] is None
    for invite in (None, "x" * 24):
        assert (
            milo.problem("POST", f"/api/tables/{table['id']}/join", {"invite": invite})["code"]
            == "not-invited"
        )


def test_a_full_table_takes_nobody(ada: Person, milo: Person, server: Server) -> None:
    table = ada.table("me", "open", public=True)
    milo.call("POST", f"/api/tables/{table['id']}/join", {})
    iris = Person(server, "Iris")
    assert iris.problem("POST", f"/api/tables/{table['id']}/join", {})["code"] == "no-free-seat"


def test_public_tables_are_listed_and_private_ones_are_not(ada: Person, milo: Person) -> None:
    public, private = ada.table("me", "open", public=True), ada.table("me", "open")
    listed = {table["id"] for table in milo.call("GET", "/api/tables")["tables"]}
    assert public["id"] in listed
    assert private["id"] not in listed
    assert {public["id"], private["id"]} <= {
        table["id"] for table in ada.call("GET", "/api/me/tables")["tables"]
    }


def test_the_host_starts_with_bots_in_the_open_seats(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open", "open")
    assert milo.problem("POST", f"/api/tables/{table['id']}/start")["code"] == "not-host"
    started = ada.call("POST", f"/api/tables/{table['id']}/start")
    assert started["status"] == "running"
    assert [seat["kind"] for seat in started["seats"]] == ["person", "bot", "bot"]


def test_the_host_gives_an_open_seat_to_a_bot_and_back(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open", "open")
    path = f"/api/tables/{table['id']}/seats/1"
    assert milo.problem("PUT", path, {"kind": "bot"})["code"] == "not-host"
    assert (
        ada.call("PUT", path, {"kind": "bot", "level": "novice"})["seats"][1]["level"] == "novice"
    )
    assert ada.call("PUT", path, {"kind": "open"})["seats"][1]["kind"] == "open"
    assert ada.problem("PUT", path, {"kind": "bot", "level": "wizard"})["code"] == "unknown-level"
    assert (
        ada.problem("PUT", f"/api/tables/{table['id']}/seats/0", {"kind": "bot"})["code"]
        == "seat-taken"
    )


def test_bad_requests_say_what_is_wrong_and_where(ada: Person) -> None:
    def code(body: object) -> str:
        found: str = ada.problem("POST", "/api/tables", body)["code"]
        return found

    assert code({"game": "chess", "seats": [{"kind": "me"}, {"kind": "open"}]}) == "unknown-game"
    assert code({"game": "lanterns", "seats": [{"kind": "me"}]}) == "invalid-message"
    assert (
        code({"game": "lanterns", "seats": [{"kind": "me"}, {"kind": "bot", "level": "no"}]})
        == "unknown-level"
    )
    assert (
        code({"game": "lanterns", "seats": [{"kind": "me"}, {"kind": "open"}], "cheat": True})
        == "invalid-message"
    )
    assert (
        code(
            {"game": "lanterns", "seats": [{"kind": "me"}, {"kind": "open"}], "options": {"x": "y"}}
        )
        == "unknown-option"
    )
    assert ada.problem("GET", "/api/tables/nowhere1")["code"] == "no-table"
    assert ada.problem("GET", "/api/nothing")["code"] == "no-page"


def test_the_catalog_declares_options_and_variants(ada: Person) -> None:
    games = {game["name"]: game["options"] for game in ada.call("GET", "/api/catalogue")["games"]}
    assert games["lumens"] == [
        {
            "kind": "choice",
            "name": "starts",
            "default": "published",
            "players": [3],
            "choices": ["published", "balanced"],
        }
    ]
    kinds = {option["name"]: option["kind"] for option in games["lanterns_dice"]}
    assert kinds == {"setup": "choice", "lakes": "choice", "fireworks": "text", "emperor": "text"}
    for name in games:
        variants = variant_names(find_game(name))
        found = [option for option in games[name] if option["name"] == VARIANT]
        assert [option["choices"][1:] for option in found] == ([[*variants]] if variants else [])


@pytest.mark.parametrize("variant", variant_names(find_game("lanterns")))
def test_a_variant_is_played_and_recorded(ada: Person, variant: str) -> None:
    table = ada.table("me", "novice", options={VARIANT: variant})
    assert table["options"] == {VARIANT: variant}
    seats = ada.update(table)["view"]["seats"]
    open_to_all = lampion.new("lanterns", 2, options={VARIANT: variant}).view()["seats"]
    assert [seat["hand"] is None for seat in seats][1:] == [
        seat["hand"] is None for seat in open_to_all
    ][1:]
    ada.command(table, "resign", seat=0)
    record = ada.call("GET", f"/api/tables/{table['id']}/record")
    assert record["options"] == {VARIANT: variant}


def test_a_wrong_option_makes_no_table(ada: Person) -> None:
    before = ada.call("GET", "/api/me/tables")
    seats = [{"kind": "me"}, {"kind": "open"}]
    for game, options, code in (
        ("lanterns", {VARIANT: "nothing"}, "invalid-option"),
        ("lumens", {"starts": "balanced"}, "option-not-for-players"),
        ("lanterns_dice", {"fireworks": "I3 I3 I3 I3"}, "invalid-option"),
    ):
        body = {"game": game, "seats": seats, "options": options}
        problem = ada.problem("POST", "/api/tables", body)
        assert problem["code"] == code
        assert problem["where"] == f"options.{next(iter(options))}"
    assert ada.call("GET", "/api/me/tables") == before


def test_a_seat_moves_to_another_device_once(ada: Person, server: Server) -> None:
    table = ada.table("me", "novice")
    code = ada.call("POST", "/api/me/link")["code"]
    phone = Person(server)
    assert phone.call("POST", "/api/claim", {"code": code})["name"] == "Ada"
    assert phone.info(table)["seats"][0]["mine"]
    assert Person(server).problem("POST", "/api/claim", {"code": code})["code"] == "link-expired"


def test_a_new_name_is_seen_at_the_table(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open")
    milo.join(table)
    with milo.live(table) as live:
        live.next("update")
        ada.call("PATCH", "/api/me", {"name": "Ada L."})
        wait_for(lambda: live.next("info")["table"]["seats"][0]["name"] == "Ada L.", 20)
    assert ada.problem("PATCH", "/api/me", {"name": "\u202e"})["code"] == "invalid-name"


def test_a_deleted_person_is_gone_and_the_game_stays(
    ada: Person, milo: Person, server: Server
) -> None:
    unusual = "Zebulon Quandary"
    zebulon = Person(server, unusual)
    table = zebulon.table("me", "open")
    milo.join(table)
    zebulon.command(table, "say", text="my secret words")
    zebulon.call("DELETE", "/api/me")
    left = milo.info(table)
    assert left["status"] == "running"
    assert left["seats"][0]["stand_in"]
    assert unusual not in str(left)
    assert "secret words" not in str(milo.call("GET", f"/api/tables/{table['id']}/chat"))


def test_rematch_passes_the_first_seat_on_and_everybody_is_led_there(
    ada: Person, milo: Person
) -> None:
    table = ada.table("me", "open")
    milo.join(table)
    assert ada.problem("POST", f"/api/tables/{table['id']}/rematch")["code"] == "no-rematch"
    assert milo.command(table, "resign", seat=1).status_code == 200
    new = ada.call("POST", f"/api/tables/{table['id']}/rematch")
    assert [seat["kind"] for seat in new["seats"]] == ["open", "person"]
    assert milo.info(table)["next_table"] == new["id"]
    assert milo.call("POST", f"/api/tables/{table['id']}/rematch")["id"] == new["id"]


def test_only_our_own_pages_may_send_commands(ada: Person, server: Server) -> None:
    cookies = {"lampion": ada.web.cookies["lampion"]}
    for headers in ({"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}):
        reply = httpx.post(f"{server.base}/api/me/link", json={}, headers=headers, cookies=cookies)
        assert (reply.status_code, reply.json()["code"]) == (403, "wrong-origin")
    form = httpx.post(f"{server.base}/api/claim", data={"code": "x" * 20}, cookies=cookies)
    assert form.json()["code"] == "wrong-type"


def test_replies_carry_the_security_headers(server: Server) -> None:
    reply = httpx.patch(f"{server.base}/api/me", json={"name": "Ada"})
    assert "default-src 'none'" in reply.headers["content-security-policy"]
    assert reply.headers["x-content-type-options"] == "nosniff"
    cookie = reply.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_a_body_that_is_too_large_is_refused(ada: Person) -> None:
    assert (
        ada.problem("POST", "/api/tables", {"game": "x" * 20_000, "seats": []})["code"]
        == "too-large"
    )


def test_health_and_metrics(server: Server, ada: Person) -> None:
    assert ada.call("GET", "/health")["status"] == "ok"
    figures = httpx.get(f"{server.base}/metrics").text
    assert "lampion_sockets" in figures
    assert "lampion_command_seconds_bucket" in figures


def test_the_oldest_game_against_bots_makes_room_for_a_new_one(tmp_path: Path) -> None:
    """With friends it does not: nobody ends a game that others play in."""
    with Server(str(tmp_path / "lampion.db"), "--tables-per-person", "2") as server:
        ada, milo = Person(server, "Ada"), Person(server, "Milo")
        oldest, older = ada.table("me", "novice"), ada.table("me", "novice")
        ada.table("me", "novice")
        assert [ada.info(table)["status"] for table in (oldest, older)] == ["stopped", "running"]
        shared = milo.table("me", "open"), milo.table("me", "open")
        for table in shared:
            ada.join(table)
        wanted = {"game": "lanterns", "seats": [{"kind": "me"}, {"kind": "bot"}]}
        assert milo.problem("POST", "/api/tables", wanted)["code"] == "too-many-tables"
        assert [ada.info(table)["status"] for table in shared] == ["running", "running"]
