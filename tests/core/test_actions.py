"""Action ids and their numbers, over the whole domain."""

from __future__ import annotations

import pytest

from lampion.core.actions import ActionSpace, Block
from lampion.core.game import find_game
from tests.support import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_every_id_round_trips(name: str) -> None:
    space = find_game(name).ACTIONS
    for action in range(space.size):
        block, numbers = space.decode(action)
        assert block.id(*numbers) == action
        assert space[block.name] is block


def test_blocks_follow_each_other() -> None:
    space = ActionSpace(Block("pass", rule="X1"), Block("move", 2, 3, rule="X2"))
    assert space.size == 7
    assert space["move"].id(1, 2) == 6
    assert space.decode(4) == (space["move"], (1, 0))


def test_misuse_is_an_assertion_with_a_sentence() -> None:
    space = ActionSpace(Block("move", 2, 3, rule="X2"))
    with pytest.raises(AssertionError, match="takes 2 numbers"):
        space["move"].id(1)
    with pytest.raises(AssertionError, match="not below"):
        space["move"].id(2, 0)
