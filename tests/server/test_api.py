"""The API as its own document tells it: every endpoint, and every message of a game."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest

from lampion.server import wire
from lampion.server.config import Config
from lampion.server.web import app as app_module
from lampion.server.web.app import make_app
from lampion.server.web.openapi import openapi
from tests.server.support import Person, Server

STORED_SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "wire.json"


def test_the_document_names_every_endpoint_once(server: Server) -> None:
    document = httpx.get(f"{server.base}/openapi.json").json()
    assert document == msgspec.json.decode(msgspec.json.encode(openapi()))
    names = [
        operation["operationId"]
        for path in document["paths"].values()
        for operation in path.values()
    ]
    assert len(names) == len(set(names))
    assert {"post", "get"} <= set(document["paths"]["/api/tables"])


def test_the_document_is_made_once_however_often_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """To make it takes as long as twenty moves, and any visitor may ask."""
    made = []

    def counted() -> dict[str, Any]:
        made.append(openapi())
        return made[-1]

    monkeypatch.setattr(app_module, "openapi", counted)
    app_module._document_file.cache_clear()
    app = make_app(Config(database=str(tmp_path / "db")))

    async def ask() -> None:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as web:
            replies = [await web.get("/openapi.json") for _ in range(3)]
        assert [reply.status_code for reply in replies] == [200] * 3
        assert replies[0].json() == msgspec.json.decode(msgspec.json.encode(openapi()))

    asyncio.run(ask())
    assert len(made) == 1


def test_every_message_of_a_game_is_what_its_class_says(server: Server) -> None:
    person = Person(server, "Ada")
    table = person.table("me", "novice")
    with person.live(table) as live:
        turn = live.turn()
        live.send("act", seat=0, ply=turn["ply"], action=turn["legal"][-1])
        live.send("ping")
        live.send("undo", seat=3)
        for _ in range(6):
            live.next()
    for message in live.received:
        msgspec.convert(message, wire.Outgoing, strict=True)


def test_an_application_can_be_made_without_a_client(tmp_path: Path) -> None:
    assert make_app(Config(str(tmp_path / "db"))).routes
