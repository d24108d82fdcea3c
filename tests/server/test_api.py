"""The API as its own document tells it: fuzzed from the schema, and true to it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import msgspec
import schemathesis
from hypothesis import HealthCheck, settings

from lampion.server import wire
from lampion.server.config import Config
from lampion.server.web.app import make_app
from lampion.server.web.openapi import openapi
from tests.server.support import Person, Server

STORED_SCHEMA = Path(__file__).parents[2] / "docs" / "schemas" / "wire.json"


schema = schemathesis.openapi.from_dict(openapi())


@schema.exclude(path_regex="stream").parametrize()
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_the_api_answers_whatever_comes_as_its_document_says(case: Any, server: Server) -> None:
    """No failure of the server, no reply that the document does not know, whatever is sent."""
    reply = case.call(base_url=server.base)
    assert reply.status_code < 500, reply.text
    case.validate_response(
        reply,
        checks=[
            schemathesis.checks.not_a_server_error,
            schemathesis.checks.response_schema_conformance,
        ],
    )


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
