"""What bots know: no seat sees which card is dealt."""

from lampion.bots.knowledge import HIDDEN_KEY
from lampion.core.compile import rule
from lampion.core.types import CHANCE, Action, Player
from tests.core.flip.state import State


@rule
def action_key(state: State, player: Player, action: Action, seat: Player) -> int:
    return HIDDEN_KEY if player == CHANCE else action
