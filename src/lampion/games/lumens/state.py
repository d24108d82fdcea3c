"""The state of Lumens: one record.

Squares are numbered so that a step is an addition and every board has a border all round: a square
is `16 * row + column`, rows counted from 1 at the bottom as in the notation, columns from 0. In
hexadecimal that reads as row and column:

    row 16   100 101 ... 10e  10f
    row 15    f0  f1 ...  fe   ff        a1 = 10, o1 = 1e, a15 = f0
    ...                                  north is +16, east is +1
    row 1     10  11 ...  1e   1f        rows 0 and 16 and the column f are border,
    row 0     00  01 ...  0e   0f        and so is whatever a smaller board leaves free

A token is `8 * player + face`. At most two lie on a square (U6), `top` and `under`:

    top    EMPTY        under  EMPTY        an empty square
           a token             EMPTY        one token
           a token             a token      a full square
           OFF_BOARD           OFF_BOARD    no square: nothing passes, nothing arrives

Lines only ever close, for tokens are never taken away, so what a player can reach is kept up to
date instead of searched for: `ways[player, square]` has a bit for each direction in which a
counting line of that player ends there, and one for the right of U7. `targets[player]` has a bit
for each square with any way: these are the legal squares, 64 bits or four rows to a number, and as
the last bit of a number is border, no number is ever negative.
"""

from lampion.core.record import ALL, OWNER, Record, array, scalar
from lampion.core.trail import trail, trail_length
from lampion.core.types import IntArray, Player
from lampion.games.lumens.components import (
    MAX_FACE,
    MAX_KINDS,
    MAX_PLAYERS,
    MAX_ROOMS,
    MAX_ROWS,
    NUM_SIDES,
    Kind,
    Room,
)

ROW_LENGTH = 16
NUM_CELLS = (MAX_ROWS + 2) * ROW_LENGTH
NO_SQUARE = 0
SQUARES_PER_WORD = 64
NUM_WORDS = (MAX_ROWS + 1) * ROW_LENGTH // SQUARES_PER_WORD

TOKEN_STRIDE = 8
EMPTY = 0
OFF_BOARD = 64
"""Like a token without pips of a player who does not exist, so that no rule has to ask for it."""

PASSAGE: Room = -1
NO_ROOM: Room = -2
NO_KIND: Kind = -1

NUM_DIRECTIONS = 4
START_RIGHT = 1 << NUM_DIRECTIONS
"""The bit in `ways` for U7; those below are `1 << direction`."""

# The phases of a game, in order. In the first two and the fourth chance acts, and after every
# placement.
SEAT_PHASE, START_DRAW_PHASE, CHOOSE_PHASE, HAND_DRAW_PHASE, PLAY_PHASE, OVER_PHASE = range(6)

# What the trail tells (see core.trail):
#                      player                   what    x         y                 count
SEATED = 0  #          who                              square
TOKEN_DRAWN = 1  #     who                                                          1        (which one is a secret)
START_CHOSEN = 2  #    who                                                          1        (which face is a secret)
START_SHOWN = 3  #     whose                    face    square    room or PASSAGE   1
TOKEN_PLACED = 4  #    who                      face    square    room or PASSAGE   1
TOKEN_COVERED = 5  #   whose token is dead      face    square    room or PASSAGE   1
POINTS_CHANGED = 6  #  whose                    room                                by how many
BLOCKED = 7  #         who is out
MAX_EVENTS = 2 + 5 * MAX_PLAYERS
"""The last choice shows a start token of each player, and what each room then pays to each."""


class State(Record):
    # The pieces of this match, copied from the components; they never change.
    # Room, PASSAGE or NO_ROOM, by square.
    room: IntArray = array(NUM_CELLS, seen_by=ALL, dtype="i1")
    num_columns: int = scalar(seen_by=ALL)
    num_rows: int = scalar(seen_by=ALL)
    center: Room = scalar(seen_by=ALL)
    spots: IntArray = array(MAX_PLAYERS, seen_by=ALL)  # start squares, clockwise
    kind_faces: IntArray = array(MAX_KINDS, NUM_SIDES, seen_by=ALL)  # Face, ascending, by Kind
    face_kinds: IntArray = array(MAX_FACE + 1, seen_by=ALL)  # Kind or NO_KIND, by Face
    # What a room pays, by number of players with more pips.
    place_points: IntArray = array(MAX_PLAYERS, seen_by=ALL)
    num_players: int = scalar(seen_by=ALL)

    # The board.
    top: IntArray = array(NUM_CELLS, seen_by=ALL, dtype="i1")
    under: IntArray = array(NUM_CELLS, seen_by=ALL, dtype="i1")
    # Whose start marker is there, or NO_PLAYER, by square.
    marker: IntArray = array(NUM_CELLS, seen_by=ALL, dtype="i1")
    starts: IntArray = array(MAX_PLAYERS, seen_by=ALL)  # square of the start marker, or NO_SQUARE
    # Square of the last placement, or NO_SQUARE.
    last_placed: int = scalar(seen_by=ALL, transient=True)
    ways: IntArray = array(MAX_PLAYERS, NUM_CELLS, seen_by=ALL, dtype="i1")
    targets: IntArray = array(MAX_PLAYERS, NUM_WORDS, seen_by=ALL, dtype="i8")
    room_pips: IntArray = array(MAX_ROOMS, MAX_PLAYERS, seen_by=ALL, dtype="i2")
    room_points: IntArray = array(MAX_ROOMS, MAX_PLAYERS, seen_by=ALL, dtype="i2")
    points: IntArray = array(MAX_PLAYERS, seen_by=ALL)  # their sum over the rooms

    # Tokens that nobody has seen yet. Bag and hand are one number per kind for everybody but the
    # owner of the hand; the bag is their difference and has no field of its own.
    unshown: IntArray = array(MAX_PLAYERS, MAX_KINDS, seen_by=ALL)
    num_unshown: IntArray = array(MAX_PLAYERS, seen_by=ALL)
    hand: IntArray = array(MAX_PLAYERS, seen_by=OWNER)  # Kind or NO_KIND
    hand_size: IntArray = array(MAX_PLAYERS, seen_by=ALL)  # 0 or 1
    # The face chosen in secret, NO_FACE before and after.
    start_face: IntArray = array(MAX_PLAYERS, seen_by=OWNER)
    has_chosen: IntArray = array(MAX_PLAYERS, seen_by=ALL)

    # The turn.
    phase: int = scalar(seen_by=ALL)
    active: Player = scalar(seen_by=ALL)
    drawer: Player = scalar(seen_by=ALL)  # who draws the next token, or NO_PLAYER
    is_out: IntArray = array(MAX_PLAYERS, seen_by=ALL)

    events: IntArray = trail(MAX_EVENTS)
    num_events: int = trail_length()
