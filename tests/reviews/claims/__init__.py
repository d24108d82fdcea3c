"""What the oracles say about the claims of the coach.

A module for each game has `CHECKS`: for every kind of reason a function that looks at the same
three positions in the oracle and says whether the sentence is true, numbers and names included.
Like the oracles, these modules import nothing from `lampion`.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Claim(NamedTuple):
    """What is claimed: the position before, after what was played, and after the better action."""

    seat: int
    played: str
    best: str
    before: Any
    after: Any
    better: Any
    values: Mapping[str, Any]


Check = Callable[[Claim], bool]


def branch(oracle: Any, seat: int, text: str) -> Any:
    """The position after an action, in a copy."""
    after = copy.deepcopy(oracle)
    after.apply(seat, text)
    return after
