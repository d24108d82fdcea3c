"""What a seat of Lumens is shown, as types. Squares are written as in the notation, rooms are
letters, players are numbers."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from lampion.core.views import MatchView, Movement, Told, derived, doc
from lampion.games.lumens.components import ColorName

Square = Annotated[str, doc("column from the left and row from the bottom, such as c5")]
RoomLetter = Annotated[str, doc("A to Z")]
PhaseName = Literal["seats", "start_draw", "start_face", "hand_draw", "play", "over"]


class Board(TypedDict):
    columns: int
    rows: int
    map: Annotated[
        list[str],
        doc("rows from the top: letters are rooms, dots are passages, spaces are no squares"),
    ]
    center: Annotated[RoomLetter, doc("the room whose pips break ties")]


class Token(TypedDict):
    """A token on the board."""

    player: Annotated[int, doc("its owner")]
    face: Annotated[int, doc("the pips it shows")]


class Light(Token):
    """The token on top of a square."""

    square: Square
    covered: Annotated[Token | None, doc("the dead token below it")]


class Room(TypedDict):
    room: RoomLetter
    center: Annotated[bool, doc("whether its pips break ties")]
    pips: Annotated[list[int], doc("by player")]
    points: Annotated[list[int], doc("what it pays as it stands, by player")]
    leaders: Annotated[list[int], derived("the players with the most pips; nobody in a dark room")]


class Kind(TypedDict):
    """A kind of token, and how many of it a player has not shown yet."""

    faces: Annotated[list[int], doc("the pips of its two sides, the lower first")]
    count: int


class Seat(TypedDict):
    """What a player has. For others, bag and hand are one number per kind."""

    color: ColorName
    start: Annotated[
        Square | None, doc("where the start marker lies; null before the seats are dealt")
    ]
    start_right: Annotated[
        bool, derived("whether the way back to the start marker, once per game, is open")
    ]
    points: int
    center_pips: Annotated[int, derived("pips in the center room, which break ties")]
    unshown: Annotated[list[Kind], doc("tokens in bag and hand")]
    num_unshown: Annotated[int, doc("their sum")]
    hand_size: Annotated[int, doc("0 or 1")]
    hand: Annotated[
        list[int] | None,
        doc(
            "the faces of the token in hand; null if there is none, and in the eyes of everybody else"
        ),
    ]
    has_chosen: Annotated[bool, doc("whether the face of the start token is chosen")]
    start_face: Annotated[
        int | None,
        doc("the face chosen in secret; null before and after, and in the eyes of everybody else"),
    ]
    is_out: Annotated[bool, doc("whether the player was blocked and plays no more")]


class Target(TypedDict):
    """A square on which the player whose turn it is may place."""

    square: Square
    origins: Annotated[list[Square], doc("the tokens that count there")]
    start_right: Annotated[
        bool, doc("whether it is the way back to the start marker, which needs no count")
    ]
    onward: Annotated[
        list[str],
        doc(
            "the squares to which a token placed here could count next, with spaces between them: "
            "by face, from 1 to the highest that could"
        ),
    ]


class Turn(TypedDict):
    phase: PhaseName
    active: Annotated[int | None, doc("the player whose turn it is; null before the first turn")]
    drawer: Annotated[int | None, doc("the player to whom chance gives the next token")]


class GameView(TypedDict):
    """The game's part of a view."""

    board: Board
    squares: Annotated[list[Light], doc("all that have a token, by row from the bottom")]
    last_placed: Square | None
    rooms: list[Room]
    seats: Annotated[list[Seat], doc("by player")]
    targets: Annotated[
        list[Target],
        derived("where the player whose turn it is may place; empty during a draw"),
    ]
    turn: Annotated[Turn, derived("whose turn it is, and how far the game has come")]


class View(MatchView, GameView):
    """The table as a seat sees it."""


# --- events ---------------------------------------------------------------------------------------


class TokenMoved(Movement):
    """A token comes to the board: a start token that is shown, or a token that is placed."""

    cause: Literal["start", "place"]
    square: Square
    face: Annotated[int, doc("the pips it shows")]
    room: Annotated[RoomLetter | None, doc("where its pips count; null on a passage")]


class TokenDrawn(Movement):
    """A token comes from the bag into the hand; which one, only its owner is told."""

    cause: Literal["draw"]
    faces: NotRequired[Annotated[list[int], doc("the pips of its two sides")]]


class TokenCovered(Told):
    """A token died below another, and its pips count no more."""

    event: Literal["covered"]
    player: Annotated[int, doc("whose token it was")]
    square: Square
    face: int
    room: Annotated[RoomLetter | None, doc("where its pips counted; null on a passage")]


class Seated(Told):
    """Chance gave a player a start square."""

    event: Literal["seated"]
    player: int
    square: Square


class StartChosen(Told):
    """A player has chosen a start face; which one, only that player is told."""

    event: Literal["start_chosen"]
    player: int
    face: NotRequired[int]


class Score(Told):
    """What a room pays to a player has changed."""

    event: Literal["score"]
    player: int
    room: RoomLetter
    count: Annotated[int, doc("by how many points, below 0 for a loss")]


class Blocked(Told):
    """A player has nowhere to place and is out of the game."""

    event: Literal["blocked"]
    player: int


Event: TypeAlias = TokenMoved | TokenDrawn | TokenCovered | Seated | StartChosen | Score | Blocked
