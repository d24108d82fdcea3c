"""Sets as the bits of one number: which bit is set is told by a remainder.

    lowest = bits & -bits                     the lowest element, as a set
    TABLE[lowest % BIT_MODULUS]               what belongs to that element
    bits ^= lowest                            the others

A table of `BIT_MODULUS` entries takes the place of a loop over 64 bits, and one look the place of
two where what belongs to an element is something else than its number.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lampion.core.types import IntArray

BIT_MODULUS = 67
"""A prime by which the powers of two below 2**66 all leave different remainders."""


def by_remainder(values: Sequence[int]) -> IntArray:
    """The table that holds `values[bit]` at the remainder of `1 << bit`."""
    table = np.zeros(BIT_MODULUS, np.int32)
    for bit, value in enumerate(values):
        table[(1 << bit) % BIT_MODULUS] = value
    return table
