"""The rules of Lumens, U1 to U12: plain functions on the state, compiled when speed is wanted.

    middle spot (U3, three players) -> start tokens: draw, choose a face in secret, show (U4) -> first hand
    -> turns: place (U5-U7), draw (U9), a blocked player is out (U8) -> end (U10)

The board is in `rules_board`, the rooms in `rules_rooms`, guesses in `rules_hidden`. Seating and
drawing are moves of CHANCE. While start faces are chosen, everybody who has not chosen yet may act.
"""

from lampion.core.bits import BIT_MODULUS
from lampion.core.compile import rule
from lampion.core.rng import random_below
from lampion.core.trail import clear_trail, note
from lampion.core.types import CHANCE, GAME_OVER, NO_PLAYER, Action, IntArray, Player, Rng
from lampion.games.lumens.actions import (
    CHOOSE_START,
    DRAW,
    MIDDLE,
    PLACE_OFFSETS,
    choose_action,
    draw_action,
    middle_action,
    place_action,
    placed_face,
    placed_square,
)
from lampion.games.lumens.components import MAX_KINDS, NO_FACE, Face, Kind
from lampion.games.lumens.rules_board import can_place, put_start_token, put_token
from lampion.games.lumens.rules_hidden import determinize, random_unshown
from lampion.games.lumens.rules_rooms import is_ahead
from lampion.games.lumens.rules_tokens import token_face, token_owner
from lampion.games.lumens.state import (
    BLOCKED,
    CHOOSE_PHASE,
    EMPTY,
    HAND_DRAW_PHASE,
    NO_KIND,
    NUM_WORDS,
    OVER_PHASE,
    PLAY_PHASE,
    SEAT_PHASE,
    SEATED,
    SQUARES_PER_WORD,
    START_CHOSEN,
    START_DRAW_PHASE,
    START_SHOWN,
    TOKEN_COVERED,
    TOKEN_DRAWN,
    TOKEN_PLACED,
    State,
)

__all__ = [
    "apply", "chance_weights", "determinize", "legal_actions", "may_act", "placements", "sample_chance", "scores", "to_act",
]  # fmt: skip

# --- who is to act --------------------------------------------------------------------------------


@rule
def to_act(state: State) -> Player:
    if state.phase == OVER_PHASE:
        return GAME_OVER
    if state.drawer != NO_PLAYER or state.phase == SEAT_PHASE:
        return CHANCE
    if state.phase == CHOOSE_PHASE:
        return first_to_choose(state)
    return state.active


@rule
def first_to_choose(state: State) -> Player:
    """The first player in seat order who has not chosen a start face, or NO_PLAYER."""
    for player in range(state.num_players):
        if not state.has_chosen[player]:
            return player
    return NO_PLAYER


@rule
def may_act(state: State, player: Player) -> bool:
    """U4: start faces are chosen in any order."""
    if state.phase == CHOOSE_PHASE:
        return 0 <= player < state.num_players and not state.has_chosen[player]
    return player == to_act(state) and player != GAME_OVER


# --- legal actions --------------------------------------------------------------------------------


@rule
def list_placements(state: State, player: Player, out: IntArray) -> int:
    """U5 to U7: every square in reach, with either face of the token in hand."""
    kind = state.hand[player]
    face = state.kind_faces[kind, 0]
    to_other_face = state.kind_faces[kind, 1] - face
    n = 0
    for word in range(NUM_WORDS):
        targets = state.targets[player, word]
        first = place_action(word * SQUARES_PER_WORD, face)
        while targets != 0:
            lowest = targets & -targets
            action = first + PLACE_OFFSETS[lowest % BIT_MODULUS]
            out[n] = action
            out[n + 1] = action + to_other_face
            n += 2
            targets ^= lowest
    return n


@rule
def list_faces(state: State, player: Player, out: IntArray) -> int:
    """U4: the start token shows either face."""
    kind = state.hand[player]
    out[0] = choose_action(state.kind_faces[kind, 0])
    out[1] = choose_action(state.kind_faces[kind, 1])
    return 2


@rule
def list_outcomes(state: State, out: IntArray) -> int:
    """U3: who takes the middle spot; or U4, U9: the kinds in the bag of the player who draws, and
    who has nothing in hand."""
    n = 0
    if state.phase == SEAT_PHASE:
        for player in range(state.num_players):
            out[n] = middle_action(player)
            n += 1
        return n
    for kind in range(MAX_KINDS):
        if state.unshown[state.drawer, kind] > 0:
            out[n] = draw_action(kind)
            n += 1
    return n


@rule
def legal_actions(state: State, player: Player, out: IntArray) -> int:
    if player == CHANCE:
        return list_outcomes(state, out)
    if state.phase == CHOOSE_PHASE:
        return list_faces(state, player, out)
    return list_placements(state, player, out)


