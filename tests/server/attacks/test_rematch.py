"""Rematch: one table however many ask, and its players get in without an invitation."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.server.attacks.support import at_once, count
from tests.server.support import Json, Person, Server


def finished(ada: Person, milo: Person, public: bool) -> Json:
    table = ada.table("me", "open", public=public)
    milo.join(table)
    milo.command(table, "resign", seat=1)
    return table


@pytest.mark.parametrize("public", [False, True])
def test_both_at_once_get_one_table_and_sit_at_it(
    server: Server, ada: Person, milo: Person, public: bool
) -> None:
    for _ in range(8):
        old = finished(ada, milo, public)
        before = count(server, "SELECT count(*) FROM game_table")
        again = f"/api/tables/{old['id']}/rematch"
        first, second = at_once([partial(person.call, "POST", again) for person in (ada, milo)])
        assert first["id"] == second["id"]
        assert count(server, "SELECT count(*) FROM game_table") == before + 1
        for person in (ada, milo):
            info = person.info(first)
            if not any(seat["mine"] for seat in info["seats"]):
                person.call("POST", f"/api/tables/{first['id']}/join", {})
        final = ada.info(first)
        assert final["status"] == "running"
        assert [seat["name"] for seat in final["seats"]] == ["Milo", "Ada"]


def test_a_player_of_a_private_table_is_let_into_its_rematch(ada: Person, milo: Person) -> None:
    old = finished(ada, milo, public=False)
    new = ada.call("POST", f"/api/tables/{old['id']}/rematch")
    assert milo.info(old)["next_table"] == new["id"]
    joined = milo.call("POST", f"/api/tables/{new['id']}/join", {})
    assert sum(seat["mine"] for seat in joined["seats"]) == 1
    assert joined["status"] == "running"


def test_who_is_led_to_a_rematch_that_exists_hosts_nothing_new(tmp_path: Path) -> None:
    """Milo hosts as many games as he may: a new one would put his game against a bot away."""
    with Server(str(tmp_path / "db"), "--tables-per-person", "2") as server:
        ada, milo = Person(server, "Ada"), Person(server, "Milo")
        old = finished(ada, milo, public=False)
        new = ada.call("POST", f"/api/tables/{old['id']}/rematch")
        own = [milo.table("me", "novice") for _ in range(2)]
        assert milo.call("POST", f"/api/tables/{old['id']}/rematch")["id"] == new["id"]
        assert [milo.info(table)["status"] for table in own] == ["running", "running"]


def test_a_hundred_rematches_are_one(server: Server, ada: Person, milo: Person) -> None:
    old = finished(ada, milo, public=False)
    before = count(server, "SELECT count(*) FROM game_table")
    path = f"/api/tables/{old['id']}/rematch"
    ids = {person.call("POST", path)["id"] for _ in range(50) for person in (ada, milo)}
    assert len(ids) == 1
    assert count(server, "SELECT count(*) FROM game_table") == before + 1
