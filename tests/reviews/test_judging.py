"""Judged decisions: from what a seat knew, alike every time, and with their uncertainty."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest

import lampion
from lampion.bots.base import Budget, Stop
from lampion.bots.search import Greedy, Move, Thought
from lampion.core import play
from lampion.core.game import find_game
from lampion.core.log import NO_TRAIL, Entry
from lampion.core.match import Match
from lampion.core.position import Position
from lampion.core.rng import new_rng
from lampion.core.types import NO_PLAYER
from lampion.reviews.judging import (
    AGAIN,
    COSTLY,
    EQUAL,
    MISTAKE,
    Care,
    Judge,
    decisions_of,
    is_equal,
    judged,
)
from lampion.reviews.reviewing import review
from tests.bots.test_solver import expectimax, near_the_end
from tests.reviews.test_ledger import played
from tests.support import ALL_GAMES, GAMES

QUICK = Care(look=40, weigh=16, runs=3, again=0)


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


# --- verdicts -------------------------------------------------------------------------------------


def judge_at(position: Position, action: int, care: Care = QUICK, ply: int = 7) -> Judge:
    """The judge of an action that the player to act chose."""
    seat = position.to_act
    text = position.action_text(seat, action)
    entry = Entry(seat, text, action, NO_PLAYER, "", NO_TRAIL)
    return Judge(position, ply, entry, care, None)


def solved_ends(game: str) -> list[Position]:
    """Positions at the end of games in which a judge knows the exact values."""
    ends = [match for seed in range(2) for match in near_the_end(game, 2, seed)[-8:]]
    positions = [Position(match.game, 2, match.state) for match in ends]
    return [
        position
        for position in positions
        if judge_at(position, int(position.legal_ids(position.to_act)[0])).solved() is not None
    ]


@pytest.mark.parametrize("game", GAMES)
def test_where_the_rest_is_solved_the_cost_is_exact(game: str) -> None:
    """Worked out once more in plain Python, for the smallest ends, with every action judged."""
    verdicts, checked = set(), 0
    for position in solved_ends(game):
        seat, legal = position.to_act, position.legal_ids(position.to_act)
        judges = [judge_at(position, int(action), Care(solve=300)) for action in legal]
        if judges[0].solved() is None:
            continue
        unit = judges[0].search.settings(position.game).record()
        values = []
        for action in legal.tolist():
            after = position.game.State(position.state.batch.copy())
            play.apply_at(after.batch, 0, seat, action)
            values.append(expectimax(after, 2, position.game.ACTIONS.size, unit)[seat])
        for judge, value in zip(judges, values, strict=True):
            found, cost = judge.verdict(), max(values) - value
            verdicts.add(found.verdict)
            assert found.interval == 0
            assert found.is_exact == (found.verdict in ("mistake", "unclear"))
            if max(values) - min(values) < EQUAL:
                assert (found.verdict, found.cost) == ("equal", 0)
            elif cost < EQUAL:
                assert (found.verdict, found.cost) == ("best", 0)
            else:
                assert found.verdict == ("mistake" if cost >= MISTAKE else "unclear")
                assert found.cost == pytest.approx(cost, abs=1e-9)
                assert values[legal.tolist().index(found.preferred)] == max(values)
            checked += 1
    assert checked >= 10
    assert {"best", "mistake"} <= verdicts


@pytest.mark.parametrize(
    ("values", "verdict", "cost"),
    [
        ((0.5, 0.5), "equal", 0),
        ((0.5, 0.505), "equal", 0),
        ((0.5, 0.2), "best", 0),
        ((0.5, 0.515), "unclear", 0.015),
        ((0.5, 0.52), "mistake", 0.02),
        ((0, 1), "mistake", 1),
    ],
)
def test_exact_values_make_the_verdict(
    values: tuple[float, float], verdict: str, cost: float
) -> None:
    found = opening().exact(np.array(values) + 1e-12)
    assert (found.verdict, found.interval) == (verdict, 0)
    assert found.cost == pytest.approx(cost)


def opening() -> Judge:
    """The judge of a decision with two actions that no solver reaches; the first was played."""
    position = Position(find_game("lumens"), 2, lampion.new("lumens", 2, seed=1).state)
    judge = judge_at(position, int(position.legal_ids(0)[0]))
    assert len(judge.legal) == 2 and judge.solved() is None
    return judge


def thought(judge: Judge, *found: tuple[int, float]) -> Thought:
    """Visits and value of each action in turn, the most visited first."""
    moves = [
        Move(int(action), visits, value, [])
        for action, (visits, value) in zip(judge.legal, found, strict=False)
    ]
    return Thought(sorted(moves, key=lambda move: -move.visits), 40)


@pytest.mark.parametrize(
    ("look", "gaps", "verdict"),
    [
        (((20, 0.5), (20, 0.505)), [], "equal"),
        (((30, 0.5), (10, 0.4)), [], "best"),
        (((10, 0.4), (30, 0.5)), [0.11, 0.1, 0.09], "mistake"),
        (((10, 0.4), (30, 0.5)), [0.3, -0.3, 0.1], "unclear"),
        (((10, 0.4), (30, 0.5)), [0.011, 0.01, 0.009], "unclear"),
        (((10, 0.4), (30, 0.5)), [-0.11, -0.1, -0.09], "unclear"),
    ],
)
def test_what_a_search_says_makes_the_verdict(
    look: tuple[tuple[int, float], ...], gaps: list[float], verdict: str
) -> None:
    judge = opening()
    judge.think = lambda *_: thought(judge, *look)  # type: ignore[method-assign]
    judge.gap = lambda best, run, iterations: gaps[run - 1]  # type: ignore[method-assign]
    found = judge.verdict()
    assert found.verdict == verdict
    if gaps:
        assert found.cost == pytest.approx(max(0.0, sum(gaps) / 3))
        assert found.preferred == judge.legal[1]


def test_searches_that_are_compared_solve_nothing() -> None:
    """Else one value would be a placement and the other an estimate with a margin in it."""
    for game in GAMES:
        match = near_the_end(game, 2, 1)[-1]
        judge = judge_at(Position(match.game, 2, match.state), int(match.legal_ids()[0]))
        assert not judge.think(judge.legal, 40, 1).is_exact


def test_runs_differ_even_where_nothing_is_random() -> None:
    """In Lanterns Dice a network evaluates and all is public: with one budget for all runs, each
    would find the same difference, and its interval would be nothing."""
    match = against_random_play("lanterns_dice", 2, 1)
    plies = [ply for ply in decisions_of(match) if match.log[ply].actor == 0][10:40]
    costly = [one for one in judged(match, plies=plies) if one.cost > EQUAL and not one.is_exact]
    assert len(costly) > 3
    assert sum(one.interval > 0 for one in costly) > len(costly) // 2


def test_one_noisy_visit_does_not_tell_actions_apart() -> None:
    judge = opening()
    many = thought(judge, (100, 0.5), (100, 0.502))
    noisy = Thought([*many.moves, Move(99, 1, 0.45, [])], 201)
    clear = Thought([*many.moves, Move(99, 100, 0.45, [])], 300)
    played = int(judge.legal[0])
    assert [is_equal(each, played) for each in (many, noisy, clear)] == [True, True, False]


def test_an_action_that_was_not_tried_is_not_equal_to_others() -> None:
    judge = opening()
    many = thought(judge, (100, 0.5), (100, 0.502))
    assert not is_equal(Thought([*many.moves, Move(99, 0, 0.0, [])], 200), 99)


def test_what_seems_to_cost_much_is_weighed_again_and_only_that_counts() -> None:
    """Twelve more runs with twice the budget tell another cost."""
    look, asked = ((10, 0.4), (30, 0.5)), []
    for first, again in ((0.2, 0.11), (0.2, 0.0), (0.07, 0.5)):
        judge = opening()
        judge.care = dataclasses.replace(QUICK, again=12)
        judge.think = lambda *_: thought(judge, *look)  # type: ignore[method-assign]  # noqa: B023

        def gap(best: int, run: int, iterations: int) -> float:
            asked.append(iterations)
            return first if run < AGAIN else again  # noqa: B023

        judge.gap = gap  # type: ignore[method-assign]
        found = judge.verdict()
        assert found.cost == pytest.approx(again if first >= COSTLY else first)
        assert (found.verdict == "unclear") == (again == 0)
    assert len(asked) == 3 * 3 + 2 * 12
    assert sum(asked[:3]) == 3 * 16 and sum(asked[3:15]) == pytest.approx(12 * 32, abs=6)


def test_a_mistake_that_was_hardly_looked_at_is_judged_all_the_same() -> None:
    """One visit in 200 makes no difference to a mean that is weighted by visits."""
    judge = opening()
    judge.think = lambda *_: thought(judge, (1, 0.55), (199, 0.6))  # type: ignore[method-assign]
    judge.gap = lambda best, run, iterations: [0.05, 0.051, 0.049][run - 1]  # type: ignore[method-assign]
    found = judge.verdict()
    assert (found.verdict, round(found.cost, 6)) == ("mistake", 0.05)
    best, hardly = (int(action) for action in judge.legal[::-1])
    look = thought(judge, (1, 0.55), (199, 0.6))
    assert not is_equal(look, best) and not is_equal(look, hardly)


def test_what_was_played_must_be_about_as_good_as_the_best_to_be_equal() -> None:
    judge = opening()
    far, near = (thought(judge, (30, value), (170, 0.5)) for value in (0.489, 0.492))
    played = int(judge.legal[0])
    assert [is_equal(each, played) for each in (far, near)] == [False, True]


def test_a_search_that_was_cut_short_judges_nothing() -> None:
    """The caller stops while the first decision is searched."""
    match, stop = played("lumens", 2, 1), StopWhenAsked(0)
    plies = [ply for ply, entry, at in match.walk() if len(at.legal_ids(entry.actor)) > 2]
    plies = [ply for ply in plies if match.log[ply].actor >= 0][:2]
    assert len([*judged(match, care=QUICK, plies=plies)]) == 2
    assert [*judged(match, care=QUICK, plies=plies, stop=stop)] == []
    assert stop.asked > 1, "it was stopped only during the search"


class StopWhenAsked(Stop):
    """Is set from so many questions on, the first not counted."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after, self.asked = after, 0

    @property
    def is_set(self) -> bool:
        self.asked += 1
        return self.asked > 1 + self.after


