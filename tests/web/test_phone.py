"""A phone of 360 pixels, by touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.players import CLICKS
from tests.web.support import GAMES, PHONE, Come, expect_no_overflow

PAGES = ["/", "/about", "/replay", "/rules/lanterns", "/learn/lumens"]


@pytest.mark.parametrize("game", GAMES)
def test_moves_by_touch(come: Come, game: str) -> None:
    visitor = come(**PHONE)
    visitor.press_play(game)
    for _ in range(3):
        visitor.move_with(CLICKS[game])
        expect_no_overflow(visitor)


def test_no_page_is_wider_than_the_screen(come: Come) -> None:
    visitor = come(**PHONE)
    for path in PAGES:
        visitor.open(path).wait_for_load_state("networkidle")
        expect_no_overflow(visitor)
    visitor.open()
    visitor.button("Settings").tap()
    expect(visitor.page.get_by_role("dialog", name="Settings")).to_be_visible()
    expect_no_overflow(visitor)


def test_sounds_are_off_on_a_phone_and_on_elsewhere(come: Come) -> None:
    for options, is_on in ((PHONE, False), ({}, True)):
        visitor = come(**options)
        visitor.open()
        visitor.hit(visitor.button("Settings"))
        expect(visitor.page.get_by_label("Soft sounds")).to_be_checked(checked=is_on)
