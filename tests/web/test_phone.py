"""A phone of 360 pixels, by touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.server.support import Json
from tests.web.players import CLICKS
from tests.web.positions import Shelf
from tests.web.support import GAMES, PHONE, Come, Visitor, expect_no_overflow

PAGES = ["/", "/about", "/replay", "/rules/lanterns", "/learn/lumens"]


@pytest.mark.parametrize("game", GAMES)
def test_moves_by_touch(come: Come, game: str) -> None:
    visitor = come(**PHONE)
    visitor.press_play(game)
    for _ in range(3):
        visitor.move_with(CLICKS[game])
        expect_no_overflow(visitor)


def pinch_and_pan_away(visitor: Visitor, frame: str) -> None:
    box = visitor.page.locator(frame).bounding_box()
    assert box
    line = visitor.context.new_cdp_session(visitor.page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(places)]
        line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch("touchStart", (x - 20, y), (x + 20, y))
    for apart in (40, 70, 100):
        touch("touchMove", (x - apart, y), (x + apart, y))
    touch("touchEnd")
    for _ in range(4):
        touch("touchStart", (box["x"] + 20, y))
        for to in (60, 200, 320):
            touch("touchMove", (box["x"] + to, y))
        touch("touchEnd")


INSIDE = """([frame, chosen]) => {
  const [outer, inner] = [frame, chosen].map((each) => document.querySelector(each).getBoundingClientRect());
  const isInside = inner.left >= outer.left - 1 && inner.right <= outer.right + 1
    && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  return isInside && Math.min(inner.width, inner.height) >= 40;
}"""


@pytest.mark.parametrize(
    ("table", "frame", "place"),
    [
        ("lanterns-4-middle", ".lake", "button[data-cell]"),
        ("lumens-2-middle", ".house", "button[data-square]"),
    ],
    ids=["lanterns", "lumens"],
)
@pytest.mark.parametrize("is_panned", [False, True], ids=["whole", "panned"])
def test_a_hint_that_is_tapped_shows_its_place(
    come: Come, shelf: Shelf, table: str, frame: str, place: str, is_panned: bool
) -> None:
    """Wherever the player looked before, and large enough for a thumb."""
    visitor = come(shelf.server, **PHONE)
    visitor.sit_as(shelf.player)
    page = visitor.open(f"/t/{table}")
    page.locator(place).first.wait_for()
    action = next(each for each in shelf.told[table]["legal"] if "@" in each or "=" in each)
    page.route("**/engine/*.wasm*", lambda route: route.abort())
    page.route("**/hint", lambda route: route.fulfill(json=hint_to(shelf.told[table], action)))
    page.locator("[aria-keyshortcuts=H]").tap()
    shown = page.locator(".board button.hint").first
    shown.wait_for()
    if is_panned:
        pinch_and_pan_away(visitor, frame)
    shown.dispatch_event("click")  # a tap right after a stroke would only stop its momentum
    chosen = f"{place}[aria-pressed=true]"
    page.locator(chosen).wait_for(state="attached")
    page.wait_for_function(INSIDE, arg=[frame, chosen])


def hint_to(told: Json, action: str) -> Json:
    """What the server would say of that action."""
    move = {"action": action, "value": 0.5, "share": 1.0, "events": [], "does": ""}
    return {"ply": told["view"]["ply"], "moves": [move], "events": [], "sentence": "That is best."}


def test_no_page_is_wider_than_the_screen(come: Come) -> None:
    visitor = come(**PHONE)
    for path in PAGES:
        visitor.open(path).wait_for_load_state("networkidle")
        expect_no_overflow(visitor)
    visitor.open()
    visitor.button("Settings").tap()
    expect(visitor.page.get_by_role("dialog", name="Settings")).to_be_visible()
    expect_no_overflow(visitor)


def test_sounds_are_off_on_a_phone_and_on_elsewhere(come: Come) -> None:
    for options, is_on in ((PHONE, False), ({}, True)):
        visitor = come(**options)
        visitor.open()
        visitor.hit(visitor.button("Settings"))
        expect(visitor.page.get_by_label("Soft sounds")).to_be_checked(checked=is_on)
