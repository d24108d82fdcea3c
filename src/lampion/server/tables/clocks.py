"""Clocks of the seats. Time is the server's only, and comes from the events of the log, so a
table read again has the same clocks."""

from __future__ import annotations

from collections.abc import Iterable

from lampion.server.wire import Clock, ClockFace, Days, NoClock, Pace

DAY_MS = 24 * 3600 * 1000

Span = tuple[int, int]
"""From a moment to the first one after it."""


class Clocks:
    """Time left for each seat, and since when it runs. A clock runs while its seat may act and a
    person plays it."""

    def __init__(self, pace: Pace, players: int) -> None:
        self.pace = pace
        self.left_ms = [_allowance(pace)] * players
        self._since: dict[int, int] = {}
        self._held: set[int] = set()
        """The clocks that a pause has stopped."""
        self.vacations: dict[int, list[Span]] = {}
        """When the clocks of seats stand still, in order; for a pace of days only."""

    def run(self, seats: Iterable[int], at_ms: int) -> None:
        """From now on exactly these clocks run; one that stops has its move paid and its
        increment added."""
        running = set(seats)
        for seat in set(self._since) - running:
            self._finish_move(seat, at_ms)
        for seat in running - set(self._since):
            self._since[seat] = at_ms

    def _finish_move(self, seat: int, at_ms: int) -> None:
        spent = max(0, at_ms - self._since.pop(seat))
        if isinstance(self.pace, Days):
            self.left_ms[seat] = _allowance(self.pace)
        elif isinstance(self.pace, Clock):
            self.left_ms[seat] = max(0, self.left_ms[seat] - spent) + 1000 * self.pace.increment

    def forgive(self, at_ms: int, away_ms: int | None = None) -> None:
        """The server was away for so long (None: since the last move): nobody pays for that."""
        for seat, since in self._since.items():
            self._since[seat] = at_ms if away_ms is None else min(at_ms, since + away_ms)

    def hold(self, at_ms: int) -> None:
        """The game is paused: no clock runs, and no move is over."""
        for seat in self._since:
            self.left_ms[seat] = max(0, self.left(seat, at_ms))
        self._held = set(self._since)
        self._since.clear()

    def release(self, at_ms: int) -> None:
        """The game resumes where it was paused."""
        self._since = dict.fromkeys(self._held, at_ms)
        self._held = set()

    def left(self, seat: int, now_ms: int) -> int:
        since = self._since.get(seat, now_ms)
        still = sum(
            max(0, min(end, now_ms) - max(start, since))
            for start, end in self.vacations.get(seat, ())
        )
        return self.left_ms[seat] - max(0, now_ms - since - still)

    def due(self, seat: int) -> int | None:
        """When the clock of a seat will be at zero; None if it does not run."""
        since = self._since.get(seat)
        if since is None or isinstance(self.pace, NoClock):
            return None
        due = since + self.left_ms[seat]
        for start, end in self.vacations.get(seat, ()):
            if end > since and max(start, since) < due:
                due += end - max(start, since)
        return due

    def since(self, seat: int) -> int:
        """When the running clock of a seat was started."""
        return self._since[seat]

    def next_due(self) -> tuple[int, int] | None:
        """When the first running clock will be at zero, and whose it is."""
        dues = ((due, seat) for seat in self._since if (due := self.due(seat)) is not None)
        return min(dues, default=None)

    def due_at(self, due_ms: int) -> list[int]:
        """Whose clocks are at zero at that very moment: where all act at once, several may be."""
        return sorted(seat for seat in self._since if self.due(seat) == due_ms)

    def faces(self, now_ms: int) -> list[ClockFace]:
        if isinstance(self.pace, NoClock):
            return []
        return [
            ClockFace(seat, max(0, self.left(seat, now_ms)), self._runs(seat, now_ms))
            for seat in range(len(self.left_ms))
        ]

    def _runs(self, seat: int, now_ms: int) -> bool:
        on_vacation = any(start <= now_ms < end for start, end in self.vacations.get(seat, ()))
        return seat in self._since and not on_vacation


def _allowance(pace: Pace) -> int:
    match pace:
        case Clock(seconds=seconds):
            return 1000 * seconds
        case Days(days=days):
            return DAY_MS * days
    return 0
