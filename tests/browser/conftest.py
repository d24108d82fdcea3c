"""Real browsers at a real server. Needs Chromium and the built client; without them these tests are skipped."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from lampion.core.compile import PACKAGE
from tests.server.support import Server

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 360, "height": 740}

Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not (PACKAGE / "server" / "static" / "index.html").exists():
        pytest.skip("the web client has not been built")
    folder = tmp_path_factory.mktemp("site")
    with Server(str(folder / "lampion.db"), log=folder / "log") as running:
        yield running


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not CHROMIUM:
        pytest.skip("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()


@pytest.fixture
def visit(site: Server, browser: Browser) -> Iterator[Visit]:
    """Opens a page as somebody new; an error in any page fails the test."""
    contexts, errors = [], []

    def open_page(path: str = "/", **options: Any) -> Page:
        context = browser.new_context(**{"viewport": WIDE, "locale": "en-US", **options})
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(site.base + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []
