"""The board of Lumens: counting lines, covering and the start marker, U5 to U7, kept up
to date with every token.

What a new token changes lies on its own row and column: a token on an empty square
cuts the lines that pass over it, a token on another takes that one's lines away, and
either opens lines of its own.
"""

import numpy as np

from lampion.core.compile import rule
from lampion.core.types import NO_PLAYER, Player
from lampion.games.lumens.components import MAX_FACE, Face
from lampion.games.lumens.rules_rooms import count_pips
from lampion.games.lumens.rules_tokens import token_face, token_of, token_owner
from lampion.games.lumens.state import (
    EMPTY,
    NO_ROOM,
    NO_SQUARE,
    NUM_DIRECTIONS,
    NUM_WORDS,
    OFF_BOARD,
    ROW_LENGTH,
    SQUARES_PER_WORD,
    START_RIGHT,
    State,
)

STEPS = np.array([ROW_LENGTH, 1, -ROW_LENGTH, -1], np.int32)
"""To the next square north, east, south, west."""
SQUARE_BITS = np.array([1 << bit for bit in range(SQUARES_PER_WORD - 1)], np.int64)


OPEN, BEYOND_BORDER, SQUARE_IS_FULL, START_OF_ANOTHER, LINE_IS_CUT, OUT_OF_REACH = range(6)
"""Why a square takes no token of a player; `notation` gives the words."""


@rule(inline=True)
def why_closed(state: State, player: Player, square: int) -> int:
    """U5, U6: on the board, at most one token there, and no other player's start marker."""
    if state.under[square] != EMPTY:
        return BEYOND_BORDER if state.room[square] == NO_ROOM else SQUARE_IS_FULL
    if state.marker[square] == NO_PLAYER or state.marker[square] == player:
        return OPEN
    return START_OF_ANOTHER


@rule(inline=True)
def is_open(state: State, player: Player, square: int) -> bool:
    return why_closed(state, player, square) == OPEN


# --- ways to arrive -------------------------------------------------------------------------------


@rule
def add_way(state: State, player: Player, square: int, way: int) -> None:
    state.ways[player, square] |= way
    state.targets[player, square // SQUARES_PER_WORD] |= SQUARE_BITS[square % SQUARES_PER_WORD]


@rule
def remove_way(state: State, player: Player, square: int, way: int) -> None:
    """A line that ends where the player may not arrive, beyond the border
    for one, was never a way."""
    if state.ways[player, square] & way == 0:
        return
    left = int(state.ways[player, square]) & ~way
    state.ways[player, square] = left
    if left == 0:
        state.targets[player, square // SQUARES_PER_WORD] &= ~SQUARE_BITS[square % SQUARES_PER_WORD]


@rule
def close_square(state: State, square: int) -> None:
    """U6, U7: nobody can arrive on a full square, and a right to go there is spent."""
    for player in range(state.num_players):
        state.ways[player, square] = 0
        state.targets[player, square // SQUARES_PER_WORD] &= ~SQUARE_BITS[square % SQUARES_PER_WORD]


@rule
def can_place(state: State, player: Player) -> bool:
    squares = 0
    for word in range(NUM_WORDS):
        squares |= state.targets[player, word]
    return squares != 0


# --- counting lines -------------------------------------------------------------------------------


@rule
def line_end(state: State, square: int, step: int, face: Face) -> int:
    """U5: where a counting line ends, or NO_SQUARE if a token or the border is in between."""
    for _ in range(face - 1):
        square += step
        if state.top[square] != EMPTY:
            return NO_SQUARE
    return square + step


@rule
def why_not_arrive(state: State, player: Player, square: int) -> int:
    """U5: a way leads to the square."""
    if state.ways[player, square] != 0:
        return OPEN
    for direction in range(NUM_DIRECTIONS):
        if is_line_cut(state, player, square, STEPS[direction]):
            return LINE_IS_CUT
    return OUT_OF_REACH


@rule
def is_line_cut(state: State, player: Player, square: int, step: int) -> bool:
    """U5: whether a token of the player would count to a square but for what lies in between."""
    origin, face = square - step, 1
    while face <= MAX_FACE and state.top[origin] != OFF_BOARD:
        is_own = state.top[origin] == token_of(player, face)
        if is_own and line_end(state, origin, step, face) == NO_SQUARE:
            return True
        origin -= step
        face += 1
    return False


@rule
def open_lines_from(state: State, player: Player, square: int, face: Face) -> None:
    for direction in range(NUM_DIRECTIONS):
        end = line_end(state, square, STEPS[direction], face)
        if end != NO_SQUARE and is_open(state, player, end):
            add_way(state, player, end, 1 << direction)


@rule
def close_lines_from(state: State, player: Player, square: int, face: Face) -> None:
    """U6: a covered token is no origin."""
    for direction in range(NUM_DIRECTIONS):
        end = line_end(state, square, STEPS[direction], face)
        if end != NO_SQUARE:
            remove_way(state, player, end, 1 << direction)


@rule
def cut_lines_across(state: State, square: int) -> None:
    """U5: the lines that pass over a square which is about to lose its emptiness. From each side
    only the nearest token's can."""
    for direction in range(NUM_DIRECTIONS):
        step = STEPS[direction]
        origin, distance = square - step, 1
        while state.top[origin] == EMPTY and distance < MAX_FACE - 1:
            origin -= step
            distance += 1
        token = int(state.top[origin])
        if token_face(token) > distance:
            end = line_end(state, origin, step, token_face(token))
            if end != NO_SQUARE:
                remove_way(state, token_owner(token), end, 1 << direction)


# --- tokens ---------------------------------------------------------------------------------------


@rule
def put_token(state: State, player: Player, square: int, face: Face) -> None:
    """U5, U6: on an empty square, or on top of the one token there."""
    covered = int(state.top[square])
    if covered == EMPTY:
        cut_lines_across(state, square)
    else:
        close_lines_from(state, token_owner(covered), square, token_face(covered))
        close_square(state, square)
        state.under[square] = covered
    state.top[square] = token_of(player, face)
    open_lines_from(state, player, square, face)
    count_pips(state, player, square, face, covered)


@rule
def put_start_token(state: State, player: Player, face: Face) -> None:
    """U4, U7: with the start token comes the right to cover it once."""
    square = state.starts[player]
    put_token(state, player, square, face)
    add_way(state, player, square, START_RIGHT)
