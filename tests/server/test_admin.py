"""What operators can do over the admin API, and what nobody can do without a key."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import psycopg
import pytest

from lampion.server.admin.catalog import OPERATIONS, carry_out
from lampion.server.admin.keys import AdminKeys
from lampion.server.clock import Clock
from lampion.server.config import Config
from lampion.server.people.keys import hash_of
from lampion.server.services import Services
from lampion.server.store import open_store
from lampion.server.tables.info import invitation
from lampion.server.wire import admin as wire
from tests.server.admin import Operator, drains, lines, operator_of, start, started
from tests.server.support import PLAIN, Person, Server, wait_for

SOON = 5.0
"""Seconds within which another process must know; a second on an idle machine."""


@pytest.fixture(scope="module")
def operator(server: Server) -> Operator:
    return operator_of(server)


# --- keys ---


def test_without_a_valid_key_nothing_is_done_and_the_attempt_is_logged(
    server: Server, operator: Operator
) -> None:
    for key in ("", "wrong", "x" * 5000, operator.key[:-1]):
        reply = Operator(server, key).ask("tables")
        assert (reply.status_code, reply.json()["code"]) == (401, "not-an-admin")
    person = Person(server, "Ada")
    assert person.problem("POST", "/api/admin/tables", {})["code"] == "not-an-admin", (
        "a cookie is no admin key"
    )
    bot = person.call("POST", "/api/bots", {"name": "Robo"})["token"]
    assert Operator(server, bot).problem("tables") == "not-an-admin", (
        "nor is the token of a program"
    )
    assert ("unknown key", "wrong key", "127.0.0.1") in operator.audit()


def test_an_admin_key_is_no_key_of_a_person(server: Server, operator: Operator) -> None:
    me = httpx.get(f"{server.base}/api/me", headers={"Authorization": f"Bearer {operator.key}"})
    assert me.json()["id"] is None


def test_wrong_keys_cannot_fill_the_audit_log(tmp_path: Path) -> None:
    with started(str(tmp_path / "db"), "--limit-scale", "1") as server:
        replies = [
            Operator(server, f"wrong {number}").ask("status").status_code for number in range(40)
        ]
        assert replies.count(401) == 10
        assert replies.count(429) == 30
        wait_for(lambda: httpx.get(f"{server.base}/live", verify=PLAIN).status_code == 200)
        notes = [
            entry for entry in lines(server.database, "audit") if entry["action"] == "wrong key"
        ]
        assert len(notes) == 10


def test_keys_expire_and_can_be_revoked(tmp_path: Path) -> None:
    """With a clock of its own: no test waits for a key to expire."""

    class Later(Clock):
        ahead_ms = 0

        def now_ms(self) -> int:
            return super().now_ms() + self.ahead_ms

    async def story() -> None:
        store, clock = open_store(str(tmp_path / "db")), Later()
        keys = AdminKeys(store, clock)
        _, short = await keys.add("short", for_seconds=60)
        _, long = await keys.add("long")
        first, second = keys.new_local(), keys.new_local()
        assert [await keys.label_of(each) for each in (short, long, first, second)] == [
            "short",
            "long",
            "local",
            "local",
        ]
        keys.new_local()
        assert await keys.label_of(first) is None, "the key before the last is forgotten"
        clock.ahead_ms = 61_000
        assert [await keys.label_of(each) for each in (short, long)] == [None, "long"]
        await keys.revoke("long")
        assert await keys.label_of(long) is None
        assert [row.label for row in await keys.all()] == ["short"]
        await store.close()

    asyncio.run(story())


def test_a_key_is_shown_once_and_never_again(server: Server, operator: Operator) -> None:
    made = operator.call("new-key", label="once", for_seconds=3600)
    assert Operator(server, made["secret"]).call("status")["processes"] == 1
    shown = operator.ask("keys").text + operator.ask("audit", limit=200).text
    assert made["secret"] not in shown
    assert hash_of(made["secret"]) not in shown
    operator.call("revoke-key", key=made["id"])
    assert Operator(server, made["secret"]).problem("status") == "not-an-admin"
    assert operator.problem("revoke-key", key=made["id"]) == "no-key"


def test_the_api_can_be_switched_off(tmp_path: Path) -> None:
    with started(str(tmp_path / "db"), "--no-admin") as server:
        assert Operator(server, "any").problem("status") == "no-page"
        assert not (tmp_path / "db.admin").exists()


# --- what is shown ---


def test_no_reply_tells_what_players_hide(
    server: Server, operator: Operator, ada: Person, milo: Person
) -> None:
    """Neither seeds, invitations, keys and their hashes, nor what seats hold or say."""
    table = ada.table("me", "open", game="lanterns")
    milo.join(table)
    ada.command(table, "say", text="a word among friends")
    with sqlite3.connect(f"file:{server.database}?mode=ro", uri=True) as db:
        (seed,) = db.execute("SELECT seed FROM game_table WHERE id = ?", (table["id"],)).fetchone()
        hashes = [
            row[0] for row in db.execute("SELECT hash FROM token UNION SELECT hash FROM admin_key")
        ]
    person = ada.call("GET", "/api/me")["id"]
    asked = {
        "tables": {"text": table["id"]},
        "table": {"table": table["id"]},
        "people": {"limit": 200},
        "person": {"person": person},
        "sanctions": {"over": True},
        "audit": {"limit": 200},
        "status": {}, "processes": {}, "keys": {},
    }  # fmt: skip
    shown = "".join(operator.ask(name, **request).text for name, request in asked.items())
    assert table["id"] in shown
    secrets = [
        seed,
        invitation(seed),
        table["invite"],
        *hashes,
        ada.web.cookies["lampion"],
        "a word among friends",
    ]
    assert [secret for secret in secrets if secret in shown] == []
    details = operator.call("table", table=table["id"])
    assert {"view", "legal", "seed", "invite", "steps", "chat"} & details.keys() == set()
    assert {seat["name"] for seat in details["seats"]} == {"Ada", "Milo"}
    hand = ada.update(table)["view"]
    assert hand
    assert set(details["seats"][0]) == {
        "seat", "kind", "name", "person", "level", "stand_in", "connected", "resigned",
        "out_of_time",
    }  # fmt: skip


def test_a_chat_is_read_only_for_a_reason_and_that_is_logged(
    operator: Operator, ada: Person
) -> None:
    table = ada.table("me", "novice")
    ada.command(table, "say", text="hello you")
    assert operator.problem("chat", table=table["id"]) == "invalid-message"
    said = operator.call("chat", table=table["id"], reason="a complaint")["lines"]
    assert [line["text"] for line in said] == ["hello you"]
    assert ("test", "chat", table["id"]) in operator.audit()


def test_tables_and_people_are_found_by_status_game_and_name(
    operator: Operator, ada: Person
) -> None:
    ada.call("PATCH", "/api/me", {"name": "Zephyrine"})
    table = ada.table("me", "open", game="lumens")
    found = operator.call("tables", text="zephy", status="open", game="lumens")["tables"]
    assert [each["id"] for each in found] == [table["id"]]
    assert [(seat["kind"], seat["name"]) for seat in found[0]["seats"]] == [
        ("person", "Zephyrine"),
        ("open", None),
    ]
    assert operator.call("tables", text="zephy", status="running")["tables"] == []
    assert [each["name"] for each in operator.call("people", text="ZEPHY")["people"]] == [
        "Zephyrine"
    ]
    page = operator.call("tables", limit=1)
    assert page["more"]
    assert (
        operator.call("tables", limit=1, after=page["tables"][0]["id"])["tables"] != page["tables"]
    )


# --- what is done ---


def test_a_closed_game_ends_through_its_log(operator: Operator, ada: Person) -> None:
    table = ada.table("me", "novice")
    with ada.live(table) as live:
        operator.call("close", table=table["id"], reason="asked for")
        while (info := live.next("info"))["table"]["result"] is None:
            pass
    assert info["table"]["result"]["reason"] == "stopped"
    assert operator.problem("close", table=table["id"], reason="again") == "already-over"
    assert operator.problem("close", table="nothing-here", reason="no") == "no-table"
    log = operator.audit()
    assert log.index(("test", "close refused", table["id"])) < log.index(
        ("test", "close", table["id"])
    )


def test_a_deleted_table_is_gone_and_its_watchers_are_sent_away(
    operator: Operator, ada: Person
) -> None:
    table = ada.table("me", "novice")
    with ada.live(table) as live:
        live.turn()
        operator.call("delete", table=table["id"], reason="made by a script")
        assert live.close_code() == 1013
    assert ada.problem("GET", f"/api/tables/{table['id']}")["code"] == "no-table"
    assert operator.problem("delete", table=table["id"], reason="again") == "no-table"


def test_a_deleted_person_is_forgotten_and_bots_play_on(
    operator: Operator, ada: Person, milo: Person
) -> None:
    table = ada.table("me", "open")
    milo.join(table)
    person = milo.call("GET", "/api/me")["id"]
    operator.call("delete-person", person=person, reason="asked for")
    assert milo.call("GET", "/api/me")["id"] is None
    assert ada.info(table)["seats"][1]["stand_in"]
    assert operator.problem("person", person=person) == "no-person"
    assert operator.problem("delete-person", person=person, reason="again") == "no-person"


def test_a_ban_holds_at_once_and_is_replaced_and_lifted(operator: Operator, ada: Person) -> None:
    table = ada.table("me", "novice")
    person = ada.call("GET", "/api/me")["id"]
    with ada.live(table) as live:
        live.turn()
        first = operator.call(
            "sanction", what="ban", subject=person, reason="insults", for_seconds=600
        )
        assert live.close_code() == 1008
    assert ada.problem("GET", "/api/me")["values"]["reason"] == "insults"
    second = operator.call("sanction", what="ban", subject=person, reason="worse")
    active = [each["id"] for each in operator.call("sanctions", subject=person)["sanctions"]]
    assert active == [second["id"]] != [first["id"]]
    operator.call("lift", sanction=second["id"])
    assert ada.call("GET", "/api/me")["id"] == person
    assert operator.problem("lift", sanction=second["id"]) == "no-sanction"


def test_a_muted_person_plays_but_does_not_chat(operator: Operator, ada: Person) -> None:
    table, person = ada.table("me", "novice"), ada.call("GET", "/api/me")["id"]
    made = operator.call("sanction", what="mute", subject=person, reason="spam", for_seconds=600)
    assert ada.command(table, "say", text="psst").json()["code"] == "mute-in-force"
    assert ada.act(table, ada.update(table)).status_code == 200
    operator.call("lift", sanction=made["id"])
    assert ada.command(table, "say", text="thanks").status_code == 200


@pytest.mark.parametrize(
    ("subject", "code"),
    [("127.0.0.1", "own-address"), ("::1", "own-address"), ("10.0.0.0/8", "invalid-request"),
     ("2001:db8::/32", "invalid-request"), ("nobody-at-all", "no-person")],
)  # fmt: skip
def test_bans_that_cannot_be_meant_are_refused(operator: Operator, subject: str, code: str) -> None:
    assert operator.problem("sanction", what="ban", subject=subject, reason="x") == code


@pytest.mark.parametrize(
    ("subject", "stored"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:5::/64", "2001:db8:5::/64"),
    ],
)
def test_addresses_are_banned_as_visitors_are_counted(
    operator: Operator, subject: str, stored: str
) -> None:
    assert (
        operator.call("sanction", what="ban", subject=subject, reason="floods", for_seconds=60)[
            "subject"
        ]
        == stored
    )


def test_ends_of_bans_are_checked(operator: Operator, ada: Person) -> None:
    person = ada.call("GET", "/api/me")["id"]
    ban = {"what": "ban", "subject": person, "reason": "x"}
    assert operator.problem("sanction", **ban, until_ms=1000) == "past-end"
    assert operator.problem("sanction", **ban, until_ms=2**50, for_seconds=5) == "invalid-request"
    assert operator.problem("sanction", **ban, for_seconds=0) == "invalid-message"


def test_an_announcement_reaches_pages_and_sockets(operator: Operator, ada: Person) -> None:
    table = ada.table("me", "novice")
    with ada.live(table) as live:
        live.turn()
        operator.call("announce", text="Back soon", for_seconds=600)
        assert live.next("announced")["announcement"]["text"] == "Back soon"
        assert ada.call("GET", "/api/catalogue")["announcement"]["text"] == "Back soon"
        operator.call("announce", text=None)
        assert live.next("announced")["announcement"] is None
    assert ada.call("GET", "/api/catalogue")["announcement"] is None
    assert operator.problem("announce", text="two\nlines") == "invalid-request"


def test_a_draining_server_starts_no_games_and_continues_those_it_has(tmp_path: Path) -> None:
    with started(str(tmp_path / "db")) as server:
        operator, ada = operator_of(server), Person(server, "Ada")
        table = ada.table("me", "novice")
        assert [each["draining"] for each in operator.call("drain")["processes"]] == [True]
        assert drains(server)
        body = {"game": "lanterns", "seats": [{"kind": "me"}, {"kind": "bot"}]}
        assert ada.problem("POST", "/api/tables", body)["code"] == "draining"
        assert ada.act(table, ada.update(table)).status_code == 200
        operator.call("drain", on=False)
        assert not drains(server)
        operator.call("drain")
        assert operator.problem("drain", process="elsewhere/1") == "no-process"
        server.stop()
        start(server)
        assert not drains(server), "a new process takes new games"


def test_a_quarantined_table_comes_back_when_its_log_can_be_read(tmp_path: Path) -> None:
    database = str(tmp_path / "db")
    with started(database) as server:
        table = Person(server, "Ada").table("me", "novice")
    with sqlite3.connect(database) as db:
        where = (table["id"],)
        (text,) = db.execute(
            "SELECT payload FROM event WHERE table_id = ? AND seq = 3", where
        ).fetchone()
        db.execute("UPDATE event SET payload = 'nonsense' WHERE table_id = ? AND seq = 3", where)
    with start(server):
        operator = operator_of(server)
        wait_for(lambda: operator.call("tables", status="quarantined")["tables"])
        details = operator.call("table", table=table["id"])
        assert (details["ply"], details["status"]) == (None, "quarantined")
        assert "event 3" in details["problem"]
        assert operator.problem("retry", table=table["id"]) == "still-corrupt"
        assert operator.problem("close", table=table["id"], reason="x") == "quarantined"
        server.stop()
        with sqlite3.connect(database) as db:
            db.execute(
                "UPDATE event SET payload = ? WHERE table_id = ? AND seq = 3", (text, *where)
            )
        start(server)
        assert operator.call("retry", table=table["id"])["status"] == "running"
        assert operator.call("table", table=table["id"])["ply"] > 0
        assert operator.problem("retry", table=table["id"]) == "not-quarantined"


def test_pruning_tells_how_much_it_removed(operator: Operator) -> None:
    assert set(operator.call("prune")) == {"codes", "tables", "people"}


def test_nothing_is_done_that_is_not_in_the_log_first(tmp_path: Path) -> None:
    """If the entry cannot be written, the deed is not done."""

    async def story() -> None:
        store = open_store(str(tmp_path / "db"))
        services = Services(Config(str(tmp_path / "db")), store)
        with sqlite3.connect(tmp_path / "db") as db:
            db.execute("ALTER TABLE audit RENAME TO audit_away")
        request = wire.Announce("unheard")
        with pytest.raises(Exception, match="database"):
            await carry_out(services, "test", OPERATIONS["announce"], request)
        assert await store.setting("announcement") is None
        await services.duties.close()
        await store.close()

    asyncio.run(story())


def test_the_log_names_ids_and_never_a_name_or_a_search(operator: Operator, ada: Person) -> None:
    ada.call("PATCH", "/api/me", {"name": "Quetzalina"})
    person = ada.call("GET", "/api/me")["id"]
    operator.call("people", text="Quetzalina")
    operator.call("person", person=person)
    operator.call("delete-person", person=person, reason="asked for")
    shown = operator.ask("audit", limit=200).text
    assert person in shown
    assert "Quetzalina" not in shown


# --- many processes ---


@contextmanager
def two_processes(database: str) -> Iterator[tuple[Server, Server]]:
    with started(database) as one, started(database) as two:
        yield one, two


def test_every_process_knows_within_a_second(fresh_database: str) -> None:
    if not fresh_database.startswith("postgres"):
        pytest.skip("SQLite has one process")
    with two_processes(fresh_database) as (one, two):
        operator = operator_of(one)
        wait_for(lambda: len(operator.call("processes")["processes"]) == 2)
        _check_people(operator, two)
        _check_tables(operator, two)
        _check_server(operator, two)
        assert Operator(two, operator.key).call("status")["processes"] == 2
        key = operator.call("keys")["keys"][0]["id"]
        operator.call("revoke-key", key=key)
        assert Operator(two, operator.key).problem("status") == "not-an-admin"
    with psycopg.connect(fresh_database) as db:
        left = db.execute("SELECT count(*) FROM admin_key").fetchone()
        assert left == (0,), "the command leaves no key of its own behind"


def _check_people(operator: Operator, two: Server) -> None:
    milo, ada = Person(two, "Milo"), Person(two, "Ada")
    table = milo.table("me", "novice")
    person = milo.call("GET", "/api/me")["id"]
    with milo.live(table) as live, milo.web.stream("GET", "/api/me/stream") as stream:
        live.turn()
        made = operator.call("sanction", what="ban", subject=person, reason="insults")
        assert live.close_code() == 1008
        assert all(line for line in stream.iter_lines()), "it ends before it has been idle once"
    assert milo.problem("GET", "/api/me")["code"] == "ban-in-force"
    operator.call("lift", sanction=made["id"])
    wait_for(lambda: milo.ask("GET", "/api/me").status_code == 200, SOON)
    shared = ada.table("me", "open")
    milo.join(shared)
    operator.call("delete-person", person=person, reason="asked for")
    assert milo.call("GET", "/api/me")["id"] is None, "before it is acknowledged"
    wait_for(lambda: ada.info(shared)["seats"][1]["name"] is None, SOON)


def _check_tables(operator: Operator, two: Server) -> None:
    ada = Person(two, "Ada")
    closed, deleted = ada.table("me", "novice"), ada.table("me", "novice")
    with ada.live(closed) as live:
        live.turn()
        operator.call("close", table=closed["id"], reason="asked for")
        while live.next("info", SOON)["table"]["result"] is None:
            pass
    with ada.live(deleted) as live:
        live.turn()
        operator.call("delete", table=deleted["id"], reason="made by a script")
        assert live.close_code() == 1013
    assert ada.problem("GET", f"/api/tables/{deleted['id']}")["code"] == "no-table"


def _check_server(operator: Operator, two: Server) -> None:
    operator.call("announce", text="Back soon")
    heard = lambda: httpx.get(f"{two.base}/api/catalogue", verify=PLAIN).json()["announcement"]  # noqa: E731
    wait_for(heard, SOON)
    operator.call("drain")
    wait_for(lambda: drains(two), SOON)
    name = next(
        each["id"] for each in operator.call("processes")["processes"] if two.base == each["url"]
    )
    operator.call("drain", on=False, process=name)
    wait_for(lambda: not drains(two), SOON)
    assert drains(operator.server), "the other one still drains"
