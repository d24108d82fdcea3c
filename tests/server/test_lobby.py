"""Before a game and beside it: standing up, being removed, canceling, being ready, taking a game
off one's list."""

from __future__ import annotations

import pytest

from tests.server.support import Json, Person, Server

CLOCK = {"kind": "clock", "seconds": 600, "increment": 10}


def path(table: Json, rest: str = "") -> str:
    return f"/api/tables/{table['id']}{rest}"


def kinds(table: Json) -> list[str]:
    return [seat["kind"] for seat in table["seats"]]


def listed(person: Person) -> set[str]:
    return {table["id"] for table in person.call("GET", "/api/me/tables")["tables"]}


@pytest.fixture
def iris(server: Server) -> Person:
    return Person(server, "Iris")


def test_a_player_stands_up_and_another_one_sits_down(
    ada: Person, milo: Person, iris: Person
) -> None:
    table = ada.table("me", "open", "open")
    milo.join(table)
    left = milo.call("DELETE", path(table, "/seats/1"))
    assert kinds(left) == ["person", "open", "open"]
    assert left["status"] == "open"
    iris.join(table)
    assert iris.info(table)["seats"][1]["name"] == "Iris"
    assert milo.join(table)["seats"][2]["mine"], "who left may come back"


def test_a_host_who_leaves_passes_the_table_on(ada: Person, milo: Person) -> None:
    table = ada.table("me", "local", "open", "open")
    milo.join(table)
    assert kinds(ada.call("DELETE", path(table, "/seats/0"))) == ["open", "open", "person", "open"]
    assert milo.info(table)["is_host"]
    assert [seat["host"] for seat in milo.info(table)["seats"]] == [False, False, True, False]
    assert milo.call("DELETE", path(table, "/seats/2"))["status"] == "stopped", "nobody is left"


