"""Bots and clocks: duties that follow from the state of a table, not tasks that may die.

    a bot is to act            -> it thinks and plays, unless nobody plays or watches
    a clock runs               -> at zero, the seat has lost, or a bot stands in for it
    anything fails             -> the duty is still there, and is taken up again a little later

Every second all duties are looked at again, and now and then all running tables of the database: so
whatever was missed (a fault of the store, an exception, a process that died) is made good. To look
at a table is to read its log, and after a start there may be thousands. Those where something
happened last come first: a table waits for a bot for seconds, for a person often for days.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial

import msgspec

from lampion.core.errors import LampionError
from lampion.server import metrics, wire
from lampion.server.errors import CorruptLog, TableError, UpdateNeeded
from lampion.server.peers import Peers
from lampion.server.people.origins import Origins
from lampion.server.play.supervisor import Troubles
from lampion.server.play.thinking import BotRunner
from lampion.server.store.base import RunningTable, StorageFailed, TableStatus
from lampion.server.tables import commands
from lampion.server.tables.happenings import Attended, Changed, Loaded, Removed
from lampion.server.tables.lobby import start_if_full
from lampion.server.tables.room import Room
from lampion.server.tables.rooms import Rooms
from lampion.server.tables.table import Table

log = logging.getLogger("lampion.duties")
LOOK_SECONDS = 1.0
SWEEP_SECONDS = 30.0


@dataclass
class Duty:
    """What a table needs next, as of event `seq` of its log."""

    seq: int
    needs_bot: bool
    needs_watcher: bool
    due_ms: int | None
    """When the first running clock will be at zero."""
    not_before: float = 0.0
    """After a failure: when to try again."""
    alarm: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        return not self.needs_bot and self.due_ms is None


class Duties:
    def __init__(
        self,
        rooms: Rooms,
        peers: Peers,
        bots: BotRunner,
        troubles: Troubles,
        origins: Origins,
        *,
        bot_pause: float = 0.7,
    ) -> None:
        self._rooms = rooms
        self._peers = peers
        self._bots = bots
        self._troubles = troubles
        self._origins = origins
        self._bot_pause = bot_pause
        self._duties: dict[str, Duty] = {}
        """Of every running table that this process has looked at, also of those no longer in
        memory."""
        self._busy: dict[tuple[str, str], asyncio.Task[None]] = {}
        """By table and kind of work: a clock must not wait for a bot that thinks."""
        self._is_unsettled = asyncio.Event()
        self._is_open = False
        self._may_ring = False
        """False until the clocks have been forgiven: one that ran out while the server was away
        must not ring. Bots need not wait for that."""
        rooms.bus.subscribe(Loaded, lambda loaded: self._look_anew(loaded.room))
        rooms.bus.subscribe(Changed, lambda changed: self.look(changed.room))
        rooms.bus.subscribe(Removed, lambda removed: self._drop(removed.room.table.id))
        rooms.bus.subscribe(Attended, lambda attended: self.begin(attended.room.table.id))
        peers.on_change.append(self._is_unsettled.set)

    # --- what is to be done ---

    def look(self, room: Room) -> None:
        """Work out what a table needs, and begin if it is due."""
        table = room.table
        self._drop(table.id)
        if table.status != TableStatus.RUNNING:
            return
        due, needs_bot = table.clocks.next_due(), table.bot_to_act is not None
        duty = Duty(table.seq, needs_bot, needs_bot and table.is_bots_only, due[0] if due else None)
        self._duties[table.id] = duty
        if not duty.is_idle:  # between people without a clock there is nothing to begin
            self._set_alarm(table.id, duty)
            self.begin(table.id)

    def _look_anew(self, room: Room) -> None:
        """A process that died between the last seat and the start has left a full table. One
        without any event is just being made."""
        self.look(room)
        if room.table.seq and room.table.is_left_unstarted:
            self._spawn(room.table.id, "start", partial(start_if_full, self._rooms))

    def _drop(self, table: str) -> None:
        duty = self._duties.pop(table, None)
        if duty and duty.alarm:
            duty.alarm.cancel()

    def _set_alarm(self, table: str, duty: Duty) -> None:
        if duty.due_ms is not None:
            delay = max(0.0, (duty.due_ms - self._rooms.clock.now_ms()) / 1000)
            duty.alarm = asyncio.get_running_loop().call_later(delay, self.begin, table)

    async def look_at_all(self) -> None:
        """Begin whatever is due and not under way: after a failure, or when a process has come
        or gone."""
        metrics.DUTIES.set(len(self._duties))
        metrics.TROUBLES.set(len(self._troubles))
        for table in list(self._duties):
            self.begin(table)

    async def sweep_and_wait(self) -> None:
        """Sweep, then wait for a while, or until a process has come or gone."""
        self._is_open = True
        self._is_unsettled.clear()
        await self.sweep()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(SWEEP_SECONDS):
                await self._is_unsettled.wait()

    async def sweep(self) -> None:
        """Look at every running table of the database that is ours and that we have not seen in
        its present state."""
        known = set(self._duties)  # a game that begins from here on is not in the list
        running = await self._running()
        for table in running:
            if self._peers.is_mine(table.id) and self._is_news(table):
                await self._load(table.id)
        for table_id in known - {table.id for table in running}:
            self._drop(table_id)
        await self.look_at_all()

    async def _running(self) -> list[RunningTable]:
        """All running tables, the one where something happened last first."""
        running = await self._rooms.store.running_tables()
        return sorted(running, key=lambda table: table.at_ms, reverse=True)

    async def adopt(self, table: str) -> None:
        """Look at a table that could not be read until now, if it is ours."""
        if self._peers.is_mine(table):
            await self._load(table)

    def _is_news(self, table: RunningTable) -> bool:
        known = self._duties.get(table.id)
        return known is None or known.seq < table.seq

    async def _load(self, table: str) -> None:
        try:
            await self._rooms.catch_up(table)
            async with self._rooms.at(table) as room:
                self.look(room)
        except (TableError, UpdateNeeded, CorruptLog) as problem:
            log.debug(
                "table cannot be looked after", extra={"table": table, "problem": str(problem)}
            )

    async def forgive(self, away_ms: int) -> None:
        """The server was away and nobody else was there: no player pays for that time."""
        for running in await self._running():
            pace = msgspec.json.decode(running.pace, type=wire.Pace)
            if isinstance(pace, wire.Clock | wire.Days):
                try:
                    await self._rooms.change(
                        running.id,
                        lambda table: commands.resume(table, away_ms, self._rooms.clock.now_ms()),
                    )
                except StorageFailed:
                    raise
                except LampionError as problem:
                    log.debug(
                        "table cannot be resumed",
                        extra={"table": running.id, "problem": str(problem)},
                    )

    def let_clocks_ring(self) -> None:
        """From now on: all that is to be forgiven is."""
        self._may_ring = True

    # --- doing it ---

    def begin(self, table: str) -> None:
        """Take up the duty of a table if it is due, ours, and not under way."""
        duty = self._duties.get(table)
        if duty is None or duty.is_idle or not self._is_open:
            return
        if duty.not_before > time.monotonic() or not self._peers.is_mine(table):
            return
        is_due = duty.due_ms is not None and duty.due_ms <= self._rooms.clock.now_ms()
        if is_due and self._may_ring:
            self._spawn(table, "clock", self._time_out)
        if duty.needs_bot and (not duty.needs_watcher or self._peers.is_watched(table)):
            self._spawn(table, "bot", self._play_bot)
            self._hand_over(table)

    def _owner(self, table: Table) -> str:
        """Whose share of the cores the bots of a table take: that of the host if present, or else
        of the first seat with a present person, or else of the first who was seen at all. A table
        that its people have left for good must not have a share of its own."""
        seated = (seat.person_id for seat in table.seats)
        people = [person for person in (table.row.host, *seated) if person]
        present = self._peers.here(table.id).people | self._peers.elsewhere(table.id).people
        return self._origins.owner(*sorted(people, key=lambda person: person not in present))

    def _hand_over(self, table: str) -> None:
        """A bot that waits in the queue of people who are gone waits in that of people who came."""
        room = self._rooms.in_memory.get(table)
        if room is not None:
            self._bots.hand_over(table, self._owner(room.table))

    def _spawn(self, table: str, kind: str, work: Callable[[str], Awaitable[None]]) -> None:
        if (table, kind) not in self._busy:
            self._busy[table, kind] = asyncio.ensure_future(self._attempt(table, kind, work))

    async def _attempt(self, table: str, kind: str, work: Callable[[str], Awaitable[None]]) -> None:
        try:
            await work(table)
        except (TableError, UpdateNeeded, CorruptLog) as refused:
            # The table is gone, quarantined, or changed too often meanwhile; the sweep looks at it
            # again.
            log.debug("duty dropped", extra={"table": table, "problem": str(refused)})
            if refused.code != "stale":
                self._drop(table)
        except Exception as error:
            # A fault of the store concerns all tables and is one trouble; anything else is this
            # table's own.
            pause = self._troubles.failed(_trouble(table, error), error)
            if table in self._duties:
                self._duties[table].not_before = time.monotonic() + pause
        else:
            self._troubles.worked(_trouble(table, None))
            self._troubles.worked(STORAGE)
        finally:
            del self._busy[table, kind]
        self.begin(table)

    async def _play_bot(self, table: str) -> None:
        """Let the bot that is to act choose and play."""
        async with self._rooms.at(table) as room:
            waiting, match = room.table.bot_to_act, room.table.match
            if waiting is None or match is None:
                self.look(room)
                return
            seat, level = waiting
            asked, seen, legal = (
                room.table.asked[seat],
                match.seen_from(seat),
                match.legal_ids(seat),
            )
            owner = self._owner(room.table)
        started = time.monotonic()
        action = await self._bots.choose(owner, level, seen, seat, legal, table=table)
        await asyncio.sleep(max(0.0, self._bot_pause - (time.monotonic() - started)))

        def play(at: Table) -> None:
            is_same = at.bot_of(seat) == level and at.asked[seat] == asked and seat in at.actors
            if is_same:
                commands.play_bot(at, seat, action, self._rooms.clock.now_ms())

        await self._rooms.change(table, play)

    async def _time_out(self, table: str) -> None:
        """Time out the seat whose clock is at zero. If the store failed during its turn, it gets
        that time back."""

        def run_out(at: Table) -> None:
            due, now_ms = at.clocks.next_due(), self._rooms.clock.now_ms()
            if due is None or due[0] > now_ms:
                return
            outage = self._rooms.outage
            away_ms = outage.overlap(at.clocks.since(due[1]))
            if away_ms and outage.began_ms > at.resumed_ms:
                commands.resume(at, away_ms, now_ms)
            else:
                commands.time_out(at, at.clocks.due_at(due[0]), now_ms)

        await self._rooms.change(table, run_out)
        async with self._rooms.at(table) as room:
            self.look(room)

    async def close(self) -> None:
        self._is_open = False
        tasks = list(self._busy.values())
        for table in list(self._duties):
            self._drop(table)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


STORAGE = "storage"


def _trouble(table: str, error: Exception | None) -> str:
    return STORAGE if isinstance(error, StorageFailed) else f"table {table}"
