"""News between processes: how they are packed into messages, and where they wait to be read."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import count

import msgspec

from lampion.server.store.base import LOST, News

LONGEST_PAYLOAD = 7900
"""Bytes; PostgreSQL allows 8000."""
MOST_WAITING = 10_000
"""News that wait for a slow reader before they become one LOST."""

Told = tuple[str, str, str]
"""Kind, about, data."""
_Payload = tuple[str, int, list[Told]]

_numbers = count(1)


def payloads(sender: str, news: Iterable[Told]) -> Iterator[str]:
    """As few messages as possible, in order. PostgreSQL drops a message that is equal to another
    of the same transaction, so each has a number."""
    room = LONGEST_PAYLOAD - len(msgspec.json.encode((sender, 2**53, [])))
    some: list[Told] = []
    size = 0
    for told in news:
        length = len(msgspec.json.encode(told)) + 1
        if some and size + length > room:
            yield _payload(sender, some)
            some, size = [], 0
        some.append(told)
        size += length
    if some:
        yield _payload(sender, some)


def _payload(sender: str, news: list[Told]) -> str:
    return msgspec.json.encode((sender, next(_numbers), news)).decode()


def unpacked(payload: str) -> list[News]:
    sender, _, news = msgspec.json.decode(payload, type=_Payload)
    return [News(sender, *told) for told in news]


class Inbox:
    """From the thread that listens to the task that reads."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[News] = deque()
        self._arrived = asyncio.Event()
        self._closed = False

    def put(self, news: Sequence[News]) -> None:
        """From any thread."""
        with suppress(RuntimeError):
            # The loop is closed: nobody waits any more.
            self._loop.call_soon_threadsafe(self._put, news)

    def close(self) -> None:
        """From the event loop."""
        self._closed = True
        self._arrived.set()

    def _put(self, news: Sequence[News]) -> None:
        self._waiting.extend(news)
        if len(self._waiting) > MOST_WAITING:
            self._waiting.clear()
            self._waiting.append(News("", LOST, ""))
        self._arrived.set()

    async def get(self) -> News | None:
        """The next one; None after the end."""
        while not self._waiting and not self._closed:
            self._arrived.clear()
            await self._arrived.wait()
        return None if self._closed else self._waiting.popleft()
