"""The time of the server: milliseconds since 1970 that never run backwards or jump while a
process lives."""

from __future__ import annotations

import time


class Clock:
    """Wall time at the start of the process, plus the monotonic time since.

    If an operator or a time daemon sets the machine's clock, players' clocks must not notice.
    """

    def __init__(self) -> None:
        self._start_ms = time.time_ns() // 1_000_000 - time.monotonic_ns() // 1_000_000

    def now_ms(self) -> int:
        return self._start_ms + time.monotonic_ns() // 1_000_000

    def at_least(self, ms: int) -> None:
        """Start no earlier than what is already stored: the machine's clock may have been set back
        while no server ran."""
        self._start_ms += max(0, ms - self.now_ms())
