"""People: guests known by a key in a cookie, programs known by a token. Keys come from the system's generator; we keep their hashes."""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict

from lampion.core.gamelog import MAX_NAME
from lampion.server.errors import TableError
from lampion.server.store.base import PersonRow, Store, TokenRow
from lampion.server.tables.house import now_ms

COOKIE, BOT, LINK = "cookie", "bot", "link"
LINK_MS = 10 * 60 * 1000
CACHED = 50_000
SEEN_EVERY_MS = 3600 * 1000


def new_key() -> str:
    return secrets.token_urlsafe(32)


def hash_of(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()


class People:
    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, PersonRow] = OrderedDict()
        """By the hash of the key, so that a request does not ask the store again."""

    async def of_key(self, key: str | None) -> PersonRow | None:
        if not key or len(key) > 100:
            return None
        hashed = hash_of(key)
        if hashed in self._known:
            self._known.move_to_end(hashed)
            return self._known[hashed]
        person = await self._store.person_of_token(hashed)
        if person is None:
            return None
        if now_ms() - person.seen_ms > SEEN_EVERY_MS:
            await self._store.saw_person(person.id, now_ms())
        self._remember(hashed, person)
        return person

    def _remember(self, hashed: str, person: PersonRow) -> None:
        self._known[hashed] = person
        if len(self._known) > CACHED:
            self._known.popitem(last=False)

    def _forget(self, person: str) -> None:
        for hashed in [hashed for hashed, known in self._known.items() if known.id == person]:
            del self._known[hashed]

    async def new_guest(self, name: str) -> tuple[PersonRow, str]:
        """Somebody new, and the key for the cookie."""
        person = PersonRow(secrets.token_urlsafe(9), checked_name(name), now_ms(), now_ms())
        await self._store.add_person(person)
        return person, await self.add_key(person, COOKIE)

    async def add_key(self, person: PersonRow, kind: str) -> str:
        key = new_key()
        await self._store.add_token(TokenRow(hash_of(key), person.id, kind, now_ms()))
        if kind != LINK:
            self._remember(hash_of(key), person)
        return key

    async def rename(self, person: PersonRow, name: str) -> PersonRow:
        await self._store.rename(person.id, checked_name(name))
        self._forget(person.id)
        renamed = await self._store.person(person.id)
        assert renamed, "a person with a key exists"
        return renamed

    async def claim(self, code: str) -> tuple[PersonRow, str]:
        """Exchange a one-time link for a key of this browser's own."""
        token = await self._store.take_token(hash_of(code), LINK)
        person = await self._store.person(token.person_id) if token else None
        if token is None or person is None or now_ms() - token.created_ms > LINK_MS:
            raise TableError("this link has been used or is too old; make a new one", code="link-expired")
        return person, await self.add_key(person, COOKIE)

    async def sign_out(self, key: str) -> None:
        self._known.pop(hash_of(key), None)
        await self._store.drop_token(hash_of(key))

    async def delete(self, person: PersonRow) -> None:
        self._forget(person.id)
        await self._store.delete_person(person.id)


def checked_name(name: str) -> str:
    name = name.strip()
    if not 0 < len(name) <= MAX_NAME or not name.isprintable():
        raise TableError(f"a name has 1 to {MAX_NAME} printable characters", code="invalid-name", where="name")
    return name
