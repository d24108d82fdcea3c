"""Records of finished games, their positions, and the check that chance was fair."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from starlette.responses import Response

from lampion.bots.task import Task
from lampion.core.gamelog import write_record
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.play.threads import in_thread
from lampion.server.study import replay as replays
from lampion.server.study import suggestions
from lampion.server.study.hints import HINT_SECONDS
from lampion.server.tables.info import is_insider
from lampion.server.web import limits
from lampion.server.web.endpoints.tables import TABLE
from lampion.server.web.http import MOST_RECORD_BYTES, Ask, Endpoint

Body = TypeVar("Body")
Found = TypeVar("Found")
EXPECTED_SECONDS = 0.2
"""What a replay or a verification takes of a core."""


async def record(ask: Ask) -> Response:
    viewer = await ask.viewer()
    async with ask.services.rooms.at(ask.table) as room:
        if not room.table.reveals or room.table.match is None:
            raise TableError(
                "the record is published when the game is over", code="no-record", where=ask.table
            )
        found = room.table.match.to_record(reveal_seed=True)
        if not is_insider(room.table, viewer):
            nameless = [f"Player {number}" for number in range(1, room.table.players + 1)]
            found = msgspec.structs.replace(found, names=nameless)
        name = f"lampion-{room.table.row.game}-{ask.table}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(write_record(found), media_type="application/json", headers=headers)


async def replay(ask: Ask) -> wire.Positions:
    return await _study(ask, replays.positions, ask.body)


async def verify(ask: Ask) -> wire.Verified:
    return await _study(ask, replays.verified, ask.body)


async def replay_task(ask: Ask) -> Task:
    return await _study(ask, suggestions.task, ask.body)


async def replay_hint(ask: Ask) -> wire.Hint:
    """Wording what a browser found costs no more than a replay; a search here is a thought."""
    if ask.body.found:
        return await _study(ask, suggestions.told, ask.body)
    ask.spend(limits.THOUGHTS)
    return await _study(ask, suggestions.searched, ask.body, EXPECTED_SECONDS + HINT_SECONDS)


async def _study(
    ask: Ask, look: Callable[[Body], Found], body: Body, seconds: float = EXPECTED_SECONDS
) -> Found:
    """In the same scheduler as the bots: looking at games must not slow them down."""
    owner = f"address {ask.who.address}"
    thinking = functools.partial(in_thread, look, body)
    return await ask.services.scheduler.do(owner, seconds, thinking)


ENDPOINTS = (
    Endpoint("GET", f"{TABLE}/record", "Return the record of a finished game", record, dict[str, Any],
             texts={"invite": "the invitation of a private table"}),
    Endpoint("POST", "/api/replay", "Return positions of a record", replay, wire.Positions, wire.ReplayRequest,
             most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/replay/hint", "Ask what a strong bot would do in a position of a record", replay_hint,
             wire.Hint, wire.ReplayHintRequest, most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/replay/hint/task", "Return what a seat knew, as a search for my own machine", replay_task,
             Task, wire.ReplayTaskRequest, most_bytes=MOST_RECORD_BYTES),
    Endpoint("POST", "/api/verify", "Check the chance of a record", verify, wire.Verified, dict[str, Any],
             limit=limits.THOUGHTS, most_bytes=MOST_RECORD_BYTES),
)  # fmt: skip
