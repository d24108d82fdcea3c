"""What a move costs on one server process and on two: `python -m benchmarks.processes`.

Tables of four play Lanterns against a real PostgreSQL. Three ways, in the same run:

    one       one process serves everybody
    affinity  two processes; a balancer sends all players of a table to the same one
    split     two processes; two players of each table at each, so every move crosses over
    more      two processes as with affinity, at 1.7 times the rate

The processor time of all server processes is counted, divided by the moves: on a machine whose clients take the rest of
the cores, that says more than the number of moves a second. Two verdicts decide the exit code: what a move costs when it
crosses over, and how many moves two processes make in the time in which one makes one. Where the clients have cores of
their own, a third one asks whether the moves of `more` arrive as soon as those of `one`: on fewer than four they do not.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import httpx
import psutil  # type: ignore[import-untyped]
import uvloop

from benchmarks.server import Board, connect, judged, lampion_command, play, wait_until_ready
from tests.server.store.postgres import Postgres, running_postgres

FIRST_PORT = 21_500
SPLIT_MS = 1.3
"""Milliseconds of processor time that a move may cost whose players are at two processes."""
GAIN = 1.7
"""How many times the moves of one process two must make, each with a core of its own."""
LATER = 1.25
"""How much later, at the median, a move may arrive and still count as being as soon."""
ENOUGH_CORES = 4
_ports = itertools.count(FIRST_PORT)

Place = Callable[[int, int], int]
"""From the number of a table and of a player to the number of the process that serves the player."""


@contextlib.contextmanager
def servers(url: str, count: int) -> Iterator[tuple[list[int], list[psutil.Process]]]:
    ports = [next(_ports) for _ in range(count)]
    running = [
        subprocess.Popen(lampion_command(url, port), stderr=subprocess.DEVNULL) for port in ports
    ]
    try:
        for port in ports:
            wait_until_ready(f"http://127.0.0.1:{port}/api/catalogue")
        yield ports, [psutil.Process(process.pid) for process in running]
    finally:
        for process in running:
            process.kill()
            process.wait()


async def open_table(number: int, ports: Sequence[int], place: Place) -> Board:
    """A table of four people, each connected to the process that serves them."""
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{ports[place(number, 0)]}", timeout=60
    ) as client:
        seats = [{"kind": "me"}, *[{"kind": "open"}] * 3]
        body = {"game": "lanterns", "seats": seats}
        made = (await client.post("/api/tables", json=body)).raise_for_status().json()
        keys = [client.cookies["lampion"]]
        for _ in range(3):
            client.cookies.clear()
            joined = await client.post(
                f"/api/tables/{made['id']}/join", json={"invite": made["invite"]}
            )
            joined.raise_for_status()
            keys.append(client.cookies["lampion"])
    board = Board(made["id"])
    for player, key in enumerate(keys):
        await connect(ports[place(number, player)], board, player, key)
    return board


class Measured(NamedTuple):
    moves: int
    cost: float
    """Milliseconds of processor time for each move."""
    median: float
    p99: float
    """Milliseconds until all four players had it."""


async def measure(
    url: str, count: int, place: Place, rate: float, given: argparse.Namespace
) -> Measured:
    with servers(url, count) as (ports, processes):
        boards = [await open_table(number, ports, place) for number in range(given.tables)]
        await asyncio.sleep(2)
        before = sum(sum(process.cpu_times()[:2]) for process in processes)
        sent, _ = await play(boards, rate, given.seconds)
        used = sum(sum(process.cpu_times()[:2]) for process in processes) - before
    delays = sorted(1000 * delay for board in boards for delay in board.delays)
    p99 = delays[int(0.99 * len(delays)) - 1]
    return Measured(sent, 1000 * used / sent, statistics.median(delays), p99)


async def run(postgres: Postgres, given: argparse.Namespace) -> bool:
    ways: dict[str, tuple[int, Place, float]] = {
        "one": (1, lambda table, player: 0, given.rate),
        "affinity": (2, lambda table, player: table % 2, given.rate),
        "split": (2, lambda table, player: player % 2, given.rate),
        "more": (2, lambda table, player: table % 2, GAIN * given.rate),
    }
    found: dict[str, Measured] = {}
    print(
        f"{'way':10} {'moves':>7} {'ms of CPU a move':>17} {'against one':>12} {'p50 ms':>8} {'p99 ms':>8}"
    )
    for name, (count, place, rate) in ways.items():
        url = postgres.create(f"processes_{name}")
        one = found[name] = await measure(url, count, place, rate, given)
        against = one.cost / found["one"].cost
        print(
            f"{name:10} {one.moves:7d} {one.cost:17.2f} {against:12.2f} {one.median:8.2f} {one.p99:8.2f}",
            flush=True,
        )
    return judged(verdicts_on(found))


def verdicts_on(found: dict[str, Measured]) -> dict[str, bool]:
    one, split, more = found["one"], found["split"], found["more"]
    gain = 2 * one.cost / found["affinity"].cost
    verdicts = {
        f"a split move costs {split.cost:.2f} ms (under {SPLIT_MS} ms)": split.cost < SPLIT_MS,
        f"two processes make {gain:.2f} times the moves of one (at least {GAIN})": gain >= GAIN,
    }
    if (os.cpu_count() or 1) >= ENOUGH_CORES:
        made, later = more.moves / one.moves, more.median / one.median
        told = f"{made:.2f} times the moves arrive after {later:.2f} times as long"
        verdicts[f"{told} (at most {LATER})"] = made >= 0.95 * GAIN and later <= LATER
    return verdicts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--rate", type=float, default=150.0, help="moves a second")
    parser.add_argument("--seconds", type=float, default=15.0)
    given = parser.parse_args()
    with running_postgres() as postgres:
        good = uvloop.run(run(postgres, given))
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
