"""The pieces of Lanterns as data: the published ones from `components.toml`, or others from
a file of the same form.

Fixed for every file, because the notation and the ids of actions stand on them: seven colors in
canonical order, 36 tiles of which the first is the start tile, hands of at most `HAND_SIZE` tiles,
three kinds of dedication, two to four players. Everything else is copied into the state of a match
(ADR 0004), so that matches with different pieces can run side by side.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta

from lampion.core.components import ComponentsFile, check, read_components_file

NAME = "lanterns"

# --- colors, sides, seats ------------------------------------------------------------------------

Color: TypeAlias = int
ColorLetter = Literal["R", "O", "G", "B", "P", "W", "K"]
COLOR_LETTERS = "".join(get_args(ColorLetter))
COLOR_NAMES = ("red", "orange", "green", "blue", "purple", "white", "black")
NUM_COLORS = len(COLOR_LETTERS)
RED: Color = COLOR_LETTERS.index("R")

Side: TypeAlias = int
NORTH, EAST, SOUTH, WEST = range(4)
NUM_SIDES = 4
SideName = Literal["north", "east", "south", "west"]
SIDE_NAMES: tuple[SideName, ...] = get_args(SideName)
SIDE_X = (0, 1, 0, -1)
SIDE_Y = (1, 0, -1, 0)

Rotation: TypeAlias = int
"""Quarter turns clockwise."""

MAX_PLAYERS = 4
SEAT_SIDES: dict[int, tuple[Side, ...]] = {
    2: (SOUTH, NORTH),
    3: (SOUTH, WEST, EAST),
    4: (SOUTH, WEST, NORTH, EAST),
}
"""L1: the side of the lake where each player sits, clockwise from the player who faces red."""

# --- tiles and tokens -----------------------------------------------------------------------------

Tile: TypeAlias = int
NUM_TILES = 36
START_TILE: Tile = 0
HAND_SIZE = 3
MAX_TILES_IN_PLAY = 32

Stack: TypeAlias = int
FOUR_OF_A_KIND, THREE_PAIRS, SEVEN_UNIQUE = range(3)
NUM_STACKS = 3
StackName = Literal["four_of_a_kind", "three_pairs", "seven_unique"]
STACK_NAMES: tuple[StackName, ...] = get_args(StackName)
MAX_STACK = 12
MOST_DOTS: dict[int, int] = {2: 2, 3: 3, 4: 4}
"""L4: tokens with more dots leave the game, by number of players."""

CARDS_FOUR, CARDS_PAIR, PAIRS_IN_A_SET = 4, 2, 3
SETS = ((CARDS_FOUR,), (CARDS_PAIR,) * PAIRS_IN_A_SET, (1,) * NUM_COLORS)
"""How many cards of each of its colors a set has, by stack."""

Count = Annotated[int, Meta(ge=0, le=99)]
Sides = Annotated[
    str,
    Meta(
        pattern=f"^[{COLOR_LETTERS}]{{4}}$",
        description="colors clockwise from north at rotation r0",
    ),
]


class TileFile(msgspec.Struct, forbid_unknown_fields=True):
    sides: Sides
    platform: bool = False
    start: bool = False
    art: Literal["", "koi", "dragon", "flower", "panda"] = ""


class TokenFile(msgspec.Struct, forbid_unknown_fields=True):
    honor: Count
    dots: Annotated[int, Meta(ge=0, le=4)]


TokenStack = Annotated[list[TokenFile], Meta(min_length=1, max_length=MAX_STACK)]


class DedicationsFile(msgspec.Struct, forbid_unknown_fields=True):
    four_of_a_kind: TokenStack
    three_pairs: TokenStack
    seven_unique: TokenStack


class SetUpFile(msgspec.Struct, forbid_unknown_fields=True):
    cards_per_color: Annotated[int, Meta(ge=MAX_PLAYERS, le=99)]
    draw_stack: Annotated[int, Meta(ge=0, le=MAX_TILES_IN_PLAY)]


class SetUpsFile(
    msgspec.Struct, forbid_unknown_fields=True, rename={"two": "2", "three": "3", "four": "4"}
):
    two: SetUpFile
    three: SetUpFile
    four: SetUpFile


class LanternsFile(ComponentsFile, forbid_unknown_fields=True):
    """The pieces of Lanterns: The Harvest Festival."""

    game: Literal["lanterns"]
    colors: Literal["ROGBPWK"]
    hand_tiles: Annotated[int, Meta(ge=1, le=HAND_SIZE)]
    exchange_cost_favors: Count
    card_limit_before_placing: Annotated[int, Meta(ge=1, le=99)]
    generic_dedication_honor: Count
    tiles: Annotated[list[TileFile], Meta(min_length=NUM_TILES, max_length=NUM_TILES)]
    dedications: DedicationsFile
    setup: SetUpsFile

    def set_up(self, players: int) -> SetUpFile:
        return {2: self.setup.two, 3: self.setup.three, 4: self.setup.four}[players]

    def stacks(self) -> tuple[list[TokenFile], ...]:
        return (
            self.dedications.four_of_a_kind,
            self.dedications.three_pairs,
            self.dedications.seven_unique,
        )

    def check_more(self) -> None:
        """What a JSON Schema cannot say."""
        starts = [number for number, tile in enumerate(self.tiles) if tile.start]
        check(
            starts == [START_TILE],
            "tiles",
            f"the start tile must be number {START_TILE} and no other, not {starts}",
        )
        start = self.tiles[START_TILE]
        check(
            COLOR_LETTERS[RED] in start.sides,
            "tiles[0].sides",
            "player 0 faces red, so the start tile needs a red side (L1)",
        )
        check(not start.platform, "tiles[0].platform", "the start tile has no platform (L10)")
        for players in SEAT_SIDES:
            in_play = self.set_up(players).draw_stack + players * self.hand_tiles
            where = f"setup.{players}.draw_stack"
            check(
                in_play <= MAX_TILES_IN_PLAY,
                where,
                f"at most {MAX_TILES_IN_PLAY} tiles can be in play, not {in_play}",
            )
            check(
                in_play % players == 0,
                where,
                f"{in_play} tiles cannot be shared evenly by {players} players (L14)",
            )
        for name, stack in zip(STACK_NAMES, self.stacks(), strict=True):
            honors = [token.honor for token in stack]
            check(
                honors == sorted(honors, reverse=True),
                f"dedications.{name}",
                "tokens must be in descending order (L4)",
            )


def read_components(source: bytes | None, name: str = "components") -> LanternsFile:
    """The published pieces, or those in a file. `InvalidComponents`
    says what is wrong and where."""
    return read_components_file(
        LanternsFile, Path(__file__).with_name("components.toml"), source, name
    )


def sides_text(sides: str, rotation: Rotation) -> str:
    """The colors clockwise from north after `rotation` quarter turns clockwise."""
    return sides[-rotation:] + sides[:-rotation] if rotation else sides


def num_rotations(sides: str) -> int:
    """How many rotations look different: 4, 2 for a tile like BOBO, 1 for a tile of one color."""
    return next(turns for turns in (1, 2, 4) if sides_text(sides, turns % NUM_SIDES) == sides)
