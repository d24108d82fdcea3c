"""A real browser in front of a real server."""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Playwright, expect, sync_playwright

from lampion.server.web.client import STATIC
from tests.server.support import Server
from tests.web.positions import MOMENTS, Shelf, shelve
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


@pytest.fixture(scope="session")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shelf]:
    """A site whose tables are at the moments that layouts are looked at."""
    database = tmp_path_factory.mktemp("shelf") / "lampion.db"
    told = shelve(database, MOMENTS)
    with Server(str(database)) as server:
        yield Shelf(server, told)


def browser_path(*kind: str) -> str:
    command = [str(BROWSER), *kind]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@contextlib.contextmanager
def running_browser(playwright: Playwright | None = None) -> Iterator[Browser]:
    with contextlib.nullcontext(playwright) if playwright else sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=browser_path(), args=list(FLAGS))
        yield launched
        launched.close()


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    """There can be one in a process."""
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(driver: Playwright) -> Iterator[Browser]:
    with running_browser(driver) as running:
        yield running


@pytest.fixture
def installed(driver: Playwright, tmp_path: Path) -> Iterator[BrowserContext]:
    """A profile on disk: the others are private windows, which install nothing."""
    context = driver.chromium.launch_persistent_context(
        tmp_path / "profile",
        executable_path=browser_path("whole"),
        args=list(FLAGS),
        viewport={"width": 1280, "height": 800},
        locale="en-US",
        reduced_motion="reduce",
        permissions=["notifications"],
    )
    context.set_default_timeout(PATIENCE * 1000)
    yield context
    context.close()


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
