"""Servers that start in no time: forked from a process that has imported everything once.

Each is a process of its own all the same, with `lampion serve` in it, and can be killed like one.
Starting Python again for each would cost more than a second of CPU, hundreds of times.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from pathlib import Path

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["tests.server.preloaded", __name__])


class Forked:
    """The part of `subprocess.Popen` that tests need."""

    def __init__(self, words: list[str], output: Path) -> None:
        self._process = _context.Process(target=_serve, args=(words, str(output)), daemon=True)
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, kind: signal.Signals) -> None:
        os.kill(self.pid, kind)

    def wait(self, seconds: float) -> int:
        self._process.join(seconds)
        assert self._process.exitcode is not None, f"still running after {seconds} s"
        return self._process.exitcode


def _serve(words: list[str], output: str) -> None:
    to = os.open(output, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(to, 1)
    os.dup2(to, 2)
    os.close(to)
    from lampion.cli.main import main  # here, so that reading this module costs nothing

    main(words)
