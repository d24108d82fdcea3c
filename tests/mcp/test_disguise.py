"""Disguised pieces: other colors and numbers, and the same game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lampion.core.game import find_game, has_module
from lampion.core.match import Match
from lampion.core.play import perft
from lampion.mcp.disguise import disguised
from tests.support import GAMES

DISGUISED = [name for name in GAMES if has_module(find_game(name), "disguise")]


@pytest.mark.parametrize("game", DISGUISED)
def test_disguised_pieces_have_other_names_and_leave_the_published_alone(game: str) -> None:
    one, other = (disguised(game, number) for number in (1, 2))
    assert one.hash != other.hash and not one.is_standard
    assert find_game(game).read_components(None).is_standard
    assert Match(find_game(game), 2, components=one).components is one


@pytest.mark.skipif("lanterns" not in GAMES, reason="another game is being tested")
def test_disguised_tiles_have_the_same_shapes() -> None:
    def shape(tile: Any) -> tuple[Any, ...]:
        """Which sides are of the same color, wherever the tile is turned; and which are red."""
        sides = tile.sides
        return (tile.platform, tuple(sides.index(side) for side in sides), sides.count("R"))

    published: Any = find_game("lanterns").read_components(None)
    for number in (1, 2):
        pieces: Any = disguised("lanterns", number)
        assert sorted(map(shape, pieces.tiles)) == sorted(map(shape, published.tiles))


@pytest.mark.parametrize("game", sorted({*DISGUISED} - {"lanterns"}))
def test_disguised_pieces_are_the_same_game(game: str) -> None:
    """Two games that differ in names and numbers alone have equally many sequences of actions."""
    rules: Any = find_game(game)
    for number in (1, 2):
        for players in rules.NUM_PLAYERS:
            counted = {
                sequences(rules, players, pieces) for pieces in (None, disguised(game, number))
            }
            assert len(counted) == 1


def sequences(rules: Any, players: int, pieces: Any) -> tuple[int, ...]:
    """How many there are of so many actions, where chance does what it first can."""
    match = Match(rules, players, components=pieces)
    counts = []
    for _ in range(40):
        if match.to_act >= 0:
            states = np.zeros(4, rules.State.dtype)
            states[0] = match.state.batch[0]
            counts.append(perft(states, np.zeros((3, rules.ACTIONS.size), np.int32), 2))
            break
        match.replay(match.to_act, match.legal_actions(match.to_act)[0])
    return tuple(counts)
