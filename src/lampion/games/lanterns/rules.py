"""The rules of Lanterns, L1 to L15: plain functions on the state, compiled when speed is wanted.

    deal (L2) -> for each player in turn: exchange (L6), dedicate (L7), discard (L8), place (L9-L12), draw (L13) -> final round (L14)

One decision lists everything the player may do now; an optional step is skipped by taking a later one. Dealing and drawing are
moves of CHANCE.
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
    NUM_TRIPLES,
    PASS,
    PLACE,
    PLACES_PER_CELL,
    TRIPLE_MASKS,
    TRIPLES,
    draw_action,
    exchange_action,
    place_action,
)
from lampion.games.lanterns.components import (
    CARDS_FOUR,
    CARDS_PAIR,
    EAST,
    FOUR_OF_A_KIND,
    NORTH,
    NUM_COLORS,
    NUM_SIDES,
    NUM_TILES,
    SEVEN_UNIQUE,
    SIDE_X,
    SIDE_Y,
    SOUTH,
    THREE_PAIRS,
    Color,
    Rotation,
    Side,
    Stack,
    Tile,
)
from lampion.games.lanterns.state import (
    CELL_MASK,
    DEDICATE_STEP,
    DEDICATED,
    DISCARDED,
    EXCHANGE_STEP,
    EXCHANGED,
    FACING_LANTERN,
    MATCH_FAVOR,
    MATCH_LANTERN,
    NO_LANTERN,
    NO_TILE,
    NORTHWARD,
    OPEN_WATER,
    OWN_TILE,
    PASSED,
    PLACE_STEP,
    TILE_DRAWN,
    TILE_PLACED,
    State,
)

STEPS = np.array([NORTHWARD, 1, -NORTHWARD, -1], np.int32)
DX, DY = np.array(SIDE_X, np.int32), np.array(SIDE_Y, np.int32)
assert (NORTH, EAST, SOUTH) == (0, 1, 2), "STEPS is listed clockwise from north"


# --- the lake -------------------------------------------------------------------------------------------------------------------


@rule(inline=True)
def neighbor(cell: int, side: Side) -> int:
    return (cell + STEPS[side]) & CELL_MASK


@rule(inline=True)
def opposite(side: Side) -> Side:
    return side ^ 2


@rule(inline=True)
def side_color(state: State, laid: int, side: Side) -> Color:
    """The colour on a side of a laid tile; `laid` is 4 * tile + turn."""
    return state.tile_sides[laid >> 2, (side - laid) & 3]


@rule
def add_to_frontier(state: State, cell: int, x: int, y: int) -> None:
    f = state.num_frontier
    state.frontier[f] = cell
    state.frontier_x[f] = x
    state.frontier_y[f] = y
    state.lake[cell] = -1 - f
    state.num_frontier = f + 1


@rule
def remove_from_frontier(state: State, f: int) -> None:
    """The last place moves into the gap."""
    last = state.num_frontier - 1
    cell = state.frontier[last]
    state.frontier[f] = cell
    state.frontier_x[f] = state.frontier_x[last]
    state.frontier_y[f] = state.frontier_y[last]
    state.lake[cell] = -1 - f
    state.num_frontier = last


@rule
def lay_tile(state: State, laid: int, cell: int, x: int, y: int) -> None:
    """Put a tile on a cell that is not in the frontier, and add the open water around it to the frontier."""
    n = state.num_laid
    state.laid[n] = laid
    state.laid_x[n] = x
    state.laid_y[n] = y
    state.num_laid = n + 1
    state.lake[cell] = 1 + laid
    for side in range(NUM_SIDES):
        beside = neighbor(cell, side)
        if state.lake[beside] == OPEN_WATER:
            add_to_frontier(state, beside, x + DX[side], y + DY[side])


# --- who is to act ----------------------------------------------------------------------------------------------------------------


@rule(inline=True)
def is_final_round(state: State) -> bool:
    """L14: every tile has been placed."""
    return state.hand_size[state.active] == 0


@rule(inline=True)
def is_over_limit(state: State) -> bool:
    """L8: more cards than allowed before placing; there is no limit in the final round."""
    return state.num_lanterns[state.active] > state.card_limit


@rule
def to_act(state: State) -> Player:
    if state.is_over:
        return GAME_OVER
    return CHANCE if state.drawer != NO_PLAYER else state.active


@rule
def may_act(state: State, player: Player) -> bool:
    return player == to_act(state) and player != GAME_OVER


# --- legal actions ----------------------------------------------------------------------------------------------------------------


@rule
def list_exchanges(state: State, out: IntArray, n: int) -> int:
    """L6: give any card, take one of another colour that the supply has."""
    lanterns = state.lanterns[state.active]
    for give in range(NUM_COLORS):
        if lanterns[give] > 0:
            for take in range(NUM_COLORS):
                if take != give and state.supply[take] > 0:
                    out[n] = exchange_action(give, take)
                    n += 1
    return n


@rule
def list_dedications(state: State, out: IntArray, n: int) -> int:
    """L7: every set that the active player holds."""
    lanterns = state.lanterns[state.active]
    singles, pairs = 0, 0
    for color in range(NUM_COLORS):
        singles += lanterns[color] > 0
        pairs |= (lanterns[color] >= CARDS_PAIR) << color
        if lanterns[color] >= CARDS_FOUR:
            out[n] = DEDICATE_FOUR + color
            n += 1
    for triple in range(NUM_TRIPLES):
        if pairs & TRIPLE_MASKS[triple] == TRIPLE_MASKS[triple]:
            out[n] = DEDICATE_PAIRS + triple
            n += 1
    if singles == NUM_COLORS:
        out[n] = DEDICATE_SEVEN
        n += 1
    return n


@rule
def list_discards(state: State, out: IntArray, n: int) -> int:
    """L8: any card the active player holds."""
    for color in range(NUM_COLORS):
        if state.lanterns[state.active, color] > 0:
            out[n] = DISCARD + color
            n += 1
    return n


@rule
def list_placements(state: State, out: IntArray, n: int) -> int:
    """L9: every free place x tile in hand x rotation that looks different.

    The first place is written out one by one; the others repeat its pattern, shifted, which compiles to straight copying.
    """
    hand = state.hand[state.active]
    first = n
    for slot in range(len(hand)):
        if hand[slot] != NO_TILE:
            for rotation in range(state.tile_rotations[hand[slot]]):
                out[n] = place_action(0, slot, rotation)
                n += 1
    width = n - first
    for f in range(1, state.num_frontier):
        shift = f * PLACES_PER_CELL
        for k in range(width):
            out[n + k] = out[first + k] + shift
        n += width
    return n


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
    is_final = is_final_round(state)
    if is_final:
        out[n] = PASS
        n += 1
    if state.step == EXCHANGE_STEP and state.favors[player] >= state.exchange_cost:
        n = list_exchanges(state, out, n)
    if state.step <= DEDICATE_STEP and state.num_lanterns[player] >= CARDS_FOUR:
        n = list_dedications(state, out, n)
    if is_final:
        return n
    if is_over_limit(state):
        return list_discards(state, out, n)
    return list_placements(state, out, n)


@rule
def chance_weights(state: State, out: IntArray) -> int:
    """All unseen tiles are equally likely."""
    out[: state.num_unseen] = 1
    return state.num_unseen


@rule
def sample_chance(state: State, rng: Rng) -> Action:
    return draw_action(state.unseen[random_below(rng, state.num_unseen)])


# --- cards, favours, honour -------------------------------------------------------------------------------------------------------


@rule
def gain_lantern(state: State, player: Player, color: Color, side: Side, kind: int) -> None:
    """L12: an empty pile gives nothing: no substitute, no debt."""
    if state.supply[color] > 0:
        state.supply[color] -= 1
        state.lanterns[player, color] += 1
        state.num_lanterns[player] += 1
        note(state, kind, player, color, side)
    else:
        note(state, NO_LANTERN, player, color, side)


@rule
def return_lanterns(state: State, player: Player, color: Color, count: int) -> None:
    state.lanterns[player, color] -= count
    state.num_lanterns[player] -= count
    state.supply[color] += count


@rule
def exchange(state: State, player: Player, give: Color, take: Color) -> None:
    """L6."""
    state.favors[player] -= state.exchange_cost
    return_lanterns(state, player, give, 1)
    state.supply[take] -= 1
    state.lanterns[player, take] += 1
    state.num_lanterns[player] += 1
    state.step = DEDICATE_STEP
    note(state, EXCHANGED, player, give, take)


@rule
def take_token(state: State, player: Player, stack: Stack) -> None:
    """L7: the top token of the stack; an empty stack keeps paying."""
    taken = state.tokens_taken[stack]
    honor = state.generic_honor
    if taken < state.stack_size[stack]:
        honor = int(state.stack_honor[stack, taken])
        state.tokens_taken[stack] += 1
    state.honor[player] += honor
    state.step = PLACE_STEP
    note(state, DEDICATED, player, stack, honor)


@rule
def dedicate(state: State, player: Player, action: Action) -> None:
    """L7: return one set, take a token."""
    if action < DEDICATE_PAIRS:
        return_lanterns(state, player, action - DEDICATE_FOUR, CARDS_FOUR)
        take_token(state, player, FOUR_OF_A_KIND)
    elif action < DEDICATE_SEVEN:
        for color in TRIPLES[action - DEDICATE_PAIRS]:
            return_lanterns(state, player, color, CARDS_PAIR)
        take_token(state, player, THREE_PAIRS)
    else:
        for color in range(NUM_COLORS):
            return_lanterns(state, player, color, 1)
        take_token(state, player, SEVEN_UNIQUE)


@rule
def discard(state: State, player: Player, color: Color) -> None:
    """L8: discarding closes the exchange and the dedication."""
    return_lanterns(state, player, color, 1)
    state.step = PLACE_STEP
    note(state, DISCARDED, player, color, 0)


# --- placing ----------------------------------------------------------------------------------------------------------------------


@rule
def award_matching_bonus(state: State, cell: int, laid: int) -> None:
    """L10: one card per matching side; one favour per matching tile with a platform, the laid one included."""
    player = state.active
    is_matched = False
    for side in range(NUM_SIDES):
        beside = int(state.lake[neighbor(cell, side)]) - 1
        if beside < 0:
            continue
        color = side_color(state, laid, side)
        if side_color(state, beside, opposite(side)) != color:
            continue
        is_matched = True
        gain_lantern(state, player, color, side, MATCH_LANTERN)
        if state.tile_platform[beside >> 2]:
            gain_favor(state, player, side)
    if is_matched and state.tile_platform[laid >> 2]:
        gain_favor(state, player, OWN_TILE)


@rule
def gain_favor(state: State, player: Player, side: Side) -> None:
    """L10: favours are unlimited, and due even if no card was."""
    state.favors[player] += 1
    note(state, MATCH_FAVOR, player, side, 1)


@rule
def distribute_lanterns(state: State, laid: int) -> None:
    """L11: clockwise from the active player, each gets a card of the colour facing their seat."""
    player = state.active
    for _ in range(state.num_players):
        side = state.seat_sides[player]
        gain_lantern(state, player, side_color(state, laid, side), side, FACING_LANTERN)
        player = next_player(state, player)


@rule(inline=True)
def next_player(state: State, player: Player) -> Player:
    return player + 1 if player + 1 < state.num_players else 0


@rule
def place(state: State, player: Player, f: int, slot: int, rotation: Rotation) -> None:
    """L9, then the bonus, the distribution and the draw."""
    laid = state.hand[player, slot] * NUM_SIDES + rotation
    cell, x, y = state.frontier[f], state.frontier_x[f], state.frontier_y[f]
    state.hand[player, slot] = NO_TILE
    state.hand_size[player] -= 1
    note(state, TILE_PLACED, player, laid, state.num_laid)
    remove_from_frontier(state, f)
    lay_tile(state, laid, cell, x, y)
    award_matching_bonus(state, cell, laid)
    distribute_lanterns(state, laid)
    if state.left_to_draw > 0:
        state.drawer = player
    else:
        end_turn(state)


# --- drawing and the turn ---------------------------------------------------------------------------------------------------------


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
    note(state, TILE_DRAWN, player, 0, 0)
    if state.to_deal > 0:
        deal_on(state)
    else:
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


@rule
def end_last_turn(state: State) -> None:
    """L14: the game is over when the last player has passed."""
    note(state, PASSED, state.active, 0, 0)
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
        spot = action - PLACE
        place(state, player, spot // PLACES_PER_CELL, spot // NUM_SIDES % (PLACES_PER_CELL // NUM_SIDES), spot % NUM_SIDES)
    elif action >= DISCARD:
        discard(state, player, action - DISCARD)
    elif action >= DEDICATE_FOUR:
        dedicate(state, player, action)
    elif action >= EXCHANGE:
        exchange(state, player, (action - EXCHANGE) // NUM_COLORS, (action - EXCHANGE) % NUM_COLORS)
    else:
        end_last_turn(state)


# --- the end ----------------------------------------------------------------------------------------------------------------------


@rule
def scores(state: State, out: IntArray) -> None:
    """L15: the honour on one's tokens."""
    for player in range(state.num_players):
        out[player] = state.honor[player]


