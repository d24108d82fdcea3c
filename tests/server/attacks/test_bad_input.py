"""Bytes that no browser sends: each gets a problem document, none a traceback."""

from __future__ import annotations

import json

import pytest
from websockets.sync.client import connect

from tests.server.attacks.conftest import Newcomer
from tests.server.attacks.support import (
    check_headers,
    check_refused,
    dial,
    get,
    handshake,
    new_address,
    post,
    quiet_log,
    send_raw,
)
from tests.server.support import Json, Person, Server

LONG = b"a" * 60_000
NESTED = b"[" * 7000 + b"]" * 7000
PATHS = {
    "nul": b"/%00",
    "nul in a name": b"/assets/a%00b.js",
    "nul in the API": b"/api/tables/%00%00%00%00%00%00%00%00",
    "long asset": b"/assets/" + LONG,
    "over 255": b"/" + b"b" * 256,
    "over 255 in assets": b"/assets/" + b"b" * 300 + b".js",
    "over 255 in the API": b"/api/tables/" + b"c" * 300,
    "long table": b"/api/tables/" + LONG,
    "deep": b"/assets/" + b"d/" * 2500,
    "not UTF-8, quoted": b"/assets/%ff%fe",
    "not UTF-8 in the API": b"/api/tables/%ff%fe%c3%28abcdef",
    "not UTF-8 as a game": b"/api/rulebook/%ff/en",
    "not UTF-8 as a language": b"/api/messages/%ed%a0%80",
    "half a code point": b"/assets/%ed%a0%80.js",
}
HARMLESS = {
    "dots": b"/assets/../../../../etc/passwd",
    "quoted dots": b"/assets/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
    "back strokes": b"/assets/..%5c..%5cetc%5cpasswd",
    "a drive": b"/assets/C:%5cwindows",
    "bad quoting": b"/assets/%zz%",
    "line feed": b"/assets/%0d%0aSet-Cookie:%20a=b",
}
"""Paths to nothing: the client's own page is a good answer, too."""
QUERIES = (
    "since=--5",
    "since=",
    "since=1e9",
    "since=%ff",
    "since=99999999999999999999999",
    "since=-99999",
    "since=%d9%a3",
    "since=0x10",
    "since=1_000",
    "since=%00",
    "since=NaN",
    "since=1&since=x",
)
"""What no ply looks like. Two values of one name may be answered by taking one of them."""


@pytest.mark.parametrize("path", PATHS.values(), ids=PATHS.keys())
def test_an_odd_path_is_refused_politely(guarded: Server, path: bytes) -> None:
    with quiet_log(guarded):
        check_refused(send_raw(guarded, get(path), new_address()))


@pytest.mark.parametrize("path", HARMLESS.values(), ids=HARMLESS.keys())
def test_a_path_out_of_the_folder_leads_nowhere(guarded: Server, path: bytes) -> None:
    with quiet_log(guarded):
        reply = send_raw(guarded, get(path), new_address())
        if reply.status == 200:
            check_headers(reply)
            assert b"<title>Lampion</title>" in reply.body
        else:
            check_refused(reply)


@pytest.mark.parametrize(
    "path", [b"/\xff\xfe", b"/assets/\x80", b"/api/me\xc3", b"/api/tables/\xf0\x28\x8c\x28"]
)
def test_raw_bytes_in_a_path_are_refused(guarded: Server, path: bytes) -> None:
    with quiet_log(guarded):
        check_refused(send_raw(guarded, get(path), new_address()))


def test_many_long_assets_leave_the_log_small(guarded: Server) -> None:
    address = new_address()
    with quiet_log(guarded, lines=200):
        for _ in range(300):
            check_refused(send_raw(guarded, get(b"/assets/" + LONG), address))


@pytest.fixture
def table(newcomer: Newcomer) -> Json:
    return newcomer("Ada").table("me", "local", public=True)


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("page", ["feed", "chat"])
def test_an_odd_query_is_refused(guarded: Server, table: Json, page: str, query: str) -> None:
    path = f"/api/tables/{table['id']}/{page}?{query}".encode()
    with quiet_log(guarded):
        reply = send_raw(guarded, get(path), new_address())
        assert reply.status < 500, reply.body
        if reply.status != 200:
            check_refused(reply)
        elif query.startswith(("since=--", "since=%", "since=N", "since=0x", "since=1e")):
            raise AssertionError("accepted: " + query)
        check_headers(reply)


