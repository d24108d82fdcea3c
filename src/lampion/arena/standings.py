"""Who is how strong on a leaderboard: Elo, and Elo with the luck taken out.

Luck is a control variate. In a game let y be 1 if a was placed before b (0.5 for a shared place) and
x the luck of a minus that of b. Chance has no favorites, so the mean of x is 0, and y - beta * x has
the mean of y for any beta; with a good one it varies less. Beta is the slope of y over x, found on
the other half of the deals, so that it does not depend on the games that it corrects. Elo follows
from the sums of y or of y - beta * x in the same way, with intervals by resampling whole deals.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from lampion.arena.board import PlayedGame, Round
from lampion.arena.ratings import Rating, rated

HALVES = 2


class Standing(NamedTuple):
    """An entry on the board."""

    name: str
    spec: str
    elo: Rating
    adjusted: Rating
    games: int
    failures: int
    seconds: float
    """Processor time of a decision of its own, on average."""


class Encounter(NamedTuple):
    """Two entries in one game."""

    cluster: int
    half: int
    a: int
    b: int
    won: float
    luck: float
    """Of a, minus that of b."""


def standings(rounds: list[Round]) -> list[Standing]:
    """Strongest first, by the adjusted rating; only rounds that are finished count."""
    finished = [one for one in rounds if one.seed is not None]
    names = [one.entry.name for one in finished]
    clusters = sorted({(one.entry.number, game.deal) for one in finished for game in one.games})
    if not clusters:
        return []
    games = [game for one in finished for game in one.games]
    found = encounters(games, clusters)
    groups = [(number,) for number, _ in clusters]
    plain, adjusted = (
        rated(wins(found, len(clusters), len(names), slopes), groups, names, anchor=names[0])
        for slopes in ([0.0] * HALVES, luck_slopes(found))
    )
    rows = [
        Standing(
            one.entry.name, one.entry.spec, plain[k], adjusted[k], *_counts(games, one.entry.number)
        )
        for k, one in enumerate(finished)
    ]
    return sorted(rows, key=lambda row: -row.adjusted.elo)


def encounters(games: list[PlayedGame], clusters: list[tuple[int, int]]) -> list[Encounter]:
    """Every pair of different entries in every game. A cluster is a deal of a round."""
    place_of = {cluster: number for number, cluster in enumerate(clusters)}
    return [
        Encounter(
            place_of[game.entry, game.deal], game.deal % HALVES, game.seats[one], game.seats[other],
            _won(game.places[one], game.places[other]), game.luck[one] - game.luck[other],
        )
        for game in games
        for one, other in combinations(range(len(game.seats)), 2)
        if game.seats[one] != game.seats[other]
    ]  # fmt: skip


def _won(own: int, other: int) -> float:
    return 1.0 if own < other else 0.5 if own == other else 0.0


def luck_slopes(found: list[Encounter]) -> list[float]:
    """For each half of the deals, the slope in the other half. Both sides of a comparison count, so
    that it does not matter who is called a."""
    slopes = []
    for half in range(HALVES):
        others = [one for one in found if one.half != half]
        luck = np.array([one.luck for one in others])
        result = np.array([one.won - 0.5 for one in others])
        spread = float((luck * luck).sum())
        slopes.append(float((luck * result).sum()) / spread if spread > 0 else 0.0)
    return slopes


def wins(
    found: list[Encounter], clusters: int, bots: int, slopes: list[float]
) -> npt.NDArray[np.float64]:
    """By cluster and pair, how often the first was placed before the second, less its luck."""
    matrix = np.zeros((clusters, bots, bots))
    for one in found:
        won = one.won - slopes[one.half] * one.luck
        matrix[one.cluster, one.a, one.b] += won
        matrix[one.cluster, one.b, one.a] += 1.0 - won
    return matrix


def _counts(games: list[PlayedGame], entry: int) -> tuple[int, int, float]:
    played = failures = decisions = 0
    spent = 0.0
    for game in games:
        for seat, who in enumerate(game.seats):
            if who == entry:
                played += 1
                failures += seat in game.failures
                spent += game.spent[seat]
                decisions += sum(actor == seat for actor, _ in game.record.log)
    return played, failures, spent / max(decisions, 1)
