"""Games without a board of their own, installed beside the package, at the generic table: whole
games by clicks and by keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.examples.support import install
from tests.server.support import Person, Server
from tests.web.support import TITLES, WIDER, Come, Json, Visitor

TITLES.update(
    {"connect_four": "Connect Four", "hex": "Hex", "kuhn": "Kuhn Poker", "leduc": "Leduc Poker"}
)
SMALL = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server in whose environment the examples are installed."""
    folder = tmp_path_factory.mktemp("shop")
    games = install(tmp_path_factory.mktemp("games"))
    database = str(folder / "lampion.db")
    with Server(database, log=folder / "log", env={"PYTHONPATH": str(games)}) as server:
        yield server


def press_the_drawing(visitor: Visitor) -> None:
    """Press a place of the drawing that stands for a legal action, and confirm."""
    action = visitor.chance.choice(visitor.latest["legal"])
    visitor.page.locator(f'.drawing [data-action="{action}"].open').dispatch_event("click")
    expect(visitor.page.get_by_role("radio", checked=True)).to_have_value(action)
    visitor.hit(visitor.button("Do it"))


def choose_by_keys(visitor: Visitor) -> None:
    """The list alone: the arrows choose, Enter confirms."""
    visitor.tab_to("input[name=action]")
    visitor.press("ArrowDown", "ArrowUp", "ArrowDown")
    visitor.press("Enter")


def test_a_whole_game_of_connect_four_by_pressing_the_drawing(come: Come, shop: Server) -> None:
    visitor = come(shop)
    visitor.press_play("connect_four")
    visitor.play_to_the_end(press_the_drawing)
    over = visitor.page.get_by_role("dialog", name="The game is over")
    expect(over.get_by_role("listitem")).to_have_count(2)
    visitor.hit(over.get_by_role("link", name="Replay"))
    visitor.page.wait_for_url(re.compile("/replay/"))
    expect(visitor.page.locator(".drawing svg")).to_be_visible()


def test_a_whole_game_with_secrets_by_keys(come: Come, shop: Server) -> None:
    visitor = come(shop)
    visitor.play("leduc", players=3)
    visitor.play_to_the_end(choose_by_keys)
    assert all(
        [card is None for card in update["view"]["card"]] == [False, True, True]
        for update in visitor.updates
        if update["legal"]
    ), "our own card and no other"
    expect(visitor.page.get_by_role("dialog").get_by_role("listitem")).to_have_count(3)


def test_every_action_says_what_it_does_and_a_search_finds_it(come: Come, shop: Server) -> None:
    visitor = come(shop)
    visitor.play("hex")
    assert visitor.wait_for_turn()
    actions = visitor.page.get_by_role("radiogroup", name="Legal actions").get_by_role("radio")
    expect(actions).to_have_count(121)
    visitor.page.get_by_role("searchbox").fill("stone f6")
    expect(actions).to_have_count(1)
    visitor.press("Enter", "Enter")
    visitor.wait_until(lambda: visitor.latest["ply"] >= 2, "the bot has answered")
    assert visitor.latest["view"]["board"][5][5] == "x"


def test_a_taken_cell_of_hex_is_closed(come: Come, shop: Server) -> None:
    """Though the names of others begin like it: a1, a10, a11."""
    visitor = come(shop)
    visitor.play("hex")
    visitor.move_with(partial(press_cell, cell="a1"))
    assert visitor.wait_for_turn()
    open_cells = visitor.page.locator(".drawing .open")
    expect(open_cells).to_have_count(len(visitor.latest["legal"]))
    expect(visitor.page.locator('.drawing [data-action="a1"].open')).to_have_count(0)


def press_cell(visitor: Visitor, cell: str) -> None:
    visitor.page.locator(f'.drawing [data-action="{cell}"].open').dispatch_event("click")
    visitor.hit(visitor.button("Do it"))


def test_a_whole_game_of_kuhn_poker_by_keys(come: Come, shop: Server) -> None:
    visitor = come(shop)
    visitor.play("kuhn")
    visitor.play_to_the_end(choose_by_keys)
    expect(visitor.page.get_by_role("dialog").get_by_role("listitem")).to_have_count(2)


def test_connect_four_with_a_friend(come: Come, shop: Server) -> None:
    """Four discs of Ada in one column, while Milo fills another."""
    ada, milo = come(shop), come(shop)
    host, guest = Person(shop, "Ada"), Person(shop, "Milo")
    table = host.table("me", "open", game="connect_four")
    guest.join(table)
    for visitor, person in ((ada, host), (milo, guest)):
        visitor.sit_as(person)
        person.web.close()
        visitor.open(f"/t/{table['id']}")
    for _ in range(3):
        ada.move_with(partial(press_cell, cell="d"))
        milo.move_with(partial(press_cell, cell="e"))
    ada.move_with(partial(press_cell, cell="d"))
    for visitor in (ada, milo):
        expect(visitor.page.get_by_role("dialog", name="The game is over")).to_be_visible()
    assert ada.latest["view"]["winners"] == [0]


def updates_of(visitor: Visitor, seat: int) -> list[Json]:
    return [update for update in visitor.updates if update["seat"] == seat]


def test_two_friends_see_each_their_own_card_on_a_phone(come: Come, shop: Server) -> None:
    ada, milo = come(shop, **SMALL), come(shop)
    ada.new_table("leduc", {1: "open"}, {0: "Ada"})
    link = ada.page.get_by_role("textbox", name=re.compile("link", re.I)).input_value()
    milo.page.goto(link)
    milo.page.get_by_role("textbox", name="Your name").fill("Milo")
    milo.page.get_by_role("button", name=re.compile("^Sit down")).click()
    assert ada.wait_for_turn()
    for one, seat in ((ada, 0), (milo, 1)):
        # Milo's browser watched before he sat down, so it has updates of a spectator, too.
        one.wait_until(partial(updates_of, one, seat), "the cards")
        cards = updates_of(one, seat)[-1]["view"]["card"]
        assert [card is None for card in cards] == [seat != 0, seat != 1]
        drawing = one.page.locator(".drawing")
        for word in ("Ada", "Milo", cards[seat]):
            expect(drawing.get_by_text(word, exact=True)).to_have_count(1)
    assert ada.page.evaluate(WIDER) <= 0
    ada.move_with(choose_by_keys)


def test_eight_people_have_a_seat_where_a_game_says_so(come: Come, shop: Server) -> None:
    visitor = come(shop)
    visitor.play("leduc", players=8)
    assert visitor.wait_for_turn()
    seats = visitor.page.get_by_role("list", name="Seats").get_by_role("listitem")
    expect(seats).to_have_count(8)
    expect(seats.nth(7)).to_contain_text("Moon Dragon")
    visitor.play_to_the_end(choose_by_keys)
