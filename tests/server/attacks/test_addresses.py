"""Whom limits count: an IPv4 address, a /64 of IPv6, and no address that a client claims for
itself."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import connect

from tests.server.attacks.support import new_address
from tests.server.support import Json, Person, Server

LIMIT = 4


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("narrow")
    flags = ("--limit-scale", "1", "--sockets-per-address", str(LIMIT))
    with Server(str(folder / "lampion.db"), *flags, log=folder / "log") as running:
        yield running


@pytest.fixture
def table(narrow: Server) -> Json:
    return Person(narrow, "Ada", new_address()).table("me", "local", public=True)


def opened(server: Server, table: Json, forwarded: Iterable[str], trusted: bool = True) -> int:
    """How many sockets stay open, one per address that the proxy on 127.0.0.1 tells of."""
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table['id']}/live?since=-1"
    source = ("127.0.0.1" if trusted else new_address(), 0)
    good = 0
    with contextlib.ExitStack() as stack:
        for address in forwarded:
            try:
                headers = {"X-Forwarded-For": address}
                socket = stack.enter_context(
                    connect(url, additional_headers=headers, source_address=source)
                )
                socket.recv(timeout=30)
                good += 1
            except (InvalidStatus, WebSocketException):
                continue
    return good


def test_a_network_of_one_household_counts_as_one(narrow: Server, table: Json) -> None:
    addresses = [f"2001:db8:1:2::{number:x}" for number in range(1, 9)]
    assert opened(narrow, table, addresses) == LIMIT


def test_the_interface_part_may_be_anything(narrow: Server, table: Json) -> None:
    addresses = [
        f"2001:db8:1:3:{number:x}:{number * 77:x}:ffff:{number:x}" for number in range(1, 9)
    ]
    assert opened(narrow, table, addresses) == LIMIT


def test_different_networks_count_apart(narrow: Server, table: Json) -> None:
    assert opened(narrow, table, [f"2001:db8:1:{number:x}::1" for number in range(16, 24)]) == 8


def test_ipv4_in_ipv6_clothes_counts_as_ipv4(narrow: Server, table: Json) -> None:
    """Otherwise all of IPv4 would be one household, or each address two."""
    assert opened(narrow, table, [f"::ffff:203.0.113.{number}" for number in range(1, 9)]) == 8
    mixed = ["198.51.100.7", "::ffff:198.51.100.7"] * 4
    assert opened(narrow, table, mixed) == LIMIT


def test_an_address_that_a_stranger_claims_is_not_believed(narrow: Server, table: Json) -> None:
    claimed = [f"203.0.113.{number}" for number in range(100, 108)]
    assert opened(narrow, table, claimed, trusted=False) == LIMIT


def test_only_the_last_hop_before_the_proxy_is_believed(narrow: Server, table: Json) -> None:
    claimed = [f"203.0.113.{number}, 192.0.2.44" for number in range(200, 208)]
    assert opened(narrow, table, claimed) == LIMIT
