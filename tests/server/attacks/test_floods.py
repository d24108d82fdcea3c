"""Too much of something allowed: chat, undo, streams, resyncs, half requests, sockets that never
read."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import psutil  # type: ignore[import-untyped]
import pytest
import uvicorn

from lampion.server.config import Config
from lampion.server.web import limits
from lampion.server.web.connections import CarefulHttp, protocol_options
from tests.server.attacks.conftest import Newcomer
from tests.server.attacks.support import (
    check_refused,
    count,
    dial,
    get,
    handshake,
    log_length,
    new_address,
    post,
    quiet_log,
    read_reply,
    send_raw,
)
from tests.server.support import PLAIN, ConnectionClosed, Json, Live, Person, Server, wait_for

MB = 2**20


def two_at_a_table(newcomer: Newcomer, *, public: bool = False) -> tuple[Person, Person, Json]:
    ada, milo = newcomer("Ada"), newcomer("Milo")
    table = ada.table("me", "open", public=public)
    milo.join(table)
    return ada, milo, table


def lines(server: Server, table: Json) -> int:
    return count(server, "SELECT count(*) FROM chat WHERE table_id = ?", table["id"])


# --- chat ---------------------------------------------------------------------------------------


def test_a_flood_of_chat_by_post_is_dammed(guarded: Server, newcomer: Newcomer) -> None:
    ada, _, table = two_at_a_table(newcomer)
    with quiet_log(guarded, lines=400):
        replies = [ada.command(table, "say", text=f"spam {number}") for number in range(200)]
    refused = [reply for reply in replies if reply.status_code != 200]
    answers = {(reply.status_code, reply.json()["code"]) for reply in refused}
    assert answers <= {(429, code) for _, code in answers}, answers
    assert all(reply.json()["retry_after"] is not None for reply in refused)
    assert lines(guarded, table) <= 40, "no more than anybody types"


def test_a_flood_of_chat_by_socket_is_dammed(guarded: Server, newcomer: Newcomer) -> None:
    ada, milo, table = two_at_a_table(newcomer)
    with quiet_log(guarded, lines=400):
        with contextlib.suppress(ConnectionClosed), ada.live(table) as live:
            for number in range(400):
                live.send("say", text=f"spam {number}")
            live.close_code()
        assert lines(guarded, table) <= 40
    assert milo.command(table, "say", text="and I?").status_code == 200, (
        "the neighbor may still speak"
    )


def test_many_sockets_do_not_give_many_voices(guarded: Server, newcomer: Newcomer) -> None:
    ada, _, table = two_at_a_table(newcomer)
    for _ in range(8):
        with contextlib.suppress(ConnectionClosed), ada.live(table) as live:
            for number in range(60):
                live.send("say", text=f"spam {number}")
            live.send("ping")
            live.next("pong")
    assert lines(guarded, table) <= 60


def test_the_chat_of_one_table_has_an_end(server: Server, ada: Person) -> None:
    """However wide the limits per minute are: a table stores so many lines, and a feed sends so
    much."""
    table = ada.table("me", "open")
    replies = [ada.command(table, "say", text="x" * 290).status_code for _ in range(600)]
    assert {200} < set(replies) or lines(server, table) <= 1000
    size = len(ada.ask("GET", f"/api/tables/{table['id']}/feed?since=0&said=0").content)
    assert size < MB, f"one look at the table costs {size / MB:.1f} MB"


# --- the log ------------------------------------------------------------------------------------


def grow(server: Server, table: Json, step: Callable[[], bool]) -> None:
    """Repeat until it is refused, which happens before the log has grown too long."""
    while log_length(server, table) <= 300:
        if not step():
            return
    raise AssertionError(f"the log has {log_length(server, table)} entries")


def test_undoing_and_acting_again_does_not_grow_the_log_for_ever(terse: Server) -> None:
    ada = Person(terse, "Ada")
    table = ada.table("me", "local", game="lumens")
    with ada.live(table) as live:

        def step() -> bool:
            update = live_turn(live, ada, table)
            live.send("act", seat=update["seat"], ply=update["ply"], action=update["legal"][0])
            live_answer(live)
            live.send("undo", seat=update["seat"])
            return bool(live_answer(live)["type"] == "done")

        grow(terse, table, step)
    assert ada.info(table)["status"] == "running"
    update = next(update for update in ada.updates(table) if update["legal"])
    assert ada.act(table, update).status_code == 200, "the game itself goes on to its end"


def live_answer(live: Live) -> Json:
    while (message := live.next())["type"] not in ("done", "problem"):
        pass
    return message


def live_turn(live: Live, person: Person, table: Json) -> Json:
    live.received.clear()
    return next(update for update in person.updates(table) if update["legal"])


def test_leaving_and_coming_back_does_not_grow_the_log_for_ever(terse: Server) -> None:
    ada, milo = Person(terse, "Ada"), Person(terse, "Milo")
    table = ada.table("me", "open")
    milo.join(table)
    seat = 1 if ada.update(table)["legal"] else 0
    person = (ada, milo)[seat]  # the one who is not to act, so that no bot moves meanwhile

    def step() -> bool:
        left = person.command(table, "leave", seat=seat).status_code == 200
        return left and person.command(table, "return", seat=seat).status_code == 200

    grow(terse, table, step)


def test_asking_and_refusing_does_not_grow_the_log_for_ever(terse: Server) -> None:
    ada, milo = Person(terse, "Ada"), Person(terse, "Milo")
    table = ada.table("me", "open")
    milo.join(table)

    def step() -> bool:
        if ada.command(table, "stop", seat=0).status_code != 200:
            return False
        number = milo.info(table)["request"]["number"]
        return milo.command(table, "answer", seat=1, request=number, yes=False).status_code == 200

    grow(terse, table, step)


def test_changing_a_seat_back_and_forth_does_not_grow_the_log_for_ever(terse: Server) -> None:
    ada = Person(terse, "Ada")
    table = ada.table("me", "open", "open")
    path = f"/api/tables/{table['id']}/seats/1"

    def step() -> bool:
        there = ada.ask("PUT", path, {"kind": "bot", "level": "novice"}).status_code == 200
        return there and ada.ask("PUT", path, {"kind": "open"}).status_code == 200

    grow(terse, table, step)


# --- connections --------------------------------------------------------------------------------


def test_streams_beyond_the_limit_are_refused(guarded: Server, newcomer: Newcomer) -> None:
    ada = newcomer("Ada")
    ada.table("me", "local")
    cookie = f"Cookie: lampion={ada.web.cookies['lampion']}".encode()
    request = get(b"/api/me/stream", cookie).replace(b"Connection: close\r\n", b"")
    with contextlib.ExitStack() as stack:
        statuses = []
        for _ in range(150):
            plain = stack.enter_context(dial(guarded, ada.address))
            plain.sendall(request)
            reply = read_reply_head(plain)
            statuses.append(reply)
    assert statuses.count(200) <= 60, "one person keeps no hundred streams"
    assert statuses.count(200) >= 1
    assert set(statuses) <= {200, 429, 503}


def read_reply_head(plain: socket.socket) -> int:
    content = b""
    while b"\r\n\r\n" not in content:
        more = plain.recv(65_536)
        assert more, "dropped without a reason"
        content += more
    return int(content.split()[1])


def test_streams_of_many_guests_of_one_address_are_refused(guarded: Server) -> None:
    address = new_address()
    statuses = []
    with contextlib.ExitStack() as stack:
        for _ in range(150):
            plain = stack.enter_context(dial(guarded, address))
            plain.sendall(get(b"/api/me/stream").replace(b"Connection: close\r\n", b""))
            statuses.append(read_reply_head(plain))
    assert statuses.count(200) <= 60
    assert set(statuses) <= {200, 401, 429, 503}


def still_open(plains: list[socket.socket]) -> list[socket.socket]:
    """Sockets that the server has neither answered nor closed."""
    waiting = []
    for plain in plains:
        plain.setblocking(False)
        try:
            plain.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            waiting.append(plain)
        except OSError:
            pass
    return waiting


def drip(plains: list[socket.socket], byte: bytes) -> None:
    for plain in plains:
        with contextlib.suppress(OSError):
            plain.send(byte)


BEGINNINGS = {
    "nothing at all": b"",
    "half a first line": b"GET /api/me HT",
    "headers without end": b"GET /api/me HTTP/1.1\r\nHost: a\r\nX-Slow: ",
    "a body that does not come": b"POST /api/claim HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Content-Length: 5000\r\n\r\n{",
}


@pytest.mark.parametrize("beginning", BEGINNINGS.values(), ids=BEGINNINGS.keys())
def test_half_requests_are_closed_while_honest_players_go_on(
    guarded: Server, newcomer: Newcomer, beginning: bytes
) -> None:
    """Slowloris: three hundred connections that send a byte a second, or nothing."""
    ada = newcomer("Ada")
    table = ada.table("me", "local", game="lanterns")
    attacker = new_address()
    plains = [dial(guarded, attacker) for _ in range(300)]
    try:
        drip(plains, beginning)
        end = time.monotonic() + 120
        while waiting := still_open(plains):
            assert time.monotonic() < end, (
                f"{len(waiting)} half requests are still open after two minutes"
            )
            update = next((update for update in ada.updates(table) if update["legal"]), None)
            if update:
                assert ada.act(table, update, update["legal"][0]).status_code == 200
            else:
                table = ada.table("me", "local")
            if beginning:
                drip(waiting, b"a")
            time.sleep(1)
    finally:
        for plain in plains:
            plain.close()


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that gives a request one second to arrive."""
    folder = tmp_path_factory.mktemp("hasty")
    with Server(
        str(folder / "lampion.db"), "--request-seconds", "1", log=folder / "log"
    ) as running:
        yield running


