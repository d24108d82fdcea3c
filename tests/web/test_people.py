"""Who a browser is for the server: nobody at first, then a guest, on one device or several."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing

import httpx
from playwright.sync_api import expect

from tests.server.support import Server
from tests.web.support import PHONE, Come, Visitor, invited

WHO = "() => fetch('/api/me').then((reply) => reply.json())"


def num_people(site: Server) -> int:
    with closing(sqlite3.connect(f"file:{site.database}?mode=ro", uri=True)) as database:
        return int(database.execute("SELECT count(*) FROM person").fetchone()[0])


def settings(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Settings").first.click()


def test_a_newcomer_is_stored_when_they_press_play(visitor: Visitor) -> None:
    before = num_people(visitor.site)
    visitor.open()
    visitor.card("lumens").wait_for()
    settings(visitor)
    expect(
        visitor.page.get_by_text("Once you have chosen a name or started a game")
    ).to_be_visible()
    expect(visitor.page.get_by_role("textbox", name="Your name")).to_have_value("")
    expect(visitor.button("Make a link")).to_have_count(0)
    expect(visitor.button("Sign out the other devices")).to_have_count(0)
    visitor.open("/about")
    visitor.open("/replay")
    expect(visitor.page.get_by_text("once you have played one to the end")).to_be_visible()
    assert visitor.page.evaluate(WHO)["id"] is None
    assert visitor.context.cookies() == []
    assert num_people(visitor.site) == before
    visitor.press_play("lumens")
    assert visitor.wait_for_turn()
    assert visitor.page.evaluate(WHO)["id"]
    assert [cookie["name"] for cookie in visitor.context.cookies()] == ["lampion"]
    assert num_people(visitor.site) == before + 1


def test_a_newcomer_deletes_what_the_browser_remembers(visitor: Visitor) -> None:
    visitor.open()
    settings(visitor)
    visitor.page.get_by_text("Italiano", exact=True).click()
    expect(visitor.page.get_by_role("heading", name="Impostazioni")).to_be_visible()
    visitor.button("Elimina i miei dati").click()
    visitor.button("Sì, elimina tutto").click()
    expect(visitor.page.get_by_role("alert").filter(has_text="eliminat")).to_be_visible()
    assert "language" not in (visitor.page.evaluate("() => localStorage.getItem('lampion')") or "")


def test_a_name_that_cannot_be_seen_is_refused_and_not_remembered(visitor: Visitor) -> None:
    visitor.open()
    settings(visitor)
    name = visitor.page.get_by_role("textbox", name="Your name")
    name.fill("\u3164\u3164")
    name.blur()
    expect(
        visitor.page.get_by_role("alert").filter(has_text="characters that can be seen")
    ).to_be_visible()
    visitor.press_play("lumens")
    assert visitor.wait_for_turn()


def test_two_guests_at_one_table_are_told_apart_as_the_server_names_them(come: Come) -> None:
    ada, ben = come(), come()
    ada.new_table("lumens", {1: "open"}, {0: "Ada"})
    ben.page.goto(
        ada.page.get_by_role("textbox", name="Anyone with this link can sit down").input_value()
    )
    ben.page.get_by_role("textbox", name="Your name").fill("ada")
    ben.button("Sit down").click()
    seats = ben.page.get_by_role("list", name="Seats").get_by_role("listitem")
    expect(seats.nth(0)).to_contain_text("Ada")
    expect(seats.nth(1)).to_contain_text("ada 2")


def test_signing_out_the_other_devices_closes_their_tables_with_words(come: Come) -> None:
    laptop, phone = come(), come(**PHONE)
    laptop.press_play("lumens")
    assert laptop.wait_for_turn()
    table = laptop.table
    laptop.open()
    settings(laptop)
    laptop.button("Make a link").click()
    link = laptop.page.get_by_role(
        "textbox", name=re.compile("^Open this on the other device")
    ).input_value()
    phone.page.goto(link)
    phone.button("Continue here").click()
    phone.page.wait_for_url(re.compile("/$"))
    phone.open(f"/t/{table}")
    assert phone.wait_for_turn(), "the seat came along"
    lines: list[str] = []
    phone.page.on("websocket", lambda socket: lines.append(socket.url))
    laptop.button("Sign out the other devices").click()
    expect(laptop.page.get_by_text("Your other devices are signed out.")).to_be_visible()
    phone.page.wait_for_url(re.compile("/$"))
    expect(phone.page.get_by_role("alert")).to_have_text(
        "Another device of yours has signed this one out."
    )
    expect(phone.card("lumens")).to_be_visible()
    expect(phone.page.get_by_role("region", name="Your games")).to_have_count(0)
    assert phone.page.evaluate(WHO)["id"] is None
    assert lines == [], "it does not come back"
    laptop.open(f"/t/{table}")
    assert laptop.wait_for_turn(), "the device that asked stays"


def test_a_device_signed_out_while_it_was_offline_finds_out_when_it_comes_back(come: Come) -> None:
    _, phone = invited(come, "lumens")
    phone.context.set_offline(True)
    expect(phone.page.get_by_text("No network")).to_be_visible()
    key = {cookie["name"]: cookie["value"] for cookie in phone.context.cookies()}
    httpx.post(
        f"{phone.site.base}/api/me/sign-out", json={"others": False}, cookies=key
    ).raise_for_status()
    phone.context.set_offline(False)
    phone.page.wait_for_url(re.compile("/$"))
    expect(phone.page.get_by_role("alert")).to_have_text(
        "Another device of yours has signed this one out."
    )
