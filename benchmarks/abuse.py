"""A server under attack, seen by honest players: `python -m benchmarks.abuse --minutes 10`.

First the attack that took all bots: from one address fifteen guests make up to 184 tables of four
masters and watch as many as they can. How long does a novice bot of another person take, and how much
memory does the server gain? Then mixed abuse from a few addresses for some minutes, all kinds at once,
each bounded in rate and in open connections. Honest players at addresses of their own play on; how long
their moves take is measured before, during and after, in the same run.

The server has the limits that an operator gets. Attackers have a process of their own, with the lowest
priority: on the internet their work is done by other machines.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import multiprocessing
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol, cast

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

import lampion
from tests.server.attacks.support import HANDSHAKE, REAL_LIMITS
from tests.server.support import Json, Server

GUESTS, TABLES = 15, 184
TROUBLE = (OSError, TimeoutError, WebSocketException, httpx.HTTPError, EOFError)
NOVICE_SECONDS, MEMORY_MB, RATIO = 2.0, 20.0, 2.0
"""What must hold."""
processes = multiprocessing.get_context("spawn")


# --- visitors -----------------------------------------------------------------------------------


class Site(Protocol):
    base: str
    port: int


@dataclass
class Target:
    """A server as another process knows it."""

    base: str
    port: int


class Visitor:
    """A browser at an address of its own."""

    def __init__(self, server: Site, address: str) -> None:
        self.server, self.address = server, address
        transport = httpx.AsyncHTTPTransport(local_address=address)
        self.web = httpx.AsyncClient(base_url=server.base, transport=transport, timeout=60)

    async def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return await self.web.request(method, path, json=body)

    async def table(self, seats: list[Json], **more: Any) -> Json | None:
        reply = await self.ask("POST", "/api/tables", {"game": "lanterns", "seats": seats, **more})
        assert reply.status_code < 500, reply.text
        return reply.json() if reply.status_code == 200 else None

    @contextlib.asynccontextmanager
    async def live(self, table: str, since: int = -1) -> AsyncIterator[ClientConnection]:
        key = self.web.cookies.get("lampion")
        headers = {"Cookie": f"lampion={key}"} if key else {}
        url = f"ws://127.0.0.1:{self.server.port}/api/tables/{table}/live?since={since}"
        async with connect(
            url,
            additional_headers=headers,
            local_addr=(self.address, 0),
            max_size=None,
            open_timeout=60,
            proxy=None,
        ) as socket:
            yield socket


def bot(level: str) -> Json:
    return {"kind": "bot", "level": level}


ME: Json = {"kind": "me"}
LOCAL: Json = {"kind": "local"}


# --- honest players -----------------------------------------------------------------------------


@dataclass
class Times:
    """Milliseconds, by phase."""

    moves: dict[str, list[float]] = field(default_factory=dict)
    novices: dict[str, list[float]] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)

    def row(self, phase: str) -> tuple[int, float, float, float]:
        moves = sorted(self.moves.get(phase, [0.0]))
        novices = self.novices.get(phase, [0.0])
        return (
            len(moves),
            statistics.median(moves),
            moves[int(0.99 * (len(moves) - 1))],
            max(novices),
        )


class Honest:
    """Plays hot-seat games with a pause for thought; a move counts until the update with it is
    here. People are slower: every game is that of another visitor, who comes from elsewhere."""

    def __init__(
        self,
        server: Server,
        addresses: Iterator[str],
        times: Times,
        phase: Callable[[], str],
        pause: float,
    ) -> None:
        self.server, self.addresses, self.times = server, addresses, times
        self.phase, self.pause = phase, pause
        self.visitor = Visitor(server, next(addresses))

    async def play_for_ever(self) -> None:
        while True:
            try:
                await self.visitor.web.aclose()
                self.visitor = Visitor(self.server, next(self.addresses))
                table = await self.visitor.table([ME, LOCAL])
                if table:
                    await self._play(table["id"])
                else:
                    self.times.faults[f"{self.phase()}: no table"] += 1
                    await asyncio.sleep(1)
            except TROUBLE as trouble:
                self.times.faults[f"{self.phase()}: {type(trouble).__name__}"] += 1
                await asyncio.sleep(0.2)

    async def _play(self, table: str) -> None:
        async with self.visitor.live(table) as socket:
            sent = 0.0
            while True:
                message = json.loads(await asyncio.wait_for(socket.recv(), 60))
                if message["type"] == "info" and message["table"]["result"]:
                    return
                if message["type"] != "update" or not message["legal"]:
                    continue
                if sent:
                    spent = 1000 * (time.perf_counter() - sent)
                    self.times.moves.setdefault(self.phase(), []).append(spent)
                await asyncio.sleep(random.uniform(0.5, 1.5) * self.pause)
                sent = time.perf_counter()
                act = {
                    "do": "act",
                    "id": f"h{time.perf_counter_ns()}",
                    "seat": message["seat"],
                    "ply": message["ply"],
                }
                await socket.send(json.dumps(act | {"action": random.choice(message["legal"])}))


class Opponent:
    """Plays against a novice, and measures how long the novice takes."""

    def __init__(
        self, server: Server, address: str, times: Times, phase: Callable[[], str]
    ) -> None:
        self.visitor, self.times, self.phase = Visitor(server, address), times, phase
        self.waiting = 0.0
        """Since when its novice thinks."""

    def note_waiting(self) -> None:
        """A novice that has not answered by now counts as well."""
        if self.waiting:
            spent = 1000 * (time.perf_counter() - self.waiting)
            self.times.novices.setdefault(self.phase(), []).append(spent)

    async def play_for_ever(self) -> None:
        while True:
            try:
                if table := await self.visitor.table([ME, bot("novice")]):
                    await self._play(table["id"])
                else:
                    await asyncio.sleep(1)
            except TROUBLE as trouble:
                self.times.faults[f"{self.phase()}: novice {type(trouble).__name__}"] += 1
                await asyncio.sleep(0.5)

    async def _play(self, table: str) -> None:
        async with self.visitor.live(table) as socket:
            self.waiting = 0.0
            while True:
                message = json.loads(await asyncio.wait_for(socket.recv(), 240))
                if message["type"] == "info" and message["table"]["result"]:
                    return
                if message["type"] != "update":
                    continue
                if self.waiting and (
                    message["legal"] or any(step["actor"] == 1 for step in message["steps"])
                ):
                    self.note_waiting()
                    self.waiting = 0.0
                if message["legal"]:
                    await asyncio.sleep(0.3)
                    self.waiting = time.perf_counter()
                    act = {
                        "do": "act",
                        "id": f"o{time.perf_counter_ns()}",
                        "seat": 0,
                        "ply": message["ply"],
                    }
                    await socket.send(json.dumps(act | {"action": message["legal"][0]}))


# --- the first attack ---------------------------------------------------------------------------


async def take_all_bots(server: Server, address: str, stack: contextlib.AsyncExitStack) -> int:
    """Fifteen guests, up to 184 tables of masters, watched as far as sockets are let in."""
    guests = [Visitor(server, address) for _ in range(GUESTS)]
    made = 0
    for number in range(TABLES):
        guest = guests[number % GUESTS]
        seats = [bot("master")] * 4 if number % 2 else [*[bot("master")] * 3, ME]
        table = await guest.table(seats)
        if table is None:
            continue
        made += 1
        if made <= 60:
            with contextlib.suppress(*TROUBLE):
                await stack.enter_async_context(guest.live(table["id"]))
    return made


# --- mixed abuse --------------------------------------------------------------------------------

Abuse = Callable[["Attacker"], Awaitable[None]]


@dataclass
class Attacker:
    """One address from which everything comes at once."""

    server: Site
    address: str
    table: str
    """A public table of another player."""
    counts: Counter[str]
    held: list[asyncio.StreamWriter] = field(default_factory=list)

    async def raw(self, request: bytes, *, hold: bool = False, read: bool = True) -> bytes:
        reader, writer = await asyncio.wait_for(
            asyncio.open_connection("127.0.0.1", self.server.port, local_addr=(self.address, 0)), 10
        )
        try:
            writer.write(request)
            await asyncio.wait_for(writer.drain(), 5)
            return await asyncio.wait_for(reader.read(4096), 5) if read else b""
        finally:
            if hold:
                self.hold(writer)
            else:
                writer.close()

    def hold(self, writer: asyncio.StreamWriter) -> None:
        """Keep it open, at most two hundred of them."""
        self.held.append(writer)
        if len(self.held) > 200:
            self.held.pop(0).close()

    def guest(self) -> Visitor:
        return Visitor(self.server, self.address)


async def long_assets(attacker: Attacker) -> None:
    await attacker.raw(
        b"GET /assets/" + b"a" * 60_000 + b" HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    )


async def unknown_tables(attacker: Attacker) -> None:
    name = f"{random.getrandbits(64):x}" + "n" * 6000
    await attacker.raw(
        f"GET /api/tables/{name}/live HTTP/1.1\r\nHost: a\r\n{HANDSHAKE}\r\n".encode()
    )


async def half_requests(attacker: Attacker) -> None:
    await attacker.raw(
        b"POST /api/claim HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\nX: ", hold=True, read=False
    )


async def drips(attacker: Attacker) -> None:
    for writer in list(attacker.held):
        with contextlib.suppress(OSError):
            writer.write(b"a")


async def silent_sockets(attacker: Attacker) -> None:
    sync = b'{"do":"sync","since":0}'
    frames = (bytes([0x81, 0x80 | len(sync), 0, 0, 0, 0]) + sync) * 200
    head = f"GET /api/tables/{attacker.table}/live?since=0 HTTP/1.1\r\nHost: a\r\n{HANDSHAKE}\r\n".encode()
    await attacker.raw(head + frames, hold=True, read=False)


async def nested(attacker: Attacker) -> None:
    body = b'{"record":{"log":' + b"[" * 7000 + b"]" * 7000 + b"}}"
    head = b"POST /api/replay HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    await attacker.raw(head % len(body) + body)


async def unread_replies(attacker: Attacker) -> None:
    """Large replies, asked for again and again on connections from which nothing is read."""
    source = (attacker.address, 0)
    opening = asyncio.open_connection("127.0.0.1", attacker.server.port, local_addr=source)
    _, writer = await asyncio.wait_for(opening, 10)
    transport = cast(asyncio.Transport, writer.transport)
    transport.pause_reading()
    attacker.hold(writer)
    writer.write(b"GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n" * 10)
    await asyncio.wait_for(writer.drain(), 5)


async def rubbish(attacker: Attacker) -> None:
    await attacker.raw(random.randbytes(300) + b"\r\n\r\n")


async def new_guests(attacker: Attacker) -> None:
    async with attacker.guest().web as web:
        await web.patch("/api/me", json={"name": f"G{random.getrandbits(30)}"})


async def bot_tables(attacker: Attacker) -> None:
    guest = attacker.guest()
    async with guest.web:
        table = await guest.table([*[bot("master")] * 3, ME])
        if table:
            async with guest.live(table["id"]):
                await asyncio.sleep(2)


async def chat(attacker: Attacker) -> None:
    guest = attacker.guest()
    async with guest.web:
        if table := await guest.table([ME, {"kind": "open"}]):
            for number in range(50):
                body = {"do": "say", "id": f"s{number}", "text": "x" * 290}
                await guest.ask("POST", f"/api/tables/{table['id']}/commands", body)


async def undo_loop(attacker: Attacker) -> None:
    guest = attacker.guest()
    async with guest.web:
        if not (table := await guest.table([ME, LOCAL])):
            return
        for number in range(30):
            feed = (await guest.ask("GET", f"/api/tables/{table['id']}/feed?since=-1")).json()
            for update in feed.get("messages", []):
                if update.get("legal"):
                    act = {
                        "do": "act",
                        "id": f"a{number}",
                        "seat": update["seat"],
                        "ply": update["ply"],
                    }
                    path = f"/api/tables/{table['id']}/commands"
                    await guest.ask("POST", path, act | {"action": update["legal"][0]})
                    await guest.ask(
                        "POST", path, {"do": "undo", "id": f"u{number}", "seat": update["seat"]}
                    )
                    break


async def hints(attacker: Attacker) -> None:
    guest = attacker.guest()
    async with guest.web:
        if table := await guest.table([ME, bot("novice")]):
            for _ in range(5):
                await guest.ask("POST", f"/api/tables/{table['id']}/hint", {"seat": 0})


async def streams(attacker: Attacker) -> None:
    """Of a guest with tables, never read to the end."""
    guest = attacker.guest()
    async with guest.web:
        await guest.table([ME, LOCAL])
        key = guest.web.cookies.get("lampion")
        head = f"GET /api/me/stream HTTP/1.1\r\nHost: a\r\nCookie: lampion={key}\r\n\r\n"
        await attacker.raw(head.encode(), hold=True)


async def reviews(attacker: Attacker) -> None:
    """Each of another game, so that none is known already."""
    match = lampion.new("lumens", 2)
    while not match.is_over:
        match.submit(random.choice(match.legal_actions()))
    record = json.loads(lampion.dump(match, reveal_seed=True))
    guest = attacker.guest()
    async with guest.web:
        await guest.ask("POST", "/api/replay/review", {"record": record})
        wanted = {"record": record, "plies": [10, 11, 12, 13]}
        await guest.ask("POST", "/api/replay/judgements", wanted)
        await guest.ask("POST", "/api/replay/scorebook", {"record": record})


async def lessons(attacker: Attacker) -> None:
    guest = attacker.guest()
    async with guest.web:
        course = (await guest.ask("GET", "/api/lessons/lanterns")).json()
        for lesson in course.get("lessons", []):
            await guest.ask("POST", f"/api/lessons/lanterns/{lesson['name']}", {"done": []})


async def pictures(attacker: Attacker) -> None:
    guest = attacker.guest()
    async with guest.web:
        if table := await guest.table([ME, {"kind": "open"}], public=True):
            await guest.ask("GET", f"/api/tables/{table['id']}/picture")
        await guest.ask("GET", "/api/picture")


async def ways_back(attacker: Attacker) -> None:
    """Passkeys that are begun, phrases that are guessed, links to mailboxes of others."""
    guest = attacker.guest()
    async with guest.web:
        await guest.ask("PATCH", "/api/me", {"name": "G"})
        await guest.ask("POST", "/api/me/passkeys/options", {})
        await guest.ask("POST", "/api/passkeys/options", {})
        phrase = " ".join(f"{random.getrandbits(20):x}" for _ in range(12))
        await guest.ask("POST", "/api/recover", {"phrase": phrase})
        await guest.ask("POST", "/api/recover/mail", {"address": "victim@lampion.example"})


async def notifications(attacker: Attacker) -> None:
    guest = attacker.guest()
    async with guest.web:
        await guest.ask("PATCH", "/api/me", {"name": "G"})
        url = f"https://127.0.0.1:{attacker.server.port}/hook"
        await guest.ask("POST", "/api/me/notifications/webhook", {"url": url})
        for number in range(10):
            address = f"victim{number}@lampion.example"
            await guest.ask("POST", "/api/me/notifications/mail", {"address": address})


async def admin_keys(attacker: Attacker) -> None:
    guest = attacker.guest()
    async with guest.web as web:
        headers = {"Authorization": f"Bearer {random.getrandbits(128):x}"}
        await web.post("/api/admin/tables", json={}, headers=headers)


async def resyncs(attacker: Attacker) -> None:
    visitor = attacker.guest()
    async with visitor.web, visitor.live(attacker.table) as socket:
        for _ in range(200):
            await socket.send('{"do":"sync","since":0}')
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2):
                while True:
                    await socket.recv()


async def odd_queries(attacker: Attacker) -> None:
    query = random.choice(["since=--5", "since=%ff", "since=1e9"])
    await attacker.raw(
        f"GET /api/tables/{attacker.table}/feed?{query} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()
    )


KINDS: dict[str, tuple[Abuse, float]] = {
    "long_assets": (long_assets, 20),
    "unknown_tables": (unknown_tables, 20),
    "half_requests": (half_requests, 10),
    "drips": (drips, 1),
    "silent_sockets": (silent_sockets, 5),
    "nested": (nested, 10),
    "unread_replies": (unread_replies, 10),
    "rubbish": (rubbish, 20),
    "new_guests": (new_guests, 10),
    "bot_tables": (bot_tables, 2),
    "chat": (chat, 1),
    "undo_loop": (undo_loop, 1),
    "hints": (hints, 1),
    "streams": (streams, 5),
    "reviews": (reviews, 1),
    "lessons": (lessons, 1),
    "pictures": (pictures, 2),
    "ways_back": (ways_back, 2),
    "notifications": (notifications, 1),
    "admin_keys": (admin_keys, 5),
    "resyncs": (resyncs, 1),
    "odd_queries": (odd_queries, 20),
}
"""How often a second each address tries each kind."""


async def abuse_for(attackers: list[Attacker], kinds: list[str], seconds: float) -> None:
    end = time.monotonic() + seconds
    loops = [_repeat(attacker, name, end) for attacker in attackers for name in kinds]
    await asyncio.gather(*loops)
    for attacker in attackers:
        for writer in attacker.held:
            writer.close()
        attacker.held.clear()


def attack(
    target: Target,
    addresses: list[str],
    table: str,
    kinds: list[str],
    seconds: float,
    told: Connection,
) -> None:
    """The body of the attackers' process; tells how often each kind was tried."""
    os.nice(15)
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)  # every cut connection would be a line
    counts: Counter[str] = Counter()
    attackers = [Attacker(target, address, table, counts) for address in addresses]
    asyncio.run(abuse_for(attackers, kinds, seconds))
    told.send(counts)


