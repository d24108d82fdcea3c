"""What a score of Lanterns is made of: the honor of the dedications, by
kind (see `core.scorebook`)."""

from __future__ import annotations

from collections.abc import Sequence

from lampion.core.position import Trail
from lampion.core.types import IntArray, Player
from lampion.games.lanterns.components import STACK_NAMES
from lampion.games.lanterns.rules import first_tie_break, second_tie_break
from lampion.games.lanterns.rules_reasons import is_final_round
from lampion.games.lanterns.state import DEDICATED, State

TIE_BREAKS = ("favors", "cards")


def part_names(state: State) -> Sequence[str]:
    return STACK_NAMES


def update_parts(parts: IntArray, state: State, trail: Trail) -> None:
    """Nobody's dedications are kept by kind on the table, so the trail tells them."""
    for cause, player, _, stack, _, honor in trail.tolist():
        if cause == DEDICATED:
            parts[player, stack] += honor


def round_name(state: State) -> str:
    """A player's turn ends with a tile; the first tile of the lake is nobody's."""
    if is_final_round(state):
        return "final"
    return str(1 + (state.num_laid - 1) // state.num_players)


def tie_breaks(state: State, player: Player) -> Sequence[int]:
    """L15."""
    return int(first_tie_break(state, player)), int(second_tie_break(state, player))
