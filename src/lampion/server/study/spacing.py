"""When a decision comes back: FSRS, with the ratings that its answers earn. Time is given."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Literal

from fsrs import Card, Rating, Scheduler, State
from msgspec import Struct

Grade = Literal["again", "hard", "good", "easy"]
DAY_MS = 24 * 3600 * 1000
MOST_DAYS = 365
MOST_LAPSES = 8
"""What is missed so often teaches nothing any more, or is misjudged: it is suspended."""

# A position is not a word to be learned by heart: a second try after ten minutes would only ask
# whether the solution is still in mind. Without steps everything comes back after a day at least.
# Without fuzz the same answers always lead to the same dates.
_scheduler = Scheduler(
    learning_steps=(), relearning_steps=(), maximum_interval=MOST_DAYS, enable_fuzzing=False
)
_RATINGS: dict[Grade, Rating] = {
    "again": Rating.Again,
    "hard": Rating.Hard,
    "good": Rating.Good,
    "easy": Rating.Easy,
}


class Memory(Struct, frozen=True):
    """What the schedule knows about a decision that has been answered."""

    stability: float
    """Days until it is remembered with a chance of nine in ten."""
    difficulty: float
    """From 1 to 10."""
    answered_ms: int
    answers: int = 1
    lapses: int = 0
    """How often it was not found."""

    @property
    def is_leech(self) -> bool:
        return self.lapses >= MOST_LAPSES


class Tried(Struct, frozen=True):
    """How good an action is that was tried."""

    is_good: bool
    """Not judged a mistake."""
    is_best: bool


def grade_of(tried: Sequence[Tried], *, hinted: bool, is_first: bool) -> Grade:
    """`is_first`: before the first answer. What was found then may have been read in the review a
    moment ago, so it is never called easy."""
    if not any(one.is_good for one in tried):
        return "again"
    if hinted or not tried[0].is_good:
        return "hard"
    return "easy" if tried[0].is_best and not is_first else "good"


def after(memory: Memory | None, grade: Grade, now_ms: int) -> tuple[Memory, int]:
    """What is known after an answer, and when the decision is due again."""
    card, _ = _scheduler.review_card(_card_of(memory), _RATINGS[grade], _datetime(now_ms))
    assert card.stability is not None and card.difficulty is not None
    lapsed = int(grade == "again")
    answers, lapses = (memory.answers, memory.lapses) if memory else (0, 0)
    known = Memory(card.stability, card.difficulty, now_ms, answers + 1, lapses + lapsed)
    return known, now_ms + round((card.due - _datetime(now_ms)).total_seconds() * 1000)


def _card_of(memory: Memory | None) -> Card:
    """The id and the date are given because the library would take both from the wall clock."""
    due = _datetime(0)
    if memory is None:
        return Card(card_id=0, due=due)
    return Card(
        card_id=0,
        state=State.Review,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=due,
        last_review=_datetime(memory.answered_ms),
    )


def _datetime(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
