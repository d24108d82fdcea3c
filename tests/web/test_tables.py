"""People at one table: by link, round one screen, through lost lines, and moves taken back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.server.support import Server
from tests.web.players import CLICKS
from tests.web.support import GAMES, Come, Move, Visitor, acted, two_at, whose_turn

AGREED = re.compile("You asked to take a move back")


@pytest.mark.parametrize("game", GAMES)
def test_two_browsers_at_one_table(come: Come, game: str) -> None:
    ada, ben = two_at(come, game)
    for _ in range(4):
        whose_turn(ada, ben).move_with(CLICKS[game])
        ada.wait_until(lambda: ada.latest["ply"] == ben.latest["ply"], "both know it")
        ada.wait_until(lambda: ada.shown_ply == ben.shown_ply == ada.latest["ply"], "both see it")
    assert ada.latest["view"]["scores"] == ben.latest["view"]["scores"]
    ada.page.get_by_role("button", name="Chat").click()
    ada.button("Hello!").click()
    expect(ben.page.get_by_role("button", name="Chat, 1 new message")).to_be_visible()


def test_what_is_chosen_stays_when_another_player_speaks_or_leaves(come: Come) -> None:
    ada, ben = two_at(come, "lanterns")
    mover = whose_turn(ada, ben)
    other = ben if mover is ada else ada
    assert mover.wait_for_turn()
    mover.page.get_by_role("button", name=re.compile("^Tile 2 of your hand")).click()
    mover.page.get_by_role("button", name=re.compile("^Free place")).first.click()
    chosen = mover.button("Place it").first
    expect(chosen).to_be_visible()
    board = mover.page.locator("[data-ply] > *").first.element_handle()
    other.page.get_by_role("button", name="Chat").click()
    other.button("Hello!").click()
    expect(mover.page.get_by_role("button", name="Chat, 1 new message")).to_be_visible()
    other.open("/about")
    expect(mover.page.get_by_text("away", exact=True)).to_be_visible()
    expect(chosen).to_be_visible()
    assert board
    assert board.evaluate("element => element.isConnected"), "the board is not built again"
    chosen.click()
    mover.wait_until(
        lambda: any(acted(update, mover.latest["seat"], 0) for update in mover.updates),
        "the move is taken",
    )


def test_a_move_is_taken_back_by_consent(come: Come) -> None:
    ada, ben = two_at(come, "lanterns")
    mover = whose_turn(ada, ben)
    other = ben if mover is ada else ada
    mover.move_with(CLICKS["lanterns"])  # a tile is drawn: something new has been seen
    lake = len(mover.latest["view"]["lake"])
    mover.button("Undo").click()
    expect(mover.page.get_by_text(AGREED)).to_be_visible()
    expect(other.page.get_by_text("asks to take a move back")).to_be_visible()
    other.button("No").click()
    expect(mover.page.get_by_text(AGREED)).to_be_hidden()
    assert len(mover.latest["view"]["lake"]) == lake
    other.move_with(
        CLICKS["lanterns"]
    )  # after a no, the game must go on before anything is asked again
    mover.button("Undo").click()
    other.button("Agree").click()
    mover.wait_until(lambda: len(mover.latest["view"]["lake"]) == lake - 1, "the tile is back")
    assert mover.wait_for_turn()


def test_a_move_is_taken_back_freely_while_nothing_new_was_seen(visitor: Visitor) -> None:
    visitor.play("lanterns_dice")
    own = visitor.latest["seat"] if visitor.wait_for_turn() else 0
    while visitor.wait_for_turn() and visitor.latest["view"]["seats"][own]["choice"] != "die":
        visitor.move_with(CLICKS["lanterns_dice"])
    shaded = visitor.latest["view"]["seats"][own]["shaded"]
    visitor.move_with(CLICKS["lanterns_dice"])
    visitor.wait_for_turn()
    visitor.button("Undo").click()
    visitor.wait_until(
        lambda: visitor.latest["view"]["seats"][own]["shaded"] == shaded, "the area is dark again"
    )


def test_one_screen_passed_round_behind_a_curtain(visitor: Visitor) -> None:
    visitor.new_table("lanterns", {1: "local"}, {0: "Ada", 1: "Ben"})
    page = visitor.page
    hands: dict[str, list[str]] = {}
    for _ in range(4):
        curtain = page.get_by_role("button", name=re.compile("^I am "))
        curtain.wait_for()
        name = (curtain.text_content() or "").removeprefix("I am ").strip()
        html = page.content()
        assert not page.locator("[data-ply]").count()
        assert "of your hand" not in html
        assert not [words for hand in hands.values() for words in hand if words in html]
        curtain.click()
        visitor.move_with(see_hand(name, hands))
    assert set(hands) == {"Ada", "Ben"}


def see_hand(name: str, hands: dict[str, list[str]]) -> Move:
    """A move after which we know what the hand looked like in words."""

    def move(visitor: Visitor) -> None:
        tiles = visitor.page.get_by_role("button", name=re.compile(r"^Tile \d of your hand"))
        expect(tiles).to_have_count(3)
        hands[name] = [
            (tile.get_attribute("aria-label") or "").partition(": ")[2] for tile in tiles.all()
        ]
        CLICKS["lanterns"](visitor)

    return move


def test_a_line_lost_in_mid_move(visitor: Visitor) -> None:
    visitor.play("lumens")
    visitor.move_with(CLICKS["lumens"])
    visitor.move_with(CLICKS["lumens"])
    assert visitor.wait_for_turn()
    ply = visitor.latest["ply"]
    visitor.context.set_offline(True)
    expect(visitor.page.get_by_text("No network")).to_be_visible()
    CLICKS["lumens"](visitor)  # chosen and confirmed without a line
    visitor.page.wait_for_timeout(300)
    assert visitor.latest["ply"] == ply
    visitor.context.set_offline(False)
    visitor.wait_until(lambda: visitor.latest["ply"] > ply, "the move is sent on the new line")
    assert visitor.wait_for_turn()


def is_answer(frame: str) -> bool:
    return bool(json.loads(frame)["type"] == "done")


def test_a_server_killed_in_mid_move(come: Come, tmp_path: Path) -> None:
    with Server(str(tmp_path / "lampion.db")) as server:
        visitor = come(server)
        visitor.play("lumens")
        visitor.move_with(CLICKS["lumens"])
        assert visitor.wait_for_turn()
        # The update can come before the answer to the command that led to it. Without that answer
        # the page rightly waits for the server and lets nobody move.
        visitor.wait_until(lambda: any(map(is_answer, visitor.frames)), "the move is acknowledged")
        ply = visitor.latest["ply"]
        server.kill()
        CLICKS["lumens"](visitor)
        expect(visitor.page.get_by_text("Connecting again…")).to_be_visible()
        server.start()
        visitor.wait_until(
            lambda: visitor.latest["ply"] > ply, "the move is taken by the new server"
        )
        visitor.move_with(CLICKS["lumens"])
