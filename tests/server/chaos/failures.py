"""Failures brought about on purpose, as often as asked: the server, its database and its disk.

Each function returns a report and raises if anything that was acknowledged is lost, or if a bot or
a clock is not going again in time. The tests call them for a few failures, `benchmarks.kills` for
fifty.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import httpx
import psutil  # type: ignore[import-untyped]
import psycopg

from tests.server.chaos.support import (
    BOT_PAUSE,
    GOING_AGAIN,
    HEARTBEAT,
    Duties,
    Load,
    Report,
    loaded,
    wait_until_playing,
)
from tests.server.store.postgres import Postgres
from tests.server.support import Person, Server, wait_for

MB = 2**20


def fragile(database: str, log: Path | None = None) -> Server:
    """A server whose bots take their time, so that a failure finds them before their move."""
    return Server(database, "--bot-pause", str(BOT_PAUSE), log=log)


def survive(
    server: Server,
    times: int,
    fail: Callable[[], float],
    *,
    limit: float = GOING_AGAIN,
    full: bool = True,
) -> Report:
    """Break something again and again while people play.

    `fail` breaks it and mends it, and returns the seconds for which the server was not at work.
    """
    report = Report()
    duties = Duties(server, server.database)
    with loaded(server) as loads:
        try:
            for number in range(times):
                _one_failure(duties, loads, fail, report, limit, with_clocks=number % 3 == 0)
            if full:
                duties.wait(limit)
        finally:
            duties.close()
    report.delays, report.early = duties.delays, duties.early
    report.acknowledged = sum(load.check_nothing_lost() for load in loads)
    return report


def _one_failure(
    duties: Duties,
    loads: list[Load],
    fail: Callable[[], float],
    report: Report,
    limit: float,
    with_clocks: bool,
) -> None:
    if with_clocks:
        duties.add_clocks()
    began = time.monotonic()
    time.sleep(random.uniform(0.5, 1.5))
    duties.add_bots()
    duties.note_early()
    down = fail()
    mended = time.monotonic()
    duties.ran(mended - began - down)
    duties.forgive(HEARTBEAT)
    report.failures += 1
    duties.wait(limit, only_due=True)
    waited = time.monotonic()
    report.playing_again.append(wait_until_playing(loads, mended))
    duties.ran(time.monotonic() - waited)


# --- the server ---------------------------------------------------------------------------------


def kill_the_server(database: str, times: int, limit: float = GOING_AGAIN) -> Report:
    server = fragile(database).start()

    def fail() -> float:
        began = time.monotonic()
        server.kill()
        time.sleep(random.uniform(0, 0.5))
        server.start()
        return time.monotonic() - began

    try:
        return survive(server, times, fail, limit=limit)
    finally:
        server.kill()


# --- PostgreSQL ---------------------------------------------------------------------------------


def works(server: Server) -> bool:
    """Whether a person can make a table, which needs the database."""
    with contextlib.suppress(httpx.HTTPError, AssertionError):
        Person(server, "Probe").table("me", "local")
        return True
    return False


def kill_the_database(
    postgres: Postgres, url: str, times: int, seconds: float = 0.5, limit: float = GOING_AGAIN
) -> Report:
    """kill -9 of all of PostgreSQL; it is started again after some seconds, the server is left
    alone."""
    server = fragile(url).start()

    def fail() -> float:
        began = time.monotonic()
        postgres.kill()
        time.sleep(seconds)
        postgres.start()
        wait_for(lambda: works(server), 120)
        return time.monotonic() - began

    return _with_server_alive(server, times, fail, limit)


def freeze_the_database(url: str, times: int, seconds: float, limit: float = GOING_AGAIN) -> Report:
    """PostgreSQL is there and does not answer."""
    server = fragile(url).start()
    with psycopg.connect(url) as db:
        row = db.execute("SELECT pg_backend_pid()").fetchone()
        assert row
        pid = psutil.Process(row[0]).ppid()

    def fail() -> float:
        began = time.monotonic()
        head = psutil.Process(pid)
        frozen = [head, *head.children(recursive=True)]
        for process in frozen:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGSTOP)
        time.sleep(seconds)
        for process in frozen:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGCONT)
        wait_for(lambda: works(server), 120)
        return time.monotonic() - began

    return _with_server_alive(server, times, fail, limit)


def _with_server_alive(
    server: Server, times: int, fail: Callable[[], float], limit: float
) -> Report:
    try:
        report = survive(server, times, fail, limit=limit)
        assert server.process and server.process.poll() is None, (
            "the server itself lives through all of it"
        )
        return report
    finally:
        server.kill()


# --- the disk -----------------------------------------------------------------------------------


class Disk(Protocol):
    """Somewhere a database is, that can be filled up and freed again."""

    folder: Path

    def fill(self) -> None: ...
    def free(self) -> None: ...


class SmallDisk:
    """A real file system of a few megabytes: a tmpfs mount, which needs root."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        with self._filler.open("ab", buffering=0) as filler, contextlib.suppress(OSError):
            for size in (MB, 4096, 1):
                with contextlib.suppress(OSError):
                    while filler.write(b"\0" * size):
                        pass

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)


class LimitedDisk:
    """Without root: no file of the server may grow (RLIMIT_FSIZE), so every write that adds bytes fails.

    The kernel answers with EFBIG instead of ENOSPC; SQLite takes both for a full disk.
    """

    def __init__(self, folder: Path, server: Callable[[], Server]) -> None:
        self.folder, self._server = folder, server

    def _limit(self, size: int) -> None:
        process = self._server().process
        assert process
        psutil.Process(process.pid).rlimit(psutil.RLIMIT_FSIZE, (size, psutil.RLIM_INFINITY))

    def fill(self) -> None:
        self._limit(0)

    def free(self) -> None:
        self._limit(psutil.RLIM_INFINITY)


@contextlib.contextmanager
def small_disk(megabytes: int) -> Iterator[SmallDisk | None]:
    """A tmpfs of that size, or None where mounting is not allowed."""
    folder = Path(tempfile.mkdtemp(prefix="small-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    allowed = (
        os.geteuid() == 0
        and subprocess.run(mount, capture_output=True, check=False).returncode == 0
    )
    try:
        yield SmallDisk(folder) if allowed else None
    finally:
        if allowed:
            subprocess.run(["umount", "-l", str(folder)], check=False)
        folder.rmdir()


def fill_the_disk(times: int, limit: float = GOING_AGAIN, *, limited: Path | None = None) -> Report:
    """SQLite on a disk that is full for a while. With `limited`, a folder, the kernel's limit is
    used."""
    with small_disk(64) as small:
        folder = limited or (small.folder if small else Path(tempfile.mkdtemp()))
        server = fragile(str(folder / "lampion.db")).start()
        disk: Disk = small if small and not limited else LimitedDisk(folder, lambda: server)
        try:
            return _fill_again_and_again(server, disk, times, limit)
        finally:
            disk.free()
            server.kill()


def _fill_again_and_again(server: Server, disk: Disk, times: int, limit: float) -> Report:
    reader = Person(server, "Reader")
    table = reader.table("me", "local")

    def fail() -> float:
        began = time.monotonic()
        disk.fill()
        wait_for(lambda: not works(server), 120)
        assert reader.info(table)["status"] == "running", "reading goes on"
        time.sleep(random.uniform(0.5, 3))
        disk.free()
        wait_for(lambda: works(server), 120)
        return time.monotonic() - began

    report = survive(server, times, fail, limit=limit)
    assert server.process and server.process.poll() is None, (
        "the server itself lives through all of it"
    )
    return report
