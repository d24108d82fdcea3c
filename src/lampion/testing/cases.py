"""The cases to try, and games played at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import NamedTuple

import pytest

import lampion
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.options import TextOption
from lampion.core.variants import declared_options
from lampion.testing.about import about

every_case = pytest.mark.lampion_case
"""Marks a test with a parameter `case`: the plugin runs it for every case of the games to test."""
every_size = pytest.mark.lampion_case(options=False)
"""The same for every number of players alone."""


class Case(NamedTuple):
    """A game, a number of players and a set of options that go together."""

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


def cases_of(game: str) -> list[Case]:
    """Every number of players, with every set of options to try."""
    return [
        Case(game, players, options)
        for players in find_game(game).NUM_PLAYERS
        for options in options_to_try(game, players)
    ]


def options_to_try(name: str, players: int) -> list[dict[str, str]]:
    """Defaults, the combinations that a game's tests ask for, and every value and variant that is
    not among them."""
    wanted: list[dict[str, str]] = [{}, *about(name).combinations_to_try(players)]
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


def random_actor(match: Match, chooser: random.Random) -> int:
    """A player who may act; any of them where several may at the same time."""
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
