"""What speaks for an action of Lanterns, as a hint says it."""

from __future__ import annotations

import pytest

from lampion.core.advice import reason
from lampion.core.match import Match
from tests.games.lanterns.build import position

TOKENS = 6
"""Tokens of a stack with two players."""


def advice(match: Match, text: str) -> str:
    seat = match.to_act
    return reason(match, seat, match.preview(text, seat), "en")


@pytest.mark.parametrize(
    ("taken", "told"),
    [
        (0, "It brings 8 honor, and the next set of this kind 7"),
        (TOKENS - 1, "It brings 4 honor, and the next set of this kind 4"),
        (TOKENS, "It brings 4 honor, and the next set of this kind 4"),
    ],
)
def test_a_dedication_says_what_it_brings_and_what_the_next_one_would(
    taken: int, told: str
) -> None:
    """L7: an empty stack keeps paying four."""
    match = position(2, cards=["RRRR", ""], tokens_taken=[taken, 0, 0])
    assert advice(match, "d4:R") == told


def test_a_discard_says_how_many_cards_of_the_color_are_left() -> None:
    match = position(2, cards=["RRRROOOOGGGGBBP", ""])
    assert advice(match, "-R") == "You keep 3 more of that color"
    assert advice(match, "-B") == "You keep another one of that color"
    assert advice(match, "-P") == "It is your only one of that color"


def test_a_pass_is_the_last_thing_a_player_does() -> None:
    """L14, L15."""
    match = position(2, hands=[[], []], left_to_draw=0)
    assert advice(match, "pass") == "Your favors and cards now only break a tie"


def test_the_events_of_a_placement_say_enough() -> None:
    match = position(2)
    assert advice(match, match.legal_actions()[-1]) == ""


def test_advice_is_given_in_the_language_of_the_player() -> None:
    match = position(2, cards=["RRRR", ""])
    events = match.preview("d4:R", 0)
    told = {reason(match, 0, events, language) for language in ("en", "fr", "it")}
    assert len(told) == 3 and all("8" in sentence and "7" in sentence for sentence in told)
