"""Connect Four rule by rule."""

from __future__ import annotations

import pytest

import lampion
from lampion.core.match import Match
from lampion.core.types import GAME_OVER


def after(columns: str) -> Match:
    match = Match(lampion.find_game("connect_four"), 2)
    for column in columns:
        match.submit(column)
    return match


@pytest.mark.parametrize("columns", ["agagaga", "aabbccd", "abbccdcddgd", "agffeededdad"])
def test_four_in_line_win(columns: str) -> None:
    """C3: up, along a row, and on both diagonals; the last one is for player 1."""
    match = after(columns)
    assert match.to_act == GAME_OVER
    assert match.winners == [(len(columns) + 1) % 2]
    assert match.events()[-1]["event"] == "four_in_line"


def test_a_line_does_not_go_on_in_the_next_column() -> None:
    """Two discs at the top of a column and two at the bottom of the next."""
    match = after("babaaaaca")
    assert [row[:2] for row in match.view()["board"]] == ["x.", "x.", "o.", "x.", "ox", "ox"]
    assert not match.is_over


def test_a_full_column_is_refused() -> None:
    """C2."""
    match = after("aaaaaa")
    assert match.legal_actions() == list("bcdefg")
    with pytest.raises(lampion.IllegalAction, match="this column is full") as refused:
        match.submit("a")
    assert refused.value.rule == "C2"


def test_a_full_board_is_a_draw() -> None:
    """C4."""
    match = after("aaaaaabbbbbbccccccedddddd" + "eeeeeffffffgggggg")
    assert match.scores == [0, 0]
    assert match.winners == [0, 1]


@pytest.mark.parametrize("text", ["h", "", "ab", "A", "1"])
def test_other_texts_are_no_notation(text: str) -> None:
    with pytest.raises(lampion.InvalidAction):
        after("").submit(text)


def test_there_are_no_options_and_no_pieces_to_change() -> None:
    game = lampion.find_game("connect_four")
    with pytest.raises(lampion.InvalidOptions, match="no option"):
        Match(game, 2, {"rows": "7"})
    with pytest.raises(lampion.InvalidComponents):
        game.read_components(b"{}")


def test_the_board_is_empty_at_the_start_and_player_0_begins() -> None:
    """C1."""
    match = after("")
    assert match.view()["board"] == ["......."] * 6
    assert match.to_act == 0
