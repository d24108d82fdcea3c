"""The pages round a game on every screen: the first page, the form for a table, the end, the replay."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from tests.server.support import Json, Person, Server, play_live
from tests.web.reach import FAULTS, SETTLED, SMALLEST, resize
from tests.web.support import GAMES, Come, Visitor, expect_no_overflow

PHONE, LYING, TABLET = (390, 664), (844, 390), (768, 1024)
SIZES = (PHONE, (320, 568), LYING, TABLET, (1366, 768), (1920, 1080))
ROWS = """() => {
  const cards = [...document.querySelectorAll("article")];
  return Math.max(...cards.map((each) => cards.filter((other) => other.offsetTop === each.offsetTop).length));
}"""
"""How many cards stand beside each other."""
PADDING, LINE = 18.5, 30
BELOW = """(button) => {
  const [edge, end] = [button.closest("dialog"), button].map((each) => each.getBoundingClientRect().bottom);
  return edge - end;
}"""
"""The room between a button and the end of its dialog, in which a field could show."""
OUTGROWN = """() => [...document.querySelectorAll(".sheet header *, .sheet footer *, .strip *")]
  .filter((each) => {
    const box = each.getBoundingClientRect();
    const frame = each.closest(".sheet, .strip").getBoundingClientRect();
    return box.right > frame.right + 1 && !each.closest(".sr-only");
  })
  .map((each) => each.outerHTML.slice(0, 90))"""
"""What leaves its part of a board."""
END_OF_BOARD = """() => {
  const [board, bar] = [".viewer .board", ".viewer > footer"].map((each) => document.querySelector(each).getBoundingClientRect());
  return bar.top - board.bottom;
}"""


@pytest.fixture(scope="module")
def ada(site: Server) -> Person:
    return Person(site, "Ada")


@pytest.fixture(scope="module")
def over(ada: Person) -> Json:
    """A game of four that has come to its end."""
    table = ada.table("me", "novice", "novice", "novice", game="lanterns_dice")
    play_live(ada, table, random.Random(3))
    return table


def test_the_first_page_shows_the_games_beside_each_other_where_there_is_room(
    visitor: Visitor,
) -> None:
    page = visitor.open()
    expect(page.get_by_role("article")).to_have_count(len(GAMES))
    for size in SIZES:
        resize(page, size)
        expect_no_overflow(visitor)
        assert page.evaluate(ROWS) == (len(GAMES) if size[0] >= TABLET[0] else 1), size
        found = page.evaluate(FAULTS, ["article button.main", SMALLEST])
        assert all(fault.startswith("outside") for fault in found), (size, found)  # further down


@pytest.mark.parametrize("game", GAMES)
def test_the_button_of_the_form_is_always_in_sight_and_nothing_shows_below_it(
    visitor: Visitor, game: str
) -> None:
    page = visitor.open()
    visitor.card(game).get_by_role("button", name="With friends").click()
    form = page.get_by_role("dialog", name="New table")
    for size in SIZES:
        resize(page, size)
        assert page.evaluate(FAULTS, ["dialog .open", SMALLEST]) == [], size
        assert 0 <= form.locator(".open").evaluate(BELOW) <= PADDING, size
        last = form.get_by_role("checkbox")
        last.scroll_into_view_if_needed()
        last.evaluate("(each) => each.closest('.content').scrollTo(0, 99999)")
        page.evaluate(SETTLED)
        assert page.evaluate(FAULTS, ["dialog [type=checkbox]", 20]) == [], size


def test_the_end_shows_every_player_and_what_comes_next(
    come: Come, ada: Person, over: Json
) -> None:
    visitor = come()
    visitor.sit_as(ada)
    page = visitor.open(f"/t/{over['id']}")
    ending = page.get_by_role("dialog", name="The game is over")
    expect(ending.get_by_role("listitem")).to_have_count(4)
    for size in SIZES:
        resize(page, size)
        for wanted in (["dialog ol li", LINE], ["dialog .next > *", SMALLEST]):
            assert page.evaluate(FAULTS, wanted) == [], size


def test_a_replay_fits_every_screen(come: Come, ada: Person, over: Json) -> None:
    visitor = come()
    visitor.sit_as(ada)
    page = visitor.open(f"/replay/{over['id']}?ply=40")
    page.locator(".viewer svg.lake").first.wait_for()
    for size in SIZES:
        resize(page, size)
        visitor.wait_until(lambda: page.evaluate(OUTGROWN) == [], f"a board that fits {size}")
        assert page.evaluate(FAULTS, [".viewer > footer button, .eyes button", SMALLEST]) == [], (
            size
        )
        if size == LYING:
            assert page.evaluate(END_OF_BOARD) >= -1, "the bars cover the lower end of the board"


def test_a_newcomer_finds_the_way_from_their_own_page(visitor: Visitor) -> None:
    page = visitor.open("/me")
    page.get_by_role("main").get_by_role("link", name="Play", exact=True).click()
    expect(page.get_by_role("article").first).to_be_visible()
