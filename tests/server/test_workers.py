"""Work that other processes do for the server: it answers, fails in its caller's hands, and is cut off."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable

import psutil  # type: ignore[import-untyped]
import pytest

from lampion.core.errors import LampionError
from lampion.server.errors import TableError, TooMany
from lampion.server.play import worker as worker_module
from lampion.server.play.worker import MOST_SECONDS
from lampion.server.play.workers import IDLE_SECONDS, Workers
from tests.server.inside import until
from tests.server.work import die, own_number, refuse, seconds_left, think_for_ever

HERE = os.getpid()


def with_workers(
    check: Callable[[Workers], Awaitable[None]], most_seconds: int = MOST_SECONDS
) -> None:
    async def run() -> None:
        workers = Workers(most_seconds)
        try:
            await check(workers)
        finally:
            await workers.close()

    asyncio.run(run())


def test_an_answer_comes_back_as_json_from_another_process() -> None:
    async def check(workers: Workers) -> None:
        first, second = await workers.do(own_number), await workers.do(own_number)
        assert first == second, "it is used again"
        assert int(first) != HERE

    with_workers(check)


def test_a_refusal_is_raised_whole_and_the_worker_goes_on() -> None:
    async def check(workers: Workers) -> None:
        number = await workers.do(own_number)
        with pytest.raises(TableError) as refused:
            await workers.do(refuse, "seat 3")
        assert (refused.value.code, refused.value.where) == ("stale", "seat 3")
        assert await workers.do(own_number) == number

    with_workers(check)


def test_two_at_the_same_time_have_a_worker_each() -> None:
    async def check(workers: Workers) -> None:
        assert len({*await asyncio.gather(workers.do(own_number), workers.do(own_number))}) == 2

    with_workers(check)


has_limits = pytest.mark.skipif(sys.platform == "win32", reason="no limits of processor time there")


@has_limits
def test_each_piece_of_work_gets_ten_seconds_of_processor_time() -> None:
    async def check(workers: Workers) -> None:
        await workers.do(seconds_left)  # has imported this module by now
        for _ in range(2):
            assert 9 < float(await workers.do(seconds_left)) <= 11

    with_workers(check)


@has_limits
def test_work_that_takes_too_much_processor_time_is_cut_off() -> None:
    async def check(workers: Workers) -> None:
        with pytest.raises(LampionError) as cut_off:
            await workers.do(think_for_ever)
        assert cut_off.value.code == "too-large"
        assert int(await workers.do(own_number)) != HERE, "the next one is not"

    with_workers(check, most_seconds=1)


def test_a_worker_that_dies_is_replaced_and_its_end_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def check(workers: Workers) -> None:
        with pytest.raises(TooMany):
            await workers.do(die)
        assert [record.exit_code for record in caplog.records] == [3]  # type: ignore[attr-defined]
        assert int(await workers.do(own_number)) != HERE

    with_workers(check)


def test_without_workers_visitors_are_asked_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")

    async def check(workers: Workers) -> None:
        with pytest.raises(TooMany):
            await workers.do(own_number)

    with_workers(check)


def test_work_ends_when_its_caller_stops_waiting() -> None:
    async def check(workers: Workers) -> None:
        number = int(await workers.do(own_number))
        waiting = asyncio.ensure_future(workers.do(think_for_ever))
        await until(lambda: workers._busy)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await until(lambda: not psutil.pid_exists(number))

    with_workers(check)


def test_idle_workers_end_after_a_while() -> None:
    async def check(workers: Workers) -> None:
        number = int(await workers.do(own_number))
        workers.end_idle()
        assert psutil.pid_exists(number), "not yet"
        for worker in workers._idle:
            worker.used -= 2 * IDLE_SECONDS
        workers.end_idle()
        assert not psutil.pid_exists(number)

    with_workers(check)


def test_a_worker_ends_with_its_server() -> None:
    """Whatever ended that: its end of the pipe is closed."""
    command = [sys.executable, "-m", worker_module.__name__]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
