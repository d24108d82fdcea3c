"""A hint on every screen: its words take no room from what it tells to do."""

from __future__ import annotations

import random

import pytest

from tests.server.support import Json, Person, Server
from tests.web.reach import check_buttons, check_still, resize
from tests.web.support import GAMES, Come

SIZES = ((390, 664), (320, 568), (844, 390), (768, 1024), (1366, 768))
LANGUAGES = ("fr", "it")
"""Those with the most words."""
NEEDED = {
    "lanterns": ".steps button:enabled, .hand button",
    "lanterns_dice": "section.choice button, .water svg.lake",
    "lumens": "section.choice button",
}
TURNS = 6


def play_some(person: Person, table: Json) -> Json:
    """A few turns, up to a decision of this person."""
    chance, left = random.Random(5), TURNS
    with person.live(table) as live:
        while live.turn()["type"] == "update":
            update = person.update(table)
            if update["legal"] and not left:
                return update
            if update["legal"]:
                person.act(table, update, chance.choice(update["legal"]))
                left -= 1
    raise AssertionError("the game is over")


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_leaves_room_for_its_action(come: Come, site: Server, game: str) -> None:
    visitor, person = come(), Person(site, "Ada")
    visitor.close_eyes()
    table = person.table("me", "novice", "novice", game=game)
    ply = play_some(person, table)["ply"]
    visitor.sit_as(person)
    visitor.open("/api/catalogue")
    for language in LANGUAGES:
        visitor.page.evaluate(
            "language => localStorage.setItem('lampion', JSON.stringify({ language }))", language
        )
        page = visitor.open(f"/t/{table['id']}")
        visitor.wait_until(lambda: visitor.shown_ply >= ply, "the page follows")
        page.locator("[aria-keyshortcuts=H]").click()
        page.locator("footer p.hint").wait_for()
        for size in SIZES:
            resize(page, size)
            screen = f"{game} {language} {size[0]}x{size[1]}"
            check_buttons(page, f"{NEEDED[game]}, footer button:enabled", screen)
            check_buttons(page, "footer p.hint", screen, least=15)
            check_still(page, screen)
