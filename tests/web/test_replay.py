"""A finished game walked through again, by its link and as a file."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Response, expect

from tests.server.support import Json, Person, Server, play_live
from tests.web.support import Visitor

Forge = Callable[[Json], None]


@pytest.fixture(scope="module")
def finished(site: Server) -> Json:
    """A game of Lumens that Ada has played to its end."""
    ada = Person(site, "Ada")
    table = ada.table("me", "novice", game="lumens")
    play_live(ada, table, random.Random(3))
    return ada.info(table)


def expect_ply(page: Page, ply: int) -> None:
    expect(page.locator("output")).to_have_text(re.compile(rf"^{ply} / \d+$"))


def plies(page: Page) -> int:
    return int(page.get_by_role("slider", name="Step of the game").get_attribute("max") or 0)


def test_steps_by_keys_and_by_the_bar(visitor: Visitor, finished: Json) -> None:
    page = visitor.open(f"/replay/{finished['id']}")
    expect_ply(page, 0)
    last = plies(page)
    visitor.press("ArrowRight", "ArrowRight", "ArrowLeft")
    expect_ply(page, 1)
    visitor.press("PageDown")
    expect_ply(page, 11)
    visitor.press("End")
    expect_ply(page, last)
    expect(page.get_by_text(re.compile("wins|share the victory")).first).to_be_visible()
    visitor.press("Home")
    expect_ply(page, 0)
    page.get_by_role("slider", name="Step of the game").fill("9")
    expect_ply(page, 9)
    visitor.button("One step on").click()
    expect_ply(page, 10)
    visitor.button("To the end").click()
    expect_ply(page, last)
    entries = page.get_by_role("list", name="Log").get_by_role("button")
    entries.first.click()
    expect(page.locator("output")).not_to_have_text(re.compile(rf"^{last} /"))


def test_playback_has_a_speed_and_starts_over_at_the_end(visitor: Visitor, finished: Json) -> None:
    page = visitor.page
    page.clock.install()
    visitor.open(f"/replay/{finished['id']}")
    expect_ply(page, 0)
    visitor.button("Speed: 1×").click()
    visitor.button("Speed: 2×").click()
    expect(visitor.button("Speed: 4×")).to_have_text("4×")
    play = visitor.button("Play or pause")
    icon = play.locator("path")
    triangle = icon.get_attribute("d") or ""
    # From here on time passes only when the test says so.
    page.clock.pause_at(page.evaluate("() => Date.now() / 1000 + 1"))
    play.click()
    page.clock.run_for(1100)
    expect_ply(page, 4)
    play.click()
    expect(icon).to_have_attribute("d", triangle)
    visitor.press("End")
    play.click()
    expect_ply(page, 0)
    expect(icon).not_to_have_attribute("d", triangle)  # now it pauses


def test_every_seat_sees_what_it_knew(visitor: Visitor, finished: Json) -> None:
    page = visitor.open(f"/replay/{finished['id']}?ply=6")
    expect_ply(page, 6)
    for seat, eyes in enumerate(
        page.get_by_role("group", name="Point of view").get_by_role("button").all()[1:]
    ):
        with page.expect_response(lambda reply: is_for(reply, seat)) as replied:  # noqa: B023 (used at once)
            eyes.click()
        expect(page).to_have_url(re.compile(rf"ply=6&seat={seat}$"))
        views = [position["view"] for position in replied.value.json()["positions"]]
        assert {view["seat"] for view in views} == {seat}
        assert all(
            other["hand"] is None
            for view in views
            for each, other in enumerate(view["seats"])
            if each != seat
        )
    visitor.button("As a spectator saw it").click()
    expect(page).to_have_url(re.compile("ply=6$"))


def is_for(reply: Response, seat: int) -> bool:
    return (
        reply.url.endswith("/api/replay")
        and (reply.request.post_data_json or {}).get("seat") == seat
    )


def test_a_replay_that_does_not_exist_says_so_in_the_middle_of_the_page(visitor: Visitor) -> None:
    page = visitor.open("/replay/nothing")
    missing = page.get_by_role("alert")
    expect(missing.get_by_role("link")).to_be_visible()
    for width in (390, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        box = missing.bounding_box()
        assert box and abs(box["x"] - (width - box["x"] - box["width"])) < 2


def test_a_link_leads_to_a_ply_and_a_seat(visitor: Visitor, finished: Json) -> None:
    page = visitor.open(f"/replay/{finished['id']}?ply=7&seat=1")
    expect_ply(page, 7)
    eyes = page.get_by_role("group", name="Point of view").get_by_role("button")
    expect(eyes.nth(2)).to_have_attribute("aria-pressed", "true")


def test_the_browser_checks_the_deal(visitor: Visitor, finished: Json) -> None:
    visitor.open(f"/replay/{finished['id']}")
    visitor.button("Check the deal").click()
    expect(
        visitor.page.get_by_text(re.compile(r"^\s*Fair: your browser recomputed all \d+ draws"))
    ).to_be_visible()


def test_a_record_is_saved_and_opened_again(
    visitor: Visitor, finished: Json, tmp_path: Path
) -> None:
    page = visitor.open(f"/replay/{finished['id']}")
    with page.expect_download() as saved:
        visitor.button("Download").click()
    file = tmp_path / "game.json"
    saved.value.save_as(file)
    load(visitor, file)
    expect_ply(page, 0)
    visitor.press("End")
    expect_ply(page, plies(page))
    visitor.button("Check the deal").click()
    expect(page.get_by_text("Fair: your browser")).to_be_visible()


def other_seed(record: Json) -> None:
    record["fairness"]["seed"] = "00" * 32


def other_seed_and_promise(record: Json) -> None:
    other_seed(record)
    record["fairness"]["commitment"] = hashlib.sha256(bytes(32)).hexdigest()


def other_nonce(record: Json) -> None:
    record["fairness"]["nonces"] = [*record["fairness"]["nonces"][:-1], "forged"]


FORGERIES: dict[Forge, str | re.Pattern[str]] = {
    other_seed: "Not fair: the seed is not the promised one.",
    other_seed_and_promise: re.compile(r"Not fair: draw \d+ is \S+, but the seed gives \S+\."),
    other_nonce: re.compile(r"Not fair: draw \d+ is \S+, but the seed gives \S+\."),
}


@pytest.mark.parametrize(
    "forge", FORGERIES, ids=["other seed", "other seed and promise", "other nonce"]
)
def test_a_forged_record_is_found_out(
    visitor: Visitor, finished: Json, site: Server, tmp_path: Path, forge: Forge
) -> None:
    record = Person(site).call("GET", f"/api/tables/{finished['id']}/record")
    forge(record)
    file = tmp_path / "forged.json"
    file.write_text(json.dumps(record))
    load(visitor, file)
    visitor.button("Check the deal").click()
    expect(visitor.page.get_by_text(FORGERIES[forge])).to_be_visible()
    expect(visitor.page.get_by_text("Fair: your browser")).to_have_count(0)


def load(visitor: Visitor, file: Path) -> None:
    page = visitor.open("/replay")
    page.get_by_label("Open a record file").locator("visible=true").first.wait_for()
    page.locator("input[type=file]").set_input_files(file)


def test_a_file_that_is_not_a_record_is_refused_in_words(visitor: Visitor, tmp_path: Path) -> None:
    file = tmp_path / "letter.json"
    file.write_text('{"dear": "Ada"}')
    load(visitor, file)
    expect(visitor.page.get_by_text("This is not a Lampion record.")).to_be_visible()
    visitor.open("/replay/nothing")
    expect(visitor.page.get_by_role("heading", name="There is no such replay")).to_be_visible()
