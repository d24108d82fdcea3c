"""Functions of floats that give the same bits everywhere: as C, as WebAssembly, as plain Python.

Every machine adds, multiplies, divides and takes square roots alike, down to the last bit. For
logarithms and exponentials each library has a last digit of its own, and a search that compares two
moves may turn on it. So these are written out in operations that are alike, with the usual series;
they are as good as a float is, give or take its last digit.
"""

from __future__ import annotations

import numpy as np

from lampion.core.compile import rule

FARTHEST = 40.0
"""Beyond this, in either direction, an exponential makes no difference to a sigmoid."""
HALVINGS = np.array([2.0**-32, 2.0**-16, 2.0**-8, 2.0**-4, 2.0**-2, 2.0**-1])
DOUBLINGS = np.array([32, 16, 8, 4, 2, 1])
MIDDLE_POWER = 64
POWERS_OF_TWO = np.array([2.0**k for k in range(-MIDDLE_POWER, MIDDLE_POWER + 1)])
LN_2 = 0.6931471805599453
LN_2_HIGH, LN_2_LOW = 0.693147180369123816490, 1.90821492927058770002e-10
"""The logarithm of 2 in two parts: the first has zeros at its end, so that small
multiples of it are exact."""
LOG_2_E = 1.4426950408889634
SQUARE_ROOT_OF_2 = 1.4142135623730951


@rule
def log(x: float) -> float:
    """The natural logarithm of a number that is at least 1."""
    power = 0
    for k in range(len(HALVINGS)):
        if x * HALVINGS[k] >= 1.0:
            x *= HALVINGS[k]
            power += DOUBLINGS[k]
    if x > SQUARE_ROOT_OF_2:
        x *= 0.5
        power += 1
    s = (x - 1.0) / (x + 1.0)
    square = s * s
    total = 0.0
    for k in range(11, 0, -1):
        total = (total + 1.0 / (2 * k + 1)) * square
    return power * LN_2 + 2.0 * s * (1.0 + total)


@rule
def exp(x: float) -> float:
    """The exponential of a number from -40 to 40; further out, that of the nearest of these."""
    x = max(-FARTHEST, min(FARTHEST, x))
    power = int(x * LOG_2_E + (0.5 if x >= 0.0 else -0.5))
    high, low = x - power * LN_2_HIGH, power * LN_2_LOW
    rest = high - low
    t = rest * rest
    c = rest - t * (
        0.16666666666666602
        + t
        * (
            -0.0027777777777015593
            + t
            * (6.613756321437934e-05 + t * (-1.6533902205465252e-06 + t * 4.1381367970572385e-08))
        )
    )
    y = 1.0 - ((low - (rest * c) / (2.0 - c)) - high)
    return y * POWERS_OF_TWO[MIDDLE_POWER + power]


@rule
def sigmoid(x: float) -> float:
    """0 to 1: 1 / (1 + exp(-x))."""
    return 1.0 / (1.0 + exp(-x))


@rule
def tanh(x: float) -> float:
    """-1 to 1, and the same on both sides of 0 but for the sign."""
    size = 1.0 - 2.0 / (1.0 + exp(2.0 * max(x, -x)))
    return size if x >= 0.0 else -size
