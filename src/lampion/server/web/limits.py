"""How much one person or address may ask for. Buckets refill; whoever empties one waits a moment, nobody is banned."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import NamedTuple

from lampion.server.errors import TooMany

MOST_KEYS = 100_000


class Limit(NamedTuple):
    burst: float
    per_second: float


COMMANDS = Limit(30, 6)
SYNCS = Limit(6, 1)
REQUESTS = Limit(120, 20)
NEW_TABLES = Limit(12, 0.2)
NEW_PEOPLE = Limit(20, 0.5)
THOUGHTS = Limit(4, 0.25)
"""Hints and other work for a core."""
CHAT = Limit(8, 0.5)


class Limiter:
    """Token buckets by key, such as a person or an address. `scale` widens those of addresses, for a load test or a big proxy."""

    def __init__(self, scale: float = 1.0) -> None:
        self._scale = scale
        self._buckets: OrderedDict[tuple[Limit, str], tuple[float, float]] = OrderedDict()

    def spend(self, limit: Limit, *keys: str) -> None:
        """Take one from the bucket of each key, or raise `TooMany` and take nothing."""
        now = time.monotonic()
        levels = [self._level(limit, key, now) for key in keys]
        if (lowest := min(levels)) < 1:
            seconds = round((1 - lowest) / (limit.per_second * self._scale), 1)
            raise TooMany(f"too many at once; try again in {seconds} seconds", where=limit_name(limit), seconds=seconds)
        for key, level in zip(keys, levels, strict=True):
            self._buckets[limit, key] = (level - 1, now)
            self._buckets.move_to_end((limit, key))
        while len(self._buckets) > MOST_KEYS:
            self._buckets.popitem(last=False)

    def _level(self, limit: Limit, key: str, now: float) -> float:
        level, at = self._buckets.get((limit, key), (limit.burst * self._scale, now))
        return min(limit.burst * self._scale, level + (now - at) * limit.per_second * self._scale)


def limit_name(limit: Limit) -> str:
    return next(name.lower() for name, value in globals().items() if value is limit)
