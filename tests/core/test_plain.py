"""What a small game gets without writing it."""

from __future__ import annotations

import pytest

import lampion
from lampion.core import plain
from lampion.core.game import find_game
from lampion.core.match import Match
from tests.support import EXAMPLES

assert "kuhn" in EXAMPLES


def where(match: Match) -> str:
    """Where in the game an action of the first player is refused."""
    with pytest.raises(lampion.NotYourTurn) as refused:
        match.submit("bet", 0)
    return refused.value.where


def test_a_refusal_says_whose_turn_it_is_in_any_game() -> None:
    match = Match(find_game("kuhn"), 2)
    assert where(match) == "ply 0 (chance is to act)"
    for text in ("deal J", "deal K", "bet"):
        match.submit(text)
    assert where(match) == "ply 3 (player 1's turn)"
    match.submit("pass")
    assert where(match) == "ply 4 (the game is over)"


def test_a_game_without_a_file_of_pieces_takes_none() -> None:
    game = find_game("kuhn")
    assert game.read_components(None).is_standard
    with pytest.raises(lampion.InvalidComponents) as refused:
        game.read_components(b"cards = 4", "mine.toml")
    assert (refused.value.code, refused.value.where) == ("invalid-components", "mine.toml")


def test_without_a_set_up_a_game_begins_with_zeros_and_its_players() -> None:
    state_type = type(Match(find_game("kuhn"), 2).state)
    state = plain.new_state(state_type, None, 2, {}, None)
    zeros = state_type()
    assert [*state.differences(zeros)] == ["num_players"]
    assert state.num_players == 2  # type: ignore[attr-defined]
