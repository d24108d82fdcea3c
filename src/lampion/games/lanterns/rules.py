"""The rules of Lanterns, L1 to L15: plain functions on the state, compiled when speed is wanted.

    deal (L2) -> turns: exchange (L6), dedicate (L7), discard (L8), place (L9-L12), draw (L13) -> final round (L14) -> score (L15)

What may be done, and why not, is in `rules_reasons`, the cards are in `rules_cards`, the lake in
`rules_lake`, guesses in `rules_hidden`. One decision lists everything the player may do now; an
optional step is skipped by taking a later one. Dealing and drawing are moves of CHANCE.
"""

import numpy as np

from lampion.core.compile import rule
from lampion.core.rng import random_below
from lampion.core.trail import clear_trail, note
from lampion.core.types import CHANCE, GAME_OVER, NO_PLAYER, Action, IntArray, Player, Rng
from lampion.games.lanterns.actions import (
    DEDICATE_FOUR,
    DEDICATE_PAIRS,
    DEDICATE_SEVEN,
    DISCARD,
    DRAW,
    EXCHANGE,
    PASS,
    PLACE,
    PLACES_PER_CELL,
    TRIPLE_NUMBERS,
    draw_action,
    exchange_action,
    given_color,
    place_action,
    placed_on,
    placed_rotation,
    placed_slot,
    taken_color,
)
from lampion.games.lanterns.components import (
    CARDS_FOUR,
    CARDS_PAIR,
    NUM_COLORS,
    NUM_TILES,
    PAIRS_IN_A_SET,
    Rotation,
    Tile,
)
from lampion.games.lanterns.rules_cards import dedicate, discard, exchange
from lampion.games.lanterns.rules_hidden import determinize
from lampion.games.lanterns.rules_lake import (
    award_matching_bonus,
    distribute_lanterns,
    laid_tile,
    lay_tile,
    next_player,
    remove_from_frontier,
)
from lampion.games.lanterns.rules_reasons import (
    ALLOWED,
    has_card,
    is_final_round,
    why_not_dedicate,
    why_not_discard,
    why_not_exchange,
    why_not_pass,
    why_not_place,
    why_not_swap,
)
from lampion.games.lanterns.state import (
    DEALT,
    DRAWN,
    EXCHANGE_STEP,
    FINAL_ROUND,
    NO_TILE,
    PASSED,
    PLACED,
    State,
)

__all__ = [
 "apply", "chance_weights", "determinize", "legal_actions", "may_act", "placements", "sample_chance", "scores", "to_act",
]  # fmt: skip


# --- who is to act --------------------------------------------------------------------------------


@rule
def to_act(state: State) -> Player:
    if state.is_over:
        return GAME_OVER
    return CHANCE if state.drawer != NO_PLAYER else state.active


@rule
def may_act(state: State, player: Player) -> bool:
    return player == to_act(state) and player != GAME_OVER


# --- legal actions --------------------------------------------------------------------------------


@rule
def list_exchanges(state: State, out: IntArray, n: int) -> int:
    """L6: give any card, take one of another color that the supply has."""
    player = state.active
    for give in range(NUM_COLORS):
        if not has_card(state, player, give):
            continue
        for take in range(NUM_COLORS):
            if why_not_swap(state, player, give, take) == ALLOWED:
                out[n] = exchange_action(give, take)
                n += 1
    return n


@rule
def list_dedications(state: State, out: IntArray, n: int) -> int:
    """L7: every set that the active player holds."""
    lanterns = state.lanterns[state.active]
    num_singles, num_pairs = 0, 0
    for color in range(NUM_COLORS):
        num_singles += lanterns[color] > 0
        num_pairs += lanterns[color] >= CARDS_PAIR
        if lanterns[color] >= CARDS_FOUR:
            out[n] = DEDICATE_FOUR + color
            n += 1
    if num_pairs >= PAIRS_IN_A_SET:
        n = list_three_pairs(lanterns, out, n)
    if num_singles == NUM_COLORS:
        out[n] = DEDICATE_SEVEN
        n += 1
    return n


@rule
def list_three_pairs(lanterns: IntArray, out: IntArray, n: int) -> int:
    for a in range(NUM_COLORS - 2):
        if lanterns[a] < CARDS_PAIR:
            continue
        for b in range(a + 1, NUM_COLORS - 1):
            if lanterns[b] < CARDS_PAIR:
                continue
            for c in range(b + 1, NUM_COLORS):
                if lanterns[c] >= CARDS_PAIR:
                    out[n] = DEDICATE_PAIRS + TRIPLE_NUMBERS[a, b, c]
                    n += 1
    return n


@rule
def list_discards(state: State, out: IntArray, n: int) -> int:
    """L8: any card the active player holds."""
    for color in range(NUM_COLORS):
        if has_card(state, state.active, color):
            out[n] = DISCARD + color
            n += 1
    return n


@rule
def list_placements(state: State, out: IntArray, n: int) -> int:
    """L9: every free place x tile in hand x rotation that looks different.

    The actions of one place are a pattern that the other places repeat, shifted. With a full hand
    of ordinary tiles, as is usual, the pattern has no gaps, ids simply count up, and the compiler
    writes eight at a time.
    """
    hand = state.hand[state.active]
    listed = out[n:]
    width = 0
    for slot in range(len(hand)):
        if hand[slot] != NO_TILE:
            for rotation in range(state.tile_rotations[hand[slot]]):
                listed[width] = place_action(0, slot, rotation)
                width += 1
    count = width * state.num_frontier
    if width == PLACES_PER_CELL:
        for k in range(count):
            listed[k] = PLACE + k
    else:
        for f in range(1, state.num_frontier):
            place = listed[f * width :]
            for k in range(width):
                place[k] = listed[k] + f * PLACES_PER_CELL
    return n + count


