"""Flip: one card lies face down, and a player may turn it over. As small as a game with a secret
that a player's action shows can be."""

from collections.abc import Mapping
from typing import Any

from lampion.core.record import ALL, NOBODY, Record, scalar
from lampion.core.trail import trail, trail_length
from lampion.core.types import CHANCE, Player

NUM_FACES = 6
FACE_DOWN = -1

# What the trail tells:          player      a         b
CARD_DEALT = 0  #                CHANCE      0         0
CARD_TOUCHED = 1  #              who         0         0
CARD_TURNED = 2  #               who         face      0
CARD_LEFT = 3  #                 who         0         0
MAX_EVENTS = 3


class State(Record):
    num_players: int = scalar(seen_by=ALL)
    card: int = scalar(seen_by=NOBODY)  # its face
    shown: int = scalar(seen_by=ALL)  # its face once it was turned, or FACE_DOWN
    active: Player = scalar(seen_by=ALL)  # or CHANCE or GAME_OVER

    events: Any = trail(MAX_EVENTS)
    num_events: int = trail_length()


def new_state(players: int, options: Mapping[str, str], components: Any) -> State:
    state = State()
    state.num_players, state.shown, state.active = players, FACE_DOWN, CHANCE
    return state
