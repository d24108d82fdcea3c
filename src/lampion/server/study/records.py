"""From the log of a finished game to its record."""

from __future__ import annotations

import msgspec

from lampion.core.gamelog import write_record
from lampion.server.errors import CorruptLog
from lampion.server.store.base import Event, SeatRow, TableRow
from lampion.server.tables.table import Table


def record_of(row: TableRow, seats: list[SeatRow], log: list[Event]) -> str:
    """One line of JSON, seed included."""
    try:
        table = Table(row, seats)
    except msgspec.MsgspecError as problem:
        raise CorruptLog(
            f"the description of this table cannot be read: {problem}", where=row.id
        ) from problem
    for event in log:
        table.fold(event)
    if table.match is None or not table.reveals:
        raise CorruptLog("this log does not lead to the end of a game", where=row.id)
    return write_record(table.record)
