"""From rows of the store to what operators are shown."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set
from typing import Literal, cast

import msgspec

from lampion.server.admin.keys import key_id
from lampion.server.people.sanctions import What
from lampion.server.store.base import (
    AdminKeyRow,
    ChatLine,
    OutboxRow,
    PersonRow,
    SanctionRow,
    SeatRow,
    Store,
    TableRow,
    WayKind,
)
from lampion.server.tables.table import Table
from lampion.server.wire import admin as wire
from lampion.server.wire.incoming import Pace


async def table_lines(store: Store, rows: Sequence[TableRow]) -> list[wire.TableLine]:
    seats = await store.seats_of([row.id for row in rows])
    return [
        wire.TableLine(
            row.id,
            row.game,
            row.status,
            row.public,
            [wire.SeatLine(seat.kind, seat.name, seat.level) for seat in seats.get(row.id, [])],
            row.created_ms,
            row.changed_ms,
            row.problem,
        )
        for row in rows
    ]


def table_details(
    row: TableRow, seats: Sequence[SeatRow], events: int, table: Table | None, connected: Set[str]
) -> wire.TableDetails:
    """Without a `table` its log cannot be read; then only what is stored beside it is shown."""
    return wire.TableDetails(
        id=row.id, game=row.game, rules_version=row.rules_version, status=row.status,
        public=row.public, options=msgspec.json.decode(row.options, type=dict[str, str]),
        pace=msgspec.json.decode(row.pace, type=Pace), host=row.host,
        seats=[_seat(seat, table, connected) for seat in seats],
        ply=table.ply if table else None, actors=table.actors if table else [], watching=0,
        events=events, chat_lines=table.chat_lines if table else 0,
        result=table.result if table else None, commitment=row.commitment,
        created_ms=row.created_ms, changed_ms=row.changed_ms, previous_table=row.previous_table,
        next_table=row.next_table, problem=row.problem,
    )  # fmt: skip


def _seat(seat: SeatRow, table: Table | None, connected: Set[str]) -> wire.TableSeat:
    return wire.TableSeat(
        seat=seat.seat, kind=seat.kind, name=seat.name, person=seat.person_id, level=seat.level,
        stand_in=table.stand_ins.get(seat.seat) if table else None,
        connected=seat.person_id in connected,
        resigned=bool(table and seat.seat in table.resigned),
        out_of_time=bool(table and seat.seat in table.out_of_time),
    )  # fmt: skip


def chat_text(line: ChatLine) -> wire.ChatText:
    """A phrase keeps its slash; other words are stored with a leading space."""
    text = line.text.removeprefix(" ")
    return wire.ChatText(line.number, line.at_ms, line.person_id, line.seat, text)


def person_line(row: PersonRow, active: Collection[SanctionRow]) -> wire.PersonLine:
    found = {sanction.what for sanction in active if sanction.subject == row.id}
    return wire.PersonLine(
        row.id, row.name, row.created_ms, row.seen_ms, What.BAN in found, What.MUTE in found
    )


def sanction_line(row: SanctionRow, now_ms: int) -> wire.SanctionLine:
    is_over = row.until_ms is not None and row.until_ms <= now_ms
    return wire.SanctionLine(
        row.id,
        cast(Literal["ban", "mute"], row.what),
        cast(Literal["person", "address"], row.kind),
        row.subject,
        row.reason,
        row.created_ms,
        row.until_ms,
        row.lifted_ms,
        row.lifted_ms is None and not is_over,
    )


def notice_line(row: OutboxRow, way: WayKind) -> wire.NoticeLine:
    return wire.NoticeLine(
        row.id, row.kind, way, row.person_id, row.table_id, row.state, row.created_ms, row.due_ms,
        row.sent_ms, row.attempts, row.problem,
    )  # fmt: skip


def key_line(row: AdminKeyRow, now_ms: int) -> wire.KeyLine:
    expired = row.expires_ms is not None and row.expires_ms <= now_ms
    return wire.KeyLine(key_id(row.hash), row.label, row.created_ms, row.expires_ms, expired)
