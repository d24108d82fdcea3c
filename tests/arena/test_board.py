"""Leaderboards: entries, rounds that go on after a crash, ratings without luck, and files that
were changed."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import lampion
from lampion.arena import rounds
from lampion.arena.board import FORMAT, Board, BoardHead
from lampion.arena.lines import add_line, whole_lines
from lampion.arena.page import board_page
from lampion.arena.proof import verify_board
from lampion.arena.rounds import play_round
from lampion.arena.standings import Encounter, luck_slopes, standings, wins
from lampion.arena.submissions import bot_of
from lampion.bots.net import weights_file
from lampion.cli.main import main
from lampion.core.game import find_game
from tests.support import GAMES

ANY = GAMES[0]


def new_board(path: Path, **changed: Any) -> Board:
    about: dict[str, Any] = {"game": ANY, "players": 2, "options": {}, "deals": 2, "iterations": 6}
    about.update(changed)
    rules = find_game(about["game"]).RULES_VERSION
    return Board.create(path, BoardHead(format=FORMAT, rules=rules, **about))


def enter(board: Board, spec: str, name: str = "") -> None:
    board.admit(name or spec, spec)
    list(play_round(board, 1))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A board with three entries."""
    board = new_board(tmp_path_factory.mktemp("board") / "board.jsonl")
    for spec in ("random", "greedy", "search"):
        enter(board, spec)
    return board.path


# --- rounds ---------------------------------------------------------------------------------------


def test_every_entry_meets_all_earlier_ones_on_deals_of_its_own(finished: Path) -> None:
    board = Board(finished)
    assert [len(one.games) for one in board.rounds] == [0, 4, 8]
    checked = list(verify_board(board))
    assert len(checked) == 12 and not any(one.not_replayed for one in checked)
    seeds = {
        (game.entry, game.deal): game.record.fairness and game.record.fairness.seed
        for one in board.rounds
        for game in one.games
    }
    assert len(set(seeds.values())) == len(seeds) == 4, "no deal is played by two entries"
    for one in board.rounds[1:]:
        own = [game.seats.index(one.entry.number) for game in one.games]
        assert own.count(0) == own.count(1) == len(own) / 2, "from every seat"


def test_with_more_seats_the_others_are_copies_of_one_opponent(tmp_path: Path) -> None:
    board = new_board(tmp_path / "board.jsonl", players=3, deals=1)
    for spec in ("random", "greedy"):
        enter(board, spec)
    assert sorted(game.seats for game in board.rounds[1].games) == [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    assert len(list(verify_board(Board(board.path)))) == 3
    assert [row.games for row in standings(board.rounds)] in ([3, 6], [6, 3])


def test_a_seed_is_promised_before_its_entry_and_kept_secret(tmp_path: Path) -> None:
    board = new_board(tmp_path / "board.jsonl")
    promised = board.waiting
    assert promised and board.secret_file.stat().st_mode & 0o077 == 0
    secret = board.secret_file.read_text()
    assert secret not in board.path.read_text()
    enter(board, "random")
    assert board.rounds[0].commitment == promised and board.rounds[0].seed == secret
    assert board.waiting and board.waiting.commitment != promised.commitment
    assert board.secret_file.read_text() != secret


def test_a_round_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "board.jsonl"
    enter(new_board(path), "random")
    board = Board(path)
    board.admit("me", "greedy")
    next(play_round(board, 1))
    path.write_bytes(path.read_bytes() + b'{"type": "game", "ent')
    again = Board(path)
    with pytest.raises(
        lampion.InvalidOptions, match=r"the games of me \(greedy\) are not finished"
    ):
        again.admit("other", "random")
    again.admit("me", "greedy")
    assert len(list(play_round(again, 1))) == 3
    assert len(list(verify_board(Board(path)))) == 4


def test_a_crash_after_the_seed_was_revealed_leaves_a_board_that_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "board.jsonl"
    enter(new_board(path), "random")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))  # the next commitment
    board = Board(path)
    enter(board, "greedy")
    assert len(list(verify_board(Board(path)))) == 4


