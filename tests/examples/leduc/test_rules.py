"""Leduc poker rule by rule."""

from __future__ import annotations

import pytest

import lampion
from lampion.core.match import Match
from lampion.core.types import SPECTATOR


def after(*actions: str, players: int = 2) -> Match:
    match = Match(lampion.find_game("leduc"), players)
    for action in actions:
        match.submit(action)
    return match


DEALT = ("deal J", "deal K")


def test_the_deck_has_two_cards_of_each_rank_and_one_rank_more_than_players() -> None:
    """P1."""
    assert after().legal_actions() == ["deal J", "deal Q", "deal K"]
    assert after("deal J").chance_weights().tolist() == [1, 2, 2]
    assert after("deal J", "deal J").to_act == 0
    assert len(after(players=8).legal_actions()) == 9


def test_a_card_is_for_the_eyes_of_its_player() -> None:
    """P1."""
    match = after(*DEALT)
    assert match.view(0)["card"] == ["J", None]
    assert match.view(1)["card"] == [None, "K"]
    assert match.view(SPECTATOR)["card"] == [None, None]
    assert [text for _, text in match.log.read_by(1)] == ["deal ?", "deal K"]


def test_nobody_folds_who_need_not_pay() -> None:
    """P3."""
    match = after(*DEALT)
    assert match.legal_actions() == ["call", "raise"]
    with pytest.raises(lampion.IllegalAction, match="nothing to pay") as refused:
        match.submit("fold")
    assert refused.value.rule == "P3"


def test_a_round_has_two_raises_at_most() -> None:
    """P3."""
    match = after(*DEALT, "raise", "raise")
    assert match.legal_actions() == ["fold", "call"]
    assert match.view()["paid"] == [6, 10]


def test_the_second_round_costs_twice_as_much() -> None:
    """P3, P4."""
    match = after(*DEALT, "call", "call", "turn Q", "raise")
    assert match.view()["paid"] == [10, 2]


def test_the_first_player_who_is_left_begins_the_second_round() -> None:
    """P2."""
    match = after(
        "deal J",
        "deal Q",
        "deal K",
        "raise",
        "call",
        "call",
        "turn T",
        "raise",
        "fold",
        "call",
        players=3,
    )
    assert match.legal_actions() == ["show"]
    match = after(
        "deal J", "deal Q", "deal K", "call", "raise", "call", "fold", "turn T", players=3
    )
    assert match.to_act == 1


def test_the_last_one_left_takes_the_pot_and_shows_nothing() -> None:
    """P5."""
    match = after(*DEALT, "raise", "fold")
    assert match.scores == [28, 24]
    assert match.view(1)["card"] == [None, "K"]


@pytest.mark.parametrize(
    ("cards", "scores"),
    [(("J", "K", "Q"), [24, 28]), (("J", "K", "J"), [28, 24]), (("Q", "Q", "K"), [26, 26])],
)
def test_a_pair_beats_the_higher_card_and_equal_hands_share(
    cards: tuple[str, ...], scores: list[int]
) -> None:
    """P6."""
    first, second, table = cards
    calls = ("call", "call")
    match = after(f"deal {first}", f"deal {second}", *calls, f"turn {table}", *calls, "show")
    assert match.scores == scores
    assert match.view()["card"] == [first, second]


def test_a_call_tells_nothing_about_the_others_card() -> None:
    """The cards are shown by an action of its own, so what a call would do is the same whatever
    others hold."""
    rest = ("call", "call", "turn Q", "call")
    assert (
        after("deal J", "deal K", *rest).previews() == after("deal Q", "deal K", *rest).previews()
    )
