"""A match between two bots that ends as soon as it is decided: Wald's sequential probability ratio test.

How the scores of deals spread is not known beforehand, so both hypotheses say the mean alone, and each is given the distribution with
that mean under which the scores seen are most likely (the generalized test that chess engines are tuned with, on deals instead of
pairs of games). Taking the spread from a normal distribution instead decides far too soon when the first deals are all alike.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from lampion.arena.ratings import Matrix

UNSEEN = 1e-3
"""How often all lost and all won count as seen when they were not: without them no mean beyond the scores seen would be possible."""
PRECISE = 30
"""Steps of halving an interval, after which nothing changes that matters."""


class Verdict(NamedTuple):
    log_ratio: float
    lower: float
    upper: float
    is_stronger: bool | None
    """True, False, or None while it is open."""


def sequential_test(
    scores: list[float], elo_0: float = 0.0, elo_1: float = 30.0, error: float = 0.05
) -> Verdict:
    """Is the first bot rather `elo_1` or `elo_0` stronger than the second, by its mean score per deal (0 to 1, all seatings together)?

    Either error has a probability of about `error`.
    """
    bound = math.log((1 - error) / error)
    values, times = np.unique([0.0, 1.0, *scores], return_counts=True)
    counts = times.astype(np.float64)
    counts[[0, -1]] += UNSEEN - 1
    mean_0, mean_1 = (1 / (1 + 10 ** (-elo / 400)) for elo in (elo_0, elo_1))
    log_ratio = log_likelihood(values, counts, mean_1) - log_likelihood(values, counts, mean_0)
    return Verdict(log_ratio, -bound, bound, None if abs(log_ratio) < bound else log_ratio > 0)


def log_likelihood(values: Matrix, counts: Matrix, mean: float) -> float:
    """Of scores seen so often, under the distribution with this mean that makes them most likely.

    It gives each value the weight that it had, divided by 1 + tilt (value - mean); the tilt follows from the mean.
    """
    distances = values - mean
    low, high = -1 / distances[-1], -1 / distances[0]
    for _ in range(PRECISE):
        tilt = (low + high) / 2
        if np.sum(counts * distances / (1 + tilt * distances)) > 0:
            low = tilt
        else:
            high = tilt
    return float(np.sum(counts * np.log(counts / np.sum(counts) / (1 + tilt * distances))))
