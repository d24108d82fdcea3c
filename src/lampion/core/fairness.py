"""Fair chance by commit and reveal.

Before the deal `SHA-256(seed)` is published. Outcome number i of chance then follows from the seed, the nonces that players added
and i alone; when the game is over the seed is published too, and anybody can work every outcome out again:

    message  = JSON of [match, nonces, i, attempt], without spaces
    value    = HMAC-SHA256(key = seed, message), as a number, highest byte first
    position = value mod (sum of weights); a value in the incomplete last round of the division is thrown away, and attempt rises

i counts the outcomes that stand (those taken back by an undo do not), so taking a draw back is no second roll of the dice.
Nothing is ever derived from the commitment.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence

import numpy as np

from lampion.core.types import IntArray

SEED_BYTES = 32
_RANGE = 2 ** (8 * hashlib.sha256().digest_size)


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


def seed_from_number(number: int) -> bytes:
    """A seed for experiments that must be repeatable. Not secret: anybody can try numbers."""
    return hashlib.sha256(f"lampion seed {number}".encode()).digest()


def commitment(seed: bytes) -> str:
    return hashlib.sha256(seed).hexdigest()


def outcome(seed: bytes, match: str, nonces: Sequence[str], index: int, weights: Sequence[int] | IntArray) -> int:
    """The position of outcome number `index` in a list with these weights."""
    cumulative = np.cumsum(weights)
    total = int(cumulative[-1])
    limit = _RANGE - _RANGE % total
    value, attempt = _RANGE, 0
    while value >= limit:
        message = json.dumps([match, list(nonces), index, attempt], separators=(",", ":"))
        value = int.from_bytes(hmac.digest(seed, message.encode(), "sha256"), "big")
        attempt += 1
    return int(np.searchsorted(cumulative, value % total, side="right"))


class Chance:
    """Where a match takes its chance outcomes from."""

    def __init__(self, seed: bytes, match: str = "", nonces: Sequence[str] = ()) -> None:
        assert len(seed) == SEED_BYTES, f"a seed has {SEED_BYTES} bytes"
        self.seed, self.match, self.nonces = seed, match, tuple(nonces)

    @property
    def commitment(self) -> str:
        return commitment(self.seed)

    def pick(self, index: int, weights: Sequence[int] | IntArray) -> int:
        return outcome(self.seed, self.match, self.nonces, index, weights)