def test_without_its_secret_a_round_cannot_be_played(tmp_path: Path) -> None:
    board = new_board(tmp_path / "board.jsonl")
    board.admit("me", "random")
    for content in ("00" * 32, "nonsense", ""):
        board.secret_file.write_text(content)
        with pytest.raises(lampion.InvalidOptions, match="the seed of this round is missing"):
            list(play_round(board, 1))


def test_a_name_is_text_on_the_page_whatever_it_looks_like(tmp_path: Path) -> None:
    board = new_board(tmp_path / "board.jsonl", deals=1)
    enter(board, "random", "[me](http://x) <b>")
    enter(board, "greedy")
    page = board_page(board)
    assert r"\[me\]\(http://x\) \<b\>" in page and "[me](" not in page and "<b>" not in page


# --- entries --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "seconds", "message"),
    [
        ("exec:cat", None, "cannot be held to iterations"),
        ("search:500", None, "random, greedy, net"),
        ("planner", None, "random, greedy, net"),
        ("search,colour=1", None, "settings are"),
        ("checkpoint:nowhere.npy", None, "a matrix in a file of NumPy"),
        ("", 1.0, "random, greedy, net"),
    ],
)
def test_what_may_not_be_entered_is_refused(
    tmp_path: Path, spec: str, seconds: float | None, message: str
) -> None:
    budget = {"seconds": seconds, "iterations": None} if seconds else {}
    board = new_board(tmp_path / "board.jsonl", **budget)
    with pytest.raises(lampion.InvalidOptions, match=message):
        board.admit("me", spec)
    assert not board.rounds


@pytest.mark.parametrize("name", ["x" * 41, "a|b", "a\nb"])
def test_names_are_checked_before_anything_is_written(tmp_path: Path, name: str) -> None:
    board = new_board(tmp_path / "board.jsonl")
    with pytest.raises(lampion.InvalidOptions, match="a name has"):
        board.admit(name, "random")
    assert not Board(board.path).rounds


def test_a_board_has_one_kind_of_budget(tmp_path: Path) -> None:
    for budget in ({"iterations": None}, {"seconds": 1.0}):
        with pytest.raises(lampion.InvalidOptions, match="a budget of iterations or of seconds"):
            new_board(tmp_path / "board.jsonl", **budget)


@pytest.mark.skipif("lanterns" not in GAMES, reason="another game is being tested")
def test_a_checkpoint_plays_like_the_network_that_it_is(tmp_path: Path) -> None:
    weights = np.load(weights_file("lanterns", 2))
    own, short, nan = (tmp_path / f"{name}.npy" for name in ("own", "short", "nan"))
    np.save(own, weights)
    np.save(short, weights[1:])
    np.save(nan, np.full_like(weights, np.nan))
    board = new_board(tmp_path / "board.jsonl", game="lanterns", deals=1)
    for bad in (short, nan):
        with pytest.raises(
            lampion.InvalidOptions, match="a checkpoint for lanterns with 2 players has"
        ):
            board.admit("me", f"checkpoint:{bad}")
    match = lampion.new("lanterns", players=2, seed=1)
    seen, legal, rng = match.seen_from(0), match.legal_ids(0), np.zeros(1, np.uint64)
    choices = {
        player.bot.choose(seen, 0, legal, player.budget, rng)
        for player in (bot_of(f"checkpoint:{own}", board.head), bot_of("net", board.head))
    }
    assert len(choices) == 1
    enter(board, "random")
    enter(board, f"checkpoint:{own}", "mine")
    assert not any(one.not_replayed for one in verify_board(Board(board.path)))
    np.save(own, weights * 2)
    reasons = {one.not_replayed for one in verify_board(Board(board.path))}
    assert reasons == {"the files of mine are not here"}


BURNING = """
import json, sys, time
for line in sys.stdin:
    asked = json.loads(line)
    while time.process_time() < {burnt}:
        pass
    print(json.dumps({{"name": "x"}} if asked["type"] == "hello" else {{"action": asked["legal"][0]}}), flush=True)
"""


