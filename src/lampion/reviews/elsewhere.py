"""The searches of a judgment as tasks for another machine, such as a reader's browser.

A `JudgementTask` names every search that `judging.Judge` makes of one decision, with its budget and
random numbers. The machine that does them (`web/src/engine/judging.ts`) answers with `Evidence`: the
values that it found. What they mean is said here, by the same lines that judge what this machine
found itself, so with the same evidence the judgment is the same.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np
import numpy.typing as npt

from lampion.bots import task
from lampion.bots.ends import Values
from lampion.bots.search import Move, Thought
from lampion.bots.task import Exact, Task
from lampion.bots.weighing import Evidence, JudgementTask, JudgementTasks, Run
from lampion.core.errors import LampionError
from lampion.core.log import Entry
from lampion.core.match import Match
from lampion.core.position import Position
from lampion.core.rng import new_rng, next_random
from lampion.core.types import IntArray
from lampion.reviews.judging import AGAIN, COSTLY, Care, Judge, Judgement, budgets


def task_of(judge: Judge) -> JudgementTask:
    """All searches of a decision that was not forced."""
    care, most = judge.care, max(judge.care.look, *budgets(2 * judge.care.weigh, judge.care.again))
    look = task.task_for(
        judge.seen, judge.seat, judge.legal, most, _dice(judge, 0), **judge.search.changed
    )
    looking = msgspec.structs.replace(
        look, weights="", iterations=care.look, exact=_exact(judge, look)
    )
    weigh = _runs(judge, care.weigh, care.runs, 1)
    again = _runs(judge, 2 * care.weigh, care.again, AGAIN) if care.again else []
    return JudgementTask(judge.ply, looking, judge.action, weigh, again, COSTLY)


def _dice(judge: Judge, run: int) -> int:
    """What a search makes of the seed of a run before it begins."""
    return int(next_random(new_rng(judge.seed_of(run))))


def _runs(judge: Judge, weigh: int, runs: int, first: int) -> list[Run]:
    return [
        Run(str(_dice(judge, first + k)), iterations)
        for k, iterations in enumerate(budgets(weigh, runs))
    ]


def _exact(judge: Judge, look: Task) -> Exact | None:
    if not judge.may_solve():
        return None
    unit = judge.search.settings(judge.position.game).record()
    return task.exact_for(judge.legal, 1, judge.care.solve, unit, share=1.0)


class Reported(Judge):
    """A decision whose searches another machine has made. What does not fit is refused; what fits
    is believed, so it is for the reader alone who sent it."""

    def __init__(
        self, position: Position, ply: int, entry: Entry, care: Care, evidence: Evidence
    ) -> None:
        super().__init__(position, ply, entry, care, None)
        self.evidence = evidence

    def solved(self) -> Values | None:
        if not self.evidence.values:
            return None
        if len(self.evidence.values) != len(self.legal):
            raise self._unfit("a value for every legal action")
        return np.array(self.evidence.values)

    def think(self, legal: IntArray, iterations: int, run: int) -> Thought:
        moves = [Move(one.action, one.visits, one.value, []) for one in self.evidence.moves]
        if sorted(move.action for move in moves) != legal.tolist():
            raise self._unfit("every legal action once")
        return Thought(moves, iterations)

    def gaps(self, best: int, weigh: int, runs: int, first: int) -> npt.NDArray[np.float64]:
        found = self.evidence.again if first == AGAIN else self.evidence.gaps
        if len(found) != runs:
            raise self._unfit(f"{runs} differences")
        return np.array(found)

    def _unfit(self, wanted: str) -> LampionError:
        message = f"the evidence about entry {self.ply} needs {wanted}"
        return LampionError(message, code="invalid-query", where="found")


def tasks_for(match: Match, plies: Iterable[int]) -> JudgementTasks:
    """The searches of the decisions at these plies that were not forced."""
    wanted, weights, tasks, care = {*plies}, "", [], Care()
    for ply, entry, position in match.walk():
        if ply in wanted and len(position.legal_ids(entry.actor)) > 1:
            judge = Judge(position, ply, entry, care, None)
            weights = weights or task.weights_for(judge.seen)
            tasks.append(task_of(judge))
    return JudgementTasks(weights, tasks)


def judged_from(match: Match, found: Iterable[Evidence]) -> list[Judgement]:
    """The judgments that follow from what another machine found."""
    known, care = {one.ply: one for one in found}, Care()
    return [
        Reported(position, ply, entry, care, known[ply]).verdict()
        for ply, entry, position in match.walk()
        if ply in known
    ]
