"""Hex rule by rule."""

from __future__ import annotations

import pytest

import lampion
from lampion.core.match import Match
from lampion.core.types import GAME_OVER


def after(cells: str) -> Match:
    match = Match(lampion.find_game("hex"), 2)
    for cell in cells.split():
        match.submit(cell)
    return match


def test_player_0_connects_top_and_bottom() -> None:
    """H3: a chain down column f while player 1 fills column a."""
    down = " ".join(f"f{row} a{row}" for row in range(1, 11))
    assert after(down).to_act == 0
    match = after(f"{down} f11")
    assert match.to_act == GAME_OVER
    assert match.winners == [0]
    assert [event["event"] for event in match.events()] == ["place", "edges_connected"]


def test_player_1_connects_left_and_right() -> None:
    """H3: the same along row 6; the last stone joins two chains in the middle."""
    along = " ".join(f"{column}1 {column}6" for column in "abcdeghijk")
    match = after(f"{along} a2 f6")
    assert match.winners == [1]


def test_cells_touch_along_one_diagonal_only() -> None:
    """H1: b1 and a2 touch, a1 and b2 do not."""
    columns = "abcdefghijk"
    others = [f"k{row}" for row in range(2, 12)]
    rising = [f"{column}{row}" for column, row in zip(reversed(columns), range(1, 12), strict=True)]
    falling = [f"{column}{row}" for column, row in zip(columns, range(1, 12), strict=True)]
    assert after(in_turn(rising, others)).winners == [0]
    assert not after(in_turn(falling[:-1], [f"k{row}" for row in range(1, 10)])).is_over


def in_turn(first: list[str], second: list[str]) -> str:
    """Both play their cells in order; the first player has one more."""
    pairs = [f"{one} {other}" for one, other in zip(first, second, strict=False)]
    return " ".join([*pairs, first[-1]])


def test_a_taken_cell_is_refused() -> None:
    """H2."""
    match = after("f6")
    assert len(match.legal_actions()) == 120
    with pytest.raises(lampion.IllegalAction, match="a stone on this cell") as refused:
        match.submit("f6")
    assert refused.value.rule == "H2"


@pytest.mark.parametrize("text", ["l1", "a0", "a12", "a01", "F6", ""])
def test_other_texts_are_no_notation(text: str) -> None:
    with pytest.raises(lampion.InvalidAction):
        after("").submit(text)


def test_cells_are_named_by_column_and_row() -> None:
    """H1."""
    texts = after("").legal_actions()
    assert texts[:2] == ["a1", "b1"]
    assert texts[11] == "a2"
    assert after("f6").view()["board"][5] == ".....x....."
