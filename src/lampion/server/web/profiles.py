"""A person's own figures and everything that is kept about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from lampion.server import wire
from lampion.server.services import Services
from lampion.server.store.base import OutcomeRow, PersonRow, SeatKind, SeatRow, TableRow
from lampion.server.study.figures import Played, against, figures, month_of, win_of
from lampion.server.study.outcomes import CONTINUED, READ_AT_ONCE
from lampion.server.study.practice import shown

MOST_GAMES = 2000
"""Older ones are not counted, and the profile says so."""
MOST_LINES = 10_000
MOST_REMOVED = 1000
FORMAT = "lampion-person/1"


class Games:
    """The finished games of a person, and how they ended as far as that is known."""

    def __init__(
        self,
        rows: Sequence[TableRow],
        seats: Mapping[str, list[SeatRow]],
        outcomes: Mapping[str, OutcomeRow],
        pending: int,
        has_older: bool,
    ) -> None:
        self.rows = rows
        self.seats = seats
        self.outcomes = outcomes
        self.pending = pending
        self.has_older = has_older

    def played(self, person: str) -> list[Played]:
        found = []
        for row in self.rows:
            outcome, seats = self.outcomes.get(row.id), self.seats[row.id]
            own = [s.seat for s in seats if s.person_id == person and s.kind == SeatKind.PERSON]
            # Games of friends at one screen are nobody's record.
            is_shared = any(seat.kind == SeatKind.LOCAL for seat in seats)
            if outcome is None or outcome.reason == CONTINUED or not own or is_shared:
                continue
            winners = msgspec.json.decode(outcome.winners, type=list[int])
            when = month_of(outcome.ended_ms)
            kind = against(seats, person)
            found.append(Played(row.game, row.players, kind, when, win_of(winners, own)))
        return found


async def games_of(services: Services, person: str, most: int) -> Games:
    """With so many more logs read than before."""
    all_rows = await services.store.played_tables(person, MOST_GAMES + 1)
    rows = all_rows[:MOST_GAMES]
    found = await services.outcomes.learn(rows, most)
    seats = await services.store.seats_of([row.id for row in rows])
    has_older = len(all_rows) > MOST_GAMES
    return Games(rows, seats, found.outcomes, found.pending, has_older)


async def profile(services: Services, person: PersonRow) -> wire.Profile:
    return profile_of(person, await games_of(services, person.id, READ_AT_ONCE))


def profile_of(person: PersonRow, games: Games) -> wire.Profile:
    played = games.played(person.id)
    return wire.Profile(
        person.name,
        person.created_ms,
        len(played),
        figures(played),
        games.pending,
        games.has_older,
    )


async def export(services: Services, person: PersonRow, access: wire.Access) -> wire.Export:
    games = await games_of(services, person.id, MOST_GAMES)
    over = {row.id for row in games.rows}
    running = [
        row for row in await services.store.tables_of(person.id, MOST_GAMES) if row.id not in over
    ]
    seats = {**games.seats, **await services.store.seats_of([row.id for row in running])}
    exported = [
        _game(row, games.outcomes.get(row.id), seats.get(row.id, []), person.id)
        for row in (*games.rows, *running)
    ]
    said = await services.store.words_of(person.id, MOST_LINES)
    return wire.Export(
        FORMAT, person.name, person.created_ms, person.seen_ms, access, profile_of(person, games),
        exported, [wire.ExportedLine(table, at_ms, text[1:]) for table, at_ms, text in said],
        await services.ways.shown(person.id), await services.store.blocked(person.id, MOST_REMOVED),
        await _exercises(services, person.id),
    )  # fmt: skip


async def _exercises(services: Services, person: str) -> list[wire.ExportedExercise]:
    rows = await services.store.exercises(person)
    records = await services.store.exercise_records(person)
    return [
        wire.ExportedExercise(shown(row), msgspec.json.decode(records[row.id]))
        for row in rows
        if row.id in records
    ]


def _game(
    row: TableRow, outcome: OutcomeRow | None, at: Sequence[SeatRow], person: str
) -> wire.ExportedGame:
    seats = [
        wire.ExportedSeat(seat.name, seat.kind, seat.level, seat.person_id == person) for seat in at
    ]
    return wire.ExportedGame(
        row.id,
        row.game,
        msgspec.json.decode(row.options, type=dict[str, str]),
        msgspec.json.decode(row.pace, type=dict[str, Any]),
        row.created_ms,
        outcome.ended_ms if outcome else None,
        outcome.reason if outcome else None,
        seats,
        msgspec.json.decode(outcome.scores, type=list[int]) if outcome else None,
        msgspec.json.decode(outcome.placements, type=list[int]) if outcome else None,
    )
