"""The benchmark of compiled rules judges by ratios to another checkout."""

from __future__ import annotations

import pytest

from benchmarks.compiled import BATCH, LEAST, MEASURE, RANDOM, SEARCH, Figure, limits
from benchmarks.limits import judge


def figures(random: float | None, search: float | None, batch: float | None) -> dict[str, Figure]:
    ratios = {RANDOM: random, SEARCH: search, BATCH: batch, "calls of a door/s": 0.1}
    return {name: Figure(1000.0, ratio) for name, ratio in ratios.items()}


def test_ratios_that_were_promised_are_enough() -> None:
    judge(limits({"my_game": figures(1.0, 1.3, 1.2)}))


@pytest.mark.parametrize("ratios", [(0.99, 2.0, 2.0), (2.0, 1.29, 2.0), (2.0, 2.0, 1.19)])
def test_a_ratio_below_is_named_and_ends_the_program(
    ratios: tuple[float, float, float], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        judge(limits({"good": figures(2.0, 2.0, 2.0), "my_game": figures(*ratios)}))
    said = capsys.readouterr().err
    assert said.count("missed: my_game: ") == 1 and "good" not in said


def test_without_another_checkout_nothing_is_judged() -> None:
    assert limits({"my_game": figures(None, None, None)}) == []


def test_what_is_judged_is_measured() -> None:
    assert all(f'"{name}":' in MEASURE for name in LEAST)
