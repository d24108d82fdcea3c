"""The reference of the server: every endpoint, every message of the socket, every type."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Any

from lampion.server.web.endpoints import ENDPOINTS
from lampion.server.web.openapi import openapi
from scripts.site import schemas
from scripts.wire_schema import wire_schema

CONCERNS = {
    "people": "The current player",
    "notifications": "Notifications",
    "identity": "Devices and ways to sign in",
    "profile": "Profile, results and history",
    "tables": "Tables",
    "games": "Games",
    "records": "Records, replays and reviews",
    "practice": "Practice",
    "lessons": "Lessons",
    "texts": "Texts",
    "pictures": "Pictures",
    "probes": "Health and metrics",
    "admin": "Operators",
}
"""The files of `lampion.server.web.endpoints`, and what each is about."""


def pages() -> dict[str, str]:
    return {"reference/http": _http(), "reference/wire": _wire()}


def _http() -> str:
    document = openapi()
    lines = [
        "# HTTP API",
        "",
        "Every endpoint of the server, generated from its OpenAPI document, which a running server",
        "returns at `/openapi.json`. [The server](../server.md) explains keys, limits and errors;",
        "[messages and types](wire.md) has the types.",
        "",
        "A request that is refused gets a [Problem](wire.md#problem) and changes nothing.",
        "",
    ]
    for module, endpoints in groupby(ENDPOINTS, lambda each: each.handler.__module__):
        lines += [f"## {CONCERNS[module.rpartition('.')[2]]}", ""]
        for endpoint in endpoints:
            path = endpoint.path.replace(":str}", "}").replace(":int}", "}")
            operation = document["paths"][path][endpoint.method.lower()]
            lines += [_operation(endpoint.method, path, operation), ""]
    return "\n".join(lines)


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> str:
    lines = [f"### {method} {path}", "", f"{_sentence(operation['summary'])}", ""]
    parameters = operation["parameters"]
    if parameters:
        lines += ["| parameter | in | type | |", "|---|---|---|---|"]
        lines += [
            f"| `{each['name']}` | {each['in']} | {each['schema']['type']} "
            f"| {each.get('description', '')} |"
            for each in parameters
        ]
        lines.append("")
    if body := operation.get("requestBody"):
        lines += [f"Body: {_content(body['content'])}", ""]
    lines.append(f"Returns: {_content(operation['responses']['200']['content'])}")
    return "\n".join(lines)


def _content(content: Mapping[str, Any]) -> str:
    ((media_type, shown),) = content.items()
    said = schemas.kind(shown["schema"]).replace("](#", "](wire.md#")
    return said if media_type == "application/json" else f"`{media_type}`"


def _sentence(words: str) -> str:
    return words if words.endswith(".") else f"{words}."


def _wire() -> str:
    definitions = wire_schema()["$defs"]
    document = openapi()["components"]["schemas"]
    everything = {**document, **definitions}
    return "\n".join(
        [
            "# Messages and types",
            "",
            "Every type that crosses the wire, in both directions, generated from",
            "`lampion.server.wire`. What a client sends over the socket is an",
            "[Incoming](#incoming), what it receives an [Outgoing](#outgoing).",
            "[The server](../server.md#live) explains the order of messages. Views and events of a",
            "game are on the game's own page in this reference.",
            "",
            schemas.types(dict(sorted(everything.items(), key=lambda item: item[0].lower()))),
        ]
    )
