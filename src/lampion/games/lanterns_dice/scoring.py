"""What a score of Lanterns Dice is made of (see `core.scorebook`)."""

from __future__ import annotations

from collections.abc import Sequence

from lampion.core.position import Trail
from lampion.core.types import IntArray, Player
from lampion.games.lanterns_dice.rules_scoring import boats_honor, second_group, tie_break
from lampion.games.lanterns_dice.rules_shading import completed_pools
from lampion.games.lanterns_dice.rules_turn import is_last_launch
from lampion.games.lanterns_dice.state import State

TIE_BREAKS = ("fireworks",)


def part_names(state: State) -> Sequence[str]:
    """D17."""
    return "fireworks", "second_group", "boats"


def update_parts(parts: IntArray, state: State, trail: Trail) -> None:
    for player in range(state.num_players):
        parts[player] = (
            state.honor[player],
            second_group(completed_pools(state, player)),
            boats_honor(state, player),
        )


def round_name(state: State) -> str:
    return "last-launch" if is_last_launch(state) else str(1 + state.turn)


def tie_breaks(state: State, player: Player) -> Sequence[int]:
    """D18."""
    return (int(tie_break(state, player)),)
