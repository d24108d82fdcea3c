"""A real browser in front of a real server."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from lampion.server.web.client import STATIC
from tests.server.support import Server
from tests.web.support import PATIENCE, Come, Visitor, welcome

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
expect.set_options(timeout=PATIENCE * 1000)
BROWSER = Path(__file__).parents[2] / "scripts" / "browser"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    assert (STATIC / "index.html").is_file(), (
        "the web client is not built: run `uv sync` without SKIP_FRONTEND"
    )
    folder = tmp_path_factory.mktemp("site")
    with Server(str(folder / "lampion.db"), log=folder / "log") as server:
        yield server


@contextlib.contextmanager
def running_browser() -> Iterator[Browser]:
    path = subprocess.run([str(BROWSER)], check=True, capture_output=True, text=True).stdout.strip()
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with running_browser() as running:
        yield running


@pytest.fixture
def come(browser: Browser, site: Server) -> Iterator[Come]:
    """Lets visitors come, each with a browser profile of its own; errors on their screens fail the test."""
    here: list[Visitor] = []

    def arrive(server: Server | None = None, **options: object) -> Visitor:
        here.append(welcome(browser, server or site, **options))
        return here[-1]

    yield arrive
    for visitor in here:
        visitor.leave()
    for visitor in here:
        assert visitor.errors == []


@pytest.fixture
def visitor(come: Come) -> Visitor:
    return come()
