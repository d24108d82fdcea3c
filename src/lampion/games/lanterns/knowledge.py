"""What bots know about Lanterns."""

from __future__ import annotations

import math

from lampion.core.compile import rule
from lampion.core.record import HIDDEN
from lampion.core.rng import random_below
from lampion.core.types import Action, IntArray, Player, Rng
from lampion.games.lanterns.actions import (
    DEDICATE_FOUR,
    DISCARD,
    DRAW,
    PASS,
    PLACE,
    dedicated_stack,
    place_action,
    placed_on,
    placed_rotation,
    placed_slot,
)
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
    THREE_PAIRS,
    Stack,
)
from lampion.games.lanterns.rules import first_tie_break, legal_actions, second_tie_break
from lampion.games.lanterns.rules_cards import lanterns_due, stack_pays
from lampion.games.lanterns.rules_lake import (
    facing_color,
    laid_tile,
    matching_tile,
    side_color,
    tile_of,
)
from lampion.games.lanterns.state import NO_TILE, State

NO_ACTION, HIDDEN_KEY = -1, -2
FAVOR_VALUE = 0.9
CARD_VALUE = 0.45
SET_SHARE = 0.75
"""What a complete set in hand is worth of its token: another player may take it first."""
SAMPLES = 6
"""How many random placements a playout looks at."""


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
        return min(pairs_held(state, player), PAIRS_IN_A_SET * CARDS_PAIR) / (
            PAIRS_IN_A_SET * CARDS_PAIR
        )
    return singles / NUM_COLORS


@rule
def pairs_held(state: State, player: Player) -> int:
    """Cards towards three pairs: those of the three best colors, two of each at most."""
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
    """Honor, what the cards in hand will bring, and favors."""
    value = float(state.honor[player])
    if state.is_over:
        value += 0.01 * first_tie_break(state, player)
        return value + 0.0001 * second_tie_break(state, player)
    chances = dedications_left(state, player)
    best, rest = 0.0, 0.0
    for stack in range(NUM_STACKS):
        progress = set_progress(state, player, stack)
        worth = stack_pays(state, stack) * SET_SHARE * (progress * progress * progress)
        rest += worth
        best = max(best, worth)
    value += best + (0.3 * (rest - best) if chances > 1 else 0.0)
    if chances > 1:
        fade = min(1.0, chances / 4.0)
        value += fade * (
            CARD_VALUE * min(state.num_lanterns[player], state.card_limit)
            + FAVOR_VALUE * math.sqrt(state.favors[player])
        )
    return value


# --- playouts ---------------------------------------------------------------------------------------------------------------------


@rule
def immediate_gain(state: State, player: Player, action: Action) -> float:
    """What a placement gives its player less what it gives the others, in cards and favors."""
    laid = laid_tile(state.hand[player, placed_slot(action)], placed_rotation(action))
    cell = state.frontier[placed_on(action)]
    gain, matched = 0.0, 0
    for side in range(NUM_SIDES):
        beside = matching_tile(state, cell, laid, side)
        if beside != NO_TILE:
            matched = 1
            gain += (
                1.0 * lanterns_due(state, side_color(state, laid, side))
                + 0.8 * state.tile_platform[tile_of(beside)]
            )
    gain += 0.8 * matched * state.tile_platform[tile_of(laid)]
    for other in range(state.num_players):
        due = lanterns_due(state, facing_color(state, laid, other))
        gain += due * (1.0 if other == player else -0.5 / (state.num_players - 1))
    return gain


@rule
def best_dedication(state: State, legal: IntArray, count: int) -> Action:
    """The dedication of the most honor among the legal actions, or NO_ACTION."""
    best, chosen = 0, NO_ACTION
    for k in range(count):
        if DEDICATE_FOUR <= legal[k] < DISCARD:
            honor = stack_pays(state, dedicated_stack(legal[k]))
            if honor > best:
                best, chosen = honor, int(legal[k])
    return chosen


@rule
def playout_action(state: State, player: Player, legal: IntArray, rng: Rng) -> Action:
    """Dedicate when possible; otherwise the best of a few random placements."""
    count = legal_actions(state, player, legal)
    chosen = (
        best_dedication(state, legal, count)
        if state.num_lanterns[player] >= CARDS_FOUR
        else NO_ACTION
    )
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
    """A placement by its tile instead of its slot; another player's draw is hidden."""
    if action >= DRAW:
        return action if state.drawer == seat else HIDDEN_KEY
    if action < PLACE:
        return action
    tile = state.hand[player, placed_slot(action)]
    return PLACE + (placed_on(action) * NUM_TILES + tile) * NUM_SIDES + placed_rotation(action)


@rule
def keyed_action(state: State, player: Player, key: int) -> Action:
    """The placement of that tile, if the player holds it; everything else is public and legal whenever the position is the same."""
    if key < PLACE:
        return key
    spot = key - PLACE
    tile = spot // NUM_SIDES % NUM_TILES
    for slot in range(HAND_SIZE):
        if state.hand[player, slot] == tile:
            return place_action(spot // (NUM_SIDES * NUM_TILES), slot, spot % NUM_SIDES)
    return NO_ACTION


@rule
def kinds_at_hand(state: State, player: Player) -> int:
    """One bit for all that everybody can see, and one for each tile in hand."""
    kinds = 1
    for slot in range(HAND_SIZE):
        if state.hand[player, slot] != NO_TILE:
            kinds |= 2 << int(state.hand[player, slot])
    return kinds


@rule
def action_kind(state: State, player: Player, action: Action) -> int:
    if action < PLACE:
        return 0
    return 1 + state.hand[player, placed_slot(action)]


# --- what is hidden -------------------------------------------------------------------------------


@rule
def is_certain(seen: State, seat: Player) -> bool:
    """All other hands are open or empty. Some tiles leave the game unseen, so the last tiles in a
    hand do not follow from the others; what is drawn later is chance."""
    closed = 0
    for player in range(seen.num_players):
        if player != seat and seen.hand[player, 0] == HIDDEN:
            closed += int(seen.hand_size[player])
    return closed == 0
