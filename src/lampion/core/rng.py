"""The generator of playouts: splitmix64, one number of state, the same
stream compiled and uncompiled.

It is for simulations and bots, where speed counts. Dealing cards to people is the
business of `core.fairness`.
"""

import numpy as np

from lampion.core.compile import rule
from lampion.core.types import Rng

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_30, _SHIFT_27, _SHIFT_31, _SHIFT_32 = (
    np.uint64(30),
    np.uint64(27),
    np.uint64(31),
    np.uint64(32),
)


def new_rng(seed: int) -> Rng:
    return np.array([seed % 2**64], np.uint64)


@rule(wraps_around=True)
def next_random(rng: Rng) -> np.uint64:
    rng[0] += _GOLDEN
    z = rng[0]
    z = (z ^ (z >> _SHIFT_30)) * _MIX_1
    z = (z ^ (z >> _SHIFT_27)) * _MIX_2
    return z ^ (z >> _SHIFT_31)


@rule
def random_below(rng: Rng, limit: int) -> int:
    """A number 0 <= n < limit: the high half of 32 random bits times the limit; the bias
    is below one in a million."""
    return int(((next_random(rng) >> _SHIFT_32) * np.uint64(limit)) >> _SHIFT_32)
