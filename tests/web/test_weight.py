"""How much comes before the first page."""

from __future__ import annotations

import gzip
import re

from lampion.server.web.client import STATIC
from tests.web.support import Visitor

MAX_FIRST_LOAD = 60_000


def test_the_first_page_needs_little_javascript() -> None:
    """All scripts that index.html names, and what they import at once, compressed as the server sends them."""
    waiting = re.findall(
        r'(?:src|href)="/(assets/[^"]+\.js)"', (STATIC / "index.html").read_text("utf-8")
    )
    found: dict[str, int] = {}
    while waiting:
        path = waiting.pop()
        if path not in found:
            text = (STATIC / path).read_bytes()
            found[path] = len(gzip.compress(text, 6))
            waiting += [
                f"assets/{name}"
                for name in re.findall(rb'(?:from|import)"\./([^"]+\.js)"', text)
                for name in [name.decode()]
            ]
    assert found
    assert sum(found.values()) <= MAX_FIRST_LOAD


def test_the_browser_loads_no_more_than_that(visitor: Visitor) -> None:
    """What really crosses the line for the first page: scripts, as they are transferred."""
    page = visitor.open()
    page.wait_for_load_state("networkidle")
    sizes = page.evaluate(
        "() => performance.getEntriesByType('resource').filter((each) => each.name.endsWith('.js')).map((each) => each.encodedBodySize)"
    )
    assert 0 < sum(sizes) <= MAX_FIRST_LOAD
