"""The person behind a browser: kept by a phrase or a passkey, with results and friends of their own."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.server.support import Person, Server
from tests.web.support import PHONE, Come, Visitor, expect_no_overflow

VIRTUAL = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def settings(visitor: Visitor) -> None:
    visitor.page.get_by_role("button", name="Settings").first.click()


def finished(server: Server) -> tuple[Person, Person]:
    """Ada has lost a game to Milo."""
    ada, milo = Person(server, "Ada"), Person(server, "Milo")
    table = ada.table("me", "open", game="lumens")
    milo.join(table)
    assert ada.command(table, "resign", seat=0).status_code == 200
    return ada, milo


def test_a_phrase_brings_a_person_back_and_their_guest_along(come: Come, site: Server) -> None:
    ada, _ = finished(site)
    laptop, phone = come(), come(**PHONE)
    laptop.sit_as(ada)
    laptop.open()
    laptop.button("Keep them safe").click()  # offered as long as there is no way back
    laptop.button("Make a recovery phrase").click()
    words = laptop.page.get_by_role("list", name="Recovery phrase").get_by_role("listitem")
    expect(words).to_have_count(8)
    phrase = " ".join(words.all_inner_texts())
    laptop.button("I have written it down").click()
    expect(laptop.page.get_by_text(re.compile("You have had a phrase since"))).to_be_visible()
    laptop.open()
    laptop.card("lumens").wait_for()
    expect(laptop.button("Keep them safe")).to_have_count(0)

    phone.press_play("lumens")
    assert phone.wait_for_turn()
    phone.open("/recover")
    field = phone.page.get_by_role("textbox", name="Recovery phrase")
    field.fill(phrase.replace(" ", "-")[:-1] + ("b" if phrase[-1] != "b" else "d"))
    phone.button("Come back").tap()
    expect(phone.page.get_by_role("alert")).to_contain_text("wrong")
    field.fill(phrase)
    phone.button("Come back").tap()
    expect(phone.page.get_by_role("heading", name="You are Ada now")).to_be_visible()
    expect(phone.page.get_by_text("with 1 table")).to_be_visible()
    expect_no_overflow(phone)
    phone.button("Bring it along").tap()
    games = phone.page.get_by_role("region", name="Your games")
    expect(games).to_contain_text("Your turn")
    laptop.open("/me")
    settings(laptop)
    devices = laptop.page.get_by_role("list", name="Your devices").get_by_role("listitem")
    expect(devices.filter(has_text="this device")).to_have_count(1)
    devices.filter(has_not_text="this device").last.get_by_role("button").click()
    expect(devices.filter(has_text="this device")).to_have_count(1)
    phone.open()
    expect(phone.page.get_by_role("region", name="Your games")).to_have_count(0)
    devices.filter(has_text="this device").get_by_role("button", name="Sign out").click()
    # The phrase has been used.
    expect(laptop.page.get_by_role("alert")).to_contain_text("could not come back")
    laptop.button("Yes, sign out here").click()
    expect(laptop.page.get_by_text("This device is signed out.").first).to_be_visible()
    assert laptop.page.evaluate("() => fetch('/api/me').then((me) => me.json())")["id"] is None


def test_a_passkey_is_made_used_and_removed(come: Come, site: Server) -> None:
    home = site.base.replace("127.0.0.1", "localhost")  # numbers have no passkeys
    visitor = come()
    page = visitor.page
    session = visitor.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": VIRTUAL})
    page.goto(home)
    late: list[Route] = []
    page.route("**/api/me", lambda route: late.append(route), times=1)
    settings(visitor)
    visitor.wait_until(lambda: late, "the question who this is")
    name = page.get_by_role("textbox", name="Your name")
    name.fill("Iris")
    nobody = late[0].fetch()
    with page.expect_response(lambda found: found.request.method == "PATCH"):
        name.blur()
    late[0].fulfill(response=nobody)  # known by now: the older answer changes nothing
    visitor.button("Add a passkey").click()
    keys = page.get_by_role("list", name="Passkeys").get_by_role("listitem")
    expect(keys).to_have_count(1)
    visitor.context.clear_cookies()
    page.goto(f"{home}/recover")
    visitor.button("Use a passkey").click()
    expect(page.get_by_role("heading", name="You are Iris now")).to_be_visible()
    page.get_by_role("link", name="Continue").click()
    visitor.card("lumens").wait_for()
    settings(visitor)
    keys.get_by_role("button", name="Remove").click()
    expect(keys).to_have_count(0)
    page.goto(f"{home}/recover")
    visitor.button("Use a passkey").click()
    expect(page.get_by_role("alert")).to_have_text("This passkey is not known here.")


def test_results_and_friends_are_on_a_page_of_ones_own(come: Come, site: Server) -> None:
    ada, milo = finished(site)
    here, there = come(), come()
    here.sit_as(milo)
    there.sit_as(ada)
    here.open("/me")
    figure = here.page.get_by_role("region", name="Your results").locator("summary")
    expect(figure).to_contain_text("1 of 1 game won")
    expect(figure).to_contain_text("21% – 100%")
    here.tab_to("summary")
    here.press("Enter")
    expect(here.page.get_by_role("table")).to_contain_text("100%")
    friends = here.page.get_by_role("region", name="People you have played with")
    friends.get_by_role("button", name="Challenge Ada").click()
    form = here.page.get_by_role("dialog", name="New table")
    expect(form).to_contain_text("Ada")
    form.get_by_role("button", name="Open the table").click()
    here.page.wait_for_url(re.compile("/t/"))
    there.open()
    invited = there.page.get_by_role("link", name=re.compile("You are invited"))
    invited.click()
    there.button("Sit down").click()
    here.wait_until(lambda: here.updates and there.updates, "the game starts")
