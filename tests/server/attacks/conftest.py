"""One server with the limits that an operator gets, for all attacks that leave it alive."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.server.attacks.support import REAL_LIMITS, new_address
from tests.server.support import Person, Server

Newcomer = Callable[..., Person]


@pytest.fixture(scope="session")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("guarded")
    with Server(str(folder / "lampion.db"), *REAL_LIMITS, log=folder / "log") as running:
        yield running


@pytest.fixture(scope="session")
def terse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Limits per minute are wide here; logs and tables have an early end."""
    folder = tmp_path_factory.mktemp("terse")
    ends = ("--most-log", "300", "--tables-per-person", "30")
    with Server(str(folder / "lampion.db"), *ends, log=folder / "log") as running:
        yield running


@pytest.fixture
def newcomer(guarded: Server) -> Newcomer:
    """Makes people who each come from an address of their own."""

    def come(name: str = "", address: str = "") -> Person:
        return Person(guarded, name, address or new_address())

    return come
