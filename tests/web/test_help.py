"""Help on the screen: rules, hints, a refused move. The guide has tests of its own."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.server.support import Json, Person, Server
from tests.web.support import GAMES, Come, Visitor

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


OFFERS = {
    "en-US": (r"You can dedicate (.+)\.", {"four_of_a_kind": "four of a kind for {}"}),
    "fr-FR": (r"Vous pouvez dédier (.+)\.", {"four_of_a_kind": "un carré pour {}"}),
    "it-IT": (r"Puoi dedicare (.+)\.", {"four_of_a_kind": "quattro uguali per {}"}),
}


def four_alike(person: Person) -> tuple[Json, Json]:
    """Plays games until the player may dedicate four of a kind or place a tile: the table, the view."""
    while True:
        table = person.table("me", "novice", game="lanterns")
        with person.live(table) as live:
            while (turn := live.turn())["type"] == "update":
                placed = [action for action in turn["legal"] if "@" in action]
                if placed and any(action.startswith("d4:") for action in turn["legal"]):
                    return table, person.update(table)["view"]
                action = (placed or turn["legal"])[0]
                live.send("act", seat=turn["seat"], ply=turn["ply"], action=action)


@pytest.mark.parametrize("size", [(390, 664), (1366, 768)], ids=["phone", "desk"])
@pytest.mark.parametrize("language", OFFERS)
def test_a_set_that_can_be_dedicated_is_named_with_what_it_pays(
    come: Come, site: Server, language: str, size: tuple[int, int]
) -> None:
    ada, visitor = Person(site, "Ada"), come(locale=language)
    table, view = four_alike(ada)
    pays = {stack["kind"]: stack["pays"] for stack in view["stacks"]}
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    visitor.sit_as(ada)
    visitor.open(f"/t/{table['id']}")
    words, sets = OFFERS[language]
    offer = visitor.page.locator(".offer")
    expect(offer).to_be_in_viewport(ratio=1)
    expect(offer).to_have_text(re.compile(words))
    for kind, named in sets.items():
        expect(offer).to_contain_text(named.format(pays[kind]))
    visitor.page.locator("[data-step=dedicate]").click()
    expect(offer).to_be_hidden()
