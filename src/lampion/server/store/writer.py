"""The one thread that writes. Whatever has come in while the last transaction was synced to the
disk goes into the next one.

    await append(...) ─┐                                  ┌─ BEGIN
    await append(...) ─┼─> queue ─> everything in it ─────┼─ one INSERT for all appends, then the other jobs
    await rename(...) ─┘                                  └─ COMMIT ─> all futures, by one call into the event loop

A job that fails spoils no other: the transaction is rolled back, and its jobs are done again one by
one. Locks are taken in one order, tables before logs and each sorted by id, so that processes wait
for each other rather than in a ring.
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
from lampion.server.store.base import (
    LOG,
    LONGEST_NEWS,
    Appended,
    LogNews,
    Outcome,
    StorageFailed,
    encode_log_news,
)
from lampion.server.store.log import Append, append_all
from lampion.server.store.news import Told

log = logging.getLogger("lampion.store")

LARGEST_BATCH = 1000
ATTEMPTS = 3
"""How often a job is begun while the connection breaks under it each time."""
PAUSE = 0.1
"""Seconds between two attempts to reach the database."""


class Tell(msgspec.Struct, eq=False):
    """News of the callers', to be announced with the transaction."""

    news: Sequence[Told]


Work = Append | Tell | Callable[[Connection], Any]


class Job(msgspec.Struct, eq=False):
    work: Work
    future: asyncio.Future[Any]
    alone: bool = False
    """Runs outside a transaction."""
    reopen: bool = False
    """Afterward the connection is reopened, with an empty cache."""
    locks: Sequence[str] = ()
    """The tables that it changes depending on what it reads."""

    @property
    def may_be_repeated(self) -> bool:
        """Even if it may have been done: an append is found in the log, news do no harm."""
        return isinstance(self.work, Append | Tell)


Results = list[tuple[Job, Any]]
"""An exception is a result like any other."""


class Writer:
    def __init__(self, backend: Backend, process: str) -> None:
        self._backend = backend
        self._process = process
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._db: Connection | None = backend.connect()
        self._lost_at: float | None = None
        self._committing = False
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="lampion-writer", daemon=True)
        self._thread.start()

    async def do(
        self,
        work: Work,
        *,
        alone: bool = False,
        reopen: bool = False,
        locks: Sequence[str] = (),
    ) -> Any:
        if self._closed:
            raise StorageFailed("the store is closed", code="storage-closed")
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._jobs.put(Job(work, future, alone, reopen, locks))
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
            # The connection broke after COMMIT was sent: nobody knows whether the jobs were done.
            in_doubt = lost and self._committing
            self._roll_back(lost)
            if self._backend.may_repeat(problem) and attempt < ATTEMPTS:
                return self._carry_out(jobs, attempt + 1)
            if lost and self._may_repeat(attempt):
                again = [job for job in jobs if not in_doubt or job.may_be_repeated]
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
        if locks := _locks(jobs):
            self._backend.lock_tables(db, locks)
        # Before the appends, whatever came in first: the callers of one batch are all still
        # waiting, so none of them can have built on what another has done.
        done = {id(job): job.work(db) for job in jobs if callable(job.work)}
        appends = [(job, job.work) for job in jobs if isinstance(job.work, Append)]
        if appends:
            outcomes = append_all(db, self._backend.insert_events, [work for _, work in appends])
            done |= {id(job): got for (job, _), got in zip(appends, outcomes, strict=True)}
        if self._backend.carries_news and (news := _news(jobs, done)):
            self._backend.announce(db, self._process, news)
        self._committing = True
        db.execute("COMMIT")
        return [(job, done.get(id(job))) for job in jobs]

    def _alone(self, job: Job) -> Any:
        assert callable(job.work)
        try:
            return job.work(self._connection())
        except Exception as problem:
            self._roll_back(self._backend.is_lost(problem))
            return self._backend.explain(problem)
        finally:
            if job.reopen:
                self._reconnect()

    def _reconnect(self) -> None:
        """Whatever goes wrong, the next job meets it."""
        with suppress(Exception):
            if self._db is not None:
                self._db.close()
        self._db = None
        with suppress(Exception):
            self._db = self._backend.connect()

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
        if self._closed or self._lost_at is None:
            return False
        return time.monotonic() < self._lost_at + self._backend.patience

    def _may_repeat(self, attempt: int) -> bool:
        return attempt < ATTEMPTS and self._is_patient()


def _locks(jobs: Sequence[Job]) -> list[str]:
    # Sorted: two processes that took the same tables in different orders would wait forever.
    tables = {table for job in jobs for table in job.locks}
    appends = (job.work for job in jobs if isinstance(job.work, Append))
    return sorted(tables | {append.table for append in appends if append.locks_table})


def _news(jobs: Sequence[Job], done: dict[int, Outcome | Any]) -> list[Told]:
    """In the order of the jobs."""
    news: list[Told] = []
    for job in jobs:
        if isinstance(job.work, Tell):
            news += job.work.news
        elif isinstance(job.work, Append) and isinstance(done[id(job)], Appended):
            news.append((LOG, job.work.table, _log_data(job.work)))
    return news


def _log_data(append: Append) -> str:
    data = encode_log_news(append.news)
    # As a text within JSON, quotes and backslashes take two bytes.
    if len(msgspec.json.encode((LOG, append.table, data))) <= LONGEST_NEWS:
        return data
    return encode_log_news(LogNews(append.last_seq, None))


def _parts(jobs: Sequence[Job]) -> list[list[Job]]:
    """Each other job alone, and the appends together if another job can have been what failed."""
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