def test_nobody_stands_up_from_a_running_game(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open")
    milo.join(table)
    assert milo.problem("DELETE", path(table, "/seats/1"))["code"] == "already-started"
    assert ada.problem("DELETE", path(table, "/seats/1"))["code"] == "already-started"
    assert ada.problem("DELETE", path(table))["code"] == "already-started"


def test_the_host_removes_a_player_who_cannot_come_back(
    ada: Person, milo: Person, iris: Person
) -> None:
    table = ada.table("me", "open", "open")
    milo.join(table)
    assert iris.problem("DELETE", path(table, "/seats/1"))["code"] == "not-host"
    assert ada.problem("DELETE", path(table, "/seats/2"))["code"] == "seat-free"
    assert kinds(ada.call("DELETE", path(table, "/seats/1"))) == ["person", "open", "open"]
    invited = path(table, f"?invite={table['invite']}")
    seen = milo.call("GET", invited)
    assert seen["is_removed"]
    assert not seen["is_insider"], "the chat and the names are closed, too"
    refused = milo.problem("POST", path(table, "/join"), {"invite": table["invite"]})
    assert refused["code"] == "removed"
    chat = path(table, f"/chat?invite={table['invite']}")
    assert milo.problem("GET", chat)["code"] == "not-at-table"
    assert not iris.call("GET", invited)["is_removed"]


def test_a_removal_renews_the_invitation(server: Server, ada: Person, milo: Person) -> None:
    """The removed player comes back as a new guest, even as one whose old self has been deleted."""
    table = ada.table("me", "open", "open")
    milo.join(table)
    ada.call("DELETE", path(table, "/seats/1"))
    renewed = ada.info(table)
    assert renewed["invite"] != table["invite"]
    milo.call("DELETE", "/api/me")
    for guest in (milo, Person(server, "Milo again")):
        refused = guest.problem("POST", path(table, "/join"), {"invite": table["invite"]})
        assert refused["code"] == "not-invited"
        assert not guest.call("GET", path(table, f"?invite={table['invite']}"))["is_insider"]
    assert Person(server, "Iris").join(renewed)["seats"][1]["mine"]


def test_a_cancelled_table_says_so_and_leaves_the_lists(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open", "open", public=True)
    milo.join(table)
    assert milo.problem("DELETE", path(table))["code"] == "not-host"
    cancelled = ada.call("DELETE", path(table))
    assert (cancelled["status"], cancelled["result"]) == ("stopped", None)
    assert table["id"] not in listed(ada) | listed(milo)
    public = milo.call("GET", "/api/tables")["tables"]
    assert table["id"] not in {each["id"] for each in public}


def test_a_cancelled_table_takes_nobody(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open")
    ada.call("DELETE", path(table))
    refused = milo.problem("POST", path(table, "/join"), {"invite": table["invite"]})
    assert refused["code"] == "cancelled"


def test_a_clock_waits_for_everybody(ada: Person, milo: Person, iris: Person) -> None:
    table = ada.table("me", "open", pace=CLOCK)
    assert not table["asks_ready"]
    full = milo.join(table)
    assert (full["status"], full["asks_ready"]) == ("open", True)
    assert iris.problem("POST", path(table, "/ready"))["code"] == "not-your-seat"
    half = milo.call("POST", path(table, "/ready"), {"ready": True})
    assert [seat["ready"] for seat in half["seats"]] == [False, True]
    assert milo.call("POST", path(table, "/ready"), {"ready": False})["status"] == "open"
    ada.call("POST", path(table, "/ready"), {})
    started = milo.call("POST", path(table, "/ready"), {})
    assert started["status"] == "running"


def test_a_clock_against_bots_starts_at_once(ada: Person) -> None:
    assert ada.table("me", "novice", pace=CLOCK)["status"] == "running"


def test_bots_in_the_last_seats_do_not_start_a_clock_over_the_heads_of_others(
    ada: Person, milo: Person
) -> None:
    table = ada.table("me", "open", "open", pace=CLOCK)
    milo.join(table)
    waiting = ada.call("POST", path(table, "/start"))
    assert (waiting["status"], kinds(waiting)) == ("open", ["person", "person", "bot"])
    assert [seat["ready"] for seat in waiting["seats"]] == [True, False, False]
    assert milo.call("POST", path(table, "/ready"))["status"] == "running"


def test_a_bot_in_the_last_seat_waits_for_the_host(ada: Person) -> None:
    table = ada.table("me", "open")
    changed = ada.call("PUT", path(table, "/seats/1"), {"kind": "bot", "level": "novice"})
    assert changed["status"] == "open"
    assert ada.call("POST", path(table, "/start"))["status"] == "running"


def test_people_talk_before_the_game_and_keep_their_names(
    ada: Person, milo: Person, iris: Person
) -> None:
    table = ada.table("me", "open", "open", public=True)
    milo.join(table)
    for person, words in ((milo, "I must go"), (iris, "may I watch?")):
        person.command(table, "say", text=words).raise_for_status()
    milo.call("DELETE", path(table, "/seats/1"))
    iris.join(table)
    said = ada.call("GET", path(table, "/chat"))["messages"]
    assert [(line["name"], line["seat"]) for line in said] == [("Milo", None), ("Iris", None)]


def test_a_game_against_bots_is_taken_off_the_list_for_good(ada: Person, milo: Person) -> None:
    table = ada.table("me", "novice")
    mine = f"/api/me/tables/{table['id']}"
    assert milo.problem("DELETE", mine)["code"] == "no-table"
    assert table["id"] in listed(ada)
    ada.call("DELETE", mine)
    assert table["id"] not in listed(ada)
    assert ada.info(table)["status"] == "stopped"
    ada.call("DELETE", mine)


def test_a_dismissed_game_with_others_goes_on_and_can_be_taken_up_again(
    ada: Person, milo: Person
) -> None:
    table = ada.table("me", "open")
    milo.join(table)
    ada.call("DELETE", f"/api/me/tables/{table['id']}")
    assert table["id"] not in listed(ada)
    assert table["id"] in listed(milo)
    seat = milo.info(table)["seats"][0]
    assert (seat["stand_in"], seat["may_return"]) == ("planner", True)
    ada.command(table, "return", seat=0).raise_for_status()
    assert table["id"] in listed(ada)


def test_a_dismissed_open_table_is_left(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open", "open")
    milo.join(table)
    milo.call("DELETE", f"/api/me/tables/{table['id']}")
    assert kinds(ada.info(table)) == ["person", "open", "open"]
    ada.call("DELETE", f"/api/me/tables/{table['id']}")
    assert ada.info(table)["status"] == "stopped"


def test_a_refused_question_is_told_to_everybody(ada: Person, milo: Person) -> None:
    table = ada.table("me", "open")
    milo.join(table)
    ada.command(table, "stop", seat=0).raise_for_status()
    question = milo.info(table)["request"]["number"]
    milo.command(table, "answer", seat=1, request=question, yes=False).raise_for_status()
    refused = ada.info(table)["refused"]
    assert refused == {"number": question, "what": "stop", "by": 0, "seat": 1}
