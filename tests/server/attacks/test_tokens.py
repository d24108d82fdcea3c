"""Every secret opens the one door it was made for: keys, bot tokens, device-link codes,
invitations."""

from __future__ import annotations

import contextlib
import sqlite3
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.server.attacks.support import at_once
from tests.server.support import PLAIN, Json, Person, Server

ELEVEN_MINUTES_MS = 11 * 60_000
NEW_TABLE = {"game": "lanterns", "seats": [{"kind": "me"}, {"kind": "local"}]}


def bearer(
    server: Server, secret: str, method: str, path: str, body: Json | None = None
) -> httpx.Response:
    headers = {"Authorization": f"Bearer {secret}"}
    return httpx.request(
        method, f"{server.base}{path}", json=body, headers=headers, timeout=60, verify=PLAIN
    )


def with_cookie(
    server: Server, secret: str, method: str, path: str, body: Json | None = None
) -> httpx.Response:
    headers = {"Cookie": f"lampion={secret}"}
    return httpx.request(
        method, f"{server.base}{path}", json=body, headers=headers, timeout=60, verify=PLAIN
    )


def key_of(person: Person) -> str:
    key: str = person.web.cookies["lampion"]
    return key


def opens_nothing(server: Server, secret: str, owner: Person, table: Json) -> None:
    """Neither as a bearer token nor as a cookie does this secret act for its owner."""
    name = owner.call("GET", "/api/me")["name"]
    command = {"do": "resign", "id": "x", "seat": 0}
    for send in (bearer, with_cookie):
        reply = send(server, secret, "GET", "/api/me")
        assert reply.status_code >= 400 or reply.json()["id"] != owner.call("GET", "/api/me")["id"]
        send(server, secret, "PATCH", "/api/me", {"name": "Thief"})
        send(server, secret, "POST", f"/api/tables/{table['id']}/commands", command)
        listed = send(server, secret, "GET", "/api/me/tables")
        assert listed.status_code >= 400 or table["id"] not in listed.text
        link = send(server, secret, "POST", "/api/me/link", {})
        assert link.status_code >= 400 or claims(server, link.json()["code"], owner) is False
        send(server, secret, "DELETE", "/api/me")
    reply = bearer(server, secret, "POST", "/api/tables", NEW_TABLE)
    assert reply.status_code == 401, "a bearer that is none is told so"
    assert owner.call("GET", "/api/me")["name"] == name
    assert owner.info(table)["status"] == "running"


def claims(server: Server, code: str, owner: Person) -> bool:
    """Whether a code makes a newcomer the owner."""
    reply = Person(server).ask("POST", "/api/claim", {"code": code})
    return reply.status_code == 200 and reply.json()["id"] == owner.call("GET", "/api/me")["id"]


@pytest.fixture
def table(ada: Person) -> Json:
    return ada.table("me", "local")


def test_a_link_code_is_no_key_before_it_is_claimed(
    server: Server, ada: Person, table: Json
) -> None:
    code = ada.call("POST", "/api/me/link")["code"]
    opens_nothing(server, code, ada, table)
    assert claims(server, code, ada), "what it is made for still works"


def test_a_link_code_is_no_key_after_it_was_claimed(
    server: Server, ada: Person, table: Json
) -> None:
    code = ada.call("POST", "/api/me/link")["code"]
    assert claims(server, code, ada)
    opens_nothing(server, code, ada, table)
    assert not claims(server, code, ada), "a code works once"


def test_two_who_claim_a_code_at_once_are_not_both_let_in(server: Server, ada: Person) -> None:
    for _ in range(10):
        code = ada.call("POST", "/api/me/link")["code"]
        results = at_once([partial(claims, server, code, ada)] * 4)
        assert sorted(results) == [False, False, False, True]


def test_a_link_code_expires_after_ten_minutes(tmp_path: Path) -> None:
    server = Server(str(tmp_path / "lampion.db")).start()
    ada = Person(server, "Ada")
    table = ada.table("me", "local")
    old, fresh = (ada.call("POST", "/api/me/link")["code"] for _ in range(2))
    assert claims(server, fresh, ada)
    server.stop()
    make_older(tmp_path / "lampion.db", ELEVEN_MINUTES_MS)
    with server.start():
        refused = Person(server).problem("POST", "/api/claim", {"code": old})
        assert refused["code"] == "link-expired"
        opens_nothing(server, old, ada, table)


