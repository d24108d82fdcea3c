"""Work in Python that takes long, such as replaying a record or drawing a picture, is done by other
processes.

In a thread it would hold the lock of the interpreter: the event loop would wait for it whenever it
has something to do, five milliseconds on a free machine and many more on a busy one. Bots are
different: they think in compiled code, which holds no lock (see `threads`).

A worker is started when it is needed, serves one question at a time, and ends when nobody has needed
it for a while. How many there are is for the scheduler to say.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from lampion.core.errors import LampionError
from lampion.server.errors import TooMany
from lampion.server.play.threads import in_thread
from lampion.server.play.worker import MOST_SECONDS, read_frame, write_frame

log = logging.getLogger("lampion.workers")
IDLE_SECONDS = 120.0
SECONDS_TO_END = 5.0
"""Without a tracer it ends at once, unless it has been stopped."""


class Worker:
    """One other process."""

    def __init__(self, most_seconds: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "lampion.server.play.worker", str(most_seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # the log of the server has a format; failures come back as answers
        )
        self.used = time.monotonic()

    def ask(self, question: bytes) -> bytes:
        """Waits for the answer; for a thread. EOFError or OSError if the process has ended."""
        assert self._process.stdin and self._process.stdout, "both are pipes"
        write_frame(self._process.stdin, question)  # type: ignore[arg-type]
        return read_frame(self._process.stdout)  # type: ignore[arg-type]

    def end(self) -> int:
        """End it, whatever it does; returns its exit code.

        Asked first, so that a profiler or a tracer in there can write down what it has seen.
        """
        self._process.terminate()
        try:
            code = self._process.wait(SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe, "both are pipes"
            pipe.close()
        return code


class Workers:
    """Each piece of work may take so many seconds of processor time."""

    def __init__(self, most_seconds: int = MOST_SECONDS) -> None:
        self._most_seconds = most_seconds
        self._idle: list[Worker] = []
        self._busy: set[Worker] = set()

    async def do(self, function: Callable[..., Any], *args: Any) -> bytes:
        """What a function of a module returns (JSON, unless it returns bytes) or raises, in another
        process."""
        question = pickle.dumps((function, args))
        worker = self._idle.pop() if self._idle else await self._new()
        self._busy.add(worker)
        try:
            answer = await in_thread(worker.ask, question, steps_back=False)
        except (EOFError, OSError) as ended:
            raise _why_ended(worker.end()) from ended
        except BaseException:
            worker.end()
            raise
        finally:
            self._busy.discard(worker)
        worker.used = time.monotonic()
        self._idle.append(worker)
        has_worked, found = pickle.loads(answer)
        if not has_worked:
            raise found
        return bytes(found)

    async def _new(self) -> Worker:
        try:
            return await in_thread(Worker, self._most_seconds)
        except OSError as error:
            log.error("no worker can be started", extra={"problem": str(error)})
            raise _busy() from error

    def end_idle(self) -> None:
        """Give the memory of workers back that nobody has needed for a while."""
        now = time.monotonic()
        for worker in [worker for worker in self._idle if now - worker.used > IDLE_SECONDS]:
            self._idle.remove(worker)
            worker.end()

    async def close(self) -> None:
        """End all of them; waiting callers are refused."""
        for worker in [*self._idle, *self._busy]:
            await asyncio.to_thread(worker.end)
        self._idle.clear()


def _why_ended(code: int) -> LampionError:
    if sys.platform != "win32" and code == -signal.SIGXCPU:
        return LampionError(
            "this record takes too long to look at", code="too-large", where="record"
        )
    log.error("a worker has ended", extra={"exit_code": code})
    return _busy()


def _busy() -> TooMany:
    return TooMany("the server is busy; try again in a moment", code="busy", seconds=5)
