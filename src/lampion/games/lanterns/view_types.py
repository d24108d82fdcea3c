"""What a seat of Lanterns is shown, as types. Colours are letters, sides are those of the lake, players are numbers."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, TypedDict

from msgspec import Meta

from lampion.core.views import MatchView, doc
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


class Seat(TypedDict):
    """What a player has."""

    side: Annotated[SideName, doc("the side of the lake that faces the player")]
    cards: Cards
    num_cards: int
    favors: int
    honor: int
    hand_size: Annotated[int, doc("tiles in hand")]
    hand: Annotated[
        list[Tile] | None, doc("by number of tile; null for a viewer who may not see it")
    ]


class Turn(TypedDict):
    active: Annotated[int, doc("the player whose turn it is")]
    step: Annotated[StepName, doc("the first step of the turn that may still be taken")]
    final_round: Annotated[bool, doc("no tiles are left: everybody has a last turn without one")]
    drawer: Annotated[int | None, doc("the player to whom chance gives the next tile")]


class Table(TypedDict):
    """The game's part of a view."""

    lake: Annotated[list[LaidTile], doc("in the order of laying")]
    free_places: Annotated[list[Place], doc("where a tile may be laid")]
    supply: Annotated[Cards, doc("the cards that can still be gained")]
    stacks: list[Stack]
    generic_honor: Annotated[int, doc("what a dedication brings when its stack is empty")]
    card_limit: Annotated[
        int, doc("whoever has more must dedicate or discard before placing a tile")
    ]
    exchange_cost: Annotated[int, doc("favors")]
    seats: Annotated[list[Seat], doc("by player")]
    left_to_draw: Annotated[int, doc("tiles in the draw stack")]
    not_seen: Annotated[
        list[int],
        doc("tiles that this seat has not seen: in other hands, to be drawn, or out of the game"),
    ]
    turn: Turn


class View(MatchView, Table):
    """The table as a seat sees it."""


# --- events -----------------------------------------------------------------------------------------------------------------------


class TilePlaced(TypedDict):
    """A tile was laid."""

    event: Literal["tile_placed"]
    player: int
    tile: int
    rotation: int
    index: Annotated[int, doc("its place in the list `lake`")]


LanternEventName = Literal["match_lantern", "facing_lantern", "no_lantern"]


class LanternGained(TypedDict):
    """A player gains a card for a matching side, or for the side that faces them, or would but the pile is empty."""

    event: LanternEventName
    player: int
    color: ColorLetter
    side: Annotated[SideName, doc("of the laid tile")]


class FavorGained(TypedDict):
    """A matching side brings a favor for a platform."""

    event: Literal["match_favor"]
    player: int
    side: Annotated[
        SideName | None,
        doc("where the neighbor with the platform lies; null for the laid tile's own"),
    ]


class Exchanged(TypedDict):
    event: Literal["exchanged"]
    player: int
    gave: ColorLetter
    took: ColorLetter


class Dedicated(TypedDict):
    event: Literal["dedicated"]
    player: int
    stack: StackName
    honor: int


class Discarded(TypedDict):
    event: Literal["discarded"]
    player: int
    color: ColorLetter


class PlainEvent(TypedDict):
    """A player drew a tile, which is a secret, or ended the last turn."""

    event: Literal["tile_drawn", "passed"]
    player: int


Event: TypeAlias = (
    TilePlaced | LanternGained | FavorGained | Exchanged | Dedicated | Discarded | PlainEvent
)
