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

from lampion.server.store import log, operators, queries, seats
from lampion.server.store.backend import Backend, Connection
from lampion.server.store.base import (
    LOG,
    LONGEST_NEWS,
    AdminKeyRow,
    Appended,
    AuditRow,
    ChatLine,
    Duplicate,
    Event,
    Mark,
    NewEvent,
    News,
    Outcome,
    PersonRow,
    ProcessRow,
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
    ) -> Outcome: ...

    async def append(
        self,
        table: str,
        expected_seq: int,
        events: Sequence[NewEvent],
        *,
        status: TableStatus | None = None,
        seat: SeatChange | None = None,
    ) -> Outcome:
        assert events, "an append has events"
        assert seat is None or seat[0].table_id == table, "the seat is at the same table"
        work = log.Append(table, expected_seq, events, status, seat)
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
    ) -> str:
        work = partial(queries.create_table, row=row, seats=seats, after=after)
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
    ) -> list[str]:
        return await self._readers.do(queries.tables_unchanged_since, status, before_ms, limit)

    async def delete_table(self, table: str) -> bool:
        work = partial(queries.delete_table, table_id=table)
        return bool(await self._writer.do(work, locks=[table]))

    async def mark(self, table: str, person: str, kind: Mark) -> None:
        work = partial(queries.mark, table_id=table, person_id=person, kind=kind)
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

    async def drop_token(self, token_hash: str) -> None:
        await self._writer.do(partial(queries.drop_token, token_hash=token_hash))

    async def take_token(self, token_hash: str, kind: TokenKind, now_ms: int) -> TokenRow | None:
        work = partial(queries.take_token, token_hash=token_hash, kind=kind, now_ms=now_ms)
        return cast("TokenRow | None", await self._writer.do(work))

    async def drop_expired_tokens(self, now_ms: int) -> int:
        return cast(int, await self._writer.do(partial(queries.drop_expired_tokens, now_ms=now_ms)))

    async def drop_tokens(self, person: str, *, keep: str = "") -> None:
        await self._writer.do(partial(queries.drop_tokens, person_id=person, keep=keep))

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
