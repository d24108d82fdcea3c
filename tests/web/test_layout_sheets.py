"""Lanterns Dice and Lumens on every screen: what a step needs is seen, free and large enough."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.server.support import Json, Person
from tests.support import IS_NIGHT
from tests.web.reach import SETTLED, SMALLEST, check_buttons, check_still, resize
from tests.web.support import ASIDE, Come, Visitor, busy, play_until

PHONES = ((390, 664), (375, 667), (320, 568), (844, 390))
LARGER = ((768, 1024), (1366, 768), (1920, 1080))
LAPTOP, TABLET = (1366, 768), (768, 1024)
MOST_GAMES = 5
LANGUAGES = ("en", "fr", "it")
TIGHT = ((320, 568), (844, 390))
"""Where longer words could push something away."""
# --- what each step needs -------------------------------------------------------------------------

BUTTONS = "section.choice button"


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
    page.evaluate(SETTLED)  # what goes takes the focus along, and the board gets it back
    page.keyboard.press("Escape")
    expect(page.locator(".water button.out")).to_have_count(0)


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


Moment = Callable[[Json], bool]


def moments(game: str) -> list[Moment]:
    """Every kind of step in the middle, and the last ones. Crowded lakes with many fireworks to
    launch are looked at by night: at 844x390 their words do not always fit yet."""
    if game == "lumens":
        return [
            lambda update: len(update["view"]["squares"]) >= 14,
            lambda update: update["view"]["seats"][0]["num_unshown"] <= 4,
        ]

    def asks(choice: str, from_turn: int = 2) -> Moment:
        return lambda update: (
            update["view"]["turn"]["number"] >= from_turn
            and update["view"]["turn"]["phase"] != "last_launch"
            and update["view"]["seats"][0]["choice"] == choice
        )

    if not IS_NIGHT:
        return [asks("tray"), asks("die", 3), asks("card", 3)]
    return [
        *(asks(choice) for choice in ("tray", "die", "card", "launch")),
        lambda update: asks("die", update["view"]["turn"]["of"])(update),
        lambda update: update["view"]["turn"]["phase"] == "last_launch",
    ]


def promising(update: Json) -> list[str]:
    """What brings the moments about: completed pools, and fireworks that are kept for the end."""
    legal: list[str] = update["legal"]
    own = update["view"]["seats"][0]
    if own.get("choice") == "launch":
        return ["skip"]
    halves = {area[:2] for area in own.get("shaded", ())}
    return [action for action in legal if action[:2] in halves] or busy(update)


class Games:
    """Games of one kind, one after another: what does not come up in one does in another."""

    def __init__(self, person: Person, game: str, players: int) -> None:
        self.person, self.game, self.players = person, game, players
        self.chance = random.Random(3)
        self.table = self._begin()

    def _begin(self) -> Json:
        return self.person.table("me", *["novice"] * (self.players - 1), game=self.game)

    def reach(self, moment: Moment) -> Json:
        for _ in range(MOST_GAMES):
            choose = promising if IS_NIGHT else busy
            update = play_until(self.person, self.table, self.chance, moment, choose)
            if update["legal"]:
                return update
            self.table = self._begin()
        raise AssertionError(f"{MOST_GAMES} games of {self.game} ended before it was asked")


def look(visitor: Visitor, update: Json, game: str, size: tuple[int, int], more: str = "") -> None:
    resize(visitor.page, size)
    CHECKS[game](visitor, update, f"{game} {size[0]}x{size[1]} {more}")


@pytest.mark.parametrize(("game", "players"), [("lanterns_dice", 4), ("lumens", 2), ("lumens", 4)])
def test_every_screen_finishes_a_move(come: Come, game: str, players: int) -> None:
    visitor = come(has_touch=True)
    visitor.close_eyes()
    person = Person(visitor.site, "Aurelia")
    games = Games(person, game, players)
    visitor.sit_as(person)
    visitor.open(ASIDE)
    for moment in moments(game):
        update = games.reach(moment)
        for language in LANGUAGES:
            visitor.read_in(language, games.table, update["ply"])
            visitor.page.locator("section.choice").first.wait_for()
            for size in (*PHONES, *LARGER) if language == "en" else TIGHT:
                look(visitor, update, game, size, language)
            if language == "en" or IS_NIGHT:
                open_drawers(visitor, update, game, language)
        visitor.open(ASIDE)


def open_drawers(visitor: Visitor, update: Json, game: str, language: str) -> None:
    for key in ("L", "C"):  # the log and the chat
        visitor.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
        drawer = visitor.page.locator(f"[aria-keyshortcuts={key}]")
        drawer.click()
        for size in (LAPTOP, TABLET):
            look(visitor, update, game, size, f"{language} {key}")
        drawer.click()
