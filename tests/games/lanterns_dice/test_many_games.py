"""Many random games for each number of players break nothing. The checks
are compiled like the rules."""

from __future__ import annotations

import os

import numpy as np
import pytest

import lampion
from lampion.core.compile import entry
from lampion.core.game import apply, legal_actions, sample_chance, to_act
from lampion.core.rng import new_rng, random_below
from lampion.core.types import CHANCE, GAME_OVER, Batch, IntArray, Rng
from lampion.games.lanterns_dice.actions import LAUNCH, ROLL_DICE, SKIP, TRAY
from lampion.games.lanterns_dice.components import NUM_DICE
from lampion.games.lanterns_dice.rules_shading import completed_pools

GAMES = int(os.environ.get("LAMPION_MANY_GAMES", "20000"))


@entry
def play_and_check(
    start: Batch,
    states: Batch,
    games: int,
    turns: int,
    legal: IntArray,
    rng: Rng,
    launches: IntArray,
) -> int:
    """Play games in which nobody declines; return how many broke something: a list out of order or
    with nothing but `skip`, tiles on pools that are not completed, a turn too many or too few.
    `launches[0]` counts the tiles."""
    broken = 0
    for _ in range(games):
        states[0] = start[0]
        state = states[0]
        is_good = True
        num_turns = 0
        actor = to_act(state)
        while actor != GAME_OVER:
            if actor == CHANCE:
                action = sample_chance(state, rng)
            else:
                count = legal_actions(state, actor, legal)
                may_skip = legal[0] == SKIP
                is_good &= count > may_skip
                for k in range(1, count):
                    is_good &= legal[k - 1] < legal[k]
                action = legal[may_skip + random_below(rng, count - may_skip)]
                num_turns += TRAY <= action < TRAY + NUM_DICE
                launches[0] += LAUNCH <= action < ROLL_DICE
            apply(state, actor, action)
            for player in range(state.num_players):
                is_good &= state.gifts[player] >= 0
                is_good &= state.covered[player] & ~completed_pools(state, player) == 0
            is_good &= state.num_events <= len(state.events)
            actor = to_act(state)
        is_good &= num_turns == turns * state.num_players
        broken += not is_good
    return broken


@pytest.mark.parametrize(("players", "turns"), [(2, 10), (3, 8), (4, 6)])
def test_random_play_ends_after_the_turns_and_the_last_launches(players: int, turns: int) -> None:
    game = lampion.find_game("lanterns_dice")
    start = lampion.Match(game, players, {"fireworks": "I3 V3 O4 S4"}).state.batch
    legal, launches = np.empty(game.ACTIONS.size, np.int32), np.zeros(1, np.int32)
    assert play_and_check(start, start.copy(), GAMES, turns, legal, new_rng(players), launches) == 0
    assert launches[0] > GAMES / 100, "fireworks are part of the trial"
