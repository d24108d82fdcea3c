"""The pieces of Lanterns Dice as data: those in `components.toml`, or others
from a file of the same form.

Fixed for every file, because the notation and the ids of actions stand on them: the grid of 9 x 6
pools, six colors in canonical order, four dice, the eight shapes and their sizes, the seats round
the tray, two to four players. A file repeats most of it, so that it can be read without this page,
and is refused if it says something else. Everything else is copied into the state of a match (ADR
0004), so that matches with different pieces can run side by side.

    pool = 9 * row + column, from the lower left           a6 b6 c6 ... i6         45 46 47 ... 53
    (files list the rows of a lake from the top)           ...                     ...
                                                           a1 b1 c1 ... i1          0  1  2 ...  8
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta

from lampion.core.components import ComponentsFile, check, read_components_file

NAME = "lanterns_dice"

# --- colors and dice -----------------------------------------------------------------------------

Color: TypeAlias = int
ColorLetter = Literal["R", "O", "W", "G", "B", "P"]
COLOR_LETTERS = "".join(get_args(ColorLetter))
COLOR_NAMES = ("red", "orange", "white", "green", "blue", "purple")
NUM_COLORS = len(COLOR_LETTERS)

Colors: TypeAlias = int
"""A set of colors: bit c stands for color c."""
ANY_COLOR: Colors = 2**NUM_COLORS - 1

NUM_DICE = 4
DIAGONAL = 2
"""The tray is circular, and the die diagonally opposite is two further on (D4)."""

MAX_PLAYERS = 4
TRAY_SEATS: dict[int, tuple[int, ...]] = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
"""D4: the place at the tray of each player, by number of players."""

# --- the lake -------------------------------------------------------------------------------------

NUM_COLUMNS, NUM_ROWS = 9, 6
NUM_POOLS = NUM_COLUMNS * NUM_ROWS
COLUMN_LETTERS = "abcdefghi"

Pool: TypeAlias = int
POOL_NAMES = tuple(f"{column}{row + 1}" for row in range(NUM_ROWS) for column in COLUMN_LETTERS)

Half: TypeAlias = int
UPPER, LOWER = range(2)
NUM_HALVES = 2
HALF_LETTERS = "ul"

Area: TypeAlias = int
"""One half of a pool: 54 * half + pool."""

NO_FEATURE, PAVILION_UPPER, PAVILION_LOWER, PLATFORM, BOAT = ".^v#b"
FEATURES = {
    NO_FEATURE: None,
    PAVILION_UPPER: "pavilion",
    PAVILION_LOWER: "pavilion",
    PLATFORM: "platform",
    BOAT: "boat",
}

Sheet: TypeAlias = int
SheetLetter = Literal["A", "B", "C", "D"]
SHEET_LETTERS = "".join(get_args(SheetLetter))
NUM_SHEETS = len(SHEET_LETTERS)
LAKE_NAMES = ("lake1", "lake2", "lake3", "lake4")
MAX_TURNS = 16
BOAT_HONOR = 4

# --- fireworks ------------------------------------------------------------------------------------

Shape: TypeAlias = int
SHAPES: dict[str, tuple[str, ...]] = {
    "I3": ("XXX",),
    "V3": ("X.", "XX"),
    "O4": ("XX", "XX"),
    "T4": ("XXX", ".X."),
    "L4": ("X.", "X.", "XX"),
    "S4": (".XX", "XX."),
    "U5": ("X.X", "XXX"),
    "X5": (".X.", "XXX", ".X."),
}
"""Rows from the top, as at orientation o0."""
ShapeName = Literal["I3", "V3", "O4", "T4", "L4", "S4", "U5", "X5"]
SHAPE_NAMES: tuple[ShapeName, ...] = get_args(ShapeName)
NUM_SHAPES = len(SHAPES)
SIZES = ("small", "medium", "large")
SHAPE_SIZES = ("small", "small", "medium", "medium", "medium", "medium", "large", "large")
MAX_SHAPE_POOLS = 5
SHAPES_IN_PLAY = 4
RANDOM_SIZES = {"small": 1, "medium": 2, "large": 1}
"""D2: how many shapes of each size a random set-up takes."""
MAX_STACK = 12

Orientation: TypeAlias = int
"""Quarter turns clockwise, + 4 if the tile was first mirrored left to right."""
NUM_ORIENTATIONS = 8
_QUARTERS = 4

Cells: TypeAlias = frozenset[tuple[int, int]]
"""What a tile covers: (column, row) from the lower left of the box around it."""


def cells(shape: str, orientation: Orientation) -> Cells:
    """D15: rotate and flip freely."""
    rows = SHAPES[shape]
    if orientation >= _QUARTERS:
        rows = tuple(row[::-1] for row in rows)
    for _ in range(orientation % _QUARTERS):
        rows = tuple("".join(column) for column in zip(*rows[::-1], strict=True))
    return frozenset(
        (x, y) for y, row in enumerate(rows[::-1]) for x, mark in enumerate(row) if mark == "X"
    )


def lowest_orientation(shape: str, orientation: Orientation) -> Orientation:
    """The lowest of the orientations that look the same."""
    return next(
        other
        for other in range(NUM_ORIENTATIONS)
        if cells(shape, other) == cells(shape, orientation)
    )


# --- the emperor's cards --------------------------------------------------------------------------

Card: TypeAlias = int
NUM_CARDS = 3
SideLetter = Literal["A", "B"]
SIDE_LETTERS = "".join(get_args(SideLetter))
NUM_CARD_SIDES = len(SIDE_LETTERS)

CardAction: TypeAlias = int
ActionName = Literal[
    "own_die", "diagonal_die", "colour_not_shown", "any_die", "whole_pool", "two_same"
]
CARD_ACTIONS: tuple[ActionName, ...] = get_args(ActionName)
OWN_DIE, DIAGONAL_DIE, COLOR_NOT_SHOWN, ANY_DIE, WHOLE_POOL, TWO_SAME = range(len(CARD_ACTIONS))


# --- the file -------------------------------------------------------------------------------------

_POOL = f"[{COLOR_LETTERS}]{{2}}[.^v#b]"


def _said(description: str, **schema: Any) -> Any:
    """What the schema says and `check_more` checks, because it can say it better
    than a regular expression."""
    return Meta(description=description, extra_json_schema=schema)


def _fixed(value: Any) -> Any:
    return _said("the same in every file", const=value)


def _colors(at_least: int, at_most: int) -> Any:
    return _said(
        "the color of each turn's bonus, in order",
        pattern=f"^[{COLOR_LETTERS}]{{{at_least},{at_most}}}$",
    )


TURNS_FOR_ALL = 6
Gifts = Annotated[int, Meta(ge=0, le=99)]
Honor = Annotated[int, Meta(ge=0, le=99)]
Turns = Annotated[int, Meta(ge=1, le=MAX_TURNS)]
Row = Annotated[
    str,
    _said(
        "nine pools: upper color, lower color, feature",
        pattern=f"^{_POOL}( {_POOL}){{{NUM_COLUMNS - 1}}}$",
    ),
]
LakeFile = Annotated[
    list[Row], _said("six rows of pools, from the top", minItems=NUM_ROWS, maxItems=NUM_ROWS)
]
Ladder = Annotated[
    list[Honor],
    Meta(min_length=1, max_length=MAX_STACK, description="honor of the tiles, from the top"),
]
_BY_PLAYERS = {"two": "2", "three": "3", "four": "4"}


class GridFile(msgspec.Struct, forbid_unknown_fields=True):
    cols: Annotated[int, _fixed(NUM_COLUMNS)]
    rows: Annotated[int, _fixed(NUM_ROWS)]


class TurnsFile(msgspec.Struct, forbid_unknown_fields=True, rename=_BY_PLAYERS):
    two: Turns
    three: Turns
    four: Turns


class SeatsFile(msgspec.Struct, forbid_unknown_fields=True, rename=_BY_PLAYERS):
    two: Annotated[list[int], _fixed([*TRAY_SEATS[2]])]
    three: Annotated[list[int], _fixed([*TRAY_SEATS[3]])]
    four: Annotated[list[int], _fixed([*TRAY_SEATS[4]])]


class SizesFile(msgspec.Struct, forbid_unknown_fields=True):
    small: Annotated[int, _fixed(RANDOM_SIZES["small"])]
    medium: Annotated[int, _fixed(RANDOM_SIZES["medium"])]
    large: Annotated[int, _fixed(RANDOM_SIZES["large"])]


class ShapeFile(msgspec.Struct, forbid_unknown_fields=True):
    size: Literal["small", "medium", "large"]
    rows: list[str]
    honor: Ladder


class ShapesFile(msgspec.Struct, forbid_unknown_fields=True):
    I3: ShapeFile
    V3: ShapeFile
    O4: ShapeFile
    T4: ShapeFile
    L4: ShapeFile
    S4: ShapeFile
    U5: ShapeFile
    X5: ShapeFile


class FireworksFile(msgspec.Struct, forbid_unknown_fields=True):
    first_game: Annotated[
        list[ShapeName], Meta(min_length=SHAPES_IN_PLAY, max_length=SHAPES_IN_PLAY)
    ]
    random: SizesFile
    shapes: ShapesFile


class CardFile(msgspec.Struct, forbid_unknown_fields=True):
    cost: Gifts
    A: ActionName
    B: ActionName


class LakesFile(msgspec.Struct, forbid_unknown_fields=True):
    lake1: LakeFile
    lake2: LakeFile
    lake3: LakeFile
    lake4: LakeFile


class BonusesFile(msgspec.Struct, forbid_unknown_fields=True):
    turns_1_to_6: Annotated[str, _colors(TURNS_FOR_ALL, TURNS_FOR_ALL)]
    three_players: Annotated[str, _colors(0, MAX_TURNS - TURNS_FOR_ALL)]
    two_players: Annotated[str, _colors(0, MAX_TURNS - TURNS_FOR_ALL)]

    def column(self, players: int) -> str:
        """The turn bonuses that this number of players uses."""
        return self.turns_1_to_6 + {2: self.two_players, 3: self.three_players, 4: ""}[players]


class SheetsFile(msgspec.Struct, forbid_unknown_fields=True):
    A: BonusesFile
    B: BonusesFile
    C: BonusesFile
    D: BonusesFile


class LanternsDiceFile(ComponentsFile, forbid_unknown_fields=True):
    """The pieces of Lanterns Dice: Lights in the Sky."""

    game: Literal["lanterns_dice"]
    colors: Annotated[str, _fixed(COLOR_LETTERS)]
    starting_gifts: Gifts
    reroll_cost_gifts: Annotated[int, Meta(ge=1, le=99)]
    gift_circles: Annotated[
        int, Meta(ge=0, le=99, description="how many a printed sheet has; gifts are not capped")
    ]
    grid: GridFile
    turns: TurnsFile
    seats: SeatsFile
    fireworks: FireworksFile
    emperor_cards: Annotated[list[CardFile], Meta(min_length=NUM_CARDS, max_length=NUM_CARDS)]
    lakes: LakesFile
    turn_bonuses: SheetsFile

    def num_turns(self, players: int) -> int:
        return {2: self.turns.two, 3: self.turns.three, 4: self.turns.four}[players]

    def lake(self, number: int) -> list[list[str]]:
        """The codes of the pools of a lake, rows from the top."""
        rows: list[str] = getattr(self.lakes, LAKE_NAMES[number])
        return [row.split() for row in rows]

    def shape(self, name: str) -> ShapeFile:
        file: ShapeFile = getattr(self.fireworks.shapes, name)
        return file

    def bonuses(self, letter: str) -> BonusesFile:
        file: BonusesFile = getattr(self.turn_bonuses, letter)
        return file

    def check_more(self) -> None:
        """What a JSON Schema cannot say, or cannot say clearly."""
        self._check_fixed()
        for name in SHAPE_NAMES:
            self._check_shape(name)
        first = self.fireworks.first_game
        check(
            len(set(first)) == SHAPES_IN_PLAY,
            "fireworks.first_game",
            "the four shapes of a first game must be different (D2)",
        )
        for lake in LAKE_NAMES:
            _check_lake(f"lakes.{lake}", getattr(self.lakes, lake))
        for letter in SHEET_LETTERS:
            self._check_bonuses(letter)

    def _check_fixed(self) -> None:
        """What is the same in every file."""
        size = f"{self.grid.cols} x {self.grid.rows}"
        is_standard = (self.grid.cols, self.grid.rows) == (NUM_COLUMNS, NUM_ROWS)
        check(is_standard, "grid", f"every lake has {NUM_COLUMNS} x {NUM_ROWS} pools, not {size}")
        check(
            self.colors == COLOR_LETTERS,
            "colors",
            f"the colors, which are the faces of the dice, are always {COLOR_LETTERS}",
        )
        told = {2: self.seats.two, 3: self.seats.three, 4: self.seats.four}
        for players, seats in TRAY_SEATS.items():
            check(
                told[players] == [*seats],
                f"seats.{players}",
                f"{players} players always have the seats {[*seats]} (D4)",
            )
        for size_name, count in RANDOM_SIZES.items():
            found = getattr(self.fireworks.random, size_name)
            check(
                found == count,
                f"fireworks.random.{size_name}",
                f"a random set-up always takes {count} (D2)",
            )

    def _check_shape(self, name: str) -> None:
        shape, where = self.shape(name), f"fireworks.shapes.{name}"
        size = SHAPE_SIZES[SHAPE_NAMES.index(name)]
        check(
            shape.rows == [*SHAPES[name]],
            f"{where}.rows",
            f"the shapes are fixed: {name} is always {[*SHAPES[name]]}",
        )
        check(shape.size == size, f"{where}.size", f"the sizes are fixed: {name} is always {size}")
        check(
            shape.honor == sorted(shape.honor, reverse=True),
            f"{where}.honor",
            "tiles must be in descending order (D3)",
        )

    def _check_bonuses(self, letter: str) -> None:
        """D8: every turn has its bonus."""
        where, bonuses = f"turn_bonuses.{letter}", self.bonuses(letter)
        for_all = len(bonuses.turns_1_to_6)
        check(
            for_all == TURNS_FOR_ALL,
            f"{where}.turns_1_to_6",
            f"turns 1 to 6 have 6 bonuses, not {for_all}",
        )
        for players in TRAY_SEATS:
            column = bonuses.column(players)
            for color in column:
                check(
                    color in COLOR_LETTERS,
                    where,
                    f"{color!r} is not a color; the colors are {COLOR_LETTERS}",
                )
            turns = self.num_turns(players)
            check(
                len(column) >= turns,
                where,
                f"{players} players take {turns} turns, but have only {len(column)} bonuses (D8)",
            )
            check(
                len(column) <= MAX_TURNS,
                where,
                f"there can be at most {MAX_TURNS} bonuses, not {len(column)}",
            )


def _check_lake(where: str, rows: list[str]) -> None:
    check(len(rows) == NUM_ROWS, where, f"a lake has {NUM_ROWS} rows, not {len(rows)}")
    for number, row in enumerate(rows):
        codes = row.split()
        check(
            len(codes) == NUM_COLUMNS,
            f"{where}[{number}]",
            f"a row has {NUM_COLUMNS} pools, not {len(codes)}",
        )
        for column, code in enumerate(codes):
            name = POOL_NAMES[(NUM_ROWS - 1 - number) * NUM_COLUMNS + column]
            _check_pool(f"{where}[{number}], pool {name}", code)


def _check_pool(where: str, code: str) -> None:
    check(len(code) == 3, where, f"a pool is two colors and a feature, such as 'RG.', not {code!r}")
    upper, lower, feature = tuple(code)
    for color in (upper, lower):
        check(
            color in COLOR_LETTERS,
            where,
            f"{color!r} is not a color; the colors are {COLOR_LETTERS}",
        )
    check(
        upper != lower, where, f"the two areas of a pool have different colors, not {upper} twice"
    )
    check(
        feature in FEATURES,
        where,
        f"{feature!r} is no feature; the features are {' '.join(FEATURES)}",
    )


def read_components(source: bytes | None, name: str = "components") -> LanternsDiceFile:
    """The pieces in `components.toml`, or those in a file. `InvalidComponents`
    says what is wrong and where."""
    return read_components_file(
        LanternsDiceFile, Path(__file__).with_name("components.toml"), source, name
    )
