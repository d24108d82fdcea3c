"""The other pages: replay, rules, languages, settings; and that everybody can use them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Visit
from tests.browser.support import play_to_the_end, start, table_of

PAGES = ("/", "/about", "/replay", "/rules/lanterns", "/rules/lumens#U5", "/nowhere")
RAW_KEY = re.compile(r"\b(?:[a-z]+[-_])*[a-z]+\.(?:[a-z]+[-_])*[a-z]+\b(?!\w)")


def test_a_finished_game_is_celebrated_replayed_and_checked(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    start(page, "Lanterns Dice")
    play_to_the_end(page)
    expect(page.get_by_role("dialog")).to_contain_text("The game is over")
    page.goto(page.url.replace("/t/", "/replay/") + "?ply=7&seat=1")
    expect(page.locator("output")).to_contain_text("7 /")
    page.keyboard.press("ArrowRight")
    expect(page.locator("output")).to_contain_text("8 /")
    assert "ply=8&seat=1" in page.url
    page.get_by_role("button", name="Check the deal").click()
    expect(page.get_by_text(re.compile("Fair: your browser worked out all"))).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Record").click()
    file = tmp_path / "record.json"
    download.value.save_as(file)
    _a_forged_record_is_found(page, file)


def _a_forged_record_is_found(page: Page, file: Path) -> None:
    record = json.loads(file.read_text())
    record["fairness"]["seed"] = "00" * 32
    file.write_text(json.dumps(record))
    page.goto(page.url.split("/replay/")[0] + "/replay")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Check the deal").click()
    expect(page.get_by_text("the seed is not the promised one")).to_be_visible()


@pytest.mark.parametrize(("language", "play"), [("en", "Play"), ("fr", "Jouer"), ("it", "Gioca")])
def test_every_language_is_complete_on_the_page(visit: Visit, language: str, play: str) -> None:
    page = visit("/", locale=language)
    expect(page.get_by_role("button", name=f"{play} Lumens", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == language
    for path in PAGES[1:]:
        page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/")[2] + path)
        expect(page.locator("h1").first).to_be_visible()
        assert not RAW_KEY.findall(page.locator("header").inner_text())


def test_the_language_can_be_changed_and_is_remembered(visit: Visit) -> None:
    page = visit()
    page.get_by_role("button", name="Settings").click()
    page.get_by_text("Français").click()
    expect(page.get_by_role("heading", name="Trois jeux de lumière")).to_be_attached()
    page.reload()
    expect(page.get_by_role("heading", name="Trois jeux de lumière")).to_be_visible()


def test_a_seat_moves_to_another_device_and_data_can_be_deleted(visit: Visit) -> None:
    old, new = visit(), visit()
    start(old, "Lumens")
    table = table_of(old)
    old.goto(old.url.split("/t/")[0])
    old.get_by_role("button", name="Settings").click()
    old.get_by_role("button", name="Make a link").click()
    new.goto(old.locator("dialog input[readonly]").input_value())
    new.get_by_role("button", name="Continue here").click()
    expect(new.locator(f"a[href='/t/{table}']")).to_be_visible()
    old.get_by_role("button", name="Delete my data").click()
    old.get_by_role("button", name="Yes, delete everything").click()
    expect(old.get_by_text("Your data has been deleted.")).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, {"width": 1280, "height": 800}], ids=["phone", "wide"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_for_axe(visit: Visit, viewport: dict[str, int], scheme: str) -> None:
    page = visit("/", viewport=viewport, color_scheme=scheme)
    base = page.url.rstrip("/")
    for path in PAGES:
        page.goto(base + path)
        expect(page.locator("h1").first).to_be_visible()
        _check(page)
    page.goto(base)
    start(page, "Lanterns")
    _check(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page does not scroll sideways"


def _check(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    serious = [(one["id"], [node["target"] for node in one["nodes"]]) for one in found if one["impact"] in ("serious", "critical")]
    assert serious == [], page.url
