"""The admin page as an operator uses it, and the announcement as everybody sees it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import Page, Route, expect

from lampion.server.web.client import STATIC
from tests.server.admin import Operator, operator_of
from tests.server.support import Person, Server
from tests.web.support import PHONE, Come, Visitor, expect_no_overflow
from tests.web.test_accessible import findings

SECTIONS = ("Overview", "Tables", "People", "Bans and mutes", "Outbox", "Keys", "Audit log")


@pytest.fixture(scope="module")
def operator(site: Server) -> Iterator[Operator]:
    made = operator_of(site, "page")
    yield made
    made.call("announce", text=None)


def enter(visitor: Visitor, operator: Operator) -> Page:
    page = visitor.open("/admin")
    page.get_by_label("Admin key").fill(operator.key)
    visitor.press("Enter")
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    return page


def go_to(page: Page, section: str) -> None:
    page.get_by_text(section, exact=True).first.click()
    expect(page.get_by_role("heading", name=section)).to_be_visible()


def answer(page: Page, action: str, reason: str = "") -> None:
    """Say yes in the dialog that asks first."""
    dialog = page.get_by_role("dialog")
    if reason:
        dialog.get_by_label("Reason").fill(reason)
    dialog.get_by_role("button", name=action, exact=True).click()
    expect(dialog).to_have_count(0)


def test_a_wrong_key_opens_nothing_and_the_right_one_stays_in_the_tab(
    come: Come, operator: Operator
) -> None:
    visitor = come()
    page = visitor.open("/admin")
    page.get_by_label("Admin key").fill("wrong")
    visitor.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("admin key")
    enter(visitor, operator)
    page.reload()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    assert operator.key not in page.evaluate("JSON.stringify(localStorage) + document.cookie")
    visitor.button("Forget the key").click()
    expect(page.get_by_label("Admin key")).to_be_visible()
    assert operator.key not in page.evaluate("JSON.stringify(sessionStorage)")


def test_a_table_is_found_and_closed(visitor: Visitor, site: Server, operator: Operator) -> None:
    ada = Person(site, "Isidora")
    table = ada.table("me", "novice")
    page = enter(visitor, operator)
    go_to(page, "Tables")
    page.get_by_label("Id or name at the table").fill("isidora")
    visitor.press("Enter")
    expect(page.get_by_role("listitem")).to_have_count(1)
    page.get_by_role("button", name=f"Details: {table['id']}").click()
    expect(page.get_by_role("dialog")).to_contain_text("Isidora")
    visitor.press("Escape")
    page.get_by_role("button", name=f"Close the game: {table['id']}").click()
    answer(page, "Close the game", "asked for it")
    expect(page.get_by_role("listitem")).to_contain_text("Stopped")
    assert ada.info(table)["result"]["reason"] == "stopped"
    page.get_by_role("button", name=f"Delete the table: {table['id']}").click()
    answer(page, "Delete the table", "a test")
    expect(page.get_by_role("listitem")).to_have_count(0)


def test_a_person_is_banned_and_the_ban_lifted_by_keys_alone(
    visitor: Visitor, site: Server, operator: Operator
) -> None:
    ada = Person(site, "Leopoldine")
    page = enter(visitor, operator)
    late: list[Route] = []
    page.route("**/admin/people", lambda route: late.append(route), times=1)
    go_to(page, "People")
    visitor.wait_until(lambda: late, "the list of all people")
    page.get_by_label("Name or id").fill("leopoldine")
    visitor.press("Enter")
    expect(page.get_by_role("listitem")).to_have_count(1)
    with page.expect_response("**/admin/people"):
        late[0].continue_()  # what was asked first is answered last
    visitor.tab_to("[aria-label='Ban: Leopoldine']")
    visitor.press("Enter")
    expect(page.get_by_role("dialog", name="Ban")).to_be_visible()
    visitor.tab_to("dialog input")
    page.keyboard.type("insults")
    visitor.press("Enter")
    expect(page.get_by_role("listitem")).to_contain_text("banned")
    assert ada.problem("GET", "/api/me")["code"] == "ban-in-force"
    go_to(page, "Bans and mutes")
    page.get_by_role("button", name=re.compile("^Lift: ")).first.click()
    answer(page, "Lift")
    assert ada.call("GET", "/api/me")["name"] == "Leopoldine"
    go_to(page, "Audit log")
    expect(page.get_by_role("listitem").first).to_contain_text("lift")


def test_an_announcement_is_shown_on_every_page_until_it_is_read(
    come: Come, site: Server, operator: Operator
) -> None:
    reader, player = come(), come()
    player.play("lanterns")
    page = enter(come(), operator)
    page.get_by_label("One sentence for everybody").fill("Back in ten minutes")
    page.get_by_role("button", name="Announce", exact=True).click()
    banner = player.page.get_by_role("status", name="Announcement")
    expect(banner).to_contain_text("Back in ten minutes")
    for path in ("/", "/about", "/rules/lumens"):
        expect(reader.open(path).get_by_role("status", name="Announcement")).to_be_visible()
    reader.page.get_by_role("status", name="Announcement").get_by_role("button").click()
    expect(reader.page.get_by_role("status", name="Announcement")).to_have_count(0)
    expect(reader.open("/").get_by_role("heading", level=1)).to_be_visible()
    expect(reader.page.get_by_role("status", name="Announcement")).to_have_count(0)
    page.get_by_role("button", name="Remove the announcement").click()
    expect(banner).to_have_count(0)


@pytest.mark.parametrize("options", [PHONE, {"viewport": {"width": 1366, "height": 768}}])
def test_every_section_fits_and_can_be_read_aloud(
    come: Come, operator: Operator, options: dict[str, object]
) -> None:
    visitor = come(**options)
    page = visitor.open("/admin")
    expect(page.get_by_label("Admin key")).to_be_visible()
    assert findings(page) == []
    enter(visitor, operator)
    for section in SECTIONS:
        go_to(page, section)
        page.wait_for_load_state("networkidle")
        expect_no_overflow(visitor)
        assert findings(page) == [], section


@pytest.mark.parametrize(
    ("locale", "word"), [("fr-FR", "Clé d’administration"), ("it-IT", "Chiave di amministrazione")]
)
def test_it_speaks_the_language_of_the_browser(come: Come, locale: str, word: str) -> None:
    expect(come(locale=locale).open("/admin").get_by_label(word)).to_be_visible()


def test_nobody_who_plays_loads_it(visitor: Visitor) -> None:
    """It is a chunk of its own, and no page leads there."""
    page = visitor.open()
    page.wait_for_load_state("networkidle")
    loaded = page.evaluate(
        "() => performance.getEntriesByType('resource').map((each) => each.name)"
    )
    assert not [name for name in loaded if "dmin" in name]
    assert page.locator("a[href*=admin]").count() == 0
    assert list((STATIC / "assets").glob("Admin-*.js"))


def test_what_failed_in_the_outbox_is_shown_and_sent_again(
    come: Come, site: Server, operator: Operator
) -> None:
    ada = Person(site, "Ada")
    table = ada.table("me", "open")
    details = '{"preset": "json", "secret": "s", "base": ""}'
    with closing(sqlite3.connect(site.database)) as database, database:
        # Six failures take hours: the notice is put where they lead.
        way = (
            f"way-{table['id']}",
            me(ada),
            "webhook",
            "https://127.0.0.1/",
            details,
            1,
            1,
            None,
            None,
        )
        database.execute(f"INSERT INTO way VALUES ({','.join('?' * len(way))})", way)
        row = (f"{table['id']}.1.turn.x", me(ada), way[0], table["id"], "turn", 1, 1, 1, "failed",
               6, 0, None, "status 503")  # fmt: skip
        database.execute(f"INSERT INTO outbox VALUES ({','.join('?' * len(row))})", row)
    page = enter(come(), operator)
    go_to(page, "Outbox")
    failed = page.get_by_role("listitem").filter(has_text=table["id"])
    expect(failed).to_contain_text("webhook · status 503")
    expect(page.get_by_label("State")).to_contain_text("failed (1)")
    failed.get_by_role("button", name=re.compile("^Send again")).click()
    answer(page, "Send again")
    expect(failed).to_have_count(0)
    with closing(sqlite3.connect(site.database)) as database:
        ((state, attempts),) = database.execute(
            "SELECT state, attempts FROM outbox WHERE id = ?", [row[0]]
        )
    assert state != "failed" and attempts < 6
    go_to(page, "Audit log")
    expect(page.get_by_role("listitem").first).to_contain_text("retry-notices")
    ada.call("DELETE", f"/api/me/notifications/ways/{way[0]}")


def me(person: Person) -> str:
    found: str = person.call("GET", "/api/me")["id"]
    return found
