"""Lanterns Dice and Lumens on every screen: what a step needs is seen, free and large enough."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.server.support import Json, Person
from tests.support import IS_NIGHT
from tests.web.reach import SMALLEST, check_buttons, check_still, resize
from tests.web.support import Come, Visitor, play_until

PHONES = ((390, 664), (375, 667), (320, 568), (844, 390))
LARGER = ((768, 1024), (1366, 768), (1920, 1080))
LAPTOP, TABLET = (1366, 768), (768, 1024)
TIGHT = ((320, 568), (844, 390))
"""Where longer words could push something away."""
# --- what each step needs -------------------------------------------------------------------------

BUTTONS = "section.choice button:not(.ask)"


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
    move_lake(visitor, screen)


def move_lake(visitor: Visitor, screen: str) -> None:
    """A lake that is drawn large is moved by a drag and by Shift with an arrow; neither picks."""
    page, lake = visitor.page, visitor.page.locator(".water svg.lake")
    picked = page.locator(".target.picked, .water .ghost").count()
    box = page.locator("div.water").bounding_box()
    assert box
    shown = [lake.get_attribute("viewBox")]
    for sign in (1, -1):
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + sign * 200, y, steps=4)
        page.mouse.up()
        shown.append(lake.get_attribute("viewBox"))
    assert len(set(shown)) > 1, f"{screen}: cannot be dragged"
    page.locator(".water [tabindex='0']").first.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    shown.append(lake.get_attribute("viewBox"))
    page.keyboard.press("Shift+ArrowLeft")
    assert lake.get_attribute("viewBox") != shown[-1], f"{screen}: cannot be moved by keys"
    assert page.locator(".target.picked, .water .ghost").count() == picked, screen


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


def read_in(visitor: Visitor, language: str, table: Json, ply: int) -> None:
    """The table in that language. No page is open while the game goes on: it would draw every move."""
    visitor.page.evaluate(
        "language => localStorage.setItem('lampion', JSON.stringify({ language }))", language
    )
    visitor.open(f"/t/{table['id']}")
    follow(visitor, ply)
    visitor.page.locator("section.choice").first.wait_for()


def look(visitor: Visitor, update: Json, game: str, size: tuple[int, int], more: str = "") -> None:
    resize(visitor.page, size)
    CHECKS[game](visitor, update, f"{game} {size[0]}x{size[1]} {more}")


@pytest.mark.parametrize(("game", "players"), [("lanterns_dice", 4), ("lumens", 2), ("lumens", 4)])
def test_every_screen_finishes_a_move(come: Come, game: str, players: int) -> None:
    visitor = come(has_touch=True)
    person = Person(visitor.site, "Aurelia")
    table = person.table("me", *["novice"] * (players - 1), game=game)
    visitor.sit_as(person)
    visitor.open("/api/catalogue")
    chance, seen = random.Random(3), 0
    for number, moment in enumerate(moments(game)):
        update = play_until(person, table, chance, moment)
        if update["view"]["to_act"] is None:
            break
        seen += 1
        for language in ("en", "fr", "it") if IS_NIGHT else ("en", ("fr", "it")[number % 2]):
            read_in(visitor, language, table, update["ply"])
            for size in (*PHONES, *LARGER) if language == "en" else TIGHT:
                look(visitor, update, game, size, language)
            open_drawers(visitor, update, game, language)
        visitor.open("/api/catalogue")
    assert seen >= 2


def open_drawers(visitor: Visitor, update: Json, game: str, language: str) -> None:
    for key in ("L", "C"):  # the log and the chat
        visitor.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
        drawer = visitor.page.locator(f"[aria-keyshortcuts={key}]")
        drawer.click()
        for size in (LAPTOP, TABLET):
            look(visitor, update, game, size, f"{language} {key}")
        drawer.click()
