"""What the tests of the stores share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager
from typing import Any

from lampion.server.store import open_store
from lampion.server.store.base import (
    NewEvent,
    PersonRow,
    SeatKind,
    SeatRow,
    Store,
    TableRow,
    TableStatus,
)
from tests.server.support import PATIENCE


def run(story: Coroutine[Any, Any, None]) -> None:
    """The story to its end, however little of a core this machine has for it; only one that hangs
    is cut off."""
    asyncio.run(asyncio.wait_for(story, PATIENCE))


@asynccontextmanager
async def opened(url: str, patience: float = 5.0) -> AsyncIterator[Store]:
    store = open_store(url, patience=patience)
    try:
        yield store
    finally:
        await store.close()


def table_row(
    name: str = "table1",
    *,
    status: TableStatus = TableStatus.OPEN,
    public: bool = True,
    changed_ms: int = 1,
    host: str | None = None,
) -> TableRow:
    return TableRow(
        id=name, game="lanterns", players=2, rules_version=1, options='{"lake": "é"}', public=public, pace='{"days": 1}',
        status=status, seed="5eed", commitment="c0", created_ms=1, changed_ms=changed_ms, host=host,
    )  # fmt: skip


def two_seats(table: str = "table1") -> list[SeatRow]:
    return [
        SeatRow(table, 0, SeatKind.OPEN),
        SeatRow(table, 1, SeatKind.BOT, level="search:easy", name="Bot"),
    ]


def person_row(name: str, at_ms: int = 1_800_000_000_000) -> PersonRow:
    return PersonRow(f"id-{name}", name, at_ms, at_ms)


def events(
    *payloads: str, at_ms: int = 1_800_000_000_000, command: str | None = None
) -> list[NewEvent]:
    """The first has the command."""
    return [
        NewEvent(at_ms, 0, "act", payload, command if not number else None)
        for number, payload in enumerate(payloads)
    ]


async def with_tables(store: Store, names: Sequence[str]) -> None:
    for name in names:
        await store.create_table(table_row(name), two_seats(name))
