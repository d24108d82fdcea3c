"""The coach: a sentence is only said if it is true, by the oracle; every kind of sentence comes up;
and what a seat could not know is never used."""

from __future__ import annotations

import importlib
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import lampion
from lampion.core.comparison import Comparison, Reason, compare
from lampion.core.game import find_game
from lampion.core.log import Entry
from lampion.core.match import Match
from lampion.core.messages import catalog, event_key, languages
from lampion.core.position import Position
from lampion.core.sentences import Reader
from lampion.core.types import CHANCE
from lampion.reviews.coach import MOST_REASONS, SECTION, find_coach, reasons, told
from lampion.testing.cases import Case
from tests.reviews.claims import Claim, branch
from tests.support import GAMES, IS_NIGHT, oracle_of

PAIRS = 2
"""Pairs of actions compared at a decision."""
PLAYERS = (2, 3, 4)
GAMES_EACH = 60 if IS_NIGHT else 1
EVERY = {"lanterns": 1, "lumens": 2, "lanterns_dice": 6}
"""One decision in so many is looked at by day: this oracle tries everything."""


def coach_of(game: str) -> Any:
    found = find_coach(find_game(game))
    assert found is not None
    return found


def claims_of(game: str) -> dict[str, Any]:
    checks: dict[str, Any] = importlib.import_module(f"tests.reviews.claims.{game}").CHECKS
    return checks


def decisions(game: str, players: int, seed: int) -> Iterator[tuple[Position, Entry, Any]]:
    """The decisions of a random game, each with the oracle in the same position."""
    case, chooser = Case(game, players, ()), random.Random(seed)
    oracle, match = oracle_of(case), lampion.new(game, players, seed=seed)
    while not match.is_over:
        seat = chooser.choice(match.actors)
        match.submit(chooser.choice(match.legal_ids(seat).tolist()), seat)
    for _, entry, position in match.walk():
        if entry.actor != CHANCE:
            yield position, entry, oracle
        oracle.apply("c" if entry.actor == CHANCE else entry.actor, entry.text)


def compared(game: str, players: int, seed: int, every: int) -> Iterator[tuple[Comparison, Claim]]:
    """Pairs of actions at the decisions of a game, as the coach and as the oracle see them."""
    chooser = random.Random(seed)
    for number, (position, entry, oracle) in enumerate(decisions(game, players, seed)):
        legal = position.legal_ids(entry.actor).tolist()
        if number % every or len(legal) < 2:
            continue
        for _ in range(PAIRS):
            pair = chooser.sample(legal, 2)
            found = compare(position, entry.actor, *pair)
            if found is None:
                continue
            played, best = (position.action_text(entry.actor, action) for action in pair)
            branches = (branch(oracle, entry.actor, text) for text in (played, best))
            yield found, Claim(entry.actor, played, best, oracle, *branches, {})


def all_claims(game: str, found: Comparison) -> Iterator[Reason]:
    """Every claim that holds, also those that another keeps from being told."""
    coach = coach_of(game)
    topics = [*coach.TOPICS]
    if game == "lumens" and find_game(game).ACTIONS.decode(found.played)[0].name == "choose_start":
        topics = [*coach.START_TOPICS]
    made = (predicate(found) for topic in topics for predicate in topic)
    return (reason for reason in made if reason is not None)


@pytest.mark.parametrize("game", GAMES)
def test_every_claim_is_true_by_the_oracle(game: str) -> None:
    """Of any two actions, in random games; none holds the other way round."""
    checks, made = claims_of(game), Counter[str]()
    every = 1 if IS_NIGHT else EVERY[game]
    for seed in range(GAMES_EACH):
        for players in PLAYERS:
            for found, claim in compared(game, players, seed, every):
                swapped = Comparison(
                    found.seat, found.before, found.best, found.played, found.better, found.after
                )
                others = [*all_claims(game, swapped)]
                for reason in all_claims(game, found):
                    assert checks[reason.kind](claim._replace(values=reason.values)), reason
                    assert reason not in others, reason
                    made[reason.kind] += 1
    assert set(made) <= set(checks)
    assert len(made) >= (len(checks) if IS_NIGHT else 8), set(checks) - set(made)
