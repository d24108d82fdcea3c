"""Webhooks: a POST with a signature, or in the shape that Discord or ntfy take (docs/webhooks.md)."""

from __future__ import annotations

import hmac
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from lampion.server.clock import Clock
from lampion.server.notify.outgoing import Line, Outgoing, check, lane_of
from lampion.server.notify.texts import Message, Send
from lampion.server.store.base import WayRow

Preset = Literal["json", "discord", "ntfy"]
GONE = (410,)
"""A receiver that is being set up, or behind a proxy that is, answers 404 for a while."""
_MARKDOWN, _ESCAPED = re.compile(r"([\\`*_~|<>\[\]()#:/-])"), r"\\\1"


class Webhook(msgspec.Struct, frozen=True):
    preset: Preset
    secret: str
    base: str


def signature(secret: str, at: int, body: bytes) -> str:
    """The header `Lampion-Signature`; the time is signed, too, so that nobody can replay it."""
    digest = hmac.digest(secret.encode(), b"%d.%s" % (at, body), "sha256").hex()
    return f"t={at},v1={digest}"


def document(message: Message, given: Webhook, url: str) -> dict[str, Any]:
    link = given.base + message.path
    match given.preset:
        case "discord":
            # Nobody is pinged, and no name becomes a link or a heading, whatever a player is called.
            title, body = (_MARKDOWN.sub(_ESCAPED, one) for one in (message.title, message.body))
            text = f"**{title}**\n{body}\n<{link}>"
            return {"content": text, "allowed_mentions": {"parse": []}}
        case "ntfy":
            topic = urlsplit(url).path.strip("/")
            named = {"topic": topic, "title": message.title, "message": message.body}
            return named | {"click": link, "tags": ["game_die"]}
    return {
        "id": message.id,
        "kind": message.kind,
        "title": message.title,
        "body": message.body,
        "url": link,
        "language": message.language,
        "waiting": message.waiting,
    }


def address(given: Webhook, url: str) -> str:
    """ntfy takes JSON at its root, and the topic in it."""
    if given.preset != "ntfy":
        return url
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/"


class WebhookSender:
    def __init__(self, outgoing: Outgoing, clock: Clock) -> None:
        self._outgoing = outgoing
        self._clock = clock

    @asynccontextmanager
    async def line(self, way: WayRow) -> AsyncIterator[Send]:
        given = msgspec.json.decode(way.details, type=Webhook)
        url = address(given, way.address)
        async with self._outgoing.line(url, lane_of(way), receiver=way.address) as line:
            yield partial(self._send, line, way, given)

    async def _send(self, line: Line, way: WayRow, given: Webhook, message: Message) -> None:
        body = msgspec.json.encode(document(message, given, way.address))
        headers = {
            "Content-Type": "application/json",
            "Lampion-Id": message.id,
            "Lampion-Signature": signature(given.secret, self._clock.now_ms() // 1000, body),
        }
        check(await line.post(headers, body), GONE)
