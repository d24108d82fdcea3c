"""Answers that come late, when the page shows another game."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route

from tests.server.support import Person, Server
from tests.web.reach import SETTLED
from tests.web.support import Visitor

GO = "path => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')) }"


def hold_first(page: Page, pattern: str) -> list[Route]:
    """The first request of that kind waits until the test continues it; all others pass."""
    held: list[Route] = []
    page.route(pattern, lambda route: route.fallback() if held else held.append(route))
    return held


def check(visitor: Visitor, first: str, second: str, slow: str, sign: str) -> None:
    """Opens two pages one after the other, of which the first is answered last."""
    page = visitor.page
    held = hold_first(page, slow)
    visitor.open(first)
    visitor.wait_until(lambda: held, "the first page asks")
    page.evaluate(GO, second)
    page.locator(sign).first.wait_for()
    page.evaluate(SETTLED)
    shown = page.locator("main").inner_text()
    with page.expect_response(lambda response: response.url == held[0].request.url) as late:
        held[0].continue_()
    late.value.finished()
    page.evaluate(SETTLED)
    assert page.locator("main").inner_text() == shown


@pytest.mark.parametrize(
    ("kind", "slow", "sign"),
    [
        ("rules", "**/api/rulebook/lanterns/*", ".book"),
        ("learn", "**/api/lessons/lanterns", ".coach"),
    ],
    ids=["rules", "learn"],
)
def test_a_page_stays_with_the_game_that_it_was_opened_for(
    visitor: Visitor, kind: str, slow: str, sign: str
) -> None:
    check(visitor, f"/{kind}/lanterns", f"/{kind}/lumens", slow, sign)


def test_a_result_stays_with_its_game(visitor: Visitor, site: Server) -> None:
    ada, over = Person(site, "Ada"), []
    for game in ("lanterns", "lumens"):
        table = ada.table("me", "novice", game=game)
        ada.command(table, "resign", seat=0).raise_for_status()
        over.append(f"/result/{table['id']}")
    first, second = over
    check(visitor, first, second, "**/api/replay/scorebook", "main table")
