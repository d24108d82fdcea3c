"""Errors say what is wrong, by which rule, where, and by which code; to people in their language."""

from __future__ import annotations

import pickle

import pytest

import lampion
from lampion.core.components import parse_components
from lampion.core.errors import (
    IllegalAction,
    InvalidAction,
    InvalidComponents,
    InvalidRecord,
    LampionError,
    Refused,
)
from lampion.core.gamelog import read_record, record_schema, write_record
from lampion.core.messages import error_text, languages, reason


def refusal() -> Refused:
    """An exchange at the start of a game, where nobody has favors."""
    match = lampion.new("lanterns", 2, seed=1)
    with pytest.raises(IllegalAction) as caught:
        match.submit("xR>O")
    return caught.value


def test_an_error_is_one_line_with_rule_place_and_code() -> None:
    error = LampionError("this is wrong", code="wrong", where="line 3", rule="L6")
    assert str(error) == "this is wrong (rule L6) at line 3 [wrong]"
    assert str(LampionError("this is wrong")) == "this is wrong [error]"


def test_an_error_crosses_the_border_of_a_process_whole() -> None:
    error = refusal()
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is type(error)
    assert vars(copy) == vars(error) and str(copy) == str(error)


def test_a_refusal_is_told_in_every_language_with_its_reason() -> None:
    error = refusal()
    told = {language: error_text(error, language) for language in languages()}
    assert len(set(told.values())) == len(told), "no language repeats another's"
    for language, sentence in told.items():
        assert "xR>O" in sentence
        assert reason("lanterns", str(error.values["key"]), language) in sentence


def test_a_language_without_a_sentence_for_a_code_tells_it_in_english() -> None:
    error = LampionError("something new", code="never-heard-of")
    assert error_text(error, "fr") == "something new"


def test_invalid_notation_is_cut_and_answered_with_an_example() -> None:
    error = InvalidAction.unreadable("z" * 1000, "c5=6")
    assert error.message == f"'{'z' * 40}' is not valid notation; expected something like c5=6"
    assert error_text(error, "fr").startswith("z" * 40 + " ")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"{", "invalid-json"),
        (b"\xff\xfe", "invalid-json"),
        (b"[]", "invalid-record"),
        (b'{"format": "lampion-record/2"}', "invalid-record"),
    ],
)
def test_an_invalid_record_is_refused_with_its_place(data: bytes, code: str) -> None:
    with pytest.raises(InvalidRecord) as caught:
        read_record(data, "game.json")
    assert (caught.value.code, caught.value.where) == (code, "game.json")
    assert caught.value.message.startswith("not a valid ")


def test_a_record_is_read_as_it_was_written_and_has_a_schema() -> None:
    record = read_record(lampion.dump(lampion.new("lumens", 2, seed=1)))
    assert read_record(write_record(record)) == record
    required = record_schema()["$defs"]["GameRecord"]["required"]
    assert {"format", "game", "rules", "log"} <= set(required)


@pytest.mark.parametrize("data", [b"\xff", b"{", b"a = ", b"= 1"])
def test_what_is_no_components_file_is_refused_with_its_name(data: bytes) -> None:
    with pytest.raises(InvalidComponents, match="not a valid TOML or JSON file") as caught:
        parse_components(data, "pieces.toml")
    assert (caught.value.code, caught.value.where) == ("invalid-toml", "pieces.toml")
