"""Self-play, its files, and the reader that makes arrays of them."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import lampion
from lampion.arena.run import Contest, play_game
from lampion.bots.levels import level_bot, make_player
from lampion.bots.sources import sources_of
from lampion.cli.main import main
from lampion.core.gamelog import GameRecord, write_record
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.research import load_games
from lampion.research.batch import BatchEnv
from lampion.research.files import read_games, write_games
from lampion.research.selfplay import SelfPlay, run_path
from lampion.research.shards import Shards, check_hashes, read_manifest
from lampion.research.tensors import read_decisions, read_tensors
from lampion.research.thinking import decide
from tests.bots.test_solver import near_the_end
from tests.support import ALL_GAMES, GAMES, Case, finished, up_to

ANY = GAMES[0]
every_game = pytest.mark.parametrize("game", ALL_GAMES)


def selfplay(*arguments: object) -> str:
    result = CliRunner().invoke(main, ["selfplay", *(str(argument) for argument in arguments)])
    assert result.exit_code == 0, result.output
    return result.output


def texts(records: list[GameRecord]) -> list[str]:
    return [write_record(record) for record in records]


def test_the_same_games_whatever_the_form_and_the_number_of_workers(tmp_path: Path) -> None:
    lines, rows = tmp_path / "games.jsonl", tmp_path / "games.parquet"
    selfplay(
        ANY,
        "--players",
        2,
        "--bots",
        "greedy",
        "random",
        "--games",
        9,
        "--out",
        lines,
        "--jobs",
        1,
        "--no-times",
    )
    selfplay(
        ANY,
        "--players",
        2,
        "--bots",
        "greedy",
        "random",
        "--games",
        9,
        "--out",
        rows,
        "--jobs",
        2,
        "--no-times",
    )
    told = texts(list(read_games(lines)))
    assert len(set(told)) == 9 and told == texts(list(read_games(rows)))
    assert [path.name for path in tmp_path.iterdir() if "part" in path.name] == []
    for record in read_games(rows):
        lampion.verify(record)


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_a_run_resumes_where_it_stopped(tmp_path: Path, ending: str) -> None:
    run = SelfPlay(ANY, 2, ("random",), times=False)
    file = tmp_path / f"games.{ending}"
    words = ("--players", 2, "--bots", "random", "--out", file, "--jobs", 1, "--no-times")
    selfplay(ANY, *words, "--games", 2)
    half = file if ending == "jsonl" else tmp_path / "games.parquet.part.jsonl"
    if ending == "parquet":
        write_games(half, [*read_games(file), run.play(2)])
    with half.open("a") as broken:
        broken.write('{"format": "lampion-rec')
    selfplay(ANY, *words, "--games", 4)
    assert texts(list(read_games(file))) == texts([run.play(number) for number in range(4)])


def test_a_file_of_another_run_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    selfplay(ANY, "--players", 2, "--bots", "random", "--games", 1, "--out", file, "--jobs", 1)
    result = CliRunner().invoke(
        main,
        ["selfplay", ANY, "--players", "2", "--bots", "greedy", "--games", "2", "--out", str(file)],
    )
    assert result.exit_code == 1 and "other-run" in result.output


@pytest.mark.parametrize(
    ("field", "value"), [("specs", ["human:glance=0.1"]), ("sources", "edited"), ("seed", 7)]
)
def test_a_file_by_other_bots_is_refused(tmp_path: Path, field: str, value: object) -> None:
    file = tmp_path / "games.jsonl"
    words = ("--players", 2, "--bots", "novice", "--out", file, "--jobs", 1, "--no-times")
    selfplay(ANY, *words, "--games", 1)
    run = json.loads(run_path(file).read_bytes())
    assert run["specs"] == [level_bot("novice", ANY)]
    run_path(file).write_text(json.dumps({**run, field: value}))
    refused = ["selfplay", ANY, *map(str, words), "--games", "2"]
    result = CliRunner().invoke(main, refused)
    assert result.exit_code == 1 and f"other {field}" in result.output
    for damaged in ("{", "{}"):
        run_path(file).write_text(damaged)
        result = CliRunner().invoke(main, refused)
        assert result.exit_code == 1 and "does not say what was played" in result.output
    run_path(file).unlink()
    result = CliRunner().invoke(main, refused)
    assert result.exit_code == 1 and "there is no games.jsonl.run.json" in result.output
    assert len(file.read_bytes().splitlines()) == 1, "nothing was played or lost"


def test_bots_change_seats_from_game_to_game() -> None:
    run = SelfPlay(ANY, 3, ("greedy", "random"))
    assert [run.names(number) for number in range(2)] == [
        ["greedy", "random", "greedy"],
        ["random", "greedy", "random"],
    ]
    assert run.play(1).names == run.names(1)


@every_game
def test_files_lose_nothing(tmp_path: Path, game: str) -> None:
    match = finished(Case(game, up_to(game, 3), {}), 1)
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


# --- what bots found out --------------------------------------------------------------------------


def test_records_tell_what_the_search_found_before_each_decision() -> None:
    run = SelfPlay(ANY, 2, ("search:20", "greedy"))
    record = run.play(0)
    match = Match(lampion.find_game(ANY), 2)
    told = iter(record.decisions or ())
    for actor, text in record.log:
        if actor != "c":
            decision, legal = next(told), match.legal_actions()
            assert decision.spent is not None
            if actor == 0 and len(legal) > 1:
                assert len(decision.visits) == len(decision.values) == len(legal)
                assert len(decision.priors) == len(legal) and min(decision.priors) > 0
                is_solved = sum(decision.visits) == 1
                for visits, value in zip(decision.visits, decision.values, strict=True):
                    assert (value is None) == (visits == 0 and not is_solved)
                assert decision.iterations == 20
                assert text in most_visited(legal, decision.visits)
            else:
                assert decision.visits == decision.values == decision.priors == []
        match.replay(-1 if actor == "c" else int(actor), text)
    assert next(told, None) is None and match.is_over


def test_where_the_rest_is_solved_a_record_tells_every_value() -> None:
    match = near_the_end("lumens", 2, 1)[-1]
    _, found = decide(match, make_player("search:400"), new_rng(1))
    count = len(match.legal_ids())
    assert sum(found.visits) == 1 and len(found.values) == len(found.priors) == count
    assert all(value is not None for value in found.values) and min(found.priors) > 0
    best = found.values[found.visits.index(1)]
    assert best == max(value for value in found.values if value is not None)


def test_what_a_search_did_not_try_is_not_a_number(tmp_path: Path) -> None:
    """In a file of lines, in Parquet and in arrays."""
    record = SelfPlay(ANY, 2, ("search:5", "search:5")).play(1)
    told = [value for one in record.decisions or () for value in one.values]
    assert None in told and not all(value is None for value in told)
    for name in ("games.jsonl", "games.parquet"):
        write_games(tmp_path / name, [record])
        again = next(iter(read_games(tmp_path / name)))
        assert again.decisions == record.decisions
        (decisions,) = read_decisions(tmp_path / name)
        found = decisions.targets.values
        assert np.isnan(found).tolist() == [value is None for value in told]


def most_visited(legal: list[str], visits: list[int]) -> set[str]:
    return {text for text, count in zip(legal, visits, strict=True) if count == max(visits)}


def test_targets_change_nothing_about_the_games() -> None:
    """The same deals and bots as in the arena give the same games."""
    run = SelfPlay(ANY, 2, ("search:20", "greedy"))
    contest = Contest(ANY, 2, ("search:20", "greedy"))
    assert run.play(1).log == play_game(contest, 1, run.seating(1), {}).to_record().log


def test_without_times_a_run_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "other"):
        words = ("--bots", "search:10", "random", "--games", 4, "--shards", 2, "--no-times")
        selfplay(ANY, "--players", 2, *words, "--out", tmp_path / name, "--jobs", 1)
    one, other = (read_manifest(tmp_path / name) for name in ("one", "other"))
    assert one == other and len({file.sha256 for file in one.files}) == 2
    assert check_hashes(tmp_path / "one") == []
    (tmp_path / "one" / one.files[1].name).write_bytes(b"something else")
    assert check_hashes(tmp_path / "one") == [one.files[1].name]


def test_columns_give_the_same_arrays_as_records(tmp_path: Path) -> None:
    run = SelfPlay(ANY, 2, ("search:20", "random"))
    records = [run.play(number) for number in range(3)]
    write_games(tmp_path / "games.parquet", records)
    write_games(tmp_path / "games.jsonl", records)
    wanted = read_tensors(records)
    for ending in ("parquet", "jsonl"):
        parts = list(read_decisions(tmp_path / f"games.{ending}", games_at_once=2))
        assert len(parts) == 2 and sum(map(len, parts)) == len(wanted)
        assert np.concatenate([part.games for part in parts]).tolist() == wanted.games.tolist()
        found = next(read_decisions(tmp_path / f"games.{ending}", games_at_once=3))
        for name in ("observations", "masks", "actions", "seats", "outcomes", "games"):
            np.testing.assert_array_equal(getattr(found, name), getattr(wanted, name))
        for name, values in vars(wanted.targets).items():
            np.testing.assert_array_equal(getattr(found.targets, name), values)


def test_policies_are_shares_of_visits_or_the_action_taken() -> None:
    record = SelfPlay(ANY, 2, ("search:20", "random")).play(0)
    made = read_tensors([record])
    shares = made.policies()
    assert shares.sum(axis=1) == pytest.approx(1)
    assert (shares[made.masks == 0] == 0).all()
    for row, decision in enumerate(record.decisions or ()):
        if decision.visits:
            assert shares[row].max() == pytest.approx(max(decision.visits) / sum(decision.visits))
        else:
            assert shares[row, made.actions[row]] == 1
    assert (made.policies([5, 2]) == shares[[5, 2]]).all()


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
@pytest.mark.parametrize("at_once", [1, 1000])
def test_games_of_different_kinds_do_not_fit_into_one_array(
    tmp_path: Path, ending: str, at_once: int
) -> None:
    """Arrays as wide as the first game's would be written past their end by the second."""
    narrow, wide = "kuhn", ANY
    records = [SelfPlay(game, 2, ("random",)).play(0) for game in (narrow, wide)]
    file = tmp_path / f"games.{ending}"
    write_games(file, records)
    with pytest.raises(lampion.InvalidRecord, match="different kinds") as refused:
        list(read_decisions(file, games_at_once=at_once))
    assert refused.value.code == "mixed-games"
    with pytest.raises(lampion.InvalidRecord, match="different kinds"):
        read_tensors(records)


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
def test_visits_belong_to_legal_actions(tmp_path: Path, ending: str) -> None:
    record = SelfPlay(ANY, 2, ("search:20",)).play(0)
    searched = next(one for one in record.decisions or () if len(one.visits) > 2)
    del searched.visits[-1], searched.values[-1], searched.priors[-1]
    file = tmp_path / f"games.{ending}"
    write_games(file, [record])
    with pytest.raises(lampion.InvalidRecord, match="more or fewer visits"):
        list(read_decisions(file))


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("ids", 999_999_999, "entry 40 is not legal"),
        ("ids", -7, "entry 40 is not legal"),
        ("actors", 77, "entry 40 is not legal"),
        ("actors", -3, "entry 40 is not legal"),
        ("rules", 99, "version 99 of the rules"),
        ("ids", None, "other numbers of actors and actions"),
        ("visits", None, "do not tell about every decision"),
    ],
)
def test_columns_are_not_trusted(
    tmp_path: Path, column: str, value: int | None, problem: str
) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    file = tmp_path / "games.parquet"
    write_games(file, [SelfPlay(ANY, 2, ("random",)).play(0)])
    table = parquet.read_table(file)
    row = table.to_pylist()[0]
    if value is None:
        row[column].pop()
    elif column == "rules":
        row[column] = value
    else:
        row[column][40] = value
    parquet.write_table(pa.Table.from_pylist([row], table.schema), file)
    with pytest.raises(lampion.InvalidRecord, match=problem):
        list(read_decisions(file))


