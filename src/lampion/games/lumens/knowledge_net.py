"""What a network is told about Lumens (see `bots.net`)."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from lampion.core.compile import rule
from lampion.core.types import IntArray, Player
from lampion.games.lumens.components import MAX_PLAYERS, MAX_ROOMS, NO_FACE, NUM_SIDES
from lampion.games.lumens.knowledge import evaluate, lead, num_targets
from lampion.games.lumens.rules_tokens import token_face, token_owner
from lampion.games.lumens.state import EMPTY, NO_KIND, NUM_CELLS, OFF_BOARD, PLAY_PHASE, State

Features = npt.NDArray[np.float32]
BUCKETS = 7
LEADS = np.array([-9, -4, 0, 1, 5, 10], np.int32)
"""Where the buckets of leads end: a lead of -12 is in the first, one of 0 in the fourth."""
ROOMS, HAND = 6, 6 + 2 * BUCKETS
OWN_FEATURES = HAND + 8
TURN_FEATURES = 4
RIVAL_FEATURES = 6


def num_features(players: int) -> int:
    """A player's own twice, those of each of the others, and those of the turn."""
    return 2 * OWN_FEATURES + (players - 1) * RIVAL_FEATURES + TURN_FEATURES + players


@rule
def net_features(state: State, player: Player, out: Features) -> bool:
    """What a player would say of the position, with the own token and nobody else's; False while
    the start tokens are chosen and after the end."""
    if state.phase != PLAY_PHASE:
        return False
    out[:] = 0.0
    left = share_left(state)
    own_features(state, player, out)
    for k in range(OWN_FEATURES):
        out[OWN_FEATURES + k] = left * float(out[k])
    start, other = 2 * OWN_FEATURES, player
    for _ in range(state.num_players - 1):
        other = other + 1 if other + 1 < state.num_players else 0
        rival_features(state, player, other, left, out[start : start + RIVAL_FEATURES])
        start += RIVAL_FEATURES
    turn_features(state, player, left, out[start:])
    return True


@rule
def share_left(state: State) -> float:
    """The share of all tokens that nobody has seen yet."""
    unshown, shown = 0, 0
    for player in range(state.num_players):
        unshown += state.num_unshown[player]
    for square in range(NUM_CELLS):
        shown += EMPTY < state.top[square] < OFF_BOARD
        shown += EMPTY < state.under[square] < OFF_BOARD
    return unshown / max(1.0, float(unshown + shown))


@rule
def rival_features(state: State, player: Player, rival: Player, left: float, out: Features) -> None:
    """How far a player is ahead of another; near the end that counts more."""
    ahead = 0.1 * (state.points[player] - state.points[rival])
    out[0] = ahead
    out[1] = 0.1 * ahead / (0.05 + left)
    out[2] = 0.1 * (evaluate(state, player) - evaluate(state, rival))
    out[3] = 0.1 * math.sqrt(num_targets(state, rival))
    out[4] = 0.05 * state.num_unshown[rival]
    out[5] = state.is_out[rival] != 0


@rule
def own_features(state: State, player: Player, out: Features) -> None:
    out[0] = 0.1 * state.points[player]
    out[1] = 0.1 * evaluate(state, player)
    out[2] = 0.1 * math.sqrt(num_targets(state, player))
    out[3] = 0.05 * state.num_unshown[player]
    out[4] = state.is_out[player] != 0
    out[5] = 0.05 * lead(state, state.center, player)
    room_features(state, player, out[ROOMS:HAND])
    hand_features(state, player, out[HAND:OWN_FEATURES])


@rule
def room_features(state: State, player: Player, out: Features) -> None:
    """How many rooms the player leads by how much; those that may still change apart from those
    that a trailing player can no longer reach."""
    reach = np.zeros(MAX_ROOMS * MAX_PLAYERS, np.int32)
    count_reach(state, reach)
    for room in range(MAX_ROOMS):
        own, others, pips = int(reach[room * MAX_PLAYERS + player]), 0, 0
        for other in range(state.num_players):
            pips += state.room_pips[room, other]
            others += reach[room * MAX_PLAYERS + other]
        others -= own
        if own + others + pips == 0:
            continue
        ahead, bucket = lead(state, room, player), 0
        while bucket < len(LEADS) and ahead >= LEADS[bucket]:
            bucket += 1
        can_change = (ahead <= 0 and own > 0) or (ahead >= 0 and others > 0)
        out[bucket + (0 if can_change else BUCKETS)] += 0.25


@rule
def count_reach(state: State, out: IntArray) -> None:
    """How many squares of each room each player can reach."""
    for player in range(state.num_players):
        if not state.is_out[player]:
            for square in range(NUM_CELLS):
                if state.ways[player, square] != 0 and state.room[square] >= 0:
                    out[int(state.room[square]) * MAX_PLAYERS + player] += 1


@rule
def hand_features(state: State, player: Player, out: Features) -> None:
    """The token in hand, and what it can do at once."""
    kind = state.hand[player]
    if kind == NO_KIND:
        return
    for side in range(NUM_SIDES):
        out[side] = 0.15 * state.kind_faces[kind, side]
    out[2] = 1.0
    out[3] = 0.15 * state.start_face[player]
    out[4] = state.start_face[player] != NO_FACE
    if state.phase == PLAY_PHASE:
        best = 0.0
        for square in range(NUM_CELLS):
            if state.ways[player, square] != 0 and state.room[square] >= 0:
                for side in range(NUM_SIDES):
                    swing = points_swing(state, player, square, state.kind_faces[kind, side])
                    best = max(best, swing)
        out[5] = 0.2 * best
        out[6] = best > 0.0
        out[7] = state.active == player


@rule
def points_swing(state: State, player: Player, square: int, face: int) -> float:
    """The points that a placement would bring its player at once, with those it would take from
    the others."""
    room, covered = int(state.room[square]), int(state.top[square])
    pips = np.zeros(MAX_PLAYERS, np.int32)
    for other in range(state.num_players):
        pips[other] = state.room_pips[room, other]
    if covered > EMPTY:
        pips[token_owner(covered)] -= token_face(covered)
    pips[player] += face
    swing = 0.0
    for other in range(state.num_players):
        ahead = 0
        for rival in range(state.num_players):
            ahead += pips[rival] > pips[other]
        pays = int(state.place_points[ahead]) if pips[other] > 0 else 0
        change = pays - int(state.room_points[room, other])
        swing += change * (1.0 if other == player else -1.0 / (state.num_players - 1.0))
    return swing


@rule
def turn_features(state: State, player: Player, left: float, out: Features) -> None:
    out[0] = left
    out[1] = 1.0 / (1.0 + 20.0 * left)
    out[2] = state.phase == PLAY_PHASE
    out[3] = state.has_chosen[player] != 0
    turn = state.active - player
    out[TURN_FEATURES + (turn if turn >= 0 else turn + state.num_players)] = 1.0
