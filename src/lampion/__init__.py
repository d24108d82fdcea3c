"""Lampion: board games about light, for people, bots and researchers.

>>> import lampion
>>> match = lampion.new(lampion.game_names()[0], players=2, seed=7)
>>> match.submit(match.legal_actions()[0]).text  # doctest: +SKIP

Names are imported when they are first used: `import lampion` alone, or `lampion --version`, needs
neither NumPy nor the rules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lampion.bots.analysis import analyse
    from lampion.core.errors import (
        IllegalAction,
        InvalidAction,
        InvalidComponents,
        InvalidOptions,
        InvalidRecord,
        LampionError,
        NotYourTurn,
        Refused,
        UnfairRecord,
        UnknownGame,
    )
    from lampion.core.game import find_game, game_names, register
    from lampion.core.gamelog import GameRecord
    from lampion.core.log import Entry, Log
    from lampion.core.match import Match
    from lampion.core.position import Position
    from lampion.core.types import CHANCE, GAME_OVER, NO_PLAYER, SPECTATOR
    from lampion.matches import dump, load, new, verify
    from lampion.reviews.reviewing import review

__version__ = "0.1.0"

__all__ = [
    "CHANCE", "GAME_OVER", "NO_PLAYER", "SPECTATOR",
    "Entry", "GameRecord", "IllegalAction", "InvalidAction", "InvalidComponents", "InvalidOptions", "InvalidRecord",
    "LampionError", "Log", "Match", "NotYourTurn", "Position", "Refused", "UnfairRecord", "UnknownGame",
    "analyse", "dump", "find_game", "game_names", "load", "new", "register", "review", "verify",
]  # fmt: skip

_HOMES = {
    "bots.analysis": ("analyse",),
    "core.errors": (
        "IllegalAction", "InvalidAction", "InvalidComponents", "InvalidOptions", "InvalidRecord",
        "LampionError", "NotYourTurn", "Refused", "UnfairRecord", "UnknownGame",
    ),
    "core.game": ("find_game", "game_names", "register"),
    "core.gamelog": ("GameRecord",),
    "core.log": ("Entry", "Log"),
    "core.match": ("Match",),
    "core.position": ("Position",),
    "core.types": ("CHANCE", "GAME_OVER", "NO_PLAYER", "SPECTATOR"),
    "matches": ("dump", "load", "new", "verify"),
    "reviews.reviewing": ("review",),
}  # fmt: skip
"""The module of each name above; the imports say the same to type checkers."""


if not TYPE_CHECKING:  # to type checkers a name that is not above stays an error

    def __getattr__(name: str) -> object:
        for home, names in _HOMES.items():
            if name in names:
                globals()[name] = found = getattr(import_module(f"lampion.{home}"), name)
                return found
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
