"""Who may think next: nobody can take all cores, and light work never waits for heavy work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from lampion.server.errors import TooMany
from lampion.server.play.scheduler import LONGEST_WAITS, MOST_PER_OWNER, MOST_WAITING, Scheduler

HEAVY, LIGHT = 2.0, 0.01


class Bench:
    """A scheduler with its own time, whose pieces of work end when the test says so."""

    def __init__(self, cores: int = 1) -> None:
        self.now = 0.0
        self.scheduler = Scheduler(cores, now=lambda: self.now)
        self.begun: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self.tasks: list[asyncio.Task[None]] = []

    def submit(
        self, owner: str, name: str, cost: float = HEAVY, *, may_refuse: bool = False
    ) -> asyncio.Task[None]:
        """Work that can be handed over by its name."""
        self._ends[name] = asyncio.Event()

        async def work() -> None:
            self.begun.append(name)
            await self._ends[name].wait()

        scheduled = self.scheduler.do(owner, cost, work, may_refuse=may_refuse, name=name)
        task = asyncio.ensure_future(scheduled)
        self.tasks.append(task)
        return task

    def release(self, name: str) -> None:
        self._ends[name].set()

    async def end(self, name: str, seconds: float = HEAVY) -> None:
        self.now += seconds
        self.release(name)
        await settle()

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def on_a_bench(test: Callable[[Bench], object], cores: int = 1) -> None:
    async def run() -> None:
        bench = Bench(cores)
        await test(bench)  # type: ignore[misc]
        await bench.close()

    asyncio.run(run())


def test_184_tables_of_one_visitor_make_another_wait_for_one_piece_only() -> None:
    async def test(bench: Bench) -> None:
        for number in range(184):
            bench.submit("greedy", f"g{number}")
        await settle()
        bench.submit("honest", "h")
        await settle()
        assert bench.begun == ["g0"]
        await bench.end("g0")
        assert bench.begun == ["g0", "h"]

    on_a_bench(test)


def test_light_work_never_waits_for_heavy_work() -> None:
    async def test(bench: Bench) -> None:
        for number in range(10):
            bench.submit("greedy", f"g{number}")
        bench.submit("honest", "novice", LIGHT)
        await settle()
        assert "novice" in bench.begun

    on_a_bench(test)


def test_cores_are_shared_alike_between_a_visitor_with_many_tables_and_one_with_two() -> None:
    async def test(bench: Bench) -> None:
        for number in range(20):
            bench.submit("many", f"m{number}")
        for number in range(4):
            bench.submit("few", f"f{number}")
        await settle()
        for _ in range(8):
            await bench.end(bench.begun[-1])
        assert sorted(name[0] for name in bench.begun[:8]) == ["f"] * 4 + ["m"] * 4

    on_a_bench(test)


def test_the_cheapest_of_an_owner_goes_first() -> None:
    async def test(bench: Bench) -> None:
        bench.submit("ada", "running")
        await settle()
        bench.submit("ada", "dear", 3.0)
        bench.submit("ada", "cheap", 0.5)
        await settle()
        await bench.end("running")
        assert bench.begun == ["running", "cheap"]

    on_a_bench(test)


def test_no_more_work_runs_than_there_are_cores() -> None:
    async def test(bench: Bench) -> None:
        for number in range(6):
            bench.submit(f"person {number}", f"w{number}")
        await settle()
        assert len(bench.begun) == 2
        await bench.end("w0")
        assert len(bench.begun) == 3

    on_a_bench(test, cores=2)


def test_work_that_is_given_up_frees_its_place() -> None:
    async def test(bench: Bench) -> None:
        running, waiting = bench.submit("a", "running"), bench.submit("b", "given up")
        bench.submit("c", "next")
        await settle()
        waiting.cancel()
        running.cancel()
        await settle()
        assert bench.begun == ["running", "next"]
        assert bench.scheduler.num_waiting == 0

    on_a_bench(test)


def test_hints_beyond_the_limit_are_refused_and_bots_are_not() -> None:
    async def test(bench: Bench) -> None:
        bench.submit("ada", "running")
        for number in range(MOST_PER_OWNER):
            bench.submit("ada", f"hint{number}", may_refuse=True)
        await settle()
        with pytest.raises(TooMany) as refused:
            await bench.submit("ada", "one more", may_refuse=True)
        assert refused.value.code == "busy"
        bot = bench.submit("ada", "bot")
        await settle()
        assert not bot.done()

    on_a_bench(test)


def test_the_queue_of_one_visitor_refuses_nobody_else() -> None:
    """However many bots wait, and whatever else one visitor has asked for."""

    async def test(bench: Bench) -> None:
        for number in range(MOST_WAITING + 100):
            bench.submit("greedy", f"bot{number}")
        for number in range(MOST_PER_OWNER):
            bench.submit("greedy", f"hint{number}", may_refuse=True)
        await settle()
        with pytest.raises(TooMany):
            await bench.submit("greedy", "one more", may_refuse=True)
        hint = bench.submit("honest", "hint", may_refuse=True)
        await settle()
        assert not hint.done()
        await bench.end("bot0")
        assert bench.begun == ["bot0", "hint"]

    on_a_bench(test)


def test_the_bots_of_a_person_do_not_use_up_the_hints() -> None:
    async def test(bench: Bench) -> None:
        for number in range(2 * MOST_PER_OWNER):
            bench.submit("ada", f"bot{number}")
        hint = bench.submit("ada", "hint", may_refuse=True)
        await settle()
        assert not hint.done()

    on_a_bench(test)


def test_hints_of_all_together_have_a_limit() -> None:
    async def test(bench: Bench) -> None:
        bench.submit("running", "running")
        await settle()
        for number in range(MOST_WAITING):
            bench.submit(f"person {number}", f"hint{number}", may_refuse=True)
        await settle()
        with pytest.raises(TooMany):
            await bench.submit("one more", "one more", may_refuse=True)

    on_a_bench(test)


@pytest.mark.parametrize("cost", [HEAVY, LIGHT])
def test_who_waits_for_their_own_work_does_not_make_the_server_busy(cost: float) -> None:
    """Three hundred pieces of one visitor, served one after another; then one that hangs on."""

    async def test(bench: Bench) -> None:
        for number in range(300):
            bench.submit("greedy", f"g{number}", cost)
        await settle()
        for number in range(200):
            await bench.end(f"g{number}", cost)
            assert bench.scheduler.longest_wait is None
        bench.submit("honest", "waits", cost)
        await settle()
        lane = "heavy" if cost == HEAVY else "light"
        bench.now += LONGEST_WAITS[lane] + 1
        assert bench.scheduler.longest_wait == LONGEST_WAITS[lane] + 1

    on_a_bench(test)


def test_waiting_work_can_be_handed_over() -> None:
    async def test(bench: Bench) -> None:
        bench.submit("unseen", "running")
        for number in range(9):
            bench.submit("unseen", f"w{number}")
        await settle()
        bench.scheduler.hand_over("w8", "ada")
        bench.scheduler.hand_over("no such work", "ada")
        await bench.end("running")
        assert bench.begun == ["running", "w8"]
        bench.scheduler.hand_over("w8", "unseen")  # it has begun; whose it is stays
        await bench.end("w8", 600.0)
        bench.submit("ada", "more")
        await settle()
        await bench.end("w0")
        assert bench.begun[-1] == "w1", "what it used was charged to the new owner"

    on_a_bench(test)


def test_work_that_was_handed_over_and_given_up_is_gone() -> None:
    async def test(bench: Bench) -> None:
        bench.submit("a", "running")
        waiting = bench.submit("a", "waiting")
        await settle()
        bench.scheduler.hand_over("waiting", "b")
        waiting.cancel()
        await settle()
        assert bench.scheduler.num_waiting == 0
        await bench.end("running")
        bench.submit("c", "next")
        await settle()
        assert bench.begun == ["running", "next"]

    on_a_bench(test)


def test_work_whose_turn_has_just_come_stays_with_its_owner() -> None:
    """It has begun in the books although it has not noticed."""

    async def test(bench: Bench) -> None:
        bench.submit("unseen", "running")
        bench.submit("unseen", "waiting")
        await settle()
        bench.release("running")
        while bench.scheduler.num_waiting:
            await asyncio.sleep(0)
        assert bench.begun == ["running"]
        bench.scheduler.hand_over("waiting", "ada")
        await settle()
        await bench.end("waiting", 600.0)
        bench.submit("unseen", "last of all")
        bench.submit("ada", "next")
        bench.submit("unseen", "now")
        await settle()
        await bench.end("last of all", 0.0)
        assert bench.begun[-2:] == ["last of all", "next"], "ada has used nothing"

    on_a_bench(test)


def test_a_busy_hour_is_forgiven() -> None:
    async def test(bench: Bench) -> None:
        bench.submit("busy", "long")
        await settle()
        await bench.end("long", 600.0)
        bench.now += 3600.0
        bench.submit("running", "running")
        await settle()
        bench.submit("busy", "again", 1.0)
        bench.submit("new", "first", 2.0)
        await settle()
        await bench.end("running")
        assert bench.begun[-1] == "again", "equal shares again, so the cheaper one goes first"

    on_a_bench(test)


def test_a_turn_that_came_as_its_caller_went_away_goes_to_the_next() -> None:
    async def test(bench: Bench) -> None:
        bench.submit("a", "running")
        leaving = bench.submit("b", "leaving")
        bench.submit("c", "next")
        await settle()
        bench._ends["running"].set()
        while bench.scheduler.num_waiting == 2:
            await asyncio.sleep(0)
        leaving.cancel()  # its turn has been given, and it has not heard of it yet
        await settle()
        assert bench.begun == ["running", "next"]

    on_a_bench(test)


def test_visitors_who_have_used_nothing_lately_are_forgotten() -> None:
    async def test(bench: Bench) -> None:
        for number in range(1001):
            name = f"v{number}"
            bench.submit(name, name)
            await settle()
            await bench.end(name, 0.0)
        assert len(bench.scheduler._queues["heavy"]) < 10

    on_a_bench(test)


def test_work_without_a_name_waits_like_any_other() -> None:
    async def test(bench: Bench) -> None:
        begun: list[int] = []

        async def work(number: int) -> None:
            begun.append(number)

        bench.submit("a", "running")
        await settle()
        waiting = [
            asyncio.ensure_future(bench.scheduler.do("b", HEAVY, partial(work, number)))
            for number in range(3)
        ]
        await settle()
        assert bench.scheduler.num_waiting == 3 and not begun
        await bench.end("running")
        await asyncio.gather(*waiting)
        assert begun == [0, 1, 2]

    on_a_bench(test)
