"""Self-play, its files, and the reader that makes arrays of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import lampion
from lampion.cli.main import main
from lampion.core.gamelog import GameRecord, write_record
from lampion.research.batch import BatchEnv
from lampion.research.files import read_games, write_games
from lampion.research.selfplay import SelfPlay
from lampion.research.tensors import read_tensors
from tests.support import GAMES, Case, finished

ANY = GAMES[0]
every_game = pytest.mark.parametrize("game", GAMES)


def selfplay(*arguments: object) -> str:
    result = CliRunner().invoke(main, ["selfplay", *(str(argument) for argument in arguments)])
    assert result.exit_code == 0, result.output
    return result.output


def texts(records: list[GameRecord]) -> list[str]:
    return [write_record(record) for record in records]


def test_the_same_games_whatever_the_form_and_the_number_of_workers(tmp_path: Path) -> None:
    lines, rows = tmp_path / "games.jsonl", tmp_path / "games.parquet"
    selfplay(
        ANY, "--players", 2, "--bots", "greedy", "random", "--games", 9, "--out", lines, "--jobs", 1
    )
    selfplay(
        ANY, "--players", 2, "--bots", "greedy", "random", "--games", 9, "--out", rows, "--jobs", 2
    )
    told = texts(list(read_games(lines)))
    assert len(set(told)) == 9 and told == texts(list(read_games(rows)))
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []
    for record in read_games(rows):
        lampion.verify(record)


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_run_goes_on_where_it_stopped(tmp_path: Path, ending: str) -> None:
    run = SelfPlay(ANY, 2, ("random",))
    file = tmp_path / f"games.{ending}"
    selfplay(ANY, "--players", 2, "--bots", "random", "--games", 2, "--out", file, "--jobs", 1)
    half = file if ending == "jsonl" else tmp_path / "games.parquet.part.jsonl"
    if ending == "parquet":
        write_games(half, [*read_games(file), run.play(2)])
    with half.open("a") as broken:
        broken.write('{"format": "lampion-rec')
    selfplay(ANY, "--players", 2, "--bots", "random", "--games", 4, "--out", file, "--jobs", 1)
    assert texts(list(read_games(file))) == texts([run.play(number) for number in range(4)])


def test_a_file_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    selfplay(ANY, "--players", 2, "--bots", "random", "--games", 1, "--out", file, "--jobs", 1)
    result = CliRunner().invoke(
        main,
        ["selfplay", ANY, "--players", "2", "--bots", "greedy", "--games", "2", "--out", str(file)],
    )
    assert result.exit_code == 1 and "other-run" in result.output


def test_bots_change_seats_from_game_to_game() -> None:
    run = SelfPlay(ANY, 3, ("greedy", "random"))
    assert [run.names(number) for number in range(2)] == [
        ["greedy", "random", "greedy"],
        ["random", "greedy", "random"],
    ]
    assert run.play(1).names == run.names(1)


@every_game
def test_files_lose_nothing(tmp_path: Path, game: str) -> None:
    match = finished(Case(game, 3, {}), 1)
    running = lampion.new(game, 2, seed=3)
    records = [match.to_record(), running.to_record()]
    for ending in ("jsonl", "parquet"):
        write_games(tmp_path / f"games.{ending}", records)
        assert list(read_games(tmp_path / f"games.{ending}")) == records


def test_what_is_no_file_of_games_is_refused(tmp_path: Path) -> None:
    for ending in ("jsonl", "parquet"):
        file = tmp_path / f"games.{ending}"
        file.write_text("nothing of the kind")
        with pytest.raises(lampion.InvalidRecord):
            list(read_games(file))


@every_game
def test_arrays_tell_what_each_player_saw_did_and_got(game: str) -> None:
    match = finished(Case(game, 2, {}), 5)
    made = read_tensors([match.to_record(), match.to_record()])
    decisions = [entry for entry in match.log if entry.actor >= 0]
    assert len(made) == 2 * len(decisions) and set(made.games) == {0, 1}
    assert made.actions[: len(decisions)].tolist() == [entry.action for entry in decisions]
    assert made.seats[: len(decisions)].tolist() == [entry.actor for entry in decisions]
    assert made.masks[np.arange(len(made)), made.actions].all()
    for seat, place in enumerate(match.placements):
        other = match.placements[1 - seat]
        assert (made.outcomes[made.seats == seat] == np.sign(other - place)).all()


def test_what_was_taken_back_is_left_out() -> None:
    match, twin = lampion.new(ANY, 2, seed=5), lampion.new(ANY, 2, seed=5)
    first = match.legal_actions()[0]
    match.submit(match.legal_actions()[-1])
    match.undo()
    match.submit(first)
    twin.submit(first)
    for one in (match, twin):
        while not one.is_over:
            one.submit(int(one.legal_ids()[0]))
    undone, plain = read_tensors([match.to_record()]), read_tensors([twin.to_record()])
    assert (undone.observations == plain.observations).all() and (
        undone.actions == plain.actions
    ).all()


@every_game
def test_arrays_of_a_record_agree_with_the_batched_environment(game: str) -> None:
    """Where nothing is drawn in between, a slot that is given the same actions shows the same numbers."""
    match = finished(Case(game, 2, {}), 6)
    made = read_tensors([match.to_record()])
    env = BatchEnv(game, 1, players=2)
    for row in (0, len(made) // 2):
        start = [ply for ply, entry in enumerate(match.log) if entry.actor >= 0][row]
        env.states[0] = match.at(start).state.batch[0]
        assert (env.observe(0, int(made.seats[row])) == made.observations[row]).all()
