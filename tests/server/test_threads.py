"""Threads that think: they answer, fail in their caller's hands, and step back."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

import pytest

from lampion.server.play.threads import NICENESS, in_thread


def priority() -> int:
    return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())


def test_an_answer_comes_back() -> None:
    assert asyncio.run(in_thread(divmod_of, 7, 3)) == (2, 1)


def test_a_failure_is_raised_where_the_answer_is_awaited() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(in_thread(divmod_of, 7, 0))


def divmod_of(a: int, b: int) -> tuple[int, int]:
    return divmod(a, b)


@pytest.mark.skipif(sys.platform != "linux", reason="a thread has a priority on Linux only")
def test_thinking_steps_back_and_the_loop_does_not() -> None:
    async def both() -> tuple[int, int]:
        return await in_thread(priority), priority()

    before = priority()
    assert asyncio.run(both()) == (max(before, NICENESS), before)
