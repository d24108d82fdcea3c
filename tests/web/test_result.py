"""The result of a game: from its link, from a file, for players and for people who come by link."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.server.support import Json, Person, Server, play_live
from tests.support import GOLDEN
from tests.web.support import Come, Visitor, expect_no_overflow
from tests.web.test_accessible import findings

SIZES = ((390, 664), (844, 390), (768, 1024), (1366, 768), (1920, 1080))
TOO_SMALL = """() => [...document.querySelectorAll("main a.button, main button, main select")]
    .filter((each) => each.getBoundingClientRect().height < 39.5).map((each) => each.textContent)"""


@pytest.fixture(scope="module")
def ada(site: Server) -> Person:
    return Person(site, "Ada")


@pytest.fixture(scope="module")
def over(ada: Person) -> Json:
    """A game that Ada has played to its end, and one that she gave up."""
    table = ada.table("me", "novice", game="lumens")
    play_live(ada, table, random.Random(3))
    return ada.info(table)


def columns(page: Page, title: str) -> list[list[str]]:
    """The numbers of a table on the page, row by row."""
    rows = page.get_by_role("table", name=title).locator("tbody tr, tfoot tr")
    return [row.locator("td").all_inner_texts() for row in rows.all()]


def number(text: str) -> int:
    return int(text.split()[0].replace("−", "-"))


def test_a_result_adds_up_leads_to_its_turning_points_and_fits_every_screen(
    come: Come, ada: Person, over: Json
) -> None:
    visitor = come(color_scheme="light")
    visitor.prefer(theme="mist")
    visitor.sit_as(ada)
    page = visitor.open(f"/result/{over['id']}")
    scores = over["result"]["scores"]
    for title in ("Where the points come from", "Points by round"):
        expect(page.get_by_role("table", name=title)).to_be_visible()
        *rows, total = columns(page, title)
        told = [sum(number(row[seat]) for row in rows) for seat in range(len(scores))]
        assert told == scores == [number(text) for text in total]
    curve = page.get_by_role("img", name=re.compile("^Scores over the game: "))
    assert all(str(score) in (curve.get_attribute("aria-label") or "") for score in scores)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        expect_no_overflow(visitor)
        assert page.evaluate(TOO_SMALL) == []
    assert findings(page) == []
    assert visitor.button("Rematch").is_visible()
    with page.expect_download() as saved:
        visitor.button("Save as a picture").click()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    watch = page.get_by_role("link", name=re.compile("^Watch: .*swing"))
    ply = (watch.get_attribute("href") or "").rpartition("ply=")[2]
    visitor.tab_to("a[href*='ply=']")
    watch.focus()
    visitor.press("Enter")
    expect(page.locator("output")).to_have_text(re.compile(rf"^{ply} / \d+$"))
    page.get_by_role("link", name="Result", exact=True).click()
    page.wait_for_url(f"**/result/{over['id']}")


SHARING = """
navigator.canShare = ({ files }) => files.every((file) => file.type === "image/png");
navigator.share = async ({ files, title, url }) => {
  const start = new Uint8Array(await files[0].slice(0, 4).arrayBuffer());
  window.shared = { name: files[0].name, start: [...start], title, url };
};
"""
"""A phone's menu for sharing, as far as the page sees of it."""


def test_a_phone_shares_the_picture_with_its_address(come: Come, ada: Person, over: Json) -> None:
    visitor = come()
    visitor.context.add_init_script(SHARING)
    visitor.sit_as(ada)
    page = visitor.open(f"/result/{over['id']}")
    visitor.button("Share the picture").click()
    visitor.wait_until(lambda: page.evaluate("window.shared"), "the menu opens")
    shared = page.evaluate("window.shared")
    assert shared["name"] == "lampion-lumens.png" and bytes(shared["start"]) == b"\x89PNG"
    assert shared["title"] == page.get_by_role("heading", level=1).inner_text()
    assert shared["url"] == page.url


def test_spectators_and_files_have_the_same_result(come: Come, ada: Person, over: Json) -> None:
    stranger = come()
    page = stranger.open(f"/result/{over['id']}")
    expect(page.get_by_role("table", name="Where the points come from")).to_be_visible()
    expect(stranger.button("Rematch")).to_have_count(0)
    assert "Ada" not in page.locator("main").inner_text(), "the table is private"
    page = stranger.open("/result")
    page.locator("input[type=file]").set_input_files(GOLDEN / "lanterns" / "won_by_favors_3p.json")
    told = page.get_by_text(re.compile("were level on 29. The tie-break: favors."))
    expect(told).to_be_visible()
    page.get_by_role("link", name="Replay", exact=True).click()
    expect(page.locator("output")).to_have_text(re.compile(r"^0 / \d+$"))
    page.get_by_role("link", name="Result", exact=True).click()
    expect(told).to_be_visible()
    running = ada.table("me", "novice", game="lumens")
    stranger.open(f"/result/{running['id']}")
    expect(page.get_by_role("heading", name="This game is still being played")).to_be_visible()
    stranger.open("/result/nothing")
    expect(page.get_by_role("heading", name="There is no such result")).to_be_visible()


def test_the_history_tells_how_games_went(visitor: Visitor, ada: Person, over: Json) -> None:
    page = visitor.open("/replay")
    expect(page.get_by_text("once you have played one to the end")).to_be_visible()
    lost = ada.table("me", "careful", game="lanterns", pace={"kind": "days", "days": 2})
    assert ada.command(lost, "resign", seat=0).status_code == 200
    visitor.sit_as(ada)
    page = visitor.open("/replay")
    games = page.get_by_role("region", name="Your games").get_by_role("listitem")
    expect(games).to_have_count(2)
    expect(games.first).to_contain_text("Crane (Careful)")
    expect(games.first).to_contain_text("2 days per move")
    expect(games.first).to_contain_text(re.compile(r"\w{3} \d{1,2}, \d{4}"))
    expect(games.first).to_contain_text("Lost")
    expect(games.last).to_contain_text(" : ".join(map(str, over["result"]["scores"])))
    page.get_by_role("combobox", name="Which game").select_option("lumens")
    expect(games).to_have_count(1)
    page.get_by_role("combobox", name="Which game").select_option("lanterns_dice")
    expect(page.get_by_text("not finished a game of Lanterns Dice")).to_be_visible()
    page.get_by_role("combobox", name="Which game").select_option("lanterns")
    games.first.get_by_role("link").first.click()
    expect(page.get_by_text("Ada resigned.")).to_be_visible()
