"""What bots know about Lanterns."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from lampion.core.compile import rule
from lampion.core.rng import random_below
from lampion.core.types import NO_PLAYER, Action, IntArray, Player, Rng
from lampion.games.lanterns.actions import DEDICATE_FOUR, DISCARD, DRAW, PASS, PLACE, PLACES_PER_CELL
from lampion.games.lanterns.components import (
    CARDS_FOUR,
    CARDS_PAIR,
    FOUR_OF_A_KIND,
    HAND_SIZE,
    NUM_COLORS,
    NUM_SIDES,
    NUM_STACKS,
    NUM_TILES,
    PAIRS_IN_A_SET,
    SEVEN_UNIQUE,
    THREE_PAIRS,
    Stack,
)
from lampion.games.lanterns.rules import legal_actions
from lampion.games.lanterns.rules_lake import neighbor, next_player, opposite, side_color
from lampion.games.lanterns.state import DEDICATE_STEP, EXCHANGE_STEP, State

NO_ACTION, HIDDEN_KEY = -1, -2
FAVOR_VALUE = 0.9
CARD_VALUE = 0.45
SET_SHARE = 0.75
"""What a complete set in hand is worth of its token: somebody else may take it first."""
SAMPLES = 6
"""How many random placements a playout looks at."""


@rule
def top_token(state: State, stack: Stack) -> float:
    taken = state.tokens_taken[stack]
    return float(state.stack_honor[stack, taken]) if taken < state.stack_size[stack] else float(state.generic_honor)


@rule
def set_progress(state: State, player: Player, stack: Stack) -> float:
    """How much of a set a player holds, 0 to 1."""
    most, singles = 0, 0
    for color in range(NUM_COLORS):
        count = state.lanterns[player, color]
        most = max(most, min(count, CARDS_FOUR))
        singles += min(count, 1)
    if stack == FOUR_OF_A_KIND:
        return most / CARDS_FOUR
    if stack == THREE_PAIRS:
        return min(pairs_held(state, player), PAIRS_IN_A_SET * CARDS_PAIR) / (PAIRS_IN_A_SET * CARDS_PAIR)
    return singles / NUM_COLORS


@rule
def pairs_held(state: State, player: Player) -> int:
    """Cards towards three pairs: those of the three best colours, two of each at most."""
    twos, ones = 0, 0
    for color in range(NUM_COLORS):
        twos += state.lanterns[player, color] >= CARDS_PAIR
        ones += state.lanterns[player, color] == 1
    twos = min(twos, PAIRS_IN_A_SET)
    return CARDS_PAIR * twos + min(ones, PAIRS_IN_A_SET - twos)


@rule
def dedications_left(state: State, player: Player) -> int:
    """How many more times a player can dedicate: once per tile still to place, and once in the final round."""
    return int(state.hand_size[player]) + state.left_to_draw // state.num_players + 1


@rule
def evaluate(state: State, player: Player) -> float:
    """Honour, what the cards in hand will bring, and favours."""
    value = float(state.honor[player])
    if state.is_over:
        return value + 0.01 * state.favors[player] + 0.0001 * state.num_lanterns[player]
    chances = dedications_left(state, player)
    best, rest = 0.0, 0.0
    for stack in range(NUM_STACKS):
        worth = top_token(state, stack) * SET_SHARE * set_progress(state, player, stack) ** 3
        rest += worth
        best = max(best, worth)
    value += best + (0.3 * (rest - best) if chances > 1 else 0.0)
    if chances > 1:
        fade = min(1.0, chances / 4.0)
        value += fade * (
            CARD_VALUE * min(state.num_lanterns[player], state.card_limit) + FAVOR_VALUE * math.sqrt(state.favors[player])
        )
    return value


# --- what a network is told -------------------------------------------------------------------------------------------------------

Features = npt.NDArray[np.float32]
HAND_FEATURES = 18
OWN_FEATURES = HAND_FEATURES + 2
OTHER_FEATURES = OWN_FEATURES + 1
TABLE_FEATURES = 13


def num_features(players: int) -> int:
    """A player's own, those of each of the others, those of the table, and how many turns away the player's own is."""
    return OWN_FEATURES + (players - 1) * OTHER_FEATURES + TABLE_FEATURES + players


@rule
def net_features(state: State, out: Features) -> bool:
    """A row for each player, about as large as 1 and nothing of it hidden; False before the deal and after the end."""
    if state.is_over or state.to_deal > 0:
        return False
    out[:] = 0.0
    turns = int(state.left_to_draw)
    for player in range(state.num_players):
        turns += state.hand_size[player]
        own_features(state, player, out[player])
    for player in range(state.num_players):
        start, other = OWN_FEATURES, player
        for _ in range(state.num_players - 1):
            other = next_player(state, other)
            compare_players(
                out[player],
                out[other],
                turns,
                out[player, start : start + OTHER_FEATURES],
            )
            start += OTHER_FEATURES
        table_features(state, player, turns, out[player, start:])
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
        progress, honor = set_progress(state, player, stack), top_token(state, stack)
        out[7 + stack] = progress
        out[10 + stack] = 0.1 * honor * progress**3
        out[13 + stack] = 0.1 * honor * (progress >= 1.0)
    out[16] = 0.1 * state.num_lanterns[player]
    out[17] = 0.3 * math.sqrt(state.favors[player])
    out[HAND_FEATURES] = 0.1 * state.honor[player]
    out[HAND_FEATURES + 1] = 0.1 * evaluate(state, player)


@rule
def compare_players(own: Features, other: Features, turns: int, out: Features) -> None:
    """What another player holds, and by how much the own honor is ahead; near the end that counts more."""
    for k in range(HAND_FEATURES):
        out[k] = other[k]
    for k in range(HAND_FEATURES, OWN_FEATURES):
        out[k] = own[k] - other[k]
    out[OWN_FEATURES] = 4.0 * out[HAND_FEATURES] / (1.0 + turns)


@rule
def table_features(state: State, player: Player, turns: int, out: Features) -> None:
    for stack in range(NUM_STACKS):
        after = state.tokens_taken[stack] + 1
        out[stack] = 0.1 * top_token(state, stack)
        out[3 + stack] = 0.1 * (state.stack_honor[stack, after] if after < state.stack_size[stack] else state.generic_honor)
    out[6] = turns / 32.0
    out[7] = 1.0 / (1.0 + turns)
    out[8] = turns == 0
    out[9] = 0.3 * state.hand_size[player]
    out[10] = player / (state.num_players - 1.0)
    is_drawing = state.drawer != NO_PLAYER
    out[11] = is_drawing or state.step == EXCHANGE_STEP
    out[12] = not is_drawing and state.step == DEDICATE_STEP
    turn = next_player(state, state.drawer) if is_drawing else int(state.active)
    out[TABLE_FEATURES + (turn - player if turn >= player else turn - player + state.num_players)] = 1.0


# --- playouts ---------------------------------------------------------------------------------------------------------------------


@rule
def immediate_gain(state: State, player: Player, action: Action) -> float:
    """What a placement gives its player less what it gives the others, in cards and favours."""
    spot = action - PLACE
    laid = state.hand[player, spot // NUM_SIDES % HAND_SIZE] * NUM_SIDES + spot % NUM_SIDES
    cell = state.frontier[spot // PLACES_PER_CELL]
    gain, matched = 0.0, 0
    for side in range(NUM_SIDES):
        beside = int(state.lake[neighbor(cell, side)]) - 1
        if beside >= 0 and side_color(state, beside, opposite(side)) == side_color(state, laid, side):
            matched = 1
            gain += 1.0 * (state.supply[side_color(state, laid, side)] > 0) + 0.8 * state.tile_platform[beside >> 2]
    gain += 0.8 * matched * state.tile_platform[laid >> 2]
    for other in range(state.num_players):
        due = state.supply[side_color(state, laid, state.seat_sides[other])] > 0
        gain += due * (1.0 if other == player else -0.5 / (state.num_players - 1))
    return gain


@rule
def best_dedication(state: State, legal: IntArray, count: int) -> Action:
    """The dedication of the most honour among the legal actions, or NO_ACTION."""
    best, chosen = 0.0, NO_ACTION
    for k in range(count):
        if DEDICATE_FOUR <= legal[k] < DISCARD:
            honor = top_token(state, stack_of(legal[k]))
            if honor > best:
                best, chosen = honor, int(legal[k])
    return chosen


@rule(inline=True)
def stack_of(action: Action) -> Stack:
    if action < DEDICATE_FOUR + NUM_COLORS:
        return FOUR_OF_A_KIND
    return SEVEN_UNIQUE if action == DISCARD - 1 else THREE_PAIRS


@rule
def playout_action(state: State, player: Player, legal: IntArray, rng: Rng) -> Action:
    """Dedicate when possible; otherwise the best of a few random placements."""
    count = legal_actions(state, player, legal)
    chosen = best_dedication(state, legal, count) if state.num_lanterns[player] >= CARDS_FOUR else NO_ACTION
    if chosen != NO_ACTION:
        return chosen
    last = int(legal[count - 1])
    if last < PLACE:
        return PASS if legal[0] == PASS else int(legal[random_below(rng, count)])
    best = -9.0
    for _ in range(SAMPLES):
        action = int(legal[random_below(rng, count)])
        if action < PLACE:
            continue
        gain = immediate_gain(state, player, action)
        if gain > best:
            best, chosen = gain, action
    return chosen if chosen != NO_ACTION else last


# --- actions of hidden hands ------------------------------------------------------------------------------------------------------


@rule
def action_key(state: State, player: Player, action: Action, seat: Player) -> int:
    """A placement by its tile instead of its slot; a draw of somebody else is hidden."""
    if action >= DRAW:
        return action if state.drawer == seat else HIDDEN_KEY
    if action < PLACE:
        return action
    spot = action - PLACE
    tile = state.hand[player, spot // NUM_SIDES % HAND_SIZE]
    return PLACE + (spot // PLACES_PER_CELL * NUM_TILES + tile) * NUM_SIDES + spot % NUM_SIDES


@rule
def keyed_action(state: State, player: Player, key: int) -> Action:
    """The placement of that tile, if the player holds it; everything else is public and legal whenever the position is the same."""
    if key < PLACE:
        return key
    spot = key - PLACE
    tile = spot // NUM_SIDES % NUM_TILES
    for slot in range(HAND_SIZE):
        if state.hand[player, slot] == tile:
            return PLACE + (spot // (NUM_SIDES * NUM_TILES)) * PLACES_PER_CELL + slot * NUM_SIDES + spot % NUM_SIDES
    return NO_ACTION
