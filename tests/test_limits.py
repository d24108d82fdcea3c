"""A benchmark that misses a limit says so and exits with 1."""

from __future__ import annotations

import math

import pytest

from benchmarks.limits import Limit, judge


def test_limits_that_hold_are_silent(capsys: pytest.CaptureFixture[str]) -> None:
    judge([Limit("speed", 2.0, least=1.8), Limit("time", 20.0, most=20.0)])
    assert capsys.readouterr().err == ""


def test_every_limit_that_is_missed_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = [
        Limit("speed", 1.7, least=1.8),
        Limit("time", 20.1, most=20),
        Limit("bytes", 3, most=4),
    ]
    with pytest.raises(SystemExit) as ended:
        judge(wrong)
    assert ended.value.code == 1
    told = capsys.readouterr().err
    assert "speed: 1.7, at least 1.8 is wanted" in told
    assert "time: 20.1, at most 20 is wanted" in told
    assert "bytes" not in told


@pytest.mark.parametrize("limit", [{"least": 1.0}, {"most": 1.0}])
def test_what_was_not_measured_does_not_hold(limit: dict[str, float]) -> None:
    assert Limit("speed", math.nan, **limit).is_missed
