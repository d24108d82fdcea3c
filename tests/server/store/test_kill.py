"""Twenty times kill -9 of a process that writes: whatever it was told is stored, is stored; and the log has no gaps."""

from __future__ import annotations

import asyncio
import multiprocessing
import random
from multiprocessing.connection import Connection

from lampion.server.store.base import Appended, Store
from tests.server.store.support import events, opened, with_tables

TABLES = [f"table{number}" for number in range(8)]
KILLS = 20

processes = multiprocessing.get_context("forkserver")
processes.set_forkserver_preload(["tests.server.store.test_kill", "lampion.server.store.postgres"])


def write(url: str, told: Connection) -> None:
    """Append to all tables at once, and tell each acknowledged (table, seq, payload) at once."""
    asyncio.run(_write(url, told))


async def _write(url: str, told: Connection) -> None:
    async with opened(url) as store:
        lengths = await store.lengths(TABLES)
        await asyncio.gather(*(_play(store, name, lengths[name], told) for name in TABLES))


async def _play(store: Store, table: str, seen: int, told: Connection) -> None:
    while True:
        payload = f"{table} {random.getrandbits(64):x}"
        outcome = await store.append(table, seen, events(payload, "second", command=payload))
        assert outcome == Appended(seen + 2), outcome
        told.send((table, seen + 1, payload))
        seen += 2


def _killed_under_load(url: str, after: int) -> list[tuple[str, int, str]]:
    """What a writer was told until it was killed."""
    ours, theirs = processes.Pipe(duplex=False)
    process = processes.Process(target=write, args=(url, theirs), daemon=True)
    process.start()
    theirs.close()
    heard = [ours.recv() for _ in range(after)]
    process.kill()
    process.join()
    try:
        while True:
            heard.append(ours.recv())
    except (EOFError, OSError):
        # The last message may be cut off in the middle.
        return heard


def test_nothing_acknowledged_is_lost(url: str) -> None:
    async def prepare() -> None:
        async with opened(url) as store:
            await with_tables(store, TABLES)

    async def check(told: list[tuple[str, int, str]]) -> None:
        async with opened(url) as store:
            for name in TABLES:
                log = await store.read(name)
                assert [event.seq for event in log] == list(range(1, len(log) + 1)) and len(
                    log
                ) % 2 == 0
                acknowledged = {seq: payload for table, seq, payload in told if table == name}
                assert {
                    event.seq: event.payload for event in log if event.seq in acknowledged
                } == acknowledged

    asyncio.run(prepare())
    told: list[tuple[str, int, str]] = []
    for kill in range(KILLS):
        told += _killed_under_load(url, after=random.Random(kill).randrange(1, 40))
    assert len(told) >= KILLS
    asyncio.run(check(told))
