"""The open data set: the same bytes on every run, ledgers that add up in the file, and the sample in docs/dataset."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import lampion
from lampion.cli.main import main
from lampion.core.replay import match_from_record
from lampion.research import load_games
from lampion.research.files import read_games, write_games
from lampion.research.selfplay import SelfPlay
from lampion.research.shards import check_hashes, read_manifest
from lampion.reviews.dataset import TOLERANCE, DataSet, Graded, columns, num_files, regrets
from lampion.reviews.judging import Care
from tests.support import ALL_GAMES, GAMES

ANY = GAMES[0]
SAMPLE = Path(__file__).parent.parent.parent / "docs" / "dataset"
MOST_BYTES = 1_500_000
every_game = pytest.mark.parametrize("game", ALL_GAMES)


def run(*words: object) -> Result:
    return CliRunner().invoke(main, ["dataset", *(str(word) for word in words)])


def written(game: str, out: Path, *words: object) -> str:
    bots = ("--bots", "greedy", "--bots", "search:12", "--bots", "random")
    done = run(game, "--games", 3, "--shards", 2, "--jobs", 1, "--out", out, *bots, *words)
    assert done.exit_code == 0, done.output
    return done.output


@every_game
def test_the_same_command_gives_the_same_hashes(game: str, tmp_path: Path) -> None:
    """The second run was interrupted: one of its files is missing."""
    first, second = tmp_path / "first", tmp_path / "second"
    least = "--players", lampion.find_game(game).NUM_PLAYERS[0]
    for folder in (first, second):
        written(game, folder, *least)
    whole = read_manifest(first)
    (second / whole.files[0].name).unlink()
    assert "2 were there before" in written(game, second, *least)
    assert read_manifest(second) == whole
    assert check_hashes(first) == check_hashes(second) == []
    rows_add_up(first)
    arrays_agree_with_the_file(first)


def rows(folder: Path) -> list[dict[str, Any]]:
    from pyarrow import parquet

    return [row for path in sorted(folder.glob("*.parquet")) for row in parquet.read_table(path).to_pylist()]  # fmt: skip


def rows_add_up(folder: Path) -> None:
    for row in rows(folder):
        for unit in ("ledger", "ledger_points"):
            ledger = np.array(row[unit])
            assert np.abs(ledger[:, :-1].sum(axis=1) - ledger[:, -1]).max() < TOLERANCE
        _, deal, draws, own, others, _, _ = np.array(row["ledger"]).T
        luck, change = (np.array(row[name]) for name in ("luck", "change"))
        if len(luck):
            assert luck.sum(axis=0) == pytest.approx(deal + draws, abs=1e-4)
        assert change.sum(axis=0) == pytest.approx(own + others, abs=1e-4)
        assert len(luck) == row["actors"].count(-1), "one for each outcome of chance"
        assert len(change) == len(row["regret"]) == len(row["regret_error"])


def arrays_agree_with_the_file(folder: Path) -> None:
    """The luck that is left at a player's first decision of a game without a second deal is that of its draws."""
    told = rows(folder)
    for decisions in load_games(folder):
        for game in set(decisions.games.tolist()):
            first = int(np.flatnonzero(decisions.games == game)[0])
            draws = told[game]["ledger"][decisions.seats[first]][2]
            assert decisions.luck[first] == pytest.approx(2 * draws, abs=1e-4)
            wanted = np.array(told[game]["regret"], np.float32)
            np.testing.assert_array_equal(decisions.regrets[decisions.games == game], wanted)


def test_files_of_self_play_say_nothing_of_luck(tmp_path: Path) -> None:
    write_games(tmp_path / "games.parquet", [SelfPlay(ANY, 2, ("random",)).play(0)])
    (decisions,) = load_games(tmp_path / "games.parquet")
    assert np.isnan(decisions.luck).all() and np.isnan(decisions.regrets).all()


def test_a_file_that_tells_luck_of_some_entries_only_is_refused(tmp_path: Path) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    written("kuhn", tmp_path / "games")
    path = next((tmp_path / "games").glob("*.parquet"))
    table = parquet.read_table(path)
    row = table.to_pylist()[0]
    row["luck"].pop()
    parquet.write_table(pa.Table.from_pylist([row], table.schema), tmp_path / "cut.parquet")
    with pytest.raises(lampion.InvalidRecord, match="luck and regret of every entry"):
        list(load_games(tmp_path / "cut.parquet"))


def test_runs_are_cut_so_that_every_process_has_work() -> None:
    assert [num_files(games) for games in (1, 5, 1000, 100_000)] == [1, 5, 32, 400]


def test_every_line_up_is_drawn(tmp_path: Path) -> None:
    work = Graded("kuhn", 2, ("greedy", "random"), times=False)
    assert {work.seating(number) for number in range(40)} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    data = DataSet(work, 1, 1, tmp_path)
    row = data.row(3)
    assert [work.bots[bot] for bot in row["bots"]] == row["names"]
    assert {name for name, _ in columns()} <= set(row)


def test_weak_play_costs_more_than_strong_play() -> None:
    """Regret is an estimate: it must at least tell random play from a search."""
    care, means = Care(look=64, weigh=16, runs=2, again=0, solve=500), {}
    for bot in ("random", "search:100"):
        found = [
            regret
            for number in range(2)
            for regret, _ in regrets(match_from_record(SelfPlay(ANY, 2, (bot,)).play(number)), care)
            if regret is not None
        ]
        means[bot] = float(np.mean(found))
    assert means["random"] > 0.03 + means["search:100"], means


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--bots", "search:0.2s"), "thinks for seconds"),
        (("--bots", "nobody"), "is not a valid bot"),
        (("--players", 99), "99"),
        (("--players", 2, "--players", 2), "given twice"),
        (("--shards", 9), "more files than games"),
        (("--option", "nonsense"), "NAME=VALUE"),
    ],
)
def test_bad_input_is_refused_before_anything_is_written(
    tmp_path: Path, words: tuple[object, ...], problem: str
) -> None:
    done = run(ANY, "--games", 2, "--out", tmp_path / "games", *words)
    assert done.exit_code == 1 and problem in done.output
    assert not (tmp_path / "games").exists()


def test_the_folder_of_another_run_is_refused(tmp_path: Path) -> None:
    written("kuhn", tmp_path)
    done = run("kuhn", "--games", 4, "--shards", 2, "--out", tmp_path)
    assert done.exit_code == 1 and "other-run" in done.output


@pytest.mark.parametrize("game", GAMES)
def test_the_sample_verifies(game: str) -> None:
    """`lampion dataset GAME --games 50 --shards 1 --out docs/dataset/GAME` writes it again."""
    done = CliRunner().invoke(main, ["verify", str(SAMPLE / game)])
    assert done.exit_code == 0, done.output
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) == 50 and all(one["legal"] and one["fair"] for one in told)
    rows_add_up(SAMPLE / game)


def test_the_sample_is_small_and_graded() -> None:
    files = [path for path in SAMPLE.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < MOST_BYTES
    for game in GAMES:
        manifest = read_manifest(SAMPLE / game)
        assert manifest.players == list(lampion.find_game(game).NUM_PLAYERS)
        players, names = set(), set()
        for file in manifest.files:
            for record in read_games(SAMPLE / game / file.name):
                players.add(record.players)
                names.update(record.names)
        assert players == set(lampion.find_game(game).NUM_PLAYERS)
        assert names == {bot[:40] for bot in manifest.bots}
