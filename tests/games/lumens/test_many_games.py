"""Many whole games of Lumens, at random and greedily: what the rule page says of
them (worked case 8) holds.

`LAMPION_MANY_GAMES` sets how many are played per number of players; 10,000 take a minute.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest

from lampion.core import play
from lampion.core.compile import entry
from lampion.core.game import apply, legal_actions, sample_chance, to_act
from lampion.core.rng import new_rng, random_below
from lampion.core.types import CHANCE, GAME_OVER, Action, Batch, IntArray, Player, Rng
from lampion.games.lumens.state import State
from tests.support import Case

GAMES = int(os.environ.get("LAMPION_MANY_GAMES", "1000"))
ENOUGH = 200
"""From so many games on, shares and averages mean something."""

most_games = pytest.mark.skipif(GAMES < ENOUGH, reason="too few games for an average")


@entry
def most_points(states: Batch, index: int, player: Player, legal: IntArray, rng: Rng) -> Action:
    """What brings a player most room points at once, by chance among equals. The
    next record is for trying."""
    after = states[index + 1]
    best, num_best, chosen = -1, 0, 0
    for k in range(legal_actions(states[index], player, legal)):
        states[index + 1] = states[index]
        apply(after, player, legal[k])
        if after.points[player] > best:
            best, num_best = after.points[player], 0
        if after.points[player] == best:
            num_best += 1
            if random_below(rng, num_best) == 0:
                chosen = legal[k]
    return chosen


@entry
def play_greedy_game(states: Batch, index: int, legal: IntArray, rng: Rng) -> int:
    """Everybody looks one placement ahead, at the own room points; returns how
    many decisions were made."""
    state = states[index]
    decisions = 0
    actor = to_act(state)
    while actor != GAME_OVER:
        if actor == CHANCE:
            apply(state, CHANCE, sample_chance(state, rng))
        else:
            apply(state, actor, most_points(states, index, actor, legal, rng))
            decisions += 1
        actor = to_act(state)
    return decisions


class Report(NamedTuple):
    """Over many games."""

    blocked: float
    """The share of games with a blocked player."""
    winner_points: float
    center_decides: float
    """The share of games in which the center room broke the tie."""
    middle_wins: float
    """The share of victories of the player on the first start square."""


def play_many(players: int, play_game: Callable[..., int]) -> Report:
    """Play games; in each, every token of a player who is not blocked gets placed."""
    case = Case("lumens", players, {})
    start, states = case.without_chance().state.batch, np.zeros(2, State.dtype)
    legal, rng = np.empty(case.without_chance().game.ACTIONS.size, np.int32), new_rng(players)
    places = np.zeros(players, np.int32)
    found = []
    for _ in range(GAMES):
        states[0] = start[0]
        play_game(states, 0, legal, rng)
        play.placements_at(states, 0, places)
        end = State(states)
        is_out, points = end.is_out[:players], end.points[:players]
        assert ((end.num_unshown[:players] > 0) == is_out).all()
        is_tied, winners = (points == points.max()).sum() > 1, np.flatnonzero(places == 1)
        middle = (end.starts[winners] == end.spots[0]).any() / len(winners)
        found.append([is_out.any(), points.max(), is_tied and len(winners) == 1, middle])
    return Report(*np.mean(np.array(found, float), axis=0).tolist())


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("style", ["random", "greedy"])
def test_case_8_hardly_anybody_is_blocked_and_all_others_place_every_token(
    players: int, style: str
) -> None:
    report = play_many(players, play.play_random_game if style == "random" else play_greedy_game)
    print(players, style, report)
    assert report.blocked < 0.03 or GAMES < ENOUGH


@most_games
@pytest.mark.parametrize(("players", "points"), [(2, 25), (3, 25), (4, 23)])
def test_case_8_greedy_winners_have_their_usual_points(players: int, points: int) -> None:
    assert play_many(players, play_greedy_game).winner_points == pytest.approx(points, abs=1.5)


@most_games
def test_case_8_the_center_room_decides_many_games() -> None:
    assert 0.05 < play_many(4, play.play_random_game).center_decides < 0.3


@most_games
def test_the_middle_spot_is_the_strongest_seat_of_three() -> None:
    assert 0.36 < play_many(3, play_greedy_game).middle_wins < 0.54
