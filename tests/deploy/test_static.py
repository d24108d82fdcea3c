"""Files of the client: strange addresses, caching, compression, the path prefix; and the edge of HTTP."""

from __future__ import annotations

import gzip
import json
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from lampion.server.web.client import STATIC, build, client_files
from lampion.server.web.security import HEADERS
from tests.server.support import PLAIN, Server

pytestmark = pytest.mark.skipif(
    not (STATIC / "index.html").is_file(), reason="the web client has not been built"
)
PATIENCE = 1.5


@pytest.fixture(autouse=True)
def _clean_up() -> None:
    """No proxies are needed here."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("static")
    flags = ("--request-seconds", str(PATIENCE))
    with Server(str(folder / "lampion.db"), *flags, log=folder / "log") as running:
        yield running


def raw(server: Server, sent: bytes) -> tuple[int, dict[str, str], bytes]:
    """Whatever comes until the server closes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(sent)
        received = b""
        while part := line.recv(65536):
            received += part
    head, _, body = received.partition(b"\r\n\r\n")
    status, *fields = head.decode("latin-1").split("\r\n")
    headers = dict(field.lower().split(": ", 1) for field in fields)
    return int(status.split()[1]), headers, body


def get(target: bytes, method: bytes = b"GET") -> bytes:
    return method + b" " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"


STRANGE = [
    (b"/%00", 404), (b"/lantern.svg%00", 404), (b"/assets/%00", 404), (b"/a\\b", 404), (b"/a%5cb", 404),
    (b"/../../etc/passwd", 404), (b"/..%2f..%2fetc%2fpasswd", 404), (b"/assets/../index.html", 404),
    (b"/%ff%fe", 404), (b"/assets/%c3%28", 404), (b"/" + b"a" * 256, 414), (b"/assets/" + b"a" * 60_000, 414),
    (b"/assets/missing.js", 404), (b"/favicon.ico", 404), (b"/.built-from", 404), (b"/api", 404),
    (b"/api/none", 404), (b"/\xff\xfe", 400), (b"/assets", 200),
]  # fmt: skip


@pytest.mark.parametrize(("target", "status"), STRANGE, ids=[repr(t[:30]) for t, _ in STRANGE])
def test_a_strange_address_is_refused_in_good_form(
    target: bytes, status: int, server: Server
) -> None:
    found, headers, body = raw(server, get(target))
    assert found == status
    for name, value in HEADERS.items():
        assert headers[name.lower()] == value.lower()
    if status != 200:
        assert json.loads(body)["type"] == "problem"
    assert server.log
    assert "Traceback" not in server.log.read_text()


@pytest.mark.parametrize("path", ["/", "/t/abc", "/replay/abc?ply=3", "/about", "/nowhere"])
def test_pages_of_the_client_are_its_index(path: str, server: Server) -> None:
    reply = httpx.get(f"{server.base}{path}", verify=PLAIN)
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.headers["cache-control"] == "no-cache"
    assert '<meta name="base" content="/" />' in reply.text


def expected(name: str) -> bytes:
    """A file as it was built; the page alone is told which build it belongs to."""
    body = (STATIC / name).read_bytes()
    if name != "index.html":
        return body
    assert body.count(b'name="build" content=""') == 1
    return body.replace(b'"build" content=""', f'"build" content="{build()}"'.encode())


@pytest.mark.parametrize("name", sorted(client_files()))
def test_every_file_is_served_with_type_and_tag(name: str, server: Server) -> None:
    plain = httpx.get(
        f"{server.base}/{name}", verify=PLAIN, headers={"Accept-Encoding": "identity"}
    )
    zipped = httpx.get(f"{server.base}/{name}", verify=PLAIN, headers={"Accept-Encoding": "gzip"})
    assert plain.status_code == 200
    assert plain.content == zipped.content == expected(name)
    assert "octet-stream" not in plain.headers["content-type"]
    assert ("immutable" in plain.headers["cache-control"]) is name.startswith("assets/")
    again = {"If-None-Match": plain.headers["etag"], "Accept-Encoding": "identity"}
    unchanged = httpx.get(f"{server.base}/{name}", verify=PLAIN, headers=again)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert unchanged.headers["etag"] == plain.headers["etag"]


def test_big_texts_are_compressed_once_and_cached_apart(server: Server) -> None:
    script = next(name for name, file in client_files().items() if len(file.zipped) > 5000)
    zipped = httpx.get(
        f"{server.base}/{script}", verify=PLAIN, headers={"Accept-Encoding": "br, gzip;q=0.8"}
    )
    plain = httpx.get(
        f"{server.base}/{script}", verify=PLAIN, headers={"Accept-Encoding": "identity"}
    )
    assert zipped.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert "Accept-Encoding" in zipped.headers["vary"]
    assert "Accept-Encoding" in plain.headers["vary"]
    assert zipped.headers["etag"] != plain.headers["etag"]
    assert gzip.decompress(client_files()[script].zipped) == plain.content


def test_head_has_the_headers_of_get_and_no_body(server: Server) -> None:
    for path in ("/", "/lantern.svg"):
        status, headers, body = raw(server, get(path.encode(), b"HEAD"))
        assert (status, body) == (200, b"")
        assert int(headers["content-length"]) > 0


def test_the_disk_is_not_asked_again(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one")
    assert client_files(tmp_path)["a.txt"].body == b"one"
    (tmp_path / "a.txt").unlink()
    assert client_files(tmp_path)["a.txt"].body == b"one"


HALF_OPEN = [
    b"",
    b"GET / HTTP/1.1\r\nHost: x\r\nX-",
    b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
]


@pytest.mark.parametrize("sent", HALF_OPEN, ids=["nothing", "half a head", "half a body"])
def test_a_request_that_does_not_arrive_is_cut(sent: bytes, server: Server) -> None:
    status, headers, body = raw(server, sent)
    assert status == 408
    assert json.loads(body)["code"] == "request-timeout"
    assert headers["connection"] == "close"
    assert headers["x-content-type-options"] == "nosniff"


def test_a_slow_second_request_on_a_connection_is_cut_too(server: Server) -> None:
    first = b"GET /lantern.svg HTTP/1.1\r\nHost: x\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(first)
        assert line.recv(65536).startswith(b"HTTP/1.1 200")
        line.sendall(b"GET /lantern.svg HTTP")
        rest = b""
        while part := line.recv(65536):
            rest += part
    assert b"408" in rest
    assert b"request-timeout" in rest


def test_bytes_that_are_no_request_get_a_problem(server: Server) -> None:
    status, headers, body = raw(server, b"\x16\x03\x01\x02\x00\r\n\r\n")
    assert status == 400
    assert json.loads(body)["code"] == "invalid-request"
    assert headers["x-content-type-options"] == "nosniff"
