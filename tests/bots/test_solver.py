"""Ends of games, solved: against a plain expectimax that is written down here once more."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest

import lampion
from lampion.bots import utility
from lampion.bots.base import Budget, Stop
from lampion.bots.ends import BY_PLACEMENT, GUESSES, EndSolver
from lampion.bots.levels import make_player
from lampion.bots.search import Clock, Search, SearchSettings, SolverPace, nodes_to_solve
from lampion.core import play
from lampion.core.match import Match
from lampion.core.record import Record
from lampion.core.rng import new_rng
from lampion.core.types import CHANCE, GAME_OVER
from tests.support import GAMES

SMALL = 800
"""Positions that plain Python looks at in a second or two."""


def near_the_end(game: str, players: int, seed: int) -> list[Match]:
    """The last positions of a game in which a player has a choice, the earliest first."""
    match, chooser = lampion.new(game, players, seed=seed), random.Random(seed)
    while not match.is_over:
        match.submit(int(chooser.choice(match.legal_ids())), match.to_act)
    before = [match.at(ply) for ply in range(max(0, match.ply - 24), match.ply)]
    return [each for each in before if each.to_act >= 0 and len(each.legal_ids()) > 1]


Unit = npt.NDArray[np.void]


def final_utilities(state: Record, players: int, unit: Unit) -> list[float]:
    places, points = np.zeros(players, np.int32), np.zeros(players, np.int32)
    play.placements_at(state.batch, 0, places)
    play.scores_at(state.batch, 0, points)
    out = np.zeros(players)
    utility.final_utilities(places, points, np.zeros(players), unit, out)
    return [float(value) for value in out]


def expectimax(state: Record, players: int, size: int, unit: Unit = BY_PLACEMENT) -> list[float]:
    """Everybody's utility, by looking at every line; `size` is that of the longest list of actions."""
    actor = int(play.to_act_at(state.batch, 0))
    if actor == GAME_OVER:
        return final_utilities(state, players, unit)
    legal, weights = np.zeros(size, np.int32), np.zeros(size, np.int32)
    count = play.legal_at(state.batch, 0, actor, legal)
    found = []
    for action in legal[:count]:
        after = type(state)(state.batch.copy())
        play.apply_at(after.batch, 0, actor, int(action))
        found.append(expectimax(after, players, size, unit))
    if actor == CHANCE:
        play.weights_at(state.batch, 0, weights)
        share = weights[:count] / weights[:count].sum()
        return [float(value) for value in share @ np.array(found)]
    return max(found, key=lambda utilities: utilities[actor])


def solvable(match: Match, most_nodes: int) -> EndSolver | None:
    solver = EndSolver(match.seen_from(match.to_act))
    return solver if solver.plan(match.to_act, most_nodes, seed=1) == 1 else None


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_values_are_those_of_every_line_to_its_end(game: str, players: int) -> None:
    checked = 0
    for seed in range(3):
        for match in reversed(near_the_end(game, players, seed)):
            solver, seat = solvable(match, SMALL), match.to_act
            if solver is None:
                break
            values = solver.solve(seat, match.legal_ids(), 1, SMALL, 1, only_best=False)
            if values is None:
                break
            for action, value in zip(match.legal_ids(), values, strict=True):
                after = match.game.State(match.state.batch.copy())
                play.apply_at(after.batch, 0, seat, int(action))
                expected = expectimax(after, players, match.game.ACTIONS.size)
                assert value == pytest.approx(expected[seat], abs=1e-12)
            checked += 1
    assert checked >= 3


@pytest.mark.parametrize("game", GAMES)
def test_a_search_plays_solved_ends_exactly(game: str) -> None:
    """With a budget that pays for it; the value of its choice is the highest there is."""
    checked = 0
    for seed in range(4):
        for match in near_the_end(game, 2, seed):
            seat, legal = match.to_act, match.legal_ids()
            *_, thought = Search().think(
                match.seen_from(seat), seat, legal, Budget(iterations=400), new_rng(seed)
            )
            if thought.is_exact and (solver := solvable(match, 10**6)):
                values = solver.solve(seat, legal, 1, 10**6, seed=9, only_best=False)
                assert values is not None
                chosen = legal.tolist().index(thought.moves[0].action)
                assert values[chosen] == values.max()
                found = {move.action: move.value for move in thought.moves}
                assert [found[action] for action in legal.tolist()] == values.tolist()
                assert all(move.prior > 0 for move in thought.moves)
                checked += 1
    assert checked >= 4