@pytest.mark.parametrize("query", QUERIES)
def test_an_odd_query_of_a_handshake_is_told_and_not_dropped(
    guarded: Server, table: Json, query: str
) -> None:
    path = f"/api/tables/{table['id']}/live?{query}"
    with quiet_log(guarded), dial(guarded, new_address()) as plain:
        plain.sendall(handshake(path))
        stream = Frames(plain)
        if stream.skip_head() == 101:
            assert stream.next()[0] in (1, 8), "a message or a close with its code"
            return
    with quiet_log(guarded):
        check_refused(send_raw(guarded, handshake(path), new_address()))


def test_an_odd_query_of_a_command_changes_nothing(guarded: Server, newcomer: Newcomer) -> None:
    ada = newcomer("Ada")
    table = ada.table("me", "local")
    update = ada.update(table)
    act = {"do": "act", "id": "a1", "seat": 0, "ply": update["ply"], "action": update["legal"][0]}
    reply = ada.ask("POST", f"/api/tables/{table['id']}/commands?since=--5", act)
    assert 400 <= reply.status_code < 500
    assert reply.json()["type"] == "problem"
    assert ada.update(table)["ply"] == update["ply"], "a refused command changes nothing"


@pytest.mark.parametrize(
    "header",
    [
        b"Cookie: lampion=\xff\xfe\xfd",
        b"Cookie: lampion=" + b"k" * 8000,
        b"Authorization: Bearer \xff\xfe",
        b"Authorization: Bearer",
        b"Authorization: Basic \xc3\x28",
        b"Origin: \xff\xff",
        b"X-Forwarded-For: \xff\xfe",
        b"X-Forwarded-For: " + b"1.2.3.4, " * 500,
        b"X-Forwarded-For: not an address",
        b"X-Forwarded-Proto: \xff",
        b"Accept-Language: \xff\xfe",
        b"Host: \xff\xfe",
        b"If-None-Match: \xff",
        b"Range: bytes=\xff-",
        b"Sec-Fetch-Site: \xff",
    ],
)
@pytest.mark.parametrize("path", [b"/api/me", b"/api/tables", b"/"])
def test_headers_that_are_no_text_break_nothing(
    guarded: Server, path: bytes, header: bytes
) -> None:
    """Also from the proxy that the server trusts, which is the address 127.0.0.1."""
    with quiet_log(guarded):
        for address in (new_address(), "127.0.0.1"):
            reply = send_raw(guarded, get(path, header), address)
            assert reply.status < 500, reply.body
            check_headers(reply)
            if reply.status >= 400:
                check_refused(reply)


BODIES = {
    "not UTF-8": b'{"name": "\xff\xfe"}',
    "half a code point": b'{"name": "\\ud800"}',
    "UTF-16": '{"name": "Ada"}'.encode("utf-16"),
    "nothing": b"",
    "NUL": b"\0" * 100,
    "nested": NESTED,
    "nested objects": b'{"name":' * 2000 + b"1" + b"}" * 2000,
    "a huge number": b'{"name": ' + b"9" * 9000 + b"}",
    "NaN": b'{"name": NaN}',
    "two documents": b'{"name": "a"} {"name": "b"}',
    "the same name twice": b'{"name": "a", "name": 1}',
    "a byte order mark": b'\xef\xbb\xbf{"name": 1}',
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES.keys())
@pytest.mark.parametrize(
    "path",
    [
        b"/api/tables",
        b"/api/claim",
        b"/api/bots",
        b"/api/verify",
        b"/api/replay",
        b"/api/replay/hint",
        b"/api/replay/hint/task",
    ],
)
def test_a_body_that_is_none_is_refused(guarded: Server, path: bytes, body: bytes) -> None:
    with quiet_log(guarded):
        check_refused(send_raw(guarded, post(path, body), new_address()))


def nested_at(place: str, depth: int) -> bytes:
    """A record that is sound up to one field, which holds brackets in brackets."""
    record = {
        "format": "lampion-record",
        "version": 1,
        "game": "lanterns",
        "rules": 1,
        "options": {},
        "log": [],
    }
    record[place] = "HERE"
    return json.dumps(record).encode().replace(b'"HERE"', b"[" * depth + b"]" * depth)


