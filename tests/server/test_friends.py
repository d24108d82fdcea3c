"""Devices, figures, and people who have played together."""

from __future__ import annotations

import pytest

from lampion.server.study.figures import wilson
from tests.server.support import Json, Person, Server


def finished(ada: Person, milo: Person) -> Json:
    """Milo has won a game against Ada, who resigned."""
    table = ada.table("me", "open")
    milo.join(table)
    assert ada.command(table, "resign", seat=0).status_code == 200
    return table


def test_devices_are_listed_and_signed_out_one_by_one_or_all(server: Server, ada: Person) -> None:
    phone, tablet = Person(server), Person(server)
    phone.web.headers["User-Agent"] = "Mozilla/5.0 (Android 15; Mobile) Firefox/140.0"
    for device in (phone, tablet):
        device.call("POST", "/api/claim", {"code": ada.call("POST", "/api/me/link")["code"]})
    devices = {each["label"]: each for each in ada.call("GET", "/api/me/access")["devices"]}
    assert len(devices) == 2 and not devices["Firefox · Android"]["current"]
    left = ada.call("DELETE", f"/api/me/devices/{devices['Firefox · Android']['id']}")["devices"]
    assert len(left) == 2
    assert phone.call("GET", "/api/me")["id"] is None
    assert tablet.call("GET", "/api/me")["id"]
    gone = ada.problem("DELETE", f"/api/me/devices/{devices['Firefox · Android']['id']}")
    assert gone["code"] == "no-device"
    tablet.call("POST", "/api/me/sign-out", {"everywhere": True})
    assert ada.call("GET", "/api/me")["id"] is tablet.call("GET", "/api/me")["id"] is None


def test_figures_count_games_by_opponents_and_can_be_forgotten(ada: Person, milo: Person) -> None:
    finished(ada, milo)
    table = milo.table("me", "novice")
    milo.command(table, "resign", seat=0)
    own = milo.table("me", "local")  # at one screen: counts for nobody
    assert milo.command(own, "say", text="hello").status_code == 200
    found = milo.call("GET", "/api/me/profile")
    assert (found["games"], found["pending"]) == (2, 0)
    shares = {figure["against"]: figure["total"] for figure in found["figures"]}
    assert (shares["people"]["games"], shares["people"]["share"]) == (1, 1.0)
    assert shares["novice"]["share"] == 0
    assert shares["people"]["low"] == pytest.approx(0.2065, abs=1e-4)
    export = milo.call("GET", "/api/me/export")
    assert {game["table"] for game in export["games"]} >= {table["id"]}
    assert export["games"][0]["reason"] == "resigned" and export["games"][-1]["ended_ms"] is None
    assert [line["text"] for line in export["chat"]] == ["hello"]
    assert export["notifications"]["ways"] == [] and export["access"]["mail"] == []
    assert milo.web.cookies["lampion"] not in str(export)
    assert milo.call("DELETE", "/api/me/history")["seats"] == 2
    assert milo.call("GET", "/api/me/profile")["games"] == 0
    assert ada.call("GET", "/api/me/profile")["games"] == 1, "only mine are gone"


def test_the_interval_of_wilson() -> None:
    """Values of Newcombe (1998), table I."""
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=1e-4)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=1e-4)
    assert wilson(0, 0) == (0.0, 1.0), "nothing is known"


def test_a_friend_is_challenged_and_may_decline_or_block(
    server: Server, ada: Person, milo: Person
) -> None:
    finished(ada, milo)
    stranger = Person(server, "Mallory")
    (friend,) = ada.call("GET", "/api/me/friends")["friends"]
    assert friend["name"] == "Milo" and set(friend) == {"id", "name", "game", "last_ms"}
    assert stranger.table("me", "local") and not stranger.call("GET", "/api/me/friends")["friends"]
    seats = [{"kind": "me"}, {"kind": "open", "friend": friend["id"]}]
    wanted = {"game": "lanterns", "seats": seats}
    assert stranger.problem("POST", "/api/tables", wanted)["code"] == "no-friend"
    table = ada.call("POST", "/api/tables", wanted)
    (asked,) = [each for each in milo.call("GET", "/api/me/tables")["tables"] if each["invites_me"]]
    assert asked["id"] == table["id"] and asked["is_insider"]
    assert not stranger.info(table)["is_insider"]
    join = f"/api/tables/{table['id']}/join"
    assert stranger.problem("POST", join, {})["code"] == "not-invited"
    assert milo.call("POST", join, {})["status"] == "running", "without the secret of the link"
    declined, *more = [ada.call("POST", "/api/tables", wanted) for _ in range(5)]
    listed = milo.call("GET", "/api/me/tables")["tables"]
    assert sum(each["invites_me"] for each in listed) == 3, "as long as he has not answered"
    assert {each["status"] for each in more} == {"open"}, "Ada learns nothing"
    for each in listed:
        if each["invites_me"]:
            milo.call("DELETE", f"/api/me/tables/{each['id']}")
    assert ada.info(declined)["status"] == "open", "it is Ada's table still"
    own = milo.call("GET", "/api/me/friends")["friends"][0]["id"]
    assert milo.problem("DELETE", f"/api/me/friends/{friend['id']}")["code"] == "no-friend"
    milo.call("DELETE", f"/api/me/friends/{own}")
    ignored = ada.call("POST", "/api/tables", wanted)
    assert ignored["status"] == "open", "Ada learns nothing"
    listed = milo.call("GET", "/api/me/tables")["tables"]
    assert not [each for each in listed if each["invites_me"]]
    assert milo.call("GET", "/api/me/friends")["friends"] == []


def test_a_rematch_asks_everybody(ada: Person, milo: Person) -> None:
    table = finished(ada, milo)
    again = ada.call("POST", f"/api/tables/{table['id']}/rematch")
    (asked,) = [each for each in milo.call("GET", "/api/me/tables")["tables"] if each["invites_me"]]
    assert asked["id"] == again["id"]