def test_the_limit_on_slow_requests_spares_open_sockets_and_streams(hasty: Server) -> None:
    """Once a request has arrived, its socket or stream is quiet for as long as it likes."""
    ada = Person(hasty, "Ada")
    table = ada.table("me", "local")
    cookie = f"Cookie: lampion={ada.web.cookies['lampion']}".encode()
    with dial(hasty) as stream, ada.live(table) as live:
        stream.sendall(get(b"/api/me/stream", cookie).replace(b"Connection: close\r\n", b""))
        assert read_reply_head(stream) == 200
        time.sleep(4)
        live.send("ping")
        live.next("pong")
        stream.setblocking(False)
        rest = b"".join(iter(lambda: received(stream), b""))
        assert b"HTTP/1.1" not in rest, "told that it was too slow"


def received(plain: socket.socket) -> bytes:
    try:
        more = plain.recv(65_536)
    except BlockingIOError:
        return b""
    assert more, "the stream was closed"
    return more


def test_a_kept_alive_connection_serves_a_late_second_request(hasty: Server) -> None:
    """A pause between two requests is no slow request; it may be closed, but not in mid-answer."""
    with httpx.Client(base_url=hasty.base, timeout=60, verify=PLAIN) as web:
        for _ in range(3):
            assert web.get("/api/catalogue").status_code == 200
            time.sleep(2)


