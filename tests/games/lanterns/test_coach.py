"""What the coach of Lanterns reckons with, held against the rules."""

from __future__ import annotations

import pytest

from lampion.games.lanterns.coach import missing, pay_after_next
from lampion.games.lanterns.components import FOUR_OF_A_KIND, NUM_STACKS, STACK_NAMES
from lampion.games.lanterns.rules_cards import stack_pays
from lampion.games.lanterns.state import State
from tests.games.lanterns.build import position

TOKENS = 6
"""Tokens of a stack with two players."""


@pytest.mark.parametrize("taken", range(TOKENS + 2))
def test_what_a_stack_pays_next_is_what_it_pays_after_a_dedication(taken: int) -> None:
    """L7, down to the last token and beyond."""
    match = position(2, cards=["RRRR", ""], tokens_taken=[min(taken, TOKENS), 0, 0])
    before = match.state.copy()
    assert isinstance(before, State)
    match.submit("d4:R")
    after = match.state
    assert isinstance(after, State)
    assert pay_after_next(before, FOUR_OF_A_KIND) == stack_pays(after, FOUR_OF_A_KIND)


@pytest.mark.parametrize(
    "held", ["", "R", "RRR", "RRRR", "RROOGG", "RROOG", "RRRRRR", "ROGBPWK", "ROGBPW", "RROOGGGG"]
)
def test_a_set_lacks_nothing_exactly_where_it_can_be_dedicated(held: str) -> None:
    """L7."""
    match = position(2, cards=[held, ""])
    signs = {"four_of_a_kind": "d4", "three_pairs": "d3", "seven_unique": "d7"}
    offered = {text[:2] for text in match.legal_actions()}
    cards = match.state.lanterns[0]  # type: ignore[attr-defined]
    for stack in range(NUM_STACKS):
        assert (missing(cards, stack) == 0) == (signs[STACK_NAMES[stack]] in offered)
