"""All tables of this process: one command at a time at each, stored before anybody is told.

    command -> table (under its lock) -> events -> store, durable -> the bus: watchers, bots, clocks, other processes

Whatever goes wrong between the table and the store, the table in memory is thrown away and read
again from the log. Several processes may serve one table: the log lets exactly one append win, and
the others read on.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from lampion.core.errors import LampionError, UnknownGame
from lampion.server import metrics, wire
from lampion.server.bus import Bus
from lampion.server.clock import Clock
from lampion.server.errors import CorruptLog, TableError, UpdateNeeded
from lampion.server.peers import NewsKind
from lampion.server.people.reachable import Reachable
from lampion.server.store.base import (
    Appended,
    Duplicate,
    Event,
    Mark,
    NewEvent,
    SeatKind,
    SeatRow,
    SeatTaken,
    StorageFailed,
    Store,
    TableRow,
    TableStatus,
)
from lampion.server.tables import calls, commands
from lampion.server.tables.happenings import Changed, Chatted, Described, Loaded, Removed
from lampion.server.tables.kinds import EventKind
from lampion.server.tables.readiness import Readiness
from lampion.server.tables.room import Room
from lampion.server.tables.table import Table

log = logging.getLogger("lampion.tables")
TRIES = 4
IDLE_SECONDS = 600.0
MOST_ROOMS = 5_000
"""Tables in memory; beyond that, those without watchers are dropped at once."""
TABLE_ID = re.compile(r"[A-Za-z0-9_-]{8,24}")
FOLDED_AT_ONCE = 40
"""Events of a long log that are read again before others are served: a few milliseconds' worth."""
RESERVE = 0.6
"""The share of a log's greatest length that undo, questions and chat may fill; the rest is for
the game itself."""


class SeatChange(NamedTuple):
    """A seat to be changed together with the events of a command, or not at all."""

    row: SeatRow
    expect_kind: SeatKind
    expect_person: str | None = None


@dataclass
class Outage:
    """When the store last failed, from the first failure to the first success after it."""

    began_ms: int = 0
    ended_ms: int = 0
    is_over: bool = True

    def overlap(self, since_ms: int) -> int:
        """How much of it lay in a turn that began then."""
        return max(0, self.ended_ms - max(self.began_ms, since_ms))


