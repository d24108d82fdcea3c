"""Ratings from placements: Bradley-Terry on every pair of bots in a game, reported as Elo, with intervals by resampling deals.

In a game of several players each pair of different bots is a comparison: the better place wins, equal places are half a win each.
Comparisons of one deal are not independent, so uncertainty comes from resampling whole deals (the bootstrap over clusters), as many
of each line-up as were played.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

ELO = 400 / math.log(10)
Matrix = npt.NDArray[np.float64]


class Rating(NamedTuple):
    bot: str
    elo: float
    low: float
    high: float
    won: float
    """The share of all its comparisons that the bot won."""


@dataclass
class GameResult:
    """One game: the bot in each seat, and the place each seat reached."""

    bots: tuple[int, ...]
    places: tuple[int, ...]


def pairwise_wins(results: list[GameResult], bots: int) -> Matrix:
    """wins[a, b]: how often a was placed before b, half for a shared place."""
    wins = np.zeros((bots, bots))
    for result in results:
        for a, place_a in zip(result.bots, result.places, strict=True):
            for b, place_b in zip(result.bots, result.places, strict=True):
                if a != b:
                    wins[a, b] += 1.0 if place_a < place_b else 0.5 if place_a == place_b else 0.0
    return wins


def strengths(wins: Matrix, prior: float = 0.5) -> npt.NDArray[np.float64]:
    """The Bradley-Terry strengths (in nats, mean 0) that make these results most likely.

    `prior` draws between each pair that met keep a bot that always wins at a finite rating.
    """
    met = (wins + wins.T) > 0
    games = wins + prior * met
    totals = games + games.T
    strength = np.ones(len(wins))
    for _ in range(500):
        expected = (totals / (strength[:, None] + strength[None, :])).sum(axis=1)
        updated = games.sum(axis=1) / np.maximum(expected, 1e-12)
        updated /= np.exp(np.log(updated).mean())
        if np.abs(np.log(updated / strength)).max() < 1e-7:
            break
        strength = updated
    return np.log(strength)


def _resampled(groups: Sequence[tuple[int, ...]], samples: int) -> npt.NDArray[np.int64]:
    """For each sample, numbers of clusters drawn with replacement among those of the same group."""
    chooser, members = np.random.default_rng(1), dict[tuple[int, ...], list[int]]()
    for number, group in enumerate(groups):
        members.setdefault(group, []).append(number)
    drawn = [
        np.array(group)[chooser.integers(len(group), size=(samples, len(group)))]
        for group in members.values()
    ]
    return np.concatenate(drawn, axis=1)


def ratings(
    clusters: list[list[GameResult]],
    names: list[str],
    level: float = 0.95,
    samples: int = 300,
    anchor: str | None = None,
) -> list[Rating]:
    """Elo per bot with an interval. A cluster is all games of one deal. The bot `anchor` has 0, or else the mean of all."""
    per_cluster = np.array([pairwise_wins(cluster, len(names)) for cluster in clusters])
    groups = [tuple(sorted(cluster[0].bots)) for cluster in clusters]
    return rated(per_cluster, groups, names, level, samples, anchor=anchor)


def rated(
    per_cluster: Matrix,
    groups: Sequence[tuple[int, ...]],
    names: list[str],
    level: float = 0.95,
    samples: int = 300,
    *,
    anchor: str | None = None,
) -> list[Rating]:
    """The same from the wins in each cluster; as many clusters of each group are drawn as there are."""
    bots, drawn = len(names), _resampled(groups, samples)
    wins = per_cluster.sum(axis=0)
    found = np.array(
        [
            strengths(np.maximum(one, 0.0)) * ELO
            for one in (wins, *(per_cluster[k].sum(axis=0) for k in drawn))
        ]
    )
    if anchor is not None:
        found -= found[:, [names.index(anchor)]]
    best, resampled = found[0], found[1:]
    low, high = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2], axis=0)
    won = wins.sum(axis=1) / (wins + wins.T).sum(axis=1)
    return [
        Rating(names[bot], *(float(numbers[bot]) for numbers in (best, low, high, won)))
        for bot in range(bots)
    ]


def deal_scores(clusters: list[list[GameResult]]) -> list[float]:
    """Per deal, the share of comparisons that bot 0 won against bot 1."""
    wins = [pairwise_wins(cluster, 2) for cluster in clusters]
    return [float(one[0, 1] / (one[0, 1] + one[1, 0])) for one in wins]
