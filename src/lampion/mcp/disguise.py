"""Pieces with other colors and numbers, for agents that may have seen the published ones.

A game that can be played with them has a module `disguise` with a function `disguise(pieces,
shuffled)`: given its components as plain data and a function that shuffles a list, it changes names
and numbers and nothing else about the game.
"""

from __future__ import annotations

import importlib
import random
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from lampion.core.errors import InvalidOptions
from lampion.core.game import Components, find_game, has_module


def disguised(game: str, number: int) -> Components:
    """The pieces for a game of that number."""
    found = find_game(game)
    if not has_module(found, "disguise"):
        message = f"the pieces of {found.TITLE} cannot be given other colors and numbers"
        raise InvalidOptions(message, code="no-disguise", where="--disguise")
    pieces = tomllib.loads(Path(found.__file__).with_name("components.toml").read_text("utf-8"))
    chooser = random.Random(number)

    def shuffled(things: list[Any]) -> list[Any]:
        return chooser.sample(things, len(things))

    importlib.import_module(f"{found.__name__}.disguise").disguise(pieces, shuffled)
    return found.read_components(msgspec.toml.encode(pieces), f"disguise {number}")
