"""The admin API from the other side: one request, one reply or one error with a sentence."""

from __future__ import annotations

import urllib.error
import urllib.request
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import msgspec

from lampion.core.errors import LampionError
from lampion.server import wire
from lampion.server.admin.catalog import OPERATIONS

PATIENCE = 120.0
"""Seconds; cleaning up may take a while."""


class Unreachable(LampionError):
    """No server answers there, or it is none of ours."""

    code = "no-server"


class NotDone(LampionError):
    """What the server said no to; code and sentence are its own."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another machine."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Remote:
    def __init__(self, url: str, key: str) -> None:
        self.url = url.rstrip("/")
        self._key = key
        if urlsplit(self.url).scheme not in ("http", "https") or not urlsplit(self.url).hostname:
            message = "not the address of a server; expected something like https://lampion.example"
            raise Unreachable(message, code="bad-server", where=url[:80])
        direct = [urllib.request.ProxyHandler({})] if _is_loopback(self.url) else []
        self._opener = urllib.request.build_opener(_NoRedirect, *direct)

    async def __call__(self, name: str, request: msgspec.Struct) -> Any:
        """Blocks: a command has nothing else to do meanwhile."""
        operation = OPERATIONS[name]
        return self._decoded(self._post(name, msgspec.json.encode(request)), operation.reply)

    def _post(self, name: str, body: bytes) -> bytes:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        url = f"{self.url}/api/admin/{name}"
        asked = urllib.request.Request(url, body, headers, method="POST")
        try:
            with self._opener.open(asked, timeout=PATIENCE) as reply:
                return bytes(reply.read())
        except urllib.error.HTTPError as refused:
            with refused:
                raise self._refusal(refused) from None
        except (OSError, ValueError) as problem:
            reason = problem.reason if isinstance(problem, urllib.error.URLError) else problem
            raise Unreachable(f"no server answers at {self.url}: {reason}") from None

    def _refusal(self, refused: urllib.error.HTTPError) -> LampionError:
        try:
            problem = msgspec.json.decode(refused.read(), type=wire.Problem)
        except (msgspec.DecodeError, OSError):
            message = f"{self.url} does not answer as Lampion does (status {refused.code})"
            return Unreachable(message, code="not-lampion")
        if problem.code == "no-page":
            return Unreachable(f"the admin API of {self.url} is switched off", code="admin-off")
        return NotDone(problem.message, code=problem.code, where=problem.where or "")

    def _decoded(self, reply: bytes, kind: type[msgspec.Struct]) -> Any:
        try:
            return msgspec.json.decode(reply, type=kind)
        except msgspec.DecodeError as strange:
            message = f"{self.url} does not answer as this version of Lampion does: {strange}"
            raise Unreachable(message, code="not-lampion") from None


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
