"""Every secret opens the one door it was made for: keys, bot tokens, device-link codes,
invitations."""

from __future__ import annotations

import contextlib
import json
import socket
import sqlite3
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import httpx
import pytest

from tests.server.attacks.support import at_once, get, handshake
from tests.server.support import PLAIN, Json, Person, Server, wait_for

ELEVEN_MINUTES_MS = 11 * 60_000
STREAMS_PER_PERSON = 4
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


# --- what is open when a key is revoked ---------------------------------------------------------


@pytest.fixture
def phone(server: Server, ada: Person) -> Person:
    """Another device of Ada's."""
    device = Person(server)
    device.call("POST", "/api/claim", {"code": ada.call("POST", "/api/me/link")["code"]})
    return device


def frame(message: Json) -> bytes:
    """A text as a client sends it: masked (here with zeros), and shorter than 126 bytes."""
    text = json.dumps(message).encode()
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text


@contextlib.contextmanager
def stalled(person: Person, request: bytes) -> Iterator[socket.socket]:
    """A connection whose other end has stopped reading, and stays open."""
    with socket.socket() as plain:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        plain.connect(("127.0.0.1", person.server.port))
        plain.settimeout(30)
        plain.sendall(request)
        yield plain


def is_reset(plain: socket.socket, message: bytes) -> bool:
    """Whether the server has dropped the connection: it takes nothing more."""
    try:
        plain.sendall(message)
    except ConnectionError:
        return True
    return False


def test_a_socket_that_does_not_read_ends_with_its_key(ada: Person, phone: Person) -> None:
    table = ada.table("me", "open")
    cookie = f"Cookie: lampion={key_of(phone)}"
    request = handshake(f"/api/tables/{table['id']}/live?since=0", cookie)
    with stalled(phone, request) as plain:
        wait_for(lambda: ada.info(table)["seats"][0]["connected"])
        plain.sendall(frame({"do": "sync", "since": 0}) * 60)
        ada.call("POST", "/api/me/sign-out", {"others": True})
        say = frame({"do": "say", "id": "c", "text": "from beyond"})
        wait_for(lambda: is_reset(plain, say), 30)
        wait_for(lambda: not ada.info(table)["seats"][0]["connected"], 30)
    told = ada.call("GET", f"/api/tables/{table['id']}/chat")["messages"]
    assert "from beyond" not in str(told)


def test_a_reader_that_is_cut_off_says_nothing_more(ada: Person, milo: Person) -> None:
    """No key is revoked here: a socket that the server has given up takes no commands either."""
    table = ada.table("me", "open")
    milo.join(table)
    request = handshake(
        f"/api/tables/{table['id']}/live?since=0", f"Cookie: lampion={key_of(milo)}"
    )
    with stalled(milo, request) as plain:
        for _ in range(20):
            if is_reset(plain, frame({"do": "sync", "since": 0}) * 50):
                break
            time.sleep(0.05)
        wait_for(lambda: is_reset(plain, frame({"do": "ping"})), 30)
        wait_for(lambda: not ada.info(table)["seats"][1]["connected"], 30)


def lines_of(plain: socket.socket) -> Iterator[bytes]:
    """What a stream sends until the server ends it."""
    with plain.makefile("rb") as file:
        yield from file


def test_a_stream_ends_with_its_key(ada: Person, phone: Person) -> None:
    request = get(b"/api/me/stream", f"Cookie: lampion={key_of(phone)}".encode())
    with socket.create_connection(("127.0.0.1", ada.server.port), 30) as plain:
        plain.sendall(request)
        lines = lines_of(plain)
        known = ada.table("me", "local")["id"].encode()
        assert any(known in line for line in lines), "it is told of Ada's tables"
        ada.call("POST", "/api/me/sign-out", {"others": True})
        hidden = ada.table("me", "local")["id"].encode()
        assert not any(hidden in line for line in lines), "and of none that came later"


def test_the_stream_of_the_device_that_stays_goes_on(ada: Person, phone: Person) -> None:
    request = get(b"/api/me/stream", f"Cookie: lampion={key_of(ada)}".encode())
    with socket.create_connection(("127.0.0.1", ada.server.port), 30) as plain:
        plain.sendall(request)
        lines = lines_of(plain)
        known = ada.table("me", "local")["id"].encode()
        assert any(known in line for line in lines)
        ada.call("POST", "/api/me/sign-out", {"others": True})
        later = ada.table("me", "local")["id"].encode()
        assert any(later in line for line in lines)


def test_streams_that_nobody_reads_end_with_their_key(ada: Person, phone: Person) -> None:
    """Held open, they would count for ever against what their person may hold."""
    request = get(b"/api/me/stream", f"Cookie: lampion={key_of(phone)}".encode())
    for _ in range(20):
        ada.table("me", "local")
    with contextlib.ExitStack() as stack:
        for _ in range(STREAMS_PER_PERSON):
            plain = stack.enter_context(stalled(phone, request))
            assert plain.recv(12) == b"HTTP/1.1 200"
        assert opens_stream(ada) == 429
        for number in range(80):
            ada.call("PATCH", "/api/me", {"name": f"Ada {number}"})
        ada.call("POST", "/api/me/sign-out", {"others": True})
        wait_for(lambda: opens_stream(ada) == 200, 30)


def opens_stream(person: Person) -> int:
    with person.web.stream("GET", "/api/me/stream") as reply:
        return reply.status_code
