"""The web application from inside, in one event loop with its services: for what is hard to bring
about over a real connection. What a connection does is in test_live.py and attacks/test_floods.py."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import Request
from starlette.types import ASGIApp, Message

from lampion.core.errors import LampionError
from lampion.server import wire
from lampion.server.config import Config
from lampion.server.errors import TooMany
from lampion.server.people.keys import Key
from lampion.server.services import Services
from lampion.server.store import open_store
from lampion.server.store.base import StorageFailed, TokenKind
from lampion.server.study import pictures
from lampion.server.study.pictures import PictureFacts
from lampion.server.tables.room import Viewer
from lampion.server.web import client, http, limits, sockets, streams
from lampion.server.web.app import app_of
from lampion.server.web.endpoints import probes
from lampion.server.web.http import Endpoint, read_body, viewer_of
from lampion.server.web.limits import Limiter, Who
from lampion.server.web.security import key_of, security_headers
from lampion.server.web.shell import Shell
from tests.server.inside import ADA, Failing, act, new_table, running, store_rules_version, until


class Site:
    """The application, the store below it that can be switched off, and Ada's cookie."""

    def __init__(self, services: Services, store: Failing, cookie: str, database: Path) -> None:
        self.services, self.store, self.cookie = services, store, cookie
        self.database = database
        self.app: ASGIApp = app_of(services)
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        cookies = {"lampion": cookie}
        self.web = httpx.AsyncClient(transport=transport, base_url="http://site", cookies=cookies)

    async def problem(self, method: str, path: str, **more: Any) -> tuple[int, str]:
        reply = await self.web.request(method, path, **more)
        return reply.status_code, reply.json()["code"]


def on_site(play: Callable[[Site], Awaitable[None]], folder: Path, **settings: Any) -> None:
    async def run() -> None:
        store = Failing(open_store(str(folder / "db")))
        async with running(store, **settings) as services:
            cookie = await services.people.add_key(ADA, TokenKind.COOKIE)
            site = Site(services, store, cookie, folder / "db")
            async with site.web:
                await play(site)

    asyncio.run(run())


class Tab:
    """A browser tab at a table. `stalls` is one that takes nothing."""

    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.stalls = False
        self.breaks = False
        self._says: asyncio.Queue[Message] = asyncio.Queue()

    async def receive(self) -> Message:
        message = await self._says.get()
        if message["type"] == "break":
            raise RuntimeError("the line is out of order")
        return message

    async def send(self, message: Message) -> None:
        if self.breaks:
            raise OSError("gone")
        if self.stalls and message["type"] == "websocket.send":
            await asyncio.Event().wait()
        self.sent.append(message)

    def say(self, **command: Any) -> None:
        self._says.put_nowait({"type": "websocket.receive", "text": json.dumps(command)})

    def interrupt(self, kind: str) -> None:
        self._says.put_nowait({"type": kind})

    @property
    def told(self) -> list[dict[str, Any]]:
        return [json.loads(one["text"]) for one in self.sent if one["type"] == "websocket.send"]

    @property
    def closed(self) -> list[tuple[int, str]]:
        closing = (one for one in self.sent if one["type"] == "websocket.close")
        return [(one["code"], one["reason"]) for one in closing]


@contextlib.asynccontextmanager
async def at_table(site: Site, table: str, query: str = "", cookie: str = "") -> AsyncIterator[Tab]:
    tab = Tab()
    headers = [(b"host", b"site"), (b"cookie", f"lampion={cookie}".encode())] if cookie else []
    scope: dict[str, Any] = {
        "type": "websocket", "scheme": "ws", "path": f"/api/tables/{table}/live", "root_path": "",
        "query_string": query.encode(), "headers": headers, "client": ("127.0.0.1", 1),
        "subprotocols": [],
    }  # fmt: skip
    tab.interrupt("websocket.connect")
    serving = asyncio.ensure_future(site.app(scope, tab.receive, tab.send))
    await until(lambda: tab.told or serving.done())
    try:
        yield tab
    finally:
        tab.interrupt("websocket.disconnect")
        await asyncio.wait([serving])


# --- sockets ---


def test_a_page_in_the_background_says_so_and_comes_back(tmp_path: Path) -> None:
    async def play(site: Site) -> None:
        table = await new_table(site.services, "me", "novice")
        room = await site.services.rooms.room(table)
        async with at_table(site, table, cookie=site.cookie) as tab:
            tab.say(do="look", seen=False)
            await until(lambda: room.away() == {"ada"})
            tab.say(do="look", seen=True)
            await until(lambda: room.away() == set())
        assert room.connected() == set()
        async with at_table(site, table, "hidden=1", site.cookie):
            assert room.away() == {"ada"}

    on_site(play, tmp_path)


