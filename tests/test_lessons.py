"""The lessons of the games: every situation occurs, what is asked can be done whatever was done
before, and the client has words and a place on the screen for each step."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lampion.core.errors import IllegalAction
from lampion.core.game import find_game, own_game_names
from lampion.core.lessons import Attempt, Course, Lesson, course_of, does

ROOT = Path(__file__).parents[1]
BOARDS = ROOT / "web" / "src" / "boards"
LANGUAGES = ("en", "fr", "it")
GAMES = own_game_names()
WORDS_A_MINUTE = 238
"""What adults read silently on average: Brysbaert, Journal of Memory and Language 109 (2019)."""
WORDS_TOLD, SECONDS_A_TASK, SECONDS_A_PAGE = 15, 8, 1
"""What the guide tells after a task, the task on the board, and turning a page."""
LESSONS = [
    (game, lesson.name) for game in GAMES if (found := course_of(game)) for lesson in found.lessons
]


def course(game: str) -> Course:
    found = course_of(game)
    assert found, f"{game} has no lessons"
    return found


def attempts(game: str, lesson: Lesson) -> Iterator[Attempt]:
    """Every way to begin, each followed by what comes first: all scripts hold after all answers."""
    first = Attempt(game, lesson)
    for action in wanted(first):
        attempt = Attempt(game, lesson)
        attempt.do(action)
        while attempt.task:
            attempt.do(wanted(attempt)[0])
        yield attempt


def wanted(attempt: Attempt) -> list[str]:
    assert attempt.task and attempt.match.may_act(attempt.lesson.seat), "the learner is to act"
    found = attempt.wanted(attempt.match.previews(attempt.lesson.seat))
    assert found, f"{attempt.lesson.name}.{attempt.task.name} can be done"
    return found


@pytest.mark.parametrize(("game", "name"), LESSONS)
def test_a_lesson_can_be_taken_in_every_way(game: str, name: str) -> None:
    lesson = course(game).lesson(name)
    assert lesson
    ends = list(attempts(game, lesson))
    assert len(ends) >= 1
    assert all(attempt.done == len(lesson.tasks) for attempt in ends)
    assert len(lesson.steps[-1].wants) == 0, "the last page is read: nothing is left to do"


@pytest.mark.parametrize("game", GAMES)
def test_only_what_is_asked_is_taken(game: str) -> None:
    """Where there is another legal action, the lesson refuses it and stays as it is."""
    refused = 0
    for lesson in course(game).lessons:
        attempt = Attempt(game, lesson)
        legal, asked = attempt.match.legal_actions(lesson.seat), wanted(attempt)
        for action in [action for action in legal if action not in asked][:1]:
            with pytest.raises(IllegalAction, match="asks for something else"):
                attempt.do(action)
            assert (attempt.done, attempt.match.ply) == (0, len(lesson.log))
            refused += 1
    assert refused > len(course(game).lessons) / 2, "most lessons ask for something particular"


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_taken_after_the_last_task(game: str) -> None:
    attempt = next(attempts(game, course(game).lessons[0]))
    ply = attempt.match.ply
    for action in attempt.match.legal_actions(attempt.lesson.seat)[:1] or ["pass"]:
        with pytest.raises(IllegalAction, match="nothing is asked"):
            attempt.do(action)
    assert attempt.match.ply == ply


@pytest.mark.parametrize("game", GAMES)
def test_every_last_lesson_ends_its_game(game: str) -> None:
    last = course(game).lessons[-1]
    assert all(
        attempt.match.is_over and last.seat in attempt.match.winners
        for attempt in attempts(game, last)
    )


@pytest.mark.parametrize("game", GAMES)
def test_rules_are_in_the_rulebook(game: str) -> None:
    book = (Path(find_game(game).__file__).parent / "rulebook" / "en.md").read_text("utf-8")
    for lesson in course(game).lessons:
        for step in lesson.steps:
            assert step.rule and re.search(rf"\b{step.rule}\b", book), f"{lesson.name}.{step.name}"


@pytest.mark.parametrize("game", GAMES)
def test_the_client_has_words_and_a_place_for_every_step(game: str) -> None:
    pages = {
        f"{lesson.name}.{step.name}": step
        for lesson in course(game).lessons
        for step in lesson.steps
    }
    texts = {lesson.name for lesson in course(game).lessons} | set(pages)
    texts |= {f"{page}.ask" for page, step in pages.items() if step.waits}
    for language in LANGUAGES:
        file = BOARDS / game / "messages" / language / "learn.json"
        assert set(json.loads(file.read_text("utf-8"))) == texts, language
    points = (BOARDS / game / "guide.ts").read_text("utf-8")
    assert set(re.findall(r'^  "([a-z_.]+)":', points, re.MULTILINE)) == set(pages)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_a_guide_takes_four_to_six_minutes(game: str, language: str) -> None:
    """An estimate from the lessons, as docs/web.md states it; nobody has been timed."""
    steps = [(lesson.name, step) for lesson in course(game).lessons for step in lesson.steps]
    tasks = sum(bool(step.wants) for _, step in steps)
    texts = json.loads((BOARDS / game / "messages" / language / "learn.json").read_text())
    pages = [f"{lesson}.{step.name}" for lesson, step in steps]
    words = sum(len((texts[page] + " " + texts.get(f"{page}.ask", "")).split()) for page in pages)
    seconds = (words + tasks * WORDS_TOLD) * 60 / WORDS_A_MINUTE
    minutes = (seconds + tasks * SECONDS_A_TASK + len(pages) * SECONDS_A_PAGE) / 60
    print(f"{game} {language}: {words} words, {tasks} tasks, {minutes:.1f} minutes")
    assert 3.5 < minutes <= 6


def test_patterns() -> None:
    events: list[dict[str, object]] = [
        {"event": "move", "player": 0, "count": 2},
        {"event": "end"},
    ]
    assert does([{"event": "end"}, {"player": 0, "count": [1, 2]}], events)
    assert not does([{"event": "end", "player": 0}], events), "in one event, not in two"
    assert not does([{"player": 0}, {"player": 1}], events)