class Rooms:
    def __init__(
        self, store: Store, readiness: Readiness, bus: Bus, clock: Clock, *, most_log: int = 5000
    ) -> None:
        self.store = store
        self.readiness = readiness
        self.bus = bus
        self.clock = clock
        self.most_log = most_log
        self.outage = Outage()
        self.reachable = Reachable(store)
        self.in_memory: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room]] = {}
        self._num_storing = 0

    @property
    def is_storing(self) -> bool:
        """Whether a command waits to be stored: the writer's thread needs the interpreter."""
        return self._num_storing > 0

    # --- tables in memory ---

    async def room(self, table: str) -> Room:
        """The table, from memory or from its log. `TableError` if there is none, or if its log
        cannot be read."""
        room = self.in_memory.get(table)
        if room is None:
            room = await self._load_once(table)
        room.touched = time.monotonic()
        return room

    async def _load_once(self, table: str) -> Room:
        """However many ask at the same time, the log is read once, and nothing stays behind for
        an unknown id."""
        if not TABLE_ID.fullmatch(table):
            raise no_table(table)
        loading = self._loading.get(table)
        if loading is None:
            loading = self._loading[table] = asyncio.ensure_future(self._load(table))
            loading.add_done_callback(lambda done: self._finished_loading(table, done))
        return await asyncio.shield(loading)

    def _finished_loading(self, table: str, done: asyncio.Task[Room]) -> None:
        self._loading.pop(table, None)
        if not done.cancelled():
            done.exception()  # every waiter may have gone; the error has been looked at

    async def _load(self, table: str) -> Room:
        room = Room(await self._read_table(table))
        room.published, room.told = room.table.ply, room.table.seq
        self.in_memory[table] = room
        self.bus.publish(Loaded(room))
        return room

    async def _read_table(self, table: str) -> Table:
        row = await self.store.table(table)
        if row is None:
            raise no_table(table)
        if row.status == TableStatus.QUARANTINED:
            raise _quarantined(table)
        await self.readiness.wait(row.game)
        try:
            return await self.read(row)
        except (CorruptLog, msgspec.MsgspecError) as corrupt:
            log.error("table quarantined", extra={"table": table, "problem": str(corrupt)})
            await self.store.update_table(
                table, status=TableStatus.QUARANTINED, problem=str(corrupt)[:500]
            )
            raise _quarantined(table) from corrupt

    async def read(self, row: TableRow) -> Table:
        """The table as its log tells it. `CorruptLog` or `UpdateNeeded` if that is impossible."""
        try:
            table = Table(row, await self.store.seats(row.id))
            await self._take_marks(table)
        except UnknownGame as unknown:
            raise UpdateNeeded(
                f"this server does not know the game {row.game!r}; update it", where=row.id
            ) from unknown
        _check_version(row, table.game.RULES_VERSION)
        # Before the log is folded: a pause keeps what a clock has left, vacations included.
        await self._take_wishes(table)
        for number, event in enumerate(await self.store.read(row.id), 1):
            table.fold(event)
            if number % FOLDED_AT_ONCE == 0:
                await asyncio.sleep(0)  # nobody has the table yet; others have waited long enough
        table.seats_changed = False
        return table

    async def _take_people(self, table: Table) -> None:
        """Who sits at the table, and what they want, as the store knows it."""
        table.take_seats(await self.store.seats(table.id))
        await self._take_wishes(table)

    async def _take_wishes(self, table: Table) -> None:
        """When players are away, and who wants to hear nothing of this table."""
        if isinstance(table.pace, wire.Days):
            table.take_vacations(await self.store.vacations(table.people))
        if self.reachable.any(table.people):
            table.muted = frozenset(await self.store.marked_people(table.id, Mark.MUTED))

    async def _take_marks(self, table: Table) -> None:
        table.removed = frozenset(await self.store.marked_people(table.id, Mark.REMOVED))
        table.invited = frozenset(await self.store.marked_people(table.id, Mark.INVITED))

    @contextlib.asynccontextmanager
    async def at(self, table: str) -> AsyncIterator[Room]:
        """Exclusive use of a table, exactly as it is stored. While you hold one, ask for no other:
        two tasks would wait for each other. Only a rematch does, for a table that is just made."""
        room = await self.room(table)
        async with room.lock:
            if room.is_broken:
                room.table, room.is_broken = await self._read_table(table), False
            await self._tell_missed(room)
            yield room

    async def _tell_missed(self, room: Room) -> None:
        """Tell the watchers what is stored and has not been told: another process was quicker than
        its news, or the store failed although it had stored the events."""
        if room.told < room.table.seq:
            stored = await self.store.read(room.table.id, since=room.told)
            missed = [event for event in stored if event.seq <= room.table.seq]
            await self._tell(room, missed, is_foreign=True)

    def drop_idle(self) -> None:
        """Forget tables that nobody has looked at for a while, or that are too many."""
        quiet = [
            room for room in self.in_memory.values() if not room.watchers and not room.lock.locked()
        ]
        quiet.sort(key=lambda room: room.touched)
        surplus = len(self.in_memory) - MOST_ROOMS
        for number, room in enumerate(quiet):
            if number < surplus or time.monotonic() - room.touched > IDLE_SECONDS:
                del self.in_memory[room.table.id]

    # --- commands ---

    async def do(self, table: str, person: str | None, command: wire.SeatCommand) -> None:
        """Do a command of a person for a seat. When this returns it is stored; `LampionError`
        says why not."""

        def change(at: Table) -> None:
            if command.seat not in at.seats_of(person):
                raise TableError(
                    "this seat is not yours", code="not-your-seat", where=f"seat {command.seat}"
                )
            if not isinstance(command, wire.Act | wire.Resign | wire.Leave):
                self.check_room_in_log(at)
            commands.carry_out(at, command, self.clock.now_ms())

        with metrics.COMMAND_SECONDS.time():
            await self.change(table, change)

    async def _read_on(self, table: str) -> bool:
        """Take in what another process has stored; returns whether there was anything."""
        if self._is_behind(table, (await self.store.lengths([table]))[table]):
            await self.catch_up(table)
            return True
        return False

    def check_room_in_log(self, table: Table) -> None:
        """Undo, questions and chat must leave room for the game to be finished."""
        if table.seq > RESERVE * self.most_log:
            raise TableError(
                "this table has a very long history; play on without that",
                code="log-full",
                where=table.id,
            )

    async def change(
        self, table: str, change: Callable[[Table], None], *, seat: SeatChange | None = None
    ) -> None:
        """Let `change` make events at a table, and store them. If another process was quicker,
        read on and try again; nothing is refused because of what this process has not heard yet."""
        for _ in range(TRIES):
            try:
                async with self.at(table) as room:
                    is_done = await self._try(room, change, seat)
            except LampionError as refused:
                if isinstance(refused, StorageFailed) or not await self._read_on(table):
                    raise
                continue
            # The lock is free here: `_read_on` above and `at` below take it themselves.
            if is_done and room.is_broken:  # done through another process: read and tell it
                async with self.at(table):
                    return
            if is_done:
                return
        raise TableError(
            "the table has changed meanwhile; here it is as it stands", code="stale", where=table
        )

    async def _try(
        self, room: Room, change: Callable[[Table], None], seat: SeatChange | None
    ) -> bool:
        table, before, expected = room.table, room.table.status, room.table.seq
        is_called = self.reachable.any(table.people)
        standing = calls.standing(table) if is_called else None
        # The table folds its events before they are stored. If storing fails, or this task is
        # canceled, memory is ahead of the log, and `at` has to read the log again.
        room.is_broken = True
        try:
            change(table)
            if table.seq > self.most_log:
                raise TableError("the log of this table is full", code="log-full", where=table.id)
        except BaseException:
            room.is_broken = bool(table.take_new())
            raise
        events = table.take_new()
        if events:
            status = table.status if table.status != before else None
            called = calls.calls_between(standing, table, events, self.reachable)
            self._num_storing += 1
            try:
                outcome = await self.store.append(
                    table.id, expected, events, status=status, seat=seat, calls=called
                )
            except StorageFailed:
                self.note_storage(works=False)
                raise
            finally:
                self._num_storing -= 1
            self.note_storage(works=True)
            if isinstance(outcome, Duplicate):
                return True  # it came through another process; `change` has the table read again
            if isinstance(outcome, SeatTaken):
                raise TableError(
                    "this seat has just been taken",
                    code="seat-taken",
                    where=f"seat {seat and seat.row.seat}",
                )
            if not isinstance(outcome, Appended):
                return False
        room.is_broken = False
        await self._tell(room, events, is_foreign=False)
        return True

    async def _tell(
        self, room: Room, events: Sequence[NewEvent | Event], *, is_foreign: bool
    ) -> None:
        kinds = [event.kind for event in events]
        if room.table.seats_changed:
            await self._take_people(room.table)
            await self._take_marks(room.table)
        metrics.ACTIONS.inc(kinds.count(EventKind.ACT))
        self.bus.publish(Changed(room, events, is_foreign))
        if numbers := {int(event.payload) for event in events if event.kind == EventKind.SAID}:
            # The store may already hold a later line whose event is still on its way; sending it
            # now would send it twice.
            lines = await self.store.chat(room.table.id, since=min(numbers) - 1)
            new = [spoken for spoken in lines if spoken.line.number in numbers]
            self.bus.publish(Chatted(room, new))
        room.told = room.table.seq

    def note_storage(self, *, works: bool) -> None:
        """Clocks forgive the time in which nothing could be stored."""
        outage = self.outage
        if works and outage.is_over:
            return
        if not works and outage.is_over:
            self.outage = outage = Outage(self.clock.now_ms())
        outage.ended_ms, outage.is_over = self.clock.now_ms(), works

    # --- what other processes did ---

    async def catch_up(self, table: str, events: Iterable[Event] = ()) -> None:
        """Take in what another process wrote; `events` are what it said it wrote, if it said so."""
        if table not in self.in_memory:
            return
        async with self.at(table) as room:
            new = [event for event in events if event.seq > room.table.seq]
            if not new or new[0].seq != room.table.seq + 1:
                new = await self.store.read(table, since=room.table.seq)
            if not new:
                return
            room.is_broken = True
            for event in new:
                room.table.fold(event)
            room.is_broken = False
            await self._tell(room, new, is_foreign=True)

    async def catch_up_all(self) -> None:
        """Look at every log in memory, in case news was lost."""
        lengths = await self.store.lengths(list(self.in_memory))
        await _for_each(
            [table for table in lengths if self._is_behind(table, lengths[table])], self.catch_up
        )

    def _is_behind(self, table: str, length: int) -> bool:
        room = self.in_memory.get(table)
        return room is not None and length > room.table.seq

    async def refresh_all(self) -> None:
        """Read everything again that is in memory and may have changed without a word."""
        await self.catch_up_all()
        await _for_each(list(self.in_memory), self.refresh)

    async def refresh(self, table: str) -> None:
        """Read what is not in the log again: names, seats, host, the next table."""
        await self._finish_loading([table])
        if table not in self.in_memory:
            return
        async with self.at(table) as room:
            row = await self.store.table(table)
            if row is None:
                self.forget(table)
                return
            room.table.row = row
            await self._take_people(room.table)
            await self._take_marks(room.table)
            self.bus.publish(Described(room))

    async def _finish_loading(self, tables: Iterable[str]) -> None:
        """What is being read now may have been read before the change that this is about."""
        if loading := [self._loading[table] for table in tables if table in self._loading]:
            await asyncio.wait(loading)

    async def refresh_person(self, person: str) -> None:
        await self._finish_loading(list(self._loading))
        for room in [
            room
            for room in self.in_memory.values()
            if person in room.table.people or room.table.row.host == person
        ]:
            await self.refresh(room.table.id)

    # --- care ---

    async def retry_quarantined(self, table: str) -> TableStatus:
        """Read the log of a quarantined table again; if it can be read now, the table is back."""
        row = await self.store.table(table)
        if row is None:
            raise no_table(table)
        if row.status != TableStatus.QUARANTINED:
            raise TableError("this table is not quarantined", code="not-quarantined", where=table)
        await self.readiness.wait(row.game)
        read = await self.read(row)
        await self.store.update_table(table, status=read.status, problem=None)
        return read.status

    async def delete(self, table: str) -> bool:
        """Delete a table with its log and chat, everywhere. False if there is no such table."""
        async with self._alone_at(table):
            is_deleted = await self.store.delete_table(table)
            self.forget(table)
        if is_deleted:
            await self.store.tell([(NewsKind.TABLE, table, "")])
        return is_deleted

    @contextlib.asynccontextmanager
    async def _alone_at(self, table: str) -> AsyncIterator[None]:
        """No command is under way here meanwhile. The table may be one that cannot be read."""
        room = self.in_memory.get(table)
        async with room.lock if room else contextlib.nullcontext():
            yield

    def forget(self, table: str) -> None:
        room = self.in_memory.pop(table, None)
        if room is not None:
            room.is_broken = (
                True  # a command that waits for its turn is told that there is no such table
            )
            self.bus.publish(Removed(room))


async def _for_each(tables: Iterable[str], work: Callable[[str], Awaitable[None]]) -> None:
    """A table that cannot be read holds up no other; its error is raised when all have had their
    turn. Without the store there is no point in going on."""
    failed: Exception | None = None
    for table in tables:
        try:
            await work(table)
        except StorageFailed:
            raise
        except Exception as error:
            failed = failed or error
    if failed:
        raise failed


def _check_version(row: TableRow, known: int) -> None:
    """A table remembers the version of its rules. One that this server does not know is left
    exactly as it is."""
    found = row.rules_version
    if found > known:
        message = f"this table plays by version {found} of the rules, this server knows version {known}; update the server"
        raise UpdateNeeded(message, where=row.id, found=found, known=known)
    if found < known:
        message = f"this table plays by version {found} of the rules; only an older Lampion can continue it"
        raise UpdateNeeded(message, code="old-rules", where=row.id, found=found, known=known)


def no_table(table: str) -> TableError:
    return TableError("there is no such table", code="no-table", where=table[:40])


def _quarantined(table: str) -> TableError:
    message = "this table is quarantined: its log cannot be read; the operator can retry it"
    return TableError(message, code="quarantined", where=table)
