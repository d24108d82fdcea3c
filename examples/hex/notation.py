"""The notation of Hex: a cell by its column, from `a` at the left, and its row, from 1 at the top: `f6` is in the middle."""

import re

from hex.actions import ACTIONS
from hex.state import ROW, SIZE, State
from lampion.core.errors import InvalidAction
from lampion.core.types import GAME_OVER, Action, Player

COLUMN_LETTERS = "abcdefghijk"
_CELL = re.compile(f"([{COLUMN_LETTERS}])({'|'.join(str(row) for row in range(SIZE, 0, -1))})")


def cell_name(cell: int) -> str:
    """The name of a cell of the board with its border."""
    return f"{COLUMN_LETTERS[cell % ROW - 1]}{cell // ROW}"


def action_text(state: State, player: Player, action: Action) -> str:
    row, column = ACTIONS["place"].numbers(action)
    return f"{COLUMN_LETTERS[column]}{row + 1}"


def parse_action(state: State, player: Player, text: str) -> Action:
    cell = _CELL.fullmatch(text)
    if not cell:
        raise InvalidAction(f"{text[:40]!r} is no notation of Hex; f6 is", text=text[:40])
    return ACTIONS["place"].id(int(cell[2]) - 1, COLUMN_LETTERS.index(cell[1]))


def refusal(state: State, player: Player, action: Action) -> tuple[str, str]:
    """The rule by which an action was refused, and the key of the reason in the message catalogue."""
    return "H2", "cell-is-taken"


def position_text(state: State) -> str:
    """One line that tells where the game stands."""
    who = "game over" if state.active == GAME_OVER else f"player {state.active}'s turn"
    return f"{who}, {SIZE * SIZE - state.num_free} stones"
