"""The commands as people type them, right and wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest
from click.testing import CliRunner, Result

import lampion
from lampion.cli.main import main
from tests.support import GAMES


def run(*words: str, typed: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(words), input=typed)


def lines(result: Result) -> list[dict[str, object]]:
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_games_lists_all_games() -> None:
    assert [about["game"] for about in lines(run("games", "--json"))] == lampion.game_names()
    assert "Lanterns" in run("games").stdout


@pytest.mark.parametrize(
    "command",
    [
        "",
        "analyse",
        "arena",
        "bench",
        "components",
        "games",
        "perft",
        "play",
        "print",
        "replay",
        "review",
        "schema",
        "simulate",
        "verify",
    ],
)
def test_help_has_examples(command: str) -> None:
    result = run(*command.split(), "--help")
    assert result.exit_code == 0
    assert "Example" in result.stdout or command == "components"


@pytest.mark.parametrize("game", GAMES)
def test_simulate_writes_records_that_verify(game: str, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    assert run("simulate", game, "--games", "3", "--seed", "5", "--out", str(file)).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["games.jsonl"]
    checked = lines(run("verify", str(file)))
    assert len(checked) == 3
    assert all(result["legal"] and result["fair"] for result in checked)
    assert run("simulate", game, "--games", "3", "--seed", "5").stdout == file.read_text()
    assert (
        run("simulate", game, "--games", "3", "--seed", "5", "--jobs", "2").stdout
        == file.read_text()
    )


def test_trace_tells_what_was_legal() -> None:
    (record,) = lines(run("simulate", "lanterns", "--players", "2", "--trace"))
    assert isinstance(record["legal"], list)
    assert isinstance(record["log"], list)
    assert len(record["legal"]) == len(record["log"])
    assert all(
        text in legal for (_, text), legal in zip(record["log"], record["legal"], strict=True)
    )
    assert lampion.load(json.dumps(record)).is_over


@pytest.mark.parametrize("game", GAMES)
def test_review_tells_luck_from_play(game: str, tmp_path: Path) -> None:
    record = run("simulate", game, "--players", "2", "--seed", "4").stdout
    picture = tmp_path / "review.svg"
    shown = run("review", "-", "--quick", "--svg", str(picture), "--lang", "it", typed=record)
    assert shown.exit_code == 0 and "pescate" in shown.stdout
    assert picture.read_text().startswith("<svg") and picture.read_text().count("<polyline") == 2
    told = lines(run("review", "-", "--json", "--quick", typed=record))[0]
    for row in cast(list[dict[str, dict[str, float]]], told["rows"]):
        for unit in ("place", "points"):
            *parts, result = row[unit].values()
            assert abs(sum(parts) - result) < 1e-9
    broken = json.loads(record) | {"scores": None, "winners": None}
    broken["log"] = broken["log"][:-5]
    assert "did not end" in run("review", "-", "--quick", typed=json.dumps(broken)).stdout


def test_review_names_the_costliest_decisions() -> None:
    record = run("simulate", "lumens", "--players", "2", "--seed", "4").stdout
    shown = run("review", "-", typed=record).stdout
    assert shown.count("; better: ") == 3 and "The costliest decisions" in shown
    assert shown.count("In hindsight, with all hands face up") == 3
    assert re.search(
        r"^    (The better move|It (leaves|covers)|As the board) .*\.$", shown, re.MULTILINE
    )


@pytest.mark.parametrize("game", GAMES)
def test_analyse_says_what_moves_are_worth(game: str) -> None:
    record = run("simulate", game, "--players", "2", "--seed", "4").stdout
    told = cast(dict[str, Any], lines(run("analyse", "-", "--json", typed=record))[0])
    match = lampion.load(record)
    last = max(ply for ply, entry in enumerate(match.log) if entry.actor >= 0)
    assert told["ply"] == last and told["seat"] == match.log[last].actor
    assert told["value"] == told["moves"][0]["value"]
    assert {move["text"] for move in told["moves"]} == {*match.at(last).legal_actions()}
    early = next(ply for ply in range(20, match.ply) if len(match.at(ply).actors) == 1)
    words = ("--ply", str(early), "--seconds", "0.05", "--top", "2")
    shown = run("analyse", "-", *words, typed=record).stdout.splitlines()
    assert f"after {early} log entries" in shown[0]
    assert len(shown) <= 5


def test_analyse_refuses_positions_in_which_nobody_decides() -> None:
    record = run("simulate", "lanterns", "--players", "2", "--seed", "4").stdout
    for words, code in ((("--ply", "0"), "no-decision"), (("--ply", "9999"), "no-such-ply")):
        result = run("analyse", "-", *words, typed=record)
        assert result.exit_code == 1 and result.stderr.rstrip().endswith(f"[{code}]")


def test_replay_shows_what_a_seat_knew(tmp_path: Path) -> None:
    record = run("simulate", "lanterns", "--players", "3", "--seed", "2").stdout
    shown = run("replay", "-", "--ply", "9", "--seat", "1", "--log", typed=record)
    assert shown.exit_code == 0
    assert shown.stdout.count("+?") == 6
    view = lines(run("replay", "-", "--ply", "9", "--seat", "1", "--json", typed=record))[0]
    seats = view["seats"]
    assert isinstance(seats, list)
    assert [seat["hand"] is None for seat in seats] == [True, False, True]
    picture = tmp_path / "table.svg"
    assert run("replay", "-", "--svg", str(picture), typed=record).exit_code == 0
    assert picture.read_text().startswith("<svg")


def test_verify_reads_parquet_and_folders_and_holds_them_to_their_hashes(tmp_path: Path) -> None:
    folder = tmp_path / "games"
    words = ("--bots", "random", "--games", "3", "--shards", "2", "--out", str(folder))
    run("selfplay", "lanterns", "--players", "2", *words, "--jobs", "1")
    first = sorted(folder.glob("*.parquet"))[0]
    assert [line["legal"] for line in lines(run("verify", str(first)))] == [True]
    assert [line["fair"] for line in lines(run("verify", str(folder)))] == [True] * 3
    first.write_bytes(sorted(folder.glob("*.parquet"))[1].read_bytes())
    refused = run("verify", str(folder))
    assert refused.exit_code == 1 and "[wrong-hash]" in refused.stderr


def test_verify_finds_a_changed_draw() -> None:
    record = json.loads(run("simulate", "lanterns", "--seed", "3").stdout)
    record["log"][0], record["log"][1] = record["log"][1], record["log"][0]
    result = run("verify", "-", typed=json.dumps(record))
    assert result.exit_code == 1
    assert "entry" in result.stderr
    assert result.stderr.count("\n") == 1


def test_perft_counts_the_deal() -> None:
    assert (
        run("perft", "lanterns", "--players", "2", "--depth", "2").stdout == "0 1\n1 35\n2 1190\n"
    )


def test_bench_gives_one_figure() -> None:
    (result,) = lines(run("bench", "lanterns", "--players", "2", "--seconds", "0.2", "--json"))
    assert isinstance(result["decisions_per_second"], float)


@pytest.mark.parametrize("game", GAMES)
def test_components_can_be_shown_changed_and_checked(game: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(run("components", "show", game).stdout)
    (result,) = lines(run("components", "check", str(file)))
    assert result["published"] is True
    file.write_text(file.read_text().replace("lampion-components/1", "lampion-components/9"))
    assert run("components", "check", str(file)).exit_code == 1


@pytest.mark.parametrize("what", ["record", *GAMES])
def test_schemas_are_schemas(what: str) -> None:
    from jsonschema import Draft202012Validator

    schema = json.loads(run("schema", what).stdout)
    Draft202012Validator.check_schema(schema)
    if what == "record":
        record = json.loads(run("simulate", "lanterns").stdout)
        Draft202012Validator(schema).validate(record)


@pytest.mark.parametrize(
    "words",
    [
        "simulate chess",
        "simulate lanterns --players 9",
        "simulate lanterns --options size",
        "simulate lanterns --options size=3",
        "simulate lanterns --components nowhere.toml",
        "simulate lanterns --out /nowhere/games.jsonl",
        "verify nowhere.json",
        "verify .",
        "replay nowhere.json",
        "perft chess",
        "components check nowhere.toml",
        "components show chess",
        "schema chess",
        "bench lanterns --players 1",
        "print lanterns",
        "print chess",
    ],
)
def test_wrong_input_gives_one_line_with_a_code(words: str) -> None:
    result = run(*words.split())
    assert result.exit_code in (1, 2)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    if result.exit_code == 1:
        assert result.stderr.count("\n") == 1
        assert result.stderr.rstrip().endswith("]")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"{}",
        b"[]",
        b"null",
        b'{"format": 1}',
        b"{" * 9999,
        b"\n\n",
        b'{"a":1}\n{"b":',
    ],
)
@pytest.mark.parametrize("command", ["analyse", "replay", "review", "verify"])
def test_any_file_gives_success_or_one_line(command: str, data: bytes) -> None:
    result = run(command, "-", typed=data)
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert result.stderr.rstrip().endswith("]")


@pytest.mark.parametrize("game", [game for game in GAMES if game != "lanterns"])
def test_sheets_and_boards_can_be_printed(game: str, tmp_path: Path) -> None:
    result = run("print", game, "--out", str(tmp_path / "pages"))
    assert result.exit_code == 0, result.stderr
    pages = [Path(line) for line in result.stdout.splitlines()]
    assert len(pages) >= 3
    assert all(page.read_text().startswith("<svg") for page in pages)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("game", [game for game in GAMES if game != "lanterns"])
def test_sheets_and_boards_can_be_printed_as_pdf(game: str, tmp_path: Path) -> None:
    result = run("print", game, "--pdf", "--out", str(tmp_path))
    assert result.exit_code == 0, result.stderr
    assert (tmp_path / f"{game}.pdf").read_bytes().startswith(b"%PDF")


def test_a_failed_run_leaves_no_file(tmp_path: Path) -> None:
    file = tmp_path / "out.jsonl"
    assert run("simulate", "lanterns", "--players", "9", "--out", str(file)).exit_code == 1
    assert list(tmp_path.iterdir()) == []


# --- a game in the terminal -------------------------------------------------------------------------------------------------------


def test_a_whole_game_can_be_played_by_typing(tmp_path: Path) -> None:
    """A player who always lists the moves and takes the first."""
    record = tmp_path / "game.json"
    result = run(
        "play",
        "lanterns",
        "--players",
        "2",
        "--seed",
        "1",
        "--save",
        str(record),
        typed="list\n1\n" * 60,
    )
    assert result.exit_code == 0, result.output
    assert "The game is over" in result.stdout
    assert "cost per decision" in result.stdout and "The costliest decisions" in result.stdout
    assert "right away" in result.stdout or "The better move" in result.stdout
    assert lampion.load(record.read_text()).is_over
    assert lampion.verify(record.read_text()) == 22


def test_help_rules_undo_search_and_refusals_in_the_terminal() -> None:
    typed = "help\nrules L9\nrules X9\nundo\nlist\n1\nundo\n@1,0\nnonsense\npass\ntable\nquit\n"
    result = run("play", "lanterns", "--players", "2", "--seed", "1", typed=typed)
    assert result.exit_code == 0, result.output
    for shown in (
        "rules L9",
        "L9",
        "There is no rule X9",
        "nothing to take back",
        "is not valid notation",
        "only in the final round",
        "Goodbye",
    ):
        assert shown in result.stdout, shown
    assert "example:" not in result.stdout, "no trace of the drawings that only the browser has"


def test_names_are_shown_as_they_are() -> None:
    result = run(
        "play",
        "lanterns",
        "--players",
        "2",
        "--seed",
        "1",
        "--name",
        "[red]Ada",
        typed="list\n1\nquit\n",
    )
    assert "[red]Ada" in result.stdout


def test_two_people_do_not_see_each_others_tiles() -> None:
    result = run(
        "play",
        "lanterns",
        "--players",
        "2",
        "--humans",
        "2",
        "--seed",
        "1",
        typed="list\n1\n\nquit\n",
    )
    assert "Hand over to Player 2" in result.stdout


@pytest.mark.parametrize(("language", "words"), [("fr", "à vous"), ("it", "tocca a te")])
def test_the_terminal_speaks_other_languages(language: str, words: str) -> None:
    assert (
        words
        in run(
            "play",
            "lanterns",
            "--bot",
            "random",
            "--lang",
            language,
            "--seed",
            "1",
            typed="list\n1\nquit\n",
        ).stdout
    )


def test_the_terminal_asks_for_the_game() -> None:
    number = lampion.game_names().index("lanterns") + 1
    assert "Lanterns" in run("play", "--players", "2", typed=f"{number}\nquit\n").stdout
