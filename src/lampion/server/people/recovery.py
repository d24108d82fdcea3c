"""The recovery phrase: eight words that bring a person back who has lost every device.

    lusab babad   gutih tugad mudof sakat hokip nahir
    the name      the secret: 96 bits
    (to find it)  (kept as scrypt with a salt of its own, and nowhere else)

The words are proquints (arxiv.org/html/0901.4016): 16 bits each, alternating consonants and vowels,
so they can be read aloud and written down in any language. A phrase works once.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets

from lampion.server.clock import Clock
from lampion.server.errors import TableError
from lampion.server.store.base import PersonRow, RecoveryRow, Store

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
NAME_WORDS, SECRET_WORDS = 2, 6
WORD = re.compile(f"[{CONSONANTS}][{VOWELS}][{CONSONANTS}][{VOWELS}][{CONSONANTS}]")
COST = 2**14
"""Of scrypt, with blocks of 1 KiB: 16 MiB and a few hundredths of a second."""


def new_word() -> str:
    bits = secrets.randbits(16)
    letters = []
    for alphabet, width in ((CONSONANTS, 4), (VOWELS, 2)) * 2 + ((CONSONANTS, 4),):
        letters.append(alphabet[bits & (2**width - 1)])
        bits >>= width
    return "".join(letters)


def words_of(phrase: str) -> list[str] | None:
    """However it was typed: upper case, hyphens, several lines. None if it is no phrase."""
    words = re.findall(r"[^\W\d_]+", phrase.lower())
    is_whole = len(words) == NAME_WORDS + SECRET_WORDS and all(map(WORD.fullmatch, words))
    return words if is_whole else None


class Recovery:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._one_at_a_time = asyncio.Semaphore(1)
        """However many guess, one core and 16 MiB are enough."""

    async def new_phrase(self, person: PersonRow) -> str:
        """A phrase for this person; an older one is void from now on."""
        while True:
            words = [new_word() for _ in range(NAME_WORDS + SECRET_WORDS)]
            name, salt = " ".join(words[:NAME_WORDS]), secrets.token_hex(16)
            found = await self._store.recovery_named(name)
            if found is None or found.person_id == person.id:
                break
        hashed = await self._hash(words[NAME_WORDS:], salt)
        row = RecoveryRow(person.id, name, salt, hashed, self._clock.now_ms())
        await self._store.set_recovery(row)
        return " ".join(words)

    async def use(self, phrase: str) -> PersonRow:
        """Whose phrase this is; it is used up. Wrong ones all take the same time, whether or not
        there is a person of that name."""
        words = words_of(phrase)
        row = await self._store.recovery_named(" ".join(words[:NAME_WORDS])) if words else None
        hashed = await self._hash(words[NAME_WORDS:] if words else [], row.salt if row else "00")
        is_right = row is not None and secrets.compare_digest(hashed, row.hash)
        if row is None or not is_right or not await self._store.take_recovery(row):
            raise TableError("this phrase is wrong or has been used", code="wrong-phrase")
        person = await self._store.person(row.person_id)
        if person is None:
            raise TableError("this phrase is wrong or has been used", code="wrong-phrase")
        return person

    async def _hash(self, words: list[str], salt: str) -> str:
        async with self._one_at_a_time:
            return await asyncio.to_thread(_scrypt, " ".join(words), salt)


def _scrypt(secret: str, salt: str) -> str:
    return hashlib.scrypt(
        secret.encode(), salt=bytes.fromhex(salt), n=COST, r=8, p=1, maxmem=2**26, dklen=32
    ).hex()
