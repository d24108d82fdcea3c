"""What the writer does when the connection below it fails, on a backend that fails when it is told."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import errors

from lampion.server import store as stores
from lampion.server.store import writer as writer_module
from lampion.server.store.backend import Backend, Connection
from lampion.server.store.base import NewEvent, StorageFailed
from lampion.server.store.log import Append
from lampion.server.store.postgres import explain, is_lost
from lampion.server.store.sqlite import SqliteBackend
from lampion.server.store.writer import Writer


class Lost(Exception):
    """The connection is gone."""


class Deadlocked(Exception):
    """Another transaction was in the way."""


class Shaky(SqliteBackend):
    """SQLite with the faults of a database on another machine."""

    patience = 5.0
    reconnects = 0
    is_away = False

    def connect(self) -> Connection:
        if self.is_away:
            raise Lost
        self.reconnects += 1
        return super().connect()

    def is_lost(self, problem: Exception) -> bool:
        return isinstance(problem, Lost)

    def may_repeat(self, problem: Exception) -> bool:
        return isinstance(problem, Deadlocked)

    def explain(self, problem: Exception) -> Exception:
        return StorageFailed(type(problem).__name__)


def on_a_writer(play: Callable[[Writer, Shaky], Awaitable[None]], folder: Path) -> None:
    async def run() -> None:
        backend = Shaky(folder / "db")
        writer = Writer(backend, "me")
        try:
            await play(writer, backend)
        finally:
            await writer.close()
            backend.close()

    asyncio.run(run())


def failing(problem: Exception, times: int) -> Callable[[Connection], int]:
    """A job that fails so many times; returns how often it was begun."""
    begun = 0

    def job(db: Connection) -> int:
        nonlocal begun
        begun += 1
        if begun <= times:
            raise problem
        return begun

    return job


def test_a_deadlock_is_tried_again_and_not_for_ever(tmp_path: Path) -> None:
    async def play(writer: Writer, backend: Shaky) -> None:
        assert await writer.do(failing(Deadlocked(), 2)) == 3
        with pytest.raises(StorageFailed, match="Deadlocked"):
            await writer.do(failing(Deadlocked(), writer_module.ATTEMPTS))
        assert backend.reconnects == 1, "the connection is as good as before"

    on_a_writer(play, tmp_path)


def test_a_lost_connection_is_made_again_and_not_for_ever(tmp_path: Path) -> None:
    async def play(writer: Writer, backend: Shaky) -> None:
        assert await writer.do(failing(Lost(), 1)) == 2
        with pytest.raises(StorageFailed, match="Lost"):
            await writer.do(failing(Lost(), writer_module.ATTEMPTS))
        assert backend.reconnects > 1
        assert await writer.do(lambda db: db.execute("SELECT 7").fetchone()[0]) == 7

    on_a_writer(play, tmp_path)


def test_a_job_that_runs_alone_fails_alone(tmp_path: Path) -> None:
    async def play(writer: Writer, backend: Shaky) -> None:
        for problem in (Lost(), ValueError()):
            with pytest.raises(StorageFailed, match=type(problem).__name__):
                await writer.do(failing(problem, 1), alone=True, reopen=True)
        assert await writer.do(failing(Lost(), 0)) == 1

    on_a_writer(play, tmp_path)


def test_a_connection_that_cannot_be_reopened_is_met_by_the_next_job(tmp_path: Path) -> None:
    async def play(writer: Writer, backend: Shaky) -> None:
        backend.is_away = True
        await writer.do(failing(Lost(), 0), alone=True, reopen=True)
        with pytest.raises(StorageFailed, match="Lost"):
            await writer.do(failing(Lost(), 0), alone=True, reopen=True)
        with pytest.raises(StorageFailed, match="Lost"):
            await writer.do(failing(Lost(), 0))
        backend.is_away = False
        assert await writer.do(failing(Lost(), 0)) == 1

    on_a_writer(play, tmp_path)


def test_more_jobs_than_fit_into_one_transaction_are_all_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer_module, "LARGEST_BATCH", 3)

    async def play(writer: Writer, backend: Shaky) -> None:
        done = await asyncio.gather(*(writer.do(failing(Lost(), 0)) for _ in range(10)))
        assert done == [1] * 10

    on_a_writer(play, tmp_path)


def test_who_no_longer_waits_is_told_nothing(tmp_path: Path) -> None:
    async def play(writer: Writer, backend: Shaky) -> None:
        waiting = asyncio.ensure_future(writer.do(failing(Lost(), 0)))
        await asyncio.sleep(0)
        waiting.cancel()
        assert await writer.do(failing(Lost(), 0)) == 1
        assert waiting.cancelled()

    on_a_writer(play, tmp_path)


def test_an_append_in_doubt_is_looked_up_and_another_job_is_not_done_twice() -> None:
    append = Append("table", 0, [NewEvent(1, 0, "act", "x")])
    future: Any = None
    jobs = [writer_module.Job(append, future), writer_module.Job(lambda db: 1, future)]
    assert [job.may_be_repeated for job in jobs] == [True, False]
    writer_module._mark(jobs, True)
    assert append.in_doubt


def test_what_postgres_says_is_told_in_words_of_ours() -> None:
    full = explain(errors.DiskFull())
    assert isinstance(full, StorageFailed) and full.code == "storage-full"
    strange = ValueError("no matter of the database")
    assert explain(strange) is strange
    assert is_lost(psycopg.OperationalError()) and is_lost(psycopg.InterfaceError())
    assert not is_lost(errors.UndefinedTable())


def test_without_the_driver_of_postgres_the_command_to_get_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = builtins.__import__

    def missing(name: str, *more: Any, **others: Any) -> Any:
        if name.startswith("lampion.server.store") and "postgres" in (more[2] or ()):
            raise ImportError(name)
        return real(name, *more, **others)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(StorageFailed, match="pip install") as refused:
        stores.postgres_module()
    assert refused.value.code == "no-driver"


_: type[Backend] = Shaky
"""mypy: it is one."""
