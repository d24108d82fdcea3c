"""Strength: who beats whom, by sequential tests on fixed deals. The budgets are iterations, so every run gives the same result.

Each test ends as soon as it is sure, with an error of about 5 % either way (`arena.sequential`, whose own test shows it). The true
rates are far beyond what is asked for (docs/bots.md), so it ends after 9 to 18 deals.
"""

from __future__ import annotations

from itertools import islice

import pytest

from lampion.arena.ratings import deal_scores
from lampion.arena.run import Contest, play_job
from lampion.arena.sequential import sequential_test
from tests.support import GAMES

MOST_DEALS = 60


def is_stronger(game: str, bots: tuple[str, str], elo_0: float, elo_1: float) -> bool | None:
    """Whether the first bot is rather `elo_1` than `elo_0` stronger, by two-player games."""
    contest, clusters, verdict = Contest(game, 2, bots), [], None
    for job in islice(contest.jobs(), MOST_DEALS):
        clusters.append(play_job(contest, job).games)
        verdict = sequential_test(deal_scores(clusters), elo_0, elo_1).is_stronger
        if verdict is not None:
            break
    return verdict


@pytest.mark.parametrize("game", GAMES)
def test_greedy_wins_rather_95_than_80_percent_against_random(game: str) -> None:
    assert is_stronger(game, ("greedy", "random"), elo_0=241, elo_1=512)


@pytest.mark.parametrize("game", GAMES)
def test_a_short_search_wins_rather_70_than_50_percent_against_greedy(game: str) -> None:
    """Much less than the 0.2 s with which it has to hold."""
    assert is_stronger(game, ("search:50", "greedy"), elo_0=0, elo_1=147)


@pytest.mark.parametrize("game", ["lanterns", "lanterns_dice"])
def test_a_search_with_the_network_wins_rather_65_than_50_percent_against_one_without(
    game: str,
) -> None:
    assert is_stronger(game, ("search:50", "search:50,net=0"), elo_0=0, elo_1=107)
