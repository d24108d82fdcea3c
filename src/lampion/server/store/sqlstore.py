"""The store on a SQL database: everything that writes goes to the writer, reading has a few threads of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Unpack, cast

from lampion.server.store import log, queries
from lampion.server.store.backend import Backend
from lampion.server.store.base import (
    OPEN,
    Appended,
    ChatLine,
    Duplicate,
    Event,
    Hint,
    NewEvent,
    PersonRow,
    RunningTable,
    SeatRow,
    Stale,
    TableChange,
    TableRow,
    TokenRow,
)  # fmt: skip
from lampion.server.store.hints import Inbox
from lampion.server.store.readers import Readers
from lampion.server.store.transfer import fresh_file
from lampion.server.store.writer import Writer


class SqlStore:
    """What each method does is told at `Store`."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._writer = Writer(backend)
        self._readers = Readers(backend)
        self._inboxes: list[Inbox] = []
        self._listener: threading.Thread | None = None
        self._closed = threading.Event()

    # The log

    async def append(
        self, table: str, expected_seq: int, events: Sequence[NewEvent], *, status: str | None = None
    ) -> Appended | Stale | Duplicate:
        assert events, "an append has events"
        return cast(Appended | Stale | Duplicate, await self._writer.do(log.Append(table, expected_seq, events, status)))

    async def read(self, table: str, since: int = 0) -> list[Event]:
        return await self._readers.do(log.read, table, since)

    async def lengths(self, tables: Collection[str]) -> dict[str, int]:
        return await self._readers.do(log.lengths, list(tables))

    async def hints(self) -> AsyncIterator[Hint]:
        inbox = Inbox()
        self._inboxes.append(inbox)
        self._start_listening()
        try:
            while (hint := await inbox.get()) is not None:
                yield hint
        finally:
            self._inboxes.remove(inbox)

    def _start_listening(self) -> None:
        if self._listener is None and not self._closed.is_set():
            work = partial(self._backend.listen, self._hear, self._closed.is_set)
            self._listener = threading.Thread(target=work, name="lampion-hints", daemon=True)
            self._listener.start()

    def _hear(self, hints: list[Hint]) -> None:
        for inbox in list(self._inboxes):
            inbox.put(hints)

    # Tables and seats

    async def create_table(self, row: TableRow, seats: Sequence[SeatRow]) -> None:
        await self._writer.do(partial(queries.create_table, row=row, seats=seats))

    async def table(self, table: str) -> TableRow | None:
        return await self._readers.do(queries.table, table)

    async def update_table(self, table: str, *, expect_status: str | None = None, **columns: Unpack[TableChange]) -> bool:
        changes = cast(dict[str, Any], columns)
        work = partial(queries.update_table, table_id=table, expect_status=expect_status, columns=changes)
        return bool(await self._writer.do(work))

    async def seats(self, table: str) -> list[SeatRow]:
        return (await self.seats_of([table]))[table]

    async def seats_of(self, tables: Collection[str]) -> dict[str, list[SeatRow]]:
        return await self._readers.do(queries.seats_of, list(tables))

    async def set_seat(self, row: SeatRow, *, expect_kind: str, expect_person: str | None = None) -> bool:
        work = partial(queries.set_seat, row=row, expect_kind=expect_kind, expect_person=expect_person)
        return bool(await self._writer.do(work))

    async def public_tables(self, limit: int, status: str = OPEN) -> list[TableRow]:
        return await self._readers.do(queries.public_tables, limit, status)

    async def tables_of(self, person: str, limit: int) -> list[TableRow]:
        return await self._readers.do(queries.tables_of, person, limit)

    async def running_tables(self) -> list[RunningTable]:
        return await self._readers.do(queries.running_tables)

    async def finished_tables(self, limit: int, after: str = "") -> list[TableRow]:
        return await self._readers.do(queries.finished_tables, limit, after)

    # Persons

    async def add_person(self, row: PersonRow) -> None:
        await self._writer.do(partial(queries.add_person, row=row))

    async def person(self, person: str) -> PersonRow | None:
        return await self._readers.do(queries.person, person)

    async def rename(self, person: str, name: str) -> None:
        await self._writer.do(partial(queries.rename, person_id=person, name=name))

    async def saw_person(self, person: str, at_ms: int) -> None:
        await self._writer.do(partial(queries.saw_person, person_id=person, at_ms=at_ms))

    async def delete_person(self, person: str) -> None:
        await self._writer.do(partial(queries.delete_person, person_id=person))
        await self._writer.do(self._backend.scrub, alone=True)

    async def add_token(self, row: TokenRow) -> None:
        await self._writer.do(partial(queries.add_token, row=row))

    async def person_of_token(self, token_hash: str) -> PersonRow | None:
        return await self._readers.do(queries.person_of_token, token_hash)

    async def tokens(self, person: str) -> list[TokenRow]:
        return await self._readers.do(queries.tokens, person)

    async def drop_token(self, token_hash: str) -> None:
        await self._writer.do(partial(queries.drop_token, token_hash=token_hash))

    async def take_token(self, token_hash: str, kind: str) -> TokenRow | None:
        return cast("TokenRow | None", await self._writer.do(partial(queries.take_token, token_hash=token_hash, kind=kind)))

    async def drop_tokens(self, person: str, *, keep: str = "") -> None:
        await self._writer.do(partial(queries.drop_tokens, person_id=person, keep=keep))

    # Chat

    async def add_chat(self, table: str, at_ms: int, person: str, seat: int | None, text: str) -> ChatLine:
        work = partial(queries.add_chat, table_id=table, at_ms=at_ms, person_id=person, seat=seat, text=text)
        return cast(ChatLine, await self._writer.do(work))

    async def chat(self, table: str, since: int = 0, limit: int = 200) -> list[ChatLine]:
        return await self._readers.do(queries.chat, table, since, limit)

    # Processes and care

    async def beat(self, process: str, now_ms: int) -> None:
        await self._writer.do(partial(queries.beat, process_id=process, now_ms=now_ms))

    async def other_processes(self, process: str, since_ms: int) -> list[str]:
        return await self._readers.do(queries.other_processes, process, since_ms)

    async def backup(self, path: Path) -> None:
        await self._readers.run(partial(self._back_up, path))

    def _back_up(self, path: Path) -> None:
        with fresh_file(path) as part:
            self._backend.backup(part)

    async def close(self) -> None:
        """The writer goes last: closing the last connection to a SQLite file empties its write-ahead log."""
        self._closed.set()
        for inbox in self._inboxes:
            inbox.close()
        await self._readers.close()
        await self._writer.close()
        if self._listener is not None:
            await asyncio.to_thread(self._listener.join)
        self._backend.close()