@rule
def chance_weights(state: State, out: IntArray) -> int:
    """U9: every token in the bag is equally likely."""
    n = 0
    if state.phase == SEAT_PHASE:
        out[: state.num_players] = 1
        return state.num_players
    for kind in range(MAX_KINDS):
        if state.unshown[state.drawer, kind] > 0:
            out[n] = state.unshown[state.drawer, kind]
            n += 1
    return n


@rule
def sample_chance(state: State, rng: Rng) -> Action:
    if state.phase == SEAT_PHASE:
        return middle_action(random_below(rng, state.num_players))
    return draw_action(random_unshown(state, state.drawer, rng))


# --- set-up ---------------------------------------------------------------------------------------


@rule(inline=True)
def next_player(state: State, player: Player) -> Player:
    return player + 1 if player + 1 < state.num_players else 0


@rule
def seat_players(state: State, first: Player) -> None:
    """U3: the first start square is for that player; the others follow clockwise."""
    player = first
    for k in range(state.num_players):
        state.starts[player] = state.spots[k]
        state.marker[state.spots[k]] = player
        note(state, SEATED, player, 0, state.spots[k], 0, 1)
        player = next_player(state, player)
    state.phase = START_DRAW_PHASE
    state.drawer = 0


@rule
def choose_start(state: State, player: Player, face: Face) -> None:
    """U4. The trail of the last choice tells what all have chosen; a preview of it stops before
    that."""
    state.start_face[player] = face
    state.has_chosen[player] = 1
    note(state, START_CHOSEN, player, 0, 0, 0, 1)
    if first_to_choose(state) == NO_PLAYER:
        show_start_tokens(state)


@rule
def show_start_tokens(state: State) -> None:
    """U4: when all have chosen."""
    for player in range(state.num_players):
        note_token(state, START_SHOWN, player, state.starts[player], state.start_face[player])
        put_start_token(state, player, state.start_face[player])
        take_from_hand(state, player)
        state.start_face[player] = NO_FACE
    state.phase = HAND_DRAW_PHASE
    state.drawer = 0


@rule
def note_token(state: State, cause: int, player: Player, square: int, face: Face) -> None:
    note(state, cause, player, face, square, int(state.room[square]), 1)


# --- placing, drawing and the turn ----------------------------------------------------------------


@rule
def take_from_hand(state: State, player: Player) -> None:
    """The token in hand is shown from now on."""
    state.unshown[player, state.hand[player]] -= 1
    state.num_unshown[player] -= 1
    state.hand[player] = NO_KIND
    state.hand_size[player] = 0


@rule
def place(state: State, player: Player, square: int, face: Face) -> None:
    """U5 to U7, then the draw."""
    note_token(state, TOKEN_PLACED, player, square, face)
    covered = int(state.top[square])
    if covered != EMPTY:
        note_token(state, TOKEN_COVERED, token_owner(covered), square, token_face(covered))
    put_token(state, player, square, face)
    take_from_hand(state, player)
    state.last_placed = square
    if state.num_unshown[player] > 0:
        state.drawer = player
    else:
        end_turn(state)


@rule
def draw(state: State, kind: Kind) -> None:
    """U4, U9: into the hand, hidden from the others."""
    player = state.drawer
    state.hand[player] = kind
    state.hand_size[player] = 1
    note(state, TOKEN_DRAWN, player, 0, 0, 0, 1)
    if state.phase == PLAY_PHASE:
        state.drawer = NO_PLAYER
        end_turn(state)
    else:
        deal_on(state)


@rule
def deal_on(state: State) -> None:
    """U4: the draws of the set-up go round in seat order; then comes the next phase."""
    state.drawer += 1
    if state.drawer == state.num_players:
        state.drawer = NO_PLAYER
        state.phase += 1


@rule
def end_turn(state: State) -> None:
    """U8, U10: the next player who has a token and can place it; one who cannot is out, and if
    nobody can, the game is over."""
    player = state.active
    for _ in range(state.num_players):
        player = next_player(state, player)
        if state.hand_size[player] == 0 or state.is_out[player]:
            continue
        if can_place(state, player):
            state.active = player
            return
        state.is_out[player] = 1
        note(state, BLOCKED, player, 0, 0, 0, 0)
    state.phase = OVER_PHASE


@rule
def apply(state: State, player: Player, action: Action) -> None:
    clear_trail(state)
    if action >= DRAW:
        draw(state, action - DRAW)
    elif action >= MIDDLE:
        seat_players(state, action - MIDDLE)
    elif action >= CHOOSE_START:
        choose_start(state, player, action - CHOOSE_START + 1)
    else:
        place(state, player, placed_square(action), placed_face(action))


# --- the end --------------------------------------------------------------------------------------


@rule
def scores(state: State, out: IntArray) -> None:
    """U11: the points of all rooms as they stand."""
    for player in range(state.num_players):
        out[player] = state.points[player]


@rule
def placements(state: State, out: IntArray) -> None:
    """U12: one's place is one more than the number of players ahead."""
    for player in range(state.num_players):
        out[player] = 1
        for other in range(state.num_players):
            out[player] += is_ahead(state, other, player)
