"""How finished games ended: learned from their logs, a few at a time, and kept."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from lampion.server.errors import CorruptLog, UpdateNeeded
from lampion.server.store.base import OutcomeRow, TableRow
from lampion.server.tables.rooms import Rooms

READ_AT_ONCE = 20
"""Logs between two notes of what was learned: an interrupted reader resumes there."""
MOST_UNREADABLE = 20_000
CONTINUED = "continued"
"""The reason of a game that went on from a finished one: it does not count in anyone's results."""


class Learned(NamedTuple):
    outcomes: dict[str, OutcomeRow]
    pending: int
    """Games that are still to be learned. Those whose logs cannot be read are not among them."""


class Outcomes:
    def __init__(self, rooms: Rooms) -> None:
        self._rooms, self._store = rooms, rooms.store
        self._unreadable: OrderedDict[str, None] = OrderedDict()
        """Not in the store: another version of the server may be able to read them."""
        self._reading = asyncio.Lock()
        """However many ask, one log is read at a time."""

    async def learn(self, rows: Sequence[TableRow], most: int) -> Learned:
        """How these games ended. So many of the logs that nobody has read yet are read first."""
        known = await self._store.outcomes([row.id for row in rows])
        unknown = [row for row in rows if row.id not in known and row.id not in self._unreadable]
        wanted = unknown[:most]
        for begin in range(0, len(wanted), READ_AT_ONCE):
            async with self._reading:
                known |= await self._read(wanted[begin : begin + READ_AT_ONCE])
        return Learned(known, len(unknown) - len(wanted))

    async def _read(self, rows: Sequence[TableRow]) -> dict[str, OutcomeRow]:
        """Another request may have learned them in the meantime."""
        known = await self._store.outcomes([row.id for row in rows])
        learned = {}
        for row in rows:
            if row.id in known or row.id in self._unreadable:
                continue
            outcome = await self._outcome(row)
            if outcome is None:
                self._give_up(row)
            else:
                learned[row.id] = outcome
        if learned:
            await self._store.add_outcomes(list(learned.values()))
        return known | learned

    def _give_up(self, row: TableRow) -> None:
        self._unreadable[row.id] = None
        if len(self._unreadable) > MOST_UNREADABLE:
            self._unreadable.popitem(last=False)

    async def _outcome(self, row: TableRow) -> OutcomeRow | None:
        """As the log tells it; None if it cannot be read, because of the rules of another version,
        or does not lead to an end."""
        try:
            await self._rooms.readiness.wait(row.game)
            table = await self._rooms.read(row)
        except (CorruptLog, UpdateNeeded, msgspec.MsgspecError):
            return None
        result = table.result
        if result is None:
            return None
        texts = [
            msgspec.json.encode(numbers).decode()
            for numbers in (result.scores, result.placements, result.winners)
        ]
        reason = CONTINUED if table.first_ply else result.reason
        return OutcomeRow(row.id, table.last_ms, reason, *texts)
