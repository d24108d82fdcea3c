"""Clocks of the seats. Time is the server's only, and comes from the events of the log, so a
table read again has the same clocks."""

from __future__ import annotations

from collections.abc import Iterable

from lampion.server.wire import Clock, ClockFace, Days, NoClock, Pace

DAY_MS = 24 * 3600 * 1000


class Clocks:
    """Time left for each seat, and since when it runs. A clock runs while its seat may act and a
    person plays it."""

    def __init__(self, pace: Pace, players: int) -> None:
        self.pace = pace
        self.left_ms = [_allowance(pace)] * players
        self._since: dict[int, int] = {}

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

    def left(self, seat: int, now_ms: int) -> int:
        return self.left_ms[seat] - max(0, now_ms - self._since.get(seat, now_ms))

    def since(self, seat: int) -> int:
        """When the running clock of a seat was started."""
        return self._since[seat]

    def next_due(self) -> tuple[int, int] | None:
        """When the first running clock will be at zero, and whose it is."""
        if isinstance(self.pace, NoClock):
            return None
        return min(
            ((since + self.left_ms[seat], seat) for seat, since in self._since.items()),
            default=None,
        )

    def due_at(self, due_ms: int) -> list[int]:
        """Whose clocks are at zero at that very moment: where all act at once, several may be."""
        return sorted(
            seat for seat, since in self._since.items() if since + self.left_ms[seat] == due_ms
        )

    def faces(self, now_ms: int) -> list[ClockFace]:
        if isinstance(self.pace, NoClock):
            return []
        return [
            ClockFace(seat, max(0, self.left(seat, now_ms)), seat in self._since)
            for seat in range(len(self.left_ms))
        ]


def _allowance(pace: Pace) -> int:
    match pace:
        case Clock(seconds=seconds):
            return 1000 * seconds
        case Days(days=days):
            return DAY_MS * days
    return 0
