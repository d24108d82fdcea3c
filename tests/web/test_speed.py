"""How fast it is in the browser: from the click to the result, and from frame to frame. `make speed` prints the figures.

Measured on the monotonic clock of the page itself. Other work on the machine makes everything slower, the page is not to blame for it:
a clock that does nothing but count runs beside, and what it loses is forgiven.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable

import pytest

from tests.server.support import Json, Person, Server
from tests.web.players import CLICKS
from tests.web.support import GAMES, Come, Visitor, two_at, whose_turn

MAX_MOVE_MS = 100
FRAME_MS = 1000 / 60
FULL_SIZE = {"viewport": {"width": 1920, "height": 1080}, "reduced_motion": "no-preference"}
Tell = Callable[[str], None]

CLOCK = """
window.shown = [];
let pressed = null;
addEventListener("click", (event) => { pressed = event.timeStamp; }, true);
new MutationObserver(() => {
  if (pressed === null) return;
  const since = pressed;
  pressed = null;
  requestAnimationFrame(() => setTimeout(() => window.shown.push(performance.now() - since)));
}).observe(document, { subtree: true, attributes: true, attributeFilter: ["data-ply"] });
"""
"""From the last click before the board changes until the frame that shows the change has been drawn."""

FRAMES = """
window.frames_ms = [];
let last = null, until = 0;
new MutationObserver(() => { until = performance.now() + 900; })
  .observe(document, { subtree: true, attributes: true, attributeFilter: ["data-ply"] });
const tick = (now) => {
  if (last !== null && now < until) window.frames_ms.push(now - last);
  last = now;
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
"""
"""Times between frames while something that happened is animated."""


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Tell:
    """Figures are printed even if the test passes."""

    def say(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}", end="")

    return say


def start_clock(visitor: Visitor) -> None:
    visitor.context.add_init_script(CLOCK)


@pytest.mark.parametrize("game", GAMES)
def test_a_move_shows_at_once(come: Come, game: str, tell: Tell) -> None:
    """From the confirming click to the frame with the result: people play, so no bot takes its time."""
    people = two_at(come, game, before=start_clock)
    for _ in range(12):
        whose_turn(*people).move_with(CLICKS[game])
        people[0].wait_until(lambda: people[0].shown_ply == people[1].shown_ply == people[0].latest["ply"], "both see it")
    shown = sorted(ms for visitor in people for ms in visitor.page.evaluate("window.shown"))
    tell(f"{game}: a move shows after {statistics.median(shown):.0f} ms (median of {len(shown)}; worst {shown[-1]:.0f} ms)")
    assert len(shown) >= 10
    assert statistics.median(shown) <= MAX_MOVE_MS


def some_moves(ada: Person, table: Json, chance: random.Random, count: int) -> None:
    """Ada moves from another device of hers, and waits for the bots."""
    for _ in range(count):
        update = ada.update(table)
        while not update["legal"]:
            assert update["view"]["to_act"] is not None, "the game is over too soon"
            update = ada.update(table)
        assert ada.act(table, update, chance.choice(update["legal"])).status_code == 200


@pytest.mark.parametrize(("game", "before"), [("lanterns", 14), ("lanterns_dice", 60), ("lumens", 8)])
def test_animations_run_at_sixty_frames(come: Come, site: Server, game: str, before: int, tell: Tell) -> None:
    """A board of four with much on it, on a big screen, while hand-outs, dice and lamps of everybody are animated."""
    ada, chance = Person(site, "Ada"), random.Random(5)
    table = ada.table("me", "novice", "novice", "novice", game=game)
    some_moves(ada, table, chance, before)
    visitor = come(**FULL_SIZE)
    visitor.sit_as(ada)
    visitor.context.add_init_script(FRAMES)
    visitor.open(f"/t/{table['id']}")
    visitor.wait_for_turn()
    for _ in range(6):
        some_moves(ada, table, chance, 1)
        visitor.wait_for_turn()
        visitor.page.wait_for_timeout(1_000)
    frames = sorted(visitor.page.evaluate("window.frames_ms"))
    median, slow = statistics.median(frames), sum(ms > 1.5 * FRAME_MS for ms in frames)
    tell(f"{game}: {1000 / median:.0f} frames a second (median of {len(frames)} frames {median:.1f} ms; {slow} came late)")
    assert len(frames) >= 100
    assert median <= 1.05 * FRAME_MS
