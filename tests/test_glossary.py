"""Catalogs and rulebooks keep to the glossaries: one term per concept, in every language.

A glossary stands beside the catalogs it is for. That of the package holds for all texts, that of a
game for its own: its catalog, its rulebook, and what its board says in the client.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from lampion.core.game import own_game_names

ROOT = Path(__file__).parents[1]
PACKAGE, CLIENT = ROOT / "src" / "lampion", ROOT / "web" / "src"
LANGUAGES = ("en", "fr", "it")
_PLACEHOLDER = re.compile(r"\{[^{}]*\}")


def glossary(folder: Path, language: str) -> dict[str, list[str]]:
    """The words to avoid by the term to say instead."""
    file = folder / "messages" / "glossary" / f"{language}.toml"
    terms = tomllib.loads(file.read_text("utf-8")) if file.exists() else {}
    return {term["say"]: term["avoid"] for term in terms.values()}


def texts_in(file: Path) -> Iterator[tuple[str, str]]:
    """Every text of a file that people read, with its place."""
    content = file.read_text("utf-8")
    if file.suffix == ".md":
        yield file.name, " ".join(content.split())
    elif file.suffix == ".json":
        yield from json.loads(content).items()
    else:
        for section, texts in tomllib.loads(content).items():
            yield from ((f"{section}.{key}", text) for key, text in texts.items())


def files_of(folder: Path, language: str) -> list[Path]:
    """The texts of a package: its catalog, its rulebook, and those of a board."""
    places = f"messages/{language}.toml", f"rulebook/{language}.md", f"messages/{language}/*.json"
    return [file for place in places for file in sorted(folder.glob(place))]


def faults(files: list[Path], terms: dict[str, list[str]]) -> list[str]:
    return [
        f"{file.relative_to(ROOT)}, {place}: “{found[0]}”; say “{say}”"
        for say, avoid in terms.items()
        for pattern in [_pattern(avoid)]
        for file in files
        for place, text in texts_in(file)
        for found in pattern.finditer(_PLACEHOLDER.sub("…", text))
    ]


def _pattern(avoid: list[str]) -> re.Pattern[str]:
    words = "|".join(re.escape(word).replace(r"\*", r"\w*").replace(r"\ ", r"\s") for word in avoid)
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_texts_keep_to_the_glossary(language: str) -> None:
    games = [PACKAGE / "games" / game for game in own_game_names()]
    boards = [CLIENT / "boards" / game for game in own_game_names()]
    examples = [path for path in (ROOT / "examples").iterdir() if path.is_dir()]
    folders = [PACKAGE, CLIENT, *games, *boards, *examples]
    files = [file for folder in folders for file in files_of(folder, language)]
    assert len(files) > 3 * len(games)
    assert faults(files, glossary(PACKAGE, language)) == []


@pytest.mark.parametrize("game", own_game_names())
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_texts_of_a_game_keep_to_its_glossary(game: str, language: str) -> None:
    folder = PACKAGE / "games" / game
    files = files_of(folder, language) + files_of(CLIENT / "boards" / game, language)
    assert faults(files, glossary(folder, language)) == []


def test_a_word_to_avoid_is_found_in_any_form_and_across_lines() -> None:
    found = _pattern(["noirci*", "par quels yeux"]).findall("Noircissez ! Par\nquels yeux ?")
    assert found == ["Noircissez", "Par\nquels yeux"]
    assert not _pattern(["bot"]).search("un robot")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_apostrophe_is_a_curved_one(language: str) -> None:
    """As in print. A straight one beside it on the same screen looks like a slip."""
    packages = [PACKAGE, *(PACKAGE / "games" / game for game in own_game_names())]
    boards = [CLIENT, *(CLIENT / "boards" / game for game in own_game_names())]
    straight = [
        f"{file.relative_to(ROOT)}, {place}: {text}"
        for folder in [*packages, *boards]
        for file in files_of(folder, language)
        for place, text in texts_in(file)
        if re.search(r"\w'\w", text)
    ]
    assert straight == []
