"""What a seat of Lumens sees, as numbers. Squares are in the order of the action ids: a1, b1, ...
o1, a2, ..., on every board."""

from lampion.core.compile import rule
from lampion.core.observation import MOST, Observation, Part, Vector, counted_from
from lampion.core.types import NO_PLAYER, IntArray, Player
from lampion.games.lumens.components import (
    MAX_COLUMNS,
    MAX_FACE,
    MAX_KINDS,
    MAX_PLAYERS,
    MAX_ROOMS,
    MAX_ROWS,
    NUM_SIDES,
)
from lampion.games.lumens.rules_tokens import token_face, token_owner
from lampion.games.lumens.state import (
    EMPTY,
    NO_KIND,
    NO_ROOM,
    OFF_BOARD,
    OVER_PHASE,
    ROW_LENGTH,
    State,
)

NUM_SQUARES = MAX_ROWS * MAX_COLUMNS

OBSERVATION = Observation(
    Part("num_players", 1, high=MAX_PLAYERS, meaning="how many play"),
    Part("active", 1, high=MAX_PLAYERS - 1, code=True, meaning="whose turn it is, counted from this seat"),
    Part("phase", 1, high=OVER_PHASE, code=True, meaning="0 seating, 1 drawing start tokens, 2 choosing faces, 3 drawing, 4 play, 5 over"),
    Part("center", 1, high=MAX_ROOMS + 1, code=True, meaning="the room that breaks ties, as in `room`"),
    Part("hand", 1, high=MAX_KINDS, code=True, meaning="1 + kind of the own token in hand; 0 none"),
    Part("hand_faces", NUM_SIDES, high=MAX_FACE, meaning="and its faces"),
    Part("start_face", 1, high=MAX_FACE, meaning="the face that this seat has chosen in secret; 0 none"),
    Part("has_chosen", MAX_PLAYERS, high=1, meaning="whether each player has chosen a start face"),
    Part("is_out", MAX_PLAYERS, high=1, meaning="whether the player is blocked for good (U8)"),
    Part("hand_size", MAX_PLAYERS, high=1, meaning="tokens in hand, by player"),
    Part("unshown", MAX_PLAYERS, MAX_KINDS, high=99, meaning="tokens in bag and hand, by player and kind"),
    Part("points", MAX_PLAYERS, high=MOST, meaning="points as they stand, by player"),
    Part("room_pips", MAX_PLAYERS, MAX_ROOMS, high=MOST, meaning="pips that count, by player and room"),
    Part("room", NUM_SQUARES, high=MAX_ROOMS + 1, code=True, meaning="0 no square, 1 passage, 2 + room"),
    Part("owner", NUM_SQUARES, high=MAX_PLAYERS, code=True, meaning="whose token is on top, 1 + player counted from this seat; 0 none"),
    Part("face", NUM_SQUARES, high=MAX_FACE, meaning="and its face"),
    Part("covered_owner", NUM_SQUARES, high=MAX_PLAYERS, code=True, meaning="whose token is under it"),
    Part("covered_face", NUM_SQUARES, high=MAX_FACE, meaning="and its face"),
    Part("marker", NUM_SQUARES, high=MAX_PLAYERS, code=True, meaning="whose start marker is there, 1 + player counted from this seat"),
    Part("reach", MAX_PLAYERS, NUM_SQUARES, high=1, meaning="whether the player could place a token there, by player"),
)  # fmt: skip

_STARTS = {part.name: part.start for part in OBSERVATION.parts}
_NUM_PLAYERS, _ACTIVE, _PHASE, _CENTER = (
    _STARTS[name] for name in ("num_players", "active", "phase", "center")
)
_HAND, _HAND_FACES, _START_FACE = (_STARTS[name] for name in ("hand", "hand_faces", "start_face"))
_HAS_CHOSEN, _IS_OUT, _HAND_SIZE, _UNSHOWN = (
    _STARTS[name] for name in ("has_chosen", "is_out", "hand_size", "unshown")
)
_POINTS, _ROOM_PIPS, _ROOM, _MARKER, _REACH = (
    _STARTS[name] for name in ("points", "room_pips", "room", "marker", "reach")
)
_OWNER, _FACE, _COVERED_OWNER, _COVERED_FACE = (
    _STARTS[name] for name in ("owner", "face", "covered_owner", "covered_face")
)


@rule
def observe(state: State, seat: Player, out: Vector) -> None:
    out[:] = 0
    first = max(seat, 0)
    out[_NUM_PLAYERS] = state.num_players
    out[_ACTIVE] = counted_from(first, state.active, state.num_players)
    out[_PHASE] = state.phase
    out[_CENTER] = state.center - NO_ROOM
    if seat >= 0:
        observe_hand(state, seat, out)
    player = first
    for k in range(state.num_players):
        observe_player(state, player, k, out)
        player = player + 1 if player + 1 < state.num_players else 0
    for row in range(state.num_rows):
        observe_row(state, first, (row + 1) * ROW_LENGTH, row * MAX_COLUMNS, out)


@rule
def observe_hand(state: State, seat: Player, out: Vector) -> None:
    kind = state.hand[seat]
    out[_START_FACE] = state.start_face[seat]
    if kind != NO_KIND:
        out[_HAND] = 1 + kind
        for side in range(NUM_SIDES):
            out[_HAND_FACES + side] = state.kind_faces[kind, side]


@rule
def observe_player(state: State, player: Player, k: int, out: Vector) -> None:
    out[_HAS_CHOSEN + k] = state.has_chosen[player]
    out[_IS_OUT + k] = state.is_out[player]
    out[_HAND_SIZE + k] = state.hand_size[player]
    out[_POINTS + k] = min(state.points[player], MOST)
    for kind in range(MAX_KINDS):
        out[_UNSHOWN + k * MAX_KINDS + kind] = state.unshown[player, kind]
    for room in range(MAX_ROOMS):
        out[_ROOM_PIPS + k * MAX_ROOMS + room] = min(state.room_pips[room, player], MOST)


@rule
def observe_row(state: State, seat: Player, square: int, place: int, out: Vector) -> None:
    """The squares from `square` on, into the places from `place` on. One loop for each part: the
    compiler does many at a time."""
    players = state.num_players
    for k in range(MAX_COLUMNS):
        out[_ROOM + place + k] = state.room[square + k] - NO_ROOM
    observe_tokens(
        state.top[square : square + MAX_COLUMNS], seat, players, _OWNER + place, _FACE + place, out
    )
    observe_tokens(
        state.under[square : square + MAX_COLUMNS],
        seat,
        players,
        _COVERED_OWNER + place,
        _COVERED_FACE + place,
        out,
    )
    for k in range(MAX_COLUMNS):
        owner = state.marker[square + k]
        out[_MARKER + place + k] = (owner != NO_PLAYER) * (1 + counted_from(seat, owner, players))
    for player in range(players):
        first = _REACH + counted_from(seat, player, players) * NUM_SQUARES + place
        for k in range(MAX_COLUMNS):
            out[first + k] = state.ways[player, square + k] != 0


@rule
def observe_tokens(
    tokens: IntArray, seat: Player, players: int, owner: int, face: int, out: Vector
) -> None:
    for k in range(MAX_COLUMNS):
        token = int(tokens[k])
        is_token = token != EMPTY and token != OFF_BOARD
        out[owner + k] = is_token * (1 + counted_from(seat, token_owner(token), players))
        out[face + k] = is_token * token_face(token)
