"""Lanterns Dice and Lumens on every screen: what a step needs is seen, free and large enough."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.server.support import Json
from tests.web.positions import Moment, Shelf, of_game
from tests.web.reach import SMALLEST, faults_of, resize
from tests.web.support import ASIDE, Come, Visitor

PHONES = ((390, 664), (375, 667), (320, 568), (844, 390))
LARGER = ((768, 1024), (1366, 768), (1920, 1080))
LAPTOP, TABLET = (1366, 768), (768, 1024)
SIZES = {"en": (*PHONES, *LARGER), "fr": (*PHONES, LAPTOP), "it": (*PHONES, LAPTOP)}
LONGEST = "fr"
"""The language with the most words, in which drawers are opened."""
# --- what each step needs -------------------------------------------------------------------------

CONFIRM = "section.choice .main:enabled"
BUTTONS = "section.choice button"
CANCEL, WHOLE = "section.choice .button.quiet", ".water button.out"
PICK = """([selector]) => {
  const found = document.querySelector(selector);
  const box = found.getBoundingClientRect();
  found.dispatchEvent(new MouseEvent("click", { bubbles: true, view: window }));
  return Math.min(box.width, box.height);
}"""
"""Picks something as a tap would; gives how large it was."""
AREA, PICKED = ".target .hit, .water .pool", ".target.picked .hit, .water .ghost"


def dice_faults(visitor: Visitor, update: Json, screen: str) -> list[str]:
    page, choice = visitor.page, update["view"]["seats"][0]["choice"]
    wanted = {
        "svg.tray, .stacks .stack, .water svg.lake, button.rival": SMALLEST,
        ".own .total dd": 20,  # scores are never cut off
        BUTTONS: SMALLEST,
    }
    if choice == "card":
        wanted["button.card"] = SMALLEST
    elif choice == "launch":
        wanted["button.stack"] = SMALLEST
    faults = faults_of(page, wanted, f"{screen}, {choice}")
    if choice == "card":
        page.evaluate(PICK, ["button.card"])
        picked = {"button.card.picked": SMALLEST, CONFIRM: SMALLEST}
        faults += faults_of(page, picked, f"{screen}, card picked")
        page.evaluate(PICK, [CANCEL])
    if choice in ("tray", "card"):
        return faults
    size = page.evaluate(PICK, [AREA])
    picked = {BUTTONS: SMALLEST, CONFIRM: SMALLEST}
    if choice != "launch":  # the middle of a tile with a corner lies beside it
        picked[".target.picked .hit"] = SMALLEST
    if size < SMALLEST:  # what is too small for a thumb is drawn large by the same tap
        picked[WHOLE] = SMALLEST
    faults += faults_of(page, picked, f"{screen}, {choice} picked")
    page.evaluate(PICK, [CANCEL])
    if size < SMALLEST:
        page.evaluate(PICK, [WHOLE])
    return faults


def lumens_faults(visitor: Visitor, update: Json, screen: str) -> list[str]:
    page = visitor.page
    faults = faults_of(page, {"button.face": SMALLEST}, screen)
    size = page.evaluate(PICK, ["button.target"])
    wanted = {BUTTONS: SMALLEST, CONFIRM: SMALLEST, "button.target.chosen": SMALLEST}
    if size < SMALLEST:
        wanted[".house button.whole"] = SMALLEST
    faults += faults_of(page, wanted, f"{screen}, chosen")
    page.evaluate(PICK, ["button.cancel"])
    if size < SMALLEST:
        page.evaluate(PICK, [".house button.whole"])
    return faults


FAULTS: dict[str, Callable[[Visitor, Json, str], list[str]]] = {
    "lanterns_dice": dice_faults,
    "lumens": lumens_faults,
}

# --- long games, looked at in the middle and at their ends ----------------------------------------


def look(
    visitor: Visitor, shelf: Shelf, moment: Moment, size: tuple[int, int], more: str = ""
) -> list[str]:
    resize(visitor.page, size)
    screen = f"{moment.table} {size[0]}x{size[1]} {more}"
    return FAULTS[moment.game](visitor, shelf.told[moment.table], screen)


def arrive(come: Come, shelf: Shelf) -> Visitor:
    visitor = come(shelf.server, has_touch=True)
    visitor.close_eyes()
    visitor.sit_as(shelf.player)
    visitor.open(ASIDE)
    return visitor


def show(visitor: Visitor, shelf: Shelf, moment: Moment, language: str) -> None:
    visitor.read_in(language, {"id": moment.table}, shelf.told[moment.table]["view"]["ply"])
    visitor.page.locator("section.choice").first.wait_for()


@pytest.mark.parametrize("language", SIZES)
@pytest.mark.parametrize(("game", "players"), [("lanterns_dice", 4), ("lumens", 2), ("lumens", 4)])
def test_every_screen_finishes_a_move(
    come: Come, shelf: Shelf, game: str, players: int, language: str
) -> None:
    visitor, faults = arrive(come, shelf), []
    for moment in of_game(game, players):
        show(visitor, shelf, moment, language)
        for size in SIZES[language]:
            faults += look(visitor, shelf, moment, size, language)
        if language == LONGEST:
            faults += with_drawers(visitor, shelf, moment)
    assert not faults, "\n".join(faults)


def with_drawers(visitor: Visitor, shelf: Shelf, moment: Moment) -> list[str]:
    faults: list[str] = []
    for key in ("L", "C"):  # the log and the chat
        visitor.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
        drawer = visitor.page.locator(f"[aria-keyshortcuts={key}]")
        drawer.click()
        for size in (LAPTOP, TABLET):
            faults += look(visitor, shelf, moment, size, f"{LONGEST} {key}")
        drawer.click()
    return faults


@pytest.mark.parametrize("size", PHONES)
def test_a_lake_that_is_drawn_large_can_be_moved(
    come: Come, shelf: Shelf, size: tuple[int, int]
) -> None:
    """By a drag and by Shift with an arrow; neither picks."""
    visitor = arrive(come, shelf)
    page = visitor.page
    (moment,) = (each for each in of_game("lanterns_dice", 4) if each.name == "die")
    show(visitor, shelf, moment, "en")
    resize(page, size)
    lake, picked = page.locator(".water svg.lake"), page.locator(PICKED)
    first = page.locator(AREA).first
    box = first.bounding_box()
    assert box
    first.click(position={"x": box["width"] / 2, "y": box["height"] / 2})
    expect(picked).to_have_count(1)
    shown = [lake.get_attribute("viewBox")]
    box = page.locator("div.water").bounding_box()
    assert box
    for sign in (1, -1):
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + sign * 200, y, steps=4)
        page.mouse.up()
        shown.append(lake.get_attribute("viewBox"))
    assert len(set(shown)) > 1, "cannot be dragged"
    page.locator(".water [tabindex='0']").first.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    shown.append(lake.get_attribute("viewBox"))
    page.keyboard.press("Shift+ArrowLeft")
    assert lake.get_attribute("viewBox") != shown[-1], "cannot be moved by keys"
    expect(picked).to_have_count(1)
