"""The test that ends a match early: how often it errs, and what it makes of a few deals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lampion.arena.sequential import sequential_test
from tests.support import IS_NIGHT

RUNS, MOST_WRONG = (150, 19) if IS_NIGHT else (50, 8)
"""With 5 % error, more wrong verdicts have a chance under one in five hundred."""
AT_ONCE = 4
"""Deals that end between two looks at the scores, as with a few of them under way."""
ALIKE = 0.3
"""How often both games of a deal have the same winner, besides by chance."""


def played(win: float, chooser: np.random.Generator) -> float:
    """The score of a deal of two games."""
    first, second = chooser.random() < win, chooser.random() < win
    return float(first + (first if chooser.random() < ALIKE else second)) / 2


@pytest.mark.parametrize("truth", [0, 1])
@pytest.mark.parametrize("hypotheses", [(0.0, 60.0), (0.0, 107.0), (0.0, 147.0), (241.0, 512.0)])
def test_it_errs_as_rarely_as_it_says(hypotheses: tuple[float, float], truth: int) -> None:
    wrong, win = 0, 1 / (1 + 10 ** (-hypotheses[truth] / 400))
    for seed in range(RUNS):
        chooser, scores = np.random.default_rng(seed), list[float]()
        while (verdict := sequential_test(scores, *hypotheses)).is_stronger is None:
            scores.extend(played(win, chooser) for _ in range(AT_ONCE))
        wrong += verdict.is_stronger != bool(truth)
    assert wrong <= MOST_WRONG, f"{wrong} of {RUNS}"


def test_a_few_deals_that_are_all_won_decide_nothing() -> None:
    """Each counts as one win: with 50 and 70 percent to choose from, the ratio of likelihoods grows by 7/5 and has to reach 19."""
    elo_1 = 400 * math.log10(0.7 / 0.3)
    assert sequential_test([1.0] * 8, 0.0, elo_1).is_stronger is None
    assert sequential_test([1.0] * 9, 0.0, elo_1).is_stronger is True
    assert sequential_test([1.0] * 8, 0.0, elo_1).log_ratio == pytest.approx(
        8 * math.log(1.4), abs=0.02
    )


def test_nothing_played_is_nothing_known() -> None:
    assert sequential_test([]).is_stronger is None
    assert sequential_test([]).log_ratio == pytest.approx(0, abs=0.01)
