"""What a strong player would do in a position of a replay: found in this browser, shown on the
board."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Locator, Page, Request, expect

from lampion.core.replay import positions
from lampion.core.types import CHANCE
from tests.server.support import Json, Person, Server, play_live
from tests.support import Case, finished
from tests.web.support import WIDER, Come, Visitor
from tests.web.test_accessible import findings

SIZES = {"phone": {"width": 390, "height": 664}, "desk": {"width": 1366, "height": 768}}
BUTTON = "What would a strong player do here?"

every_size = pytest.mark.parametrize("viewport", SIZES.values(), ids=SIZES.keys())


@pytest.fixture(scope="module")
def over(site: Server) -> str:
    """The table of a game that Ada has played to its end."""
    ada = Person(site, "Ada")
    table = ada.table("me", "novice", game="lumens")
    play_live(ada, table, random.Random(3))
    return str(table["id"])


def decision(record: Json) -> int:
    """A ply in the middle of the game at which a seat acted next."""
    acted = [ply for ply, (actor, _) in enumerate(record["log"]) if actor != "c"]
    return acted[len(acted) // 2]


def advice(page: Page) -> Locator:
    return page.get_by_role("region", name=BUTTON)


def asked(page: Page) -> list[Request]:
    """Every hint that the page asks for from here on."""
    found: list[Request] = []
    page.on(
        "request",
        lambda request: found.append(request) if "/api/replay/hint" in request.url else None,
    )
    return found


def body(request: Request) -> dict[str, Any]:
    return request.post_data_json or {}


@every_size
def test_a_browser_finds_what_a_strong_player_would_do(
    come: Come, site: Server, over: str, viewport: Json
) -> None:
    record = Person(site).call("GET", f"/api/tables/{over}/record")
    ply = decision(record)
    visitor = come(viewport=viewport)
    page = visitor.open(f"/replay/{over}?ply={ply}")
    requests = asked(page)
    visitor.button(BUTTON).click()
    moves = advice(page).get_by_role("listitem").get_by_role("button")
    expect(moves.first).to_have_text(re.compile(r"^\s*\d+%.*places a", re.DOTALL))
    task, told = requests
    assert task.url.endswith("/task") and body(task)["seat"] == record["log"][ply][0]
    assert 1 <= len(body(told)["found"]) <= 3, "it was found here"
    expect(page).to_have_url(re.compile(rf"ply={ply}&seat={record['log'][ply][0]}$"))
    expect(moves.first).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".board .hinted").first).to_be_visible()
    expect(visitor.button("Place it")).to_be_disabled()
    assert page.evaluate(WIDER) <= 0
    assert findings(page) == []


def test_steps_and_questions_by_keys(visitor: Visitor, site: Server, over: str) -> None:
    record = Person(site).call("GET", f"/api/tables/{over}/record")
    ply = decision(record)
    page = visitor.open(f"/replay/{over}?ply={ply}")
    button = visitor.button(BUTTON)
    expect(button).to_have_attribute("aria-disabled", "false")  # the position is there
    button.focus()
    visitor.press("Enter")
    moves = advice(page).get_by_role("listitem").get_by_role("button")
    expect(moves).to_have_count(3)
    expect(page.locator("[aria-live]").filter(has_text="From ").first).to_be_attached()
    moves.nth(1).focus()
    visitor.press("Enter")
    expect(moves.nth(1)).to_have_attribute("aria-pressed", "true")
    expect(moves.first).to_have_attribute("aria-pressed", "false")
    button.focus()
    visitor.press("ArrowRight")
    expect(moves).to_have_count(0)
    expect(page.locator(".board .hinted")).to_have_count(0)
    expect(button).to_be_focused()
    visitor.press("End")
    expect(button).to_have_attribute("aria-disabled", "true")


def test_a_record_file_where_the_browser_cannot_search(come: Come, tmp_path: Path) -> None:
    """Without the engine the server's answer is shown, also to a visitor without a table."""
    match = finished(Case("lanterns", 3, {}), 11)
    ply = next(at.ply for at, entry in positions(match) if entry.actor != CHANCE)
    file = tmp_path / "game.json"
    file.write_text(json.dumps(msgspec.to_builtins(match.to_record(reveal_seed=True))))
    visitor = come(locale="fr-FR")
    visitor.page.route("**/engine/*.wasm*", lambda route: route.abort())
    page = visitor.open("/replay")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("slider").fill(str(ply))
    requests = asked(page)
    page.get_by_role("button", name="Que jouerait un bon joueur").click()
    chosen = page.get_by_role("listitem").get_by_role("button", pressed=True)
    expect(chosen.filter(has_text="%")).to_be_visible()
    assert "found" not in body(requests[-1])


def test_a_game_that_still_runs_has_no_such_button(come: Come, tmp_path: Path) -> None:
    match = Case("lumens", 2, {}).new(4)
    file = tmp_path / "running.json"
    file.write_text(json.dumps(msgspec.to_builtins(match.to_record(reveal_seed=False))))
    visitor = come()
    page = visitor.open("/replay")
    page.locator("input[type=file]").set_input_files(file)
    visitor.button("To the end").click()
    expect(page.locator("output")).to_have_text(f"{match.ply} / {match.ply}")
    expect(visitor.button(BUTTON)).to_have_count(0)
