"""Sets as the bits of one number."""

from __future__ import annotations

from lampion.core.bits import BIT_MODULUS, by_remainder


def test_a_remainder_tells_which_bit_of_a_number_is_set() -> None:
    assert len({(1 << bit) % BIT_MODULUS for bit in range(66)}) == 66


def test_a_table_by_remainders_walks_through_a_set_in_ascending_order() -> None:
    table = by_remainder([bit * bit for bit in range(63)])
    bits, found = 1 << 62 | 1 << 40 | 1 << 1 | 1, []
    while bits:
        lowest = bits & -bits
        found.append(table[lowest % BIT_MODULUS])
        bits ^= lowest
    assert found == [0, 1, 1600, 3844]
