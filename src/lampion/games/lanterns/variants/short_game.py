"""A shorter game: half as many rounds of drawing, about two thirds of the turns."""

from lampion.games.lanterns.state import State


def set_up(state: State) -> None:
    """L2, changed: more tiles leave the game. Whole rounds, so that everybody has the same number
    of turns."""
    rounds = state.left_to_draw // state.num_players
    state.left_to_draw = rounds // 2 * state.num_players
