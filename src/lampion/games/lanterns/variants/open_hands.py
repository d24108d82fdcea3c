"""Open hands: everybody sees all tiles in hand, so a move can be planned around what others can do
next."""

from lampion.games.lanterns.state import State


def set_up(state: State) -> None:
    """L2, changed: the dealt and drawn tiles lie face up."""
    state.public_hands = 1
