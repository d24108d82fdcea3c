"""axe finds nothing serious on any page, by night and in the morning mist."""

from __future__ import annotations

import random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.server.support import Json, Person, Server, play_live
from tests.support import IS_NIGHT
from tests.web.players import CLICKS
from tests.web.support import GAMES, Come, Visitor

THEMES = ("night", "mist")
IN_COLOR = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
"""The rules of axe that depend on colors, which are all that differs between themes."""
SHOW = """theme => {
  document.documentElement.dataset.theme = theme;
  for (const each of document.getAnimations()) if (each instanceof CSSTransition) each.finish();
}"""
ENDED = """() => Promise.all(document.getAnimations()
  .filter((each) => Number.isFinite(each.effect.getComputedTiming().endTime))
  .map((each) => (each.finish(), each.finished.catch(() => null)))
).then(() => new Promise(requestAnimationFrame))"""
"""What appears or goes is half seen for a moment, which is no fault of its colors."""
COLORS = """() => [...document.querySelectorAll("*")].map((each) => {
  const style = getComputedStyle(each);
  return [style.color, style.backgroundColor, style.fill].join();
})"""


REST = """() => {
  for (const each of document.getAnimations())
    if (Number.isFinite(each.effect.getComputedTiming().endTime)) each.finish();
}"""
"""Whatever flies in or fades out has arrived: a text that is half faded has no contrast to judge."""


def findings(page: Page, options: Json | None = None) -> list[str]:
    """What axe calls serious or critical, with the first place of each."""
    page.evaluate(REST)
    found = Axe().run(page, options={"resultTypes": ["violations"], **(options or {})})
    grave = [
        each for each in found.response["violations"] if each["impact"] in ("serious", "critical")
    ]
    return [
        f"{each['id']} ({len(each['nodes'])}): {each['nodes'][0]['html'][:200]}" for each in grave
    ]


def findings_by_theme(page: Page) -> list[str]:
    """As `findings`, in the theme of the page and in the other one."""
    shown = page.evaluate("document.documentElement.dataset.theme")
    (other,) = set(THEMES) - {shown}
    page.evaluate(ENDED)
    found = [f"{shown}: {each}" for each in findings(page)]
    page.evaluate(SHOW, other)
    found += [f"{other}: {each}" for each in findings(page, IN_COLOR)]
    page.evaluate(SHOW, shown)
    return found


def findings_on(visitor: Visitor, *paths: str) -> Json:
    """By path, where there is something."""
    found = {}
    for path in paths:
        page = visitor.open(path)
        page.wait_for_load_state("networkidle")
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        found[path] = findings_by_theme(page)
    return {path: each for path, each in found.items() if each}


def test_pages(visitor: Visitor, site: Server) -> None:
    ada = Person(site, "Ada")
    lobby = ada.table("me", "open")
    visitor.sit_as(ada)
    paths = ["/", "/about", "/me", "/replay", "/learn/lumens", f"/t/{lobby['id']}", "/claim#code"]
    assert findings_on(visitor, *paths, "/recover", "/nowhere") == {}


@pytest.mark.parametrize("game", GAMES)
def test_after_a_game(visitor: Visitor, site: Server, game: str) -> None:
    """Its rules, its replay, and what is the same for all games but for the board: how it ended."""
    ada = Person(site, "Ada")
    over = ada.table("me", "novice", game=game)
    play_live(ada, over, random.Random(4))
    length = ada.update(over)["ply"]
    visitor.sit_as(ada)
    paths = [f"/rules/{game}", f"/replay/{over['id']}?ply={length // 2}"]
    if game == "lanterns" or IS_NIGHT:
        paths += [f"/result/{over['id']}", f"/review/{over['id']}"]
    assert findings_on(visitor, *paths) == {}
    visitor.open(f"/t/{over['id']}")
    expect(visitor.page.get_by_role("dialog", name="The game is over")).to_be_visible()
    assert findings_by_theme(visitor.page) == []


def test_dialogs(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.button("Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    found = findings_by_theme(page)
    visitor.press("Escape")
    visitor.card("lanterns_dice").get_by_role("button", name="With friends").click()
    expect(page.get_by_role("dialog", name="New table")).to_be_visible()
    assert found + findings_by_theme(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_running_tables(visitor: Visitor, game: str) -> None:
    visitor.play(game)
    for _ in range(3):
        visitor.move_with(CLICKS[game])
    assert visitor.wait_for_turn()
    assert findings_by_theme(visitor.page) == []
    if game == "lumens" or IS_NIGHT:
        visitor.page.set_viewport_size({"width": 390, "height": 664})  # a phone has drawers
        assert {name: found for name in OPENED if (found := opened(visitor, name))} == {}


OPENED = ("Rules", "Log", "Chat", "Menu", "Keyboard")


def opened(visitor: Visitor, name: str) -> list[str]:
    """What there is to find while something is open over the table."""
    if name == "Keyboard":
        visitor.press("?")
    else:
        visitor.button(name).click()
    dialog = visitor.page.get_by_role("dialog", name=name, exact=True)
    expect(dialog).to_be_visible()
    expect(visitor.page.locator("[aria-busy=true]")).to_have_count(0)
    found = findings_by_theme(visitor.page)
    visitor.press("Escape")
    expect(dialog).to_have_count(0)
    return found


def test_the_other_theme_is_shown_as_chosen(come: Come) -> None:
    """What the tests above switch to is what a reader gets who has chosen it."""
    visitor = come(color_scheme="light")
    visitor.prefer(theme="mist")
    page = visitor.open()
    visitor.card("lumens").wait_for()
    page.wait_for_load_state("networkidle")  # what comes later would be counted as a difference
    chosen = page.evaluate(COLORS)
    page.evaluate(SHOW, "night")
    assert page.evaluate(COLORS) != chosen
    page.evaluate(SHOW, "mist")
    assert page.evaluate(COLORS) == chosen
    page.evaluate(ENDED)
    assert findings(page) == []
