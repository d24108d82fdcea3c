"""The stream of a person's own tables as lines of JSON: made for programs, readable with ten lines of code."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from lampion.server import wire
from lampion.server.store.base import PersonRow
from lampion.server.tables import lobby
from lampion.server.tables.house import House, encode

MOST_WAITING = 256
HEARTBEAT_SECONDS = 15.0


class Follower:
    """Follows all tables of one person."""

    def __init__(self, person: str) -> None:
        self.person: str | None = person
        self.queue: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self.lost = False

    def offer(self, message: bytes) -> None:
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.lost = True  # the stream ends; whoever comes back is told everything that counts


def stream_of(house: House, person: PersonRow) -> Response:
    return StreamingResponse(_lines(house, person), media_type="application/x-ndjson", headers={"X-Accel-Buffering": "no"})


async def _lines(house: House, person: PersonRow) -> AsyncIterator[bytes]:
    """First every table as it stands, then whatever changes; an empty line when nothing does."""
    follower = Follower(person.id)
    followers = house.followers.setdefault(person.id, set())
    followers.add(follower)
    try:
        for info in await lobby.own_tables(house, person.id):
            yield encode(wire.Info(info)) + b"\n"
        while not follower.lost and not house.closing:
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    yield await follower.queue.get() + b"\n"
            except TimeoutError:
                yield b"\n"
    finally:
        followers.discard(follower)
        if not followers:
            house.followers.pop(person.id, None)
