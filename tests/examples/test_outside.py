"""Games outside the package: found by the command, cached without growing stale, played by the bots."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import lampion
from lampion.bots.knowledge import what_would_help
from lampion.bots.levels import make_player
from lampion.cli.main import main
from lampion.core.compile import IS_ENABLED
from lampion.core.match import Match
from lampion.core.names import own_game_names
from lampion.core.rng import new_rng
from tests.examples.support import FOLDER, install
from tests.support import EXAMPLES

PROGRAMS = Path(sys.executable).parent


def run(program: str, *words: str, path: Path, **environment: str) -> str:
    """A program of this environment that finds the games in a folder, and what is installed there."""
    variables = {**os.environ, "PYTHONPATH": str(path), **environment}
    return subprocess.run(
        [PROGRAMS / program, *words], env=variables, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    return install(tmp_path)


def test_the_project_file_names_all_games() -> None:
    project = (FOLDER / "pyproject.toml").read_text()
    assert all(f'\n{name} = "{name}"\n' in project for name in EXAMPLES)


def test_the_command_finds_installed_games(installed: Path) -> None:
    listed = run("lampion", "games", "--json", path=installed)
    assert set(EXAMPLES) <= {json.loads(line)["game"] for line in listed.splitlines()}


@pytest.mark.parametrize("game", EXAMPLES)
def test_records_of_installed_games_verify(installed: Path, game: str) -> None:
    """With two processes, each of which has to find the game by itself; one plays 50 games at a time."""
    file = installed / "games.jsonl"
    run(
        "lampion",
        "simulate",
        game,
        "--games",
        "51",
        "--jobs",
        "2",
        "--out",
        str(file),
        path=installed,
        LAMPION_COMPILE="0",
    )
    assert len(file.read_text().splitlines()) == 51
    run("lampion", "verify", str(file), path=installed, LAMPION_COMPILE="0")


@pytest.mark.skipif(not IS_ENABLED, reason="nothing is compiled in this run")
def test_an_edit_of_a_game_outside_is_noticed(installed: Path) -> None:
    """A board with five rows has the same records as one with six, so nothing but the sources tells them apart."""
    code = """
import lampion
match = lampion.new("connect_four", 2, seed=1)
for _ in range(5):
    match.submit("a")
print(len(match.legal_actions()))
"""
    assert run("python", "-c", code, path=installed) == "7"
    rules = installed / "connect_four" / "rules.py"
    rules.write_text(
        rules.read_text().replace("NUM_COLUMNS, NUM_ROWS = 7, 6", "NUM_COLUMNS, NUM_ROWS = 7, 5")
    )
    assert run("python", "-c", code, path=installed) == "6"


def test_search_wins_coins_where_cards_are_hidden() -> None:
    """In poker luck decides a hand, so it is coins in many hands that count; every deal is played
    from both sides."""
    won = 0
    for number in range(200):
        seat, rng = number % 2, new_rng(number)
        players = {seat: make_player("search:200"), 1 - seat: make_player("random")}
        match = lampion.new("leduc", 2, seed=number // 2)
        while not match.is_over:
            actor = match.to_act
            legal, budget = match.legal_ids(), players[actor].budget
            bot = players[actor].bot
            match.submit(bot.choose(match.seen_from(actor), actor, legal, budget, rng))
        won += match.scores[seat] - match.scores[1 - seat]
    assert won > 200, f"{won} coins in 200 hands"


def test_commands_say_what_would_help_bots() -> None:
    words = ["arena", "connect_four", "greedy", "random", "--games", "2", "--jobs", "1", "--json"]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 0, done.output
    assert "Connect Four has no module `knowledge`" in " ".join(done.stderr.split())
    assert all(not what_would_help(lampion.find_game(name)) for name in own_game_names())


@pytest.mark.parametrize("game", ["connect_four", "hex"])
def test_search_beats_random_play_without_being_told_anything(game: str) -> None:
    rng = new_rng(1)
    for seat in range(2):
        players = {seat: make_player("search:500"), 1 - seat: make_player("random")}
        match = Match(lampion.find_game(game), 2)
        while not match.is_over:
            actor = match.to_act
            player = players[actor]
            match.submit(
                player.bot.choose(
                    match.seen_from(actor), actor, match.legal_ids(), player.budget, rng
                )
            )
        assert match.winners == [seat]
