"""Practice in the browser: a mistake is kept from its review, made better, and gone until it is due."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.server.support import Json, Person, Server, play_live
from tests.web.support import Come, Visitor, expect_no_overflow
from tests.web.test_accessible import findings_by_theme
from tests.web.test_result import SIZES, TOO_SMALL
from tests.web.test_review import wait_until_judged

PRACTICE = "/api/me/practice"


@pytest.fixture(scope="module")
def ada(site: Server) -> Person:
    return Person(site, "Ada")


@pytest.fixture(scope="module")
def over(ada: Person) -> Json:
    table = ada.table("me", "novice", game="lumens")
    play_live(ada, table, random.Random(3))
    return ada.info(table)


@pytest.fixture(scope="module")
def mistakes(ada: Person, over: Json) -> Json:
    """The record of that game, and the plies of Ada's first three mistakes."""
    record = ada.call("GET", f"/api/tables/{over['id']}/record")
    told = ada.call("POST", "/api/replay/review", {"record": record})
    own, found = [one["ply"] for one in told["decisions"] if one["seat"] == 0], []
    for start in range(0, len(own), 6):
        wanted = {"record": record, "plies": own[start : start + 6]}
        judged = ada.call("POST", "/api/replay/judgements", wanted)["judged"]
        found += [one["ply"] for one in judged if one["verdict"] == "mistake"]
        if len(found) >= 3:
            return {"record": record, "plies": found[:3]}
    raise AssertionError("random play makes mistakes")


@pytest.fixture
def practicing(come: Come, mistakes: Json) -> Visitor:
    """A newcomer's browser, with three positions that are due."""
    visitor = come()
    person = visitor.person
    person.call("POST", PRACTICE, mistakes)
    visitor.sit_as(person)
    person.web.close()
    return visitor


AROUND_THE_BOARD = """() => [...document.querySelectorAll(".top a.button, .top button, .puzzle > .panel button")]
    .filter((each) => each.getBoundingClientRect().height < 39.5).map((each) => each.textContent)"""


def looks_fine(visitor: Visitor, too_small: str = TOO_SMALL) -> None:
    page = visitor.page
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect_no_overflow(visitor)
        assert page.evaluate(too_small) == []
    assert findings_by_theme(page) == []


def panel_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Find the better move")


def due_of(visitor: Visitor) -> int:
    person = visitor.person
    found: int = person.call("GET", "/api/me")["due"]
    person.web.close()
    return found


def test_a_mistake_is_kept_solved_and_gone_until_it_is_due(
    come: Come, ada: Person, over: Json
) -> None:
    visitor = come()
    visitor.sit_as(ada)
    page = visitor.open(f"/review/{over['id']}")
    wait_until_judged(page)
    page.get_by_role("button", name="Practice all 3 later").click()
    expect(page.get_by_text("Kept. They come back")).to_be_visible()
    looks_fine(visitor)
    kept = ada.call("GET", PRACTICE)["exercises"]
    assert [one["seat"] for one in kept] == [0, 0, 0], "she is offered her own decisions"

    visitor.open("/")
    expect(page.get_by_text("3 practice positions are due")).to_be_visible()
    page.get_by_role("link", name="Practice", exact=True).click()
    page.wait_for_url("**/practice")
    expect(page.get_by_text("3 positions are due.")).to_be_visible()
    looks_fine(visitor)
    page.get_by_role("button", name="Start practicing").click()
    page.wait_for_url("**/practice/*")
    expect(page.get_by_role("button", name="Show me")).to_be_visible()
    looks_fine(visitor, AROUND_THE_BOARD)
    visitor.page.set_viewport_size({"width": 1366, "height": 768})

    exercise = page.url.rpartition("/")[2]
    best = best_of(ada, exercise)
    with page.expect_response(re.compile(f"{PRACTICE}/{exercise}$")) as answered:
        play_on_board(page, best)
    assert answered.value.json()["grade"] == "good"
    expect(panel_of(page)).to_contain_text("Found at once. It comes back in 2 days.")
    looks_fine(visitor, AROUND_THE_BOARD)
    page.get_by_role("button", name="Next position").click()
    expect(page).not_to_have_url(re.compile(exercise))
    page.get_by_role("link", name="All positions").click()
    expect(page.get_by_text("2 positions are due.")).to_be_visible()
    row = page.locator("li").filter(has=page.locator(f"a[href$='{exercise}']"))
    expect(row).to_contain_text("due in 2 days")
    assert ada.call("GET", "/api/me")["due"] == 2


