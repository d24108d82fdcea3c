"""Lessons for newcomers: what is taught, and where a lesson stands after what was done in it."""

from __future__ import annotations

from starlette.responses import Response

from lampion.server import wire
from lampion.server.study import lessons
from lampion.server.web.http import Ask, Endpoint

EXPECTED_SECONDS = 0.05
"""What a position with its previews takes of a core."""


async def course(ask: Ask) -> wire.Course:
    return lessons.course(ask.path["game"])


async def lesson(ask: Ask) -> Response:
    about = (ask.path["game"], ask.path["lesson"], ask.body)
    found = await ask.study(EXPECTED_SECONDS, lessons.position, *about)
    return Response(found, media_type="application/json")


ENDPOINTS = (
    Endpoint("GET", "/api/lessons/{game:str}", "Return what the guide of a game teaches", course, wire.Course),
    Endpoint("POST", "/api/lessons/{game:str}/{lesson:str}", "Return a lesson's position after the given actions",
             lesson, wire.LessonPosition, wire.LessonRequest),
)  # fmt: skip
