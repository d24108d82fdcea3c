"""Help on the screen: rules, hints, a refused move. The guide has tests of its own."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Route, WebSocketRoute, expect

from lampion.core.fold import fold
from tests.server.support import Json, Person
from tests.web.positions import Shelf
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
    visitor.page.route("**/engine/*.wasm*", lambda route: route.abort())
    visitor.play("lumens")
    visitor.wait_for_turn()
    visitor.button("Hint").click()
    expect(visitor.page.locator("footer .hint")).to_have_text(re.compile(r"\w+ \w+"))


def test_an_older_page_leaves_the_search_to_the_server(visitor: Visitor) -> None:
    """Its engine has other rules than the server that sends the task."""

    def renew(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "engine": "newer"})

    visitor.page.route("**/hint/task", renew)
    visitor.play("lumens")
    visitor.wait_for_turn()
    with visitor.page.expect_request(lambda request: request.url.endswith("/hint")) as asked:
        visitor.button("Hint").click()
    assert not json.loads(asked.value.post_data or "{}").get("found")
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


def test_rules_use_the_width_of_a_large_screen(visitor: Visitor) -> None:
    page = visitor.page
    page.set_viewport_size({"width": 1920, "height": 1080})
    visitor.open("/rules/lanterns")
    rules = page.locator("section.rule")
    rules.first.wait_for()
    lefts = {round(box["x"]) for each in rules.all() if (box := each.bounding_box())}
    book = page.locator(".book").bounding_box()
    assert book and book["width"] > 1600
    assert len(lefts) >= 3, "rules stand side by side"


FOUR_ALIKE, FIREWORKS, ROOMS = "lanterns-2-four", "lanterns_dice-4-die", "lumens-2-middle"
"""Stored tables (tests/web/positions.py) at which something valuable is possible."""
OFFERS = {
    "en-US": (r"You can dedicate (.+)\.", {"four_of_a_kind": "four of a kind for {}"}),
    "fr-FR": (r"Vous pouvez dédier (.+)\.", {"four_of_a_kind": "un carré pour {}"}),
    "it-IT": (r"Puoi dedicare (.+)\.", {"four_of_a_kind": "quattro uguali per {}"}),
}


@pytest.mark.parametrize("size", [(390, 664), (1366, 768)], ids=["phone", "desk"])
@pytest.mark.parametrize("language", OFFERS)
def test_a_set_that_can_be_dedicated_is_named_with_what_it_pays(
    come: Come, shelf: Shelf, language: str, size: tuple[int, int]
) -> None:
    visitor, view = come(shelf.server, locale=language), shelf.told[FOUR_ALIKE]["view"]
    pays = {stack["kind"]: stack["pays"] for stack in view["stacks"]}
    visitor.page.set_viewport_size({"width": size[0], "height": size[1]})
    visitor.sit_as(shelf.player)
    visitor.open(f"/t/{FOUR_ALIKE}")
    words, sets = OFFERS[language]
    offer = visitor.page.locator(".offer")
    expect(offer).to_be_in_viewport(ratio=1)
    expect(offer).to_have_text(re.compile(words))
    for kind, named in sets.items():
        expect(offer).to_contain_text(named.format(pays[kind]))
    visitor.page.locator("[data-step=dedicate]").click()
    expect(offer).to_be_hidden()


PHONE_AND_DESK = ((320, 568), (844, 390), (390, 664), (1366, 768))
READY = {
    "en-US": "Ready (to launch )?(this turn|on your (own )?turn): ",
    "fr-FR": "(Feu p|P)rêt (à partir( ce tour-ci)?|pour votre (propre )?tour) : ",
    "it-IT": "(Fuoco p|P)ronto (in questo turno|per il tuo turno): ",
}
WHOLE = "each => each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight + 1"
"""Whether no word of a line is cut off."""
WINNABLE = {
    "en-US": r"You can win rooms? ([A-Z, ]+)",
    "fr-FR": r"Vous pouvez gagner (?:la salle|les salles) ([A-Z, ]+)",
    "it-IT": r"Puoi vincere (?:la sala|le sale) ([A-Z, ]+)",
}


def fitting(view: Json) -> list[int]:
    """The honor of every firework that fits on the player's lake."""
    pays = {stack["shape"]: stack["pays"] for stack in view["stacks"]}
    reach = view["seats"][view["seat"]]["reach"]
    return [pays[each["shape"]] for each in reach if each["missing"] == 0]


def won(person: Person, table: str, view: Json) -> list[str]:
    """The rooms that the player can come to lead, found from the previews."""
    seat = view["seat"]
    found: set[str] = set()
    path = f"/api/tables/{table}/previews?seat={seat}"
    for events in person.call("GET", path)["previews"].values():
        then: Any = fold(view, events)
        for before, after in zip(view["rooms"], then["rooms"], strict=True):
            if seat in after["leaders"] and seat not in before["leaders"]:
                found.add(after["room"])
    return sorted(found)


@pytest.mark.parametrize("language", READY)
def test_a_firework_that_fits_is_named_with_its_honor(
    come: Come, shelf: Shelf, language: str
) -> None:
    visitor = come(shelf.server, locale=language)
    visitor.sit_as(shelf.player)
    visitor.open(f"/t/{FIREWORKS}")
    words = visitor.page.locator(".choice .ready")
    for width, height in PHONE_AND_DESK:
        visitor.page.set_viewport_size({"width": width, "height": height})
        expect(words).to_be_in_viewport(ratio=1)
        expect(words).to_contain_text(re.compile(READY[language]))
        assert words.evaluate(WHOLE), f"words are cut off at {width}x{height}"
        honor = [int(found) for found in re.findall(r"\((\d+)", words.inner_text())]
        assert honor == fitting(shelf.told[FIREWORKS]["view"]) != []


@pytest.mark.parametrize("language", WINNABLE)
def test_a_room_that_can_be_won_is_named(come: Come, shelf: Shelf, language: str) -> None:
    rooms = won(shelf.player, ROOMS, shelf.told[ROOMS]["view"])
    assert rooms
    visitor = come(shelf.server, locale=language)
    visitor.sit_as(shelf.player)
    visitor.open(f"/t/{ROOMS}")
    words = visitor.page.locator(".choice .chance")
    for width, height in PHONE_AND_DESK:
        visitor.page.set_viewport_size({"width": width, "height": height})
        expect(words).to_be_in_viewport(ratio=1)
        expect(words).to_contain_text(re.compile(WINNABLE[language]))
        assert words.evaluate(WHOLE), f"words are cut off at {width}x{height}"
        named = re.search(WINNABLE[language], words.inner_text())
        assert named and named[1].strip().split(", ") == rooms
