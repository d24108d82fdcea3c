"""What bots know about each game: one module per game, with four rules or five.

    evaluate(state, player)                 how well a player stands, in points of the game
    playout_action(state, player, ...)      a quick sensible action
    action_key(state, player, action, seat) the identity of an action for a seat that may not see all of it, or HIDDEN_KEY
    keyed_action(state, player, key)        the action with that identity here, or NO_ACTION
    net_features(state, out)                what a trained network is told (`bots.net`); only where there is one

The verbs below find the module of the game that a record belongs to, as those of `core.game` do. A game outside the package can
have a module `knowledge` of its own; where nothing is hidden, `plain` does without.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from types import ModuleType
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from lampion.bots.knowledge import plain
from lampion.core.compile import Rule, verb
from lampion.core.game import Game, game_of_record
from lampion.core.record import ALL
from lampion.core.types import Action, IntArray, Player, Rng

NO_ACTION: Action = -1
HIDDEN_KEY = -2
"""The identity of anything that a seat cannot see: somebody else's draw."""


def _module_of(game: Game) -> ModuleType:
    for name in (f"{__name__}.{game.NAME}", f"{game.__name__}.knowledge"):
        if find_spec(name):
            return importlib.import_module(name)
    assert all(field.seen_by is ALL for field in game.State.fields.values()), f"{game.NAME} has secrets and no module `knowledge`"
    return importlib.import_module(f"{__name__}.plain")


def can_evaluate(game: Game) -> bool:
    """Whether somebody has written down what a position of this game is worth."""
    return not _module_of(game).__name__.endswith(".plain")


def _answer(name: str) -> Any:
    def answer(dtype: np.dtype[Any]) -> Rule:
        return cast(Rule, getattr(_module_of(game_of_record(dtype)), name, None) or getattr(plain, name))

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


@verb(_answer("net_features"))
def net_features(state: Any, out: npt.NDArray[np.float32]) -> bool:
    raise AssertionError("the module of the game answers")
