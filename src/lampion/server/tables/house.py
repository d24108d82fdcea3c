"""The house: all tables of this process, one command at a time at each, stored before anybody is told.

    command -> table (under its lock) -> events -> store, durable -> everybody who watches -> bots and clocks

Whatever goes wrong between the table and the store, the table in memory is thrown away and read again from the log.
Several processes may serve one table: the log lets exactly one append win, and the others read on.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from typing import Protocol

import msgspec

from lampion.server import metrics, wire
from lampion.server.errors import CorruptLog, TableError
from lampion.server.play.bots import BotRunner
from lampion.server.play.readiness import Readiness
from lampion.server.store.base import QUARANTINED, RUNNING, Appended, Duplicate, Event, NewEvent, Store
from lampion.server.tables.table import Table

log = logging.getLogger("lampion.house")
encode = msgspec.json.Encoder().encode
TRIES = 4
POLL_SECONDS = 3.0
"""How often a watched log is looked at, in case a hint from another process was lost."""
IDLE_SECONDS = 600.0
BEAT_SECONDS = 5.0
FOREIGN_BOT_SECONDS = 6.0
"""How long to wait for the process that made the last move to play the bot as well."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class Watcher(Protocol):
    """Somebody who follows a table: a socket, or a stream."""

    person: str | None

    def offer(self, message: bytes) -> None: ...


