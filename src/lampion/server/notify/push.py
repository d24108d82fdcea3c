"""Web Push: RFC 8030 with the encryption of RFC 8291 and the signature of RFC 8292 (VAPID).

The text of a message has the declarative form (`web_push: 8030`): a browser that knows it shows the
notification by itself, in others the service worker does.
"""

from __future__ import annotations

import hashlib
import re
from base64 import urlsafe_b64decode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import http_ece  # type: ignore[import-untyped]
import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from py_vapid import Vapid02  # type: ignore[import-untyped]

from lampion.server.clock import Clock
from lampion.server.errors import TableError
from lampion.server.notify.keys import Keys, base64url
from lampion.server.notify.outgoing import Line, Outgoing, check, lane_of
from lampion.server.notify.texts import Message, Send
from lampion.server.store.base import WayRow

DECLARATIVE = 8030
LEAST_SECONDS, MOST_SECONDS = 3600, 28 * 24 * 3600
"""How long a push service keeps a message for a device that is off. Most push services keep none for
longer than four weeks."""
GONE = (404, 410)
"""RFC 8030, section 7.3, has the first for a subscription that has expired, practice the second."""
TOKEN_SECONDS = 12 * 3600
_BASE64 = re.compile(r"[A-Za-z0-9_-]+={0,2}")
POINT_BYTES, AUTH_BYTES = 65, 16


class Subscription(msgspec.Struct, frozen=True):
    """What a browser gives for `pushManager.subscribe`, and where the site is for it."""

    p256dh: str
    auth: str
    base: str
    label: str = ""
    device: str = ""
    """Which of the person's devices it is: when that is signed out, the messages end."""


def checked_keys(p256dh: str, auth: str) -> None:
    """`TableError` if a message could not be encrypted for these keys."""
    try:
        point, secret = _decoded(p256dh), _decoded(auth)
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError:
        point = secret = b""
    if len(point) != POINT_BYTES or len(secret) != AUTH_BYTES:
        raise TableError("not valid keys of a push subscription", code="bad-keys", where="keys")


def _decoded(text: str) -> bytes:
    if not _BASE64.fullmatch(text):
        raise ValueError("not base64url")
    text = text.rstrip("=")
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def payload(message: Message, base: str) -> bytes:
    # The specification has the badge beside the notification, Safari's documentation in it.
    notification = {
        "title": message.title,
        "body": message.body,
        "navigate": base + message.path,
        "tag": message.tag,
        "lang": message.language,
        "data": {"id": message.id, "kind": message.kind},
        "app_badge": str(message.waiting),
    }
    document = {
        "web_push": DECLARATIVE,
        "notification": notification,
        "app_badge": message.waiting,
    }
    return msgspec.json.encode(document)


class PushSender:
    def __init__(self, keys: Keys, outgoing: Outgoing, clock: Clock, contact: str) -> None:
        self._vapid = Vapid02(keys.vapid)
        self._public = keys.push_key
        self._outgoing = outgoing
        self._clock = clock
        self._contact = contact

    @asynccontextmanager
    async def line(self, way: WayRow) -> AsyncIterator[Send]:
        async with self._outgoing.line(way.address, lane_of(way)) as line:
            yield partial(self._send, line, way)

    async def _send(self, line: Line, way: WayRow, message: Message) -> None:
        given = msgspec.json.decode(way.details, type=Subscription)
        body = encrypted(payload(message, given.base), given)
        headers = {
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/notification+json",
            "TTL": str(self._seconds_left(message)),
            "Urgency": "high" if message.kind in ("turn", "asked") else "normal",
            # A service that still keeps an older message of this topic replaces it.
            "Topic": base64url(hashlib.sha256(f"{way.id} {message.tag}".encode()).digest()[:18]),
            "Authorization": self._authorization(way.address),
        }
        check(await line.post(headers, body), GONE)

    def _seconds_left(self, message: Message) -> int:
        """As long as the move can still be made. An outage or a pause gives more time than the
        message knows of."""
        if message.until_ms is None:
            return MOST_SECONDS
        left = (message.until_ms - self._clock.now_ms()) // 1000
        return min(MOST_SECONDS, max(LEAST_SECONDS, left))

    def _authorization(self, endpoint: str) -> str:
        claims = {
            "aud": self._outgoing.target(endpoint).origin,
            "sub": self._contact,
            "exp": self._clock.now_ms() // 1000 + TOKEN_SECONDS,
        }
        signed: str = self._vapid.sign(claims)["Authorization"]
        return signed


def encrypted(text: bytes, given: Subscription) -> bytes:
    found: bytes = http_ece.encrypt(
        text,
        private_key=ec.generate_private_key(ec.SECP256R1()),
        dh=_decoded(given.p256dh),
        auth_secret=_decoded(given.auth),
        version="aes128gcm",
    )
    return found
