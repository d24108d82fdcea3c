"""What the value of a finished game's position is worked out from in Lanterns Dice (see
`reviews.values`)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lampion.core.bits import BIT_MODULUS
from lampion.core.compile import rule
from lampion.core.types import Player
from lampion.games.lanterns_dice.components import DIAGONAL, NUM_DICE, NUM_HALVES, Color
from lampion.games.lanterns_dice.knowledge import area_gain, best_shading
from lampion.games.lanterns_dice.knowledge_net import (
    LAKE_FEATURES,
    TURN_FEATURES,
    lake_features,
    turn_features,
)
from lampion.games.lanterns_dice.rules_shading import open_areas
from lampion.games.lanterns_dice.state import (
    DIE_STEP,
    NO_SHAPE,
    NOT_TURNED,
    NOTHING,
    POOL_OF_REMAINDER,
    TRAY_STEP,
    State,
)

COVERED_OPTIONS = ("setup", "emperor")
"""What these fix is what chance could have brought in the games of the training."""
Features = npt.NDArray[np.float32]
ROLL_FEATURES = 7
OTHERS_SHARE = 0.3
"""How much the player who turns the tray minds what it gives to the others."""


def num_value_features(players: int) -> int:
    """The player's sheet twice, those of the roll and those of the turn."""
    return 2 * LAKE_FEATURES + ROLL_FEATURES + TURN_FEATURES + players


@rule
def value_features(state: State, player: Player, out: Features) -> float:
    """A player's sheet and what the dice offer it; the share of the game that is left."""
    out[:] = 0.0
    if state.shapes[0] == NO_SHAPE:
        return 1.0
    left = lake_features(state, player, out)
    for k in range(LAKE_FEATURES):
        out[LAKE_FEATURES + k] = left * float(out[k])
    roll = 2 * LAKE_FEATURES
    is_waiting = state.step[state.active] == TRAY_STEP
    if state.chance_owes == NOTHING and (is_waiting or state.step[player] <= DIE_STEP):
        roll_features(state, player, out[roll : roll + ROLL_FEATURES])
    turn_features(state, player, left, out[roll + ROLL_FEATURES :])
    return left


@rule
def roll_features(state: State, player: Player, out: Features) -> None:
    """What the die that the player faces will bring, before and after the tray is turned, and what
    the other dice would bring to a player with gifts to spend."""
    out[0] = 1.0
    tray = state.tray if state.tray != NOT_TURNED else likely_tray(state)
    color = state.dice[(state.tray_seats[player] + tray) % NUM_DICE]
    out[1] = 0.4 * best_shading(state, player, 1 << color)
    out[2] = 0.4 * best_area(state, player, color)
    best, total = -1.0, 0.0
    for die in range(NUM_DICE):
        gain = best_area(state, player, state.dice[die])
        best = max(best, gain)
        total += gain
    out[3] = 0.4 * best
    out[4] = 0.1 * total
    out[5] = 0.1 * min(int(state.gifts[player]), 6) * float(out[3])
    across = state.dice[(state.tray_seats[player] + tray + DIAGONAL) % NUM_DICE]
    out[6] = 0.4 * best_area(state, player, across)


@rule
def best_area(state: State, player: Player, color: Color) -> float:
    """What the best open area of a color promises."""
    best = -1.0
    for half in range(NUM_HALVES):
        areas = open_areas(state, player, half, 1 << color)
        while areas != 0:
            lowest = areas & -areas
            pool = POOL_OF_REMAINDER[lowest % BIT_MODULUS]
            best = max(best, area_gain(state, player, half, pool))
            areas ^= lowest
    return best


@rule
def likely_tray(state: State) -> int:
    """The quarter turns that suit the active player best and the others least."""
    best, chosen = -99.0, 0
    for quarters in range(NUM_DICE):
        gain = 0.0
        for other in range(state.num_players):
            color = state.dice[(state.tray_seats[other] + quarters) % NUM_DICE]
            share = 1.0 if other == state.active else -OTHERS_SHARE
            gain += best_area(state, other, color) * share
        if gain > best:
            best, chosen = gain, quarters
    return chosen
