"""What waits in the outbox is sent: whatever ends this, another attempt takes it up again.

    due -> mine? -> quiet hours? too many? muted? at the table? -> a line -> claim -> send -> sent
                                                                              fails  -> later, nine times
                                                                              silent -> the same, after the lease
                                                                              gone   -> drop the way

Everything that takes time comes before the claim, which is a lease of a minute: a process that dies
before it leaves nothing behind, and the process now responsible for the way continues at once. One that
dies between the claim and noting what became of it may or may not have sent: the notice is tried
again when the lease is over. The same holds for a receiver that takes all of it and does not
answer. Receivers tell a second message of that kind by its tag, its id or
its Message-ID. Each way has one process that looks after it; if two think so, one gets the claim.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

import msgspec

from lampion.core.errors import LampionError
from lampion.server import metrics
from lampion.server.clock import Clock
from lampion.server.config import Config
from lampion.server.errors import TableError, UpdateNeeded
from lampion.server.notify.mail import mailbox
from lampion.server.notify.outgoing import Gone, InDoubt, NotDelivered
from lampion.server.notify.quiet import quiet_until
from lampion.server.notify.texts import About, Send, message
from lampion.server.peers import NewsKind, Peers
from lampion.server.store.base import (
    Mark,
    NoticeKind,
    NoticeState,
    OutboxRow,
    ReachRow,
    Store,
    TableRow,
    WayKind,
    WayRow,
)
from lampion.server.tables.calls import reminder_ms
from lampion.server.tables.clocks import Clocks
from lampion.server.tables.happenings import Attended, Changed, Removed
from lampion.server.tables.rooms import Rooms
from lampion.server.tables.table import Question
from lampion.server.wire import Days, Pace

log = logging.getLogger("lampion.notify")
LOOK_SECONDS = 1.0
LEASE_MS = 65_000
HEAD_START_MS = 400
"""Then any process may send: the one that is responsible may be dead, or not get to it."""
HOLD_MS = 60_000
"""A person at the table gets that long: a page that is there in name only is noticed sooner."""
MINUTE_MS, HOUR_MS = 60_000, 3_600_000
BACKOFF_MS = (
    5_000, 30_000, 2 * MINUTE_MS, 10 * MINUTE_MS,
    HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 16 * HOUR_MS, 24 * HOUR_MS,
)  # fmt: skip
"""Pauses after failures: more than two days. When they are used up the notice has failed, until
the way works again."""
WAYS_AT_ONCE = 50
MOST_TASKS = 200
AT_ONCE = {WayKind.PUSH: 32, WayKind.MAIL: 4, WayKind.WEBHOOK: 16}
"""Messages on their way: receivers that hang cannot hold up those of another kind, nor, once they
have failed, those that answer."""
IN_TIME = (NoticeKind.TURN, NoticeKind.SOON)
"""They are of no use when the time for the move is over."""
GROUP_MS = 5 * MINUTE_MS
"""What is due so soon goes out with what is due now: one letter about two tables, not two."""
PER_WAY_AND_HOUR = 60
WEBHOOKS_PER_PERSON = 120
"""In an hour, to all webhooks of one person."""
FULL_PAUSE_MS = 10 * MINUTE_MS


class Sender(Protocol):
    def line(self, way: WayRow) -> AbstractAsyncContextManager[Send]:
        """Everything up to the moment when the message itself goes out."""


class Claim:
    """The notices of one message. In doubt from the moment when they are taken until it is noted
    what became of them."""

    def __init__(self, store: Store, clock: Clock, abouts: Sequence[About]) -> None:
        self._store, self._clock = store, clock
        self._abouts = abouts
        self._taken: list[About] | None = None

    async def take(self) -> Sequence[About]:
        """Those that no other process has; the same at every call."""
        if self._taken is None:
            names = [about.notice.id for about in self._abouts]
            now_ms = self._clock.now_ms()
            latest_ms = max(about.notice.due_ms for about in self._abouts)
            claimed = await self._store.claim_notices(
                names, now_ms, now_ms + LEASE_MS, group_ms=max(0, latest_ms - now_ms)
            )
            self._taken = [about for about in self._abouts if about.notice.id in claimed]
        return self._taken

    @property
    def notices(self) -> list[OutboxRow]:
        return [about.notice for about in self._taken or ()]


class Notifier:
    def __init__(
        self,
        rooms: Rooms,
        peers: Peers,
        clock: Clock,
        config: Config,
    ) -> None:
        self._rooms = rooms
        self._store: Store = rooms.store
        self._peers = peers
        self._clock = clock
        self._config = config
        self.senders: Mapping[WayKind, Sender] = {}
        self._slots = {
            (kind, has_failed): asyncio.Semaphore(count)
            for kind, count in AT_ONCE.items()
            for has_failed in (False, True)
        }
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._busy: set[str] = set()
        """Ways that something is under way to."""
        self._is_left_to_others = False
        self._here: dict[str, set[str]] = {}
        """Reachable people who look at tables, as of the last time anyone came or went."""
        rooms.bus.subscribe(Changed, self._changed)
        rooms.bus.subscribe(Attended, self._attended)
        rooms.bus.subscribe(Removed, lambda removed: self._forget(removed.room.table.id))

    # --- when ---

    def _changed(self, changed: Changed) -> None:
        if self._rooms.reachable.any(changed.room.table.people):
            self._wake.set()

    def _attended(self, attended: Attended) -> None:
        """A person who comes to a table, or back to its page, sees what waits there."""
        table = attended.room.table
        before = self._here.pop(table.id, set())
        looking = attended.room.connected() - attended.room.away()
        now = {person for person in looking if person in self._rooms.reachable}
        if now:
            self._here[table.id] = now
        for person in now - before:
            self._spawn(self._store.saw_table(table.id, person))

    def _forget(self, table: str) -> None:
        self._here.pop(table, None)

    async def send_and_wait(self) -> None:
        """Begin with all that is due, then wait for a while, or until something new may be due."""
        self._wake.clear()
        while len(self._tasks) < MOST_TASKS and await self.start_due():
            pass
        seconds = HEAD_START_MS / 1000 if self._is_left_to_others else LOOK_SECONDS
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()

    async def start_due(self) -> bool:
        """Begin with what is due; False if nothing is that is not under way."""
        now_ms = self._clock.now_ms()
        most = WAYS_AT_ONCE + len(self._busy)
        due = await self._store.due_notices(now_ms, most, group_ms=GROUP_MS)
        by_way: dict[str, list[OutboxRow]] = {}
        for notice, way in due:
            if way.id not in self._busy:
                by_way.setdefault(way.id, []).append(notice)
        ways = {way.id: way for _, way in due}
        mine = {name for name, notices in by_way.items() if self._is_mine(name, notices, now_ms)}
        self._is_left_to_others = len(mine) < len(by_way)
        for name in mine:
            self._busy.add(name)
            self._spawn(self._deliver(ways[name], by_way[name]))
        return bool(mine)

    def _is_mine(self, way: str, notices: Sequence[OutboxRow], now_ms: int) -> bool:
        return self._peers.is_mine(way) or notices[0].due_ms < now_ms - HEAD_START_MS

    async def deliver_due(self) -> None:
        """Everything that is due now, and return when it is done."""
        while await self.start_due() or self._tasks:
            await asyncio.wait(self._tasks)

    async def count(self) -> None:
        counts = await self._store.count_notices()
        metrics.NOTICES_WAITING.set(counts[NoticeState.WAITING])
        metrics.NOTICES_FAILED.set(counts[NoticeState.FAILED])

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        """The lease of what failed here ends by itself."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, LampionError):
            log.warning("notice not noted", extra={"problem": error.code})
        elif error is not None:
            log.error("notice failed", exc_info=error)

    # --- whether ---

    async def _deliver(self, way: WayRow, notices: Sequence[OutboxRow]) -> None:
        try:
            await self._deliver_if_wanted(way, notices)
        finally:
            self._busy.discard(way.id)
            self._wake.set()

    async def _deliver_if_wanted(self, way: WayRow, notices: Sequence[OutboxRow]) -> None:
        now_ms = self._clock.now_ms()
        reach = await self._store.reach(way.person_id) or ReachRow(way.person_id)
        wake_ms = quiet_until(reach, now_ms) or await self._pause_of(way, now_ms)
        if wake_ms is not None:
            await self._postpone(notices, wake_ms)
            return
        wanted = await self._wanted(way.person_id, notices, reach)
        abouts = [about for each in wanted if (about := await self._about(each, now_ms))]
        if abouts:
            waiting = await self._store.tables_waiting(way.person_id)
            await self._send(way, abouts, reach.language, waiting)

    async def _wanted(
        self, person: str, notices: Sequence[OutboxRow], reach: ReachRow
    ) -> list[OutboxRow]:
        """Without what the person has muted, or turned off, since it was written."""
        muted = await self._store.marked_tables(person, Mark.MUTED)
        off = reach.off.split(",")
        wanted = [each for each in notices if each.table_id not in muted and each.kind not in off]
        if len(wanted) < len(notices):
            unwanted = [each for each in notices if each not in wanted]
            await self._finish(unwanted, NoticeState.SETTLED)
        return wanted

    async def _pause_of(self, way: WayRow, now_ms: int) -> int | None:
        """When to go on if this way, its person, or the mail server has had enough for an hour."""
        hour_ago = now_ms - HOUR_MS
        is_full = await self._store.count_sent(hour_ago, way=way.id) >= PER_WAY_AND_HOUR
        if not is_full and way.kind == WayKind.MAIL:
            is_full = await self._has_letters_enough(way, hour_ago)
        elif not is_full and way.kind == WayKind.WEBHOOK:
            sent = await self._store.count_sent(hour_ago, person=way.person_id, kind=way.kind)
            is_full = sent >= WEBHOOKS_PER_PERSON
        return now_ms + FULL_PAUSE_MS if is_full else None

    async def _has_letters_enough(self, way: WayRow, hour_ago: int) -> bool:
        """People who had few letters go first: the fewer are left, the fewer one person, or one
        mailbox, may get, and the last ones are for people who had none."""
        letters, box = await self._store.letters_sent(hour_ago), mailbox(way.address)
        total = sum(count for _, _, count in letters)
        mine = sum(count for person, _, count in letters if person == way.person_id)
        here = sum(count for _, address, count in letters if mailbox(address) == box)
        most, each = self._config.mails_per_hour, self._config.mails_per_person
        share = 1 + round((each - 1) * max(0, most - total) / most)
        return total >= most or max(mine, here) >= share

    async def _about(self, notice: OutboxRow, now_ms: int) -> About | None:
        """What to say about a notice; None if it is not to be sent now."""
        table = await self._store.table(notice.table_id)
        if table is None:
            return None
        if self._is_at(notice.person_id, [notice.table_id, table.previous_table]):
            if now_ms < notice.created_ms + HOLD_MS:
                await self._postpone([notice], notice.created_ms + HOLD_MS)
            else:
                await self._finish([notice], NoticeState.SEEN)
            return None
        if notice.kind == NoticeKind.SOON and not await self._is_soon(notice, now_ms):
            return None
        asked = await self._question(notice) if notice.kind == NoticeKind.ASKED else None
        seats, until_ms = await self._store.seats(table.id), await self._until(notice, table)
        return About(notice, table, seats, asked, until_ms)

    async def _until(self, notice: OutboxRow, table: TableRow) -> int | None:
        """When the time for the move ends, as far as can be said without the log of the table: a
        pause is not counted."""
        pace = msgspec.json.decode(table.pace, type=Pace)
        if notice.kind not in IN_TIME:
            return None
        clock = Clocks(pace, 1)
        if isinstance(pace, Days):
            away = await self._store.vacations([notice.person_id])
            clock.vacations = {0: [(row.from_ms, row.to_ms) for row in away]}
        clock.run([0], notice.created_ms)
        return clock.due(0)

    async def _question(self, notice: OutboxRow) -> Question | None:
        try:
            async with self._rooms.at(notice.table_id) as room:
                return room.table.question
        except (TableError, UpdateNeeded):
            return None

    def _is_at(self, person: str, tables: Sequence[str | None]) -> bool:
        """Whether the person looks at one of these tables, in whichever process. A page in the
        background does not count."""
        return any(
            person in self._peers.here(table).looking
            or person in self._peers.elsewhere(table).looking
            for table in tables
            if table is not None
        )

    async def _is_soon(self, notice: OutboxRow, now_ms: int) -> bool:
        """A pause, a vacation or an outage may have moved the hour."""
        try:
            async with self._rooms.at(notice.table_id) as room:
                due_ms = reminder_ms(room.table, notice.person_id)
        except (TableError, UpdateNeeded):
            # Its clock does not run either while the table cannot be read.
            due_ms = now_ms + HOUR_MS
        if due_ms is None:
            await self._finish([notice], NoticeState.SETTLED)
        elif due_ms > now_ms + MINUTE_MS:
            await self._postpone([notice], due_ms)
        return due_ms is not None and due_ms <= now_ms + MINUTE_MS

    # --- out ---

    async def _send(
        self, way: WayRow, abouts: Sequence[About], language: str, waiting: int
    ) -> None:
        """Claimed as late as possible: only what a process had claimed when it died is in doubt,
        and has to wait."""
        claim = Claim(self._store, self._clock, abouts)
        async with self._slots[way.kind, way.problem is not None]:
            problem = await self._attempt(way, claim, language, waiting)
        if problem is None:
            await self._note_sent(way, claim.notices)
        elif isinstance(problem, Gone):
            await self.drop_way(way)
        else:
            await self._note_failure(way, claim, problem)

    async def _attempt(
        self, way: WayRow, claim: Claim, language: str, waiting: int
    ) -> Exception | None:
        try:
            async with self._sender(way).line(way) as send:
                if claimed := await claim.take():
                    await send(message(claimed, language, waiting))
        except (NotDelivered, Gone) as problem:
            return problem
        except TableError as refused:
            return NotDelivered(refused.message)
        except LampionError:
            raise  # the store: whatever was claimed stays so
        except Exception as error:
            log.exception("a way out failed", extra={"way": way.kind})
            return NotDelivered(type(error).__name__)
        return None

    def _sender(self, way: WayRow) -> Sender:
        found = self.senders.get(way.kind)
        if found is None:
            raise NotDelivered(f"this server sends no {way.kind}")
        return found

    async def _note_sent(self, way: WayRow, notices: Sequence[OutboxRow]) -> None:
        await self._finish(notices, NoticeState.SENT)
        now_ms = self._clock.now_ms()
        for notice in notices:
            metrics.NOTICES.labels(way.kind, "sent").inc()
            metrics.NOTICE_SECONDS.observe(max(0, now_ms - notice.due_ms) / 1000)
        if way.problem is not None:
            await self.note_works(way.id)

    async def note_works(self, way: str) -> None:
        """What failed there goes out now, as far as it still counts."""
        await self._store.note_problem(way, None)
        if await self._store.retry_way(way, self._clock.now_ms()):
            self._wake.set()

    async def _note_failure(self, way: WayRow, claim: Claim, problem: Exception) -> None:
        """Where there was no line the notices are claimed for it: another process may be sending
        them."""
        await claim.take()
        metrics.NOTICES.labels(way.kind, "retried").inc()
        lease_ms = LEASE_MS if isinstance(problem, InDoubt) else 0
        for notice in claim.notices:
            await self._try_later(way, notice, str(problem), lease_ms)
        if way.problem != str(problem):
            log.warning("notification failed", extra={"way": way.kind, "problem": str(problem)})
            await self._store.note_problem(way.id, str(problem))

    async def _try_later(self, way: WayRow, notice: OutboxRow, problem: str, lease_ms: int) -> None:
        """Not before the lease is over, whatever hastens the notice meanwhile."""
        now_ms = self._clock.now_ms()
        if notice.attempts < len(BACKOFF_MS):
            due_ms = now_ms + max(BACKOFF_MS[notice.attempts], lease_ms)
            lease = now_ms + lease_ms if lease_ms else 0
            await self._store.postpone_notices(
                [notice.id], due_ms, attempts=1, problem=problem, lease_ms=lease
            )
        else:
            metrics.NOTICES.labels(way.kind, "failed").inc()
            await self._store.finish_notices([notice.id], NoticeState.FAILED, now_ms, problem)

    async def drop_way(self, way: WayRow) -> None:
        """It no longer exists, or is no longer wanted; mail need not wait for it any more."""
        metrics.NOTICES.labels(way.kind, "gone").inc()
        if way.kind == WayKind.PUSH:
            await self._store.hasten_mail(way.person_id, self._clock.now_ms())
        await self._store.drop_way(way.id)
        await self.tell_reach(way.person_id)

    async def tell_reach(self, person: str) -> None:
        """Every process must know whether the person can be reached."""
        await self._rooms.reachable.refresh(person)
        await self._store.tell([(NewsKind.REACH, person, "")])

    async def _finish(self, notices: Sequence[OutboxRow], state: NoticeState) -> None:
        names = [notice.id for notice in notices]
        await self._store.finish_notices(names, state, self._clock.now_ms())

    async def _postpone(self, notices: Sequence[OutboxRow], due_ms: int) -> None:
        names = [notice.id for notice in notices]
        await self._store.postpone_notices(names, due_ms, attempts=0)

    async def close(self) -> None:
        """What is on its way gets a moment to arrive: its lease would outlast this process."""
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=2.0)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
