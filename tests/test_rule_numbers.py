"""Every numbered rule of a rulebook is cited: by at least one test, and by the function that does
it."""

from __future__ import annotations

import re
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


def cited_in(files: list[Path]) -> set[str]:
    """Numbers by themselves, and those within a range such as L9-L12."""
    text = "\n".join(file.read_text("utf-8") for file in files)
    found = set(re.findall(r"\b[A-Z][0-9]{1,2}\b", text))
    for letter, first, last in RANGE.findall(text):
        found |= {f"{letter}{number}" for number in range(int(first), int(last) + 1)}
    return found


def files_of_tests(game: str) -> list[Path]:
    folders = [TESTS / "games" / game, TESTS / "examples" / game]
    return [file for folder in folders for file in folder.rglob("test_*.py")]


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_rule_is_cited_by_a_test(game: str) -> None:
    assert rules_of(game), "a rulebook has numbered rules"
    assert sorted(set(rules_of(game)) - cited_in(files_of_tests(game))) == []


@pytest.mark.parametrize("game", ALL_GAMES)
def test_every_rule_is_cited_by_the_code(game: str) -> None:
    sources = list(Path(find_game(game).__file__).parent.glob("*.py"))
    assert sorted(set(rules_of(game)) - cited_in(sources)) == []
