"""The trail: what the last action did, in order, written by the rules themselves while they do it.

    events[k] = cause, player, what, x, y, count

    cause          why, which also says from where to where it goes; what the rest means is for it to say, in the game's `state.py`
    player         who gains, pays or is meant
    what           the piece: a color, a tile, a token
    x, y           where: a side, a square, or two coordinates
    count          how many; 0 where a rule gave nothing

Screens animate it and previews list it, so nobody has to work a rule out a second time. A trail is
public: a rule that notes something secret leaves the secret out. The fields are `transient`: they
tell about the last action, not about the position.
"""

from typing import Any, Protocol

from lampion.core.compile import rule
from lampion.core.record import ALL, array, scalar
from lampion.core.types import IntArray, Player

EVENT_WIDTH = 6


def trail(max_events: int) -> Any:
    """The field `events` of a state; `num_events` goes with it."""
    return array(max_events, EVENT_WIDTH, seen_by=ALL, transient=True)


def trail_length() -> Any:
    return scalar(seen_by=ALL, transient=True)


class HasTrail(Protocol):
    events: IntArray
    num_events: int


@rule(inline=True)
def clear_trail(state: HasTrail) -> None:
    state.num_events = 0


@rule(inline=True)
def note(
    state: HasTrail, cause: int, player: Player, what: int, x: int, y: int, count: int
) -> None:
    n = state.num_events
    state.events[n, 0] = cause
    state.events[n, 1] = player
    state.events[n, 2] = what
    state.events[n, 3] = x
    state.events[n, 4] = y
    state.events[n, 5] = count
    state.num_events = n + 1
