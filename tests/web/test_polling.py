"""Where sockets are refused: the same game over plain HTTP."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.server.support import Person, Server
from tests.web.players import CLICKS
from tests.web.support import PHONE, Come, Visitor, expect_no_overflow, two_at, whose_turn

SLOWER = "Slow connection"

TELL = """
const ask = window.fetch;
window.fetch = async (...question) => {
  const reply = await ask(...question);
  if (/\\/(feed|commands)\\?/.test(question[0]) && reply.ok) window.heard(await reply.clone().text());
  return reply;
};
"""
"""Lets the test know what the page is told."""


@pytest.fixture(scope="module")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that refuses the upgrade of every socket: the only one that it allows is taken."""
    flags = (
        "--sockets-per-address",
        "1",
        "--trusted-proxies",
        "127.0.0.1",
    )  # plain connections are not counted
    with Server(str(tmp_path_factory.mktemp("narrow") / "lampion.db"), *flags) as server:
        first = Person(server, "First")
        with first.live(first.table("me", "open")):
            yield server


def overhear(visitor: Visitor) -> None:
    """What comes by HTTP counts like what comes by sockets."""

    def hear(text: str) -> None:
        for message in json.loads(text)["messages"]:
            visitor.receive(message)

    visitor.page.expose_function("heard", hear)
    visitor.context.add_init_script(TELL)


def test_a_game_against_a_bot_without_sockets(come: Come, narrow: Server) -> None:
    visitor = come(narrow)
    overhear(visitor)
    visitor.play("lumens")
    expect(visitor.page.get_by_text(SLOWER)).to_be_visible()
    for _ in range(4):
        visitor.move_with(CLICKS["lumens"])
    assert visitor.wait_for_turn()
    assert not visitor.frames
    expect(visitor.page.get_by_text(SLOWER)).to_be_visible()
    ply = visitor.latest["ply"]  # before the click: the answer may be there when it returns
    visitor.button("Undo").click()
    visitor.wait_until(lambda: visitor.latest["ply"] > ply, "the move is taken back")


def test_the_word_for_it_fits_on_a_phone(come: Come, narrow: Server) -> None:
    visitor = come(narrow, **PHONE)
    visitor.play("lanterns")
    expect(visitor.page.get_by_text(SLOWER)).to_be_visible()
    expect_no_overflow(visitor)
    tops = [button.bounding_box() for button in visitor.page.locator("header .button").all()]
    assert len({round(box["y"]) for box in tops if box}) == 1, "the upper edge stays one row"


def test_two_people_without_sockets_see_moves_and_words_of_each_other(
    come: Come, narrow: Server
) -> None:
    ada, ben = two_at(lambda: come(narrow), "lanterns", before=overhear)
    for _ in range(2):
        whose_turn(ada, ben).move_with(CLICKS["lanterns"])
        ada.wait_until(lambda: ada.shown_ply == ben.shown_ply == ada.latest["ply"], "both see it")
    ada.page.get_by_role("button", name="Chat").click()
    ada.button("Hello!").click()
    expect(ben.page.get_by_role("button", name="Chat, 1 new message")).to_be_visible()
    expect(ada.page.get_by_text("away", exact=True)).to_have_count(0)


def test_the_socket_is_taken_as_soon_as_it_comes_through(visitor: Visitor) -> None:
    overhear(visitor)
    visitor.page.route_web_socket(re.compile("/live"), lambda line: line.close())
    visitor.play("lumens")
    expect(visitor.page.get_by_text(SLOWER)).to_be_visible()
    visitor.move_with(CLICKS["lumens"])
    visitor.page.route_web_socket(re.compile("/live"), lambda line: line.connect_to_server())
    visitor.context.set_offline(True)
    visitor.context.set_offline(False)
    expect(visitor.page.get_by_text(SLOWER)).to_be_hidden()
    visitor.move_with(CLICKS["lumens"])
