"""Who plays whom: every deal is played in all seat permutations of its line-up, so luck and seat cancel out.

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
    return [tuple(islice(cycle(range(bots)), start, start + players)) for start in range(bots if players % bots else 1)]


def seatings(line_up: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """All different orders of a line-up."""
    return tuple(sorted(set(permutations(line_up))))


def jobs(bots: int, players: int, first_deal: int = 0) -> Iterator[Job]:
    """Jobs for ever: each round gives a deal of its own to every line-up."""
    all_line_ups = line_ups(bots, players)
    for number in count():
        yield Job(number, first_deal + number, seatings(all_line_ups[number % len(all_line_ups)]))
