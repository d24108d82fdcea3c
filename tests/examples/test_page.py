"""The page "add a game in an hour" shows the code as it is; its session is run as a doctest."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "add_a_game.md").read_text()
SNIPPETS = re.findall(r"^```(?:python|toml)\n# (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("file", "code"), SNIPPETS, ids=[file for file, _ in SNIPPETS])
def test_snippets_are_in_the_files(file: str, code: str) -> None:
    assert code in (ROOT / "examples" / file).read_text()


def test_every_block_of_code_names_its_file() -> None:
    assert len(SNIPPETS) == len(re.findall(r"^```(?:python|toml)$", PAGE, re.MULTILINE)) > 8


def test_the_page_mentions_every_file_of_the_game() -> None:
    for path in (ROOT / "examples" / "connect_four").glob("*.py"):
        assert f"`{path.name}`" in PAGE


def lines_of_code(source: str) -> int:
    """Lines that are neither blank nor a comment nor part of a docstring."""
    told: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told |= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(
        bool(line.strip()) and not line.strip().startswith("#") and number not in told
        for number, line in lines
    )


def test_the_page_counts_the_lines_of_the_third_example() -> None:
    files = {path.name: path.read_text() for path in (ROOT / "examples" / "leduc").glob("*.py")}
    _, _, drawing = files["__init__.py"].partition("# --- drawings")
    rules_and_drawing = lines_of_code(files["rules.py"]) + lines_of_code(f"#{drawing}")
    everything = sum(lines_of_code(source) for source in files.values())
    assert f"| Lampion: rules and drawing | 2 | {rules_and_drawing} |" in PAGE
    assert f"| Lampion: all of it | {len(files)} | {everything} |" in PAGE