def test_a_half_request_is_told_why_it_is_closed(hasty: Server) -> None:
    with dial(hasty) as plain:
        plain.sendall(post(b"/api/claim", b"{" * 50)[:-40])
        check_refused(read_reply(plain), 408)


def test_replies_that_nobody_reads_are_dropped(hasty: Server) -> None:
    """They are kept-alive connections: nothing else would ever end them, and each holds what it was
    to be sent."""
    request = get(b"/openapi.json").replace(b"Connection: close\r\n", b"")
    with contextlib.ExitStack() as stack:
        ports = set()
        for _ in range(20):
            plain = stack.enter_context(socket.socket())
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            plain.connect(("127.0.0.1", hasty.port))
            plain.sendall(request * 20)
            ports.add(plain.getsockname()[1])
        wait_for(lambda: not ports & peers_of(hasty), 120)
    assert Person(hasty).ask("GET", "/openapi.json").status_code == 200


def peers_of(server: Server) -> set[int]:
    """The ports at the other end of the server's connections."""
    assert server.process
    found = psutil.Process(server.process.pid).net_connections("tcp")
    return {connection.raddr.port for connection in found if connection.raddr}


class Line(asyncio.Transport):
    """A connection of which a test says how much of what was written has been read."""

    def __init__(self) -> None:
        super().__init__()
        self.unread, self.is_aborted = 0, False

    def write(self, data: Any) -> None:
        self.unread += len(data)

    def get_write_buffer_size(self) -> int:
        return self.unread

    def is_closing(self) -> bool:
        return self.is_aborted

    def abort(self) -> None:
        self.is_aborted = True

    close = abort


