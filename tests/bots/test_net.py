"""The trained network: it can be read, says the same on every run and to either side of the compiler, and plays well."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest

import lampion
from lampion.arena.ratings import deal_scores
from lampion.arena.run import Contest, play_job
from lampion.bots.base import Budget
from lampion.bots.knowledge import lanterns, net_features
from lampion.bots.levels import make_player
from lampion.bots.net import NO_WEIGHTS, NOT_FEATURES, load_weights, run_network, weights_file
from lampion.bots.search import Greedy, Search
from lampion.core.rng import new_rng
from tests.support import Case, play_on

NUM_PLAYERS = (2, 3, 4)


@pytest.mark.parametrize("players", NUM_PLAYERS)
def test_the_networks_of_lanterns_fit_their_features_and_are_small(players: int) -> None:
    weights = load_weights("lanterns", players)
    assert len(weights) == lanterns.num_features(players) + NOT_FEATURES
    assert np.isfinite(weights).all()
    assert weights_file("lanterns", players).stat().st_size < 50_000


def test_there_is_none_for_other_games() -> None:
    assert load_weights("lumens", 2) is NO_WEIGHTS
    match = lampion.new("lumens", 2, seed=1)
    assert not net_features(match.state, np.zeros((2, 1), np.float32))


@pytest.mark.parametrize("players", NUM_PLAYERS)
def test_a_network_is_told_nothing_hidden_and_the_same_by_every_seat(players: int) -> None:
    full, seen = (np.zeros((players, lanterns.num_features(players)), np.float32) for _ in range(2))
    for match in play_on(Case("lanterns", players, {}).new(6), random.Random(6)):
        if net_features(match.state, full):
            assert net_features(match.seen_from(match.ply % players), seen)
            assert (seen == full).all()
            assert full.any(axis=1).all()


@pytest.mark.parametrize("players", NUM_PLAYERS)
def test_it_computes_what_numpy_does(players: int) -> None:
    weights, features = load_weights("lanterns", players), np.zeros((players, lanterns.num_features(players)), np.float32)
    for match in play_on(Case("lanterns", players, {}).new(3), random.Random(3)):
        if not net_features(match.state, features):
            continue
        for row in features:
            *units, direct = row @ weights[: len(row)] + weights[len(row)]
            output = direct + np.maximum(units, 0) @ weights[-1, :-1]
            assert run_network(weights, row) == pytest.approx(1 / (1 + np.exp(-output)), abs=1e-5)


@pytest.mark.parametrize("game", ["lanterns", "lumens"])
def test_with_the_network_bots_choose_legal_actions_and_always_the_same(game: str) -> None:
    """Where there is none they play as without it."""
    for match in play_on(Case(game, 2, {}).new(4), random.Random(4)):
        if match.ply % 12 == 0:
            seat = match.to_act
            seen, legal, budget = match.seen_from(seat), match.legal_ids(seat), Budget(iterations=60)
            for bot in (Greedy(net=True), Search()):
                chosen = bot.choose(seen, seat, legal, budget, new_rng(5))
                assert chosen in legal
                assert chosen == bot.choose(seen, seat, legal, budget, new_rng(5))
            if game == "lumens":
                assert chosen == Search(net=0).choose(seen, seat, legal, budget, new_rng(5))


def test_it_goes_by_name() -> None:
    network, search = make_player("net").bot, make_player("search:50,net=0").bot
    assert isinstance(network, Greedy) and network.net
    assert isinstance(search, Search) and search.changed == {"net": 0}


def test_it_beats_random_play() -> None:
    contest = Contest("lanterns", 2, ("net", "random"))
    deals = [play_job(contest, job).games for job in islice(contest.jobs(), 10)]
    assert np.mean(deal_scores(deals)) > 0.8