def test_a_table_that_is_deleted_sends_its_own_tabs_away_and_no_others(tmp_path: Path) -> None:
    async def play(site: Site) -> None:
        first, second = [await new_table(site.services, "me", "open") for _ in range(2)]
        async with (
            at_table(site, first, cookie=site.cookie) as sent_away,
            at_table(site, second, cookie=site.cookie) as stays,
        ):
            await site.services.rooms.delete(first)
            await until(lambda: sent_away.closed)
            assert sent_away.closed == [(1013, "no-table")]
            stays.say(do="ping")
            await until(lambda: stays.told[-1] == {"type": "pong"})
            before = len(sent_away.told)
            sent_away.say(do="ping")
            await asyncio.sleep(0.05)
            assert len(sent_away.told) == before, "it is told nothing more"

    on_site(play, tmp_path)


def test_a_socket_that_breaks_is_logged_closed_and_leaves_its_table(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def play(site: Site) -> None:
        table = await new_table(site.services, "me", "novice")
        room = await site.services.rooms.room(table)
        async with at_table(site, table, cookie=site.cookie) as tab:
            tab.interrupt("break")
            await until(lambda: tab.closed)
        assert tab.closed == [(1011, "internal")]
        assert len(room.watchers) == 0
        assert [one.levelname for one in caplog.records if one.message == "socket failed"] == [
            "ERROR"
        ]

    on_site(play, tmp_path)


def test_a_socket_whose_key_dies_in_the_handshake_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(site: Site) -> None:
        table = await new_table(site.services, "me", "novice")

        async def slowly(*asked: Any) -> Viewer:
            await site.services.people.sign_out(
                ADA, Key(site.cookie, TokenKind.COOKIE), everywhere=False
            )
            return await viewer_of(*asked)

        monkeypatch.setattr(sockets, "viewer_of", slowly)
        async with at_table(site, table, cookie=site.cookie) as tab:
            await until(lambda: tab.closed)
            assert (tab.closed, tab.told) == ([(1008, "signed-out")], [])

    on_site(play, tmp_path)


def test_a_tab_that_takes_nothing_is_cut_off_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "SEND_SECONDS", 0.05)

    async def play(site: Site) -> None:
        table = await new_table(site.services, "me", "novice")
        async with at_table(site, table, cookie=site.cookie) as tab:
            tab.stalls = True
            tab.say(do="ping")
            await until(lambda: tab.closed)
            assert tab.closed == [(1013, "too slow")]

    on_site(play, tmp_path)


def test_a_tab_that_is_too_far_behind_is_cut_off_at_once(tmp_path: Path) -> None:
    async def play(site: Site) -> None:
        table = await new_table(site.services, "me", "novice")
        async with at_table(site, table, cookie=site.cookie) as tab:
            tab.stalls = True
            for _ in range(sockets.MOST_WAITING + 2):
                tab.say(do="ping")
            await until(lambda: tab.closed)
            assert tab.closed == [(1013, "too slow")]

    on_site(play, tmp_path)


def test_a_connection_that_is_gone_is_told_nothing_more(tmp_path: Path) -> None:
    async def play(site: Site) -> None:
        table = await new_table(site.services, "me", "me")
        room = await site.services.rooms.room(table)
        async with at_table(site, table, cookie=site.cookie) as tab:
            (socket,) = room.watchers
            tab.breaks = True
            await act(site.services, table)
            await until(lambda: socket.is_closed)  # type: ignore[attr-defined]

    on_site(play, tmp_path)


def test_a_stranger_watches_and_does_not_talk(tmp_path: Path) -> None:
    async def play(site: Site) -> None:
        table = await new_table(site.services, "me", "open", public=True)
        async with at_table(site, table) as tab:
            tab.say(do="say", id="c", text="hello")
            await until(lambda: tab.told[-1]["type"] == "problem")
            assert tab.told[-1]["code"] == "who-are-you"

    on_site(play, tmp_path)


