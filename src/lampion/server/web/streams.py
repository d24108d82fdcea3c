"""The stream of a person's own tables as lines of JSON: made for programs, readable with ten
lines of code."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import Response, StreamingResponse

from lampion.core.errors import LampionError
from lampion.server import wire
from lampion.server.services import Services
from lampion.server.tables.room import Viewer
from lampion.server.web.connections import CLOSE_SECONDS, abort_of
from lampion.server.web.http import Ask
from lampion.server.web.lists import own_tables
from lampion.server.web.shell import encode

MOST_WAITING = 256
HEARTBEAT_SECONDS = 15.0
THE_END = b""


class Follower:
    """Follows all tables of one person."""

    def __init__(self, person: str, ask: Ask) -> None:
        self.person = person
        self.who = ask.who
        self.key = ask.key
        self.viewer = Viewer(person)
        self.folds = False
        self.has_ended = False
        self._queue: asyncio.Queue[bytes] = asyncio.Queue(MOST_WAITING)
        self._abort = abort_of(ask.request.scope)
        self._deadline: asyncio.TimerHandle | None = None

    def offer(self, message: bytes) -> None:
        if self._queue.full():
            self._cut_off()  # the program comes back and is told everything that counts
        elif not self.has_ended:
            self._queue.put_nowait(message)

    def end(self, reason: LampionError) -> None:
        self._cut_off()

    def _cut_off(self) -> None:
        """End the stream, and drop the connection if nobody reads to the end."""
        if not self.has_ended:
            self.has_ended = True
            while not self._queue.empty():
                self._queue.get_nowait()
            self._queue.put_nowait(THE_END)
            self._deadline = asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._abort)

    async def next(self) -> bytes:
        """What comes next, or nothing for a while."""
        try:
            async with asyncio.timeout(HEARTBEAT_SECONDS):
                return await self._queue.get()
        except TimeoutError:
            return THE_END

    def close(self) -> None:
        self.has_ended = True
        if self._deadline:
            self._deadline.cancel()


def stream_of(ask: Ask, person: str) -> Response:
    """Refused at once if the person has too many; counted from the first line to the last."""
    services = ask.services
    caps = {
        f"streams of person {person}": services.config.streams_per_person,
        f"streams of {ask.who.address}": services.config.sockets_per_address,
    }
    services.holdings.check("streams", caps)

    async def lines() -> AsyncIterator[bytes]:
        follower = Follower(person, ask)
        # Not before: a generator that is never begun is never ended either.
        with (
            services.holdings.hold("streams", caps),
            services.publisher.followed(person, follower),
            services.admission.admitted(follower),
        ):
            async for line in _lines(services, follower):
                yield line

    return StreamingResponse(
        lines(), media_type="application/x-ndjson", headers={"X-Accel-Buffering": "no"}
    )


async def _lines(services: Services, follower: Follower) -> AsyncIterator[bytes]:
    """First every table as it stands, then whatever changes; an empty line when nothing does."""
    try:
        # The key may have been revoked since the request was checked.
        await services.admission.check(follower)
        for info in await own_tables(services, follower.person):
            if not follower.has_ended:
                yield encode(wire.Info(info)) + b"\n"
        while not services.is_closing:
            line = await follower.next()
            if follower.has_ended:
                return
            yield line + b"\n"
    except LampionError:
        return  # the program learns why when it reconnects
    finally:
        follower.close()