@pytest.mark.parametrize("depth", [200, 900, 1100, 3000, 7000])
@pytest.mark.parametrize("place", ["format", "options", "log", "extra", "result", "components"])
def test_deeply_nested_records_are_refused(guarded: Server, place: str, depth: int) -> None:
    nested = nested_at(place, depth)
    with quiet_log(guarded):
        check_refused(send_raw(guarded, post(b"/api/verify", nested), new_address()))
        body = b'{"record": ' + nested + b"}"
        check_refused(send_raw(guarded, post(b"/api/replay", body), new_address()))
        body = b'{"record": {"x": ' + b'{"a":' * depth + b"1" + b"}" * depth + b"}}"
        check_refused(send_raw(guarded, post(b"/api/replay", body), new_address()))


REQUESTS = {
    "no HTTP": b"HELLO\r\n\r\n",
    "only line feeds": b"\n\n\n\n",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x42" * 500,
    "bad version": b"GET / HTTP/x.y\r\nHost: a\r\n\r\n",
    "bad header": b"GET / HTTP/1.1\r\nHost a\r\n\r\n",
    "space before the colon": b"GET /api/me HTTP/1.1\r\nHost : a\r\n\r\n",
    "NUL in a header": b"GET /api/me HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n",
    "two lengths": b"POST /api/claim HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "length and chunks": b"POST /api/claim HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "bad chunk": b"POST /api/claim HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
    "negative length": b"POST /api/claim HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    "huge length": b"POST /api/claim HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
    b"Content-Length: 99999999999\r\n\r\n{}",
    "unknown method": b"BREW /api/me HTTP/1.1\r\nHost: a\r\n\r\n",
    "wrong method": b"DELETE /api/tables HTTP/1.1\r\nHost: a\r\n\r\n",
    "POST on a page": b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n",
    "CONNECT": b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
    "TRACE": b"TRACE / HTTP/1.1\r\nHost: a\r\n\r\n",
    "a thousand headers": b"GET /api/nothing HTTP/1.1\r\nHost: a\r\n"
    + b"".join(b"X-%d: y\r\n" % n for n in range(1000))
    + b"\r\n",
    "a long header": b"GET /api/nothing HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 200_000 + b"\r\n\r\n",
    "an endless first line": b"GET /" + b"a" * 300_000,
}


@pytest.mark.parametrize("request_", REQUESTS.values(), ids=REQUESTS.keys())
def test_what_is_no_request_is_refused_with_a_problem(guarded: Server, request_: bytes) -> None:
    with quiet_log(guarded):
        check_refused(send_raw(guarded, request_, new_address()))


HANDSHAKES = {
    "unknown table": handshake("/api/tables/nowhere1/live"),
    "long unknown table": handshake("/api/tables/" + "n" * 20_000 + "/live"),
    "bad key": handshake("/api/tables/nowhere1/live").replace(
        b"dGhlIHNhbXBsZSBub25jZQ==", b"dGhlI"
    ),
    "no key": handshake("/api/tables/nowhere1/live").replace(b"Sec-WebSocket-Key", b"X-Key"),
    "old version": handshake("/api/tables/nowhere1/live").replace(b"Version: 13", b"Version: 8"),
    "another protocol": handshake("/api/tables/nowhere1/live").replace(
        b"Upgrade: websocket", b"Upgrade: h2c"
    ),
    "another method": handshake("/api/tables/nowhere1/live").replace(b"GET", b"PATCH"),
    "a control character": handshake("/api/tables/nowhere1/live", "Cookie: lampion=a\x08b"),
    "another page": handshake("/api/me"),
    "no page": handshake("/api/nothing"),
    "the client": handshake("/"),
    "another site": handshake("/api/tables/nowhere1/live", "Origin: https://evil.example"),
}


@pytest.mark.parametrize("request_", HANDSHAKES.values(), ids=HANDSHAKES.keys())
def test_a_handshake_that_is_refused_says_why(guarded: Server, request_: bytes) -> None:
    with quiet_log(guarded):
        reply = send_raw(guarded, request_, new_address())
        if reply.status == 200:
            check_headers(reply)  # read as a plain GET, which is allowed
        else:
            check_refused(reply)


# --- frames -------------------------------------------------------------------------------------

MASK = bytes(4)


def frame(
    opcode: int, payload: bytes, *, final: bool = True, masked: bool = True, reserved: int = 0
) -> bytes:
    head = bytes([(0x80 if final else 0) | reserved | opcode])
    flag = 0x80 if masked else 0
    length = len(payload)
    if length < 126:
        size = bytes([flag | length])
    elif length < 65_536:
        size = bytes([flag | 126]) + length.to_bytes(2, "big")
    else:
        size = bytes([flag | 127]) + length.to_bytes(8, "big")
    return head + size + (MASK if masked else b"") + payload


