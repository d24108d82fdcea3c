"""What a score of Lumens is made of: what every room pays (see `core.scorebook`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lampion.core.position import Trail
from lampion.core.types import IntArray, Player
from lampion.games.lumens.components import ROOM_LETTERS, Room
from lampion.games.lumens.rules_rooms import tie_break
from lampion.games.lumens.rules_tokens import token_face, token_owner
from lampion.games.lumens.state import PLAY_PHASE, State

TIE_BREAKS = ("center_pips",)


def part_names(state: State) -> Sequence[str]:
    """U11."""
    return [f"room:{ROOM_LETTERS[room]}" for room in _rooms(state)]


def _rooms(state: State) -> list[Room]:
    return sorted({int(room) for room in state.room if room >= 0})


def update_parts(parts: IntArray, state: State, trail: Trail) -> None:
    parts[:] = state.room_points[_rooms(state), : state.num_players].T


def round_name(state: State) -> str:
    """A turn places one token, and the start token has been placed before the first round."""
    if state.phase < PLAY_PHASE:
        return "start"
    return str(_tokens_placed(state, state.active))


def _tokens_placed(state: State, player: Player) -> int:
    tokens: Any = np.concatenate((state.top, state.under))
    is_theirs = (token_owner(tokens) == player) & (token_face(tokens) > 0)
    return int(np.count_nonzero(is_theirs))


def tie_breaks(state: State, player: Player) -> Sequence[int]:
    """U12."""
    return (int(tie_break(state, player)),)
