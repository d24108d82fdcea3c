"""Links to tables, as the sites where they are posted see them."""

from __future__ import annotations

import asyncio
import struct
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from lampion.core.types import SPECTATOR
from lampion.matches import new
from lampion.server import wire
from lampion.server.store import open_store
from lampion.server.study import pictures
from lampion.server.study.pictures import PictureFacts, svg
from tests.server.inside import new_table, running
from tests.server.support import PLAIN, Person, Server

BOT = {"User-Agent": "Discordbot/2.0"}


def _get(url: str, headers: dict[str, str] | None = None) -> httpx.Response:
    return httpx.get(url, headers=headers, verify=PLAIN, timeout=60)


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, str] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        name = given.get("property") or given.get("name")
        if tag == "meta" and name:
            self.found[name] = given.get("content") or ""


def tags(server: Server, path: str, **headers: str) -> dict[str, str]:
    reply = _get(server.base + path, headers=BOT | headers)
    assert reply.status_code == 200 and "Accept-Language" in reply.headers["vary"]
    return Tags(reply.text).found


def size(png: bytes) -> tuple[int, int]:
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and png[12:16] == b"IHDR"
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_a_link_to_a_table_tells_what_waits_there(server: Server) -> None:
    ada = Person(server, "Ada <the & first>")
    table = ada.table("me", "open", "open", pace={"kind": "days", "days": 2}, public=True)
    told = tags(server, f"/t/{table['id']}")
    assert told["og:title"] == "Join a game of Lanterns"
    assert told["og:description"] == "2 seats are free · 2 days for each move"
    assert told["og:url"] == f"{server.base}/t/{table['id']}"
    assert told["twitter:card"] == "summary_large_image"
    french = tags(server, f"/t/{table['id']}", **{"Accept-Language": "fr-CH, en;q=0.5"})
    assert french["og:description"] == "2 places libres · 2 jours par coup"

    assert told["og:image"].startswith(f"{server.base}/api/tables/{table['id']}/picture")
    drawn = _get(told["og:image"], headers=BOT)
    assert drawn.status_code == 200 and drawn.headers["content-type"] == "image/png"
    assert size(drawn.content) == (1200, 630)
    assert (told["og:image:width"], told["og:image:height"]) == ("1200", "630")
    assert drawn.headers["cache-control"] == "public, max-age=600"
    known = {"If-None-Match": drawn.headers["etag"]}
    assert _get(told["og:image"], headers=known).status_code == 304

    Person(server, "Milo").join(table)
    changed = _get(told["og:image"], headers=known)
    assert changed.status_code == 200 and changed.headers["etag"] != drawn.headers["etag"]
    assert tags(server, f"/t/{table['id']}")["og:description"].startswith("One seat is free")


def test_names_are_nowhere_in_it(server: Server) -> None:
    ada, milo = Person(server, "Adalbert"), Person(server, "Milosz")
    table = ada.table("me", "open", game="lumens")
    milo.join(table)
    page = _get(f"{server.base}/t/{table['id']}", headers=BOT).text
    assert "Adalbert" not in page and "Milosz" not in page
    assert Tags(page).found["og:title"] == "Lumens: a game in progress"
    view = new("lumens", 2, names=["Adalbert", "Milosz"], seed=3).view(SPECTATOR)
    assert "Adalbert" in str(view)
    facts = PictureFacts("lumens", 2, 0, "running", wire.NoClock(), "x", 3)
    plain = svg(facts, "en", view | {"names": ["Player 1", "Player 2"]})
    assert svg(facts, "en", view) == plain, "whatever the players are called"


@pytest.mark.parametrize("name", ["nosuchtable1", "%3Cscript%3E", "-"])
def test_an_unknown_table_has_the_picture_of_the_site(server: Server, name: str) -> None:
    reply = _get(f"{server.base}/t/{name}", headers=BOT)
    if reply.status_code == 200:
        told = Tags(reply.text).found
        assert told["og:title"] == "Lampion" and told["og:url"] == f"{server.base}/"
        assert told["og:image"].startswith(f"{server.base}/api/picture")
    generic = _get(f"{server.base}/api/picture").content
    assert size(generic) == (1200, 630)
    assert _get(f"{server.base}/api/tables/{name}/picture").content == generic


def test_pictures_are_drawn_for_few_at_a_time(tmp_path: Path) -> None:
    with Server(str(tmp_path / "lampion.db"), "--limit-scale", "1") as server:
        asked = [_get(f"{server.base}/api/picture").status_code for _ in range(30)]
    assert asked[0] == 200 and 429 in asked


def test_a_picture_is_drawn_in_another_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The renderer lets nobody else work in its process: every move would wait for half a second."""
    monkeypatch.delattr(pictures, "svg")

    async def draw() -> None:
        async with running(open_store(str(tmp_path / "db"))) as services:
            table = await new_table(services, "me", "novice")
            facts = await services.pictures.facts(table)
            assert size(await services.pictures.png(facts, "en", "ada")) == (1200, 630)

    asyncio.run(draw())
