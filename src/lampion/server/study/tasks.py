"""Hints that the player's own browser finds: the server hands out what the seat knows, and puts
what was found into words. It searches nothing itself.
"""

from __future__ import annotations

from lampion.bots.analysis import Analysis, MoveValue
from lampion.bots.task import Task, task_for
from lampion.core.fairness import new_seed
from lampion.core.match import Match
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.services import Services
from lampion.server.study import hints

ITERATIONS = 20_000
"""More than a browser does in the time that a hint may take; the clock there ends the search."""


async def task(services: Services, table: str, person: str, seat: int) -> Task:
    """What the seat knows, as a search for its own machine; the same rules as for a hint."""
    return task_of(await hints.match_for(services, table, person, seat), seat)


def task_of(match: Match, seat: int) -> Task:
    seed = int.from_bytes(new_seed()[:8], "little")
    return task_for(match.seen_from(seat), seat, match.legal_ids(seat), ITERATIONS, seed)


async def hint(services: Services, table: str, person: str, wanted: wire.HintRequest) -> wire.Hint:
    """The words for what a browser found."""
    match = await hints.match_for(services, table, person, wanted.seat)
    return told(match, wanted)


def told(match: Match, wanted: wire.HintRequest) -> wire.Hint:
    """A hint from the moves that a browser found, best first. Nobody else sees it, so nothing is to
    be gained by making it up; an action that is not legal is refused all the same."""
    seat, found = wanted.seat, wanted.found
    legal = set(match.legal_ids(seat).tolist())
    if not found or any(move.action not in legal for move in found):
        raise TableError("not a legal action here", code="stale", where=f"seat {seat}")
    moves = [
        MoveValue(move.action, match.action_text(move.action, seat), move.value, move.visits, [])
        for move in found
    ]
    return hints.told(match, Analysis(seat, moves, wanted.tries), wanted.language)
