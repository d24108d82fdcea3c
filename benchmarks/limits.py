"""What the figures of a benchmark must hold to: a limit that is missed makes it exit with 1."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import NamedTuple


class Limit(NamedTuple):
    """A figure and the least or the most that it may be."""

    name: str
    value: float
    least: float | None = None
    most: float | None = None

    @property
    def is_missed(self) -> bool:
        """Also where nothing was measured: no comparison with NaN holds."""
        enough = self.least is None or self.value >= self.least
        return not (enough and (self.most is None or self.value <= self.most))

    def __str__(self) -> str:
        wanted = f"at least {self.least:g}" if self.most is None else f"at most {self.most:g}"
        return f"{self.name}: {self.value:.3g}, {wanted} is wanted"


def judge(limits: Iterable[Limit]) -> None:
    """Name every limit that is missed, and end the program if there is one."""
    if missed := [limit for limit in limits if limit.is_missed]:
        print("\n".join(f"missed: {limit}" for limit in missed), file=sys.stderr)
        sys.exit(1)
