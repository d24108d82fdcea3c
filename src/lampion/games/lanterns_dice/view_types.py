"""What a seat of Lanterns Dice is shown, as types. Colors are letters; pools, areas and launches
are written as in the notation."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, TypedDict

from lampion.core.views import MatchView, Movement, Told, derived, doc
from lampion.games.lanterns_dice.components import (
    ActionName,
    ColorLetter,
    ShapeName,
    SheetLetter,
    SideLetter,
)

Pool = Annotated[str, doc("column from the left and row from the bottom, such as c4")]
Area = Annotated[str, doc("a pool and its half, u for upper or l for lower, such as c4u")]
Launch = Annotated[
    str,
    doc("shape, orientation and the lower left pool of the box around the tile, such as T4o2@c4"),
]
PhaseName = Literal["sheets", "fireworks", "emperor", "roll", "tray", "act", "last_launch", "over"]
ChoiceName = Literal[
    "tray", "die", "turn_bonus", "card", "card_area", "second_area", "launch", "platform_bonus"
]


class Turn(TypedDict):
    number: Annotated[int, doc("counted from 1")]
    of: Annotated[int, doc("how many turns everybody takes")]
    active: Annotated[int, doc("the player whose turn it is")]
    active_steps: Annotated[
        list[ChoiceName], doc("what the player whose turn it is does, in this order")
    ]
    other_steps: Annotated[list[ChoiceName], doc("what everybody else does")]
    phase: Annotated[
        PhaseName,
        doc(
            "what the table does: the work of chance, the tray, `act` for everybody at once, the last launches"
        ),
    ]


class Stack(TypedDict):
    """A stack of fireworks tiles."""

    shape: ShapeName
    rows: Annotated[
        list[str],
        doc("the shape as at orientation o0, rows from the top, X for a pool and a dot for none"),
    ]
    honors: Annotated[list[int], doc("of the tiles left, from the top")]
    pays: Annotated[int | None, derived("what the next launch brings; null when no tile is left")]


class Card(TypedDict):
    """One of the emperor's cards."""

    card: Annotated[int, doc("1 to 3")]
    cost: Annotated[int, doc("gifts")]
    side: Annotated[
        SideLetter | None, doc("the side that lies up; null before the set-up is dealt")
    ]
    action: ActionName | None


class Tile(TypedDict):
    """A launched fireworks tile."""

    launch: Launch
    shape: ShapeName
    pools: list[Pool]
    honor: int


class Boat(TypedDict):
    pool: Pool
    lost: Annotated[bool, doc("its own pool is shaded, so it cannot score any more")]
    surrounded: Annotated[bool, doc("it scores")]
    missing: Annotated[list[Pool], doc("neighbors that are not completed yet")]


class Reach(TypedDict):
    """Where a tile of a shape fits."""

    shape: ShapeName
    launches: Annotated[list[Launch], doc("where it fits now")]
    missing: Annotated[
        int | None,
        doc("areas to shade until it fits somewhere; null when there is no room or no tile left"),
    ]


class Score(TypedDict):
    """Honor as it stands."""

    fireworks: int
    second_group: int
    boats: int
    total: int


class Seat(TypedDict):
    """What a player has; all of it is public."""

    sheet: Annotated[SheetLetter | None, doc("null before the sheets are dealt")]
    tray_seat: Annotated[int, doc("the place at the tray, 0 to 3")]
    die: Annotated[
        ColorLetter | None, derived("the die that the player faces; null before the tray is turned")
    ]
    diagonal_die: Annotated[ColorLetter | None, derived("the die on the other side of the tray")]
    turn_bonuses: Annotated[str | None, doc("the color of each turn's bonus, in order")]
    turns_taken: Annotated[int, derived("how many of the player's own turns are over")]
    card_colors: Annotated[
        list[str],
        derived(
            "the colors to which each card of the emperor is limited; empty where there is no limit, "
            "or no tray turned yet"
        ),
    ]
    choice: Annotated[ChoiceName | None, derived("what the player is asked; null when nothing")]
    bonus_pool: Annotated[Pool | None, derived("the platform whose bonus is due")]
    card: Annotated[int | None, doc("the emperor's card bought this turn")]
    gifts: int
    lake: Annotated[
        list[str] | None,
        doc(
            "rows from the top, written as in a components file, such as BG# for a pool; null before the deal"
        ),
    ]
    shaded: list[Area]
    tiles: Annotated[list[Tile], doc("in the order of launching")]
    groups: Annotated[list[list[Pool]], derived("of completed pools, the largest first")]
    scoring_group: Annotated[
        int | None, derived("which of the groups scores, counted from 0; null when none does")
    ]
    boats: Annotated[list[Boat], derived("what there is of the boats on the sheet")]
    reach: Annotated[list[Reach], derived("by stack")]
    score: Annotated[Score, derived("what the sheet is worth as it stands")]


