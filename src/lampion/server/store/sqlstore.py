"""The store on a SQL database: everything that writes goes to the writer, reading has a few
threads of its own."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import threading
import time
from collections.abc import AsyncIterator, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack, cast, overload

import msgspec

from lampion.server.store import exercises, identity, log, operators, outbox, queries, seats
from lampion.server.store.backend import Backend, Connection
from lampion.server.store.base import (
    LOG,
    LONGEST_NEWS,
    LOST,
    AdminKeyRow,
    Appended,
    AuditRow,
    Calls,
    ChallengeRow,
    ChatLine,
    Companion,
    Duplicate,
    Event,
    ExerciseRow,
    Mark,
    NewEvent,
    News,
    Notice,
    NoticeState,
    OutboxRow,
    Outcome,
    OutcomeRow,
    PasskeyRow,
    PersonRow,
    ProcessRow,
    ReachRow,
    RecoveryRow,
    RunningTable,
    SanctionRow,
    SeatChange,
    SeatKind,
    SeatRow,
    SpokenLine,
    Stale,
    StorageFailed,
    TableChange,
    TableRow,
    TableStatus,
    TokenKind,
    TokenRow,
    VacationRow,
    WayKind,
    WayRow,
)
from lampion.server.store.news import Inbox
from lampion.server.store.readers import Readers
from lampion.server.store.sql import chunks
from lampion.server.store.transfer import fresh_file
from lampion.server.store.writer import Tell, Writer

CHAT_AT_ONCE = 200
PEOPLE_AT_ONCE = 10
"""How many are deleted in one transaction: a few milliseconds, even with many games each."""
SCRUB_SECONDS = 1.0
"""How long a call of `scrub` goes on before it returns False."""
SCRUB_PAUSE = 0.02
"""Seconds between two steps, for others to write."""


def _process_name() -> str:
    return f"{socket.gethostname()}/{os.getpid()}/{secrets.token_hex(4)}"


class SqlStore:
    """What each method does is told at `Store`."""

    def __init__(self, backend: Backend) -> None:
        self.process = _process_name()
        self._backend = backend
        self._writer = Writer(backend, self.process)
        self._readers = Readers(backend)
        self._inboxes: list[Inbox] = []
        self._listener: threading.Thread | None = None
        self._closed = threading.Event()

    # The log

    @overload
    async def append(
        self,
        table: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        *,
        status: TableStatus | None = None,
        seat: None = None,
        calls: Calls | None = None,
    ) -> Appended | Stale | Duplicate: ...

    @overload
    async def append(
        self,
        table: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        *,
        status: TableStatus | None = None,
        seat: SeatChange | None,
        calls: Calls | None = None,
    ) -> Outcome: ...

    async def append(
        self,
        table: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        *,
        status: TableStatus | None = None,
        seat: SeatChange | None = None,
        calls: Calls | None = None,
    ) -> Outcome:
        assert events, "an append has events"
        assert seat is None or seat[0].table_id == table, "the seat is at the same table"
        work = log.Append(table, expected_seq, events, status, seat, calls)
        return cast(Outcome, await self._writer.do(work))

    async def read(self, table: str, since: int = 0) -> list[Event]:
        return await self._readers.do(log.read, table, since)

    async def lengths(self, tables: Collection[str]) -> dict[str, int]:
        return await self._readers.do(log.lengths, list(tables))

    # News between processes

    async def tell(self, news: Sequence[tuple[str, str, str]]) -> None:
        for told in news:
            if len(msgspec.json.encode(told)) > LONGEST_NEWS:
                message = f"news have at most {LONGEST_NEWS} bytes"
                raise StorageFailed(message, code="news-too-long", where=told[0])
        if self._backend.carries_news:
            await self._writer.do(Tell(list(news)))
        else:
            self._hear([News(self.process, *told) for told in news])

    async def news(self) -> AsyncIterator[News]:
        inbox = Inbox()
        if self._listener is not None or not self._backend.carries_news:
            # Nobody has read what was told since the last reader ended. The first reader on
            # PostgreSQL gets its LOST when the listener hears.
            inbox.put([News("", LOST, "")])
        self._inboxes.append(inbox)
        self._start_listening(inbox)
        try:
            while (told := await inbox.get()) is not None:
                yield told
        finally:
            self._inboxes.remove(inbox)

    def _start_listening(self, inbox: Inbox) -> None:
        if self._closed.is_set():
            inbox.close()
        elif self._listener is None:
            work = partial(self._backend.listen, self._hear, self._closed.is_set)
            self._listener = threading.Thread(target=work, name="lampion-news", daemon=True)
            self._listener.start()

    def _hear(self, news: Sequence[News]) -> None:
        """All but what this process wrote to logs itself."""
        others = [told for told in news if told.kind != LOG or told.sender != self.process]
        if others:
            for inbox in list(self._inboxes):
                inbox.put(others)

    # Tables and seats

    async def create_table(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        *,
        after: str | None = None,
        calls: Calls | None = None,
        invited: Collection[str] = (),
    ) -> str:
        work = partial(
            queries.create_table, row=row, seats=seats, after=after, calls=calls, invited=invited
        )
        return cast(str, await self._writer.do(work, locks=[after] if after else []))

    async def table(self, table: str) -> TableRow | None:
        return await self._readers.do(queries.table, table)

    async def update_table(
        self,
        table: str,
        *,
        expect_status: TableStatus | None = None,
        **columns: Unpack[TableChange],
    ) -> bool:
        changes = cast(dict[str, Any], columns)
        work = partial(
            queries.update_table,
            table_id=table,
            expect_status=expect_status,
            changes=changes,
        )
        return bool(await self._writer.do(work))

    async def seats(self, table: str) -> list[SeatRow]:
        return (await self.seats_of([table]))[table]

    async def seats_of(self, tables: Collection[str]) -> dict[str, list[SeatRow]]:
        return await self._readers.do(seats.seats_of, list(tables))

    async def set_seat(
        self,
        row: SeatRow,
        *,
        expect_kind: SeatKind,
        expect_person: str | None = None,
    ) -> SeatRow | None:
        work = partial(
            seats.set_seat,
            row=row,
            expect_kind=expect_kind,
            expect_person=expect_person,
        )
        return cast("SeatRow | None", await self._writer.do(work, locks=[row.table_id]))

    async def public_tables(
        self,
        limit: int,
        status: TableStatus = TableStatus.OPEN,
    ) -> list[TableRow]:
        return await self._readers.do(queries.public_tables, limit, status)

    async def tables_of(self, person: str, limit: int) -> list[TableRow]:
        return await self._readers.do(queries.tables_of, person, limit)

    async def ended_tables_of(
        self, person: str, limit: int, *, game: str = "", before: tuple[int, str] | None = None
    ) -> list[TableRow]:
        return await self._readers.do(queries.ended_tables_of, person, limit, game, before)

    async def running_tables(self) -> list[RunningTable]:
        return await self._readers.do(queries.running_tables)

    async def finished_tables(self, limit: int, after: str = "") -> list[TableRow]:
        return await self._readers.do(queries.finished_tables, limit, after)

    async def search_tables(
        self,
        *,
        status: TableStatus | None = None,
        game: str | None = None,
        text: str = "",
        limit: int = 50,
        after: str = "",
    ) -> list[TableRow]:
        search = operators.search_tables
        return await self._readers.do(search, status, game, text, limit, after)

    async def count_tables(self) -> dict[TableStatus, int]:
        return await self._readers.do(operators.count_tables)

    async def count_tables_of(self, person: str, statuses: Collection[TableStatus]) -> int:
        return await self._readers.do(operators.count_tables_of, person, statuses)

    async def tables_unchanged_since(
        self,
        status: TableStatus,
        before_ms: int,
        limit: int,
        skip: int = 0,
    ) -> list[str]:
        find = queries.tables_unchanged_since
        return await self._readers.do(find, status, before_ms, limit, skip)

    async def delete_table(self, table: str) -> bool:
        work = partial(queries.delete_table, table_id=table)
        return bool(await self._writer.do(work, locks=[table]))

    async def mark(self, table: str, person: str, kind: Mark) -> None:
        work = partial(queries.mark, table_id=table, person_id=person, kind=kind)
        await self._writer.do(work)

    async def unmark(self, table: str, person: str, kind: Mark) -> None:
        work = partial(queries.unmark, table_id=table, person_id=person, kind=kind)
        await self._writer.do(work)

    async def marked_people(self, table: str, kind: Mark) -> set[str]:
        return await self._readers.do(queries.marked_people, table, kind)

    async def marked_tables(self, person: str, kind: Mark) -> set[str]:
        return await self._readers.do(queries.marked_tables, person, kind)

    # Persons

    async def add_person(self, row: PersonRow) -> None:
        await self._writer.do(partial(queries.add_person, row=row))

    async def person(self, person: str) -> PersonRow | None:
        return await self._readers.do(queries.person, person)

    async def rename(self, person: str, name: str) -> None:
        await self._writer.do(partial(self._rename, person=person, name=name))

    def _rename(self, db: Connection, person: str, name: str) -> None:
        self._backend.lock_person(db, person)
        self._backend.lock_tables(db, seats.tables_with(db, person))
        queries.rename(db, person, name)
        seats.rename(db, person, name)

    async def saw_person(self, person: str, at_ms: int) -> None:
        await self._writer.do(partial(queries.saw_person, person_id=person, at_ms=at_ms))

    async def search_people(self, text: str, limit: int = 50, after: str = "") -> list[PersonRow]:
        return await self._readers.do(operators.search_people, text, limit, after)

    async def people_unseen_since(self, before_ms: int, limit: int) -> list[str]:
        return await self._readers.do(queries.people_unseen_since, before_ms, limit)

    async def delete_person(self, person: str) -> None:
        await self.delete_people([person])

    async def delete_people(self, people: Sequence[str]) -> None:
        """The chat first: there may be much of it, and a person without chat is still whole."""
        for person in people:
            work = partial(queries.delete_some_chat, person_id=person, limit=CHAT_AT_ONCE)
            while await self._writer.do(work) == CHAT_AT_ONCE:
                pass
        for some in chunks(people, PEOPLE_AT_ONCE):
            await self._writer.do(partial(queries.delete_people, people=some))

    async def add_token(self, row: TokenRow) -> None:
        await self._writer.do(partial(queries.add_token, row=row))

    async def person_of_token(
        self,
        token_hash: str,
        kinds: Collection[TokenKind],
        now_ms: int,
    ) -> PersonRow | None:
        return await self._readers.do(queries.person_of_token, token_hash, kinds, now_ms)

    async def tokens(self, person: str) -> list[TokenRow]:
        return await self._readers.do(queries.tokens, person)

    async def saw_token(self, token_hash: str, person: str, at_ms: int) -> None:
        work = partial(queries.saw_token, token_hash=token_hash, person_id=person, at_ms=at_ms)
        await self._writer.do(work)

    async def drop_token(self, token_hash: str) -> None:
        await self._writer.do(partial(queries.drop_token, token_hash=token_hash))

    async def take_token(self, token_hash: str, kind: TokenKind, now_ms: int) -> TokenRow | None:
        work = partial(queries.take_token, token_hash=token_hash, kind=kind, now_ms=now_ms)
        return cast("TokenRow | None", await self._writer.do(work))

    async def drop_expired_tokens(self, now_ms: int) -> int:
        return cast(int, await self._writer.do(partial(queries.drop_expired_tokens, now_ms=now_ms)))

    async def drop_tokens(self, person: str, *, keep: str = "") -> None:
        await self._writer.do(partial(queries.drop_tokens, person_id=person, keep=keep))

    # Ways back for a person who has lost their keys

    async def set_recovery(self, row: RecoveryRow) -> None:
        await self._writer.do(partial(identity.set_recovery, row=row))

    async def recovery_of(self, person: str) -> RecoveryRow | None:
        return await self._readers.do(identity.recovery, "person_id", person)

    async def recovery_named(self, name: str) -> RecoveryRow | None:
        return await self._readers.do(identity.recovery, "name", name)

    async def keep_recovery(self, person: str, at_ms: int) -> bool:
        work = partial(identity.keep_recovery, person_id=person, at_ms=at_ms)
        return bool(await self._writer.do(work))

    async def take_recovery(self, row: RecoveryRow) -> bool:
        return bool(await self._writer.do(partial(identity.take_recovery, row=row)))

    async def add_challenge(self, row: ChallengeRow) -> None:
        await self._writer.do(partial(identity.add_challenge, row=row))

    async def take_challenge(
        self, challenge_hash: str, purpose: str, now_ms: int
    ) -> ChallengeRow | None:
        work = partial(
            identity.take_challenge, challenge_hash=challenge_hash, purpose=purpose, now_ms=now_ms
        )
        return cast("ChallengeRow | None", await self._writer.do(work))

    async def add_passkey(self, row: PasskeyRow) -> bool:
        return bool(await self._writer.do(partial(identity.add_passkey, row=row)))

    async def passkey(self, passkey: str) -> PasskeyRow | None:
        return await self._readers.do(identity.passkey, passkey)

    async def passkeys(self, person: str) -> list[PasskeyRow]:
        return await self._readers.do(identity.passkeys, person)

    async def use_passkey(self, row: PasskeyRow, sign_count: int, at_ms: int) -> bool:
        work = partial(identity.use_passkey, row=row, sign_count=sign_count, at_ms=at_ms)
        return bool(await self._writer.do(work))

    async def drop_passkey(self, person: str, passkey: str) -> bool:
        work = partial(identity.drop_passkey, person_id=person, passkey_id=passkey)
        return bool(await self._writer.do(work))

    async def merge_people(self, guest: str, person: str) -> bool:
        return bool(await self._writer.do(partial(self._merge, guest=guest, person=person)))

    def _merge(self, db: Connection, guest: str, person: str) -> bool:
        for one in sorted((guest, person)):
            self._backend.lock_person(db, one)
        tables = {*seats.tables_with(db, guest), *seats.tables_with(db, person)}
        self._backend.lock_tables(db, sorted(tables))
        return identity.merge(db, guest, person)

    async def forget_history(self, person: str) -> int:
        return cast(int, await self._writer.do(partial(identity.forget_history, person_id=person)))

    # How games ended

    async def played_tables(self, person: str, limit: int) -> list[TableRow]:
        return await self._readers.do(identity.played_tables, person, limit)

    async def outcomes(self, tables: Collection[str]) -> dict[str, OutcomeRow]:
        return await self._readers.do(identity.outcomes, list(tables))

    async def add_outcomes(self, rows: Sequence[OutcomeRow]) -> None:
        await self._writer.do(partial(identity.add_outcomes, rows=rows))

    # Decisions that people practice

    async def keep_exercises(self, person: str, new: Sequence[tuple[ExerciseRow, str]]) -> bool:
        return bool(await self._writer.do(partial(self._keep_exercises, person=person, new=new)))

    def _keep_exercises(
        self, db: Connection, person: str, new: Sequence[tuple[ExerciseRow, str]]
    ) -> bool:
        self._backend.lock_person(db, person)
        return queries.person(db, person) is not None and exercises.keep_exercises(db, person, new)

    async def exercises(self, person: str) -> list[ExerciseRow]:
        return await self._readers.do(exercises.exercises, person)

    async def exercise(self, person: str, exercise: str) -> ExerciseRow | None:
        return await self._readers.do(exercises.exercise, person, exercise)

    async def exercise_records(self, person: str, exercise: str | None = None) -> dict[str, str]:
        return await self._readers.do(exercises.exercise_records, person, exercise)

    async def change_exercise(self, row: ExerciseRow, *, was: ExerciseRow) -> bool:
        return bool(await self._writer.do(partial(exercises.change_exercise, row=row, was=was)))

    async def drop_exercise(self, person: str, exercise: str) -> bool:
        work = partial(exercises.drop_exercise, person_id=person, exercise_id=exercise)
        return bool(await self._writer.do(work))

    async def count_due_exercises(self, person: str, now_ms: int) -> int:
        return await self._readers.do(exercises.count_due, person, now_ms)

    # People who have played together

    async def companions(self, person: str, limit: int) -> list[Companion]:
        return await self._readers.do(identity.companions, person, limit)

    async def companion(self, person: str, table: str, seat: int) -> str | None:
        return await self._readers.do(identity.companion, person, table, seat)

    async def block(self, person: str, other: str) -> None:
        await self._writer.do(partial(identity.block, person_id=person, other_id=other))

    async def blocked(self, person: str, limit: int) -> list[str]:
        return await self._readers.do(identity.blocked, person, limit)

    async def is_blocked(self, person: str, by: str) -> bool:
        return await self._readers.do(identity.is_blocked, person, by)

    async def words_of(self, person: str, limit: int) -> list[tuple[str, int, str]]:
        return await self._readers.do(identity.words_of, person, limit)

    async def unanswered_invitations(self, host: str, guest: str, since_ms: int) -> int:
        return await self._readers.do(identity.unanswered_invitations, host, guest, since_ms)

    # Chat

    async def add_chat(
        self,
        table: str,
        at_ms: int,
        person: str,
        seat: int | None,
        text: str,
    ) -> ChatLine:
        work = partial(
            queries.add_chat,
            table_id=table,
            at_ms=at_ms,
            person_id=person,
            seat=seat,
            text=text,
        )
        return cast(ChatLine, await self._writer.do(work))

    async def chat(self, table: str, since: int = 0, limit: int = 200) -> list[SpokenLine]:
        return await self._readers.do(queries.chat, table, since, limit)

    # Notifications

    async def add_way(self, row: WayRow, *, replaces: Collection[str] = ()) -> None:
        await self._writer.do(partial(self._add_way, row=row, replaces=replaces))

    def _add_way(self, db: Connection, row: WayRow, replaces: Collection[str]) -> None:
        if outbox.add_way(db, row, replaces):
            queries.want_scrub(db)

    async def way(self, way: str) -> WayRow | None:
        return await self._readers.do(outbox.way, way)

    async def ways(self, person: str) -> list[WayRow]:
        return await self._readers.do(outbox.ways, person)

    async def ways_to(self, kind: WayKind, address: str) -> list[WayRow]:
        return await self._readers.do(outbox.ways_to, kind, address)

    async def change_way(self, row: WayRow, *, was: str | None = None) -> bool:
        return bool(await self._writer.do(partial(outbox.change_way, row=row, was=was)))

    async def note_problem(self, way: str, problem: str | None) -> None:
        await self._writer.do(partial(outbox.note_problem, way_id=way, problem=problem))

    async def drop_way(self, way: str) -> bool:
        return bool(await self._writer.do(partial(self._drop_way, way=way)))

    def _drop_way(self, db: Connection, way: str) -> bool:
        """An address is personal: no byte of it may stay in the file."""
        queries.want_scrub(db)
        return outbox.drop_way(db, way)

    async def silence_way(self, way: str, silent_ms: int | None) -> bool:
        work = partial(outbox.silence_way, way_id=way, silent_ms=silent_ms)
        return bool(await self._writer.do(work))

    async def drop_unconfirmed_ways(self, before_ms: int) -> int:
        work = partial(self._drop_unconfirmed_ways, before_ms=before_ms)
        return cast(int, await self._writer.do(work))

    def _drop_unconfirmed_ways(self, db: Connection, before_ms: int) -> int:
        dropped = outbox.drop_unconfirmed_ways(db, before_ms)
        if dropped:
            queries.want_scrub(db)
        return dropped

    async def reachable_people(self) -> set[str]:
        return await self._readers.do(outbox.reachable_people)

    async def reach(self, person: str) -> ReachRow | None:
        return await self._readers.do(outbox.reach, person)

    async def set_reach(self, row: ReachRow) -> None:
        await self._writer.do(partial(outbox.set_reach, row=row))

    async def vacations(self, people: Collection[str]) -> list[VacationRow]:
        return await self._readers.do(outbox.vacations, people)

    async def set_vacations(self, person: str, rows: Sequence[VacationRow]) -> None:
        await self._writer.do(partial(outbox.set_vacations, person_id=person, rows=rows))

    async def due_notices(
        self, now_ms: int, limit: int, *, group_ms: int = 0
    ) -> list[tuple[OutboxRow, WayRow]]:
        return await self._readers.do(outbox.due, now_ms, limit, group_ms)

    async def claim_notices(
        self, notices: Sequence[str], now_ms: int, lease_ms: int, *, group_ms: int = 0
    ) -> set[str]:
        work = partial(
            outbox.claim, notices=notices, now_ms=now_ms, lease_ms=lease_ms, group_ms=group_ms
        )
        return cast("set[str]", await self._writer.do(work))

    async def remind(
        self, table: str, seq: int, at_ms: int, person: str, notices: Sequence[Notice]
    ) -> None:
        work = partial(
            outbox.remind,
            table_id=table,
            seq=seq,
            at_ms=at_ms,
            person_id=person,
            notices=notices,
        )
        await self._writer.do(work)

    async def finish_notices(
        self, notices: Sequence[str], state: NoticeState, now_ms: int, problem: str | None = None
    ) -> None:
        work = partial(outbox.finish, notices=notices, state=state, now_ms=now_ms, problem=problem)
        await self._writer.do(work)

    async def postpone_notices(
        self,
        notices: Sequence[str],
        due_ms: int,
        *,
        attempts: int,
        problem: str | None = None,
        lease_ms: int = 0,
    ) -> None:
        work = partial(
            outbox.postpone,
            notices=notices,
            due_ms=due_ms,
            attempts=attempts,
            problem=problem,
            lease_ms=lease_ms,
        )
        await self._writer.do(work)

    async def hasten_mail(self, person: str, due_ms: int) -> None:
        await self._writer.do(partial(outbox.hasten_mail, person_id=person, due_ms=due_ms))

    async def saw_table(self, table: str, person: str) -> None:
        await self._writer.do(partial(outbox.saw_table, table_id=table, person_id=person))

    async def tables_waiting(self, person: str) -> int:
        return await self._readers.do(outbox.tables_waiting, person)

    async def count_sent(
        self,
        since_ms: int,
        *,
        way: str | None = None,
        person: str | None = None,
        kind: WayKind | None = None,
    ) -> int:
        return await self._readers.do(outbox.count_sent, since_ms, way, person, kind)

    async def letters_sent(self, since_ms: int) -> list[tuple[str, str, int]]:
        return await self._readers.do(outbox.letters_sent, since_ms)

    async def count_notices(self) -> dict[NoticeState, int]:
        return await self._readers.do(outbox.count)

    async def notices(
        self, state: NoticeState | None, limit: int
    ) -> list[tuple[OutboxRow, WayKind]]:
        return await self._readers.do(outbox.notices, state, limit)

    async def retry_notices(self, notice: str | None, now_ms: int) -> int:
        work = partial(outbox.retry, notice=notice, now_ms=now_ms)
        return cast(int, await self._writer.do(work))

    async def retry_way(self, way: str, now_ms: int) -> int:
        return cast(
            int, await self._writer.do(partial(outbox.retry_way, way_id=way, now_ms=now_ms))
        )

    async def purge_notices(self, before_ms: int) -> int:
        return cast(int, await self._writer.do(partial(outbox.purge, before_ms=before_ms)))

    # Operators

    async def add_sanction(self, row: SanctionRow) -> None:
        await self._writer.do(partial(operators.add_sanction, row=row))

    async def lift_sanction(self, sanction: str, at_ms: int) -> bool:
        work = partial(operators.lift_sanction, sanction_id=sanction, at_ms=at_ms)
        return bool(await self._writer.do(work))

    async def active_sanctions(self, now_ms: int) -> list[SanctionRow]:
        return await self._readers.do(operators.active_sanctions, now_ms)

    async def sanctions(self, limit: int, subject: str | None = None) -> list[SanctionRow]:
        return await self._readers.do(operators.sanctions, limit, subject)

    async def add_audit(self, row: AuditRow) -> None:
        await self._writer.do(partial(operators.add_audit, row=row))

    async def audit_log(self, limit: int, before_ms: int | None = None) -> list[AuditRow]:
        return await self._readers.do(operators.audit_log, limit, before_ms)

    async def add_admin_key(self, row: AdminKeyRow) -> None:
        await self._writer.do(partial(operators.add_admin_key, row=row))

    async def admin_key(self, key_hash: str, now_ms: int) -> AdminKeyRow | None:
        return await self._readers.do(operators.admin_key, key_hash, now_ms)

    async def admin_keys(self) -> list[AdminKeyRow]:
        return await self._readers.do(operators.admin_keys)

    async def drop_admin_key(self, key_hash: str) -> bool:
        return bool(await self._writer.do(partial(operators.drop_admin_key, key_hash=key_hash)))

    async def setting(self, name: str) -> str | None:
        return await self._readers.do(operators.setting, name)

    async def set_setting(self, name: str, value: str | None) -> None:
        await self._writer.do(partial(operators.set_setting, name=name, value=value))

    async def setting_or(self, name: str, value: str) -> str:
        work = partial(operators.setting_or, name=name, value=value)
        return cast(str, await self._writer.do(work))

    # Processes and care

    async def beat(self, process: str, now_ms: int, url: str | None = None) -> None:
        await self._writer.do(partial(queries.beat, process_id=process, now_ms=now_ms, url=url))

    async def other_processes(self, process: str, since_ms: int) -> list[str]:
        return [row.id for row in await self.processes(since_ms) if row.id != process]

    async def processes(self, since_ms: int) -> list[ProcessRow]:
        return await self._readers.do(queries.processes, since_ms)

    async def scrub(self) -> bool:
        """What is deleted after the mark was read has another mark, and asks for another pass."""
        until = time.monotonic() + SCRUB_SECONDS
        while (pending := await self.setting(queries.SCRUB)) is not None:
            if await self._scrub_step():
                await self._readers.run(self._backend.sync)
                await self._writer.do(
                    partial(operators.drop_setting, name=queries.SCRUB, value=pending),
                )
            elif time.monotonic() > until:
                return False
            else:
                await asyncio.sleep(SCRUB_PAUSE)
        return True

    async def _scrub_step(self) -> bool:
        if self._backend.scrubs_as_writer:
            return bool(await self._writer.do(self._backend.scrub, alone=True, reopen=True))
        return await self._readers.do(self._backend.scrub)

    async def disk_free(self) -> int | None:
        return await self._readers.run(self._backend.disk_free)

    async def ping(self) -> None:
        await asyncio.gather(self._writer.do(queries.ping), self._readers.do(queries.ping))

    async def backup(self, path: Path) -> None:
        await self._readers.run(partial(self._back_up, path))

    def _back_up(self, path: Path) -> None:
        with fresh_file(path) as part:
            self._backend.backup(part)

    async def close(self) -> None:
        """The writer goes last: closing the last connection to a SQLite file empties its
        write-ahead log."""
        self._closed.set()
        for inbox in self._inboxes:
            inbox.close()
        await self._readers.close()
        await self._writer.close()
        if self._listener is not None:
            await asyncio.to_thread(self._listener.join)
        self._backend.close()
