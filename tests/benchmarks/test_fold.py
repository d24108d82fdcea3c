"""The long check of events: it resumes from its file and reports what differs."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from benchmarks import fold


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["fold", *words])
    with pytest.raises(SystemExit) as stopped:
        fold.main()
    return int(stopped.value.code or 0)


def test_a_run_resumes_from_its_file_and_reports_differences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "fold.jsonl"
    words = ("--cases", "leduc-2p", "--out", str(out), "--games")
    assert run(monkeypatch, *words, "10") == 0
    assert run(monkeypatch, *words, "20") == 0
    assert [one.first for one in fold.read(out)] == [0, 10], "each game is checked once"
    assert "20 games" in capsys.readouterr().out

    def differs(game: str, players: int, number: int) -> int:
        assert number != 23, "a difference"
        return 1

    monkeypatch.setattr(fold, "play", differs)
    assert run(monkeypatch, *words, "30") == 1
    assert "leduc-2p:23" in capsys.readouterr().err

    monkeypatch.setattr(fold, "sources", lambda: "others")
    assert fold.read(out) == [], "games checked with other sources do not count"
