"""The server under load: `make bench-server`.

A real server on one core, rules and storage included; this process plays everybody else on another.
Tables of four play Lanterns; the player to act sends an action when the clock says so, and an
action counts as delivered when all four seats have it. What must hold at the first rate decides the
exit code: nearly every action asked for is sent, with p50 and p99 within bounds.

How much better it could be is measured in the same run: a bare application in the same kind of
server that knows no games and keeps nothing (`relay.py`) passes messages of the same size on to
four sockets. Memory is that of another server, on which nothing but idle sockets is.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import httpx
import msgspec
import psutil  # type: ignore[import-untyped]
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

FIRST_PORT = 21_000
RATES = (500.0, 1000.0, 1e9)
MEDIAN_MS, P99_MS = 2.0, 15.0
"""What must hold at the first of these rates."""
SENT = 0.98
"""The share of the actions asked for that must be sent, or the delays are those of another rate."""


class Seen(msgspec.Struct):
    """The few fields that a player here looks at."""

    type: str
    ply: int = 0
    seat: int | None = None
    asked: int = 0
    legal: list[str] = []
    effects: msgspec.Raw = msgspec.Raw(b"")

    @property
    def waits_for_effects(self) -> bool:
        """Whether a message with what its actions would do is to follow."""
        return bool(self.legal) and bytes(self.effects) == b"null"


decode = msgspec.json.Decoder(Seen).decode


@dataclass
class Board:
    """One table as its four players know it together."""

    id: str
    sent_at: float = 0.0
    waiting_for: int = 0
    """The ply that all four must reach."""
    reached: set[int] = field(default_factory=set)
    turn: tuple[Player, Seen] | None = None
    delays: list[float] = field(default_factory=list)
    update_bytes: int = 0
    """The size of the last update that anybody got here."""
    unforeseen: tuple[int, float] | None = None
    """The ply of an update whose effects are to follow, and when it came."""
    num_unforeseen: int = 0
    foresights: list[float] = field(default_factory=list)
    """How long such effects took."""

    def saw(self, player: Player, seen: Seen) -> None:
        if seen.legal:
            self.turn = (player, seen)
        if seen.waits_for_effects:
            self.unforeseen = (seen.ply, time.perf_counter())
            self.num_unforeseen += 1
        if self.sent_at and seen.ply >= self.waiting_for:
            self.reached.add(player.number)
            if len(self.reached) == 4:
                self.delays.append(time.perf_counter() - self.sent_at)
                self.sent_at = 0.0

    def foresaw(self, seen: Seen) -> None:
        """Effects are here. Those of a move that has been made meanwhile are never sent."""
        if self.unforeseen and self.unforeseen[0] == seen.ply:
            self.foresights.append(time.perf_counter() - self.unforeseen[1])
            self.unforeseen = None

    def act(self) -> bool:
        """Send the next action; False while the last one is on its way or the game is over."""
        if self.sent_at or self.turn is None:
            return False
        player, seen = self.turn
        self.turn, self.waiting_for = None, seen.ply + 1
        self.reached.clear()
        self.sent_at = time.perf_counter()
        player.act(seen)
        return True


class Player(WSListener):
    def __init__(self, board: Board, number: int) -> None:
        self.board, self.number = board, number
        self.transport: WSTransport | None = None
        self.problems = 0

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type == WSMsgType.PING:
            transport.send_pong(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.TEXT:
            payload = frame.get_payload_as_memoryview()
            seen = decode(payload)
            if seen.type == "update":
                self.board.update_bytes = len(payload)
                self.board.saw(self, seen)
            elif seen.type == "effects":
                self.board.foresaw(seen)
            self.problems += seen.type == "problem"

    def act(self, seen: Seen) -> None:
        command = {
            "do": "act",
            "id": secrets.token_urlsafe(6),
            "seat": seen.seat,
            "ply": seen.ply,
            "action": random.choice(seen.legal),
        }
        assert self.transport
        self.transport.send(WSMsgType.TEXT, msgspec.json.encode(command))


# --- the server -------------------------------------------------------------------------------------------------------------------


def lampion_command(database: str, port: int) -> list[str]:
    return [sys.executable, "-m", "lampion", "serve", "--port", str(port), "--database", database, "--bot-pause", "0",
            "--limit-scale", "10000", "--sockets-per-address", "20000", "--log-level", "warning"]  # fmt: skip


@contextlib.contextmanager
def running(command: list[str], ready: str) -> Iterator[psutil.Process]:
    """A server on the first core alone; `ready` is the page that tells when it can begin."""
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    process = psutil.Process(server.pid)
    with contextlib.suppress(AttributeError, ValueError):
        process.cpu_affinity([0])
        os.sched_setaffinity(0, set(range(1, os.cpu_count() or 1)) or {0})
    try:
        wait_until_ready(ready)
        yield process
    finally:
        server.kill()  # ten thousand sockets take their time to say goodbye, which is not what is measured
        server.wait()


def wait_until_ready(page: str) -> None:
    for _ in range(600):
        with contextlib.suppress(httpx.HTTPError):
            if not httpx.get(page).json()["preparing"]:
                return
        time.sleep(0.5)
    raise SystemExit("the server does not answer")


async def open_tables(port: int, count: int) -> list[Board]:
    """Tables of four people each, all connected."""
    limits = httpx.Limits(max_connections=8)
    async with httpx.AsyncClient(
        base_url=f"http://127.0.0.1:{port}", limits=limits, timeout=60
    ) as client:
        return [await _open_table(client, port) for _ in range(count)]


async def _open_table(client: httpx.AsyncClient, port: int) -> Board:
    seats = [{"kind": "me"}, *[{"kind": "open"}] * 3]
    keys = []
    client.cookies.clear()
    made = (
        (await client.post("/api/tables", json={"game": "lanterns", "seats": seats}))
        .raise_for_status()
        .json()
    )
    keys.append(client.cookies["lampion"])
    for _ in range(3):
        client.cookies.clear()
        (
            await client.post(f"/api/tables/{made['id']}/join", json={"invite": made["invite"]})
        ).raise_for_status()
        keys.append(client.cookies["lampion"])
    client.cookies.clear()
    board = Board(made["id"])
    for number, key in enumerate(keys):
        await connect(port, board, number, key)
    return board


async def connect(port: int, board: Board, number: int, key: str | None) -> None:
    headers = {"Cookie": f"lampion={key}"} if key else {}
    url = f"ws://127.0.0.1:{port}/api/tables/{board.id}/live?since=-1&fold=1"
    await ws_connect(lambda: Player(board, number), url, extra_headers=headers)


# --- measuring --------------------------------------------------------------------------------------------------------------------


async def play(boards: list[Board], rate: float, seconds: float) -> tuple[int, float]:
    """Actions at a steady rate over all tables; gives how many were sent in what time."""
    for board in boards:
        board.delays.clear()
        board.foresights.clear()
        board.num_unforeseen = 0
    start, sent, turn = time.perf_counter(), 0, 0
    while (elapsed := time.perf_counter() - start) < seconds:
        while sent < rate * elapsed:
            acted = any(
                boards[(turn := (turn + 1) % len(boards))].act() for _ in range(len(boards))
            )
            if not acted:
                break
            sent += 1
        await asyncio.sleep(0.0005)
    await asyncio.sleep(0.5)
    return sent, elapsed


class Measured(NamedTuple):
    """Actions a second, and milliseconds until all four seats had them."""

    rate: float
    median: float
    p99: float

    def holds(self) -> bool:
        """Print what must hold, and whether it does."""
        verdicts = {
            f"{self.rate:.0f} actions/s sent of {RATES[0]:.0f} asked for": self.rate
            >= SENT * RATES[0],
            f"p50 is {self.median:.2f} ms (at most {MEDIAN_MS} ms)": self.median <= MEDIAN_MS,
            f"p99 is {self.p99:.2f} ms (at most {P99_MS} ms)": self.p99 <= P99_MS,
        }
        return judged(verdicts)


def judged(verdicts: dict[str, bool]) -> bool:
    """Print each verdict; whether all hold."""
    for text, held in verdicts.items():
        print(f"{'held  ' if held else 'FAILED'}  {text}")
    return all(verdicts.values())


def tell(
    name: str, boards: list[Board], sent: int, elapsed: float, process: psutil.Process, cpu: float
) -> Measured:
    delays = sorted(1000 * delay for board in boards for delay in board.delays)
    if not delays:
        raise SystemExit(f"{name}: all games are over: take fewer --seconds or more --tables")
    p50, p99 = statistics.median(delays), delays[int(0.99 * len(delays)) - 1]
    used = (sum(process.cpu_times()[:2]) - cpu) / elapsed
    print(
        f"{name:22} {sent / elapsed:7.0f} actions/s  p50 {p50:6.2f} ms  p99 {p99:6.2f} ms  max {delays[-1]:6.1f} ms  core used {used:.0%}"
    )
    tell_effects(boards)
    return Measured(sent / elapsed, p50, p99)


def tell_effects(boards: list[Board]) -> None:
    """Large effects follow their update when the server has time; people need them while they
    choose, which takes seconds. Here the next move often comes before them."""
    wanted = sum(board.num_unforeseen for board in boards)
    delays = sorted(1000 * delay for board in boards for delay in board.foresights)
    if delays:
        print(
            f"{'':22} {len(delays) / wanted:7.0%} of large effects came before the next move,"
            f" p50 {statistics.median(delays):6.2f} ms after their update"
        )


async def measure_play(
    port: int, process: psutil.Process, tables: int, seconds: float
) -> tuple[Measured, int]:
    """Everybody plays; gives what was measured at the first rate, and the mean size of an update."""
    boards = await open_tables(port, tables)
    print(f"{4 * tables} sockets at {tables} tables", flush=True)
    found: list[Measured] = []
    for rate in RATES:
        cpu = sum(process.cpu_times()[:2])
        sent, elapsed = await play(boards, rate, seconds)
        name = "as fast as possible" if rate > 1e6 else f"{rate:.0f} actions/s asked"
        found.append(tell(name, boards, sent, elapsed, process, cpu))
    return found[0], round(statistics.mean(board.update_bytes for board in boards))


async def measure_relay(
    port: int, process: psutil.Process, tables: int, seconds: float, size: int
) -> float:
    """The same traffic without a game: the player to act sends, and all four get an update of that size."""
    boards = [Board(f"{number}-{size}") for number in range(tables)]
    for board in boards:
        for number in range(4):
            await connect(port, board, number, None)
    cpu = sum(process.cpu_times()[:2])
    sent, elapsed = await play(boards, RATES[0], seconds)
    return tell(f"bare relay of {size} bytes", boards, sent, elapsed, process, cpu).median


async def measure_idle(port: int, process: psutil.Process, idle: int) -> None:
    board = (await open_tables(port, 1))[0]
    before = process.memory_full_info().uss
    for _ in range(idle):
        await connect(port, board, 9, None)
    after = process.memory_full_info().uss
    print(f"{idle} idle sockets: {(after - before) / 2**20:.0f} MB, {(after - before) / max(idle, 1) / 1024:.1f} kB each; "
          f"the whole process {after / 2**20:.0f} MB")  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=250)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--idle", type=int, default=10_000)
    parser.add_argument("--database", default="")
    wanted = parser.parse_args()
    port = FIRST_PORT + os.getpid() % 900
    page = f"http://127.0.0.1:{port}/api/catalogue"
    with tempfile.TemporaryDirectory() as folder:
        database = wanted.database or str(Path(folder) / "bench.db")
        with running(lampion_command(database, port), page) as process:
            played, size = uvloop.run(measure_play(port, process, wanted.tables, wanted.seconds))
        with running([sys.executable, "-m", "benchmarks.relay", str(port)], page) as process:
            limit = uvloop.run(measure_relay(port, process, wanted.tables, wanted.seconds, size))
        print(
            f"at {RATES[0]:.0f} actions/s a game takes {played.median / limit:.1f} times as long as the bare relay"
        )
        with running(lampion_command(str(Path(folder) / "idle.db"), port), page) as process:
            uvloop.run(measure_idle(port, process, wanted.idle))
    sys.exit(0 if played.holds() else 1)


if __name__ == "__main__":
    main()
