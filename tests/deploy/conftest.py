"""Fixtures that the tests of deploy/ share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.deploy.support import Certificate, Proxy, free_port, make_certificate, missing_proxies
from tests.server.conftest import postgres
from tests.server.store.postgres import Postgres
from tests.server.support import Server, close_clients
from tests.web.conftest import running_browser

Site = Callable[..., Proxy]
__all__ = ["postgres"]


@pytest.fixture
def browser() -> Iterator[Browser]:
    """For one test only: while it runs, no other event loop can run in this process."""
    with running_browser() as running:
        yield running


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    if reason := missing_proxies():
        pytest.skip(reason)
    return make_certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture(autouse=True)
def _clean_up(monkeypatch: pytest.MonkeyPatch, certificate: Certificate) -> Iterator[None]:
    """Clients trust the certificate of the test, and are closed after it."""
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
    yield
    close_clients()


@pytest.fixture
def site(tmp_path: Path, certificate: Certificate) -> Iterator[Site]:
    """Starts a proxy with one process behind it."""
    with ExitStack() as running:

        def start(kind: str, name: str, *flags: str, prefix: str = "") -> Proxy:
            behind, port = free_port(), free_port()
            url = f"https://127.0.0.1:{port}{prefix}"
            more = ("--path-prefix", prefix) if prefix else ()
            database, log = str(tmp_path / "lampion.db"), tmp_path / "log"
            server = Server(database, "--public-url", url, *more, *flags, port=behind, log=log)
            running.enter_context(server)
            proxy = Proxy(kind, name, tmp_path / "proxy", certificate, {8000: behind}, port)
            return running.enter_context(proxy)

        yield start


@pytest.fixture
def three(tmp_path: Path, certificate: Certificate, postgres: Postgres) -> Iterator[Site]:
    """Starts a proxy with three processes behind it."""
    with ExitStack() as running:

        def start(kind: str) -> tuple[Proxy, list[Server]]:
            database, port = postgres.create(f"deploy_{kind}"), free_port()
            url = f"https://127.0.0.1:{port}"
            servers = [
                Server(database, "--public-url", url, port=free_port(), log=tmp_path / f"log{k}")
                for k in range(3)
            ]
            for server in servers:
                running.enter_context(server)
            ports = {8001 + k: server.port for k, server in enumerate(servers)}
            proxy = Proxy(kind, "three", tmp_path / "proxy", certificate, ports, port)
            return running.enter_context(proxy), servers

        yield start  # type: ignore[misc]
