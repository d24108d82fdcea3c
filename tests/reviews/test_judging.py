"""Judged decisions: from what a seat knew, alike every time, and with their uncertainty."""

from __future__ import annotations

import random

import numpy as np
import pytest

import lampion
from lampion.bots.base import Budget
from lampion.bots.search import Greedy
from lampion.core import play
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.position import Position
from lampion.core.rng import new_rng
from lampion.reviews.judging import Care, Judge, decisions_of, judged
from lampion.reviews.reviewing import review
from tests.reviews.test_ledger import played
from tests.support import ALL_GAMES, GAMES

QUICK = Care(look=40, weigh=16, runs=3)


def against_random_play(name: str, players: int, seed: int) -> Match:
    """The bots' greedy players, and one who plays at random in seat 0."""
    match, chooser, rng = lampion.new(name, players, seed=seed), random.Random(seed), new_rng(seed)
    bot = Greedy(net=True)
    while not match.is_over:
        seat, legal = match.to_act, match.legal_ids()
        seen = match.seen_from(seat)
        wise = int(bot.choose(seen, seat, legal, Budget(), rng)) if seat else 0
        match.submit(wise if seat else chooser.choice(legal.tolist()), seat)
    return match


@pytest.mark.parametrize("name", GAMES)
def test_random_play_shows(name: str) -> None:
    match = against_random_play(name, 3, 2)
    rows = review(match, care=QUICK).rows
    assert max(rows, key=lambda row: row.error).seat == 0
    assert rows[0].mistakes > 0


@pytest.mark.parametrize("name", ALL_GAMES)
def test_the_same_record_is_judged_alike(name: str) -> None:
    match = played(name, find_game(name).NUM_PLAYERS[0], 3)
    plies = decisions_of(match)[:6]
    first = [*judged(match, care=QUICK, plies=plies)]
    assert first == [*judged(match, care=QUICK, plies=reversed(plies))]
    assert [one.ply for one in first] == plies
    for one in first:
        assert one.cost >= 0 and one.interval >= 0
        assert one.verdict != "mistake" or one.cost > one.interval
        assert one.verdict != "forced" or one.played == one.best


@pytest.mark.parametrize("name", ["lanterns", "lumens"])
def test_what_a_seat_could_not_see_changes_nothing(name: str) -> None:
    """The same decision in a world with other hands is judged alike."""
    match, compared = played(name, 3, 5), 0
    for ply, entry, position in match.walk():
        seat = entry.actor
        if seat >= 0 and len(position.legal_ids(seat)) > 1 and ply % 7 == 0:
            seen = position.seen_from(seat)
            play.determinize_at(seen.batch, 0, seat, np.array([9], np.uint64))
            other = Position(match.game, 3, seen)
            judgements = [
                Judge(world, ply, entry, QUICK, None).verdict() for world in (position, other)
            ]
            assert judgements[0] == judgements[1]
            compared += 1
    assert compared > 2


def test_forced_decisions_do_not_count() -> None:
    match = played("lanterns", 2, 1)
    forced = {
        ply
        for ply, entry, position in match.walk()
        if entry.actor >= 0 and len(position.legal_ids(entry.actor)) == 1
    }
    found = review(match, care=Care(look=4, weigh=2, runs=2))
    assert forced == {
        one.judgement.ply for one in found.decisions if one.judgement.verdict == "forced"
    }
    counted = [one for one in found.decisions if one.judgement.counts]
    assert sum(row.decisions for row in found.rows) == len(counted)


def test_decisions_of_a_substitute_are_not_judged_but_are_in_the_ledger() -> None:
    match = played("lumens", 2, 1)
    plies = [ply for ply in decisions_of(match) if match.log[ply].actor == 1]
    care = Care(look=4, weigh=2, runs=2)
    found = review(match, care=care, substituted=plies)
    assert {one.judgement.seat for one in found.decisions} == {0}
    assert (found.rows[1].substituted, found.rows[1].decisions) == (len(plies), 0)
    assert found.rows[1].place == review(match, care=None).rows[1].place


def test_the_costliest_are_mistakes_in_order() -> None:
    found = review(against_random_play("lumens", 2, 4), care=QUICK)
    assert found._repr_svg_().startswith("<svg")
    costs = [one.cost for one in found.costliest]
    assert len(costs) == 3 and costs == sorted(costs, reverse=True)
    mistakes = [one.cost for one in found.decisions if one.judgement.verdict == "mistake"]
    assert costs == sorted(mistakes, reverse=True)[:3]
