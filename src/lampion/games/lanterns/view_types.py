"""What a seat of Lanterns is shown, as types. Colors are letters, sides are those of the lake,
players are numbers."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias, TypedDict

from msgspec import Meta

from lampion.core.views import MatchView, Movement, Told, derived, doc
from lampion.games.lanterns.components import ColorLetter, SideName, Sides, StackName

Place = Annotated[
    list[int],
    Meta(
        min_length=2,
        max_length=2,
        description="x (east) and y (north), counted from the start tile",
    ),
]
StepName = Literal["exchange", "dedicate", "place"]
TurnStepName = Literal["exchange", "dedicate", "discard", "place", "pass"]


class Cards(TypedDict):
    """A number of lantern cards, by color."""

    R: int
    O: int  # noqa: E741
    G: int
    B: int
    P: int
    W: int
    K: int


class Tile(TypedDict):
    """A lake tile as it lies."""

    tile: Annotated[int, doc("its number, 0 for the start tile")]
    rotation: Annotated[int, doc("quarter turns clockwise, 0 to 3")]
    sides: Annotated[Sides, doc("colors clockwise from north, as it lies")]
    platform: bool


class LaidTile(Tile):
    """A tile on the lake."""

    x: Annotated[int, doc("to the east of the start tile")]
    y: Annotated[int, doc("to the north of the start tile")]


class Stack(TypedDict):
    """A stack of dedication tokens."""

    kind: StackName
    honors: Annotated[
        list[int],
        doc(
            "what the tokens left are worth, from the top; when there are none, one takes `generic_honor`"
        ),
    ]
    pays: Annotated[int, derived("what the next dedication of this kind brings")]
    set: Annotated[list[int], doc("what a set is made of: how many cards of each of its colors")]


class Seat(TypedDict):
    """What a player has."""

    side: Annotated[SideName, doc("the side of the lake that faces the player")]
    cards: Cards
    num_cards: int
    over_limit: Annotated[
        bool, derived("more cards than allowed: the player must dedicate or discard before placing")
    ]
    favors: int
    honor: int
    hand_size: Annotated[int, doc("tiles in hand")]
    hand: Annotated[
        list[Tile] | None, doc("by number of tile; null for a viewer who may not see it")
    ]


class Turn(TypedDict):
    active: Annotated[int, doc("the player whose turn it is")]
    step: Annotated[StepName, doc("the first step of the turn that may still be taken")]
    steps: Annotated[list[TurnStepName], doc("all steps of the turn, in their order")]
    final_round: Annotated[bool, doc("no tiles are left: everybody has a last turn without one")]
    drawer: Annotated[int | None, doc("the player to whom chance gives the next tile")]


class GameView(TypedDict):
    """The game's part of a view."""

    lake: Annotated[list[LaidTile], doc("in the order of laying")]
    free_places: Annotated[list[Place], derived("where a tile may be laid")]
    supply: Annotated[Cards, doc("the cards that can still be gained")]
    stacks: list[Stack]
    generic_honor: Annotated[int, doc("what a dedication brings when its stack is empty")]
    card_limit: Annotated[
        int, doc("a player with more must dedicate or discard before placing a tile")
    ]
    exchange_cost: Annotated[int, doc("favors")]
    seats: Annotated[list[Seat], doc("by player")]
    left_to_draw: Annotated[int, doc("tiles in the draw stack")]
    not_seen: Annotated[
        list[int],
        derived(
            "tiles that this seat has not seen: in other hands, to be drawn, or out of the game"
        ),
    ]
    turn: Annotated[Turn, derived("whose turn it is, and how far it has come")]


class View(MatchView, GameView):
    """The table as a seat sees it."""


# --- events ---------------------------------------------------------------------------------------


class LanternGained(Movement):
    """A player gains a card for a matching side, or for the side that faces them."""

    cause: Literal["match", "facing"]
    color: ColorLetter
    side: Annotated[SideName, doc("of the laid tile")]
    reason: NotRequired[Annotated[Literal["pile-is-empty"], doc("why the count is 0")]]


class FavorGained(Movement):
    """A matching side brings a favor for a platform."""

    cause: Literal["platform"]
    side: Annotated[
        SideName | None,
        doc("where the neighbor with the platform lies; null for the laid tile's own"),
    ]


class FavorsPaid(Movement):
    cause: Literal["exchange_cost"]


class LanternMoved(Movement):
    """A card is exchanged or discarded."""

    cause: Literal["exchange_give", "exchange_take", "discard"]
    color: ColorLetter


class LanternsReturned(Movement):
    """Cards of a set that is dedicated."""

    cause: Literal["dedicate_give"]
    color: ColorLetter
    stack: StackName


class Dedicated(Movement):
    """The honor of a dedication; `count` is what it is worth."""

    cause: Literal["dedicate"]
    stack: StackName
    token: Annotated[bool, doc("a token of the stack; false if the stack was empty")]


class TilePlaced(Movement):
    cause: Literal["place"]
    tile: int
    rotation: int
    x: Annotated[int, doc("to the east of the start tile")]
    y: Annotated[int, doc("to the north of the start tile")]


class TileDrawn(Movement):
    """A tile comes into a hand; which one, only its owner is told."""

    cause: Literal["deal", "draw"]
    tile: NotRequired[int]


class TurnEvent(Told):
    """The final round begins, or a player ends the last turn."""

    event: Literal["final_round", "pass"]
    player: int


Event: TypeAlias = (
    LanternGained
    | FavorGained
    | FavorsPaid
    | LanternMoved
    | LanternsReturned
    | Dedicated
    | TilePlaced
    | TileDrawn
    | TurnEvent
)
