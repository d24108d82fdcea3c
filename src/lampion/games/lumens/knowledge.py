"""What bots know about Lumens."""

from __future__ import annotations

import math

from lampion.core.compile import rule
from lampion.core.numbers import tanh
from lampion.core.rng import random_below
from lampion.core.types import CHANCE, Action, IntArray, Player, Rng
from lampion.games.lumens.actions import CHOOSE_START, DRAW, MIDDLE, placed_face, placed_square
from lampion.games.lumens.components import MAX_KINDS, MAX_ROOMS
from lampion.games.lumens.rules import legal_actions
from lampion.games.lumens.rules_rooms import tie_break
from lampion.games.lumens.rules_tokens import token_face, token_owner
from lampion.games.lumens.state import CHOOSE_PHASE, EMPTY, NUM_WORDS, OVER_PHASE, State

NO_ACTION, HIDDEN_KEY = -1, -2
LEAD_VALUE = 1.6
"""What a safe lead in a room is worth beyond the points it pays now."""
LEAD_SCALE = 5.0
MOBILITY_VALUE = 0.12
SAMPLES = 5


@rule
def lead(state: State, room: int, player: Player) -> int:
    """How many pips a player is ahead of the best of the others in a room."""
    best = 0
    for other in range(state.num_players):
        if other != player:
            best = max(best, int(state.room_pips[room, other]))
    return int(state.room_pips[room, player]) - best


@rule
def num_targets(state: State, player: Player) -> int:
    count = 0
    for word in range(NUM_WORDS):
        targets = state.targets[player, word]
        while targets != 0:
            targets &= targets - 1
            count += 1
    return count


@rule
def evaluate(state: State, player: Player) -> float:
    """Points, how safe they are, and how many squares are in reach."""
    value = float(state.points[player])
    if state.phase == OVER_PHASE:
        return value + 0.01 * tie_break(state, player)
    for room in range(MAX_ROOMS):
        if state.room_pips[room, player] > 0:
            value += LEAD_VALUE * tanh(lead(state, room, player) / LEAD_SCALE)
    return value + MOBILITY_VALUE * math.sqrt(num_targets(state, player))


@rule
def placement_gain(state: State, player: Player, action: Action) -> float:
    """The pips that a placement wins for its player and takes from others."""
    square = placed_square(action)
    covered = int(state.top[square])
    if state.room[square] < 0:
        return 0.5
    gain = float(placed_face(action))
    if covered != EMPTY:
        gain += token_face(covered) * (-1.0 if token_owner(covered) == player else 0.8)
    return gain


@rule
def playout_action(state: State, player: Player, legal: IntArray, rng: Rng) -> Action:
    """The best of a few random placements by pips."""
    count = legal_actions(state, player, legal)
    chosen = int(legal[random_below(rng, count)])
    if chosen >= CHOOSE_START:
        return chosen
    best = placement_gain(state, player, chosen)
    for _ in range(SAMPLES - 1):
        action = int(legal[random_below(rng, count)])
        gain = placement_gain(state, player, action)
        if gain > best:
            best, chosen = gain, action
    return chosen


@rule
def action_key(state: State, player: Player, action: Action, seat: Player) -> int:
    """Placements are public; draws and start faces of others are not."""
    if action >= DRAW:
        return action if state.drawer == seat else HIDDEN_KEY
    if CHOOSE_START <= action < MIDDLE and player != seat:
        return HIDDEN_KEY
    return action


@rule
def keyed_action(state: State, player: Player, key: int) -> Action:
    """A placement that the token in hand allows; where it may go is public."""
    if key == HIDDEN_KEY:
        return NO_ACTION
    if (
        player == CHANCE
        or key >= CHOOSE_START
        or state.face_kinds[placed_face(key)] == state.hand[player]
    ):
        return key
    return NO_ACTION


@rule
def action_kind(state: State, player: Player, action: Action) -> int:
    return 1 + int(state.hand[player])


@rule
def kinds_at_hand(state: State, player: Player) -> int:
    """The one token in hand, or none."""
    return 1 << action_kind(state, player, 0)


# --- what is hidden -------------------------------------------------------------------------------


@rule
def is_certain(seen: State, seat: Player) -> bool:
    """Every token in another hand can be named: all that its owner has not shown are alike. While
    start tokens are chosen, their faces are secrets as well."""
    if seen.phase == CHOOSE_PHASE:
        return False
    for player in range(seen.num_players):
        if player != seat and seen.hand_size[player] > 0 and num_kinds_unshown(seen, player) > 1:
            return False
    return True


@rule
def num_kinds_unshown(seen: State, player: Player) -> int:
    count = 0
    for kind in range(MAX_KINDS):
        count += seen.unshown[player, kind] > 0
    return count
