"""The command behind the ladder: what it plays, and whether that comes out the same again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lampion.arena.run import Contest, Head, ResultFile, play_job, read_results, write_results
from lampion.bots.levels import LEVELS, level_bot
from lampion.core.errors import InvalidOptions
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


def restamp(file: ResultFile, **changed: object) -> Head:
    """Write the file as if other bots had played it."""
    head = replace(file.head, **changed)  # type: ignore[arg-type]
    write_results(file.path, head, file.results)
    return head


def test_results_of_other_sources_are_checked_before_more_are_played(file: ResultFile) -> None:
    restamp(file, sources="edited")
    with pytest.raises(InvalidOptions, match="other sources of rules or bots"):
        ladder.play("lumens", 2, deals=2, jobs=1)
    assert ladder.check("lumens", 2, deals=1, jobs=1, forget=False)
    assert read_results(file.path)[0].sources == "edited", "a check changes nothing"
    assert ladder.check("lumens", 2, deals=1, jobs=1, forget=True)
    assert ResultFile(file.path, FEW).done == file.done


def test_results_of_a_level_tuned_again_are_refused_and_forgotten_on_request(
    file: ResultFile,
) -> None:
    restamp(file, specs=("random", "human:glance=0.1", "greedy"))
    with pytest.raises(InvalidOptions, match=r"novice was human:glance=0.1, not human"):
        ladder.check("lumens", 2, deals=1, jobs=1, forget=False)
    assert ladder.check("lumens", 2, deals=1, jobs=1, forget=True)
    assert ResultFile(file.path, FEW).done == set()


def test_line_ups_without_the_level_tuned_again_are_kept(file: ResultFile) -> None:
    restamp(file, specs=("greedy", *FEW.specs[1:]))
    assert ladder.check("lumens", 2, deals=2, jobs=1, forget=True)
    assert ResultFile(file.path, FEW).done == {number for number in file.done if number % 2 == 1}


def test_a_file_that_does_not_say_who_played_is_refused(file: ResultFile) -> None:
    lines = file.path.read_text().splitlines()
    old = json.loads(lines[0])
    del old["specs"], old["sources"], old["rules"]
    file.path.write_text("\n".join([json.dumps(old), *lines[1:], ""]))
    with pytest.raises(InvalidOptions, match="which bots were behind the names"):
        ladder.check("lumens", 2, deals=1, jobs=1, forget=True)


# --- what is stored -------------------------------------------------------------------------------

STORED = sorted(ladder.FOLDER.glob("*.jsonl"))


@pytest.mark.parametrize("path", STORED, ids=[path.stem for path in STORED])
def test_stored_results_are_those_of_the_levels_of_today(path: Path) -> None:
    game, _, players = path.stem.rpartition("-")
    found, page = ladder.Found(game, int(players)), ladder.PAGE.read_text()
    assert found.is_complete
    assert f"{players} players, {len(found.results)} deals" in page
    for level in LEVELS[:-1]:
        assert f"| {level.name} | `{level_bot(level.name, game)}` |" in page
    line_up = ladder.contest(game, int(players))
    lowest = min(found.results, key=lambda result: result.number)
    again = play_job(line_up, next(line_up.jobs()))
    assert lowest.number == again.number == 0
    assert (again.games, again.scores) == (lowest.games, lowest.scores), (
        "today's bots play otherwise: python -m scripts.ladder --check 2 --forget, then make ladder"
    )


def test_every_game_has_a_table_for_two_players() -> None:
    assert {path.stem for path in STORED} >= {"lanterns-2", "lanterns_dice-2", "lumens-2"}
