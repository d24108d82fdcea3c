"""Keys of operators. Only hashes are kept, and every request looks up its key again.

There are three ways to hold one: a key made by an operator, a key that the command stores for
itself for a minute (a process that can write to the database can do anything anyway), and the key that a
server on SQLite writes into a file beside its database, for the command on the same machine.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence

from lampion.core.errors import LampionError
from lampion.server.clock import Clock
from lampion.server.people.keys import LONGEST_KEY, hash_of, new_secret
from lampion.server.store.base import AdminKeyRow, Store

ID_LENGTH = 10
TEMPORARY = "command of "
"""How the labels of keys begin that the command stores for itself."""
TEMPORARY_SECONDS = 60
LOCAL = "local"
"""The label of the key in the file beside the database."""


class NoKey(LampionError):
    code = "no-key"


def key_id(key_hash: str) -> str:
    """The beginning of the hash: enough to tell keys apart, and of no use to an attacker."""
    return key_hash[:ID_LENGTH]


class AdminKeys:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._local: list[str] = []
        """Hashes of the present and the previous local key."""

    async def label_of(self, secret: str | None) -> str | None:
        """Whose key it is; None if it opens nothing."""
        if not secret or len(secret) > LONGEST_KEY:
            return None
        given = hash_of(secret)
        if sum(secrets.compare_digest(given, known) for known in self._local):
            return LOCAL
        row = await self._store.admin_key(given, self._clock.now_ms())
        return row.label if row and secrets.compare_digest(row.hash, given) else None

    def new_local(self) -> str:
        """A key that only this process knows. The one before it works until the next is made."""
        secret = new_secret()
        self._local = [hash_of(secret), *self._local[:1]]
        return secret

    async def add(self, label: str, for_seconds: int | None = None) -> tuple[AdminKeyRow, str]:
        """A new key and its secret, which is told only once."""
        secret, now_ms = new_secret(), self._clock.now_ms()
        expires_ms = None if for_seconds is None else now_ms + for_seconds * 1000
        row = AdminKeyRow(hash_of(secret), label, now_ms, expires_ms)
        await self._store.add_admin_key(row)
        return row, secret

    async def add_temporary(self, owner: str) -> tuple[AdminKeyRow, str]:
        """A key for one command; those that earlier commands left behind are removed."""
        now_ms = self._clock.now_ms()
        for row in await self._store.admin_keys():
            if row.label.startswith(TEMPORARY) and (row.expires_ms or 0) <= now_ms:
                await self._store.drop_admin_key(row.hash)
        return await self.add(TEMPORARY + owner, TEMPORARY_SECONDS)

    async def all(self) -> Sequence[AdminKeyRow]:
        return await self._store.admin_keys()

    async def revoke(self, wanted: str) -> AdminKeyRow:
        """Remove the key with this id or label. `NoKey` if there is none, or more than one."""
        known = await self._store.admin_keys()
        found = [row for row in known if key_id(row.hash) == wanted] or [
            row for row in known if row.label == wanted
        ]
        if len(found) > 1:
            raise NoKey(
                f"{len(found)} keys have this label; give the id of one",
                code="ambiguous-key",
                where=wanted,
            )
        if not found or not await self._store.drop_admin_key(found[0].hash):
            raise NoKey("there is no such key; `lampion admin key list` lists them", where=wanted)
        return found[0]