@rule
def is_ahead(state: State, a: Player, b: Player) -> bool:
    """L15: more honour; then more favours; then more cards."""
    if state.honor[a] != state.honor[b]:
        return state.honor[a] > state.honor[b]
    if state.favors[a] != state.favors[b]:
        return state.favors[a] > state.favors[b]
    return state.num_lanterns[a] > state.num_lanterns[b]


@rule
def placements(state: State, out: IntArray) -> None:
    """L15: one's place is one more than the number of players ahead."""
    for player in range(state.num_players):
        out[player] = 1
        for other in range(state.num_players):
            out[player] += is_ahead(state, other, player)


# --- guessing what is hidden ------------------------------------------------------------------------------------------------------


@rule
def determinize(seen: State, seat: Player, rng: Rng) -> None:
    """Deal the tiles that this seat has not seen to the other hands; the rest is unseen. Every such deal is equally likely."""
    is_known = np.zeros(NUM_TILES, np.bool_)
    for k in range(seen.num_laid):
        is_known[seen.laid[k] // NUM_SIDES] = True
    if seat >= 0:
        for slot in range(seen.hand.shape[1]):
            if seen.hand[seat, slot] != NO_TILE:
                is_known[seen.hand[seat, slot]] = True
    n = 0
    for tile in range(NUM_TILES):
        if not is_known[tile]:
            seen.unseen[n] = tile
            n += 1
    for player in range(seen.hand.shape[0]):
        if player != seat:
            n = deal_guess(seen, player, n, rng)
    seen.unseen[n:] = NO_TILE


@rule
def deal_guess(seen: State, player: Player, num_left: int, rng: Rng) -> int:
    """Give a player a random hand from the first `num_left` unseen tiles; return how many are left."""
    for slot in range(seen.hand.shape[1]):
        seen.hand[player, slot] = NO_TILE
        if slot < seen.hand_size[player]:
            k = random_below(rng, num_left)
            num_left -= 1
            seen.hand[player, slot] = seen.unseen[k]
            seen.unseen[k] = seen.unseen[num_left]
    return num_left
