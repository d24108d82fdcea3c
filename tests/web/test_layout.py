"""Every screen finishes a move: what a step needs is in sight, uncovered and large enough for a finger."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.server.support import Json
from tests.web.players import KEYS
from tests.web.positions import Shelf, of_game
from tests.web.reach import SETTLED, resize
from tests.web.support import ASIDE, Come, Visitor

SIZES = (
    (390, 664),
    (375, 667),
    (320, 568),
    (844, 390),
    (768, 1024),
    (1366, 768),
    (1920, 1080),
)
DESK, TABLET = (1366, 768), (768, 1024)
PHONES = ((390, 664), (375, 667), (320, 568), (844, 390))
LANGUAGES = {"en": SIZES, "fr": (*PHONES, DESK), "it": (*PHONES, DESK)}
"""Longer words could push something away where it is tight."""
LONGEST = "fr"
"""The language with the most words, in which drawers are opened."""
ROOMY = (TABLET, DESK, (1920, 1080))
SMALLEST_BUTTON = 40
SMALLEST_PLACE = 60
LOOKS = 12
SLACK = 0.5
"""Pixels that browsers round."""

REACH = """([selector, smallest]) => {
const isScrolled = (each) => {
  for (let up = each.parentElement; up && !up.matches("[data-ply]"); up = up.parentElement)
    if (up.scrollHeight > up.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(up).overflowY))
      return true;
  return false;
};
return [...document.querySelectorAll(selector)].flatMap((each) => {
  if (!each.checkVisibility({ visibilityProperty: true })) return [];
  const box = each.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const above = document.elementFromPoint(x, y);
  const faults = [
    (box.width < smallest || box.height < smallest) && "small",
    (box.x < -0.5 || box.y < -0.5 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5)
      && "outside",
    isScrolled(each) && "in a list that scrolls",
    !each.contains(above) && `under ${above?.outerHTML.slice(0, 80)}`,
  ].filter(Boolean);
  const name = each.getAttribute("aria-label") ?? each.textContent.trim();
  const lies = [box.width, box.height, box.x, box.y].map(Math.round);
  return faults.length ? [`${name}: ${faults} (width, height, x, y: ${lies})`] : [];
}).concat([document.scrollingElement, document.querySelector("[data-ply]")]
  .map((each) => each.scrollHeight - each.clientHeight)
  .flatMap((more) => more > 1 ? [`can be scrolled by ${more}`] : []));
}"""
"""What is wrong with the controls that a selector finds; neither page nor board nor a list may
scroll."""

OVERLAPS = """() => {
  const place = document.querySelector("button[data-cell][aria-pressed=true]").getBoundingClientRect();
  const [dx, dy] = [place.width / 4, place.height / 4]; // the sides of its neighbors
  const lake = document.querySelector(".lake").getBoundingClientRect();
  const marks = ".dock .emblem, .dock .arrival, .shores button, .zoom button";
  const covering = [...document.querySelectorAll(marks)].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.right > place.x - dx && box.x < place.right + dx && box.bottom > place.y - dy && box.y < place.bottom + dy;
  }).map((each) => each.outerHTML.slice(0, 90));
  const isInside = place.x >= lake.x && place.y >= lake.y && place.right <= lake.right && place.bottom <= lake.bottom;
  return { covering, isInside, size: Math.round(10 * place.width) / 10 };
}"""
"""What lies on the chosen place of a lake or on the sides next to it."""


TOO_WIDE = """() => [...document.querySelectorAll(".board .seat")]
  .filter((seat) => seat.scrollWidth > seat.clientWidth)
  .map((seat) => `the panel is too narrow: ${seat.textContent.trim()}`)"""


# --- walks -----------------------------------------------------------------------------------------


class Screen:
    """One page in one size, at one position; collects what is wrong with it."""

    def __init__(self, visitor: Visitor, size: tuple[int, int], what: str) -> None:
        self.visitor, self.page, self.size, self.what = visitor, visitor.page, size, what
        self.faults: list[str] = []

    def need(self, selector: str, stage: str) -> None:
        self.blame(
            stage, *self.settled(REACH, [selector, SMALLEST_BUTTON - SLACK], lambda got: got)
        )

    def settled(self, script: str, argument: Any, faulty: Callable[[Any], Any]) -> Any:
        """What a script finds; a board that has just been touched measures itself for some frames."""
        for _ in range(LOOKS):
            if not faulty(found := self.page.evaluate(script, argument)):
                break
            self.page.evaluate(SETTLED)
        return found

    def blame(self, stage: str, *faults: str) -> None:
        width, height = self.size
        self.faults += [f"{width}x{height} {self.what}, {stage}: {fault}" for fault in faults]

    def click(self, selector: str, which: int = 0) -> None:
        """As a finger would; what cannot be reached has been blamed already."""
        self.page.locator(selector).nth(which).evaluate("(each) => each.click()")

    def count(self, selector: str) -> int:
        return self.page.locator(selector).count()


def walk_lanterns(screen: Screen) -> None:
    """Lays a tile and looks into every other step; takes all of it back."""
    screen.need(".steps button:enabled, footer button:enabled", "idle")
    screen.blame("idle", *screen.settled(TOO_WIDE, None, lambda got: got))
    for step in range(screen.count(".steps button:enabled")):
        screen.click(".steps button:enabled", step)
        if screen.count(".hand button"):
            lay(screen)
        else:
            look_into(screen)
        while screen.count(".foot .cancel:enabled"):
            screen.click(".foot .cancel")


def lay(screen: Screen) -> None:
    screen.need(".hand button", "choosing a tile")
    screen.click(".hand button")
    places = screen.count("button[data-cell]")
    if screen.size in ROOMY:
        widths = screen.page.locator("button[data-cell]").evaluate_all(
            "(all) => all.map((each) => each.getBoundingClientRect().width)"
        )
        if min(widths) < SMALLEST_PLACE - SLACK:
            screen.blame("choosing a place", f"places of {min(widths)} px")
    for place in {0, places - 1}:
        screen.click("button[data-cell]", place)
        screen.need(".foot button:enabled, .hand button", "turning")
        if screen.count(".foot button.main:enabled") != 1:
            screen.blame("turning", "no button to confirm")
        lying = screen.settled(OVERLAPS, None, lambda got: got["covering"] or is_hidden(got))
        screen.blame("turning", *(f"{each} covers the place" for each in lying["covering"]))
        if is_hidden(lying):
            screen.blame("turning", f"the place is not to be seen: {lying}")


def is_hidden(place: Json) -> bool:
    return not place["isInside"] or place["size"] < SMALLEST_PLACE - SLACK


def look_into(screen: Screen) -> None:
    """Exchange, dedicate, discard or pass: one card or set of each row, then the confirmation."""
    screen.need("[role=radio]:enabled, .foot button:enabled", "choosing cards")
    groups = screen.count("[role=radiogroup]")
    order = row_names(screen, groups - 1) if groups else []
    for row in range(groups):
        screen.click(f"[role=radiogroup] >> nth={row} >> [role=radio]:enabled")
    if groups and row_names(screen, groups - 1) != order:
        screen.blame("choosing cards", "the cards change their order")
    screen.need("[role=radio]:enabled, .foot button:enabled", "confirming")
    if screen.count(".foot button.main:enabled") != 1:
        screen.blame("confirming", "no button to confirm")


def row_names(screen: Screen, row: int) -> list[str]:
    names: list[str] = (
        screen.page.locator("[role=radiogroup]")
        .nth(row)
        .locator("[role=radio]")
        .evaluate_all("(all) => all.map((each) => each.getAttribute('aria-label'))")
    )
    return names


WALKS: dict[str, Callable[[Screen], None]] = {"lanterns": walk_lanterns}
"""Add a game when its board keeps to all of this."""


# --- what must hold -------------------------------------------------------------------------------


def walk(visitor: Visitor, name: str, size: tuple[int, int], what: str) -> list[str]:
    resize(visitor.page, size)
    screen = Screen(visitor, size, what)
    WALKS[name](screen)
    return screen.faults


def walk_drawers(visitor: Visitor, name: str, what: str) -> list[str]:
    faults: list[str] = []
    for place, drawer in enumerate(("log", "chat")):
        button = visitor.page.locator("header button[aria-pressed]").nth(place)
        button.click()
        for size in (DESK, TABLET):
            faults += walk(visitor, name, size, f"{what} with the {drawer}")
        button.click()
    return faults


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", WALKS)
def test_every_screen_finishes_a_move(come: Come, shelf: Shelf, name: str, language: str) -> None:
    visitor = come(shelf.server)
    visitor.close_eyes()
    visitor.sit_as(shelf.player)
    visitor.open(ASIDE)
    faults: list[str] = []
    for moment in of_game(name, 4):
        ply = shelf.told[moment.table]["view"]["ply"]
        visitor.read_in(language, {"id": moment.table}, ply)
        visitor.page.locator(".steps, [data-ply] button.main").first.wait_for()
        what = f"{moment.name} ({language})"
        for size in LANGUAGES[language]:
            faults += walk(visitor, name, size, what)
        if language == LONGEST:
            faults += walk_drawers(visitor, name, what)
    assert faults == []


@pytest.mark.parametrize("name", WALKS)
def test_the_guide_leaves_room_for_a_move(come: Come, name: str) -> None:
    visitor = come(locale="fr-FR")  # it needs the most words
    visitor.close_eyes()
    visitor.open(f"/learn/{name}")
    visitor.page.locator(".coach .row .main").click()
    visitor.page.locator(".steps").wait_for()
    sizes = ((390, 664), (390, 844), (844, 390), DESK)
    assert [fault for size in sizes for fault in walk(visitor, name, size, "guided")] == []


def test_night_is_the_first_look(come: Come) -> None:
    visitor = come(color_scheme="light")
    page = visitor.open()
    visitor.card("lanterns").wait_for()
    dark = page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    visitor.prefer(theme="auto")
    page.reload()
    visitor.card("lanterns").wait_for()
    light = page.evaluate("getComputedStyle(document.documentElement).colorScheme")
    assert (dark, light) == ("dark", "light")


def test_the_focus_stays_at_the_board_after_a_move(come: Come) -> None:
    """And nothing can be taken back before the first move, and the lake does not come flying."""
    visitor = come(reduced_motion="no-preference")
    visitor.context.add_init_script(
        "addEventListener('transitionrun', (event) => event.target.matches('.plane') && (window.flown = true), true)"
    )
    visitor.press_play("lanterns")
    visitor.wait_for_turn()
    undo = visitor.button("Undo")
    assert visitor.page.evaluate("window.flown") is None
    expect(undo).to_be_disabled()
    visitor.move_with(KEYS["lanterns"])
    visitor.wait_for_turn()
    expect(visitor.page.locator("[data-home]")).to_be_focused()
    expect(undo).to_be_enabled()
    undo.click()
    expect(undo).to_be_disabled()
    visitor.wait_for_turn()
    visitor.press("2")
    expect(
        visitor.page.get_by_role("button", name=re.compile("^Tile 2 of your hand"))
    ).to_have_attribute("aria-pressed", "true")