def test_a_run_by_other_sources_is_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards = Shards(SelfPlay(ANY, 2, ("random",), times=False), 2, 1, tmp_path / "games")
    list(shards.run(1))
    assert read_manifest(shards.folder).sources == sources_of(ANY, "research")
    monkeypatch.setattr("lampion.research.shards.sources_of", lambda *parts: "edited")
    with pytest.raises(lampion.InvalidOptions, match="another run"):
        list(shards.run(1))


def test_a_run_resumes_from_its_folder_and_refuses_that_of_another(tmp_path: Path) -> None:
    shards = Shards(SelfPlay(ANY, 2, ("random",), times=False), 7, 3, tmp_path / "games")
    assert sum(shards.run(1)) == 7
    whole = read_manifest(shards.folder)
    assert [file.games for file in whole.files] == [2, 2, 3]
    (shards.folder / shards.name(1)).unlink()
    assert sum(shards.run(1)) == 2, "only what is missing is played"
    assert read_manifest(shards.folder) == whole
    for other in (
        Shards(SelfPlay(ANY, 2, ("greedy",), times=False), 7, 3, shards.folder),
        Shards(shards.work, 7, 2, shards.folder),
    ):
        with pytest.raises(lampion.InvalidOptions, match="another run"):
            list(other.run(1))
    assert read_manifest(shards.folder) == whole


