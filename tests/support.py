"""What the tests of all games share: the cases to try, and games played at random."""

from __future__ import annotations

import importlib
import os
import random
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import lampion
from lampion.core.game import find_game, own_game_names
from lampion.core.match import Match
from lampion.core.options import TextOption
from lampion.core.variants import STANDARD, VARIANT, declared_options

Wanted = dict[str, tuple[int, dict[str, str], Callable[[Match], bool]]]
"""What golden records show: name -> players, options, and whether a finished match shows it."""

GOLDEN = Path(__file__).parent / "golden"
OWN = own_game_names()
EXAMPLES = ("connect_four", "hex", "leduc")
"""Games outside the package, in the folder `examples`."""
sys.path.append(str(Path(__file__).parent.parent / "examples"))
for _name in EXAMPLES:
    lampion.register(importlib.import_module(_name))

_wanted = os.environ.get("LAMPION_TEST_GAMES", " ".join((*OWN, *EXAMPLES))).split()
GAMES = [name for name in _wanted if name in OWN]
"""The games of the package to test: all, or those somebody is working on."""
ALL_GAMES = _wanted
"""The same with those outside the package, which keep what every game must keep."""


def _of_game(name: str) -> Any:
    """What the tests of one game tell to the tests of all: `combinations_to_try`, `facts` and
    `check_nothing_lost`."""
    return importlib.import_module(f"tests.{'games' if name in OWN else 'examples'}.{name}.for_all")


def invariant_of(name: str) -> Callable[[Any], None]:
    """The check of a game that nothing is created or lost."""
    check: Callable[[Any], None] = _of_game(name).check_nothing_lost
    return check


def shows_secrets(match: Match) -> bool:
    """Whether the next action shows everybody what was hidden; a game in which that happens has a function of that name."""
    ask: Callable[[Any], bool] = getattr(
        _of_game(match.game.NAME), "shows_secrets", lambda state: False
    )
    return ask(match.state)


class Case(NamedTuple):
    game: str
    players: int
    options: dict[str, str]

    def __str__(self) -> str:
        options = ",".join(f"{name}={value}" for name, value in self.options.items())
        return f"{self.game}-{self.players}p" + (f"-{options}" if options else "")

    def new(self, seed: int) -> Match:
        return lampion.new(self.game, self.players, seed=seed, options=self.options)

    def without_chance(self) -> Match:
        """A match in which chance must be submitted like any action."""
        return Match(find_game(self.game), self.players, self.options)


def cases() -> list[Case]:
    """Every game, number of players and set of options that go together."""
    return [
        Case(name, players, options)
        for name in ALL_GAMES
        for players in find_game(name).NUM_PLAYERS
        for options in options_to_try(name, players)
    ]


def options_to_try(name: str, players: int) -> list[dict[str, str]]:
    """Defaults, the combinations that a game's tests ask for, and every value and variant that is
    not among them."""
    wanted: list[dict[str, str]] = [{}, *_of_game(name).combinations_to_try(players)]
    for option in declared_options(find_game(name)):
        if option.applies(players):
            tried = {options.get(option.name) for options in wanted}
            is_tried = isinstance(option, TextOption) and tried != {None}
            wanted += [
                {option.name: value}
                for value in option.samples
                if value not in tried and not is_tried
            ]
    return wanted


every_case = pytest.mark.parametrize("case", cases(), ids=str)


def starting_at(match: Match, state: Any) -> Match:
    """A match of the same game that begins in another state; chance must be submitted."""
    return Match(match.game, match.players, match.options, components=match.components, start=state)


def random_actor(match: Match, chooser: random.Random) -> int:
    """Somebody who may act: where several may at the same time, any of them."""
    return chooser.choice(match.actors) if match.actors else match.to_act


def play_on(match: Match, chooser: random.Random) -> Iterator[Match]:
    """Play at random to the end, in any order that the rules allow; gives the match before every action."""
    while not match.is_over:
        yield match
        actor = random_actor(match, chooser)
        match.submit(int(chooser.choice(match.legal_ids(actor))), actor)


def finished(case: Case, seed: int) -> Match:
    match = case.new(seed)
    for _ in play_on(match, random.Random(seed)):
        pass
    return match


def components_of(game: str) -> dict[str, Any]:
    """The pieces as plain data; nothing for a game that has no file of them."""
    file = Path(find_game(game).__file__).with_name("components.toml")
    return tomllib.loads(file.read_text()) if file.exists() else {}


def oracle_of(case: Case) -> Any:
    """An oracle knows no variants: it is given pieces with the numbers that the variant sets."""
    options, pieces = dict(case.options), components_of(case.game)
    if options.pop(VARIANT, STANDARD) != STANDARD:
        _of_game(case.game).change_pieces(pieces, case.without_chance().state)
    return importlib.import_module(f"tests.oracles.{case.game}").Oracle(
        case.players, options, pieces
    )


def facts_of(match: Match) -> dict[str, Any]:
    """The position in the form of the oracle's `facts`."""
    facts: dict[str, Any] = _of_game(match.game.NAME).facts(match.state)
    return facts