def make_older(file: Path, by_ms: int) -> None:
    """All codes and keys were made, and expire, that much earlier. Keys have no end, so they go
    on."""
    with contextlib.closing(sqlite3.connect(file)) as db, db:
        tables = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        for name in tables:
            columns = {row[1] for row in db.execute(f"PRAGMA table_info({name})")}
            if columns & {"hash", "code"} and "person_id" in columns:
                for column in columns & {"created_ms", "expires_ms", "until_ms", "ends_ms"}:
                    db.execute(f"UPDATE {name} SET {column} = {column} - ?", (by_ms,))


def test_an_invitation_is_no_key_and_no_link_code(
    server: Server, ada: Person, milo: Person
) -> None:
    open_table, table = ada.table("me", "open"), ada.table("me", "local")
    opens_nothing(server, open_table["invite"], ada, table)
    assert (
        milo.problem("POST", "/api/claim", {"code": open_table["invite"]})["code"] == "link-expired"
    )
    assert milo.join(open_table)["status"] == "running"


def test_an_invitation_opens_its_own_table_only(ada: Person, milo: Person) -> None:
    first, second = ada.table("me", "open"), ada.table("me", "open")
    path = f"/api/tables/{second['id']}/join"
    assert milo.problem("POST", path, {"invite": first["invite"]})["code"] == "not-invited"


def test_a_browser_key_is_no_bearer_token_and_no_link_code(
    server: Server, ada: Person, table: Json
) -> None:
    key = key_of(ada)
    assert bearer(server, key, "GET", "/api/me/tables").status_code == 401
    assert bearer(server, key, "PATCH", "/api/me", {"name": "Thief"}).status_code == 401
    assert not claims(server, key, ada)
    assert ada.call("GET", "/api/me")["name"] == "Ada", "and it has not been used up"


def test_a_bot_token_is_no_cookie_and_no_link_code(server: Server) -> None:
    made = httpx.post(
        f"{server.base}/api/bots", json={"name": "Robot"}, timeout=60, verify=PLAIN
    ).json()
    reply = with_cookie(server, made["token"], "GET", "/api/me")
    assert reply.status_code >= 400 or reply.json()["id"] != made["id"]
    refused = Person(server).problem("POST", "/api/claim", {"code": made["token"]})
    assert refused["code"] == "link-expired"
    assert bearer(server, made["token"], "GET", "/api/me").json()["id"] == made["id"], "still good"


def test_a_bot_token_makes_no_link_code(server: Server) -> None:
    """Otherwise a token lent to a program for a day becomes a browser key for good."""
    made = httpx.post(
        f"{server.base}/api/bots", json={"name": "Robot"}, timeout=60, verify=PLAIN
    ).json()
    reply = bearer(server, made["token"], "POST", "/api/me/link", {})
    assert 400 <= reply.status_code < 500


def test_all_keys_of_a_deleted_person_are_dead(server: Server) -> None:
    ada = Person(server, "Ada")
    code, unused = (ada.call("POST", "/api/me/link")["code"] for _ in range(2))
    phone = Person(server)
    phone.call("POST", "/api/claim", {"code": code})
    gone, old_keys = ada.call("GET", "/api/me")["id"], [key_of(ada), key_of(phone)]
    ada.call("DELETE", "/api/me")
    for key in old_keys:
        reply = with_cookie(server, key, "GET", "/api/me")
        assert reply.status_code >= 400 or reply.json()["id"] != gone
    assert Person(server).problem("POST", "/api/claim", {"code": unused})["code"] == "link-expired"


@pytest.mark.parametrize("secret", ["x", "x" * 5000, "ünïcode", "a b", "null", "../..", "\x7f"])
def test_a_bearer_that_is_none_is_refused(server: Server, secret: str) -> None:
    headers = {b"Authorization": b"Bearer " + secret.encode()}
    reply = httpx.post(
        f"{server.base}/api/me/link", json={}, headers=headers, timeout=60, verify=PLAIN
    )
    assert reply.status_code in (400, 401, 431), reply.text
    assert reply.json()["type"] == "problem"