def test_while_news_may_be_missing_every_command_asks_the_store_for_its_key(tmp_path: Path) -> None:
    """Another process may have signed the device out, and this one has not heard of it."""

    async def play(site: Site) -> None:
        services = site.services
        await until(lambda: services.peers.is_current)
        table = await new_table(services, "me", "novice")
        async with at_table(site, table, cookie=site.cookie) as tab:
            await services.following.close()
            await services.supervisor.close()
            await until(lambda: not services.peers.is_current)
            await site.store.drop_tokens("ada")
            tab.say(do="say", id="c", text="hello")
            await until(lambda: tab.told[-1]["type"] == "problem")
            assert tab.told[-1]["code"] == "signed-out"

    on_site(play, tmp_path)


def test_a_handshake_at_a_path_without_a_socket_is_refused_in_good_form(tmp_path: Path) -> None:
    async def play(site: Site) -> None:
        async with at_table(site, "x/y") as tab:
            start, body = tab.sent
            assert (start["status"], json.loads(body["body"])["code"]) == (404, "no-page")

    on_site(play, tmp_path)


# --- streams ---


def test_a_quiet_stream_has_an_empty_line_now_and_then_and_ends_with_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 0.02)

    async def play(site: Site) -> None:
        await new_table(site.services, "me", "open")
        lines: list[bytes] = []
        scope: dict[str, Any] = {
            "type": "http", "method": "GET", "path": "/api/me/stream", "root_path": "",
            "query_string": b"", "headers": [(b"cookie", f"lampion={site.cookie}".encode())],
            "client": ("127.0.0.1", 1), "http_version": "1.1", "scheme": "http",
        }  # fmt: skip

        async def receive() -> Message:
            await asyncio.Event().wait()
            return {}

        async def send(message: Message) -> None:
            lines.append(message.get("body", b""))

        serving = asyncio.ensure_future(site.app(scope, receive, send))
        await until(lambda: b"\n" in lines)
        await site.services.people.sign_out_everywhere(ADA)
        await asyncio.wait_for(serving, 60)
        assert sum(b'"info"' in line for line in lines) == 1

    on_site(play, tmp_path)


# --- failures ---


def test_what_goes_wrong_inside_is_logged_and_told_without_a_word_of_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: Any) -> None:
        raise RuntimeError("the secret of the house")

    async def play(site: Site) -> None:
        monkeypatch.setattr(site.services.ways, "shown", broken)
        reply = await site.web.get("/api/me/notifications")
        assert (reply.status_code, reply.json()["code"]) == (500, "internal")
        assert "secret" not in reply.text
        (said,) = [one for one in caplog.records if one.message == "request failed"]
        assert said.exc_info and "secret" in str(said.exc_info[1])

    on_site(play, tmp_path)


def test_a_store_that_fails_is_503_and_not_ready(tmp_path: Path) -> None:
    async def play(site: Site) -> None:
        assert (await site.web.get("/ready")).json()["checks"]["database"] == "ok"
        site.store.is_off = True
        site.services.people._known.clear()
        assert await site.problem("GET", "/api/me") == (503, "storage-unreachable")
        assert await probes._database(site.services) == "storage-unreachable"
        site.store.is_off = False

    on_site(play, tmp_path)


def test_a_database_that_does_not_answer_is_called_slow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never() -> None:
        await asyncio.Event().wait()

    async def play(site: Site) -> None:
        monkeypatch.setattr(probes, "PING_SECONDS", 0.01)
        monkeypatch.setattr(site.store, "ping", never, raising=False)
        reply = await site.web.get("/ready")
        assert (reply.status_code, reply.json()["checks"]["database"]) == (503, "slow")

    on_site(play, tmp_path)