@pytest.mark.parametrize(("burnt", "lost"), [(0.0, False), (0.5, True)])
def test_a_program_that_uses_more_than_its_processor_time_loses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, burnt: float, lost: bool
) -> None:
    """It plays whole games all the same: nobody waits for the clock on the wall."""
    program = tmp_path / "bot.py"
    program.write_text(BURNING.format(burnt=burnt))
    monkeypatch.setattr(rounds, "START_SECONDS", 0.2 if lost else 60.0)
    board = new_board(tmp_path / "board.jsonl", deals=1, iterations=None, seconds=0.001)
    enter(board, "random")
    enter(board, f"exec:{sys.executable} {program}", "program")
    entry = board.entries[1]
    assert entry.files.keys() >= {"bot.py"}
    for game in board.rounds[1].games:
        seat = game.seats.index(1)
        assert game.spent[seat] > burnt
        assert (seat in game.failures) is lost and (not lost or game.places[seat] == 2)
    reasons = {one.not_replayed for one in verify_board(Board(board.path))}
    assert reasons == {"program does not do the same again"}


def test_a_program_that_fails_loses_and_is_counted(tmp_path: Path) -> None:
    board = new_board(tmp_path / "board.jsonl", deals=1, iterations=None, seconds=1.0)
    enter(board, "random")
    enter(board, "exec:false", "broken")
    row = {one.name: one for one in standings(board.rounds)}["broken"]
    assert (row.games, row.failures) == (2, 2)
    assert len(list(verify_board(Board(board.path)))) == 2


# --- luck -----------------------------------------------------------------------------------------


def made_up(deals: int, chooser: np.random.Generator) -> list[Encounter]:
    """One comparison for each deal: the first is a little better, and luck decides most of them."""
    luck, skill = chooser.normal(0, 0.5, deals), chooser.normal(0.15, 0.2, deals)
    return [
        Encounter(deal, deal % 2, 0, 1, float(skill[deal] + luck[deal] > 0), float(luck[deal]))
        for deal in range(deals)
    ]


def test_taking_luck_out_leaves_the_mean_and_less_noise() -> None:
    chooser = np.random.default_rng(2)
    means = []
    for _ in range(400):
        found = made_up(60, chooser)
        means.append(
            [
                wins(found, 60, 2, slopes)[:, 0, 1].mean()
                for slopes in ([0.0, 0.0], luck_slopes(found))
            ]
        )
    plain, adjusted = np.array(means).T
    assert abs(plain.mean() - adjusted.mean()) < 3 * plain.std() / len(plain) ** 0.5
    assert adjusted.std() < 0.8 * plain.std()


def test_slopes_come_from_the_other_half_of_the_deals() -> None:
    first = [Encounter(0, 0, 0, 1, 1.0, 0.25), Encounter(0, 0, 1, 0, 0.0, -0.25)]
    second = [Encounter(1, 1, 0, 1, 1.0, 0.5)]
    assert luck_slopes([*first, *second]) == [1.0, 2.0]
    assert luck_slopes(first) == [0.0, 2.0], "nothing is known for them"


# --- files that were changed ----------------------------------------------------------------------


def game_of(lines: list[Any], number: int = -1) -> Any:
    return [line for line in lines if line["type"] == "game"][number]


def swapped(lines: list[Any]) -> None:
    one, other = game_of(lines, -1), game_of(lines, -2)
    one["record"], other["record"] = other["record"], one["record"]


