"""Rulebooks and message catalogs."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from lampion.server.study import texts
from lampion.server.web.http import Ask, Endpoint


async def rulebook(ask: Ask) -> Response:
    found = texts.rulebook(ask.path["game"], ask.path["language"])
    return Response(found, media_type="text/markdown; charset=utf-8")


async def messages(ask: Ask) -> dict[str, Any]:
    return texts.messages(ask.path["language"])


ENDPOINTS = (
    Endpoint("GET", "/api/rulebook/{game:str}/{language:str}", "Return the rulebook of a game", rulebook, str,
             media_type="text/markdown"),
    Endpoint("GET", "/api/messages/{language:str}", "Return the words of all games", messages, dict[str, Any]),
)  # fmt: skip
