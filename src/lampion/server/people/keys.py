"""People: guests known by a key in a cookie, programs known by a token. Of every key only the hash
is kept.

Each kind of key opens one door and no other: a cookie key comes in a cookie, a bot's token in the
Authorization header, a link code in the body of /api/claim, the code of a guest whom a person has
left behind in the body of /api/me/merge; both work once, for ten minutes.
"""

from __future__ import annotations

import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from lampion.server.bus import Bus
from lampion.server.clock import Clock
from lampion.server.errors import TableError
from lampion.server.peers import NewsKind, Peers
from lampion.server.people.names import checked_name
from lampion.server.store.base import PersonRow, Store, TokenKind, TokenRow

LINK_MS = 10 * 60 * 1000
MOST_CACHED = 50_000
LONGEST_KEY = 100
SEEN_EVERY_MS = 3600 * 1000


@dataclass(frozen=True)
class KeysRevoked:
    """Published on the bus: one key of a person, or all but one, no longer open anything. Keys
    are named by their hash."""

    person: str
    only: str = ""
    keep: str = ""

    def concerns(self, key_hash: str) -> bool:
        return key_hash == self.only if self.only else key_hash != self.keep


@dataclass(frozen=True)
class KeysInDoubt:
    """Published on the bus: keys may have been revoked of which this process was not told."""


class Key(NamedTuple):
    """A key as it came in, and the kind that may come in that way."""

    secret: str
    kind: TokenKind

    @property
    def hash(self) -> str:
        return hash_of(self.secret)


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def hash_of(secret: str) -> str:
    """Without salt and quick: a secret has 256 random bits, so nobody can try them all."""
    return hashlib.sha256(secret.encode()).hexdigest()


def device_id(key_hash: str) -> str:
    """A name for a key that says nothing about it, not even its hash."""
    return hashlib.sha256(f"device {key_hash}".encode()).hexdigest()[:16]