class GivenLoop(asyncio.SelectorEventLoop):
    """Time passes when the test says so."""

    now = 0.0

    def time(self) -> float:
        return self.now

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.call_soon(self.stop)
        self.run_forever()


async def nothing(scope: Any, receive: Any, send: Any) -> None:
    """An application that no request reaches."""


@pytest.fixture
def line() -> Iterator[tuple[Line, CarefulHttp, GivenLoop]]:
    """A connection on which a large reply has just been written."""
    loop = GivenLoop()
    settings = Config(request_seconds=10)
    options = uvicorn.Config(nothing)
    state = uvicorn.server.ServerState()
    http: CarefulHttp = protocol_options(settings)["http"](options, state, {}, loop)
    transport = Line()
    http.connection_made(transport)
    http._disarm()  # its request has arrived
    transport.write(bytes(230_000))
    http.pause_writing()
    yield transport, http, loop
    http.connection_lost(None)
    loop.close()


def test_a_reader_who_is_slow_but_steady_gets_the_whole_reply(
    line: tuple[Line, CarefulHttp, GivenLoop],
) -> None:
    transport, http, loop = line
    while transport.unread > 0:
        transport.unread -= 10_000
        loop.pass_time(10)
        assert not transport.is_aborted
    http.resume_writing()
    loop.pass_time(1000)
    assert not transport.is_aborted, "there is nothing left to be read"


@pytest.mark.parametrize("unread", [230_000, 222_000, 5])
def test_a_reader_who_does_not_read_or_stops_in_the_end_is_dropped(
    line: tuple[Line, CarefulHttp, GivenLoop], unread: int
) -> None:
    transport, _, loop = line
    loop.pass_time(9)
    transport.unread = unread
    assert not transport.is_aborted
    loop.pass_time(1)
    loop.pass_time(10)
    assert transport.is_aborted


def test_a_person_from_the_attacker_s_address_is_told_and_not_dropped(guarded: Server) -> None:
    address = new_address()
    plains = [dial(guarded, address) for _ in range(300)]
    try:
        drip(plains, b"GET /api/me HT")
        reply = send_raw(guarded, get(b"/api/catalogue"), address)
        if reply.status != 200:
            check_refused(reply, 429, 503)
    finally:
        for plain in plains:
            plain.close()


def test_a_thousand_resyncs_are_not_all_served(guarded: Server, newcomer: Newcomer) -> None:
    ada = newcomer("Ada")
    table = ada.table("me", "local")
    before = guarded.memory()
    served = 0
    with quiet_log(guarded, lines=200), ada.live(table, since=-1) as live:
        live.next("update")
        with contextlib.suppress(ConnectionClosed):
            for _ in range(3000):
                live.send("sync", since=0)
        with contextlib.suppress(ConnectionClosed):
            live.send("ping")
            while (message := live.next())["type"] != "pong":
                served += message["type"] == "update"
    assert served <= 200, f"{served} times the whole table for 30 bytes each"
    assert guarded.memory() - before < 40 * MB


