"""What bots know about each game: one module per game, with four rules.

    evaluate(state, player)                 how well a player stands, in points of the game
    playout_action(state, player, ...)      a quick sensible action
    action_key(state, player, action, seat) the identity of an action for a seat that may not see all of it, or HIDDEN_KEY
    keyed_action(state, player, key)        the action with that identity here, or NO_ACTION

The verbs below find the module of the game that a record belongs to, as those of `core.game` do.
"""

from __future__ import annotations

import importlib
from typing import Any, cast

import numpy as np

from lampion.core.compile import Rule, verb
from lampion.core.game import game_of_record
from lampion.core.types import Action, IntArray, Player, Rng

NO_ACTION: Action = -1
HIDDEN_KEY = -2
"""The identity of anything that a seat cannot see: somebody else's draw."""


def _answer(name: str) -> Any:
    def answer(dtype: np.dtype[Any]) -> Rule:
        module = importlib.import_module(f"lampion.bots.knowledge.{game_of_record(dtype).NAME}")
        return cast(Rule, getattr(module, name))

    return answer


@verb(_answer("evaluate"))
def evaluate(state: Any, player: Player) -> float:
    raise AssertionError("the module of the game answers")


@verb(_answer("playout_action"))
def playout_action(state: Any, player: Player, legal: IntArray, rng: Rng) -> Action:
    raise AssertionError("the module of the game answers")


@verb(_answer("action_key"))
def action_key(state: Any, player: Player, action: Action, seat: Player) -> int:
    raise AssertionError("the module of the game answers")


@verb(_answer("keyed_action"))
def keyed_action(state: Any, player: Player, key: int) -> Action:
    raise AssertionError("the module of the game answers")
