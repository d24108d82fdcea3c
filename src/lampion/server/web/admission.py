"""Who may stay: a socket or a stream ends when its key is revoked or its visitor is banned, however
long it has been open."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Protocol

from lampion.core.errors import LampionError
from lampion.server.bus import Bus
from lampion.server.errors import Forbidden
from lampion.server.people.keys import Key, KeysInDoubt, KeysRevoked, People
from lampion.server.people.sanctions import Sanctions, SanctionsChanged
from lampion.server.web.limits import Who


class OpenLine(Protocol):
    """A socket or a stream."""

    @property
    def who(self) -> Who: ...

    @property
    def key(self) -> Key | None: ...

    def end(self, reason: LampionError) -> None:
        """Tell and take nothing more from now on, and close."""


class Admission:
    def __init__(self, bus: Bus, people: People, sanctions: Sanctions) -> None:
        self._people = people
        self._sanctions = sanctions
        self._lines: set[OpenLine] = set()
        self._check: asyncio.Task[None] | None = None
        bus.subscribe(KeysRevoked, self._sign_out)
        bus.subscribe(SanctionsChanged, self._throw_out)
        bus.subscribe(KeysInDoubt, self._check_all_soon)

    @contextlib.contextmanager
    def admitted(self, line: OpenLine) -> Iterator[None]:
        """Watch over the line while the block runs."""
        self._lines.add(line)
        try:
            yield
        finally:
            self._lines.discard(line)

    async def check(self, line: OpenLine) -> None:
        """`Forbidden` if the key no longer opens anything, or the visitor is banned."""
        if line.key and line.who.person:
            person = await self._people.of_key(line.key)
            if person is None or person.id != line.who.person:
                raise signed_out()
        self._sanctions.check_not_banned(line.who.person, line.who.address)

    def _sign_out(self, revoked: KeysRevoked) -> None:
        for line in list(self._lines):
            if line.who.person == revoked.person and line.key and revoked.concerns(line.key.hash):
                line.end(signed_out())

    def _throw_out(self, changed: SanctionsChanged) -> None:
        for line in list(self._lines):
            try:
                self._sanctions.check_not_banned(line.who.person, line.who.address)
            except Forbidden as banned:
                line.end(banned)

    def _check_all_soon(self, doubt: KeysInDoubt) -> None:
        if self._check:
            self._check.cancel()
        self._check = asyncio.ensure_future(self._check_all())

    async def _check_all(self) -> None:
        for line in list(self._lines):
            try:
                await self.check(line)
            except LampionError as error:
                line.end(error)


def signed_out() -> Forbidden:
    return Forbidden("this device has been signed out", code="signed-out")
