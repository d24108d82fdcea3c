"""How much comes before the first page, and how fast a move shows."""

from __future__ import annotations

import gzip
import os
import re
import statistics

from lampion.server.app import STATIC
from tests.web.players import CLICKS
from tests.web.support import Visitor

MAX_FIRST_LOAD = 120_000
MAX_MOVE_MS = 100

CLOCK = """
window.shown = [];
let pressed = null;
addEventListener("click", (event) => { pressed = event.timeStamp; }, true);
new MutationObserver((changes) => {
  if (pressed === null || !changes.some(({ attributeName }) => attributeName === "data-ply")) return;
  const since = pressed;
  pressed = null;
  requestAnimationFrame(() => window.shown.push(performance.now() - since));
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-ply"] });
"""


def test_the_first_page_needs_little_javascript() -> None:
    """All scripts that index.html names, and what they import at once, compressed as the server sends them."""
    waiting = re.findall(r'(?:src|href)="/(assets/[^"]+\.js)"', (STATIC / "index.html").read_text("utf-8"))
    found: dict[str, int] = {}
    while waiting:
        path = waiting.pop()
        if path not in found:
            text = (STATIC / path).read_bytes()
            found[path] = len(gzip.compress(text, 6))
            waiting += [
                f"assets/{name}" for name in re.findall(rb'(?:from|import)"\./([^"]+\.js)"', text) for name in [name.decode()]
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


def test_a_move_shows_at_once(visitor: Visitor) -> None:
    """From the click that confirms to the frame that shows the result, in the middle of several moves.

    A machine that has more to do than it has cores is given as many times longer.
    """
    visitor.context.add_init_script(CLOCK)
    visitor.play("lumens")
    for _ in range(9):
        visitor.move_with(CLICKS["lumens"])
    visitor.wait_for_turn()
    shown = visitor.page.evaluate("window.shown")
    busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    assert len(shown) >= 8
    assert statistics.median(shown) < MAX_MOVE_MS * busy, f"{shown} on a machine {busy:.1f} times too busy"
