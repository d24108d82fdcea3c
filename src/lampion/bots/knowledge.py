"""What bots know about a game: its module `knowledge`, with four rules or a few more.

    evaluate(state, player)                 how well a player stands, in points of the game
    playout_action(state, player, ...)      a quick sensible action
    action_key(state, player, action, seat) the identity of an action for a seat that may not see all of it, or HIDDEN_KEY
    keyed_action(state, player, key)        the action with that identity here, or NO_ACTION
    kinds_at_hand(state, player)            what may be played with, a bit for each kind; only where hands are hidden
    action_kind(state, player, action)      and the number of the bit that an action belongs to
    is_certain(seen, seat)                  whether what a seat cannot see follows from what it sees; only where there are secrets

and, where there is a trained network (`bots.net`), its module `knowledge_net`:

    net_features(state, player, out)        what the network is told
    predicts_points(state)                  whether it says points instead of utilities

The verbs below find the module of the game that a record belongs to, as those of `core.game` do.
What a module does not define, `bots.plain` answers.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from lampion.bots import plain
from lampion.bots.plain import HIDDEN_KEY, NO_ACTION
from lampion.core.compile import Rule, verb
from lampion.core.game import Game, game_of_record, has_module
from lampion.core.types import Action, IntArray, Player, Rng

__all__ = ["HIDDEN_KEY", "NO_ACTION"]


def _module_of(game: Game) -> ModuleType:
    if has_module(game, "knowledge"):
        return importlib.import_module(f"{game.__name__}.knowledge")
    return plain


def net_module(game: Game) -> ModuleType:
    """The module that says what a network is told."""
    return (
        importlib.import_module(f"{game.__name__}.knowledge_net")
        if has_module(game, "knowledge_net")
        else plain
    )


def can_evaluate(game: Game) -> bool:
    """Whether this game has an evaluation of its own."""
    return vars(_module_of(game)).get("evaluate", plain.evaluate) is not plain.evaluate


def says_what_is_certain(game: Game) -> bool:
    """Whether this game can tell when a seat knows everything that matters."""
    return hasattr(_module_of(game), "is_certain") and _module_of(game) is not plain


def what_would_help(game: Game) -> str:
    """What bots lack in a game without a module `knowledge`; empty if nothing is missing."""
    if can_evaluate(game):
        return ""
    return (
        f"{game.TITLE} has no module `knowledge`, so bots judge positions by the score as it stands and search plays every try to"
        " the end at random; `evaluate` and `playout_action` there would make the same number of tries worth more"
    )


def _answer(name: str, module_of: Callable[[Game], ModuleType] = _module_of) -> Any:
    def answer(dtype: np.dtype[Any]) -> Rule:
        return cast(
            Rule, getattr(module_of(game_of_record(dtype)), name, None) or getattr(plain, name)
        )

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


@verb(_answer("kinds_at_hand"))
def kinds_at_hand(state: Any, player: Player) -> int:
    raise AssertionError("the module of the game answers")


@verb(_answer("action_kind"))
def action_kind(state: Any, player: Player, action: Action) -> int:
    raise AssertionError("the module of the game answers")


@verb(_answer("is_certain"))
def is_certain(seen: Any, seat: Player) -> bool:
    raise AssertionError("the module of the game answers")


@verb(_answer("net_features", net_module))
def net_features(state: Any, player: Player, out: npt.NDArray[np.float32]) -> bool:
    raise AssertionError("the module of the game answers")


@verb(_answer("predicts_points", net_module))
def predicts_points(state: Any) -> bool:
    raise AssertionError("the module of the game answers")