def test_a_reply_that_breaks_off_is_logged_and_not_continued_as_another(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sent: list[Message] = []

    async def breaks(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise RuntimeError("half-way")

    async def send(message: Message) -> None:
        sent.append(message)

    class Nobody:
        def check_not_banned(self, *_: Any) -> None: ...

    shell = Shell(breaks, Config(), Limiter(), Nobody())  # type: ignore[arg-type]
    scope: dict[str, Any] = {"type": "http", "path": "/", "client": None, "headers": []}
    with pytest.raises(RuntimeError):
        asyncio.run(shell(scope, None, send))  # type: ignore[arg-type]
    assert [one["type"] for one in sent] == ["http.response.start"]
    assert [one.message for one in caplog.records] == ["reply broken off"]


def test_a_server_without_its_client_says_how_to_build_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.index_page("/", tmp_path) is None

    async def play(site: Site) -> None:
        page = await site.web.get("/index.html")
        assert page.status_code == 200 and page.text == (await site.web.get("/")).text
        monkeypatch.setattr(client, "index_page", lambda base: None)
        assert await site.problem("GET", "/") == (503, "no-client")

    on_site(play, tmp_path)


def test_a_body_without_end_is_not_read_to_its_end() -> None:
    read = 0

    async def receive() -> Message:
        nonlocal read
        read += 2**20
        return {"type": "http.request", "body": bytes(2**20), "more_body": True}

    async def nothing(ask: Any) -> None: ...

    headers = [(b"content-type", b"application/json"), (b"content-length", b"1")]
    request = Request({"type": "http", "method": "POST", "headers": headers}, receive)
    endpoint = Endpoint("POST", "/", "", nothing, None, dict)
    with pytest.raises(LampionError) as refused:
        asyncio.run(read_body(endpoint, request))
    assert refused.value.code == "too-large"
    assert read <= http.MOST_THROWN_AWAY + 2**20


# --- who asks ---


@pytest.mark.parametrize(
    "others", ["a/b=1", 'settings={"dark":true}', "odd@name=x", "=", "no-value", 'q="a;b"']
)
def test_cookies_of_other_applications_on_the_host_do_not_hide_ours(others: str) -> None:
    """Else a player would be a stranger, and all their tables would seem to be gone."""
    for header in (f"{others}; lampion=secret", f"lampion=secret; {others}"):
        assert key_of({"cookie": header}) == Key("secret", TokenKind.COOKIE)
    assert key_of({"cookie": others}) is None
    assert key_of({"cookie": "lampion="}) is None


def test_only_a_site_with_https_asks_browsers_to_stay_with_it() -> None:
    name = "Strict-Transport-Security"
    assert name in security_headers(Config(public_url="https://lampion.example"))
    assert name not in security_headers(Config(public_url="http://lampion.example"))


def test_buckets_are_bounded_and_the_oldest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_BUCKETS", 3)
    limiter, limit = Limiter(now=lambda: 0.0), limits.Limit("one", 1, 1)
    for address in "abcd":
        limiter.spend(limit, Who(None, address))
    assert len(limiter._buckets) == 3
    limiter.spend(limit, Who(None, "a"))
    with pytest.raises(TooMany):
        limiter.spend(limit, Who(None, "d"))


# --- links ---


def test_links_of_a_public_site_name_its_public_address(tmp_path: Path) -> None:
    async def play(site: Site) -> None:
        table = await new_table(site.services, "me", "open", pace=wire.Clock(90, 5))
        page = (await site.web.get(f"/t/{table}")).text
        assert f'content="https://lampion.example/t/{table}"' in page
        assert "1.5" in page, "the minutes of the clock"

    on_site(play, tmp_path, public_url="https://lampion.example")


def test_pictures_are_bounded_and_a_refused_one_is_drawn_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "MOST_KEPT", 2)
    drawn: list[str] = []

    async def play(site: Site) -> None:
        async def draw(facts: PictureFacts, language: str) -> bytes:
            drawn.append(language)
            if len(drawn) == 1:
                raise TooMany("busy", code="busy", seconds=1)
            return language.encode()

        kept = site.services.pictures
        monkeypatch.setattr(kept, "_drawn", draw)
        with pytest.raises(TooMany):
            await kept.png(pictures.SITE, "en", "somebody")
        for language in ("en", "en", "fr", "it", "en"):
            assert await kept.png(pictures.SITE, language, "somebody") == language.encode()
        assert drawn == ["en", "en", "fr", "it", "en"], "the oldest of three was forgotten"

    on_site(play, tmp_path)


def test_tables_that_cannot_be_read_are_left_out_of_lists(tmp_path: Path) -> None:
    async def play(site: Site) -> None:
        good, bad = [await new_table(site.services, "me", "open") for _ in range(2)]
        store_rules_version(site.database, bad, 99)
        site.services.rooms.forget(bad)
        found = (await site.web.get("/api/me/tables")).json()["tables"]
        assert [table["id"] for table in found] == [good]

    on_site(play, tmp_path)


def test_a_list_is_refused_while_the_store_is_away_and_not_shorter(tmp_path: Path) -> None:
    async def play(site: Site) -> None:
        tables = [await new_table(site.services, "me", "open") for _ in range(2)]
        site.services.rooms.forget(tables[0])

        async def away(*_: Any, **__: Any) -> None:
            raise StorageFailed("away", code="storage-unreachable")

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(site.store, "read", away, raising=False)
            assert await site.problem("GET", "/api/me/tables") == (503, "storage-unreachable")
        found = (await site.web.get("/api/me/tables")).json()["tables"]
        assert {table["id"] for table in found} == set(tables)

    on_site(play, tmp_path)
