"""Bots at tables on a machine that has no time for them: late, but never at random."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

import lampion
from lampion.bots import tree
from lampion.bots.base import Budget
from lampion.bots.levels import BotPlayer, make_player
from lampion.bots.search import CHUNK_SECONDS, Greedy, wall_patience
from lampion.core.match import Match
from lampion.core.rng import new_rng
from lampion.server.play.scheduler import Scheduler
from lampion.server.play.thinking import BotRunner, patience

GRACE = 60.0
"""Seconds, of which none is expected to pass."""


class Chooser:
    def __init__(self, choose: Any) -> None:
        self.choose = choose


def chosen(match: Match, choose: Any, grace: float = GRACE) -> int:
    """What a table gets from a bot without any patience of its own."""
    seat = match.to_act

    async def play() -> int:
        runner = BotRunner(
            Scheduler(1), lambda name: BotPlayer(name, Chooser(choose), Budget()), grace
        )
        return await runner.choose("ada", "bot", match.seen_from(seat), seat, match.legal_ids(seat))

    return asyncio.run(play())


def greedy_choice(match: Match) -> int:
    seat = match.to_act
    return Greedy().choose(match.seen_from(seat), seat, match.legal_ids(seat), Budget(), new_rng(1))


def test_a_bot_out_of_patience_plays_the_best_it_has_found() -> None:
    match = lampion.new("lanterns", 2, seed=1)

    def until_stopped(seen: Any, seat: int, legal: Any, budget: Any, rng: Any, stop: Any) -> int:
        while not stop.is_set:
            time.sleep(0.001)
        return int(legal[-1])

    assert match.legal_ids()[-1] != greedy_choice(match)
    assert chosen(match, until_stopped, grace=0.2) == match.legal_ids()[-1]


def raises(*_: Any) -> int:
    raise RuntimeError("out of ideas")


def cheats(*_: Any) -> int:
    return 10**6


def hangs(*_: Any) -> int:
    time.sleep(5)
    return 0


@pytest.mark.parametrize("choose", [raises, cheats, hangs])
def test_a_bot_that_fails_is_replaced_by_a_greedy_one(choose: Any) -> None:
    match = lampion.new("lumens", 2, seed=1)
    expected = greedy_choice(match)  # compiled by now
    assert chosen(match, choose, grace=0.5 if choose is hangs else GRACE) == expected


@pytest.mark.parametrize("name", ["planner", "master", "search:0.1s"])
def test_a_table_waits_for_as_long_as_the_search_may_take(name: str) -> None:
    player = make_player(name)
    assert patience(player) >= wall_patience(player.budget.seconds or 0.0)


class SlowMachine:
    """Clocks that the work itself moves, however busy this machine is: so many moves looked
    at are a second on the processor, and that is a thousand seconds on the wall."""

    MOVES_A_SECOND, WALL_SECONDS = 100_000, 1000

    def __init__(self) -> None:
        self.looked = self.iterations = 0
        self.run_iterations = tree.run_iterations

    def run(self, *given: Any) -> tuple[int, int]:
        done, looked = self.run_iterations(*given)
        self.looked += looked
        self.iterations += done
        return done, looked

    def thread_time(self) -> float:
        return self.looked / self.MOVES_A_SECOND

    def perf_counter(self) -> float:
        return self.WALL_SECONDS * self.thread_time()


@pytest.mark.parametrize("seed", range(3))
def test_a_search_that_gets_a_thousandth_of_a_core_plays_what_it_has_found(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    """A master may wait 20 seconds on the wall, and its move is that of a short search, not a
    random one."""
    match, machine = lampion.new("lumens", 2, seed=1), SlowMachine()
    asked = match.seen_from(0), 0, match.legal_ids(0)
    player = make_player("master")
    with monkeypatch.context() as slow:
        slow.setattr(tree, "run_iterations", machine.run)
        slow.setattr("lampion.bots.search.time", machine)
        found = player.bot.choose(*asked, player.budget, new_rng(seed))
    chunk = CHUNK_SECONDS * machine.WALL_SECONDS
    assert 20 <= machine.perf_counter() < 20 + chunk
    short = Budget(iterations=machine.iterations)
    assert found == player.bot.choose(*asked, short, new_rng(seed))
