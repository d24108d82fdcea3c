"""Chance deals the card; player 0 turns it over or leaves it. A turned card pays its face."""

from lampion.core.compile import rule
from lampion.core.plain import may_act
from lampion.core.rng import random_below
from lampion.core.trail import clear_trail, note
from lampion.core.types import CHANCE, GAME_OVER, Action, IntArray, Player, Rng
from tests.core.flip.actions import FLIP, LEAVE
from tests.core.flip.state import (
    CARD_DEALT,
    CARD_LEFT,
    CARD_TOUCHED,
    CARD_TURNED,
    FACE_DOWN,
    NUM_FACES,
    State,
)

__all__ = [
    "apply", "chance_weights", "determinize", "legal_actions", "may_act", "placements",
    "sample_chance", "scores", "to_act",
]  # fmt: skip


@rule
def to_act(state: State) -> Player:
    return state.active


@rule
def legal_actions(state: State, player: Player, out: IntArray) -> int:
    if player == CHANCE:
        for face in range(NUM_FACES):
            out[face] = face
        return NUM_FACES
    out[0] = FLIP
    out[1] = LEAVE
    return 2


@rule
def chance_weights(state: State, out: IntArray) -> int:
    out[:NUM_FACES] = 1
    return NUM_FACES


@rule
def sample_chance(state: State, rng: Rng) -> Action:
    return random_below(rng, NUM_FACES)


@rule
def apply(state: State, player: Player, action: Action) -> None:
    clear_trail(state)
    if player == CHANCE:
        state.card, state.active = action, 0
        note(state, CARD_DEALT, CHANCE, 0, 0)
    else:
        state.active = GAME_OVER
        touch(state, player, action)


@rule
def touch(state: State, player: Player, action: Action) -> None:
    if action == FLIP:
        note(state, CARD_TOUCHED, player, 0, 0)
        note(state, CARD_TURNED, player, state.card, 0)
        state.shown = state.card
    else:
        note(state, CARD_LEFT, player, 0, 0)


@rule
def scores(state: State, out: IntArray) -> None:
    out[: state.num_players] = 0
    if state.shown != FACE_DOWN:
        out[0] = state.shown


@rule
def placements(state: State, out: IntArray) -> None:
    out[: state.num_players] = 1


@rule
def determinize(seen: State, seat: Player, rng: Rng) -> None:
    """A card that lies face down can be any."""
    seen.card = random_below(rng, NUM_FACES) if seen.shown == FACE_DOWN else seen.shown
