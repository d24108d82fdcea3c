"""The page "add a game in an hour" shows the code as it is; its session is run as a doctest."""

from __future__ import annotations

import re
from importlib.metadata import distribution
from pathlib import Path

import pytest

from scripts import lines

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "add_a_game.md").read_text()
SNIPPETS = re.findall(r"^```(?:python|toml)\n# (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("file", "code"), SNIPPETS, ids=[file for file, _ in SNIPPETS])
def test_snippets_are_in_the_files(file: str, code: str) -> None:
    assert code in (ROOT / "examples" / file).read_text()


def test_every_block_of_code_names_its_file() -> None:
    assert len(SNIPPETS) == len(re.findall(r"^```(?:python|toml)$", PAGE, re.MULTILINE)) > 8


def test_the_page_mentions_every_file_of_the_game() -> None:
    for path in (ROOT / "examples" / "kuhn").rglob("*.*"):
        if path.suffix != ".pyc":
            assert f"`{path.name}`" in PAGE or f"`{path.parent.name}/`" in PAGE


@pytest.mark.parametrize("game", lines.games())
def test_the_page_counts_the_lines_of_all_examples(game: str) -> None:
    own, (spiel, pgx, *_) = lines.code_of(game), lines.PEERS[game]
    files = f"{own.files} file" + "s" * (own.files != 1)
    theirs = f"{spiel.lines} in {len(spiel.files)} | {pgx.lines} in {len(pgx.files)}"
    assert f"| {own.lines} lines in {files} | {theirs} |" in PAGE
    assert own.lines < min(spiel.lines, pgx.lines)


@pytest.mark.parametrize("game", lines.games())
def test_the_lines_of_openspiel_are_as_many_as_we_say(game: str) -> None:
    installed = distribution("open_spiel")
    for peer in lines.PEERS[game]:
        if "spiel" in peer.package:
            assert installed.version in peer.package
            files = [Path(str(installed.locate_file(file))) for file in peer.files]
            counted = [
                lines.lines_of_code(one.read_text("utf-8"), one.suffix == ".py") for one in files
            ]
            assert sum(counted) == peer.lines


def test_the_page_counts_what_others_have_in_python_too() -> None:
    own, (*_, python) = lines.code_of("kuhn"), lines.PEERS["kuhn"]
    assert f"{python.lines} lines in {len(python.files)} file." in PAGE
    assert own.lines < python.lines


def test_the_smallest_game_is_small() -> None:
    """Everything that its author wrote, with blank lines, comments and texts."""
    folder = ROOT / "examples" / "kuhn"
    written = [path for path in folder.rglob("*") if path.suffix in (".py", ".toml", ".md")]
    count = sum(len(path.read_text("utf-8").splitlines()) for path in written)
    assert f"{len(written)} files and\n{count} lines in all" in PAGE
    assert len(written) <= 6 and count <= 180
    others = {path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert others == {*written}, "nothing else belongs to it"
