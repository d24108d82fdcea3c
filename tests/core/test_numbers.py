"""The functions of floats that give the same bits everywhere are as good as those of a library."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lampion.core import numbers


@settings(max_examples=500, deadline=None)
@given(st.floats(-60, 60), st.floats(1, 1e9))
def test_exponentials_and_logarithms_are_as_good_as_a_float_is(x: float, large: float) -> None:
    assert numbers.tanh(x) == pytest.approx(math.tanh(x), abs=3e-16)
    assert numbers.sigmoid(x) == pytest.approx(1 / (1 + math.exp(-x)), rel=1e-15, abs=1e-17)
    assert numbers.log(large) == pytest.approx(math.log(large), rel=4e-16, abs=1e-16)
    assert numbers.tanh(-x) == -numbers.tanh(x)
