"""What the coach of Lanterns Dice says of cards."""

from __future__ import annotations

from lampion.core.comparison import compare
from lampion.core.match import Match
from lampion.core.position import Position
from lampion.games.lanterns_dice.coach import reasons
from tests.games.lanterns_dice.build import after, at_the_die, position


def kinds(match: Match, played: str, best: str) -> list[str]:
    """The claims about two actions of the first player."""
    there = Position(match.game, match.players, match.state)
    found = compare(there, 0, *(there.parsed(0, text) for text in (played, best)))
    assert found is not None
    return [reason.kind for reason in reasons(found)]


def at_the_cards(lake: str) -> Match:
    """The third card of these sides shades a whole pool."""
    match = after(at_the_die(position(2, lakes=[lake], gifts=[5, 0], emperor="AAA")), "skip skip")
    cards = [card["action"] for card in match.view()["emperor"]]
    assert cards[2] == "whole_pool"
    return match


def test_a_card_for_a_whole_pool_completes_any_that_is_empty() -> None:
    """D9."""
    assert "card_completes" in kinds(at_the_cards(""), "skip", "e3")
    assert "card_completes" not in kinds(at_the_cards(""), "e3", "skip")


def test_a_card_for_one_area_completes_only_what_lacks_one() -> None:
    match = at_the_cards("")
    assert "card_completes" not in kinds(match, "skip", "e1")
    assert "card_unused" in kinds(match, "skip", "e1")
