"""Any bytes end in success or in a clean error with a code: never a traceback of another kind, never a change."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lampion
from lampion.core.game import find_game
from tests.support import GAMES, Case, finished

LETTERS = "ROGBPWKxd+-r@,>:0123456789 passundoetskiplmc=?#\u0661"

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
ANY_JSON = st.recursive(
    LEAVES,
    lambda some: (
        st.lists(some, max_size=4) | st.dictionaries(st.text(max_size=8), some, max_size=4)
    ),
)


def error_is_clean(error: lampion.LampionError) -> bool:
    return bool(error.code) and "\n" not in str(error) and str(error).endswith("]")


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=300, deadline=None)
@given(text=st.one_of(st.text(max_size=60), st.text(LETTERS, max_size=20)))
def test_any_text_is_an_action_or_refused(game: str, text: str) -> None:
    match = lampion.new(game, 2, seed=1)
    before = match.state.tobytes()
    try:
        match.submit(text)
    except lampion.Refused as refused:
        assert error_is_clean(refused)
        assert match.state.tobytes() == before
    else:
        assert match.log


@settings(max_examples=300, deadline=None)
@given(data=st.one_of(st.binary(max_size=200), st.text(max_size=200), ANY_JSON.map(json.dumps)))
def test_any_bytes_are_a_record_or_refused(data: bytes | str) -> None:
    with pytest.raises(lampion.LampionError) as refused:
        lampion.load(data)
    assert error_is_clean(refused.value)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=150, deadline=None)
@given(choices=st.data())
def test_a_damaged_record_is_refused_or_still_a_record(game: str, choices: st.DataObject) -> None:
    record = json.loads(lampion.dump(finished(Case(game, 2, {}), 3)))
    damage(record, choices)
    try:
        lampion.load(json.dumps(record))
    except lampion.LampionError as error:
        assert error_is_clean(error)


def damage(record: dict[str, object], choices: st.DataObject) -> None:
    junk = st.one_of(
        st.none(),
        st.integers(-3, 10**9),
        st.text(max_size=5),
        st.lists(st.integers(), max_size=3),
        st.booleans(),
    )
    log = record["log"]
    assert isinstance(log, list)
    match choices.draw(st.sampled_from(["field", "entry", "actor", "swap", "cut", "undo"])):
        case "field":
            record[choices.draw(st.sampled_from(sorted(record)))] = choices.draw(junk)
        case "entry":
            log[choices.draw(st.integers(0, len(log) - 1))][1] = choices.draw(
                st.text(LETTERS, max_size=12)
            )
        case "actor":
            log[choices.draw(st.integers(0, len(log) - 1))][0] = choices.draw(
                st.one_of(st.integers(-2, 5), st.just("c"))
            )
        case "swap":
            a, b = (choices.draw(st.integers(0, len(log) - 1)) for _ in range(2))
            log[a], log[b] = log[b], log[a]
        case "cut":
            del log[choices.draw(st.integers(0, len(log) - 1)) :]
        case "undo":
            log.append([0, f"undo {choices.draw(st.integers(-3, 100))}"])


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(lampion.InvalidRecord):
        lampion.load("[" * 100_000)
    with pytest.raises(lampion.InvalidRecord):
        lampion.load('{"format":' * 50_000)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=100, deadline=None)
@given(data=st.one_of(st.binary(max_size=100), st.text(max_size=100).map(str.encode)))
def test_any_bytes_are_components_or_refused(game: str, data: bytes) -> None:
    with pytest.raises(lampion.InvalidComponents) as refused:
        find_game(game).read_components(data, "file")
    assert error_is_clean(refused.value)


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=100, deadline=None)
@given(options=st.dictionaries(st.text(max_size=10), st.text(max_size=10), min_size=1, max_size=3))
def test_any_options_are_taken_or_refused(game: str, options: dict[str, str]) -> None:
    try:
        lampion.new(game, 3, seed=1, options=options)
    except lampion.InvalidOptions as refused:
        assert error_is_clean(refused)