CHANGES: dict[str, Callable[[list[Any]], Any]] = {
    "places": lambda lines: game_of(lines)["places"].reverse(),
    "scores": lambda lines: game_of(lines).update(scores=[99, 0]),
    "luck": lambda lines: game_of(lines).update(luck=[0.9, -0.9]),
    "a failure": lambda lines: game_of(lines).update(failures={"0": "no"}, places=[2, 1]),
    "seats": lambda lines: game_of(lines)["seats"].reverse(),
    "deal": lambda lines: game_of(lines).update(deal=0),
    "records swapped": swapped,
    "record cut": lambda lines: game_of(lines)["record"]["log"].pop(),
    "names": lambda lines: game_of(lines)["record"]["names"].reverse(),
    "a game dropped": lambda lines: lines.remove(game_of(lines)),
    "a game twice": lambda lines: lines.insert(lines.index(game_of(lines)), game_of(lines)),
    "seed": lambda lines: lines[-2].update(seed="11" * 32),
    "another bot": lambda lines: next(line for line in lines if line.get("spec") == "greedy").update(spec="random"),
    "an earlier line": lambda lines: lines[0].update(deals=3),
    "more iterations": lambda lines: lines[0].update(iterations=7),
    "commitment": lambda lines: lines[-1].update(before="00" * 32),
    "rules": lambda lines: lines[0].update(rules=77),
    "order": lambda lines: lines.reverse(),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_verify_finds_what_was_changed(finished: Path, tmp_path: Path, change: str) -> None:
    lines = [json.loads(line) for line in finished.read_text().splitlines()]
    CHANGES[change](lines)
    path = tmp_path / "board.jsonl"
    path.write_text(
        "".join(
            json.dumps(line, separators=(",", ":"), ensure_ascii=False) + "\n" for line in lines
        )
    )
    with pytest.raises(lampion.LampionError):
        list(verify_board(Board(path), replays=0 if change != "another bot" else None))


def test_games_that_its_bots_would_not_play_are_found_out(tmp_path: Path) -> None:
    """Everything is consistent, but greedy was entered and random has played."""
    board = new_board(tmp_path / "board.jsonl", deals=1)
    enter(board, "random")
    board.admit("greedy", "greedy")
    board.entries[1].spec = "random"
    list(play_round(board, 1))
    assert {one.not_replayed for one in verify_board(Board(board.path), replays=0)} == {"as asked"}
    with pytest.raises(lampion.InvalidRecord, match="the bots do not play like this"):
        list(verify_board(Board(board.path)))


def test_other_sources_are_not_played_again(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lampion.arena.proof.sources_of", lambda game: "other")
    reasons = {one.not_replayed for one in verify_board(Board(finished))}
    assert reasons <= {
        f"{name} played with other sources" for name in ("random", "greedy", "search")
    }


# --- the command ----------------------------------------------------------------------------------


def run(*words: str) -> Any:
    return CliRunner().invoke(main, ["leaderboard", *words])


def test_the_command_makes_a_board_and_a_page(tmp_path: Path) -> None:
    path, page = str(tmp_path / "board.jsonl"), tmp_path / "board.md"
    assert (
        run("new", path, ANY, "--players", "2", "--deals", "1", "--iterations", "5").exit_code == 0
    )
    assert run("new", path, ANY, "--iterations", "5").exit_code == 1, "nothing is overwritten"
    assert "No two entries have met yet" in run("page", path).output
    assert run("add", path, "random").exit_code == 0
    assert "2 games" in run("add", path, "search", "--name", "me", "--jobs", "1").output
    assert "there is an entry 'me'" in run("add", path, "greedy", "--name", "me").output
    verified = run("verify", path)
    assert verified.exit_code == 0 and "2 games: all true, 2 played again" in verified.output
    assert "2 games were not played again: as asked" in run("verify", path, "--replays", "0").output
    assert run("page", path, "--out", str(page)).exit_code == 0
    text = page.read_text()
    assert "| me | `search` |" in text and Board(Path(path)).waiting.commitment in text  # type: ignore[union-attr]
    assert run("verify", str(page)).exit_code == 1


def test_reading_changes_no_file_and_adding_drops_what_a_crash_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    add_line(path, b"one")
    path.write_bytes(path.read_bytes() + b"tw")
    assert whole_lines(path) == [b"one"] and path.read_bytes() == b"one\ntw"
    add_line(path, b"three")
    assert path.read_bytes() == b"one\nthree\n"
    path.write_bytes(b"a letter to my mother")
    for words in (["verify"], ["add", "greedy"], ["page"]):
        assert run(words[0], str(path), *words[1:]).exit_code == 1
    assert path.read_bytes() == b"a letter to my mother"