def test_resyncs_by_coming_again_are_limited_too(guarded: Server, newcomer: Newcomer) -> None:
    """A handshake is a resync, too: a thousand of them from one address are not all served."""
    ada = newcomer("Ada")
    table = ada.table("me", "local", public=True)
    address, served = new_address(), 0
    began = time.monotonic()
    for _ in range(600):
        with dial(guarded, address) as plain:
            plain.sendall(handshake(f"/api/tables/{table['id']}/live?since=0"))
            reply = read_reply(plain)
            served += reply.status == 101
            if reply.status != 101:
                check_refused(reply, 429)
    allowed = 200 + 20 * (time.monotonic() - began)
    assert served <= allowed


def test_who_asks_for_the_whole_game_again_and_again_pays_by_its_length(
    guarded: Server, newcomer: Newcomer
) -> None:
    """However fast or slow this machine is: what gets through is what the limit lets through."""
    ada = newcomer("Ada")
    table = ada.table("me", "local", "local", "local", public=True)
    for _ in range(25):
        update = next(update for update in ada.updates(table, since=-1) if update["legal"])
        ada.act(table, update, update["legal"][-1])
    length = sum(len(update["steps"]) for update in ada.updates(table, since=0))
    began, feed = time.monotonic(), f"/api/tables/{table['id']}/feed?since=0"
    statuses = [ada.ask("GET", feed).status_code for _ in range(300)]
    assert set(statuses) == {200, 429}
    passed, limit = statuses.count(200), limits.HISTORY
    allowed = limit.burst + limit.per_second * (time.monotonic() - began)
    assert length >= 100 and length * passed <= allowed


def test_large_bodies_are_limited_by_their_bytes(guarded: Server) -> None:
    """Half a million bytes of brackets take as long to read as a hundred moves."""
    body = b'{"record":{"log":[' + b",".join([b"[]"] * 160_000) + b"]}}"
    transport = httpx.HTTPTransport(local_address=new_address(), verify=PLAIN)
    headers = {"Content-Type": "application/json"}
    began = time.monotonic()
    with httpx.Client(transport=transport, base_url=guarded.base, timeout=60) as web:
        statuses = [
            web.post("/api/replay", content=body, headers=headers).status_code for _ in range(40)
        ]
    assert set(statuses) == {400, 429}
    passed, limit = statuses.count(400), limits.BODIES
    assert len(body) * passed <= limit.burst + limit.per_second * (time.monotonic() - began)


def test_sockets_that_never_read_cost_little_and_hold_up_nobody(
    guarded: Server, newcomer: Newcomer
) -> None:
    ada, milo, table = two_at_a_table(newcomer, public=True)
    before = guarded.memory()
    attacker = new_address()
    with contextlib.ExitStack() as stack:
        for _ in range(50):
            plain = stack.enter_context(socket.socket())
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            plain.bind((attacker, 0))
            plain.connect(("127.0.0.1", guarded.port))
            plain.settimeout(0.2)
            plain.sendall(handshake(f"/api/tables/{table['id']}/live?since=0"))
            sync = b'{"do":"sync","since":0}'
            with contextlib.suppress(OSError):
                for _ in range(300):
                    plain.sendall(bytes([0x81, 0x80 | len(sync), 0, 0, 0, 0]) + sync)
        for _ in range(10):
            person = ada if ada.update(table)["legal"] else milo
            update = person.update(table)
            assert person.act(table, update).status_code == 200
        assert guarded.memory() - before < 60 * MB
    wait_for(lambda: ada.info(table)["watching"] == 0, 60)


# --- memory -------------------------------------------------------------------------------------


def test_handshakes_to_unknown_tables_leave_nothing_behind(guarded: Server) -> None:
    address = new_address()
    for number in range(100):  # what is allocated once is no leak
        knock(guarded, address, f"w{number}" + "n" * 6000)
    before = guarded.memory()
    with quiet_log(guarded, lines=300):
        for number in range(4000):
            knock(
                guarded, new_address() if number % 20 == 0 else address, f"u{number}" + "n" * 6000
            )
    assert guarded.memory() - before < 20 * MB


