"""How fast it is in the browser: from the click to the result, and from frame to frame. `make speed` prints the figures.

Measured on the clock of the page itself. Other work on the machine makes everything slower, and the page is not to blame for it: a
loop that only counts is timed in between, and what it loses is forgiven. On a quiet machine it loses nothing.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

import pytest

from tests.server.support import Json, Person, Server
from tests.web.players import CLICKS
from tests.web.support import GAMES, Come

MAX_MOVE_MS = 100
MOVES, MIN_MOVES = 15, 8
FRAME_MS = 1000 / 60
MAX_LATE = 0.2
"""The share of frames that may come late: a new position is drawn before anything on it moves."""
MIN_ANIMATED_MS = 3_000
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


COUNTING_SECONDS = 0.03
BUSY_BOARD: dict[str, Callable[[Json], bool]] = {
    "lanterns": lambda view: len(view["lake"]) >= 16,
    "lanterns_dice": lambda view: view["turn"]["number"] >= 4,
    "lumens": lambda view: view["ply"] >= 40,
}
"""When a board has much on it, and the game is not yet about to end."""


def lost_to_others() -> float:
    """How much longer work takes here than it should: 1 on a quiet machine, 2 if it gets half a core."""
    started, end = time.perf_counter(), time.thread_time() + COUNTING_SECONDS
    while time.thread_time() < end:
        pass
    return max(1.0, (time.perf_counter() - started) / COUNTING_SECONDS)


@pytest.fixture
def tell(capsys: pytest.CaptureFixture[str]) -> Tell:
    """Figures are printed even if the test passes."""

    def say(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}", end="")

    return say


@pytest.mark.parametrize("game", GAMES)
def test_a_move_shows_at_once(come: Come, site: Server, game: str, tell: Tell) -> None:
    """From the confirming click to the frame with the result. Ben plays from elsewhere, so no other screen has to be drawn here."""
    ada, ben, chance = Person(site, "Ada"), Person(site, "Ben"), random.Random(5)
    table = ada.table("me", "open", game=game)
    ben.join(table)
    visitor, lost = come(), []
    visitor.sit_as(ada)
    visitor.context.add_init_script(CLOCK)
    visitor.open(f"/t/{table['id']}")
    for move in range(MOVES + 1):
        answer(ben, table, chance)
        if not visitor.wait_for_turn():
            break
        visitor.move_with(CLICKS[game])
        visitor.wait_until(lambda: visitor.shown_ply == visitor.latest["ply"], "the page follows")
        if move == 0:  # the first move also loads what is needed
            visitor.page.evaluate("window.shown.length = 0")
        lost.append(lost_to_others())
    shown = sorted(visitor.page.evaluate("window.shown"))
    median, busy = statistics.median(shown), statistics.median(lost)
    tell(
        f"{game}: a move shows after {median:.0f} ms (median of {len(shown)}; worst {shown[-1]:.0f} ms); {busy:.1f} times busy"
    )
    assert len(shown) >= MIN_MOVES
    assert median <= MAX_MOVE_MS * busy


def answer(ben: Person, table: Json, chance: random.Random) -> None:
    """Ben does what he can."""
    while (update := ben.update(table))["legal"]:
        assert ben.act(table, update, chance.choice(update["legal"])).status_code == 200


def move_elsewhere(ada: Person, table: Json, chance: random.Random) -> Json:
    """Ada moves from another device of hers; gives what she saw before."""
    update = ada.update(table)
    while not update["legal"]:
        assert update["view"]["to_act"] is not None, "the game is over too soon"
        update = ada.update(table)
    assert ada.act(table, update, chance.choice(update["legal"])).status_code in (
        200,
        409,
    )  # bots may be quicker
    seen: Json = update["view"]
    return seen


@pytest.mark.parametrize("game", GAMES)
def test_animations_run_at_sixty_frames(come: Come, site: Server, game: str, tell: Tell) -> None:
    """A board of four with much on it, on a big screen, while hand-outs, dice and lamps of everybody are animated."""
    ada, chance = Person(site, "Ada"), random.Random(5)
    table = ada.table("me", "novice", "novice", "novice", game=game)
    while not BUSY_BOARD[game](move_elsewhere(ada, table, chance)):
        pass
    visitor = come(**FULL_SIZE)
    visitor.sit_as(ada)
    visitor.context.add_init_script(FRAMES)
    visitor.open(f"/t/{table['id']}")
    visitor.wait_for_turn()
    lost = []
    for _ in range(6):
        move_elsewhere(ada, table, chance)
        visitor.wait_for_turn()
        visitor.page.wait_for_timeout(1_000)
        lost.append(lost_to_others())
    frames = sorted(visitor.page.evaluate("window.frames_ms"))
    median, busy, late = (
        statistics.median(frames),
        statistics.median(lost),
        sum(ms > 1.5 * FRAME_MS for ms in frames),
    )
    mean = 1000 * len(frames) / sum(frames)
    tell(
        f"{game}: a frame every {median:.1f} ms (median of {len(frames)}); {late} came late, {mean:.0f} frames a second on average; "
        f"{busy:.1f} times busy"
    )
    assert sum(frames) >= MIN_ANIMATED_MS
    assert median <= 1.05 * FRAME_MS * busy
    assert late <= MAX_LATE * busy * len(frames)
