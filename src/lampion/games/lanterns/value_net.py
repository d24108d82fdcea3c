"""What the value of a finished game's position is worked out from in Lanterns (see `reviews.values`).

It may look into every hand: it judges games that are over and never advises a player.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from lampion.core.compile import rule
from lampion.core.types import IntArray, Player
from lampion.games.lanterns.components import (
    CARDS_FOUR,
    CARDS_PAIR,
    FOUR_OF_A_KIND,
    HAND_SIZE,
    NUM_COLORS,
    NUM_SIDES,
    NUM_STACKS,
    PAIRS_IN_A_SET,
    THREE_PAIRS,
)
from lampion.games.lanterns.knowledge import CARD_VALUE, FAVOR_VALUE, SET_SHARE
from lampion.games.lanterns.knowledge_net import (
    OTHER_FEATURES,
    OWN_FEATURES,
    TABLE_FEATURES,
    compare_players,
    own_features,
    table_features,
)
from lampion.games.lanterns.rules_cards import lanterns_due, stack_pays
from lampion.games.lanterns.rules_lake import (
    facing_color,
    laid_tile,
    matching_tile,
    next_player,
    side_color,
    tile_of,
)
from lampion.games.lanterns.state import NO_TILE, State

Features = npt.NDArray[np.float32]
TILE_FEATURES = 5
GIVEN_CARD = 0.5
"""What a card that a tile gives to another player takes from its worth."""


def num_value_features(players: int) -> int:
    """Cards and honor of each player, the tiles of each, and those of the table."""
    cards = OWN_FEATURES + (players - 1) * OTHER_FEATURES
    return cards + players * TILE_FEATURES + TABLE_FEATURES + players


@rule
def value_features(state: State, player: Player, out: Features) -> float:
    """The position from a player's side; the share of the game that is left."""
    turns = int(state.left_to_draw) + state.to_deal
    for other in range(state.num_players):
        turns += state.hand_size[other]
    out[:] = 0.0
    own_features(state, player, out)
    tile_features(state, player, out[OWN_FEATURES : OWN_FEATURES + TILE_FEATURES])
    start, other = OWN_FEATURES + TILE_FEATURES, player
    for _ in range(state.num_players - 1):
        other = next_player(state, other)
        compare_players(state, other, turns, out, out[start : start + OTHER_FEATURES])
        start += OTHER_FEATURES
        tile_features(state, other, out[start : start + TILE_FEATURES])
        start += TILE_FEATURES
    table_features(state, player, turns, out[start:])
    return turns / (turns + state.num_laid - 1.0)


@rule
def tile_features(state: State, player: Player, out: Features) -> None:
    """What the tiles in a hand could bring on the lake as it lies, the best first, how many have a
    platform, and how many there are."""
    now = worth(state, player, state.lanterns[player], int(state.favors[player]))
    for slot in range(HAND_SIZE):
        tile = state.hand[player, slot]
        if tile == NO_TILE:
            continue
        gain = np.float32(0.2 * (best_worth(state, player, slot) - now))
        out[3] += np.float32(0.3) * (state.tile_platform[tile] != 0)
        out[4] += 0.3
        for k in range(3):
            if gain > out[k]:
                out[k], gain = gain, out[k]


@rule
def best_worth(state: State, player: Player, slot: int) -> float:
    """What a player's cards and favors would be worth after the best placement of a tile, less
    what it gives to the others."""
    best, tile = -99.0, int(state.hand[player, slot])
    cards = np.zeros(NUM_COLORS, np.int32)
    for place in range(state.num_frontier):
        for turn in range(int(state.tile_rotations[tile])):
            laid = laid_tile(tile, turn)
            cards[:] = state.lanterns[player]
            favors = add_matches(state, state.frontier[place], laid, cards)
            given = 0
            for other in range(state.num_players):
                color = facing_color(state, laid, other)
                if other == player:
                    cards[color] += lanterns_due(state, color)
                else:
                    given += lanterns_due(state, color)
            value = worth(state, player, cards, int(state.favors[player]) + favors)
            best = max(best, value - GIVEN_CARD * given / (state.num_players - 1.0))
    return best


@rule
def add_matches(state: State, cell: int, laid: int, cards: IntArray) -> int:
    """Add the cards of the matching sides (L10); return how many favors come with them."""
    favors, matched = 0, 0
    for side in range(NUM_SIDES):
        beside = matching_tile(state, cell, laid, side)
        if beside != NO_TILE:
            color = side_color(state, laid, side)
            cards[color] += lanterns_due(state, color)
            favors += state.tile_platform[tile_of(beside)] != 0
            matched = 1
    return favors + matched * int(state.tile_platform[tile_of(laid)])


@rule
def worth(state: State, player: Player, cards: IntArray, favors: int) -> float:
    """What so many cards of each color and favors promise, in honor."""
    most, singles, twos, total = 0, 0, 0, 0
    for color in range(NUM_COLORS):
        most = max(most, min(int(cards[color]), CARDS_FOUR))
        singles += cards[color] >= 1
        twos += cards[color] >= CARDS_PAIR
        total += cards[color]
    twos = min(twos, PAIRS_IN_A_SET)
    pairs = CARDS_PAIR * twos + min(singles - twos, PAIRS_IN_A_SET - twos)
    best, rest = 0.0, 0.0
    for stack in range(NUM_STACKS):
        progress = singles / NUM_COLORS
        if stack == FOUR_OF_A_KIND:
            progress = most / CARDS_FOUR
        elif stack == THREE_PAIRS:
            progress = pairs / (PAIRS_IN_A_SET * CARDS_PAIR)
        value = stack_pays(state, stack) * SET_SHARE * (progress * progress * progress)
        rest += value
        best = max(best, value)
    held = CARD_VALUE * min(total, int(state.card_limit))
    return best + 0.3 * (rest - best) + held + FAVOR_VALUE * math.sqrt(favors)
