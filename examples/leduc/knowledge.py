"""What bots must know about Leduc poker: nobody sees what others are dealt."""

from lampion.bots.knowledge import HIDDEN_KEY, NO_ACTION
from lampion.core.compile import rule
from lampion.core.types import Action, Player
from leduc.rules import DEAL, TURN, State


@rule
def action_key(state: State, player: Player, action: Action, seat: Player) -> int:
    return HIDDEN_KEY if DEAL <= action < TURN and state.num_dealt != seat else action


@rule
def keyed_action(state: State, player: Player, key: int) -> Action:
    return NO_ACTION if key == HIDDEN_KEY else key
