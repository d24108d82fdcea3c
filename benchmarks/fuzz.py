"""Fuzz a real server over plain sockets: `python -m benchmarks.fuzz --cases 50000`.

Three kinds of cases: HTTP requests (random bytes, and sound requests with bytes changed), WebSocket
frames, and requests that schemathesis makes from /openapi.json. What must hold for every case:

    no 5xx; no connection closed without a status or a close code; an answer in the end;
    the security headers on every reply; a problem document for every refusal

and for the whole run: no traceback in the log, the server alive, its memory bounded. A case follows
from the seed and its number: `--seed S --only N` sends that one again and shows it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import re
import secrets
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import httpx
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as hypothesis_seed
from hypothesis.errors import HypothesisWarning, Unsatisfiable
from schemathesis.core.result import Ok

from lampion.server.web.endpoints import ENDPOINTS
from tests.server.attacks.support import SECURITY_HEADERS
from tests.server.support import Json, Person, Server, close_clients

PATIENCE = 60.0
"""Seconds within which a whole request has its answer, on the slowest machine."""
HESITATION = 0.25
"""Seconds after which a request that has no answer is taken for unfinished, and filled up."""
FILLER = b"\r\n\r\n" + b"0\r\n\r\n" * 16_000
"""More than any request may hold: whatever a server waits for, after this it has an answer."""
MEMORY_BOUND = 64 * 2**20
SHARES = {"http": 0.5, "frames": 0.4, "schema": 0.1}


@dataclass
class Outcome:
    """What a run found."""

    counts: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def fail(self, case: str, why: str) -> None:
        self.failures.append(f"{case}: {why}")


# --- making cases -------------------------------------------------------------------------------

NASTY = [
    b"%00",
    b"%ff",
    b"\xff\xfe",
    b"\0",
    b"--5",
    b"../",
    b"%2e%2e/",
    b"\r\n",
    b"\n",
    b"a" * 300,
    b"\xed\xa0\x80",
    b"[" * 1500,
    b'{"a":' * 1200,
    b"99999999999999999999",
    b"-1",
    b"1e400",
    b"NaN",
    b"null",
    b"\\ud800",
    b"%",
    b"#",
    b"?",
    b"\xc3\x28",
    b"chunked",
    b"true",
    b"'",
    b"\x7f",
    b"Transfer-Encoding: chunked\r\n",
    b"Content-Length: 7\r\n",
    b"Expect: 100-continue\r\n",
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n",
    b"a" * 9000,
]
METHODS = [
    b"GET",
    b"POST",
    b"PUT",
    b"PATCH",
    b"DELETE",
    b"HEAD",
    b"OPTIONS",
    b"TRACE",
    b"CONNECT",
    b"BREW",
    b"get",
]
ENDING = ("/api/me", "/api/me/sign-out")
"""Endpoints after which the key is dead: schemathesis tries them last, plain HTTP only the first."""
VALUES = {"table": "{t}", "game": "lanterns", "language": "en", "lesson": "place", "seat": "1"}
"""What stands for the parameters of a path; a table is chosen when a case is made."""


def page_of(path: str) -> str:
    return re.sub(r"{(\w+)(:\w+)?}", lambda found: VALUES.get(found[1], "12345678"), path)


PAGES = [
    "/",
    "/t/abcdefgh",
    "/assets/x.js",
    "/robots.txt",
    "/openapi.json",
    *sorted({page_of(one.path) for one in ENDPOINTS if one.path != "/api/me/sign-out"}),
    "/api/tables/{t}/feed?since=0&said=0",
    "/api/tables/{t}/previews?seat=0",
    "/api/tables/{t}/chat?since=0",
    "/api/tables/{t}/live?since=0",
    "/api/nothing",
]
BODIES: list[Any] = [
    {},
    {"name": "Fuzz"},
    {"code": "x" * 24},
    {"game": "lanterns", "seats": [{"kind": "me"}, {"kind": "local"}]},
    {
        "game": "lumens",
        "seats": [{"kind": "me"}, {"kind": "open"}],
        "pace": {"kind": "clock", "seconds": 60},
    },
    {"invite": "x" * 24, "seat": 1},
    {"kind": "bot", "level": "novice"},
    {"seat": 0, "language": "en"},
    {
        "record": {"format": "lampion-record", "version": 1, "game": "lanterns", "log": []},
        "seat": 0,
    },
    {"record": {"format": "lampion-record/1", "game": "lumens", "log": []}, "plies": [0, 3]},
    {"done": ["x"]},
    {"phrase": "a b c d e f g h i j k l"},
    {"address": "fuzz@lampion.example"},
    {"url": "https://127.0.0.1/hook"},
    {"endpoint": "https://127.0.0.1/push", "p256dh": "x", "auth": "x"},
    {"language": "fr", "zone": "Europe/Rome", "quiet_from": 1320, "quiet_to": 420},
    {"first": "2030-01-01", "last": "2030-01-03"},
    {"what": "ban", "subject": "x", "reason": "x"},
    {"do": "act", "id": "a1", "seat": 0, "ply": 7, "action": "17r1@2,-1"},
    {"do": "say", "id": "a2", "text": "hello"},
    {"do": "undo", "id": "a3", "seat": 0},
    {"do": "answer", "id": "a4", "seat": 0, "request": 1, "yes": True},
    {"do": "leave", "id": "a5", "seat": 0},
    {"do": "return", "id": "a6", "seat": 0},
    {"do": "sync", "since": 0},
    {"do": "ping"},
]


def mutated(chooser: random.Random, sound: bytes) -> bytes:
    """A few bytes changed, cut, doubled or replaced by something nasty."""
    content = sound
    for _ in range(chooser.choice((0, 1, 1, 2, 3, 8))):
        place = chooser.randrange(len(content) + 1)
        kind = chooser.randrange(5)
        if kind == 0 and place < len(content):
            content = content[:place] + bytes([chooser.randrange(256)]) + content[place + 1 :]
        elif kind == 1:
            content = content[:place] + chooser.choice(NASTY) + content[place:]
        elif kind == 2:
            content = content[:place] + content[place + chooser.randrange(1, 20) :]
        elif kind == 3:
            length = chooser.randrange(1, 40)
            content = (
                content[:place] + content[place : place + length] * 2 + content[place + length :]
            )
        else:
            content = (
                content[:place] + chooser.randbytes(chooser.randrange(1, 12)) + content[place:]
            )
    return content


@dataclass
class Maker:
    """Makes the case with a number; the same seed makes the same cases, but for keys and table
    ids."""

    seed: int
    tables: list[str]
    keys: list[str]
    """Of several people: one alone may hold only so many sockets."""

    def chooser(self, kind: str, number: int) -> random.Random:
        return random.Random(f"{self.seed}:{kind}:{number}")

    def http(self, number: int) -> bytes:
        chooser = self.chooser("http", number)
        if chooser.random() < 0.05:
            return chooser.randbytes(chooser.randrange(1, 400))
        page = chooser.choice(PAGES).replace("{t}", chooser.choice(self.tables)).encode()
        body = json.dumps(chooser.choice(BODIES)).encode() if chooser.random() < 0.6 else b""
        body = mutated(chooser, body) if chooser.random() < 0.5 else body
        page = page if chooser.random() < 0.5 else b"/" + mutated(chooser, page[1:])
        lines = [
            chooser.choice(METHODS[:5] if body else METHODS) + b" " + page + b" HTTP/1.1",
            b"Host: lampion",
        ]
        if body or chooser.random() < 0.3:
            lines += [b"Content-Type: application/json", b"Content-Length: %d" % len(body)]
        lines += (
            [b"Cookie: lampion=" + chooser.choice(self.keys).encode()]
            if chooser.random() < 0.7
            else []
        )
        request = b"\r\n".join(lines) + b"\r\n\r\n" + body
        return mutated(chooser, request) if chooser.random() < 0.4 else request

    def frame(self, number: int) -> bytes:
        chooser = self.chooser("frames", number)
        payload = json.dumps(chooser.choice(BODIES)).encode()
        if chooser.random() < 0.7:
            payload = mutated(chooser, payload)
        opcode = 1 if chooser.random() < 0.75 else chooser.randrange(16)
        first = (
            opcode
            | (0x80 if chooser.random() < 0.93 else 0)
            | (chooser.choice((0x10, 0x20, 0x40)) if chooser.random() < 0.04 else 0)
        )
        framed = packed(first, payload, chooser)
        return mutated(chooser, framed) if chooser.random() < 0.15 else framed


def packed(first: int, payload: bytes, chooser: random.Random) -> bytes:
    """A frame; now and then with a false length or without a mask."""
    length = (
        len(payload)
        if chooser.random() < 0.95
        else chooser.choice((0, 5, 125, 126, 20_000, 2**31, 2**62))
    )
    flag = 0x80 if chooser.random() < 0.96 else 0
    if length < 126:
        size = bytes([flag | length])
    elif length < 65_536:
        size = bytes([flag | 126]) + length.to_bytes(2, "big")
    else:
        size = bytes([flag | 127]) + length.to_bytes(8, "big")
    return bytes([first]) + size + (bytes(4) if flag else b"") + payload


# --- judging answers ----------------------------------------------------------------------------


def faults_of(status: int, headers: dict[str, str], body: bytes | None) -> list[str]:
    """What is wrong with a reply. Without a body (to HEAD) only its head is judged."""
    found = [f"status {status}"] if status >= 500 else []
    for name, begins in SECURITY_HEADERS.items():
        if not headers.get(name, "").startswith(begins):
            found.append(f"{status} without {name}")
            break
    if status >= 400 and body is not None:
        try:
            problem = json.loads(body)
            sound = (
                problem["type"] == "problem" and bool(problem["code"]) and bool(problem["message"])
            )
        except (ValueError, TypeError, KeyError):
            sound = False
        if not sound:
            found.append(f"{status} is no problem document: {body[:120]!r}")
    return found


class Dropped(Exception):
    """The server closed the connection without saying why."""


async def read_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, ConnectionError) as cut:
        raise Dropped("dropped without a status") from cut
    status, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines if line)
    return int(status.split()[1]), {name.lower(): value.strip() for name, _, value in pairs}


async def read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    try:
        if "content-length" in headers:
            return await reader.readexactly(int(headers["content-length"]))
        return await reader.read(65_536)
    except asyncio.IncompleteReadError as cut:
        raise Dropped("dropped within the body") from cut


Answer = TypeVar("Answer")


async def patiently(
    reading: Coroutine[Any, Any, Answer], writer: asyncio.StreamWriter, filler: bytes
) -> Answer:
    """Wait for an answer; a server that waits for more gets more."""
    task = asyncio.ensure_future(reading)
    done, _ = await asyncio.wait([task], timeout=HESITATION)
    if not done:
        with contextlib.suppress(ConnectionError):
            writer.write(filler)
        done, _ = await asyncio.wait([task], timeout=PATIENCE)
    if not done:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        raise Dropped(f"no answer within {PATIENCE:.0f} s")
    return task.result()


# --- HTTP ---------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def connected(port: int) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**20)
    try:
        yield reader, writer
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def try_http(port: int, request: bytes, outcome: Outcome, case: str) -> None:
    async with connected(port) as (reader, writer):
        writer.write(request)
        try:
            status, headers = await patiently(read_head(reader), writer, FILLER)
            body = None
            if status >= 400 and not request.lstrip().startswith(b"HEAD"):
                # A server that refuses early may reset what is still on its way; it has told its
                # reason.
                with contextlib.suppress(ConnectionError):
                    body = await patiently(read_body(reader, headers), writer, b"")
        except Dropped as dropped:
            outcome.fail(case, f"{dropped}; {request[:200]!r}")
            return
    outcome.answers[str(status)] += 1
    if status == 101:  # a mutated request may well be a handshake
        return
    for fault in faults_of(status, headers, body):
        outcome.fail(case, f"{fault}; {request[:200]!r}")


# --- frames -------------------------------------------------------------------------------------


class Socket:
    """A plain WebSocket to a table, that reads what the server answers."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def shake(self, maker: Maker) -> bool:
        """Whether the server took the socket; False if it has too many of them just now."""
        table, key = random.choice(maker.tables), random.choice(maker.keys)
        self.writer.write(
            f"GET /api/tables/{table}/live?since=-1 HTTP/1.1\r\nHost: lampion\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            f"Cookie: lampion={key}\r\n\r\n".encode()
        )
        status, _ = await read_head(self.reader)
        if status not in (101, 429):
            raise Dropped(f"the handshake was answered with {status}")
        return status == 101

    async def read_frame(self) -> tuple[int, bytes]:
        try:
            first, second = await self.reader.readexactly(2)
            length = second & 0x7F
            if length >= 126:
                length = int.from_bytes(
                    await self.reader.readexactly(2 if length == 126 else 8), "big"
                )
            return first & 0x0F, await self.reader.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError) as cut:
            raise Dropped("dropped without a close frame") from cut

    async def answer(self) -> str:
        """`pong` when the server goes on, or the code it closes with."""
        while True:
            opcode, payload = await self.read_frame()
            if opcode == 8:
                return str(int.from_bytes(payload[:2], "big")) if len(payload) >= 2 else "closed"
            if opcode == 1 and payload == b'{"type":"pong"}':
                return "pong"


