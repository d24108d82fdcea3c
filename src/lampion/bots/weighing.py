"""Tasks for another machine that weigh a decision, and its answer.

The server makes them from a finished game and says what the answer means (`reviews.elsewhere`).
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from lampion.bots.task import Task

Value = Annotated[float, Meta(ge=-1e-9, le=1 + 1e-9)]
MOST_ACTIONS = 5_000


class Run(msgspec.Struct, frozen=True):
    """Two searches, of the best action alone and of the one that was played alone."""

    seed: str
    iterations: int


class JudgementTask(msgspec.Struct, frozen=True):
    """What a machine has to find out about one decision."""

    ply: int
    task: Task
    """What looks for the best action; its `exact` comes first, where there is one. Its network is
    sent once for all tasks."""
    played: int
    weigh: list[Run]
    """Where another action seems better than the one that was played."""
    again: list[Run]
    """Where that seems to cost as much as `costly`, on average over `weigh`."""
    costly: float


class JudgementTasks(msgspec.Struct, frozen=True):
    weights: str
    tasks: list[JudgementTask]


class FoundAction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    action: Annotated[int, Meta(ge=0, lt=1 << 31)]
    visits: Annotated[int, Meta(ge=0, lt=1 << 31)]
    value: Value


Gaps = Annotated[list[Annotated[float, Meta(ge=-1.1, le=1.1)]], Meta(max_length=64)]


class Evidence(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the searches found."""

    ply: Annotated[int, Meta(ge=0, le=100_000)]
    values: Annotated[list[Value], Meta(max_length=MOST_ACTIONS)] = []
    """Of all legal actions in the order of their ids, if the rest of the game was solved. Then
    nothing else is there."""
    moves: Annotated[list[FoundAction], Meta(max_length=MOST_ACTIONS)] = []
    """All legal actions, the best first."""
    gaps: Gaps = []
    """How much better the best action was than the one that was played, in each run."""
    again: Gaps = []
