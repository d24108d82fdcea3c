"""The form for a new table is built from what the games declare: options and variants can be chosen
in it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.web.support import Visitor


def open_form(visitor: Visitor, game: str, players: int) -> Locator:
    visitor.open()
    visitor.card(game).get_by_role("button", name="With friends").click()
    form = visitor.page.get_by_role("dialog", name="New table")
    form.get_by_role("group", name="Players").get_by_text(str(players), exact=True).click()
    for seat in range(2, players + 1):
        form.get_by_role("combobox", name=f"Seat {seat}").select_option("bot")
    return form


def start(visitor: Visitor, form: Locator) -> None:
    form.get_by_role("button", name="Start the game").click()
    visitor.page.wait_for_url(re.compile("/t/"))
    visitor.wait_until(lambda: visitor.updates, "the game starts")


def test_an_option_is_offered_to_the_players_it_is_for(visitor: Visitor) -> None:
    form = open_form(visitor, "lumens", 2)
    expect(form.get_by_label("Start squares")).to_have_count(0)
    form = open_form(visitor, "lumens", 3)
    starts = form.get_by_label("Start squares")
    expect(starts).to_have_value("published")
    starts.select_option("balanced")
    expect(starts).to_have_accessible_description(re.compile("list of our own"))
    start(visitor, form)
    info = visitor.page.request.get(f"{visitor.site.base}/api/tables/{visitor.table}").json()
    assert info["options"] == {"starts": "balanced"}


def test_a_text_is_checked_by_the_game(visitor: Visitor) -> None:
    form = open_form(visitor, "lanterns_dice", 2)
    form.get_by_label("Fireworks").fill("I3 I3")
    form.get_by_role("button", name="Start the game").click()
    expect(form.get_by_role("alert")).to_be_visible()
    form.get_by_label("Fireworks").fill("I3 T4 S4 X5")
    start(visitor, form)
    stacks = visitor.latest["view"]["stacks"]
    assert {stack["shape"] for stack in stacks} == {"I3", "T4", "S4", "X5"}


def test_a_variant_is_played(visitor: Visitor) -> None:
    """With open hands the tiles of the others lie on the table."""
    form = open_form(visitor, "lanterns", 2)
    form.get_by_label("Variant").select_option(label="open hands")
    expect(form.get_by_label("Variant")).to_have_accessible_description(re.compile("sees all"))
    start(visitor, form)
    other = 1 - visitor.latest["seat"]
    assert len(visitor.latest["view"]["seats"][other]["hand"]) == 3
    expect(visitor.page.locator(".shown [role=img]")).to_have_count(3)
    visitor.page.get_by_role("button", name="Menu").click()
    expect(visitor.page.get_by_text("Variant: open hands")).to_be_visible()
