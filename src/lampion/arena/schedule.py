"""Who plays whom: every deal is played in all seat permutations of its line-up, so luck and seat cancel out.

On a ladder, where the order of the bots is known, only those that stand next to each other meet, and a deal goes once round the
table: every bot sits in every seat, and more deals fit into the same time.

A job is one deal with one line-up: all its games, one after the other. It is the unit of work, of resuming and of resampling.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, count, cycle, islice, permutations
from typing import NamedTuple


class Job(NamedTuple):
    number: int
    deal: int
    """The seed of the deal."""
    seatings: tuple[tuple[int, ...], ...]
    """For each game, the bot in each seat, as its number in the list of bots."""


def line_ups(bots: int, players: int) -> list[tuple[int, ...]]:
    """The sets of bots that sit down together: all choices of as many as there are seats; fewer bots are repeated in turn."""
    if bots >= players:
        return list(combinations(range(bots), players))
    return [
        tuple(islice(cycle(range(bots)), start, start + players))
        for start in range(bots if players % bots else 1)
    ]


def seatings(line_up: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """All different orders of a line-up."""
    return tuple(sorted(set(permutations(line_up))))


def neighbors(bots: int, players: int) -> list[tuple[int, ...]]:
    """Line-ups of bots that stand next to each other in the list."""
    assert bots >= players, "a ladder has at least as many bots as seats"
    return [tuple(range(first, first + players)) for first in range(bots - players + 1)]


def rotations(line_up: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """A line-up moved round the table."""
    return tuple((*line_up[turn:], *line_up[:turn]) for turn in range(len(line_up)))


def jobs(bots: int, players: int, first_deal: int = 0, is_ladder: bool = False) -> Iterator[Job]:
    """Jobs for ever: each round gives a deal of its own to every line-up."""
    all_line_ups = neighbors(bots, players) if is_ladder else line_ups(bots, players)
    for number in count():
        turn, which = divmod(number, len(all_line_ups))
        line_up = all_line_ups[which]
        if is_ladder:
            # Upwards in one round, downwards in the next, so that nobody always sits behind a weaker bot.
            yield Job(
                number, first_deal + number, rotations(line_up if turn % 2 == 0 else line_up[::-1])
            )
        else:
            yield Job(number, first_deal + number, seatings(line_up))
