"""The table that `make nightly-server` writes tells what held, and goes on after a failure."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import nightly

GOOD = "print('warming up'); print('held    p50 is 1 ms (at most 2 ms)')"
BAD = "print('held    no loss'); print('FAILED  p99 | all is 40 ms'); raise SystemExit(1)"
PLAIN = "print('a'); print('b'); print('c'); print('d')"


def test_every_benchmark_has_a_row_and_one_failure_fails_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    scripts = {"bad": BAD, "good": GOOD, "plain": PLAIN}
    for name, text in scripts.items():
        (tmp_path / f"night_{name}.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setattr(nightly, "BENCHMARKS", {name: [f"night_{name}"] for name in scripts})
    monkeypatch.setattr(sys, "argv", ["nightly", "--out", str(tmp_path / "out")])
    with pytest.raises(SystemExit) as ended:
        nightly.main()
    assert ended.value.code == 1
    table = (tmp_path / "out" / "table.md").read_text()
    bad, good, plain = table.splitlines()[-3:]
    assert "**failed**" in bad and "held    no loss<br>FAILED  p99 \\| all" in bad
    assert "held" in good and "1 ms" in good and "warming" not in good
    assert "b<br>c<br>d" in plain
    assert (tmp_path / "out" / "plain.txt").read_text() == "a\nb\nc\nd\n"
