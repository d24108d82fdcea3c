"""What a seat of Lumens sees, in a fifth of the numbers: a number for each token, and nothing that
follows from the tokens (pips, reach) or is printed on the board. Squares are in the order of the
action ids."""

from lampion.core.compile import rule
from lampion.core.observation import MOST, Observation, Part, Vector, counted_from
from lampion.core.types import IntArray, Player
from lampion.games.lumens.components import (
    MAX_COLUMNS,
    MAX_FACE,
    MAX_KINDS,
    MAX_PLAYERS,
)
from lampion.games.lumens.observation import NUM_SQUARES
from lampion.games.lumens.rules_tokens import token_face, token_owner
from lampion.games.lumens.state import (
    EMPTY,
    NO_SQUARE,
    OFF_BOARD,
    OVER_PHASE,
    ROW_LENGTH,
    State,
)

COMPACT = Observation(
    Part("num_players", 1, high=MAX_PLAYERS, meaning="how many play"),
    Part("active", 1, high=MAX_PLAYERS - 1, code=True, meaning="whose turn it is, counted from this seat"),
    Part("phase", 1, high=OVER_PHASE, code=True, meaning="0 seating, 1 drawing start tokens, 2 choosing faces, 3 drawing, 4 play, 5 over"),
    Part("hand", 1, high=MAX_KINDS, code=True, meaning="1 + kind of the own token in hand; 0 none"),
    Part("start_face", 1, high=MAX_FACE, meaning="the face that this seat has chosen in secret; 0 none"),
    Part("has_chosen", MAX_PLAYERS, high=1, meaning="whether each player has chosen a start face"),
    Part("is_out", MAX_PLAYERS, high=1, meaning="whether the player is blocked for good (U8)"),
    Part("hand_size", MAX_PLAYERS, high=1, meaning="tokens in hand, by player"),
    Part("unshown", MAX_PLAYERS, MAX_KINDS, high=99, meaning="tokens in bag and hand, by player and kind"),
    Part("points", MAX_PLAYERS, high=MOST, meaning="points as they stand, by player"),
    Part("start", MAX_PLAYERS, high=NUM_SQUARES, code=True, meaning="1 + square of the start marker, by player; 0 none"),
    Part("top", NUM_SQUARES, high=MAX_PLAYERS * MAX_FACE, code=True,
         meaning="the token on top, 6 × player counted from this seat + face; 0 none"),
    Part("under", NUM_SQUARES, high=MAX_PLAYERS * MAX_FACE, code=True, meaning="and the token under it"),
)  # fmt: skip

_STARTS = {part.name: part.start for part in COMPACT.parts}
_NUM_PLAYERS, _ACTIVE, _PHASE, _HAND, _START_FACE = (
    _STARTS[name] for name in ("num_players", "active", "phase", "hand", "start_face")
)
_HAS_CHOSEN, _IS_OUT, _HAND_SIZE, _UNSHOWN, _POINTS = (
    _STARTS[name] for name in ("has_chosen", "is_out", "hand_size", "unshown", "points")
)
_START, _TOP, _UNDER = (_STARTS[name] for name in ("start", "top", "under"))


@rule
def observe_compact(state: State, seat: Player, out: Vector) -> None:
    out[:] = 0
    first = max(seat, 0)
    out[_NUM_PLAYERS] = state.num_players
    out[_ACTIVE] = counted_from(first, state.active, state.num_players)
    out[_PHASE] = state.phase
    if seat >= 0:
        out[_HAND] = 1 + state.hand[seat]
        out[_START_FACE] = state.start_face[seat]
    player = first
    for k in range(state.num_players):
        compact_player(state, player, k, out)
        player = player + 1 if player + 1 < state.num_players else 0
    for row in range(state.num_rows):
        square, place = (row + 1) * ROW_LENGTH, row * MAX_COLUMNS
        tops = state.top[square : square + MAX_COLUMNS]
        compact_tokens(tops, first, state.num_players, _TOP + place, out)
        unders = state.under[square : square + MAX_COLUMNS]
        compact_tokens(unders, first, state.num_players, _UNDER + place, out)


@rule
def compact_player(state: State, player: Player, k: int, out: Vector) -> None:
    out[_HAS_CHOSEN + k] = state.has_chosen[player]
    out[_IS_OUT + k] = state.is_out[player]
    out[_HAND_SIZE + k] = state.hand_size[player]
    out[_POINTS + k] = min(state.points[player], MOST)
    for kind in range(MAX_KINDS):
        out[_UNSHOWN + k * MAX_KINDS + kind] = state.unshown[player, kind]
    start = state.starts[player]
    if start != NO_SQUARE:
        row, column = start // ROW_LENGTH - 1, start % ROW_LENGTH
        out[_START + k] = 1 + row * MAX_COLUMNS + column


@rule
def compact_tokens(tokens: IntArray, seat: Player, players: int, first: int, out: Vector) -> None:
    for k in range(MAX_COLUMNS):
        token = int(tokens[k])
        is_token = token != EMPTY and token != OFF_BOARD
        owner = counted_from(seat, token_owner(token), players)
        out[first + k] = is_token * (MAX_FACE * owner + token_face(token))