def test_what_a_seat_cannot_see_is_guessed() -> None:
    """In Lanterns the last tiles in hand are secrets until hands are empty."""
    plans = {
        solver.plan(match.to_act, 10**7, seed=1)
        for seed in range(2)
        for match in near_the_end("lanterns", 2, seed)
        for solver in [EndSolver(match.seen_from(match.to_act))]
    }
    assert plans == {0, 1, GUESSES}


def in_the_middle(game: str, players: int, seed: int) -> list[Match]:
    """The positions of a random game in which there is a choice."""
    found, match, chooser = [], lampion.new(game, players, seed=seed), random.Random(seed)
    while not match.is_over:
        if len(match.legal_ids()) > 1:
            found.append(match.copy())
        match.submit(int(chooser.choice(match.legal_ids())), match.to_act)
    return found


@pytest.mark.parametrize("does_game_say", [True, False])
def test_two_possible_worlds_are_never_taken_for_one(
    does_game_say: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Lumens, where the opponent holds one of two tokens, whichever dice the bot uses; by what
    the game says, and by guesses, as for a game that says nothing."""
    if not does_game_say:
        monkeypatch.setattr("lampion.bots.ends.says_what_is_certain", lambda game: False)
    match = next(each for each in in_the_middle("lumens", 2, seed=2) if each.ply == 90)
    assert hidden_shares(match) == pytest.approx([0.54, 0.46], abs=0.15)
    solver = EndSolver(match.seen_from(match.to_act))
    assert {solver.plan(match.to_act, 10**7, seed) for seed in range(25)} == {GUESSES}


def hidden_shares(match: Match, guesses: int = 200) -> list[float]:
    """How often each world comes up in guesses of what the seat to act cannot see."""
    seen, dice, worlds = match.seen_from(match.to_act), new_rng(5), Counter[bytes]()
    for _ in range(guesses):
        batch = seen.batch[seen.index : seen.index + 1].copy()
        play.determinize_at(batch, 0, match.to_act, dice)
        state = match.game.State(batch)
        worlds[b"".join(each.tobytes() for each in state.redacted_for(range(match.players)))] += 1
    return [count / guesses for _, count in worlds.most_common()]


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("game", GAMES)
def test_a_seat_knows_everything_where_all_guesses_agree(game: str, players: int) -> None:
    for match in in_the_middle(game, players, seed=1)[::5] + near_the_end(game, players, 1)[-6:]:
        solver = EndSolver(match.seen_from(match.to_act))
        agree = len(hidden_shares(match, 60)) == 1
        assert solver.knows_everything(match.to_act, new_rng(1)) == agree


def test_a_rest_that_is_too_large_is_left_to_the_search() -> None:
    match = lampion.new("lumens", 2, seed=1)
    solver = EndSolver(match.seen_from(0))
    assert solver.plan(0, 10**6, seed=1) == 0
    assert solver.solve(0, match.legal_ids(0), 1, 1_000, seed=1) is None


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("game", GAMES)
def test_a_walk_in_pieces_finds_the_same(game: str, players: int) -> None:
    checked = 0
    for match in reversed(near_the_end(game, players, 3)):
        seat, legal = match.to_act, match.legal_ids()
        for guesses, only_best in ((1, True), (1, False), (3, True)):
            whole, pieces = (
                EndSolver(match.seen_from(seat)).solve(
                    seat, legal, guesses, 5_000, 1, only_best=only_best, pace=pace
                )
                for pace in (None, lambda nodes: 1 + nodes % 3)
            )
            if whole is None or pieces is None:
                assert whole is pieces
                continue
            assert np.array_equal(whole, pieces)
            checked += 1
    assert checked >= 3


def test_a_solver_that_is_given_up_says_nothing() -> None:
    match = near_the_end("lumens", 2, 1)[-3]
    ends, asked = EndSolver(match.seen_from(match.to_act)), []

    def pace(nodes: int) -> int:
        asked.append(nodes)
        return 10 if nodes < 30 else 0

    assert ends.solve(match.to_act, match.legal_ids(), 1, 10**6, 1, pace=pace) is None
    assert asked == [0, 10, 20, 30]


def too_large_for(seconds: float) -> Match:
    """A position that the solver begins with and cannot finish in that time."""
    for match in near_the_end("lanterns_dice", 4, 2):
        ends, seat = EndSolver(match.seen_from(match.to_act)), match.to_act
        guesses = ends.plan(seat, nodes_to_solve(Budget(seconds), SearchSettings()), 1)
        if guesses and ends.solve(seat, match.legal_ids(), guesses, 100_000, 1) is None:
            return match
    raise AssertionError("no such position")


def test_a_solver_that_does_not_finish_leaves_the_tree_its_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a clock on which every look takes an eightieth of the budget."""
    match = too_large_for(0.4)
    looks = iter(range(10**6))
    monkeypatch.setattr("lampion.bots.search.time.thread_time", lambda: 0.005 * next(looks))
    seat = match.to_act
    seen, legal = match.seen_from(seat), match.legal_ids()
    thoughts = [*Search().think(seen, seat, legal, Budget(0.4), new_rng(1), every=0)]
    assert not thoughts[-1].is_exact
    assert len(thoughts) > 3, "one after each chunk of the tree"
    assert next(looks) < 110


def test_a_solver_with_a_budget_in_seconds_stops_by_the_clock_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A rest that takes more positions than planned for is solved by a machine that is fast enough."""
    monkeypatch.setattr("lampion.bots.search.time.thread_time", lambda: 0.0)
    budget, checked = Budget(seconds=0.001), 0
    for match in near_the_end("lumens", 2, 1):
        seat, seen = match.to_act, match.seen_from(match.to_act)
        ends, planned = EndSolver(seen), nodes_to_solve(budget, SearchSettings())
        guesses = ends.plan(seat, planned, 1)
        if guesses and ends.solve(seat, match.legal_ids(), guesses, planned, 1) is None:
            *_, found = Search().think(seen, seat, match.legal_ids(), budget, new_rng(1))
            assert found.is_exact
            checked += 1
    assert checked


def test_stopping_a_search_stops_its_solver() -> None:
    match, stop = near_the_end("lumens", 2, 1)[-2], Stop()
    seat, legal = match.to_act, match.legal_ids()
    for is_stopped in (False, True):
        if is_stopped:
            stop.set()
        *_, thought = Search().think(
            match.seen_from(seat), seat, legal, Budget(iterations=1000), new_rng(1), stop
        )
        assert thought.is_exact != is_stopped
        assert thought.moves[0].action in legal


def test_patience_by_the_clock_on_the_wall_ends_a_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that hardly gets any processor time."""
    now = iter(range(10**6))
    monkeypatch.setattr("lampion.bots.search.time.thread_time", lambda: 0.0)
    monkeypatch.setattr("lampion.bots.search.time.perf_counter", lambda: 1.0 * next(now))
    pace = SolverPace(Clock(0.5), share=0.5, stop=Stop())
    assert [pace(100 * k) > 0 for k in range(3)] == [True, True, False]


@pytest.mark.parametrize("game", GAMES)
def test_exact_play_can_be_switched_off(game: str) -> None:
    match = near_the_end(game, 2, 1)[-1]
    seat, legal = match.to_act, match.legal_ids()
    for exact in (0, 1):
        player = make_player(f"search:200,exact={exact}")
        assert isinstance(player.bot, Search)
        *_, thought = player.bot.think(
            match.seen_from(seat), seat, legal, player.budget, new_rng(1)
        )
        assert thought.is_exact == bool(exact)
