"""Messages about decisions that a person practices."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from lampion.server.wire.incoming import Ply, Strict

MOST_TRIES = 12


class NewExercises(Strict):
    """Decisions of a record of a game that has ended, to be practiced."""

    record: dict[str, Any]
    plies: Annotated[list[Ply], Meta(min_length=1, max_length=12)]


class ExerciseAnswer(Strict):
    """The actions that were tried, in order, in notation; none: it was given up."""

    tried: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=200)]], Meta(max_length=MOST_TRIES)
    ]
    hinted: bool = False
    """Whether there was a hint."""


class ChangeExercise(Strict):
    suspended: bool
    """True: it does not come back. False: it is due now."""


class Exercise(Struct):
    """A decision that you practice."""

    id: str
    game: str
    players: int
    seat: int
    ply: int
    cost: float
    """Of the action that was played, when the decision was kept; as in `Judged`."""
    interval: float
    is_exact: bool
    kept_ms: int
    due_ms: int
    answers: int
    """How often you have answered it."""
    suspended: bool


class Practice(Struct):
    """All that you practice, earliest due first."""

    exercises: list[Exercise]
    due: int
    """How many are due now."""
    now_ms: int
    """The time of the server, which says what is due."""
    most: int
    """How many there can be."""


class ExercisePosition(Struct):
    """A decision with the record it is from, in which players have no names."""

    exercise: Exercise
    record: dict[str, Any]


class ExerciseAnswered(Struct):
    """What an answer was worth, and when the decision is due again."""

    grade: Literal["again", "hard", "good", "easy"]
    """`again`: nothing good was tried; `hard`: found with a hint or not at once; `good`: found at
    once; `easy`: found at once, the best one, when it had come back."""
    exercise: Exercise
    due: int
    """How many others are due now."""
    now_ms: int