class GameView(TypedDict):
    """The game's part of a view."""

    turn: Annotated[Turn, derived("whose turn it is, and what the table does")]
    dice: Annotated[str | None, doc("the colors in tray order; null before the roll")]
    tray: Annotated[int | None, doc("by how many quarters it is turned; null before it is")]
    reroll_cost: Annotated[int, doc("gifts")]
    stacks: list[Stack]
    emperor: list[Card]
    seats: Annotated[list[Seat], doc("by player")]


class View(MatchView, GameView):
    """The table, the same for all seats."""


# --- events ---------------------------------------------------------------------------------------


class SheetsDealt(Told):
    event: Literal["sheets_dealt"]
    sheets: Annotated[str, doc("letters by player")]


class ShapesChosen(Told):
    event: Literal["shapes_chosen"]
    shapes: Annotated[str, doc("names with spaces between them")]


class CardsLaid(Told):
    event: Literal["cards_laid"]
    sides: Annotated[str, doc("letters by card")]


class DiceRolled(Told):
    event: Literal["dice_rolled"]
    dice: Annotated[str, doc("colors in tray order")]


class TrayTurned(Told):
    event: Literal["tray_turned"]
    player: int
    tray: Annotated[int, doc("quarters")]


class AreaShaded(Told):
    event: Literal["area_shaded"]
    player: int
    area: Area
    color: ColorLetter
    by: Annotated[ChoiceName, doc("what the player was asked")]


class PoolEvent(Told):
    """A pool is completed, or its boat is lost."""

    event: Literal["pool_completed", "boat_lost"]
    player: int
    pool: Pool


class BonusDue(Told):
    """The platform of a completed pool gives a bonus."""

    event: Literal["bonus_due"]
    player: int
    pool: Pool
    count: Annotated[int, doc("1, or 0 if there is no area for it beside the pool")]


class GiftEarned(Movement):
    """A pavilion was shaded."""

    cause: Literal["pavilion"]
    pool: Pool
    gifts: Annotated[int, doc("how many the player has now")]


class Rerolled(Movement):
    """Gifts are paid for another roll."""

    cause: Literal["reroll"]


class CardBought(Movement):
    """Gifts are paid for a card of the emperor."""

    cause: Literal["card"]
    card: Annotated[int, doc("1 to 3")]


class Launched(Movement):
    """A tile goes from its stack to a lake; `count` is what it is worth."""

    cause: Literal["launch"]
    launch: Launch
    shape: ShapeName


class Skipped(Told):
    event: Literal["skipped"]
    player: int
    choice: ChoiceName


class TurnEnded(Told):
    event: Literal["turn_ended"]
    player: Annotated[int, doc("whose turn it was")]
    turn: Annotated[int, doc("counted from 1")]


class LastLaunch(Told):
    """A player may launch once more."""

    event: Literal["last_launch"]
    player: int


class GameEnded(Told):
    event: Literal["game_ended"]


Event: TypeAlias = (
    SheetsDealt
    | ShapesChosen
    | CardsLaid
    | DiceRolled
    | TrayTurned
    | AreaShaded
    | PoolEvent
    | BonusDue
    | GiftEarned
    | Rerolled
    | CardBought
    | Launched
    | Skipped
    | TurnEnded
    | LastLaunch
    | GameEnded
)
