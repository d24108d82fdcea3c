"""What a strong player would do in a position of a record. The search is given what the seat knew
there, and nothing that came later or that others held.
"""

from __future__ import annotations

from typing import Any

from lampion.bots.task import Task
from lampion.core.errors import LampionError
from lampion.core.match import Match
from lampion.core.replay import match_from_record
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.study import hints, tasks
from lampion.server.study.replay import check_ended, check_seat, record_in


def task(wanted: wire.ReplayTaskRequest) -> Task:
    """What the seat knew, as a search for the visitor's own machine."""
    return tasks.task_of(position(wanted.record, wanted.ply, wanted.seat), wanted.seat)


def told(wanted: wire.ReplayHintRequest) -> wire.Hint:
    """The words for what a browser found."""
    match = position(wanted.record, wanted.ply, wanted.seat)
    return tasks.told(match, wanted)


def searched(wanted: wire.ReplayHintRequest) -> wire.Hint:
    """The same, found here."""
    match = position(wanted.record, wanted.ply, wanted.seat)
    return hints.told(match, hints.last_thought(match, wanted.seat), wanted.language)


def position(content: dict[str, Any], ply: int, seat: int) -> Match:
    """The match of a record when its log had `ply` entries, for a seat that was to act then."""
    record = record_in(content)
    match = match_from_record(record)
    check_ended(record, match)
    check_seat(match, seat)
    if ply > match.ply:
        raise LampionError(
            f"this record has {match.ply} entries", code="invalid-query", where="ply"
        )
    earlier = match.at(ply)
    if not earlier.may_act(seat):
        raise TableError(
            "this seat is not to act here", code="not-to-act", where=f"ply {ply}, seat {seat}"
        )
    return earlier
