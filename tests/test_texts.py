"""Rulebooks and message catalogs are complete in every language."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path

import pytest

import lampion
from lampion.core.compile import PACKAGE
from lampion.core.game import find_game
from lampion.core.messages import DEFAULT, catalog, error_text, event_key, languages
from lampion.core.sentences import Reader, sentences
from lampion.core.types import SPECTATOR
from scripts import web_art
from tests.support import GAMES, Case, every_case, finished

LANGUAGES = ("en", "fr", "it")
ABBREVIATED = "score."
"""Names of columns in which most are shorter than the word, in one language or another."""
HOW_TOLD = ("events", "details", "gets")
"""The sections of a catalog that tell events (`core.sentences`)."""
_HEADING = re.compile(r"^### ([A-Z]\d+) · (.+)$", re.MULTILINE)
_MARKED = re.compile(r"^### ([A-Z]\d+) ·|^!\[([^\]]+)\]\(example:([a-z-]+)\)$", re.MULTILINE)
"""A numbered rule, or the place of a drawn example with its words and its name."""


def folder_of(game: str) -> Path:
    return Path(find_game(game).__file__).parent


def test_three_languages_from_the_first_day() -> None:
    assert set(LANGUAGES) <= set(languages())


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_is_in_the_rulebook_once_and_in_order(game: str, language: str) -> None:
    numbers = [
        found[0]
        for found in _HEADING.findall(
            (folder_of(game) / "rulebook" / f"{language}.md").read_text("utf-8")
        )
    ]
    letter = numbers[0][0]
    assert numbers == [f"{letter}{number}" for number in range(1, len(numbers) + 1)]
    english = (folder_of(game) / "rulebook" / "en.md").read_text("utf-8")
    assert len(numbers) == len(_HEADING.findall(english))


def examples_of(game: str, language: str) -> list[tuple[str, str, str]]:
    """The drawn examples of a rulebook in order: rule (empty before the first), name, words."""
    found, rule = [], ""
    for mark in _MARKED.finditer(
        (folder_of(game) / "rulebook" / f"{language}.md").read_text("utf-8")
    ):
        if mark[1]:
            rule = mark[1]
        else:
            found.append((rule, mark[3], " ".join(mark[2].split())))
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_same_drawn_examples_are_at_the_same_rules_in_every_language(game: str) -> None:
    english = [(rule, name) for rule, name, _ in examples_of(game, "en")]
    assert len(english) >= 5
    assert len({name for _, name in english}) == len(english)
    for language in LANGUAGES:
        assert [(rule, name) for rule, name, _ in examples_of(game, language)] == english


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_drawn_example_is_found_and_has_words_of_its_own(game: str, language: str) -> None:
    book = (folder_of(game) / "rulebook" / f"{language}.md").read_text("utf-8")
    words = [each for _, _, each in examples_of(game, language)]
    assert book.count("](example:") == len(set(words))
    assert all(len(each) > 20 and each.endswith(".") for each in words)


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_named_by_an_action_is_in_the_rulebook(game: str) -> None:
    numbers = {
        found[0]
        for found in _HEADING.findall((folder_of(game) / "rulebook" / "en.md").read_text("utf-8"))
    }
    assert {block.rule for block in find_game(game).ACTIONS.blocks} <= numbers


@pytest.mark.parametrize("game", ["", *GAMES])
@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogs_have_the_same_keys_and_values_in_all_languages(game: str, language: str) -> None:
    folder = folder_of(game) if game else PACKAGE
    english, other = catalog(folder, "en"), catalog(folder, language)
    assert set(english) == set(other)
    for section in set(english) - {"errors"}:
        assert set(english[section]) == set(other[section]), section
        for key, sentence in english[section].items():
            assert fields(sentence) >= fields(other[section][key]), (section, key)


def fields(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_action_has_a_name(game: str) -> None:
    kinds = catalog(folder_of(game), "en")["kinds"]
    assert {block.name for block in find_game(game).ACTIONS.blocks} <= set(kinds)


def languages_of(game: str) -> tuple[str, ...]:
    """A game outside the package may have English texts alone (docs/add_a_game.md)."""
    if game in GAMES:
        return LANGUAGES
    return tuple(language for language in LANGUAGES if catalog(folder_of(game), language))


@every_case
def test_every_event_can_be_told_in_every_language(case: Case) -> None:
    match = finished(case, 1)
    for ply in range(match.ply):
        events = match.events(ply)
        for language in languages_of(case.game):
            texts = catalog(folder_of(case.game), language)
            for event in events:
                told = [name for name in HOW_TOLD if event_key(event) in texts.get(name, {})]
                assert len(told) == 1, event_key(event)
            for seat in (SPECTATOR, 0):
                assert sentences(events, Reader(case.game, match.names, language, seat))


def all_codes(kind: type[lampion.LampionError]) -> set[str]:
    return {kind.code}.union(*(all_codes(below) for below in kind.__subclasses__()))


@pytest.mark.parametrize("language", ["fr", "it"])
def test_every_kind_of_error_has_a_sentence(language: str) -> None:
    told = set(catalog(PACKAGE, language)["errors"])
    assert all_codes(lampion.LampionError) - {"error", "refused"} <= told
    assert told == set(catalog(PACKAGE, "fr")["errors"])


def test_a_refusal_is_told_in_the_language_of_the_player() -> None:
    match = lampion.new("lanterns", 2, seed=1)
    with pytest.raises(lampion.IllegalAction) as refused:
        match.submit("pass")
    assert (
        error_text(refused.value, "en")
        == "pass is not allowed here: you may pass only in the final round"
    )
    assert (
        error_text(refused.value, "fr")
        == "pass n’est pas permis ici : on ne passe que dans la manche finale"
    )
    assert (
        error_text(refused.value, "it") == "pass qui non è permesso: si passa solo nel giro finale"
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_board_takes_the_words_for_pieces_from_the_catalog_of_its_game(game: str) -> None:
    """A text of a board that says the same in every language under the same name has two homes."""
    boards = Path(__file__).parents[1] / "web" / "src" / "boards" / game / "messages"
    told = {
        language: json.loads((boards / language / "board.json").read_text("utf-8"))
        for language in languages()
    }
    known = {
        language: {
            key: value
            for section in web_art.WORDS
            for key, value in catalog(folder_of(game), language).get(section, {}).items()
        }
        for language in languages()
    }
    twice = [
        key
        for key in told[DEFAULT]
        if not key.startswith(ABBREVIATED)
        and all(
            known[language].get(key.rpartition(".")[2]) == told[language].get(key, "")
            for language in languages()
        )
    ]
    assert twice == []
