"""What people do at a table, whatever the game."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

ACT = """async ([table, seat]) => {
  const feed = await (await fetch(`/api/tables/${table}/feed?since=-1${seat === null ? "" : `&seat=${seat}`}`)).json();
  const update = feed.messages.find((message) => message.type === "update" && message.legal.length);
  if (!update) return null;
  const action = update.legal[Math.floor(Math.random() * update.legal.length)];
  const body = { do: "act", id: crypto.randomUUID(), seat: update.seat, ply: update.ply, action };
  const headers = { "Content-Type": "application/json" };
  return (await fetch(`/api/tables/${table}/commands`, { method: "POST", headers, body: JSON.stringify(body) })).status;
}"""
"""Does any legal action as the person of this browser; how boards do it is tested with the boards."""


def act(page: Page, seat: int | None = None) -> Any:
    return page.evaluate(ACT, [table_of(page), seat])


def table_of(page: Page) -> str:
    return page.url.split("/t/")[1].split("#")[0]


def start(page: Page, title: str) -> None:
    """One press on the home page."""
    page.get_by_role("button", name=f"Play {title}", exact=True).click()
    page.wait_for_url("**/t/**")
    expect(page.locator("footer")).to_be_visible()


def new_table(page: Page, *, name: str, others: dict[int, str]) -> None:
    """A table of Lanterns; `others` says by the number of the seat who sits there: open, bot or local."""
    page.get_by_role("button", name="With friends").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Your name").first.fill(name)
    for number, kind in others.items():
        dialog.get_by_label(f"Seat {number}").select_option(kind)
    dialog.locator("button.main").click()
    page.wait_for_url("**/t/**")


def play_to_the_end(page: Page) -> None:
    for _ in range(3000):
        if page.get_by_role("dialog").count():
            return
        if act(page) is None:
            page.wait_for_timeout(50)
    raise AssertionError("the game did not end")
