"""Threads that think: they answer, fail in their caller's hands, and step back."""

from __future__ import annotations

import asyncio
import os
import subprocess
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


@pytest.mark.skipif(sys.platform != "linux", reason="other systems give memory back by themselves")
def test_the_tree_of_a_search_goes_back_to_the_system() -> None:
    """In a process of its own: what malloc has seen before decides what it keeps."""
    left = subprocess.run(
        [sys.executable, "-c", THINK_AND_FREE], capture_output=True, text=True, check=True
    )
    assert float(left.stdout) < 8, "MB that are left of trees of 24 MB"


THINK_AND_FREE = """
import threading, numpy, psutil
from lampion.server.play.threads import return_large_blocks

def think():
    for size in (2, 8, 24):  # malloc raises its limit whenever such a block is freed
        numpy.zeros(size << 20, numpy.uint8)[:] = 1
    kept.append(numpy.zeros(1000, numpy.uint8))

return_large_blocks()
kept = []
before = psutil.Process().memory_info().rss
for _ in range(8):
    thread = threading.Thread(target=think)
    thread.start()
    thread.join()
print((psutil.Process().memory_info().rss - before) / 2**20)
"""


def test_garbage_is_looked_for_in_small_pieces_and_never_among_what_the_start_has_made() -> None:
    left = subprocess.run(
        [sys.executable, "-c", COLLECT_RARELY], capture_output=True, text=True, check=True
    )
    frozen, young, older = map(int, left.stdout.split())
    assert frozen > 1000, "modules and classes are not walked through again"
    assert 10 <= young <= 16, "for fifteen thousand lists, a thousand at a time"
    assert older == 0, "what has survived is left alone; otherwise it would be walked through, too"


COLLECT_RARELY = """
import gc
from lampion.server.play.threads import collect_rarely

collect_rarely()
before = [generation["collections"] for generation in gc.get_stats()]
kept = [[number] for number in range(15_000)]
young, *older = [
    generation["collections"] - count
    for generation, count in zip(gc.get_stats(), before, strict=True)
]
print(gc.get_freeze_count(), young, sum(older))
"""