def best_of(person: Person, exercise: str) -> str:
    told = person.call("GET", f"{PRACTICE}/{exercise}")
    ply = told["exercise"]["ply"]
    wanted = {"record": told["record"], "plies": [ply]}
    found: str = person.call("POST", "/api/replay/judgements", wanted)["judged"][0]["best"]
    return found


def play_on_board(page: Page, action: str) -> None:
    """A placement of Lumens: the face of the token, then the square."""
    square, face = action.split("=")
    faces = page.get_by_role("radiogroup", name="Your token")
    faces.get_by_role("radio", name=re.compile(f"^{face} pips? up")).click()
    name = re.compile(f"^{square}( in room|, a passage)", re.IGNORECASE)
    target = page.get_by_role("button", name=name)
    if target.get_attribute("aria-pressed") != "true":
        target.click()
    page.get_by_role("button", name="Place it", exact=True).click()


def test_giving_up_and_skipping(practicing: Visitor) -> None:
    page = practicing.open("/practice")
    page.get_by_role("button", name="Start practicing").click()
    page.wait_for_url("**/practice/*")
    first = page.url
    page.get_by_role("button", name="Skip").click()
    expect(page).not_to_have_url(first)
    expect(page.get_by_text("2 more due")).to_be_visible()
    page.get_by_role("button", name="Show me").click()
    expect(panel_of(page)).to_contain_text("You will get another chance tomorrow.")
    assert due_of(practicing) == 2
    page.get_by_role("button", name="Next position").click()
    page.get_by_role("button", name="Remove").click()
    expect(page).to_have_url(re.compile("/practice$"))
    expect(page.get_by_text("1 position is due.")).to_be_visible()
    page.get_by_role("button", name="Start practicing").click()
    expect(page).to_have_url(first)


def test_positions_are_suspended_resumed_and_removed_from_the_list(practicing: Visitor) -> None:
    page = practicing.open("/practice")
    rows = page.locator("li")
    expect(rows).to_have_count(3)
    row = rows.first
    row.get_by_role("button", name=re.compile("^Suspend")).click()
    expect(page.get_by_text("2 positions are due.")).to_be_visible()
    expect(page.get_by_text("suspended")).to_be_visible()
    page.get_by_role("button", name=re.compile("^Resume")).click()
    expect(page.get_by_text("3 positions are due.")).to_be_visible()
    for left in (2, 1, 0):
        rows.first.get_by_role("button", name=re.compile("^Remove")).click()
        expect(rows).to_have_count(left)
    expect(page.get_by_text("You have not kept any position yet")).to_be_visible()
    assert due_of(practicing) == 0


def test_the_page_speaks_the_readers_language(practicing: Visitor) -> None:
    for language, title, begin in (
        ("fr", "Entraînement", "Commencer l’entraînement"),
        ("it", "Allenamento", "Inizia l’allenamento"),
    ):
        practicing.prefer(language=language)
        page = practicing.open("/practice")
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        page.get_by_role("button", name=begin).click()
        expect(page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        expect(page.locator("[data-ply]")).to_be_visible()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            expect_no_overflow(practicing)


def test_strangers_are_told_how_it_begins(come: Come) -> None:
    stranger = come()
    page = stranger.open("/practice")
    expect(page.get_by_text("You have not kept any position yet")).to_be_visible()
    page = stranger.open("/practice/nothing")
    expect(page.get_by_role("alert")).to_be_visible()
