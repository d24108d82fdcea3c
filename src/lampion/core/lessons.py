"""Lessons: positions of prepared games, each with what a newcomer is asked to do there.

A game ships them as `lessons.toml` beside its rules. A lesson is a log that leads to the position,
and steps. A step without `wants` is only read; one with it waits for an action of the learner that
has such events. What chance and the other seats do after that is written, too (`then`), so that
every situation really occurs. Everything goes through the gate of `Match`, like any game.

    [[lessons]]
    name = "pairs"
    players = 2
    seat = 0
    log = ["c +8", "0 17r1@2,-1", ...]

    [[lessons.steps]]
    name = "dedicate"
    rule = "L7"
    wants = [{ cause = "dedicate", stack = "three_pairs" }]
    then = ["c +4"]

The words and the places on the screen that a step points at belong to the client.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from lampion.core.errors import IllegalAction
from lampion.core.game import find_game
from lampion.core.gamelog import CHANCE_ACTOR
from lampion.core.match import Match
from lampion.core.types import CHANCE, Player

Pattern = dict[str, Any]
"""Some keys of an event with their values; a list of values means any of them."""
Key = Annotated[str, Meta(pattern="^[a-z][a-z_]*$")]


class LessonStep(msgspec.Struct, forbid_unknown_fields=True):
    name: Key
    rule: str | None = None
    """The rule of the rulebook that says it in full."""
    wants: list[Pattern] = []
    """What the learner's action must do: an event for each pattern."""
    then: list[str] = []
    """What chance and the other seats do next, until the learner may act again."""

    @property
    def waits(self) -> bool:
        return bool(self.wants)


class Lesson(msgspec.Struct, forbid_unknown_fields=True):
    name: Key
    players: int
    seat: Player
    log: list[str]
    steps: list[LessonStep]
    options: dict[str, str] = {}

    @property
    def tasks(self) -> list[LessonStep]:
        """The steps that wait for an action."""
        return [step for step in self.steps if step.waits]


class Course(msgspec.Struct, forbid_unknown_fields=True):
    """All lessons of a game, in the order in which they are taught."""

    format: Literal["lampion-lessons/1"]
    lessons: list[Lesson]

    def lesson(self, name: str) -> Lesson | None:
        return next((lesson for lesson in self.lessons if lesson.name == name), None)


@functools.cache
def course_of(game: str) -> Course | None:
    """The lessons of a game; None if it has none."""
    file = Path(find_game(game).__file__).parent / "lessons.toml"
    return msgspec.toml.decode(file.read_bytes(), type=Course) if file.exists() else None


class Attempt:
    """A lesson being taken: the match, and how many of its tasks have been done."""

    def __init__(self, game: str, lesson: Lesson) -> None:
        self.lesson = lesson
        self.match = _beginning(game, lesson.name).copy()
        self.done = 0

    @property
    def task(self) -> LessonStep | None:
        """What is asked now; None when all has been done."""
        tasks = self.lesson.tasks
        return tasks[self.done] if self.done < len(tasks) else None

    def wanted(self, previews: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[str]:
        """Of the actions with these events, those that do what is asked."""
        task = self.task
        return [text for text, told in previews.items() if task and does(task.wants, told)]

    def do(self, action: str) -> None:
        """The learner's action, which must be what is asked; then what the others do."""
        match, seat, task = self.match, self.lesson.seat, self.task
        if task is None or not match.may_act(seat):
            raise IllegalAction("nothing is asked in this lesson now")
        if not does(task.wants, match.preview(action, seat)):
            raise IllegalAction("this lesson asks for something else here")
        match.replay(seat, action)
        self.done += 1
        _play(match, task.then)


@functools.lru_cache(maxsize=128)
def _beginning(game: str, name: str) -> Match:
    """The match where a lesson begins. Callers copy it."""
    course = course_of(game)
    lesson = course and course.lesson(name)
    assert lesson, f"{game} has no lesson {name}"
    match = Match(find_game(game), lesson.players, lesson.options, deals=False)
    _play(match, lesson.log)
    return match


def _play(match: Match, lines: Sequence[str]) -> None:
    for actor, text in _entries(lines):
        match.replay(actor, text)


def _entries(lines: Sequence[str]) -> Iterator[tuple[Player, str]]:
    """Who acts and what, out of lines such as `c +8` and `0 pass`."""
    for line in lines:
        actor, _, text = line.partition(" ")
        yield CHANCE if actor == CHANCE_ACTOR else int(actor), text


def does(wants: Sequence[Pattern], events: Sequence[Mapping[str, Any]]) -> bool:
    """Whether there is an event for each pattern."""
    return all(any(_fits(pattern, event) for event in events) for pattern in wants)


def _fits(pattern: Pattern, event: Mapping[str, Any]) -> bool:
    return all(
        key in event and (event[key] in value if isinstance(value, list) else event[key] == value)
        for key, value in pattern.items()
    )
