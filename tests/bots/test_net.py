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
from lampion.bots.knowledge import net_features, net_module, predicts_points
from lampion.bots.levels import make_player
from lampion.bots.net import (
    NO_WEIGHTS,
    NOT_FEATURES,
    POINTS_SCALE,
    load_weights,
    run_network,
    weights_file,
)
from lampion.bots.search import Greedy, Search
from lampion.core.game import find_game
from lampion.core.rng import new_rng
from tests.support import GAMES, Case, play_on

NETWORKS = [(game, players) for game in GAMES for players in (2, 3, 4)]
KEEPS_HANDS_OUT = ("lanterns", "lanterns_dice")
"""Games whose networks look at nothing that any seat cannot see; the others look at their own hand."""


def num_features(game: str, players: int) -> int:
    return int(net_module(find_game(game)).num_features(players))


@pytest.mark.parametrize(("game", "players"), NETWORKS)
def test_networks_fit_their_features_and_are_small(game: str, players: int) -> None:
    weights = load_weights(game, players)
    assert len(weights) == num_features(game, players) + NOT_FEATURES
    assert np.isfinite(weights).all()
    assert weights_file(game, players).stat().st_size < 50_000


def test_there_is_none_for_other_games() -> None:
    assert load_weights("hex", 2) is NO_WEIGHTS
    match = lampion.new("hex", 2, seed=1)
    assert not net_features(match.state, 0, np.zeros(1, np.float32))
    assert not predicts_points(match.state)


@pytest.mark.parametrize(("game", "players"), NETWORKS)
def test_a_network_is_told_only_what_its_player_knows(game: str, players: int) -> None:
    full, seen = (np.zeros(num_features(game, players), np.float32) for _ in range(2))
    for match in play_on(Case(game, players, {}).new(6), random.Random(6)):
        for player in range(players):
            seat = match.ply % players if game in KEEPS_HANDS_OUT else player
            if net_features(match.state, player, full):
                assert net_features(match.seen_from(seat), player, seen)
                assert (seen == full).all()
                assert full.any()


@pytest.mark.parametrize(("game", "players"), NETWORKS)
def test_it_computes_what_numpy_does(game: str, players: int) -> None:
    weights, row = load_weights(game, players), np.zeros(num_features(game, players), np.float32)
    for match in play_on(Case(game, players, {}).new(3), random.Random(3)):
        if net_features(match.state, match.ply % players, row):
            *units, direct = row @ weights[: len(row)] + weights[len(row)]
            output = direct + np.maximum(units, 0) @ weights[-1, :-1]
            assert run_network(weights, row) == pytest.approx(output, abs=1e-4)


@pytest.mark.parametrize("game", ["lanterns", "lumens"])
def test_with_the_network_bots_choose_legal_actions_and_always_the_same(game: str) -> None:
    for match in play_on(Case(game, 2, {}).new(4), random.Random(4)):
        if match.ply % 12 == 0:
            seat = match.to_act
            seen, legal, budget = (
                match.seen_from(seat),
                match.legal_ids(seat),
                Budget(iterations=60),
            )
            for bot in (Greedy(net=True), Search()):
                chosen = bot.choose(seen, seat, legal, budget, new_rng(5))
                assert chosen in legal
                assert chosen == bot.choose(seen, seat, legal, budget, new_rng(5))


def test_in_lanterns_dice_it_predicts_points() -> None:
    """Nearer to the end it is nearer to what the players have then, and much nearer than a guess of the mean."""
    errors: list[tuple[float, float]] = []
    features = np.zeros(num_features("lanterns_dice", 2), np.float32)
    for seed in range(12):
        match, said = lampion.new("lanterns_dice", 2, seed=seed), list[float]()
        while not match.is_over:
            if net_features(match.state, 0, features):
                said.append(
                    POINTS_SCALE * float(run_network(load_weights("lanterns_dice", 2), features))
                )
            seat = match.to_act
            bot = Greedy(net=True)
            match.submit(
                bot.choose(
                    match.seen_from(seat), seat, match.legal_ids(seat), Budget(), new_rng(match.ply)
                ),
                seat,
            )
        points = match.scores[0]
        errors.append((abs(said[len(said) // 2] - points), abs(said[-2] - points)))
    half_way, at_the_end = np.mean(errors, axis=0)
    assert at_the_end < 2.5 < half_way < 7


def test_it_goes_by_name() -> None:
    network, search = make_player("net").bot, make_player("search:50,net=0").bot
    assert isinstance(network, Greedy) and network.net
    assert isinstance(search, Search) and search.changed == {"net": 0}


def test_it_beats_random_play() -> None:
    contest = Contest("lanterns", 2, ("net", "random"))
    deals = [play_job(contest, job).games for job in islice(contest.jobs(), 10)]
    assert np.mean(deal_scores(deals)) > 0.8