async def _repeat(attacker: Attacker, name: str, end: float) -> None:
    """One kind at its rate; it waits for its own answers, so that a slow server is asked less."""
    kind, rate = KINDS[name]
    while time.monotonic() < end:
        began = time.monotonic()
        try:
            async with asyncio.timeout(30):
                await kind(attacker)
            attacker.counts[name] += 1
        except TROUBLE:
            attacker.counts[f"{name}, cut off"] += 1
        await asyncio.sleep(max(0.0, 1 / rate - (time.monotonic() - began)))


# --- all of it ----------------------------------------------------------------------------------


@dataclass
class Run:
    server: Server
    times: Times = field(default_factory=Times)
    phase: str = "warm-up"
    memory: dict[str, float] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    tables: int = 0
    opponents: list[Opponent] = field(default_factory=list)

    def end_phase(self, following: str) -> None:
        for opponent in self.opponents:
            opponent.note_waiting()
        self.memory[self.phase] = self.server.memory() / 2**20
        self.phase = following

    async def measure(self, wanted: argparse.Namespace) -> None:
        hosts = (f"127.9.{high}.{low}" for high in range(256) for low in range(2, 250))
        players = [
            Honest(self.server, hosts, self.times, lambda: self.phase, wanted.pause)
            for _ in range(wanted.players)
        ]
        opponents = self.opponents = [
            Opponent(self.server, f"127.10.0.{2 + n}", self.times, lambda: self.phase)
            for n in range(2)
        ]
        everybody: list[Honest | Opponent] = [*players, *opponents]
        tasks = [asyncio.create_task(one.play_for_ever()) for one in everybody]
        try:
            await asyncio.sleep(5)
            await self._before(wanted)
            await self._bots(wanted)
            await self._mixed(wanted)
            await self._after(wanted)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _before(self, wanted: argparse.Namespace) -> None:
        self.phase = "before"
        await asyncio.sleep(wanted.calm)
        self.end_phase("all bots taken")

    async def _bots(self, wanted: argparse.Namespace) -> None:
        async with contextlib.AsyncExitStack() as stack:
            self.tables = await take_all_bots(self.server, "127.6.6.6", stack)
            await asyncio.sleep(wanted.calm)
            self.end_phase("between")
        await asyncio.sleep(3)

    async def _mixed(self, wanted: argparse.Namespace) -> None:
        host = Visitor(self.server, "127.10.1.1")
        table = await host.table([ME, LOCAL], public=True)
        assert table
        addresses = [f"127.6.7.{number}" for number in range(2, 2 + wanted.attackers)]
        self.phase = "mixed abuse"
        target = Target(self.server.base, self.server.port)
        ours, theirs = processes.Pipe(duplex=False)
        call = (target, addresses, table["id"], wanted.kinds, 60 * wanted.minutes, theirs)
        process = processes.Process(target=attack, args=call, daemon=True)
        process.start()
        await asyncio.to_thread(process.join)
        self.counts = ours.recv()
        self.end_phase("recovering")

    async def _after(self, wanted: argparse.Namespace) -> None:
        await asyncio.sleep(5)
        self.phase = "after"
        await asyncio.sleep(wanted.calm)
        self.end_phase("end")

    async def measure_costs(self, wanted: argparse.Namespace) -> None:
        """Each kind by itself, from one address, as often as it can: what a try costs the server."""
        host = Visitor(self.server, "127.10.1.1")
        table = await host.table([ME, LOCAL], public=True)
        assert table
        print(f"{'kind':16} {'tries':>7} {'cut off':>8} {'ms of the server a try':>24}")
        for number, name in enumerate(wanted.kinds):
            counts: Counter[str] = Counter()
            attacker = Attacker(self.server, f"127.6.8.{2 + number}", table["id"], counts)
            before = self.server.processor_seconds()
            await abuse_for([attacker], [name], wanted.calm)
            spent = self.server.processor_seconds() - before
            tries, cut_off = counts[name], counts[f"{name}, cut off"]
            each = 1000 * spent / max(1, tries + cut_off)
            print(f"{name:16} {tries:7} {cut_off:8} {each:24.2f}", flush=True)

    def tell(self) -> bool:
        """Print the table; whether everything held that must."""
        print(
            f"{'phase':16} {'moves':>7} {'p50 ms':>8} {'p99 ms':>8} {'x before':>9} {'slowest novice':>15} {'memory':>9}"
        )
        base = self.times.row("before")
        for phase in ("before", "all bots taken", "mixed abuse", "after"):
            moves, p50, p99, novice = self.times.row(phase)
            ratio = p99 / base[2] if base[2] else 0.0
            grown = self.memory.get(phase, 0.0) - self.memory["before"]
            print(
                f"{phase:16} {moves:7} {p50:8.1f} {p99:8.1f} {ratio:9.2f} {novice / 1000:13.2f} s {grown:+7.1f} MB"
            )
        print(f"tables of masters let through: {self.tables} of {TABLES}")
        print(f"tried: {dict(sorted(self.counts.items()))}")
        print(f"what honest players met: {dict(self.times.faults)}")
        return self._judge(base[2])

    def _judge(self, before: float) -> bool:
        novice = self.times.row("all bots taken")[3] / 1000
        grown = self.memory["all bots taken"] - self.memory["before"]
        during, after = (self.times.row(phase)[2] for phase in ("mixed abuse", "after"))
        verdicts = {
            f"a novice of another person took at most {novice:.2f} s (under {NOVICE_SECONDS} s)": 0
            < novice
            < NOVICE_SECONDS,
            f"memory grew by {grown:.1f} MB in that attack (under {MEMORY_MB} MB)": grown
            < MEMORY_MB,
            f"p99 during the abuse is {during / before:.2f} times that before (under {RATIO})": during
            < RATIO * before,
            f"p99 after the abuse is {after / before:.2f} times that before (under {RATIO})": after
            < RATIO * before,
        }
        for text, held in verdicts.items():
            print(f"{'held  ' if held else 'FAILED'}  {text}")
        return all(verdicts.values())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10, help="of mixed abuse")
    parser.add_argument(
        "--calm",
        type=float,
        default=30,
        help="seconds of measuring before, during the first attack, after",
    )
    parser.add_argument("--players", type=int, default=12, help="honest ones")
    parser.add_argument(
        "--pause", type=float, default=0.2, help="seconds for which an honest player thinks"
    )
    parser.add_argument("--attackers", type=int, default=2, help="addresses")
    parser.add_argument(
        "--kinds", nargs="+", choices=list(KINDS), default=list(KINDS), help="of mixed abuse"
    )
    parser.add_argument("--database", default="")
    parser.add_argument(
        "--costs",
        action="store_true",
        help="only tell what each kind costs the server, by processor time: also on a busy machine",
    )
    wanted = parser.parse_args()
    logging.getLogger("asyncio").setLevel(logging.ERROR)  # every cut connection would be a line
    with tempfile.TemporaryDirectory() as folder:
        database = wanted.database or str(Path(folder) / "abuse.db")
        with Server(database, *REAL_LIMITS, "--bot-pause", "0", log=Path(folder) / "log") as server:
            run = Run(server)
            if wanted.costs:
                asyncio.run(run.measure_costs(wanted))
                return
            asyncio.run(run.measure(wanted))
            good = run.tell()
            assert server.log
            log = server.log.read_bytes()
            print(f"log: {len(log) / 2**20:.1f} MB, {log.count(b'Traceback')} tracebacks")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
