"""Lessons over the wire. Nothing is kept here: the visitor's page remembers what has been done in a
lesson, and every question plays that again from the stored position."""

from __future__ import annotations

from lampion.core.lessons import Attempt, Course, course_of
from lampion.core.news import news
from lampion.server import wire
from lampion.server.errors import TableError


def course(game: str) -> wire.Course:
    """What is taught, in order."""
    return wire.Course(
        [
            wire.Lesson(
                lesson.name,
                [wire.LessonStep(step.name, step.rule, step.waits) for step in lesson.steps],
            )
            for lesson in _course(game).lessons
        ]
    )


def position(game: str, name: str, wanted: wire.LessonRequest) -> wire.LessonPosition:
    """Where a lesson stands when these of its tasks have been done, as the learner sees it."""
    lesson = _course(game).lesson(name)
    if lesson is None:
        raise TableError("there is no such lesson", code="no-page", where=f"{game}/{name}")
    attempt = Attempt(game, lesson)
    match, seat = attempt.match, lesson.seat
    before = match.view(seat)
    for action in wanted.done:
        before = match.view(seat)
        attempt.do(action)
    view, since = match.view(seat), int(before["ply"])
    told = news(match, seat, before, view)
    lines = match.log.read_by(seat, since)
    steps = [
        wire.Step(ply, actor, text, events)
        for ply, ((actor, text), events) in enumerate(zip(lines, told, strict=True), since)
    ]
    previews = match.previews(seat) if match.may_act(seat) else {}
    return wire.LessonPosition(
        match.ply, seat, steps, view, list(previews), previews, attempt.wanted(previews)
    )


def _course(game: str) -> Course:
    found = course_of(game)
    if found is None:
        raise TableError("this game has no lessons", code="no-page", where=game)
    return found