PING = bytes([0x81, 0x80 | 13, 0, 0, 0, 0]) + b'{"do":"ping"}'
FRAME_FILLER = PING * 4000


async def try_frames(port: int, maker: Maker, numbers: list[int], outcome: Outcome) -> None:
    """One case after another on a socket; a new socket after each close."""
    while numbers:
        async with connected(port) as (reader, writer):
            socket = Socket(reader, writer)
            try:
                if not await socket.shake(maker):
                    await asyncio.sleep(0.1)
                    continue
            except Dropped as dropped:
                outcome.fail(f"frames {numbers[0]}", str(dropped))
                numbers.pop(0)
                continue
            await _play_on(port, socket, maker, numbers, outcome)


async def _play_on(
    port: int,
    socket: Socket,
    maker: Maker,
    numbers: list[int],
    outcome: Outcome,
    *,
    again: bool = False,
) -> None:
    """Send cases until the server closes."""
    while numbers:
        number = numbers.pop(0)
        content = maker.frame(number)
        outcome.counts["frames"] += not again
        socket.writer.write(content + PING)
        try:
            answer = await patiently(socket.answer(), socket.writer, FRAME_FILLER)
        except Dropped as dropped:
            if again:
                outcome.fail(f"frames {number}", f"{dropped}; {content[:120]!r}")
            else:
                # The close frame may be lost to a reset, as we go on sending: try this one by
                # itself.
                async with connected(port) as streams:
                    alone = Socket(*streams)
                    if await alone.shake(maker):
                        await _play_on(port, alone, maker, [number], outcome, again=True)
            return
        outcome.answers[answer] += 1
        if answer in ("1006", "1011"):
            outcome.fail(f"frames {number}", f"closed with {answer}; {content[:120]!r}")
        if answer == "closed" and content[0] & 0x0F != 8:
            outcome.fail(f"frames {number}", f"closed without a code; {content[:120]!r}")
        if answer != "pong":
            return


