"""The checker of prose finds what it should, and the repository is clean (`make lint`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import prose


def found_in(text: str, name: str, tmp_path: Path) -> list[str]:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    lines = prose.prose_of(path)
    found = sorted([*prose.phrases(path, lines), *prose.spelling({path: lines})])
    return [f"{each.line}:{each.found}" for each in found]


def test_the_prose_of_the_repository_is_clean() -> None:
    assert [str(each) for each in prose.findings()] == []


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("page.md", "One\n\nThe colour.\n", ["3:colour"]),
        ("page.md", "Build it anew, whoever you are.", ["1:anew", "1:whoever"]),
        ("page.md", "`colour` and\n```\nanew\n```\n", []),
        ("code.py", '"""A favour."""\ncolour = 1  # of somebody\n', ["1:favour", "2:somebody"]),
        ("code.py", 'x = f"{x} of those who play"\n', ["1:those who"]),
        ("en.toml", 'colour = "a color"\nhonor = "honour is due"\n', ["2:honour"]),
    ],
)
def test_it_finds_phrases_and_spelling_in_prose_only(
    name: str, text: str, found: list[str], tmp_path: Path
) -> None:
    assert found_in(text, name, tmp_path) == found


def test_a_finding_names_the_place_and_the_better_word(tmp_path: Path) -> None:
    finding = prose.Finding(prose.ROOT / "docs" / "a.md", 7, "anew", "again")
    assert str(finding) == "docs/a.md:7: 'anew'; better: again"