def test_seats_that_decide_at_once_are_judged_in_whatever_order_they_chose() -> None:
    """In Lanterns Dice everybody shades at the same time: here the last seat does so first."""
    match = lampion.new("lanterns_dice", 3, seed=4)
    while len(match.actors) < 3:
        match.submit(match.legal_actions()[-1])
    others = [seat for seat in match.actors if seat != match.to_act]
    for seat in reversed(others):
        shades = [text for text in match.legal_actions(seat) if text != "skip"]
        match.submit(shades[0], seat)
    plies = decisions_of(match)[-len(others) :]
    found = [*judged(match, care=QUICK, plies=plies)]
    assert [one.seat for one in found] == [*reversed(others)]
    for one in found:
        before = match.at(one.ply)
        assert one.played in before.legal_actions(one.seat)
        assert one.best in before.legal_actions(one.seat)
        position = Position(match.game, 3, before.state)
        assert Judge(position, one.ply, match.log[one.ply], QUICK, None).verdict() == one


def test_another_seed_gives_other_numbers_and_the_same_seed_the_same() -> None:
    match = against_random_play("lumens", 2, 4)
    plies = [ply for ply in decisions_of(match) if match.log[ply].actor == 0][3:12]
    cares = [dataclasses.replace(QUICK, seed=seed) for seed in (0, 1, 1)]
    first, other, again = ([*judged(match, care=care, plies=plies)] for care in cares)
    assert other == again
    assert [one.cost for one in first] != [one.cost for one in other]