@rule
def list_unseen(state: State, out: IntArray) -> int:
    """L2, L13: any tile that nobody has seen, in ascending order."""
    is_unseen = np.zeros(NUM_TILES, np.bool_)
    for k in range(state.num_unseen):
        is_unseen[state.unseen[k]] = True
    n = 0
    for tile in range(NUM_TILES):
        if is_unseen[tile]:
            out[n] = draw_action(tile)
            n += 1
    return n


@rule
def legal_actions(state: State, player: Player, out: IntArray) -> int:
    if player == CHANCE:
        return list_unseen(state, out)
    n = 0
    if why_not_pass(state) == ALLOWED:
        out[n] = PASS
        n += 1
    if why_not_exchange(state, player) == ALLOWED:
        n = list_exchanges(state, out, n)
    if why_not_dedicate(state) == ALLOWED and state.num_lanterns[player] >= CARDS_FOUR:
        n = list_dedications(state, out, n)
    if why_not_place(state, player) == ALLOWED:
        n = list_placements(state, out, n)
    elif why_not_discard(state, player) == ALLOWED:
        n = list_discards(state, out, n)
    return n


@rule
def chance_weights(state: State, out: IntArray) -> int:
    """All unseen tiles are equally likely."""
    out[: state.num_unseen] = 1
    return state.num_unseen


@rule
def sample_chance(state: State, rng: Rng) -> Action:
    return draw_action(state.unseen[random_below(rng, state.num_unseen)])


# --- placing, drawing and the turn ----------------------------------------------------------------


@rule
def place(state: State, player: Player, f: int, slot: int, rotation: Rotation) -> None:
    """L9, then the bonus, the distribution and the draw."""
    laid = laid_tile(state.hand[player, slot], rotation)
    cell, x, y = state.frontier[f], state.frontier_x[f], state.frontier_y[f]
    state.hand[player, slot] = NO_TILE
    state.hand_size[player] -= 1
    note(state, PLACED, player, laid, x, y, 1)
    remove_from_frontier(state, f)
    lay_tile(state, laid, cell, x, y)
    award_matching_bonus(state, cell, laid)
    distribute_lanterns(state, laid)
    if state.left_to_draw > 0:
        state.drawer = player
    else:
        end_turn(state)


@rule
def remove_unseen(state: State, tile: Tile) -> None:
    for k in range(state.num_unseen):
        if state.unseen[k] == tile:
            state.num_unseen -= 1
            state.unseen[k] = state.unseen[state.num_unseen]
            state.unseen[state.num_unseen] = NO_TILE
            return


@rule
def draw(state: State, tile: Tile) -> None:
    """L2, L13: the tile goes into the first free slot of the player who draws."""
    player = state.drawer
    remove_unseen(state, tile)
    slot = 0
    while state.hand[player, slot] != NO_TILE:
        slot += 1
    state.hand[player, slot] = tile
    state.hand_size[player] += 1
    if state.to_deal > 0:
        note(state, DEALT, player, 0, 0, 0, 1)
        deal_on(state)
    else:
        note(state, DRAWN, player, 0, 0, 0, 1)
        state.left_to_draw -= 1
        state.drawer = NO_PLAYER
        end_turn(state)


@rule
def deal_on(state: State) -> None:
    """L2: the deal goes round the table, one tile each."""
    state.to_deal -= 1
    state.drawer = next_player(state, state.drawer) if state.to_deal > 0 else NO_PLAYER


@rule
def end_turn(state: State) -> None:
    state.active = next_player(state, state.active)
    state.step = EXCHANGE_STEP
    if state.active == 0 and is_final_round(state):
        note(state, FINAL_ROUND, state.active, 0, 0, 0, 0)


@rule
def end_last_turn(state: State) -> None:
    """L14: the game is over when the last player has passed."""
    note(state, PASSED, state.active, 0, 0, 0, 0)
    if state.active == state.num_players - 1:
        state.is_over = 1
    else:
        end_turn(state)


@rule
def apply(state: State, player: Player, action: Action) -> None:
    clear_trail(state)
    if action >= DRAW:
        draw(state, action - DRAW)
    elif action >= PLACE:
        place(state, player, placed_on(action), placed_slot(action), placed_rotation(action))
    elif action >= DISCARD:
        discard(state, player, action - DISCARD)
    elif action >= DEDICATE_FOUR:
        dedicate(state, player, action)
    elif action >= EXCHANGE:
        exchange(state, player, given_color(action), taken_color(action))
    else:
        end_last_turn(state)


# --- the end --------------------------------------------------------------------------------------


@rule
def scores(state: State, out: IntArray) -> None:
    """L15: the honor on one's tokens."""
    for player in range(state.num_players):
        out[player] = state.honor[player]


@rule(inline=True)
def first_tie_break(state: State, player: Player) -> int:
    """L15: favors."""
    return state.favors[player]


@rule(inline=True)
def second_tie_break(state: State, player: Player) -> int:
    """L15: cards."""
    return state.num_lanterns[player]


@rule
def is_ahead(state: State, a: Player, b: Player) -> bool:
    """L15: more honor; then what breaks ties."""
    if state.honor[a] != state.honor[b]:
        return state.honor[a] > state.honor[b]
    if first_tie_break(state, a) != first_tie_break(state, b):
        return first_tie_break(state, a) > first_tie_break(state, b)
    return second_tie_break(state, a) > second_tie_break(state, b)


@rule
def placements(state: State, out: IntArray) -> None:
    """L15: one's place is one more than the number of players ahead."""
    for player in range(state.num_players):
        out[player] = 1
        for other in range(state.num_players):
            out[player] += is_ahead(state, other, player)