class People:
    def __init__(self, store: Store, peers: Peers, bus: Bus, clock: Clock) -> None:
        self._store = store
        self._peers = peers
        self._bus = bus
        self._clock = clock
        self._known: OrderedDict[tuple[str, TokenKind], PersonRow] = OrderedDict()
        """By hash and kind, so that a request does not ask the store again; trusted only while
        we hear the others."""
        self._noted: OrderedDict[str, int] = OrderedDict()
        """When the store was last told that a key was used."""
        self._forgotten = 0
        """How often something was forgotten: what was being read meanwhile may be out of date."""
        bus.subscribe(KeysRevoked, lambda revoked: self.forget(revoked.person))
        bus.subscribe(KeysInDoubt, lambda doubt: self._forget_all())

    async def of_key(self, key: Key | None) -> PersonRow | None:
        if key is None or not key.secret or len(key.secret) > LONGEST_KEY:
            return None
        cached = (key.hash, key.kind)
        if self._peers.is_current and cached in self._known:
            self._known.move_to_end(cached)
            await self._note_use(cached[0], self._known[cached])
            return self._known[cached]
        forgotten = self._forgotten
        now_ms = self._clock.now_ms()
        person = await self._store.person_of_token(key.hash, [key.kind], now_ms)
        if person is None:
            self._known.pop(cached, None)
            return None
        # A key that was revoked while the store was asked opens the door once more at most; if it
        # were remembered, it would do so until the next news.
        if forgotten == self._forgotten:
            self._remember(cached, person)
        await self._note_use(cached[0], person)
        return person

    async def _note_use(self, key_hash: str, person: PersonRow) -> None:
        now_ms = self._clock.now_ms()
        if now_ms - self._noted.get(key_hash, 0) <= SEEN_EVERY_MS:
            return
        self._noted[key_hash] = now_ms
        if len(self._noted) > MOST_CACHED:
            self._noted.popitem(last=False)
        await self._store.saw_token(key_hash, person.id, now_ms)

    def _remember(self, cached: tuple[str, TokenKind], person: PersonRow) -> None:
        self._known[cached] = person
        if len(self._known) > MOST_CACHED:
            self._known.popitem(last=False)

    def forget(self, person: str) -> None:
        """Ask the store again when this person next comes."""
        self._forgotten += 1
        for cached in [cached for cached, known in self._known.items() if known.id == person]:
            del self._known[cached]

    def _forget_all(self) -> None:
        self._forgotten += 1
        self._known.clear()

    async def new_guest(
        self, name: str, kind: TokenKind = TokenKind.COOKIE, label: str = ""
    ) -> tuple[PersonRow, str]:
        """A new person, and the key to be one."""
        now_ms = self._clock.now_ms()
        person = PersonRow(secrets.token_urlsafe(9), checked_name(name), now_ms, now_ms)
        await self._store.add_person(person)
        return person, await self.add_key(person, kind, label)

    async def add_key(self, person: PersonRow, kind: TokenKind, label: str = "") -> str:
        """Another key for the same person, for a device that is called by the label."""
        secret, now_ms = new_secret(), self._clock.now_ms()
        await self._store.add_token(
            TokenRow(hash_of(secret), person.id, kind, now_ms, None, label or None, now_ms)
        )
        self._noted[hash_of(secret)] = now_ms
        self._remember((hash_of(secret), kind), person)
        return secret

    async def new_link(self, person: PersonRow) -> str:
        """A code that gives another device a key of its own, once, within ten minutes."""
        return await self._new_code(person.id, TokenKind.LINK)

    async def new_merge(self, guest: PersonRow) -> str:
        """A code by which another person may take over all that the guest has."""
        return await self._new_code(guest.id, TokenKind.MERGE)

    async def _new_code(self, person: str, kind: TokenKind) -> str:
        code, now_ms = new_secret(), self._clock.now_ms()
        await self._store.add_token(TokenRow(hash_of(code), person, kind, now_ms, now_ms + LINK_MS))
        return code

    async def guest_of(self, code: str) -> PersonRow | None:
        """Whom a code of `new_merge` is about. It is void as soon as the guest is gone."""
        now_ms = self._clock.now_ms()
        return await self._store.person_of_token(hash_of(code), [TokenKind.MERGE], now_ms)

    async def claim(self, code: str, label: str = "") -> tuple[PersonRow, str]:
        """Exchange a link code for a key of this browser's own."""
        token = await self._store.take_token(hash_of(code), TokenKind.LINK, self._clock.now_ms())
        person = await self._store.person(token.person_id) if token else None
        if person is None:
            raise TableError(
                "this link has been used or is too old; make a new one", code="link-expired"
            )
        return person, await self.add_key(person, TokenKind.COOKIE, label)

    async def rename(self, person: PersonRow, name: str) -> PersonRow:
        await self._store.rename(person.id, checked_name(name))
        self.forget(person.id)
        await self._store.tell([(NewsKind.PERSON, person.id, "")])
        renamed = await self._store.person(person.id)
        if renamed is None:
            raise TableError("this needs a cookie or a token", code="who-are-you")
        return renamed

    async def sign_out(self, person: PersonRow, key: Key, *, everywhere: bool) -> None:
        """Revoke this key, or every other one. When this returns no process honors a revoked
        key."""
        if everywhere:
            await self._store.drop_tokens(person.id, keep=key.hash)
            await self._revoke(KeysRevoked(person.id, keep=key.hash))
        else:
            await self._store.drop_token(key.hash)
            await self._revoke(KeysRevoked(person.id, only=key.hash))

    async def devices(self, person: PersonRow) -> list[TokenRow]:
        """The keys that open something by themselves, the last used first."""
        found = [
            token
            for token in await self._store.tokens(person.id)
            if token.kind in (TokenKind.COOKIE, TokenKind.BOT)
        ]
        return sorted(found, key=lambda token: -(token.seen_ms or token.created_ms))

    async def sign_out_device(self, person: PersonRow, device: str) -> str:
        """Revoke the key of one device; when this returns no process honors it. Returns its
        hash."""
        for token in await self.devices(person):
            if device_id(token.hash) == device:
                await self._store.drop_token(token.hash)
                await self._revoke(KeysRevoked(person.id, only=token.hash))
                return token.hash
        raise TableError("there is no such device", code="no-device", where=device)

    async def sign_out_everywhere(self, person: PersonRow) -> None:
        """Revoke all keys, this one included."""
        await self._store.drop_tokens(person.id)
        await self.revoke_all(person.id)

    async def revoke_all(self, *people: str) -> None:
        """All keys of these people are gone from the store: when this returns no process honors
        one."""
        await self._revoke(*map(KeysRevoked, people))

    async def delete(self, person: str) -> None:
        """Forget a person: name, keys and words. When this returns no process honors their keys."""
        await self._store.delete_person(person)
        await self.revoke_all(person)

    async def delete_many(self, people: Sequence[str]) -> None:
        """The same for people without a seat in a game, with one round of news for all of them."""
        await self._store.delete_people(people)
        await self.revoke_all(*people)

    async def _revoke(self, *all_revoked: KeysRevoked) -> None:
        for revoked in all_revoked:
            self._bus.publish(revoked)
        await self._peers.tell_and_wait(
            [(NewsKind.KEYS, each.person, f"{each.only},{each.keep}") for each in all_revoked]
        )
