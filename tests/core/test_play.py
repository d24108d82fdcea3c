"""The loops over whole games, with games small enough to count by hand."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import lampion
from lampion.core import play
from lampion.core.compile import MOST_TYPES
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, GAME_OVER, ActionList, Batch
from tests.core import flip
from tests.core.flip.actions import FLIP, LEAVE
from tests.core.flip.state import NUM_FACES
from tests.toys import nim

lampion.register(nim)
lampion.register(flip)


def batch(game: str, **options: str) -> Batch:
    return Match(find_game(game), 2, options).state.copy().batch


def room(game: str) -> ActionList:
    return np.zeros(find_game(game).ACTIONS.size, np.int32)


def test_random_games_are_played_to_their_end_and_their_decisions_counted() -> None:
    """Four heaps of one counter are four decisions, in any order."""
    start = batch("nim", heaps="1 1 1 1")
    played = start.copy()
    assert play.play_random_game(played, 0, room("nim"), new_rng(1)) == 4
    assert play.to_act_at(played, 0) == GAME_OVER
    assert play.play_random_games(start, played, 5, room("nim"), new_rng(2)) == 20
    assert play.to_act_at(start, 0) == 0, "every game begins at the start, which stays"


def test_random_games_follow_from_their_generator() -> None:
    def played(seed: int) -> bytes:
        states = batch("flip")
        play.play_random_game(states, 0, room("flip"), new_rng(seed))
        return bytes(states.tobytes())

    assert played(1) == played(1)
    assert len({played(seed) for seed in range(20)}) > 2


def test_chance_acts_until_a_player_is_to_decide() -> None:
    states, legal = batch("flip"), room("flip")
    assert play.to_act_at(states, 0) == CHANCE
    assert play.settle_at(states, 0, legal, new_rng(1)) == 2
    assert legal[:2].tolist() == [FLIP, LEAVE]
    assert play.to_act_at(states, 0) == 0
    assert play.step_at(states, 0, LEAVE, legal, new_rng(1)) == 0, "nothing is legal at the end"
    assert play.to_act_at(states, 0) == GAME_OVER


def test_a_sampled_outcome_is_one_of_those_that_can_be() -> None:
    rng = new_rng(3)
    drawn = {play.sample_at(batch("flip"), 0, rng) for _ in range(60)}
    assert drawn <= {*range(NUM_FACES)} and len(drawn) > 2


@pytest.mark.parametrize(
    ("depth", "sequences"),
    [
        (0, 1),
        (1, 3),  # a1, b1, b2
        (2, 5),  # a1 b1, a1 b2, b1 a1, b1 b1, b2 a1
        (3, 5),  # two of these end the game, each of the others has one action left
        (4, 5),
    ],
)
def test_sequences_of_actions_are_counted(depth: int, sequences: int) -> None:
    """Two heaps, of one counter and of two."""
    game = find_game("nim")
    states = np.zeros(depth + 1, game.State.dtype)
    states[0] = batch("nim", heaps="1 2")[0]
    legal = np.zeros((depth + 1, game.ACTIONS.size), np.int32)
    assert play.perft(states, legal, depth) == sequences


def test_sequences_are_counted_as_far_as_there_is_room() -> None:
    states, legal = batch("nim", heaps="1 2"), room("nim")[None]
    assert play.perft(states, legal, 9) == 3


def test_a_door_remembers_a_bounded_number_of_types() -> None:
    """Every array that comes from another process brings a type of its own."""
    sent, door = pickle.dumps(batch("nim")), play.to_act_at.entry  # type: ignore[attr-defined]
    received = [pickle.loads(sent) for _ in range(MOST_TYPES + 5)]
    assert len({id(states.dtype) for states in received}) == len(received)
    for states in received:
        assert play.to_act_at(states, 0) == 0
        assert len(door._doors) <= MOST_TYPES