# --- by one name ----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shards = Shards(SelfPlay(ANY, 2, ("random",), times=False), 5, 2, tmp_path / "games")
    list(shards.run(1))
    return shards.folder


def test_a_folder_is_loaded_in_one_line(folder: Path) -> None:
    run = SelfPlay(ANY, 2, ("random",), times=False)
    wanted = read_tensors([run.play(number) for number in range(5)])
    parts = list(load_games(folder))
    for name in ("actions", "games"):
        found = np.concatenate([getattr(part, name) for part in parts])
        assert found.tolist() == getattr(wanted, name).tolist()


def test_a_changed_file_is_refused_before_it_is_read(folder: Path) -> None:
    name = read_manifest(folder).files[1].name
    shutil.copy(folder / read_manifest(folder).files[0].name, folder / name)
    with pytest.raises(lampion.InvalidRecord, match="not the one in the manifest"):
        list(load_games(folder))


class Site(SimpleHTTPRequestHandler):
    """The files of a folder; some connections break after ten bytes."""

    folder: Path
    asked: list[str]
    breaking: set[str]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments, directory=str(self.folder))

    def log_message(self, format: str, *words: Any) -> None:
        self.asked.append(Path(str(words[0]).split()[1]).name)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        name = Path(self.path).name
        outputfile.write(source.read(10 if name in self.breaking else -1))


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, type[Site]]]:
    """A server on this machine, and what it was asked for."""
    site = type("Here", (Site,), {"folder": folder, "asked": [], "breaking": set()})
    with ThreadingHTTPServer(("127.0.0.1", 0), site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/", site
        finally:
            server.shutdown()


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LAMPION_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.usefixtures("cache")
def test_an_address_is_fetched_once(folder: Path) -> None:
    """A file that is in the cache is not asked for again; a name with a dot is still a folder."""
    (folder.parent / "site").mkdir()
    folder.rename(folder.parent / "site" / "games-0.1")
    folder = folder.parent / "site" / "games-0.1"
    with served(folder.parent) as (address, site):
        first, again = (
            [len(part) for part in load_games(f"{address}games-0.1/")] for _ in range(2)
        )
    assert first == again == [len(part) for part in load_games(folder)]
    names = [file.name for file in read_manifest(folder).files]
    assert sorted(site.asked) == sorted(["manifest.json", *names, "manifest.json"])


def test_a_broken_download_is_never_taken_for_the_file(folder: Path, cache: Path) -> None:
    name = read_manifest(folder).files[0].name
    with served(folder) as (address, site):
        site.breaking.add(name)
        for source in (address, f"{address}{name}"):
            with pytest.raises(lampion.InvalidRecord, match="connection broke"):
                list(load_games(source))
        assert not list(cache.rglob("*.parquet"))
        site.breaking.clear()
        wanted = [len(part) for part in load_games(folder)]
        assert [len(part) for part in load_games(address)] == wanted
        (damaged,) = (path for path in cache.rglob(name))
        damaged.write_bytes(b"something else")
        assert [len(part) for part in load_games(address)] == wanted, "it is fetched again"


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
