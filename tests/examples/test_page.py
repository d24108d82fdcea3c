"""The page "add a game in an hour" shows the code as it is; its session is run as a doctest."""

from __future__ import annotations

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
