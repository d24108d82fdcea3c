"""Everything without a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.players import KEYS, PROGRESS
from tests.web.support import Visitor


def start_by_keys(visitor: Visitor, game: str) -> None:
    visitor.prefer(choices={game: {"players": 2, "level": "novice"}})
    visitor.open()
    visitor.card(game).get_by_role("button").first.wait_for()
    place = ("lanterns", "lanterns_dice", "lumens").index(game) + 1
    visitor.tab_to(f"article:nth-of-type({place}) button.play")
    visitor.press("Enter")
    visitor.page.wait_for_url("**/t/*")


def test_a_whole_game_by_keys(visitor: Visitor) -> None:
    start_by_keys(visitor, "lumens")
    visitor.play_beginning_and_end(KEYS["lumens"], PROGRESS["lumens"])
    visitor.press("Escape")
    expect(visitor.page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.parametrize(("game", "moves"), [("lanterns", 4), ("lanterns_dice", 8)])
def test_moves_by_keys(visitor: Visitor, game: str, moves: int) -> None:
    start_by_keys(visitor, game)
    for _ in range(moves):
        visitor.move_with(KEYS[game])


def test_dialogs_keep_the_focus_and_give_it_back(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.tab_to("header button")
    visitor.press("Enter")
    expect(page.get_by_role("dialog", name="Settings")).to_be_visible()
    for _ in range(40):
        visitor.press("Tab")
        assert page.evaluate(
            "document.activeElement === document.body || !!document.activeElement.closest('dialog')"
        )
    visitor.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.evaluate("document.activeElement.matches('header button')")


def test_the_first_tab_leads_past_the_navigation(visitor: Visitor) -> None:
    page = visitor.open()
    visitor.card("lumens").wait_for()
    visitor.press("Tab")
    assert page.evaluate("document.activeElement.textContent.trim()") == "To the content"
    visitor.press("Enter")
    assert page.evaluate("document.activeElement.id") == "content"
