"""The pieces of Lumens as data: the published ones from `components.toml`, or others from a
file of the same form.

Fixed for every file, because the notation and the ids of actions stand on them: boards of at most
15 x 15 squares, rooms called A to Z, faces of 1 to 6 pips, each on one kind of token only, two to
four players and their colors. Everything else is copied into the state of a match (ADR 0004), so
that matches with different pieces can run side by side.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta

from lampion.core.components import ComponentsFile, check, read_components_file

NAME = "lumens"

# --- players and tokens ---------------------------------------------------------------------------

MAX_PLAYERS = 4
ColorName = Literal["yellow", "green", "red", "violet"]
COLOR_NAMES: tuple[ColorName, ...] = get_args(ColorName)
PLAYERS_WITH_MIDDLE = 3
"""U3: with this many players, chance deals the middle spot."""

Face: TypeAlias = int
"""The pips that a light token shows."""
MAX_FACE: Face = 6
NO_FACE: Face = 0

Kind: TypeAlias = int
"""A kind of light token: its place in the list of kinds, such as 0 for
those with the faces 1 and 6."""
MAX_KINDS = MAX_FACE // 2
NUM_SIDES = 2

# --- squares --------------------------------------------------------------------------------------

MAX_COLUMNS = MAX_ROWS = 15
COLUMN_LETTERS = "abcdefghijklmno"

Room: TypeAlias = int
ROOM_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MAX_ROOMS = len(ROOM_LETTERS)
PASSAGE_SIGN, NO_SQUARE_SIGN = ".", " "

Count = Annotated[int, Meta(ge=0, le=99)]
FaceNumber = Annotated[int, Meta(ge=1, le=MAX_FACE)]
MapRow = Annotated[
    str,
    Meta(
        pattern=f"^[A-Z{PASSAGE_SIGN}{NO_SQUARE_SIGN}]{{1,{MAX_COLUMNS}}}$",
        description="letters are rooms, a dot is a passage, a space is no square at all",
    ),
]
BoardName = Annotated[str, Meta(pattern="^[a-z0-9_]{1,20}$")]
Index = Annotated[int, Meta(ge=0, lt=MAX_COLUMNS)]
Spot = Annotated[tuple[Index, Index], Meta(description="column and row, counted from the top left")]


class TokenFile(msgspec.Struct, forbid_unknown_fields=True):
    faces: tuple[FaceNumber, FaceNumber]
    count: Annotated[int, Meta(ge=1, le=99)]


class StartsFile(
    msgspec.Struct,
    forbid_unknown_fields=True,
    rename={"two": "2", "three": "3", "three_balanced": "3_balanced", "four": "4"},
):
    two: list[Spot] | None = None
    three: list[Spot] | None = None
    three_balanced: list[Spot] | None = None
    four: list[Spot] | None = None

    def lists(self) -> dict[str, list[Spot] | None]:
        """All lists by their names in the file; a name begins with the number of players."""
        return {"2": self.two, "3": self.three, "3_balanced": self.three_balanced, "4": self.four}


class BoardFile(msgspec.Struct, forbid_unknown_fields=True):
    players: Annotated[list[Literal[2, 3, 4]], Meta(min_length=1, max_length=3)]
    center: Annotated[str, Meta(pattern="^[A-Z]$")]
    map: Annotated[list[MapRow], Meta(min_length=1, max_length=MAX_ROWS)]
    starts: StartsFile

    def is_square(self, spot: Spot) -> bool:
        column, row = spot
        return (
            row < len(self.map)
            and column < len(self.map[row])
            and self.map[row][column] != NO_SQUARE_SIGN
        )


class PointsSecondFile(
    msgspec.Struct, forbid_unknown_fields=True, rename={"two": "2", "three": "3", "four": "4"}
):
    two: Count
    three: Count
    four: Count


class LumensFile(ComponentsFile, forbid_unknown_fields=True):
    """The pieces of Lumens."""

    game: Literal["lumens"]
    player_colors: tuple[Literal["yellow"], Literal["green"], Literal["red"], Literal["violet"]]
    points_first: Count
    points_second: PointsSecondFile
    tokens: Annotated[list[TokenFile], Meta(min_length=1, max_length=MAX_KINDS)]
    boards: dict[BoardName, BoardFile]

    def board(self, players: int) -> BoardFile:
        return next(board for board in self.boards.values() if players in board.players)

    def second_place(self, players: int) -> int:
        return {2: self.points_second.two, 3: self.points_second.three, 4: self.points_second.four}[
            players
        ]

    def check_more(self) -> None:
        """What a JSON Schema cannot say."""
        self._check_tokens()
        for players in range(2, MAX_PLAYERS + 1):
            names = [name for name, board in self.boards.items() if players in board.players]
            check(
                len(names) == 1,
                "boards",
                f"there must be one board for {players} players, not {len(names)}",
            )
        for name, board in self.boards.items():
            _check_map(board, f"boards.{name}")
            _check_starts(board, f"boards.{name}.starts")

    def _check_tokens(self) -> None:
        faces = [face for kind in self.tokens for face in kind.faces]
        for number, kind in enumerate(self.tokens):
            where = f"tokens[{number}].faces"
            check(
                kind.faces[0] < kind.faces[1],
                where,
                f"the lower of two different faces comes first, not {list(kind.faces)}",
            )
        check(
            len(set(faces)) == len(faces),
            "tokens",
            "no two kinds may share a face: a token on the board must tell its kind",
        )
        check(
            sum(kind.count for kind in self.tokens) > 1,
            "tokens",
            "everybody needs a start token and a token in hand (U4)",
        )


def _check_map(board: BoardFile, where: str) -> None:
    widths = sorted({len(row) for row in board.map})
    check(
        len(widths) == 1,
        f"{where}.map",
        f"all rows must be of equal length, not {' and '.join(str(width) for width in widths)}",
    )
    check(
        board.center in "".join(board.map),
        f"{where}.center",
        f"there is no room {board.center} on the map (U12)",
    )


def _check_starts(board: BoardFile, where: str) -> None:
    for name, spots in board.starts.lists().items():
        players, is_needed = int(name[0]), name.isdigit() and int(name) in board.players
        check(
            spots is not None or not is_needed,
            f"{where}.{name}",
            f"the start squares for {players} players are missing (U3)",
        )
        if spots is not None:
            check(
                players in board.players,
                f"{where}.{name}",
                f"this board is not for {players} players",
            )
            _check_spots(board, spots, players, f"{where}.{name}")


def _check_spots(board: BoardFile, spots: list[Spot], players: int, where: str) -> None:
    check(
        len(spots) == players,
        where,
        f"{players} players need {players} start squares, not {len(spots)} (U3)",
    )
    check(len(set(spots)) == len(spots), where, "two start markers lie on the same square")
    for index, spot in enumerate(spots):
        check(
            board.is_square(spot),
            f"{where}[{index}]",
            f"the start square {list(spot)} is not on the board",
        )


def read_components(source: bytes | None, name: str = "components") -> LumensFile:
    """The published pieces, or those in a file. `InvalidComponents`
    says what is wrong and where."""
    return read_components_file(
        LumensFile, Path(__file__).with_name("components.toml"), source, name
    )
