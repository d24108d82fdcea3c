"""The same boards turned by quarters, with other letters for the rooms, and the kinds of tokens in
another order. A mirror is not used: the start squares go clockwise (U3)."""

from collections.abc import Callable
from typing import Any

from lampion.games.lumens.components import NO_SQUARE_SIGN, PASSAGE_SIGN

_QUARTERS = 4


def disguise(pieces: dict[str, Any], shuffled: Callable[[list[Any]], list[Any]]) -> None:
    for board in pieces["boards"].values():
        for _ in range(shuffled([*range(_QUARTERS)])[0]):
            _turn(board)
        _rename_rooms(board, shuffled)
    pieces["tokens"] = shuffled(pieces["tokens"])


def _turn(board: dict[str, Any]) -> None:
    """A quarter clockwise: the lowest row becomes the first column."""
    last_row = len(board["map"]) - 1
    board["map"] = ["".join(signs) for signs in zip(*board["map"][::-1], strict=True)]
    for name, spots in board["starts"].items():
        board["starts"][name] = [[last_row - row, column] for column, row in spots]


def _rename_rooms(board: dict[str, Any], shuffled: Callable[[list[Any]], list[Any]]) -> None:
    rooms = sorted({*"".join(board["map"])} - {PASSAGE_SIGN, NO_SQUARE_SIGN})
    letters = str.maketrans(dict(zip(rooms, shuffled(rooms), strict=True)))
    board["map"] = [row.translate(letters) for row in board["map"]]
    board["center"] = board["center"].translate(letters)
