"""What was worked out lately and follows from its question alone."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Any, Generic, TypeVar

import msgspec

from lampion.server import wire

MOST_REVIEWS, MOST_JUDGEMENTS = 64, 4_000
"""How many are kept for the next reader of the same game."""
T = TypeVar("T")


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


class KeptReviews:
    """Ledgers as JSON, by record; judged decisions, by record, language and ply."""

    def __init__(self) -> None:
        self.ledgers: Kept[bytes] = Kept(MOST_REVIEWS)
        self.judgements: Kept[wire.Judged] = Kept(MOST_JUDGEMENTS)


def key_of(*question: Any) -> bytes:
    return hashlib.sha256(msgspec.json.encode(question, order="deterministic")).digest()
