"""How much one visitor may ask for. Buckets refill; an empty one means waiting for a moment, and
nobody is banned.

Every limit holds for a person and, more widely, for an address, since one address may hold several
people. Without a person the address alone counts.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import NamedTuple

from lampion.server.errors import TooMany

MOST_BUCKETS = 20_000
PEOPLE_PER_ADDRESS = 4
"""How many busy people one address may hold before they feel each other."""


class Limit(NamedTuple):
    name: str
    burst: float
    per_second: float


EVERYTHING = Limit("everything", 400, 60)
"""Any request or handshake at all, static files included; for addresses only."""
REQUESTS = Limit("requests", 120, 20)
BODIES = Limit("bodies", 2**20, 2**16)
"""Bytes of JSON that are read. A record has a few thousand; half a million, made for the purpose,
takes 40 ms to read."""
COMMANDS = Limit("commands", 30, 6)
SYNCS = Limit("syncs", 6, 1)
HISTORY = Limit("history", 5_000, 250)
"""Log entries sent again to a seat that reconnects or asks from the beginning: each costs about ten
microseconds during which nobody else is served."""
NEW_TABLES = Limit("new-tables", 12, 0.2)
NEW_PEOPLE = Limit("new-people", 20, 0.5)
THOUGHTS = Limit("thoughts", 4, 0.25)
"""Hints and other work for a core."""
REVIEWS = Limit("reviews", 60, 1)
"""Judging a few decisions, or handing out the searches for it; a whole game takes about ten of each."""
KEPT = Limit("kept", 60, 0.05)
"""Positions to practice, which stay on the disk."""
PICTURES = Limit("pictures", 20, 0.5)
"""Of links: sites that show previews fetch one for every link, from few addresses."""
CHAT = Limit("chat", 8, 0.5)
NEW_WAYS = Limit("new-ways", 12, 0.05)
"""Ways to be notified, and test messages: each makes the server talk to another one."""
CODES = Limit("codes", 4, 1 / 600)
"""E-mails to addresses that nobody has confirmed."""
MAILBOX_CODES = Limit("mailbox-codes", 3, 1 / 1200)
"""The same to one mailbox, no matter who asks: nobody can flood one that is not theirs."""
MAIL_TESTS = Limit("mail-tests", 4, 1 / 900)
"""Test messages by e-mail: of one visitor, and to one mailbox."""
RECOVERIES = Limit("recoveries", 5, 1 / 120)
"""Attempts to come back by a phrase, from one address."""
ALL_RECOVERIES = Limit("all-recoveries", 60, 1)
"""The same from all addresses: each costs a good part of a second of a core."""
MAIL_RECOVERIES = Limit("mail-recoveries", 3, 1 / 1200)
"""Sign-in links by e-mail: from one address, and to one mailbox, whether or not anybody has it."""
PASSKEYS = Limit("passkeys", 20, 0.2)
ADMIN = Limit("admin", 60, 10)
WRONG_KEYS = Limit("wrong-keys", 10, 1 / 60)
"""Attempts with a wrong admin key, from one address; beyond that none is even looked at."""
WRONG_KEY_NOTES = Limit("wrong-key-notes", 60, 1 / 60)
"""Entries about wrong keys in the audit log, from all addresses: nobody can fill it."""


class Who(NamedTuple):
    """Who asks: a person if known, and the address group they ask from."""

    person: str | None
    address: str


EVERYBODY = Who(None, "everybody")


def letters(per_hour: int) -> Limit:
    """Codes, sign-in links and tests to all addresses together: mail providers block senders of too
    many."""
    return Limit("letters", per_hour, per_hour / 3600)


def mailbox(name: str) -> Who:
    return Who(None, f"mailbox {hashlib.sha256(name.encode()).hexdigest()}")


class Limiter:
    """Token buckets by person and address. `scale` widens all of them, for a load test or a big
    proxy."""

    def __init__(self, scale: float = 1.0, now: Callable[[], float] = time.monotonic) -> None:
        self._scale = scale
        self._now = now
        self._buckets: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()

    def spend(self, limit: Limit, who: Who, amount: float = 1.0) -> None:
        """Take that much from every bucket concerned, or raise `TooMany` and take nothing. A cost
        larger than a full bucket counts as a full one."""
        amount = min(amount, limit.burst * self._scale)
        if who.person is None:
            self._spend(limit, {f"address {who.address}": 1.0}, amount)
        else:
            widths = {f"person {who.person}": 1.0, f"all of {who.address}": PEOPLE_PER_ADDRESS}
            self._spend(limit, widths, amount)

    def _spend(self, limit: Limit, widths: Mapping[str, float], amount: float) -> None:
        now = self._now()
        levels = {key: self._level(limit, key, width, now) for key, width in widths.items()}
        for key, level in levels.items():
            if level < amount:
                missing = amount - level
                seconds = round(missing / (limit.per_second * widths[key] * self._scale), 1)
                message = f"too many at once; try again in {seconds} seconds"
                raise TooMany(message, where=limit.name, seconds=seconds)
        for key, level in levels.items():
            self._buckets[limit.name, key] = (level - amount, now)
            self._buckets.move_to_end((limit.name, key))
        while len(self._buckets) > MOST_BUCKETS:
            self._buckets.popitem(last=False)

    def _level(self, limit: Limit, key: str, width: float, now: float) -> float:
        full = limit.burst * width * self._scale
        level, at = self._buckets.get((limit.name, key), (full, now))
        return min(full, level + (now - at) * limit.per_second * width * self._scale)


class Holdings:
    """What visitors hold open: sockets, streams."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    def check(self, what: str, caps: Mapping[str, int]) -> None:
        """`TooMany` if one of the keys is at its cap."""
        for key, most in caps.items():
            if self._held.get(key, 0) >= most:
                raise TooMany(f"too many open {what}", code=f"too-many-{what}", seconds=10)

    @contextmanager
    def hold(self, what: str, caps: Mapping[str, int]) -> Iterator[None]:
        """Count one more for each key while the block runs, if none of them is at its cap."""
        self.check(what, caps)
        self._held.update(caps.keys())
        try:
            yield
        finally:
            self._held.subtract(caps.keys())
            for key in caps:
                if not self._held[key]:
                    del self._held[key]
