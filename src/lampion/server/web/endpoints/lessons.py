"""Lessons for newcomers: what is taught, and where a lesson stands after what was done in it."""

from __future__ import annotations

import functools

from starlette.responses import Response

from lampion.server import wire
from lampion.server.study import lessons
from lampion.server.web.http import Ask, Endpoint

EXPECTED_SECONDS = 0.05
"""What a position with its previews takes of a core."""


async def course(ask: Ask) -> wire.Course:
    return lessons.course(ask.path["game"])


async def lesson(ask: Ask) -> Response:
    """In the same scheduler as the bots and in another process, like everything that studies
    games."""
    look = functools.partial(
        ask.services.workers.do, lessons.position, ask.path["game"], ask.path["lesson"], ask.body
    )
    owner = f"address {ask.who.address}"
    found = await ask.services.scheduler.do(owner, EXPECTED_SECONDS, look)
    return Response(found, media_type="application/json")


ENDPOINTS = (
    Endpoint("GET", "/api/lessons/{game:str}", "Return what the guide of a game teaches", course, wire.Course),
    Endpoint("POST", "/api/lessons/{game:str}/{lesson:str}", "Return a lesson's position after the given actions",
             lesson, wire.LessonPosition, wire.LessonRequest),
)  # fmt: skip
