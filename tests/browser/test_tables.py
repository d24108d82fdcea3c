"""Tables in real browsers: alone, with friends, round one screen, and after a broken line."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Visit
from tests.browser.support import act, new_table, start


def test_a_stranger_is_in_a_game_after_one_press(visit: Visit) -> None:
    page = visit()
    start(page, "Lumens")
    expect(page.locator("footer")).to_contain_text("Your turn")


def test_the_keyboard_alone_starts_a_game(visit: Visit) -> None:
    page = visit()
    button = page.get_by_role("button", name="Play Lanterns", exact=True)
    expect(button).to_be_visible()
    for _ in range(40):
        page.keyboard.press("Tab")
        if button.evaluate("element => element === document.activeElement"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/t/**")


def test_the_choices_of_the_last_game_are_remembered(visit: Visit) -> None:
    page = visit()
    card = page.get_by_role("article", name="Lumens")
    card.get_by_text("3", exact=True).click()
    card.get_by_label("Bots").select_option("novice")
    page.reload()
    expect(card.get_by_role("radio", name="3")).to_be_checked()
    expect(card.get_by_label("Bots")).to_have_value("novice")


def test_a_friend_comes_by_link_and_both_see_the_same(visit: Visit) -> None:
    ada, milo = visit(), visit("/", viewport=PHONE)
    new_table(ada, name="Ada", others={2: "open"})
    link = ada.locator("input[readonly]").input_value()
    milo.goto(link)
    milo.get_by_label("Your name").fill("Milo")
    milo.get_by_role("button", name="Sit down").click()
    expect(ada.locator("footer")).to_contain_text("Your turn")
    expect(milo.locator("footer")).to_contain_text("Waiting for Ada")
    assert act(ada) == 200
    expect(milo.locator("footer")).to_contain_text("Your turn")
    assert "Your turn" in milo.title()

    ada.get_by_role("button", name="Undo").click()
    milo.get_by_role("button", name="Agree").click()
    expect(ada.locator("footer")).to_contain_text("Your turn")

    milo.get_by_label("Chat", exact=True).click()
    milo.get_by_role("button", name="Hello!").click()
    ada.get_by_label("Chat, 1 new message").click()
    expect(ada.get_by_text("Milo Hello!")).to_be_visible()


def test_a_spectator_sees_the_table_and_no_hand(visit: Visit) -> None:
    ada = visit()
    start(ada, "Lanterns")
    watcher = visit(ada.url.replace(re.match(r"https?://[^/]+", ada.url)[0], ""))  # type: ignore[index]
    expect(watcher.locator("footer")).to_contain_text("you watch")
    expect(watcher.get_by_role("button", name="Undo")).to_have_count(0)


def test_a_curtain_hides_everything_between_two_people_at_one_screen(visit: Visit) -> None:
    page = visit()
    new_table(page, name="Ada", others={2: "local"})
    expect(page.get_by_text("Pass the screen to Ada")).to_be_visible()
    assert page.locator("section.board").count() == 0
    page.get_by_role("button", name="I am Ada").click()
    expect(page.locator("footer")).to_contain_text("Ada, it is your turn")
    assert act(page, 0) == 200
    expect(page.get_by_text("Pass the screen to")).to_be_visible()
    assert page.locator(".board > *").count() == 1, "nothing but the curtain"


def test_a_broken_line_heals_and_nothing_is_lost(visit: Visit) -> None:
    page = visit()
    start(page, "Lanterns")
    expect(page.locator("footer")).to_contain_text("Your turn")
    page.context.set_offline(True)
    expect(page.get_by_text(re.compile("Connecting again|No network"))).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text(re.compile("Connecting again|No network"))).to_have_count(0)
    page.get_by_label("Log").click()
    before = page.locator("ol[aria-label=Log] li").count()
    assert act(page) == 200
    expect(page.locator("ol[aria-label=Log] li").nth(before)).to_be_attached()


def test_hints_show_a_move_and_what_it_gains(visit: Visit) -> None:
    page = visit()
    start(page, "Lanterns")
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("footer p")).not_to_be_empty()


def test_a_guided_game_goes_on_when_the_deed_is_done(visit: Visit) -> None:
    page = visit("/learn/lanterns", viewport=PHONE)
    guide = page.get_by_label("Guide")
    expect(guide).to_contain_text("Step 1 of")
    guide.get_by_role("button", name="Next").click()
    expect(guide).to_contain_text("Step 2 of")
    page.reload()
    expect(guide).to_contain_text("Step 2 of")
    guide.get_by_role("button", name="End the guide").click()
    page.wait_for_url("**/t/**")
    expect(guide).to_have_count(0)