def knock(server: Server, address: str, table: str) -> None:
    with dial(server, address) as plain:
        plain.sendall(handshake(f"/api/tables/{table}/live"))
        assert read_reply(plain).status != 101


def test_requests_about_unknown_tables_leave_nothing_behind(guarded: Server) -> None:
    address = new_address()

    def ask(number: int) -> None:
        path = f"/api/tables/x{number:07d}yz/feed?since=0".encode()
        check_refused(send_raw(guarded, get(path), address))

    for number in range(300):
        ask(number)
    before = guarded.memory()
    for number in range(1000, 4000):
        ask(number)
    assert guarded.memory() - before < 15 * MB


def test_addresses_are_forgotten(guarded: Server) -> None:
    """Each limit remembers addresses; a proxy that tells of a hundred thousand must not fill the
    memory."""

    def ask(number: int) -> None:
        forwarded = f"X-Forwarded-For: 2001:db8:{number >> 16:x}:{number & 0xFFFF:x}::1".encode()
        send_raw(guarded, get(b"/api/catalogue", forwarded), "127.0.0.1")

    for number in range(300):
        ask(number)
    before = guarded.memory()
    for number in range(1000, 4000):
        ask(number)
    assert guarded.memory() - before < 12 * MB


def test_ever_new_guests_from_one_address_are_limited(guarded: Server) -> None:
    address = new_address()
    before = count(guarded, "SELECT count(*) FROM person")
    statuses = []
    for number in range(200):
        visitor = Person(guarded, address=address)
        statuses.append(visitor.ask("PATCH", "/api/me", {"name": f"Guest {number}"}).status_code)
        visitor.web.close()
    assert count(guarded, "SELECT count(*) FROM person") - before <= 60
    assert set(statuses) <= {200, 429}


def test_ever_new_tables_are_limited(guarded: Server, newcomer: Newcomer) -> None:
    """One person keeps so many open tables, and is told so."""
    ada = newcomer("Ada")
    seats = [{"kind": "me"}, {"kind": "open"}]
    replies = [
        ada.ask("POST", "/api/tables", {"game": "lanterns", "seats": seats}) for _ in range(150)
    ]
    made = sum(reply.status_code == 200 for reply in replies)
    assert 1 <= made <= 60
    assert {reply.status_code for reply in replies} <= {200, 400, 403, 409, 429}
    assert all(reply.json()["code"] for reply in replies if reply.status_code != 200)


def test_open_tables_are_capped_however_slowly_they_are_made(terse: Server) -> None:
    """A new table makes room by putting away the oldest that nobody else sits at."""
    ada, seats = Person(terse, "Ada"), [{"kind": "me"}, {"kind": "open"}]
    for _ in range(40):
        ada.ask("POST", "/api/tables", {"game": "lanterns", "seats": seats})
    mine = ada.call("GET", "/api/me/tables")["tables"]
    assert len([each for each in mine if each["status"] in ("open", "running")]) <= 30


@pytest.mark.parametrize(
    ("path", "more", "limit"),
    [
        ("/api/replay", {}, limits.REQUESTS),
        ("/api/verify", {}, limits.THOUGHTS),
        ("/api/replay/hint", {"ply": 0, "seat": 0}, limits.THOUGHTS),
        ("/api/replay/hint/task", {"ply": 0, "seat": 0}, limits.REQUESTS),
    ],
)
def test_verifying_and_replaying_is_limited(
    guarded: Server, path: str, more: Json, limit: limits.Limit
) -> None:
    """However fast or slow this machine is: what gets through is what the limit lets through."""
    transport = httpx.HTTPTransport(local_address=new_address(), verify=PLAIN)
    began = time.monotonic()
    with httpx.Client(transport=transport, base_url=guarded.base, timeout=60) as web:
        body = {"record": {"format": "lampion"}, **more}
        statuses = [web.post(path, json=body).status_code for _ in range(200)]
    passed = len(statuses) - statuses.count(429)
    assert passed <= limit.burst + limit.per_second * (time.monotonic() - began) + 1
    assert max(statuses) < 500
