"""The documentation as a reader opens it: the site that `make docs` builds, behind the headers of a
real server, in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.docs.built import built_site, serving
from tests.web.support import PATIENCE


def test_the_policy_of_the_server_allows_what_the_pages_need(
    browser: Browser, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Nothing is refused or missing on the way from the first page to an answer of the search."""
    site = built_site(tmp_path_factory)
    with serving(site, tmp_path / "lampion.db") as base, browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on(
            "console", lambda said: troubles.extend([said.text] if said.type == "error" else [])
        )
        page.on("requestfailed", lambda request: troubles.append(request.url))

        opened = page.goto(f"{base}/docs/")
        assert opened and "script-src 'self'" in opened.headers["content-security-policy"]
        page.get_by_role("main").get_by_role("link", name="Researchers", exact=True).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("For researchers")

        page.locator("input[name=q]").first.fill("determinize")
        page.locator("input[name=q]").first.press("Enter")
        found = page.locator("#search-results ul.search a")
        expect(found.first).to_be_visible()
        expect(page.locator("#search-results")).to_contain_text("determinize")
        page.wait_for_load_state(
            "networkidle"
        )  # the search fetches a summary of every page it found
        found.first.click()
        expect(page.get_by_role("main")).to_contain_text("determinize")
        assert troubles == []
