"""What was worked out lately and follows from its question alone."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

if TYPE_CHECKING:  # what advises imports this module, and must not load the reviews
    from lampion.reviews.judging import Judgement
    from lampion.reviews.reviewing import Decision

MOST_REVIEWS, MOST_JUDGEMENTS = 64, 4_000
"""How many are kept for the next reader of the same game."""
T = TypeVar("T")
Make = Callable[[list[bytes]], Awaitable[list[T]]]


class Kept(Generic[T]):
    """The last answers, so many at most; those asked for least lately go first."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._found: OrderedDict[bytes, T] = OrderedDict()

    def find(self, key: bytes) -> T | None:
        if key in self._found:
            self._found.move_to_end(key)
        return self._found.get(key)

    def keep(self, key: bytes, answer: T) -> None:
        self._found[key] = answer
        self._found.move_to_end(key)
        if len(self._found) > self._most:
            self._found.popitem(last=False)


class Once(Generic[T]):
    """Answers that several readers ask for at the same time are worked out once: the first asks,
    the others wait. If the first fails or leaves, the next one asks."""

    def __init__(self, most: int) -> None:
        self._kept: Kept[T] = Kept(most)
        self._underway: dict[bytes, asyncio.Future[None]] = {}

    async def find(self, keys: Sequence[bytes], make: Make[T]) -> list[T]:
        """The answers in the order of the keys; `make` works out those that nobody else does."""
        found: dict[bytes, T] = {}
        while missing := [key for key in dict.fromkeys(keys) if key not in found]:
            known = {key: self._kept.find(key) for key in missing}
            found |= {key: answer for key, answer in known.items() if answer is not None}
            unknown = [key for key, answer in known.items() if answer is None]
            if mine := [key for key in unknown if key not in self._underway]:
                found |= await self._make(mine, make)
            elif unknown:
                await asyncio.wait([self._underway[unknown[0]]])
        return [found[key] for key in keys]

    async def _make(self, keys: list[bytes], make: Make[T]) -> dict[bytes, T]:
        is_done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._underway |= dict.fromkeys(keys, is_done)
        try:
            made = dict(zip(keys, await make(keys), strict=True))
        finally:
            for key in keys:
                del self._underway[key]
            is_done.set_result(None)
        for key, answer in made.items():
            self._kept.keep(key, answer)
        return made


class KeptReviews:
    """Ledgers as JSON, by record; judgments of decisions, by record and ply; judgments of actions
    that readers tried instead. None depends on names or languages."""

    def __init__(self) -> None:
        self.ledgers: Once[bytes] = Once(MOST_REVIEWS)
        self.judgements: Once[Decision] = Once(MOST_JUDGEMENTS)
        self.attempts: Once[Judgement] = Once(MOST_JUDGEMENTS)


def key_of(*question: Any) -> bytes:
    return hashlib.sha256(msgspec.json.encode(question, order="deterministic")).digest()
