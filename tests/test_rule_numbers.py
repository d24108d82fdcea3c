"""Every numbered rule of a rulebook is cited: by at least one test, and by the function that does
it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lampion.core.game import find_game
from tests.support import ALL_GAMES

TESTS = Path(__file__).parent
HEADING = re.compile(r"^#+ ([A-Z][0-9]+) ", re.MULTILINE)
RANGE = re.compile(r"\b([A-Z])([0-9]+)(?:-| to )\1([0-9]+)\b")


def rules_of(game: str) -> list[str]:
    rulebook = Path(find_game(game).__file__).parent / "rulebook" / "en.md"
    return HEADING.findall(rulebook.read_text("utf-8"))


def cited_in(texts: Iterator[str]) -> set[str]:
    """Numbers by themselves, and those within a range such as L9-L12."""
    text = "\n".join(texts)
    found = set(re.findall(r"\b[A-Z][0-9]{1,2}\b", text))
    for letter, first, last in RANGE.findall(text):
        found |= {f"{letter}{number}" for number in range(int(first), int(last) + 1)}
    return found


def files_of_tests(game: str) -> list[Path]:
    folders = [TESTS / "games" / game, TESTS / "examples" / game]
    return [file for folder in folders for file in folder.rglob("test_*.py")]


def words_of_tests(source: str) -> Iterator[str]:
    """What a test says of itself: its name, its docstring and its decorators. A heading above many
    tests says nothing about any of them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name.upper().replace("_", " ")
            yield ast.get_docstring(node) or ""
            yield from (ast.unparse(decorator) for decorator in node.decorator_list)


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_rule_is_cited_by_a_test(game: str) -> None:
    assert rules_of(game), "a rulebook has numbered rules"
    words = (
        text for file in files_of_tests(game) for text in words_of_tests(file.read_text("utf-8"))
    )
    assert sorted(set(rules_of(game)) - cited_in(words)) == []


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_rule_is_cited_by_the_code(game: str) -> None:
    sources = list(Path(find_game(game).__file__).parent.glob("*.py"))
    assert sorted(set(rules_of(game)) - cited_in(file.read_text("utf-8") for file in sources)) == []


def test_only_what_a_test_says_counts() -> None:
    source = '''
# --- set-up: L1 to L5 ---
def helper():
    """L6."""
@parametrize("rule", ["L8"])
def test_one():
    """L7, L10-L12."""
    play("L9")  # L13
def test_l14_ends_the_game(): ...
'''
    cited = cited_in(words_of_tests(source))
    assert cited == {"L7", "L8", "L10", "L11", "L12", "L14"}