FRAMES = {
    "text that is not UTF-8": (frame(1, b"\xff\xfe\xfd"), {1007, 1003, 1008}),
    "half a code point": (
        frame(1, b'{"do":"say","id":"a","text":"\xed\xa0\x80"}'),
        {1007, 1003, 1008},
    ),
    "binary": (frame(2, b"\xff\xfe"), {None, 1003, 1007, 1008}),
    "not masked": (frame(1, b'{"do":"ping"}', masked=False), {1002}),
    "reserved bits": (frame(1, b'{"do":"ping"}', reserved=0x70), {1002}),
    "unknown opcode": (frame(5, b"x"), {1002}),
    "a long ping": (frame(9, b"x" * 200), {1002}),
    "a ping in parts": (frame(9, b"x", final=False), {1002}),
    "rest without a beginning": (frame(0, b"x"), {1002}),
    "too large": (frame(1, b"x" * 20_000), {1009}),
    "larger than all memory": (
        bytes([0x81, 0xFF]) + (2**62).to_bytes(8, "big") + MASK,
        {1009, 1002},
    ),
    "a bad close": (frame(8, b"\x03"), {1002}),
    "a close that is not UTF-8": (frame(8, b"\x03\xe8\xff"), {1002, 1007}),
    "nested": (frame(1, NESTED), {None, 1008, 1003}),
    "nested in a command": (
        frame(1, b'{"do":"say","id":"a","text":' + b"[" * 7000 + b"]" * 7000 + b"}"),
        {None, 1008, 1003},
    ),
    "an old ply": (frame(1, b'{"do":"sync","since":-5}'), {None}),
    "a huge ply": (frame(1, b'{"do":"sync","since":1' + b"0" * 400 + b"}"), {None}),
    "a lone surrogate": (frame(1, b'{"do":"say","id":"a","text":"\\ud800"}'), {None}),
}


@pytest.mark.parametrize(("bytes_", "codes"), FRAMES.values(), ids=FRAMES.keys())
def test_an_odd_frame_is_answered_or_closed_with_a_code(
    guarded: Server, newcomer: Newcomer, bytes_: bytes, codes: set[int | None]
) -> None:
    """None in the codes: a problem comes and the socket goes on."""
    ada = newcomer("Ada")
    table = ada.table("me", "local")
    with quiet_log(guarded):
        code = close_code_after(guarded, ada, table, bytes_)
    assert code in codes


def close_code_after(server: Server, person: Person, table: Json, bytes_: bytes) -> int | None:
    """The code that the server closes with, or None if it answers with a problem and goes on."""
    with dial(server, person.address) as plain:
        cookie = f"Cookie: lampion={person.web.cookies['lampion']}"
        plain.sendall(handshake(f"/api/tables/{table['id']}/live?since=-1", cookie))
        stream = Frames(plain)
        assert stream.skip_head() == 101
        plain.sendall(bytes_ + frame(1, b'{"do":"ping"}'))
        problem = False
        while True:
            opcode, payload = stream.next()
            if opcode == 8:
                return int.from_bytes(payload[:2], "big")
            if opcode == 1:
                problem |= json.loads(payload)["type"] == "problem"
                if json.loads(payload)["type"] == "pong":
                    assert problem, "neither answered nor closed"
                    return None


class Frames:
    """A reader of a plain WebSocket."""

    def __init__(self, plain: object) -> None:
        self.plain, self.buffer = plain, b""

    def skip_head(self) -> int:
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, _, self.buffer = self.buffer.partition(b"\r\n\r\n")
        return int(head.split()[1])

    def _more(self) -> None:
        more = self.plain.recv(65_536)  # type: ignore[attr-defined]
        assert more, "the socket was dropped without a close frame"
        self.buffer += more

    def _take(self, count: int) -> bytes:
        while len(self.buffer) < count:
            self._more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def next(self) -> tuple[int, bytes]:
        first, second = self._take(2)
        length = second & 0x7F
        if length >= 126:
            length = int.from_bytes(self._take(2 if length == 126 else 8), "big")
        return first & 0x0F, self._take(length)


def test_a_socket_that_sends_rubbish_in_the_query_still_serves_the_next(
    guarded: Server, table: Json
) -> None:
    url = f"ws://127.0.0.1:{guarded.port}/api/tables/{table['id']}/live?since=0"
    send_raw(guarded, handshake(f"/api/tables/{table['id']}/live?since=--5"), new_address())
    with connect(url, max_size=None) as socket:
        assert json.loads(socket.recv(timeout=30))["type"] == "info"