# --- requests from the schema -------------------------------------------------------------------


def fuzz_schema(server: Server, maker: Maker, cases: int, outcome: Outcome) -> None:
    """Schemathesis makes requests from the published document, sound and unsound ones."""
    schema = schemathesis.openapi.from_url(f"{server.base}/openapi.json").exclude(
        path_regex="stream"
    )
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    operations.sort(key=lambda operation: operation.path in ENDING)
    session = requests.Session()
    session.cookies.set("lampion", maker.keys[0])
    modes = (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE)
    pairs = list(enumerate((one, mode) for one in operations for mode in modes))
    each = max(1, cases // len(pairs))
    # To learn how to make one kind of case takes half a second, so a short run tries some of them;
    # an odd step takes sound and unsound ones in turn.
    step = max(1, len(pairs) // max(1, cases)) | 1
    for number, (operation, mode) in pairs[::step]:
        # Where nothing can be wrong there are no unsound requests.
        with contextlib.suppress(Unsatisfiable):
            strategy = operation.as_strategy(generation_mode=mode)
            _fuzz_operation(
                strategy,
                each,
                maker.seed + number,
                partial(_try_case, server, maker, session, outcome),
            )


def _try_case(
    server: Server, maker: Maker, session: requests.Session, outcome: Outcome, case: Any
) -> None:
    outcome.counts["schema"] += 1
    if case.path_parameters and "table" in case.path_parameters and outcome.counts["schema"] % 3:
        case.path_parameters["table"] = random.choice(
            maker.tables
        )  # otherwise no table is ever found
    reply = case.call(base_url=server.base, session=session, timeout=PATIENCE)
    outcome.answers[str(reply.status_code)] += 1
    headers = {name.lower(): values[0] for name, values in reply.headers.items()}
    body = reply.content if case.method != "HEAD" else None
    for fault in faults_of(reply.status_code, headers, body):
        outcome.fail("schema", f"{fault}; {case.as_curl_command()[:300]}")


def _fuzz_operation(strategy: Any, count: int, seed: int, try_case: Callable[[Any], None]) -> None:
    def check(case: Any) -> None:
        try_case(case)

    quick = settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    whole: Callable[[], None] = hypothesis_seed(seed)(quick(given(strategy)(check)))  # type: ignore[no-untyped-call]
    whole()


# --- all of it ----------------------------------------------------------------------------------


async def fuzz_http(
    server: Server, maker: Maker, cases: int, outcome: Outcome, workers: int = 32
) -> None:
    numbers = iter(range(cases))

    async def work() -> None:
        for number in numbers:
            outcome.counts["http"] += 1
            await try_http(server.port, maker.http(number), outcome, f"http {number}")

    await asyncio.gather(*(work() for _ in range(workers)))


async def fuzz_frames(
    server: Server, maker: Maker, cases: int, outcome: Outcome, workers: int = 16
) -> None:
    parts = [list(range(start, cases, workers)) for start in range(workers)]
    await asyncio.gather(*(try_frames(server.port, maker, part, outcome) for part in parts))


def prepare(server: Server, seed: int) -> Maker:
    person = Person(server, "Fuzz")
    tables: list[Json] = [person.table("me", "local", public=True) for _ in range(3)]
    tables.append(person.table("me", "open"))
    people = [person, *(Person(server, f"Fuzz {number}") for number in range(4))]
    return Maker(
        seed, [table["id"] for table in tables], [one.web.cookies["lampion"] for one in people]
    )


def run(server: Server, cases: int, seed: int, tell: Callable[[str], None] = print) -> Outcome:
    """All kinds of cases against a running server that writes a log file."""
    maker, outcome = prepare(server, seed), Outcome()
    parts: dict[str, Callable[[int], object]] = {
        "schema": lambda count: fuzz_schema(server, maker, count, outcome),
        "frames": lambda count: asyncio.run(fuzz_frames(server, maker, count, outcome)),
        "http": lambda count: asyncio.run(fuzz_http(server, maker, count, outcome)),
    }
    for fuzz in parts.values():  # what is allocated once is no leak
        fuzz(min(300, cases // 10))
    httpx.get(f"{server.base}/api/picture", timeout=PATIENCE)  # nor is the worker that draws it
    before, warm = server.memory(), sum(outcome.counts.values())
    for kind, fuzz in parts.items():
        began, known = time.perf_counter(), outcome.counts[kind]
        # The schema has fewer sound requests than asked for; plain HTTP makes up for them.
        fuzz(
            cases - sum(outcome.counts.values()) + warm
            if kind == "http"
            else round(cases * SHARES[kind])
        )
        took, done = time.perf_counter() - began, outcome.counts[kind] - known
        tell(
            f"{kind:8} {done:7} cases  {done / took:6.0f} a second  {len(outcome.failures)} failures so far"
        )
    _check_whole_run(server, server.memory() - before, outcome, tell)
    close_clients()
    return outcome


def _check_whole_run(
    server: Server, growth: int, outcome: Outcome, tell: Callable[[str], None]
) -> None:
    tell(
        f"memory grew by {growth / 2**20:.1f} MB; answers: {dict(sorted(outcome.answers.items()))}"
    )
    if growth > MEMORY_BOUND:
        outcome.fail("memory", f"grew by {growth / 2**20:.1f} MB")
    if server.log and b"Traceback" in (log := server.log.read_bytes()):
        place = log.index(b"Traceback")
        outcome.fail(
            "log",
            f"{log.count(b'Traceback')} tracebacks, the first: {log[place - 300 : place + 1500]!r}",
        )
    if requests.get(f"{server.base}/api/catalogue", timeout=PATIENCE).status_code != 200:
        outcome.fail("server", "does not answer any more")


def show(server: Server, seed: int, only: str, tell: Callable[[str], None] = print) -> Outcome:
    """Send one case again: `http 17` or `frames 17`."""
    kind, number = only.split()
    maker, outcome = prepare(server, seed), Outcome()
    if kind == "http":
        tell(repr(maker.http(int(number))))
        asyncio.run(try_http(server.port, maker.http(int(number)), outcome, only))
    else:
        tell(repr(maker.frame(int(number))))
        asyncio.run(try_frames(server.port, maker, [int(number)], outcome))
    tell(str(dict(outcome.answers)))
    return outcome


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=secrets.randbits(32))
    parser.add_argument("--only", default="", help="one case, such as 'http 17'")
    parser.add_argument("--database", default="", help="a file or a URL; a new file if not given")
    wanted = parser.parse_args()
    print(f"--seed {wanted.seed}", flush=True)
    warnings.simplefilter("ignore", HypothesisWarning)
    with tempfile.TemporaryDirectory() as folder:
        database = wanted.database or str(Path(folder) / "fuzz.db")
        with Server(database, "--limit-scale", "10000", log=Path(folder) / "log") as server:
            if wanted.only:
                outcome = show(server, wanted.seed, wanted.only)
            else:
                outcome = run(server, wanted.cases, wanted.seed)
    kinds = Counter(
        failure.partition(": ")[2].partition(";")[0][:60] for failure in outcome.failures
    )
    for kind, count in kinds.most_common(40):
        example = next(failure for failure in outcome.failures if kind in failure)
        print(f"{count:6} x {kind}\n         {example[:400]}")
    print(f"{sum(outcome.counts.values())} cases, {len(outcome.failures)} failures")
    sys.exit(1 if outcome.failures else 0)


if __name__ == "__main__":
    main()
