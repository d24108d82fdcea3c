"""People who are not at their table: pauses, vacations, the number on the app's icon."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from datetime import date, timedelta

from playwright.sync_api import expect

from tests.server.support import Json, Person, Server
from tests.web.support import Come, Visitor

DAY_MS = 24 * 3_600_000
DAYS = {"kind": "days", "days": 3}
ICON = """() => {
  window.icon = null;
  Navigator.prototype.setAppBadge = async (count) => void (window.icon = count);
  Navigator.prototype.clearAppBadge = async () => void (window.icon = 0);
}"""
"""Only an installed app has an icon: what the page would put on it is noted instead."""


def _table(ada: Person, ben: Person) -> Json:
    table = ada.table("me", "open", game="lumens", pace=DAYS)
    ben.join(table)
    return table


def _go_on_vacation(person: Person) -> None:
    """It can only be announced, for tomorrow at the earliest: let two days pass for it."""
    today = date.today()
    days = {"first": str(today + timedelta(2)), "last": str(today + timedelta(6))}
    person.call("POST", "/api/me/vacations", days)
    name = person.call("GET", "/api/me")["id"]
    with contextlib.closing(sqlite3.connect(person.server.database)) as db, db:
        db.execute(
            "UPDATE vacation SET from_ms = from_ms - ? WHERE person_id = ?", (3 * DAY_MS, name)
        )


def _at(come: Come, person: Person, table: Json) -> Visitor:
    visitor = come()
    visitor.sit_as(person)
    visitor.open(f"/t/{table['id']}")
    visitor.wait_until(lambda: visitor.updates, "the table is shown")
    return visitor


def test_a_pause_by_consent_and_a_vacation_are_seen_at_both_screens(
    come: Come, site: Server
) -> None:
    ada, ben = Person(site, "Ada"), Person(site, "Ben")
    _go_on_vacation(ben)
    table = _table(ada, ben)
    first, second = _at(come, ada, table), _at(come, ben, table)
    for screen in (first, second):
        expect(screen.page.get_by_text(re.compile("^on vacation until ")).first).to_be_visible()
    first.page.get_by_role("button", name="Menu").first.click()
    first.button("Pause the game").click()
    expect(second.page.get_by_text("Ada asks to pause the game.")).to_be_visible()
    second.button("Agree").click()
    for screen in (first, second):
        expect(screen.page.get_by_text("The game is paused: no clock runs.")).to_be_visible()
    second.button("Continue the game").click()
    for screen in (first, second):
        expect(screen.page.get_by_text("The game is paused: no clock runs.")).to_have_count(0)


def test_signing_out_takes_the_number_away(come: Come, site: Server) -> None:
    ada, ben = Person(site, "Ada"), Person(site, "Ben")
    table = _table(ada, ben)
    mover = ada if ada.info(table)["actors"] == [0] else ben
    visitor = come()
    visitor.page.add_init_script(f"({ICON})()")
    visitor.sit_as(mover)
    visitor.open()
    visitor.page.wait_for_function("() => window.icon === 1")
    visitor.page.evaluate(
        """() => fetch("/api/me/sign-out", {
          method: "POST", headers: { "Content-Type": "application/json" }, body: "{}",
        }).then((answer) => answer.json())"""
    )
    visitor.open()
    visitor.page.wait_for_function("() => window.icon === 0")
