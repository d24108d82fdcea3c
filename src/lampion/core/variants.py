"""Variants: small files beside the rules of a game, found by scanning.

A file `variants/NAME.py` in the package of a game is the variant NAME, whatever the game. It has
one function, `set_up(state)`, which changes parameters in the state after the set-up of the
published game; the compiled rules read them there. All variants of a game are the values of one
more option, `variant`, so whatever knows options knows variants.
"""

from __future__ import annotations

import functools
import importlib
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol, cast

from lampion.core.game import Game
from lampion.core.options import ChoiceOption, Option, checked
from lampion.core.record import Record

VARIANT = "variant"
STANDARD = "standard"
"""The game as published."""


class Variant(Protocol):
    def set_up(self, state: Any) -> None: ...


def variant_names(game: Game) -> tuple[str, ...]:
    """The variants of a game, without importing them."""
    return _modules_in(Path(game.__file__).parent / "variants")


@functools.cache
def _modules_in(folder: Path) -> tuple[str, ...]:
    return tuple(sorted(module.name for module in pkgutil.iter_modules([str(folder)])))


def declared_options(game: Game) -> tuple[Option, ...]:
    """The options of a game; a game with variants has one more that chooses among them."""
    names = variant_names(game)
    return (*game.OPTIONS, _choice(names)) if names else tuple(game.OPTIONS)


def _choice(names: tuple[str, ...]) -> ChoiceOption:
    return ChoiceOption(VARIANT, STANDARD, choices=(STANDARD, *names))


def start_state(game: Game, players: int, options: Mapping[str, str], components: Any) -> Record:
    """The state before the first outcome of chance; raises `InvalidOptions`."""
    chosen = checked(game.TITLE, declared_options(game), players, options)
    variant = chosen.pop(VARIANT, STANDARD)
    state = game.new_state(players, chosen, components)
    if variant != STANDARD:
        _find(game, variant).set_up(state)
    return state


def _find(game: Game, name: str) -> Variant:
    return cast(Variant, importlib.import_module(f"{game.__name__}.variants.{name}"))
