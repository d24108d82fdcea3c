"""Help on the screen: rules, hints, the guided first game, a refused move."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.web.players import CLICKS
from tests.web.support import GAMES, PHONE, Come, Visitor

QUESTION = {
    "lanterns": "Rule about: Place a tile",
    "lanterns_dice": "Open rule D9",
    "lumens": "Rule about: Your token",
}


@pytest.mark.parametrize("game", GAMES)
def test_a_question_mark_opens_its_rule(visitor: Visitor, game: str) -> None:
    visitor.play(game)
    visitor.wait_for_turn()
    visitor.button(QUESTION[game]).first.click()
    book = visitor.page.get_by_role("dialog", name="Rules")
    expect(book.locator(".wanted")).to_be_in_viewport()
    assert visitor.page.evaluate("document.activeElement.classList.contains('wanted')")
    visitor.press("Escape")
    expect(book).to_be_hidden()


def test_a_refused_move_says_why_and_opens_its_rule(visitor: Visitor) -> None:
    """The page offers legal moves only: here its command is changed on the way into one that the rules forbid."""

    def forge(line: WebSocketRoute) -> None:
        server = line.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            command = json.loads(message)
            server.send(
                json.dumps({**command, "action": "xR>R"} if command["do"] == "act" else command)
            )

        line.on_message(pass_on)
        server.on_message(line.send)

    visitor.page.route_web_socket(re.compile("/live"), forge)
    visitor.play("lanterns")
    visitor.page.get_by_role("button", name=re.compile("^Free place")).first.wait_for()
    visitor.page.get_by_role("button", name=re.compile("^Tile 1 of your hand")).click()
    visitor.page.get_by_role("button", name=re.compile("^Free place")).first.click()
    visitor.button("Place it").first.click()
    refusal = visitor.page.get_by_role("alert")
    expect(refusal).to_be_visible()
    refusal.get_by_role("button", name=re.compile(r"^Rule L\d+")).click()
    expect(visitor.page.get_by_role("dialog", name="Rules").locator(".wanted")).to_be_in_viewport()


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_says_what_a_strong_bot_would_do(visitor: Visitor, game: str) -> None:
    visitor.play(game)
    visitor.wait_for_turn()
    with visitor.page.expect_request(lambda request: request.url.endswith("/hint")) as asked:
        visitor.button("Hint").click()
    assert json.loads(asked.value.post_data or "{}")["found"], "this browser has found it by itself"
    expect(visitor.page.locator("footer .hint")).to_have_text(re.compile(r"\w+ \w+"))
    expect(visitor.page.locator(".hinted").first).to_be_visible()
    assert visitor.wait_for_turn(), "a hint does not move"


def test_where_a_browser_cannot_search_the_server_does(visitor: Visitor) -> None:
    visitor.page.route("**/engine/*.wasm", lambda route: route.abort())
    visitor.play("lumens")
    visitor.wait_for_turn()
    visitor.button("Hint").click()
    expect(visitor.page.locator("footer .hint")).to_have_text(re.compile(r"\w+ \w+"))


@pytest.mark.parametrize("game", GAMES)
def test_the_guided_first_game(visitor: Visitor, game: str) -> None:
    """All steps, each by doing what it asks or by its button; then the guide leaves and the table stays."""
    visitor.open(f"/learn/{game}")
    guide = visitor.page.get_by_role("region", name="Guide")
    moves = 0
    while not guide.get_by_text(re.compile(r"^Step (\d+) of \1$")).count():
        assert visitor.wait_for_turn()
        step = guide.get_by_text(re.compile(r"^Step \d+ of \d+$")).text_content() or ""
        onwards = guide.get_by_role("button", name=re.compile("^(Next|Skip this step)$"))
        if moves < 4 and "Skip" in (onwards.text_content() or ""):
            visitor.move_with(CLICKS[game])
            moves += 1
        else:
            onwards.click()
            expect(guide.get_by_text(step, exact=True)).to_have_count(0)
    assert moves
    guide.get_by_role("button", name="End the guide").click()
    visitor.page.wait_for_url("**/t/*")
    expect(guide).to_have_count(0)
    assert visitor.wait_for_turn()


def test_the_guide_folds_to_make_room_and_the_next_step_opens_it(come: Come) -> None:
    visitor = come(**PHONE)
    visitor.open("/learn/lanterns")
    guide = visitor.page.get_by_role("region", name="Guide")
    words, fold = (
        guide.get_by_text("Welcome to the lake"),
        guide.get_by_role("button", name="Step 1 of"),
    )
    visitor.hit(fold)
    expect(words).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    expect(
        visitor.page.get_by_role("button", name=re.compile("^Tile 1 of your hand"))
    ).to_be_in_viewport(ratio=0.9)
    visitor.hit(fold)
    expect(words).to_be_visible()
    visitor.hit(fold)
    visitor.hit(guide.get_by_role("button", name="Next"))
    expect(guide.get_by_role("button", name="Step 2 of")).to_have_attribute("aria-expanded", "true")


def test_a_guided_game_is_taken_up_where_it_was_left(visitor: Visitor) -> None:
    visitor.open("/learn/lumens")
    guide = visitor.page.get_by_role("region", name="Guide")
    guide.get_by_role("button", name="Next").click()
    expect(guide.get_by_text("Step 2 of")).to_be_visible()
    visitor.open("/")
    visitor.open("/learn/lumens")
    expect(guide.get_by_text("Step 2 of")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_the_rulebook_has_a_page(visitor: Visitor, game: str) -> None:
    page = visitor.open(f"/rules/{game}")
    page.get_by_text("All rules").click()
    last = page.get_by_role("list").first.get_by_role("link").last
    number = (last.text_content() or "").split()[0]
    last.click()
    expect(page.locator(f"#{number}")).to_be_in_viewport()
    assert page.locator("figure:has(svg)").count() == page.locator("figure").count() > 4, (
        "every example is drawn"
    )
