"""Private tables: what strangers, invited friends and the players of the game before see of them."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Request, Route, expect

from tests.server.support import Server
from tests.web.players import CLICKS
from tests.web.support import Come, Visitor, two_at, whose_turn

CLOSED_CHAT = "Only people at this private table can read and write here."
NAMES = re.compile(r"\b(Ada|Ben)\b")
CLICK_AT = """(when) => {
  const button = [...document.querySelectorAll("button")].find((each) => each.textContent.trim() === "Rematch");
  setTimeout(() => button.click(), when - Date.now());
}"""


def invitation(host: Visitor) -> str:
    return host.page.get_by_role("textbox", name="Anyone with this link can sit down").input_value()


def is_question(request: Request) -> bool:
    """Whether the page asks if the server is there at all."""
    return urlsplit(request.url).path == "/live"


def seats_of(visitor: Visitor) -> list[str]:
    return visitor.page.get_by_label("Seats", exact=True).get_by_role("listitem").all_inner_texts()


def test_a_stranger_sees_the_game_but_no_names_and_no_chat(come: Come) -> None:
    ada, ben = two_at(come, "lanterns")
    whose_turn(ada, ben).move_with(CLICKS["lanterns"])
    ada.page.get_by_role("button", name="Chat").click()
    ada.page.get_by_role("textbox", name="Write a message").fill("It is a secret, Ben")
    ada.button("Send").click()
    expect(ben.page.get_by_role("button", name="Chat, 1 new message")).to_be_visible()
    stranger = come()
    stranger.open(f"/t/{ada.table}")
    stranger.wait_until(
        lambda: stranger.updates and stranger.shown_ply == ada.latest["ply"], "the stranger watches"
    )
    first, second = seats_of(stranger)
    assert "Player 1" in first
    assert "Player 2" in second
    assert "away" not in first + second
    stranger.page.get_by_role("button", name="Chat", exact=True).click()
    expect(stranger.page.get_by_text(CLOSED_CHAT)).to_be_visible()
    expect(stranger.page.get_by_role("textbox")).to_have_count(0)
    whose_turn(ada, ben).move_with(CLICKS["lanterns"])
    stranger.wait_until(
        lambda: stranger.shown_ply == ada.latest["ply"], "the stranger goes on watching"
    )
    assert not NAMES.search(stranger.page.content())


def test_a_stranger_is_not_even_sent_the_names(come: Come) -> None:
    ada, _ = two_at(come, "lumens")
    stranger = come()
    stranger.open(f"/t/{ada.table}")
    stranger.wait_until(lambda: stranger.updates, "the stranger watches")
    assert not NAMES.search("".join(stranger.frames))


def test_an_invited_friend_sees_who_sits_there_before_joining(come: Come) -> None:
    ada, friend, stranger = come(), come(), come()
    ada.new_table("lanterns", {1: "open", 2: "open"}, {0: "Ada"})
    stranger.open(f"/t/{ada.table}")
    expect(
        stranger.page.get_by_text("To sit down here you need the invitation link.")
    ).to_be_visible()
    assert "Player 1" in seats_of(stranger)[0]
    friend.page.goto(invitation(ada))
    expect(friend.button("Sit down")).to_be_visible()
    assert "Ada" in seats_of(friend)[0]
    friend.press("Tab", "Enter")  # the jump to the content takes the invitation out of the address
    friend.page.wait_for_url(re.compile("#content$"))
    ada.button("Start with bots in the free seats").click()
    friend.button("Watch the game").click()
    friend.wait_until(lambda: friend.updates, "the friend watches")
    assert "Ada" in seats_of(friend)[0]
    friend.page.get_by_role("button", name="Chat").click()
    friend.button("Good luck!").click()
    expect(ada.page.get_by_role("button", name="Chat, 1 new message")).to_be_visible()
    expect(friend.page.get_by_role("list", name="Chat")).to_contain_text("Guest Good luck!")


def test_a_link_with_a_wrong_invitation_opens_no_seat(come: Come) -> None:
    ada, guest = come(), come()
    ada.new_table("lumens", {1: "open"}, {0: "Ada"})
    guest.open(f"/t/{ada.table}#{'x' * 24}")
    expect(guest.page.get_by_text("To sit down here you need the invitation link.")).to_be_visible()
    expect(guest.button("Sit down")).to_have_count(0)


def test_a_rematch_by_both_at_once_leads_both_to_the_same_table(come: Come) -> None:
    ada, ben = two_at(come, "lumens")
    before = ada.table
    ada.page.get_by_role("button", name="Menu").click()
    ada.button("Resign").click()
    ada.button("Resign").click()
    for player in (ada, ben):
        expect(player.button("Rematch")).to_be_visible()
    when = ada.page.evaluate("() => Date.now() + 1000")
    for player in (ada, ben):
        player.page.evaluate(CLICK_AT, when)
    ada.wait_until(lambda: ada.table != before, "the rematch")
    ben.wait_until(lambda: ben.table != before, "the rematch")
    assert ada.table == ben.table
    for player in (ada, ben):
        player.updates = [update for update in player.updates if update["table"] == ada.table]
    ada.wait_until(lambda: ada.updates and ben.updates, "the rematch starts")
    whose_turn(ada, ben).move_with(CLICKS["lumens"])
    assert "Ada" in "".join(seats_of(ben))


def test_a_question_is_withdrawn(come: Come) -> None:
    ada, ben = two_at(come, "lanterns")
    mover = whose_turn(ada, ben)
    other, name = (ben, "Ben") if mover is ada else (ada, "Ada")
    mover.move_with(CLICKS["lanterns"])  # a tile is drawn: something new has been seen
    lake = len(mover.latest["view"]["lake"])
    mover.button("Undo").click()
    expect(
        mover.page.get_by_text(f"You asked to take a move back. Waiting for {name}.")
    ).to_be_visible()
    expect(other.page.get_by_text("asks to take a move back")).to_be_visible()
    expect(other.button("Withdraw")).to_have_count(0)
    mover.button("Withdraw").click()
    for player in (mover, other):
        expect(player.page.get_by_text("to take a move back")).to_be_hidden()
    mover.button("Undo").click()  # a question that was withdrawn may be asked again
    expect(other.button("Agree")).to_be_visible()
    other.button("No").click()
    mover.button("Undo").click()
    expect(mover.page.get_by_text("just said no")).to_be_visible()
    assert len(mover.latest["view"]["lake"]) == lake


def test_a_question_waits_for_a_player_who_left(come: Come) -> None:
    ada, ben = two_at(come, "lanterns")
    mover = whose_turn(ada, ben)
    other, name = (ben, "Ben") if mover is ada else (ada, "Ada")
    mover.move_with(CLICKS["lanterns"])
    mover.page.get_by_role("button", name="Menu").click()
    mover.button("Propose to stop").click()
    mover.button("Propose to stop").click()
    other.page.get_by_role("button", name="Menu").click()
    other.button("Let a bot play for me").click()
    other.button("Let a bot play for me").click()
    waiting = f"You asked to end the game without a result. Waiting for {name} (away)."
    expect(mover.page.get_by_text(waiting)).to_be_visible()
    other.button("Agree").click()  # the bot does not answer, the player still can
    expect(mover.page.get_by_role("dialog", name="The game is over")).to_be_visible()


def test_a_table_of_a_newer_server_says_so_instead_of_trying_for_ever(
    come: Come, tmp_path: Path
) -> None:
    with Server(str(tmp_path / "lampion.db")) as server:
        visitor = come(server)
        late: list[Route] = []
        visitor.page.route("**/assets/installed*.js", lambda route: late.append(route))
        visitor.play("lumens")
        assert visitor.wait_for_turn()
        visitor.wait_until(lambda: late, "a part of the client that comes when there is time")
        server.kill()
        with visitor.page.expect_event("requestfailed", is_question):
            late[0].abort("connectionrefused")  # no reason to load the page again: it is gone, too
        with closing(sqlite3.connect(server.database)) as database, database:
            database.execute("UPDATE game_table SET rules_version = 99")
        lines: list[str] = []
        visitor.page.on("websocket", lambda socket: lines.append(socket.url))
        server.start()
        expect(
            visitor.page.get_by_role("heading", name="This table cannot be opened")
        ).to_be_visible()
        expect(visitor.page.get_by_role("alert")).to_contain_text("update the server")
        known = len(lines)
        visitor.page.wait_for_timeout(2_000)
        assert len(lines) == known
