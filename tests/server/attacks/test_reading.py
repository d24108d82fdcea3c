"""Reading leaves nothing behind: no person, no table, no event."""

from __future__ import annotations

import httpx
import pytest

from tests.server.attacks.conftest import Newcomer
from tests.server.attacks.support import check_headers, count, get, new_address, send_raw
from tests.server.support import Person, Server

PAGES = [
    "/",
    "/t/abcdefgh",
    "/api/me",
    "/api/me/tables",
    "/api/catalogue",
    "/api/tables",
    "/health",
    "/api/rulebook/lanterns/en",
    "/api/messages/fr",
    "/openapi.json",
    "/robots.txt",
    "/api/nothing",
]


def people(server: Server) -> int:
    return count(server, "SELECT count(*) FROM person") + count(
        server, "SELECT count(*) FROM token"
    )


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_is_read_stores_nobody(guarded: Server, page: str) -> None:
    before = people(guarded)
    for _ in range(3):
        reply = send_raw(guarded, get(page.encode()), new_address())
        assert reply.status < 500
        check_headers(reply)
    assert people(guarded) == before


def test_who_watches_a_table_is_not_stored(guarded: Server, newcomer: Newcomer) -> None:
    table = newcomer("Ada").table("me", "local", public=True)
    before = people(guarded)
    visitor = Person(guarded, address=new_address())
    for page in (
        "",
        "/feed?since=0",
        "/feed?since=0&said=0",
        "/chat",
        "/record",
        "/previews?seat=0",
    ):
        assert visitor.ask("GET", f"/api/tables/{table['id']}{page}").status_code < 500
    with visitor.live(table) as live:
        live.next("update")
    assert people(guarded) == before


def test_what_is_refused_stores_nobody(guarded: Server) -> None:
    before = people(guarded)
    visitor = Person(guarded, address=new_address())
    for method, path, body in (
        ("POST", "/api/tables", {"game": "chess", "seats": []}),
        ("POST", "/api/tables", {"game": "chess", "seats": [{"kind": "me"}, {"kind": "open"}]}),
        ("POST", "/api/tables/nowhere1/join", {}),
        ("POST", "/api/claim", {"code": "x" * 24}),
        ("PATCH", "/api/me", {"name": "\u202e"}),
        ("POST", "/api/bots", {"name": "\u202e"}),
        ("POST", "/api/verify", {}),
    ):
        assert 400 <= visitor.ask(method, path, body).status_code < 500, path
    assert people(guarded) == before


def test_who_does_something_is_stored_once(guarded: Server) -> None:
    before = count(guarded, "SELECT count(*) FROM person")
    visitor = Person(guarded, address=new_address())
    table = visitor.table("me", "local")
    visitor.act(table, visitor.update(table))
    assert visitor.call("GET", "/api/me")["id"]
    assert count(guarded, "SELECT count(*) FROM person") == before + 1


def test_a_thousand_readers_cost_no_memory(guarded: Server) -> None:
    httpx.get(f"{guarded.base}/api/me")
    before = guarded.memory()
    for _ in range(1000):
        send_raw(guarded, get(b"/api/me"), new_address())
    assert guarded.memory() - before < 20 * 2**20
