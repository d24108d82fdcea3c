"""Fair chance by commit and reveal.

Before the deal `SHA-256(seed)` is published. Outcome number i of chance then follows from the seed,
the nonces that players added and i alone; when the game is over the seed is published too, and
anybody can work every outcome out again:

    message  = JSON of [match, nonces, i, attempt], without spaces
    value    = HMAC-SHA256(key = seed, message), as a number, highest byte first
    position = value mod (sum of weights); a value in the incomplete last round of the division is thrown away, and attempt rises

i counts the outcomes that stand (those taken back by an undo do not), so taking a draw back gives
no second roll of the dice. Nothing is ever derived from the commitment."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate

SEED_BYTES = 32
_RANGE = 2 ** (8 * hashlib.sha256().digest_size)


def new_seed() -> bytes:
    return os.urandom(SEED_BYTES)


def seed_from_number(number: int) -> bytes:
    """A seed for experiments that must be repeatable. Not secret: anybody can try numbers."""
    return hashlib.sha256(f"lampion seed {number}".encode()).digest()


def commitment(seed: bytes) -> str:
    return hashlib.sha256(seed).hexdigest()


class Chance:
    """Where a match takes its chance outcomes from."""

    def __init__(self, seed: bytes, match: str = "", nonces: Sequence[str] = ()) -> None:
        assert len(seed) == SEED_BYTES, f"a seed has {SEED_BYTES} bytes"
        self.seed, self.match, self.nonces = seed, match, tuple(nonces)
        self._bound_to = json.dumps([match, list(nonces)], separators=(",", ":"))[:-1]

    @property
    def commitment(self) -> str:
        return commitment(self.seed)

    def pick(self, index: int, weights: Sequence[int]) -> int:
        """The position of outcome number `index` in a list with these weights."""
        cumulative = list(accumulate(weights))
        limit = _RANGE - _RANGE % cumulative[-1]
        value, attempt = _RANGE, 0
        while value >= limit:
            message = f"{self._bound_to},{index},{attempt}]"
            value = int.from_bytes(hmac.digest(self.seed, message.encode(), "sha256"), "big")
            attempt += 1
        return bisect(cumulative, value % cumulative[-1])
