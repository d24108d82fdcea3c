"""Options and variants as data, with a toy game that has an option of every kind."""

from __future__ import annotations

import json
import random
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

import lampion
from lampion.cli.main import main
from lampion.core.game import Game, find_game
from lampion.core.messages import catalog, option_text
from lampion.core.options import ChoiceOption, NumberOption, Option, options_schema, text_keys
from lampion.core.variants import STANDARD, VARIANT, declared_options, variant_names
from lampion.server import wire
from tests.support import ALL_GAMES, OWN, play_on
from tests.toys import nim

lampion.register(nim)
GAME: Game = find_game("nim")
DECLARED = declared_options(GAME)


def new(players: int = 2, **options: str) -> lampion.Match:
    return lampion.new("nim", players, seed=1, options=options)


def test_a_match_without_options_has_the_defaults() -> None:
    assert new().view()["heaps"] == [3, 4, 5, 0]
    assert "a4" not in new().legal_actions()
    defaults = {option.name: option.default for option in DECLARED}
    assert new(2, **defaults).state == new().state


def test_every_kind_of_option_reaches_the_rules() -> None:
    match = new(last="loses", most="9", heaps="9 1")
    match.submit("a9")
    match.submit("b1")
    assert match.winners == [0]
    assert new(most="1").legal_actions() == ["a1", "b1", "c1"]


def test_a_variant_changes_the_state_after_the_options() -> None:
    assert new(variant="one_heap", heaps="1 2").view()["heaps"] == [3, 0, 0, 0]
    assert new(variant=STANDARD).state == new().state


@pytest.mark.parametrize(
    ("players", "name", "value", "code"),
    [
        (2, "last", "draws", "invalid-option"),
        (2, "last", "", "invalid-option"),
        (2, "most", "0", "invalid-option"),
        (2, "most", "10", "invalid-option"),
        (2, "most", "03", "invalid-option"),
        (2, "most", "three", "invalid-option"),
        (2, "heaps", "1 2 10", "invalid-option"),
        (2, "heaps", "1 2 " * 50, "invalid-option"),
        (2, "heaps", "", "invalid-option"),
        (2, "variant", "nothing", "invalid-option"),
        (2, "size", "3", "unknown-option"),
        (3, "most", "4", "option-not-for-players"),
    ],
)
def test_a_wrong_option_is_refused_with_its_code_and_place(
    players: int, name: str, value: str, code: str
) -> None:
    with pytest.raises(lampion.InvalidOptions) as refused:
        new(players, **{name: value})
    assert (refused.value.code, refused.value.where) == (code, f"options.{name}")
    record = json.loads(lampion.dump(new(players)))
    record["options"] = {name: value}
    with pytest.raises(lampion.InvalidOptions) as in_a_record:
        lampion.load(json.dumps(record))
    assert (in_a_record.value.code, in_a_record.value.where) == (code, f"options.{name}")


def test_the_default_is_taken_with_any_number_of_players() -> None:
    """Records may name it."""
    assert new(3, most="3").state == new(3).state


@pytest.mark.parametrize(
    "declare",
    [
        lambda: ChoiceOption("x", "c", choices=("a", "b")),
        lambda: NumberOption("x", "9", least=1, most=8),
    ],
)
def test_a_declaration_with_a_wrong_default_is_a_mistake(declare: object) -> None:
    assert callable(declare)
    with pytest.raises(AssertionError, match="the default is"):
        declare()


def test_a_record_says_which_options_and_variant() -> None:
    match = new(variant="one_heap", last="loses")
    for _ in play_on(match, random.Random(1)):
        pass
    record = json.loads(lampion.dump(match))
    assert record["options"] == {"variant": "one_heap", "last": "loses"}
    assert lampion.load(json.dumps(record)).state == match.state


def test_the_schema_takes_what_the_game_takes() -> None:
    schema = options_schema(GAME.TITLE, DECLARED)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for option in DECLARED:
        for value in (option.default, *option.samples):
            assert validator.is_valid({option.name: value})
    for wrong in ({"last": "draws"}, {"most": "10"}, {"most": 3}, {"heaps": ""}, {"size": "3"}):
        assert not validator.is_valid(wrong)


def test_declarations_cross_the_wire() -> None:
    info = wire.GameInfo("nim", "Nim", "", [2, 3], list(DECLARED))
    sent = msgspec.json.decode(msgspec.json.encode(info))["options"]
    assert [(option["kind"], option["name"], option["default"]) for option in sent] == [
        ("choice", "last", "wins"),
        ("number", "most", "3"),
        ("text", "heaps", "3 4 5"),
        ("choice", VARIANT, STANDARD),
    ]
    assert sent[1]["players"] == [2]
    assert sent[3]["choices"] == [STANDARD, "one_heap"]


def test_the_command_line_lists_and_takes_them() -> None:
    shown = CliRunner().invoke(main, ["games"]).stdout
    assert "most = 3, or a whole number from 1 to 9 (with 2 players)" in shown
    assert "variant=one_heap" in shown
    words = ["simulate", "nim", "-p", "2", "--option", "heaps=1 2", "--option", "variant=one_heap"]
    record = json.loads(CliRunner().invoke(main, words).stdout)
    assert record["options"] == {"heaps": "1 2", "variant": "one_heap"}


@pytest.mark.parametrize("name", ALL_GAMES)
def test_every_declaration_is_sound(name: str) -> None:
    game = find_game(name)
    names = [option.name for option in declared_options(game)]
    assert len(set(names)) == len(names)
    assert VARIANT not in [option.name for option in game.OPTIONS], "it is for variants"
    for option in declared_options(game):
        assert set(option.players) <= set(game.NUM_PLAYERS)
        assert option.is_valid(option.default)
        assert option.samples and all(option.is_valid(value) for value in option.samples)


@pytest.mark.parametrize("language", ["en", "fr", "it"])
@pytest.mark.parametrize("name", OWN)
def test_every_option_and_variant_has_its_texts(name: str, language: str) -> None:
    for option in declared_options(find_game(name)):
        for key in text_keys(option):
            assert option_text(name, key, language), key
    for variant in variant_names(find_game(name)):
        assert option_text(name, f"{VARIANT}.{variant}.help", language)


def test_texts_of_options_that_are_no_more_are_gone() -> None:
    for name in OWN:
        options: list[Option] = list(declared_options(find_game(name)))
        known = {key for option in options for key in text_keys(option)}
        known |= {f"{key}.help" for key in known}
        assert set(_own_texts(name)) <= known


def _own_texts(name: str) -> dict[str, str]:
    return catalog(Path(find_game(name).__file__).parent, "en").get("options", {})
