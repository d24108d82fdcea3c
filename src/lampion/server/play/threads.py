"""Thinking happens in threads that step back: what answers people runs before what thinks."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import gc
import os
import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

NICENESS = 10
"""Of 19: on a full machine a thread that thinks gets a tenth of what the event loop gets."""

M_MMAP_THRESHOLD = -3
"""Of `mallopt` in glibc."""
LARGE_BLOCK = 1 << 20

COLLECT_AFTER = (1_000, 20, 2_000)
"""Containers more than there were, and how often each generation is left out. The first number is
small because everybody waits while these are looked through: 20,000 take up to 100 ms."""

T = TypeVar("T")


def return_large_blocks() -> None:
    """Give the tree of a search back to the system as soon as it is freed. By itself glibc keeps
    blocks of up to 32 MB, in every thread that ever thought."""
    with contextlib.suppress(AttributeError):  # another C library has no such habit
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)


def collect_rarely() -> None:
    """Look for cycles of garbage less often. A move makes thousands of small objects, which die
    without the collector; by itself it would now and then walk through all tables in memory while
    everybody waits."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def step_back() -> None:
    """Lower the priority of this thread. Only Linux gives a thread one of its own."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        now = os.getpriority(os.PRIO_PROCESS, thread)
        os.setpriority(os.PRIO_PROCESS, thread, max(now, NICENESS))


async def in_thread(function: Callable[..., T], *args: Any, steps_back: bool = True) -> T:
    """What the function returns or raises. Its thread dies with the process: one that hangs must
    not keep the server from stopping. One that only waits need not step back."""
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[T] = loop.create_future()

    def tell(result: T | None, error: BaseException | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(result)  # type: ignore[arg-type]

    def work() -> None:
        if steps_back:
            step_back()
        try:
            result, error = function(*args), None
        except Exception as failure:
            result, error = None, failure
        if not loop.is_closed():
            loop.call_soon_threadsafe(tell, result, error)

    name = f"thinks: {function.__qualname__}"
    threading.Thread(target=work, name=name, daemon=True).start()
    return await answer
