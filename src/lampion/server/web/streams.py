"""The stream of a person's own tables as lines of JSON: made for programs, readable with ten
lines of code."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from lampion.server import wire
from lampion.server.services import Services
from lampion.server.tables.room import Viewer
from lampion.server.web.limits import Who
from lampion.server.web.lists import own_tables
from lampion.server.web.shell import encode

MOST_WAITING = 256
HEARTBEAT_SECONDS = 15.0


class Follower:
    """Follows all tables of one person."""

    def __init__(self, person: str) -> None:
        self.viewer = Viewer(person)
        self.folds = False
        self.queue: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self.has_lost = False

    def offer(self, message: bytes) -> None:
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.has_lost = (
                True  # the stream ends; the program comes back and is told everything that counts
            )


def stream_of(services: Services, person: str, who: Who) -> Response:
    """Refused at once if the person has too many; counted from the first line to the last."""
    caps = {
        f"streams of person {person}": services.config.streams_per_person,
        f"streams of {who.address}": services.config.sockets_per_address,
    }
    services.holdings.check("streams", caps)

    async def lines() -> AsyncIterator[bytes]:
        # Not before: a generator that is never begun is never ended either.
        with services.holdings.hold("streams", caps):
            async for line in _lines(services, person):
                yield line

    return StreamingResponse(
        lines(), media_type="application/x-ndjson", headers={"X-Accel-Buffering": "no"}
    )


async def _lines(services: Services, person: str) -> AsyncIterator[bytes]:
    """First every table as it stands, then whatever changes; an empty line when nothing does."""
    follower = Follower(person)
    followers = services.publisher.followers.setdefault(person, set())
    followers.add(follower)
    try:
        for info in await own_tables(services, person):
            yield encode(wire.Info(info)) + b"\n"
        while not follower.has_lost and not services.is_closing:
            try:
                async with asyncio.timeout(HEARTBEAT_SECONDS):
                    yield await follower.queue.get() + b"\n"
            except TimeoutError:
                yield b"\n"
    finally:
        followers.discard(follower)
        if not followers:
            services.publisher.followers.pop(person, None)
