"""What a game without chance, secrets and pieces of one's own need not write itself; see
docs/add_a_game.md.

from lampion.core.plain import COMPONENTS, OPTIONS, hidden_text, owner, read_components     in the package
from lampion.core.plain import chance_weights, determinize, may_act, placements, sample_chance    in its rules
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lampion.core.actions import ActionSpace
from lampion.core.compile import rule
from lampion.core.components import FORMAT, ComponentsFile
from lampion.core.errors import InvalidAction, InvalidComponents
from lampion.core.game import scores, to_act
from lampion.core.options import Option
from lampion.core.types import GAME_OVER, NO_PLAYER, Action, IntArray, Player, Rng

# --- the package ------------------------------------------------------------------------------------------------------------------


class NoComponents(ComponentsFile):
    """The pieces of a game that has only the published ones."""

    @property
    def is_standard(self) -> bool:
        return True


COMPONENTS = NoComponents
OPTIONS: Sequence[Option] = ()


def read_components(source: bytes | None, name: str = "components") -> NoComponents:
    if source is not None:
        problem = "this game has no pieces that could be changed"
        raise InvalidComponents(problem, where=name, problem=problem)
    return NoComponents(FORMAT)


def block_text(actions: ActionSpace, action: Action, *names: Sequence[str]) -> str:
    """Notation for a game with few actions: the name of the block, and the names of its numbers."""
    block, numbers = actions.decode(action)
    return " ".join(
        [block.name, *(words[number] for words, number in zip(names, numbers, strict=False))]
    )


def parse_block_text(actions: ActionSpace, text: str, *names: Sequence[str]) -> Action:
    """The action that `block_text` writes like that."""
    for action in range(actions.size):
        if block_text(actions, action, *names) == text:
            return action
    known = ", ".join(block.name for block in actions.blocks)
    raise InvalidAction(
        f"{text[:40]!r} is not valid notation; actions begin with {known}", text=text[:40]
    )


def hidden_text(state: Any, player: Player, action: Action) -> str:
    raise AssertionError("no action of this game is a secret")


def owner(state: Any, player: Player) -> Player:
    return NO_PLAYER


# --- the rules --------------------------------------------------------------------------------------------------------------------


@rule
def may_act(state: Any, player: Player) -> bool:
    """One at a time."""
    return player == to_act(state) and player != GAME_OVER


@rule
def placements(state: Any, out: IntArray) -> None:
    """By the scores: a player's place is one more than how many have more."""
    points = np.zeros(state.num_players, np.int32)
    scores(state, points)
    for player in range(state.num_players):
        out[player] = 1
        for other in range(state.num_players):
            out[player] += points[other] > points[player]


@rule
def chance_weights(state: Any, out: IntArray) -> int:
    return 0


@rule
def sample_chance(state: Any, rng: Rng) -> Action:
    """Chance is never to act; compiled code wants a number all the same."""
    return 0


@rule
def determinize(seen: Any, seat: Player, rng: Rng) -> None:
    """Everybody sees everything: there is nothing to guess."""