@dataclass(eq=False)
class Room:
    """A table in memory, and those who watch it."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[Watcher] = field(default_factory=set)
    published: int = 0
    """The ply up to which the watchers know the game."""
    bots: asyncio.Task[None] | None = None
    timer: asyncio.TimerHandle | None = None
    broken: bool = False
    touched: float = field(default_factory=time.monotonic)

    def connected(self) -> set[str]:
        return {watcher.person for watcher in self.watchers if watcher.person}


class House:
    def __init__(self, store: Store, bots: BotRunner, readiness: Readiness, *, bot_pause: float = 0.7) -> None:
        self.store = store
        self.readiness = readiness
        self.bots = bots
        self.bot_pause = bot_pause
        self.process = _new_process_name()
        self.rooms: dict[str, Room] = {}
        self.followers: dict[str, set[Watcher]] = {}
        """Streams of a person's own tables, by person."""
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.closing = False

    # --- tables in memory ---

    async def room(self, table: str) -> Room:
        """The table, from memory or from its log. `TableError` if there is none, or if its log cannot be read."""
        room = self.rooms.get(table)
        if room is None:
            async with self._loading.setdefault(table, asyncio.Lock()):
                room = self.rooms.get(table) or await self._load(table)
            self._loading.pop(table, None)
        room.touched = time.monotonic()
        return room

    async def _load(self, table: str) -> Room:
        room = Room(await self._read_table(table))
        room.published = room.table.ply
        self.rooms[table] = room
        self._after_change(room, foreign=True)
        return room

    async def _read_table(self, table: str) -> Table:
        row = await self.store.table(table)
        if row is None:
            raise TableError("there is no such table", code="no-table", where=table)
        if row.status == QUARANTINED:
            raise TableError("this table is set apart because its log is damaged", code="quarantined", where=table)
        await self.readiness.wait(row.game)
        seats = await self.store.seats(table)
        try:
            read = Table(row, seats)
            for event in await self.store.read(table):
                read.fold(event)
        except (CorruptLog, msgspec.MsgspecError) as corrupt:
            log.error("table set apart", extra={"table": table, "problem": str(corrupt)})
            await self.store.update_table(table, status=QUARANTINED)
            raise TableError("this table is set apart because its log is damaged", code="quarantined", where=table) from corrupt
        read.seats_changed = False
        return read

    @contextlib.asynccontextmanager
    async def at(self, table: str) -> AsyncIterator[Room]:
        """A table, all to oneself, exactly as it is stored."""
        room = await self.room(table)
        async with room.lock:
            if room.broken:
                room.table, room.broken = await self._read_table(table), False
            yield room

    # --- commands ---

    async def do(self, table: str, person: str | None, command: wire.SeatCommand) -> None:
        """Do a command of a person for a seat. When this returns it is stored; `LampionError` says why not."""

        def change(at: Table) -> None:
            if command.seat not in at.seats_of(person):
                raise TableError("this seat is not yours", code="not-your-seat", where=f"seat {command.seat}")
            if f"{command.seat}:{command.id}" not in at.commands:
                at.do(command, now_ms())

        with metrics.COMMAND_SECONDS.time():
            await self.change(table, change)

    async def change(self, table: str, change: Callable[[Table], None]) -> None:
        """Let `change` make events at a table, and store them. If another process was quicker, read on and try again."""
        for _ in range(TRIES):
            async with self.at(table) as room:
                if await self._try(room, change):
                    return
        raise TableError("the table has changed meanwhile; here it is as it stands", code="stale", where=table)

    async def _try(self, room: Room, change: Callable[[Table], None]) -> bool:
        table, before, expected = room.table, room.table.status, room.table.seq
        room.broken = True  # until the store and the table agree again
        try:
            change(table)
        except BaseException:
            room.broken = bool(table.take_new())
            raise
        events = table.take_new()
        if events:
            status = table.status if table.status != before else None
            outcome = await self.store.append(table.id, expected, events, status=status)
            if isinstance(outcome, Duplicate):
                return True  # the same command came through another process; the table is read again when next needed
            if not isinstance(outcome, Appended):
                return False
        room.broken = False
        await self._tell(room, events)
        return True

    async def _tell(self, room: Room, events: Iterable[NewEvent | Event], foreign: bool = False) -> None:
        kinds = [event.kind for event in events]
        if room.table.seats_changed:
            room.table.take_seats(await self.store.seats(room.table.id))
        metrics.ACTIONS.inc(kinds.count("act"))
        self.publish(room, with_info=set(kinds) != {"act"} or room.table.reveals)
        if "said" in kinds:
            await self._tell_chat(room)
        self._after_change(room, foreign)

    # --- those who watch ---

    def publish(self, room: Room, *, with_info: bool) -> None:
        """Tell everybody who watches what has happened since they were last told."""
        table, since = room.table, room.published
        room.published = table.ply
        if table.match and table.ply != since:
            listeners: dict[int | None, list[Watcher]] = {}
            for watcher in room.watchers:
                for seat in table.seats_of(watcher.person) or (None,):
                    listeners.setdefault(seat, []).append(watcher)
            for update in table.updates(list(listeners), since, now_ms()):
                message = encode(update)
                for watcher in listeners[update.seat]:
                    watcher.offer(message)
        if with_info:
            for watcher in room.watchers:
                watcher.offer(encode(wire.Info(self.info(room, watcher.person))))
        self._tell_followers(room)

    def _tell_followers(self, room: Room) -> None:
        for person in room.table.people & self.followers.keys():
            message = encode(wire.Info(self.info(room, person)))
            for follower in self.followers[person]:
                follower.offer(message)

    def greeting(self, room: Room, person: str | None, since: int) -> list[wire.Outgoing]:
        """What somebody needs who comes, or comes back, having seen everything before ply `since`; -1 wants only the present."""
        table = room.table
        first = table.ply if since < 0 or since > table.ply else since
        messages: list[wire.Outgoing] = [wire.Info(self.info(room, person))]
        if table.match:
            messages += table.updates(table.seats_of(person) or [None], first, now_ms())
        return messages

    def info(self, room: Room, person: str | None) -> wire.TableInfo:
        """What a person may know of a table besides the game itself."""
        from lampion.server.tables.lobby import table_info

        without_seat = sum(not room.table.seats_of(watcher.person) for watcher in room.watchers)
        return table_info(room.table, person, connected=room.connected(), watching=without_seat)

    async def _tell_chat(self, room: Room) -> None:
        from lampion.server.tables.lobby import said

        lines = await self.store.chat(room.table.id, since=max(0, room.table.chat_lines - 1))
        for line in lines:
            message = encode(said(room.table, line))
            for watcher in room.watchers:
                watcher.offer(message)

    # --- bots and clocks ---

    def _after_change(self, room: Room, foreign: bool = False) -> None:
        self._wind(room)
        if room.table.bot_to_act and (room.bots is None or room.bots.done()) and not self.closing:
            room.bots = self._spawn(self._play_bots(room, FOREIGN_BOT_SECONDS if foreign and room.published else 0.0))

    async def _play_bots(self, room: Room, delay: float) -> None:
        await asyncio.sleep(delay)
        while await self._play_bot(room):
            pass

    async def _play_bot(self, room: Room) -> bool:
        """Let the bot that is to act choose and play; False when no bot is to act."""
        async with self.at(room.table.id):
            waiting, match = room.table.bot_to_act, room.table.match
            if waiting is None or match is None or self.closing:
                return False
            seat, level = waiting
            asked, seen, legal = room.table.asked[seat], match.seen_from(seat), match.legal_ids(seat)
        started = time.monotonic()
        action = await self.bots.choose(level, seen, seat, legal)
        await asyncio.sleep(max(0.0, self.bot_pause - (time.monotonic() - started)))

        def play(table: Table) -> None:
            if table.bot_of(seat) == level and table.asked[seat] == asked and seat in table.actors and table.match:
                table.play_bot(seat, table.match.game.action_text(table.match.state, seat, action), now_ms())

        await self.change(room.table.id, play)
        return True

    def _wind(self, room: Room) -> None:
        """Set the alarm for the clock that runs out first."""
        if room.timer:
            room.timer.cancel()
            room.timer = None
        due = room.table.clocks.next_due()
        if due and not self.closing:
            delay = max(0.0, (due[0] - now_ms()) / 1000)
            room.timer = asyncio.get_running_loop().call_later(delay, lambda: self._spawn(self._time_out(room)))

    async def _time_out(self, room: Room) -> None:
        def run_out(table: Table) -> None:
            due = table.clocks.next_due()
            if due and due[0] <= now_ms():
                table.time_out(due[1], now_ms())

        await self.change(room.table.id, run_out)
        self._wind(room)

    # --- life of the process ---

    def _spawn(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception():
            log.error("a task failed", exc_info=task.exception())

    async def open(self) -> None:
        """Take up every game where it stopped: clocks forgive the time that nobody was there, bots go on."""
        lately = await self.store.other_processes(self.process, now_ms() - int(3 * BEAT_SECONDS * 1000))
        alone = not any(_is_running(other) for other in lately)
        await self.store.beat(self.process, now_ms())
        self.readiness.start()
        for work in (self._beat(), self._follow_hints(), self._poll(), self._sweep(), self._take_up(alone)):
            self._spawn(work)

    async def _take_up(self, alone: bool) -> None:
        for running in await self.store.running_tables():
            with contextlib.suppress(TableError):
                if alone and running.pace != '{"kind":"none"}':
                    await self.change(running.id, lambda table: table.resume(now_ms()))
                else:
                    await self.room(running.id)

    async def close(self) -> None:
        """Stop taking commands; what is stored stays, what is not was never told to anybody."""
        self.closing = True
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.readiness.close()
        with contextlib.suppress(Exception):
            await self.store.beat(self.process, 0)
        await self.store.close()

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            with contextlib.suppress(Exception):
                await self.store.beat(self.process, now_ms())

    async def _follow_hints(self) -> None:
        async for hint in self.store.hints():
            for room in list(self.rooms.values()) if not hint.table else filter(None, [self.rooms.get(hint.table)]):
                if not hint.table or hint.seq > room.table.seq:
                    self._spawn(self._catch_up(room))

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            watched = [table for table, room in self.rooms.items() if room.watchers]
            with contextlib.suppress(Exception):
                for table, length in (await self.store.lengths(watched) if watched else {}).items():
                    if table in self.rooms and length > self.rooms[table].table.seq:
                        await self._catch_up(self.rooms[table])

    async def _catch_up(self, room: Room) -> None:
        """Read what another process wrote."""
        async with self.at(room.table.id):
            events = await self.store.read(room.table.id, since=room.table.seq)
            room.broken = True
            for event in events:
                room.table.fold(event)
            room.broken = False
            if events:
                await self._tell(room, events, foreign=True)

    async def _sweep(self) -> None:
        """Forget tables that nobody has looked at for a while; look after clocks of tables that are not in memory."""
        while True:
            await asyncio.sleep(30.0)
            for table, room in list(self.rooms.items()):
                idle = time.monotonic() - room.touched > IDLE_SECONDS and not room.watchers and not room.lock.locked()
                if idle and (room.table.status != RUNNING or room.table.bot_to_act is None):
                    if room.timer:
                        room.timer.cancel()
                    del self.rooms[table]
            with contextlib.suppress(Exception):
                await self._wake_days()

    async def _wake_days(self) -> None:
        for running in await self.store.running_tables():
            pace = msgspec.json.decode(running.pace, type=wire.Pace)
            if isinstance(pace, wire.Days) and running.at_ms + pace.days * 86_400_000 < now_ms():
                await self.room(running.id)


def _new_process_name() -> str:
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_urlsafe(6)}"


def _is_running(process: str) -> bool:
    """Whether a process that was there a moment ago still is, as far as can be told from here."""
    host, pid, _ = process.split("/")
    if host != socket.gethostname():
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return int(pid) != os.getpid()
