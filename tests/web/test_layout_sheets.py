"""Lanterns Dice and Lumens on every screen: what a step needs is seen, free and large enough."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.server.support import Json, Person
from tests.web.support import Come, Visitor

PHONES = ((390, 664), (375, 667), (320, 568), (844, 390))
LARGER = ((768, 1024), (1366, 768), (1920, 1080))
LAPTOP = (1366, 768)
SMALLEST = 40
FAULTS = """([selector, least]) => [...document.querySelectorAll(selector)].flatMap((button) => {
  const box = button.getBoundingClientRect();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const name = button.getAttribute("aria-label") ?? button.textContent.trim();
  const said = `${name} (${Math.round(box.x)},${Math.round(box.y)} ${Math.round(box.width)}x${Math.round(box.height)})`;
  if (box.width < least - 0.5 || box.height < least - 0.5) return [`too small: ${said}`];
  if (box.x < 0 || box.y < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5)
    return [`outside: ${said}`];
  const top = document.elementFromPoint(x, y);
  return button.contains(top) ? [] : [`covered by ${top?.className?.baseVal ?? top?.className}: ${said}`];
})"""
SCROLLS = """() => [...document.querySelectorAll('[data-ply], [data-ply] > .board, [data-ply] .side')]
  .filter((each) => getComputedStyle(each).display !== 'contents')
  .filter((each) => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
  .map((each) => `${each.className} ${each.scrollWidth}x${each.scrollHeight}`)"""
SETTLED = """() => new Promise((done) => {
  let frames = 4; // sizes are bound a frame after the window has changed
  const next = () => (frames-- ? requestAnimationFrame(next) : done());
  next();
})"""

# --- what each step needs -------------------------------------------------------------------------

BUTTONS = "section.choice button:not(.ask)"


def check_buttons(page: Page, selector: str, screen: str, least: int = SMALLEST) -> None:
    assert page.locator(selector).count(), f"{screen}: there is no {selector}"
    assert page.evaluate(FAULTS, [selector, least]) == [], screen


def check_still(page: Page, screen: str) -> None:
    assert page.evaluate(SCROLLS) == [], f"{screen}: scrolls"


def check_dice(visitor: Visitor, update: Json, screen: str) -> None:
    page, choice = visitor.page, update["view"]["seats"][0]["choice"]
    check_still(page, screen)
    for seen in ("svg.tray", ".stacks .stack", ".water svg.lake"):
        check_buttons(page, seen, screen)
    check_buttons(page, ".own .total dd", screen, 20)  # scores are never cut off
    check_buttons(page, "button.rival", screen)
    check_buttons(page, BUTTONS, f"{screen}, {choice}")
    if choice == "card":
        check_buttons(page, "button.card", screen)
    elif choice == "launch":
        check_buttons(page, "button.stack", screen)
    if choice in ("tray", "card"):
        return
    touch_lake(visitor, screen)
    check_buttons(page, BUTTONS, f"{screen}, {choice} picked")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")


def touch_lake(visitor: Visitor, screen: str) -> None:
    """Every area is large enough at once, or after a tap that draws the lake large."""
    page = visitor.page
    first = page.locator(".target .hit, .water .pool").first
    box = first.bounding_box()
    assert box
    size = min(box["width"], box["height"])
    first.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    whole = page.locator(".water button.out")
    if size >= SMALLEST:
        assert whole.count() == 0 or size < 46, screen
        return
    check_buttons(page, ".water button.out", screen)
    large = page.locator(".target.picked .hit, .water .ghost").first.bounding_box()
    assert large and min(large["width"], large["height"]) >= SMALLEST, screen


def check_lumens(visitor: Visitor, update: Json, screen: str) -> None:
    page = visitor.page
    check_still(page, screen)
    check_buttons(page, "button.face", screen)
    squares = page.locator("button.target")
    box = squares.first.bounding_box()
    assert box
    squares.first.evaluate("(square) => square.click()")
    if box["width"] < SMALLEST:
        check_buttons(page, ".house button.whole", screen)
        check_buttons(page, "button.target.chosen", screen)
    check_still(page, f"{screen}, chosen")
    check_buttons(page, BUTTONS, f"{screen}, chosen")
    page.locator("button.cancel").click()
    if box["width"] < SMALLEST:
        page.locator(".house button.whole").click()


CHECKS: dict[str, Callable[[Visitor, Json, str], None]] = {
    "lanterns_dice": check_dice,
    "lumens": check_lumens,
}

# --- a long game, looked at in the middle and at its end ------------------------------------------


def play_until(person: Person, table: Json, chance: random.Random, ends: Callable[..., Any]) -> Any:
    """Any moves but the idle ones, until it is this person's turn in a position of that kind."""
    while True:
        update = person.update(table)
        if update["view"]["to_act"] is None or (update["legal"] and ends(update)):
            return update
        if update["legal"]:
            busy = [action for action in update["legal"] if action not in ("skip", "reroll")]
            person.act(table, update, chance.choice(busy or update["legal"]))


def moments(game: str) -> list[Callable[[Json], bool]]:
    """Every kind of step in the middle, and one near the end."""
    if game == "lumens":
        return [
            lambda update: len(update["view"]["squares"]) >= 14,
            lambda update: update["view"]["seats"][0]["num_unshown"] <= 4,
        ]

    def asks(choice: str, number: int) -> Callable[[Json], bool]:
        return lambda update: (
            update["view"]["turn"]["number"] >= number
            and update["view"]["seats"][0]["choice"] == choice
        )

    return [asks("tray", 2), asks("die", 3), asks("card", 3), asks("launch", 3), asks("die", 5)]


def follow(visitor: Visitor, ply: int) -> None:
    """Until the page shows that ply; in Dice the others may have gone on."""
    visitor.wait_until(lambda: visitor.shown_ply >= ply, "the page follows")


def look(visitor: Visitor, update: Json, game: str, size: tuple[int, int], more: str = "") -> None:
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    visitor.page.evaluate(SETTLED)
    CHECKS[game](visitor, update, f"{game} {size[0]}x{size[1]} {more}")


@pytest.mark.parametrize(("game", "players"), [("lanterns_dice", 4), ("lumens", 2), ("lumens", 4)])
def test_every_screen_finishes_a_move(come: Come, game: str, players: int) -> None:
    visitor = come(has_touch=True)
    person = Person(visitor.site, "Aurelia")
    table = person.table("me", *["novice"] * (players - 1), game=game)
    visitor.sit_as(person)
    visitor.open(f"/t/{table['id']}")
    chance, seen = random.Random(3), 0
    for moment in moments(game):
        update = play_until(person, table, chance, moment)
        if update["view"]["to_act"] is None:
            break
        seen += 1
        follow(visitor, update["ply"])
        for size in (*PHONES, *LARGER):
            look(visitor, update, game, size)
        for drawer in ("Log", "Chat"):
            visitor.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
            visitor.button(drawer).click()
            look(visitor, update, game, LAPTOP, drawer)
            visitor.button(drawer).click()
    assert seen >= 2
