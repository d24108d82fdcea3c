"""The command behind the ladder: what it plays, and whether that comes out the same again."""

from __future__ import annotations

from pathlib import Path

import pytest

from lampion.arena.run import Contest, ResultFile
from lampion.bots.levels import LEVELS
from scripts import ladder

FEW = Contest("lumens", 2, ("random", "novice", "greedy"), is_ladder=True)


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ResultFile:
    """One deal of the upper line-up and four of the lower, played."""
    monkeypatch.setattr(ladder, "FOLDER", tmp_path)
    monkeypatch.setattr(ladder, "contest", lambda game, players: FEW)
    ladder.play("lumens", 2, deals=1, jobs=1)
    return ResultFile(tmp_path / "lumens-2.jsonl", FEW)


def test_every_level_stands_on_the_ladder_of_every_game() -> None:
    for game in ("lanterns", "lanterns_dice", "lumens"):
        bots = ladder.contest(game, 2).bots
        assert bots[:-1] == tuple(level.name for level in LEVELS[:-1])
        assert bots[-1].startswith("search:")


def test_the_upper_line_up_plays_fewer_deals(file: ResultFile) -> None:
    assert file.done == {0, 1, 2, 4, 6}


def test_a_ladder_comes_out_the_same_again(file: ResultFile) -> None:
    before = file.path.read_text()
    assert ladder.check("lumens", 2, deals=2, jobs=1, forget=True)
    assert file.path.read_text() == before


def test_line_ups_that_come_out_otherwise_are_forgotten_on_request(file: ResultFile) -> None:
    changed = next(result for result in file.results if result.number == 0)
    changed.scores[0][0] += 1
    file.keep(file.results)
    assert not ladder.check("lumens", 2, deals=1, jobs=1, forget=False)
    assert ResultFile(file.path, FEW).done == file.done
    assert not ladder.check("lumens", 2, deals=1, jobs=1, forget=True)
    assert ResultFile(file.path, FEW).done == {1}
