"""The review of a game: reached from its result, judged while one reads, for tables and files."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, expect

from tests.server.support import Json, Person, Server, play_live
from tests.support import GOLDEN
from tests.web.support import PATIENCE, Come, expect_no_overflow
from tests.web.test_accessible import findings
from tests.web.test_result import SIZES, TOO_SMALL

DONE = re.compile(r"^(\d+) of \1 decisions judged\.$")
COUNT = re.compile(r"\d+ of \d+ decisions")


def wait_until_judged(page: Page) -> None:
    """Judging gives way to everything else on the machine. It may take long; it may not stop."""
    counted = page.get_by_role("status").filter(has_text=COUNT)
    expect(counted).to_be_visible()
    while not DONE.match(before := counted.inner_text()):
        expect(counted).not_to_have_text(before, timeout=2_000 * PATIENCE)


@pytest.fixture(scope="module")
def ada(site: Server) -> Person:
    return Person(site, "Ada")


@pytest.fixture(scope="module")
def over(ada: Person) -> Json:
    table = ada.table("me", "novice", game="lumens")
    play_live(ada, table, random.Random(3))
    return ada.info(table)


def test_a_review_is_reached_from_the_result_and_leads_into_the_replay(
    come: Come, ada: Person, over: Json
) -> None:
    visitor = come()
    visitor.sit_as(ada)
    page = visitor.open(f"/result/{over['id']}")
    page.get_by_role("link", name="Review", exact=True).click()
    page.wait_for_url(f"**/review/{over['id']}")
    expect(page.get_by_role("img", name=re.compile("^Chances to win: "))).to_be_visible()
    wait_until_judged(page)
    # Random play against a bot makes mistakes that nobody would miss.
    cards = page.locator("ol > li")
    expect(cards).to_have_count(3)
    cards.nth(1).get_by_role("button", name="Show it").click()
    expect(cards.nth(1)).to_be_focused()
    expect(cards.nth(1).get_by_text("Better", exact=True)).to_be_visible()
    expect(cards.first.get_by_text("Better", exact=True)).to_have_count(0)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect_no_overflow(visitor)
        assert page.evaluate(TOO_SMALL) == []
    assert findings(page) == []
    watch = cards.first.get_by_role("link", name="Watch it")
    ply = re.search(r"ply=(\d+)", watch.get_attribute("href") or "")
    watch.click()
    assert ply
    expect(page.locator("output")).to_have_text(re.compile(rf"^{ply[1]} / \d+$"))
    assert visitor.errors == []


def test_strangers_and_files_have_reviews_too(come: Come, over: Json) -> None:
    stranger = come()
    page = stranger.open(f"/review/{over['id']}")
    expect(page.get_by_role("heading", name="Where the result came from")).to_be_visible()
    assert "Ada" not in page.locator("main").inner_text(), "the table is private"
    page = stranger.open("/review")
    page.locator("input[type=file]").set_input_files(GOLDEN / "lumens" / "won_by_points_4p.json")
    expect(page.get_by_role("img", name=re.compile("^Chances to win: "))).to_be_visible()
    wait_until_judged(page)
    stranger.open("/review/nothing")
    expect(page.get_by_role("heading", name="There is no such review")).to_be_visible()


def costliest(server: Server, record: Json) -> Json:
    person = Person(server)
    plies = [
        one["ply"]
        for one in person.call("POST", "/api/replay/review", {"record": record})["decisions"]
    ]
    judged = [
        one
        for begin in range(0, len(plies), 12)
        for one in person.call(
            "POST",
            "/api/replay/judgements",
            {"record": record, "plies": plies[begin : begin + 12]},
        )["judged"]
    ]
    mistakes = [one for one in judged if one["verdict"] == "mistake"]
    found: Json = max(mistakes, key=lambda one: (one["cost"], -one["ply"]))
    return found


def test_the_better_move_is_looked_for_with_the_keyboard(
    come: Come, ada: Person, over: Json
) -> None:
    """Nothing says what was better until it is found."""
    record = ada.call("GET", f"/api/tables/{over['id']}/record")
    mistake = costliest(ada.server, record)
    visitor = come()
    visitor.sit_as(ada)
    page = visitor.open(f"/review/{over['id']}?ply={mistake['ply']}")
    panel = page.get_by_role("region", name="Find the better move")
    expect(panel).to_contain_text("Play what you would do on the board.")
    for reason in mistake["reasons"]:
        expect(page.get_by_text(reason)).to_have_count(0)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect_no_overflow(visitor)
    assert findings(page) == []
    panel.get_by_role("button", name="Hint").press("Enter")
    expect(panel).to_contain_text(mistake["reasons"][0])
    panel.get_by_role("button", name="Hint").press("Enter")
    page.locator("[data-home]").focus()
    page.keyboard.press("h")
    page.keyboard.press("Enter")
    expect(panel).to_contain_text("Found it!")
    for reason in mistake["reasons"]:
        expect(panel).to_contain_text(reason)
    panel.get_by_role("link", name="Back to the review").press("Enter")
    page.wait_for_url(f"**/review/{over['id']}")


def test_a_game_is_played_on_from_a_costly_decision(come: Come, ada: Person, over: Json) -> None:
    visitor = come()
    visitor.sit_as(ada)
    page = visitor.open(f"/review/{over['id']}")
    wait_until_judged(page)
    card = page.locator("ol > li").first
    watched = card.get_by_role("link", name="Watch it").get_attribute("href") or ""
    ply = re.search(r"ply=(\d+)", watched)
    card.get_by_role("button", name="Play on from here").click()
    dialog = page.get_by_role("dialog", name="Play on from here")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect_no_overflow(visitor)
    assert findings(page) == []
    page.set_viewport_size({"width": 1920, "height": 1080})  # with room for the log
    dialog.get_by_role("button", name="Start the game").click()
    page.wait_for_url("**/t/*")
    assert ply
    visitor.wait_until(lambda: visitor.shown_ply >= int(ply[1]), "the table goes on there")
    log = page.get_by_role("list", name="Log")
    expect(log.get_by_text(f"Continued from a finished game, entry {ply[1]}")).to_be_visible()
