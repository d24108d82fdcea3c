"""Everything without a mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.players import KEYS, PROGRESS
from tests.web.positions import Shelf
from tests.web.support import Come, Visitor


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


def test_a_face_that_is_turned_over_by_its_key_is_confirmed_from_there(visitor: Visitor) -> None:
    """The focus goes along: on the other face, Enter would only choose that one again."""
    visitor.play("lumens")
    visitor.wait_for_turn()
    assert visitor.latest["view"]["turn"]["phase"] == "start_face"
    visitor.tab_to("[data-face]")
    visitor.press("Enter", "f")
    expect(visitor.page.locator("[data-face]:focus")).to_have_attribute("aria-checked", "true")
    visitor.move_with(lambda _: visitor.press("Enter"))


@pytest.mark.parametrize(
    ("game", "board", "place"),
    [("lanterns", ".lake", "button[data-cell]"), ("lumens", ".house", "button[data-square]")],
    ids=["lanterns", "lumens"],
)
def test_keys_choose_a_place_after_the_mouse_has_moved_the_board(
    visitor: Visitor, game: str, board: str, place: str
) -> None:
    visitor.play(game)
    visitor.wait_for_turn()
    if visitor.latest["view"]["turn"].get("phase") == "start_face":
        visitor.move_with(KEYS[game])
        visitor.wait_for_turn()
    page = visitor.page
    box = page.locator(board).bounding_box()
    assert box
    page.mouse.move(box["x"] + 8, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 30, steps=4)
    page.mouse.up()
    visitor.press("2")  # in Lanterns a tile; in Lumens a face, or nothing
    visitor.tab_to(place)
    visitor.press("ArrowUp", "Enter")
    expect(page.locator(f"{place}:focus")).to_have_attribute("aria-pressed", "true")


FOCUS = """async ([frame, place, number]) => {
  const [lake, button] = [document.querySelector(frame), document.querySelectorAll(place)[number]];
  button.focus();
  for (let frames = 3; frames; frames--) await new Promise(requestAnimationFrame);
  const [outer, inner] = [lake, button].map((each) => each.getBoundingClientRect());
  const isInside = inner.left >= outer.left - 1 && inner.right <= outer.right + 1
    && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  return [lake.scrollLeft, lake.scrollTop, isInside];
}"""
"""Focuses a place: how far that scrolled its frame, and whether the place is inside it."""


@pytest.mark.parametrize(
    ("table", "frame", "place"),
    [
        ("lanterns-4-late", ".lake", "button[data-cell]"),
        ("lumens-2-middle", ".house", "button[data-square]"),
    ],
    ids=["lanterns", "lumens"],
)
def test_the_focus_shows_a_place_beyond_the_edge_and_scrolls_nothing(
    come: Come, shelf: Shelf, table: str, frame: str, place: str
) -> None:
    """A frame that is scrolled would give every tap another meaning."""
    visitor = come(shelf.server, viewport={"width": 390, "height": 664})
    visitor.sit_as(shelf.player)
    page = visitor.open(f"/t/{table}")
    page.locator(place).first.wait_for()
    page.locator("[data-home]").focus()
    visitor.press(*"++++++")
    places = page.locator(place).count()
    assert places > 3
    for number in range(places):
        assert page.evaluate(FOCUS, [frame, place, number]) == [0, 0, True]


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
