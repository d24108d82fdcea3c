"""The files of deploy/nginx and deploy/caddy, with the real nginx and Caddy, play real games."""

from __future__ import annotations

import json
import random
import socket
import ssl
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from playwright.sync_api import Browser, expect

from lampion.server.web.security import HEADERS
from tests.deploy.conftest import Site
from tests.deploy.support import Proxy
from tests.server.support import Person, Server, play_live
from tests.web.support import welcome

KINDS = ("nginx", "caddy")


@dataclass(frozen=True)
class Place:
    """What people know of a server: its address."""

    base: str


def person_at(proxy: Proxy, name: str = "Ada", prefix: str = "") -> Person:
    """A client that knows only the proxy and takes it for the server."""
    return Person(cast(Server, Place(f"{proxy.base}{prefix}")), name)


def play_some_moves(person: Person, table: dict[str, Any], moves: int = 3) -> None:
    for _ in range(moves):
        update = person.update(table)
        if not update["legal"]:
            return
        assert person.act(table, update).status_code == 200


@pytest.mark.parametrize("kind", KINDS)
def test_games_are_played_through_the_proxy(kind: str, site: Site) -> None:
    proxy = site(kind, "one")
    ada = person_at(proxy)
    table = ada.table("me", "local", game="lumens")
    play_some_moves(ada, table)
    assert play_live(ada, table, random.Random(1))["result"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_invitation_works_and_the_headers_arrive_once(kind: str, site: Site) -> None:
    proxy = site(kind, "one")
    ada, ben = person_at(proxy, "Ada"), person_at(proxy, "Ben")
    table = ada.table("me", "open", game="lumens", public=False)
    assert ben.join(table)["status"] == "running"
    cookie = ada.ask("POST", "/api/me/link").request.headers["cookie"]
    assert cookie.startswith("lampion=")
    for path in ("/", "/api/catalogue", "/api/nothing", "/lantern.svg", f"/t/{table['id']}"):
        headers = httpx.get(f"{proxy.base}{path}").headers
        for name in (*HEADERS, "Strict-Transport-Security"):
            assert len(headers.get_list(name)) == 1, (path, name)


@pytest.mark.parametrize("kind", KINDS)
def test_metrics_are_not_for_everybody(kind: str, site: Site) -> None:
    proxy = site(kind, "one")
    assert httpx.get(f"{proxy.base}/metrics").status_code == 404


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_is_not_held_back(kind: str, site: Site) -> None:
    """The line about a move comes while the stream is open, after a silence longer than the time-outs."""
    proxy = site(kind, "one")
    ada = person_at(proxy)
    table = ada.table("me", "local", game="lumens")
    with ada.web.stream("GET", "/api/me/stream") as reply:
        lines = filter(None, reply.iter_lines())
        assert json.loads(next(lines))["table"]["id"] == table["id"]
        timer = threading.Timer(3, lambda: ada.command(table, "resign", seat=0))
        timer.start()
        assert json.loads(next(lines))["table"]["id"] == table["id"]
        timer.join()


@pytest.mark.parametrize("kind", KINDS)
def test_a_large_body_is_refused(kind: str, site: Site) -> None:
    proxy = site(kind, "one")
    headers = {"Content-Type": "application/json"}
    reply = httpx.post(f"{proxy.base}/api/verify", content=b" " * 700_000, headers=headers)
    # Caddy 2.6 has passed the beginning on when it notices, and calls that a bad gateway.
    assert reply.status_code in ((413,) if kind == "nginx" else (413, 502)), reply.text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "sent", [b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-", b"POST /api/tables HTTP/1.1\r\n"]
)
def test_a_half_open_request_is_cut(kind: str, sent: bytes, site: Site) -> None:
    proxy = site(kind, "one")
    context = ssl.create_default_context()
    plain = socket.create_connection(("127.0.0.1", proxy.port))
    with context.wrap_socket(plain, server_hostname="127.0.0.1") as held:
        held.settimeout(20)  # far more than the proxy's patience; then `recv` raises
        held.sendall(sent)
        while held.recv(4096):
            pass


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_browser_claims_about_its_address_does_not_get_through(
    kind: str, site: Site
) -> None:
    """New guests are limited by address; an invented X-Forwarded-For buys none."""
    proxy = site(kind, "one", "--limit-scale", "1")
    assert 429 in new_guests(proxy.base)


def new_guests(base: str) -> set[int]:
    with httpx.Client(base_url=base) as web:
        found = set()
        for k in range(60):
            headers = {"X-Forwarded-For": f"203.0.113.{k}", "X-Real-IP": f"203.0.113.{k}"}
            web.cookies.clear()
            found.add(web.patch("/api/me", json={"name": f"G{k}"}, headers=headers).status_code)
        return found


@pytest.mark.parametrize(("proxies", "believed"), [("127.0.0.0/8", True), ("192.0.2.1", False)])
def test_only_trusted_proxies_are_believed(proxies: str, believed: bool, tmp_path: Path) -> None:
    flags = ("--limit-scale", "1", "--proxies", proxies)
    with Server(str(tmp_path / "lampion.db"), *flags, log=tmp_path / "log") as server:
        assert (429 not in new_guests(server.base)) is believed


@pytest.mark.parametrize("kind", KINDS)
def test_three_processes_share_tables_and_one_may_die(kind: str, three: Site) -> None:
    proxy, servers = cast(tuple[Proxy, list[Server]], three(kind))
    ada = person_at(proxy)
    tables = [ada.table("me", "local", game="lumens") for _ in range(8)]
    homes = [home_of(ada, table, servers) for table in tables]
    assert all(len(home) == 1 for home in homes), f"each table belongs to one process: {homes}"
    assert len(set.union(*homes)) > 1, "the tables are spread over the processes"
    servers[0].kill()
    for table in tables:
        play_some_moves(ada, table)
    assert play_live(ada, tables[0], random.Random(2))["result"]


def home_of(person: Person, table: dict[str, Any], servers: list[Server]) -> set[int]:
    """The processes that carry out the commands of a table."""
    before = [commands_of(server) for server in servers]
    play_some_moves(person, table)
    return {k for k, server in enumerate(servers) if commands_of(server) > before[k]}


def commands_of(server: Server) -> int:
    text = httpx.get(f"{server.base}/metrics").text
    found = (line for line in text.splitlines() if line.startswith("lampion_command_seconds_count"))
    return int(float(next(found).split()[1]))


@pytest.mark.parametrize("kind", KINDS)
def test_a_browser_plays_under_a_path_prefix(kind: str, site: Site, browser: Browser) -> None:
    proxy = site(kind, "prefix", prefix="/lampion")
    place = cast(Server, Place(f"{proxy.base}/lampion"))
    ada = welcome(browser, place, ignore_https_errors=True)
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    ada.page.on("websocket", lambda socket: asked.append(socket.url))
    try:
        ada.press_play("lumens")
        ada.wait_until(lambda: ada.updates, "the socket speaks")
        ada.page.reload()
        expect(ada.page.locator("[data-ply]")).to_be_visible()
        ada.page.locator('a[href="/lampion/"]').first.click()
        ada.page.get_by_role("link", name="About").first.click()
        ada.page.wait_for_url(f"{proxy.base}/lampion/about")
        expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
        outside = [url for url in asked if "/lampion/" not in url and not url.startswith("data:")]
        assert not outside
        assert any(url.startswith("wss:") for url in asked)
        assert ada.errors == []
    finally:
        ada.leave()


@pytest.mark.parametrize("kind", KINDS)
def test_the_api_works_under_a_path_prefix(kind: str, site: Site) -> None:
    proxy = site(kind, "prefix", prefix="/lampion")
    ada = person_at(proxy, prefix="/lampion")
    table = ada.table("me", "local", game="lumens")
    assert play_live(ada, table, random.Random(3))["result"]
    assert httpx.get(f"{proxy.base}/lampion").headers["location"].endswith("/lampion/")
    page = httpx.get(f"{proxy.base}/lampion/t/{table['id']}").text
    assert '<meta name="base" content="/lampion/"' in page
