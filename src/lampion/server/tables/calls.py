"""Whom a change of a table concerns who may not be here: it is their turn, they are asked, it is
over.

Worked out from the table before and after, whatever the change was (a move, an undo, a clock, an
operator), and stored with the events. Nothing here asks who watches: that is known when a notice is
due, not before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from lampion.server import wire
from lampion.server.people.reachable import Reachable
from lampion.server.store.base import Calls, NewEvent, Notice, NoticeKind, Settled, TableStatus
from lampion.server.tables.clocks import DAY_MS
from lampion.server.tables.kinds import EventKind
from lampion.server.tables.table import Table

START_PAUSE_MS = 10_000
"""Players who have just sat down are about to open the table."""
TURN = (NoticeKind.TURN, NoticeKind.SOON)
ANY = (*TURN, NoticeKind.ASKED, NoticeKind.INVITED)


@dataclass(frozen=True)
class Standing:
    """What a table wants from people."""

    to_act: frozenset[str]
    question: int | None
    is_open: bool
    is_over: bool


def standing(table: Table) -> Standing:
    return Standing(
        frozenset(_people_of(table, filter(table.is_played_by_person, table.actors))),
        table.question.number if table.question else None,
        table.status == TableStatus.OPEN,
        table.reveals,
    )


def calls_between(
    before: Standing | None, table: Table, events: Sequence[NewEvent], reachable: Reachable
) -> Calls | None:
    """What to tell people after these events; None if there is nothing to note, or nobody who can
    be reached (`before` is None then)."""
    if before is None or before == (after := standing(table)):
        return None
    made = Calls(
        [notice for notice in _notices(before, after, table, events) if notice.person in reachable],
        list(_settled(before, after)),
    )
    return made if made.notices or made.settled else None


def _settled(before: Standing, after: Standing) -> Iterator[Settled]:
    if after.is_over and not before.is_over:
        yield Settled(ANY)
        return
    for person in sorted(before.to_act - after.to_act):
        yield Settled(TURN, person)
    if before.question is not None and before.question != after.question:
        yield Settled((NoticeKind.ASKED,))
    if before.is_open and not after.is_open:
        yield Settled((NoticeKind.INVITED,))


def _notices(
    before: Standing, after: Standing, table: Table, events: Sequence[NewEvent]
) -> Iterator[Notice]:
    """Not to the player who brought it about, and nothing in a game without other people."""
    if len(table.people) < 2:
        return
    at_ms, ply = events[-1].at_ms, table.ply
    doer = _person_at(table, events[0].actor)
    if after.is_over and not before.is_over:
        if table.match is not None:
            for person in sorted(table.people - {doer}):
                yield Notice(person, NoticeKind.OVER, at_ms, ply)
        return
    pause = START_PAUSE_MS if any(event.kind == EventKind.START for event in events) else 0
    for person in sorted(after.to_act - before.to_act - {doer}):
        yield Notice(person, NoticeKind.TURN, at_ms + pause, ply)
    for person in sorted(after.to_act - before.to_act):
        if (due_ms := reminder_ms(table, person)) is not None:
            yield Notice(person, NoticeKind.SOON, due_ms, ply)
    if table.question and after.question != before.question:
        for person in sorted(_people_of(table, table.question.waiting)):
            yield Notice(person, NoticeKind.ASKED, at_ms, ply)


def wanted_of(table: Table, person: str) -> list[Notice]:
    """What a table wants from a person now, whenever it began, with the reminder of the time."""
    if len(table.people) < 2:
        return []
    now, found = standing(table), []
    if person in now.to_act:
        found.append(Notice(person, NoticeKind.TURN, 0, table.ply))
    if table.question and person in _people_of(table, table.question.waiting):
        found.append(Notice(person, NoticeKind.ASKED, 0, table.ply))
    if person in now.to_act and (due_ms := reminder_ms(table, person)) is not None:
        found.append(Notice(person, NoticeKind.SOON, due_ms, table.ply))
    return found


def reminder_ms(table: Table, person: str) -> int | None:
    """When to remind a player of a move: a day before its time is over, or half-way if there is
    just a day. None if no day is running."""
    if not isinstance(table.pace, wire.Days):
        return None
    dues = [due for seat in table.seats_of(person) if (due := table.clocks.due(seat)) is not None]
    return min(dues) - min(DAY_MS, table.pace.days * DAY_MS // 2) if dues else None


def _people_of(table: Table, seats: Collection[int] | Iterator[int]) -> set[str]:
    return {person for seat in seats if (person := table.seats[seat].person_id)}


def _person_at(table: Table, seat: int) -> str | None:
    return table.seats[seat].person_id if 0 <= seat < table.players else None


def invitations(people: Collection[str], now_ms: int, reachable: Reachable) -> Calls | None:
    """For players who are asked to a new table."""
    invited = [
        Notice(person, NoticeKind.INVITED, now_ms)
        for person in sorted(people)
        if person in reachable
    ]
    return Calls(invited) if invited else None
