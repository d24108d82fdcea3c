"""The one thread that writes. Whatever has come in while the last transaction was synced to the disk goes into the next one.

    await append(...) ─┐                                  ┌─ BEGIN
    await append(...) ─┼─> queue ─> everything in it ─────┼─ one INSERT for all appends, then the other jobs
    await rename(...) ─┘                                  └─ COMMIT ─> all futures, by one call into the event loop

A job that fails spoils no other: the transaction is rolled back, and its jobs are done again one by one.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from lampion.server.store.backend import Backend, Connection
from lampion.server.store.base import Appended, StorageFailed
from lampion.server.store.log import Append, append_all

log = logging.getLogger("lampion.store")

LARGEST_BATCH = 1000
ATTEMPTS = 3
"""How often a job is begun while the connection breaks under it each time."""
PAUSE = 0.1
"""Seconds between two attempts to reach the database."""


class Job(msgspec.Struct, eq=False):
    work: Append | Callable[[Connection], Any]
    future: asyncio.Future[Any]
    alone: bool = False
    """Runs outside a transaction."""


Results = list[tuple[Job, Any]]
"""An exception is a result like any other."""


class Writer:
    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._db: Connection | None = backend.connect()
        self._lost_at: float | None = None
        self._committing = False
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="lampion-writer", daemon=True)
        self._thread.start()

    async def do(self, work: Append | Callable[[Connection], Any], *, alone: bool = False) -> Any:
        if self._closed:
            raise StorageFailed("the store is closed", code="storage-closed")
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.put(Job(work, future, alone))
        return await future

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._jobs.put(None)
        await asyncio.to_thread(self._thread.join)

    def _run(self) -> None:
        last = False
        while not last:
            jobs, last = self._drain()
            shared = [job for job in jobs if not job.alone]
            results = self._carry_out(shared) if shared else []
            results += [(job, self._alone(job)) for job in jobs if job.alone]
            _deliver(results)
        if self._db is not None:
            self._db.close()

    def _drain(self) -> tuple[list[Job], bool]:
        """What is waiting, at least one job; and whether the end was reached."""
        jobs: list[Job] = []
        try:
            job = self._jobs.get()
            while job is not None:
                jobs.append(job)
                if len(jobs) == LARGEST_BATCH:
                    return jobs, False
                job = self._jobs.get_nowait()
        except queue.Empty:
            return jobs, False
        return jobs, True

    def _carry_out(self, jobs: Sequence[Job], attempt: int = 1) -> Results:
        try:
            return self._transaction(jobs)
        except Exception as problem:
            lost = self._backend.is_lost(problem)
            in_doubt = lost and self._committing
            self._roll_back(lost)
            if lost and self._may_repeat(attempt):
                again = [job for job in jobs if not in_doubt or isinstance(job.work, Append)]
                _mark(again, in_doubt)
                failed = [(job, self._backend.explain(problem)) for job in jobs if job not in again]
                return failed + (self._carry_out(again, attempt + 1) if again else [])
            if lost or len(jobs) == 1:
                return [(job, self._backend.explain(problem)) for job in jobs]
            return [result for part in _parts(jobs) for result in self._carry_out(part, attempt)]

    def _transaction(self, jobs: Sequence[Job]) -> Results:
        self._committing = False
        db = self._connection()
        db.execute("BEGIN")
        results: Results = [(job, job.work(db)) for job in jobs if not isinstance(job.work, Append)]
        appends = [(job, job.work) for job in jobs if isinstance(job.work, Append)]
        if appends:
            outcomes = append_all(db, self._backend.insert_events, [work for _, work in appends])
            results += [(job, outcome) for (job, _), outcome in zip(appends, outcomes, strict=True)]
            written = {work.table: got.seq for (_, work), got in zip(appends, outcomes, strict=True) if isinstance(got, Appended)}
            if written:
                self._backend.announce(db, written)
        self._committing = True
        db.execute("COMMIT")
        return results

    def _alone(self, job: Job) -> Any:
        assert not isinstance(job.work, Append)
        try:
            return job.work(self._connection())
        except Exception as problem:
            self._roll_back(self._backend.is_lost(problem))
            return self._backend.explain(problem)

    def _connection(self) -> Connection:
        """Comes back as soon as the database does; gives up when it has been away too long."""
        while self._db is None:
            try:
                self._db = self._backend.connect()
                self._lost_at = None
            except Exception:
                if not self._is_patient():
                    raise
                time.sleep(PAUSE)
        return self._db

    def _roll_back(self, lost: bool) -> None:
        if self._db is None:
            return
        if not lost:
            with suppress(Exception):
                # SQLite has sometimes rolled back already, and then refuses.
                self._db.execute("ROLLBACK")
            return
        log.warning("the connection to the database was lost")
        with suppress(Exception):
            self._db.close()
        self._db, self._lost_at = None, time.monotonic()

    def _is_patient(self) -> bool:
        return not self._closed and self._lost_at is not None and time.monotonic() < self._lost_at + self._backend.patience

    def _may_repeat(self, attempt: int) -> bool:
        return attempt < ATTEMPTS and self._is_patient()


def _parts(jobs: Sequence[Job]) -> list[list[Job]]:
    """Each other job alone, and the appends still together if it can have been one of those that failed."""
    appends = [job for job in jobs if isinstance(job.work, Append)]
    others = [[job] for job in jobs if not isinstance(job.work, Append)]
    return [*others, appends] if others and appends else [[job] for job in jobs]


def _mark(jobs: Sequence[Job], in_doubt: bool) -> None:
    for job in jobs:
        if isinstance(job.work, Append):
            job.work.in_doubt |= in_doubt


def _deliver(results: Results) -> None:
    """One call into each event loop: waking it is dearer than a result."""
    by_loop: dict[asyncio.AbstractEventLoop, Results] = {}
    for job, result in results:
        by_loop.setdefault(job.future.get_loop(), []).append((job, result))
    for loop, some in by_loop.items():
        with suppress(RuntimeError):
            # The loop is closed: nobody waits any more.
            loop.call_soon_threadsafe(_settle, some)


def _settle(results: Results) -> None:
    for job, result in results:
        if job.future.done():
            continue
        if isinstance(result, Exception):
            job.future.set_exception(result)
        else:
            job.future.set_result(result)
