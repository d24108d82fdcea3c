"""What a network is told about Lanterns (see `bots.net`)."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from lampion.core.compile import rule
from lampion.core.types import NO_PLAYER, Player
from lampion.games.lanterns.components import NUM_COLORS, NUM_STACKS
from lampion.games.lanterns.knowledge import evaluate, set_progress
from lampion.games.lanterns.rules_cards import stack_pays, token_pays
from lampion.games.lanterns.rules_lake import next_player
from lampion.games.lanterns.state import DEDICATE_STEP, EXCHANGE_STEP, State

Features = npt.NDArray[np.float32]
HAND_FEATURES = 18
OWN_FEATURES = HAND_FEATURES + 2
OTHER_FEATURES = OWN_FEATURES + 1
TABLE_FEATURES = 13


def num_features(players: int) -> int:
    """A player's own, those of each of the others, those of the table, and how many turns away the player's own is."""
    return OWN_FEATURES + (players - 1) * OTHER_FEATURES + TABLE_FEATURES + players


@rule
def net_features(state: State, player: Player, out: Features) -> bool:
    """What a player would say of the position, in numbers about as large as 1, nothing of it hidden; False before the deal and
    after the end."""
    if state.is_over or state.to_deal > 0:
        return False
    turns = int(state.left_to_draw)
    for other in range(state.num_players):
        turns += state.hand_size[other]
    out[:] = 0.0
    own_features(state, player, out)
    start, other = OWN_FEATURES, player
    for _ in range(state.num_players - 1):
        other = next_player(state, other)
        compare_players(state, other, turns, out, out[start : start + OTHER_FEATURES])
        start += OTHER_FEATURES
    table_features(state, player, turns, out[start:])
    return True


@rule
def own_features(state: State, player: Player, out: Features) -> None:
    """Cards, sets and favors of a player, and how well that is."""
    for color in range(NUM_COLORS):
        count = state.lanterns[player, color]
        for least in range(1, 5):
            out[least - 1] += np.float32(0.2) * (count >= least)
        # A color that is short in the supply is hard to get, one that is not held is wanted for seven.
        out[4] += (count == 0) * (state.supply[color] == 0)
        out[5] += np.float32(0.5) * (count == 0) * (state.supply[color] == 1)
        out[6] += np.float32(0.5) * (count >= 2) * (state.supply[color] == 0)
    for stack in range(NUM_STACKS):
        progress, honor = set_progress(state, player, stack), stack_pays(state, stack)
        out[7 + stack] = progress
        out[10 + stack] = 0.1 * honor * (progress * progress * progress)
        out[13 + stack] = 0.1 * honor * (progress >= 1.0)
    out[16] = 0.1 * state.num_lanterns[player]
    out[17] = 0.3 * math.sqrt(state.favors[player])
    out[HAND_FEATURES] = 0.1 * state.honor[player]
    out[HAND_FEATURES + 1] = 0.1 * evaluate(state, player)


@rule
def compare_players(state: State, other: Player, turns: int, own: Features, out: Features) -> None:
    """What another player holds, and by how much the own honor is ahead; near the end that counts more."""
    own_features(state, other, out)
    for k in range(HAND_FEATURES, OWN_FEATURES):
        out[k] = own[k] - out[k]
    out[OWN_FEATURES] = 4.0 * float(out[HAND_FEATURES]) / (1.0 + turns)


@rule
def table_features(state: State, player: Player, turns: int, out: Features) -> None:
    for stack in range(NUM_STACKS):
        out[stack] = 0.1 * stack_pays(state, stack)
        out[3 + stack] = 0.1 * token_pays(state, stack, state.tokens_taken[stack] + 1)
    out[6] = turns / 32.0
    out[7] = 1.0 / (1.0 + turns)
    out[8] = turns == 0
    out[9] = 0.3 * state.hand_size[player]
    out[10] = player / (state.num_players - 1.0)
    is_drawing = state.drawer != NO_PLAYER
    out[11] = is_drawing or state.step == EXCHANGE_STEP
    out[12] = not is_drawing and state.step == DEDICATE_STEP
    turn = next_player(state, state.drawer) if is_drawing else int(state.active)
    out[
        TABLE_FEATURES + (turn - player if turn >= player else turn - player + state.num_players)
    ] = 1.0
