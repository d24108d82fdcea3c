"""axe finds nothing serious on any page, by night and in the morning mist."""

from __future__ import annotations

import random

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.server.support import Person, Server, play_live
from tests.web.players import CLICKS
from tests.web.support import GAMES, Come, Visitor

THEMES = ("night", "mist")


def findings(page: Page) -> list[str]:
    """What axe calls serious or critical, with the first place of each."""
    found = Axe().run(page).response["violations"]
    grave = [each for each in found if each["impact"] in ("serious", "critical")]
    return [
        f"{each['id']} ({len(each['nodes'])}): {each['nodes'][0]['html'][:200]}" for each in grave
    ]


@pytest.fixture(params=THEMES)
def reader(request: pytest.FixtureRequest, come: Come) -> Visitor:
    visitor = come(color_scheme="dark" if request.param == "night" else "light")
    visitor.prefer(theme=request.param)
    return visitor


def test_pages(reader: Visitor, site: Server) -> None:
    ada = Person(site, "Ada")
    over = ada.table("me", "novice", game="lumens")
    play_live(ada, over, random.Random(4))
    lobby = ada.table("me", "open")
    reader.sit_as(ada)
    found = {}
    paths = [
        "/",
        "/about",
        "/replay",
        f"/replay/{over['id']}",
        "/rules/lumens",
        "/learn/lumens",
        f"/t/{lobby['id']}",
        "/claim#code",
        "/nowhere",
    ]
    for path in paths:
        page = reader.open(path)
        page.wait_for_load_state("networkidle")
        found[path] = findings(page)
    assert {path: each for path, each in found.items() if each} == {}


def test_dialogs(reader: Visitor) -> None:
    page = reader.open()
    reader.button("Settings").click()
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    found = findings(page)
    reader.press("Escape")
    reader.card("lanterns_dice").get_by_role("button", name="With friends").click()
    expect(page.get_by_role("dialog", name="New table")).to_be_visible()
    assert found + findings(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_running_tables(reader: Visitor, game: str) -> None:
    reader.play(game)
    for _ in range(3):
        reader.move_with(CLICKS[game])
    assert reader.wait_for_turn()
    assert findings(reader.page) == []
