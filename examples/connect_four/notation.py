"""The notation of Connect Four: a column from `a` at the left to `g`."""

from connect_four.state import State
from lampion.core.errors import InvalidAction
from lampion.core.types import GAME_OVER, Action, Player

COLUMN_LETTERS = "abcdefg"


def action_text(state: State, player: Player, action: Action) -> str:
    return COLUMN_LETTERS[action]


def parse_action(state: State, player: Player, text: str) -> Action:
    if len(text) != 1 or text not in COLUMN_LETTERS:
        raise InvalidAction(f"{text[:40]!r} is no notation of Connect Four; d is", text=text[:40])
    return COLUMN_LETTERS.index(text)


def refusal(state: State, player: Player, action: Action) -> tuple[str, str]:
    """The rule by which an action was refused, and the key of the reason in the message catalogue."""
    return "C2", "column-is-full"


def position_text(state: State) -> str:
    """One line that tells where the game stands."""
    who = "game over" if state.active == GAME_OVER else f"player {state.active}'s turn"
    return f"{who}, {state.num_discs} discs"
