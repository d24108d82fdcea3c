"""The notation of Nim: `b2` takes two counters from the second heap."""

from lampion.core.errors import InvalidAction
from lampion.core.types import Action, Player
from tests.toys.nim.rules import ACTIONS, MAX_COUNTERS, MAX_HEAPS, State

_LETTERS = "abcd"


def action_text(state: State, player: Player, action: Action) -> str:
    return f"{_LETTERS[action // MAX_COUNTERS]}{action % MAX_COUNTERS + 1}"


def parse_action(state: State, player: Player, text: str) -> Action:
    texts = [action_text(state, player, action) for action in range(ACTIONS.size)]
    if text not in texts:
        raise InvalidAction(f"{text[:40]!r} is not valid Nim notation", text=text[:40])
    return texts.index(text)


def refusal(state: State, player: Player, action: Action) -> tuple[str, str]:
    return "N2", "too-many"


def position_text(state: State) -> str:
    return f"heaps {state.heaps.tolist()[:MAX_HEAPS]}"
