"""What the tests of all games share: the cases to try, and games played at random."""

from __future__ import annotations

import importlib
import os
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lampion
from lampion.core.game import find_game, own_game_names
from lampion.core.match import Match
from lampion.core.variants import STANDARD, VARIANT
from lampion.testing.about import tell
from lampion.testing.cases import Case as Case
from lampion.testing.cases import cases_of
from lampion.testing.cases import finished as finished
from lampion.testing.cases import options_to_try as options_to_try
from lampion.testing.cases import play_on as play_on
from lampion.testing.cases import random_actor as random_actor
from lampion.testing.redaction import shows_secrets as shows_secrets

Wanted = dict[str, tuple[int, dict[str, str], Callable[[Match], bool]]]
"""What golden records show: name -> players, options, and whether a finished match shows it."""

GOLDEN = Path(__file__).parent / "golden"
OWN = own_game_names()
EXAMPLES = ("connect_four", "hex", "kuhn", "leduc")
"""Games outside the package, in the folder `examples`."""
sys.path.append(str(Path(__file__).parent.parent / "examples"))
for _name in EXAMPLES:
    lampion.register(importlib.import_module(_name))

IS_NIGHT = os.environ.get("LAMPION_NIGHT") == "1"

"""Whether there is time: `make test` tries a few random cases of a check, `make nightly` many."""

_wanted = os.environ.get("LAMPION_TEST_GAMES", " ".join((*OWN, *EXAMPLES))).split()
GAMES = [name for name in _wanted if name in OWN]
"""The games of the package to test: all, or those under work."""
ALL_GAMES = _wanted
"""The same with those outside the package, which keep what every game must keep."""


def _of_game(name: str) -> Any:
    """What the tests of one game tell to the suite (see `lampion.testing.about`)."""
    return importlib.import_module(f"tests.{'games' if name in OWN else 'examples'}.{name}.for_all")


def oracle_of(case: Case) -> Any:
    """An oracle knows no variants: it is given pieces with the numbers that the variant sets."""
    options, pieces = dict(case.options), components_of(case.game)
    if options.pop(VARIANT, STANDARD) != STANDARD:
        _of_game(case.game).change_pieces(pieces, case.without_chance().state)
    module = importlib.import_module(f"tests.oracles.{case.game}")
    return module.Oracle(case.players, options, pieces)


def components_of(game: str) -> dict[str, Any]:
    """The pieces as plain data; nothing for a game that has no file of them."""
    file = Path(find_game(game).__file__).with_name("components.toml")
    return tomllib.loads(file.read_text()) if file.exists() else {}


for _name in ALL_GAMES:
    tell(_name, _of_game(_name), oracle_of)


def cases() -> list[Case]:
    """Every game, number of players and set of options that go together."""
    return [case for name in ALL_GAMES for case in cases_of(name)]


def up_to(game: str, players: int) -> int:
    """So many players, or as many as the game takes."""
    return min(players, find_game(game).NUM_PLAYERS[-1])


every_case = pytest.mark.parametrize("case", cases(), ids=str)


def starting_at(match: Match, state: Any) -> Match:
    """A match of the same game that begins in another state; chance must be submitted."""
    return Match(match.game, match.players, match.options, components=match.components, start=state)
