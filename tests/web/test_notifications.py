"""The settings of notifications, as people set them: devices, e-mail, webhooks, quiet hours, vacations, muted tables."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.server.notify.receivers import Browser, Postbox, Receiver, receiving_in_a_thread
from tests.server.support import Person, Server, wait_for
from tests.web.support import PHONE, Come, Json, Visitor, eventually, expect_no_overflow

SUBSCRIBE = """(given) => {
  let made = null;
  const subscription = {
    endpoint: given.endpoint,
    toJSON: () => ({ endpoint: given.endpoint, keys: given }),
    unsubscribe: async () => { made = null; return true; },
  };
  PushManager.prototype.subscribe = async () => (made = subscription);
  PushManager.prototype.getSubscription = async () => made;
}"""
"""No push service is reachable from here: the browser gives the receiver's address as its own."""
RENEW = """async (given) => {
  PushManager.prototype.subscribe = async () => ({ toJSON: () => ({ ...given, keys: given }) });
  const waiting = [], event = new ExtendableEvent("pushsubscriptionchange");
  event.waitUntil = (work) => waiting.push(work);
  self.dispatchEvent(event);
  await Promise.all(waiting);
}"""
HIDE = """(state) => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""A test has no other tab in front."""
PONG = '{"type":"pong"}'
SHOW = """async (pages) => {
  const worker = await navigator.serviceWorker.ready;
  for (const data of pages) await worker.showNotification("It is your turn", { tag: data, data });
}"""
SHOWN = """async (pages) => {
  const worker = await navigator.serviceWorker.ready;
  const shown = (await worker.getNotifications()).map((each) => each.data);
  return JSON.stringify(shown) === JSON.stringify(pages);
}"""


class Place(NamedTuple):
    site: Server
    receiver: Receiver
    postbox: Postbox


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("notifying")
    with receiving_in_a_thread() as receiver, Postbox() as postbox:
        site = Server(str(folder / "lampion.db"), log=folder / "log")
        hosts = f"127.0.0.1:{receiver.port}"
        site.flags = ("--notify-hosts", hosts, "--public-url", site.base, *postbox.flags)
        with site.start():
            yield Place(site, receiver, postbox)


def _settings(page: Page) -> Locator:
    page.get_by_role("button", name="Settings").first.click()
    panel = page.locator("section.notifications")
    panel.wait_for()
    return panel


def _ways(panel: Locator) -> Locator:
    return panel.get_by_role("list", name="Where you are notified").get_by_role("listitem")


def _chosen(person: Person) -> Json:
    found: Json = person.call("GET", "/api/me/notifications")["wishes"]
    return found


def test_a_device_is_notified_until_it_is_told_to_stop(
    installed: BrowserContext, place: Place
) -> None:
    keys, page = Browser(), installed.pages[0]
    given = keys.subscription(place.receiver.url("/push/laptop"))
    page.add_init_script(f"({SUBSCRIBE})({json.dumps(given)})")
    page.goto(f"{place.site.base}/")
    page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    panel = _settings(page)
    panel.get_by_role("button", name="Notify this device").click()
    expect(_ways(panel)).to_contain_text("This device is notified.")
    _test(page, panel)
    told = keys.decrypt(place.receiver.got[-1].body)
    assert told["notification"]["title"] == "Lampion can reach you"

    # The browser renews its subscription while nobody looks, then again before the next visit.
    renewed = keys.subscription(place.receiver.url("/push/renewed"))
    installed.service_workers[-1].evaluate(RENEW, renewed)
    page.get_by_role("dialog", name="Settings").get_by_role("button", name="Close").click()
    panel = _settings(page)
    expect(_ways(panel)).to_have_count(1)
    _test(page, panel)
    assert place.receiver.got[-1].path == "/push/renewed"
    with page.expect_response(lambda found: found.url.endswith("/notifications/push")):
        page.goto(f"{place.site.base}/")
    panel = _settings(page)
    expect(_ways(panel)).to_have_count(1)
    _test(page, panel)
    assert place.receiver.got[-1].path == "/push/laptop"
    panel.get_by_role("button", name="Stop notifying this device").click()
    expect(panel.get_by_role("button", name="Notify this device")).to_be_visible()
    expect(_ways(panel)).to_have_count(0)


def test_a_table_that_is_opened_by_hand_takes_its_notification_away(
    installed: BrowserContext, place: Place
) -> None:
    page, site = installed.pages[0], place.site.base
    ada = Person(place.site, "Ada")
    mine, other = (f"{site}/t/{ada.table('me', 'open')['id']}" for _ in range(2))
    page.goto(f"{site}/about")
    page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    page.evaluate(SHOW, [f"{mine}?ply=7", other])
    page.goto(mine)
    eventually(page, SHOWN, [other])
    page.evaluate(SHOW, [mine])
    page.evaluate(HIDE, "visible")
    eventually(page, SHOWN, [other])


def _test(page: Page, panel: Locator) -> None:
    with page.expect_response(lambda found: found.url.endswith("/test")) as answer:
        panel.get_by_role("button", name="Send a test").click()
    assert answer.value.ok


def test_mail_webhook_quiet_hours_and_vacation(come: Come, place: Place) -> None:
    ada = Person(place.site, "Ada")
    visitor = come(place.site, **PHONE)
    visitor.sit_as(ada)
    page = visitor.open("/me")
    panel = _settings(page)
    panel.get_by_label("E-mail address").fill("ada@mail.example")
    panel.get_by_role("button", name="Send a code").tap()
    code = panel.get_by_label("Code from the e-mail to ada@mail.example")
    code.fill("000000")
    subject = str(place.postbox.letters[-1][1]["Subject"])
    right = subject.rpartition(" ")[2]
    if right != "000000":
        panel.get_by_role("button", name="Confirm").tap()
        expect(page.get_by_text("not the code").first).to_be_attached()
    code.fill(right)
    panel.get_by_role("button", name="Confirm").tap()
    expect(_ways(panel)).to_contain_text(re.compile("ada@mail.example.*Send a test"))

    mail = _ways(panel).filter(has_text="ada@mail.example")
    mail.get_by_role("button", name="Only to sign in").tap()
    expect(mail).to_contain_text("No notifications, only sign-in links.")
    expect(mail.get_by_role("button", name="Send a test")).to_have_count(0)
    expect_no_overflow(visitor)
    mail.get_by_role("button", name="Send notifications").tap()
    expect(mail.get_by_role("button", name="Send a test")).to_be_visible()

    panel.get_by_text("Webhook", exact=True).tap()
    panel.get_by_label("Address (https)").fill("https://10.0.0.1/hook")
    panel.get_by_role("button", name="Add").tap()
    expect(page.get_by_text("cannot be sent to this address").first).to_be_attached()
    panel.get_by_label("Address (https)").fill(place.receiver.url("/hook"))
    panel.get_by_label("Format").select_option("Discord")
    panel.get_by_role("button", name="Add").tap()
    expect(panel.get_by_role("status")).to_contain_text("It is shown only now")
    hook = _ways(panel).filter(has_text="/hook")
    hook.get_by_role("button", name="Send a test").tap()
    expect(page.get_by_text("Sent.", exact=True).first).to_be_attached()
    assert "Lampion can reach you" in json.loads(place.receiver.got[-1].body)["content"]

    panel.get_by_label("Quiet hours").check()
    panel.get_by_label("from", exact=True).fill("23:30")
    panel.get_by_label("from", exact=True).blur()
    visitor.wait_until(lambda: _chosen(ada)["quiet_from"] == 23 * 60 + 30, "the hour is stored")
    panel.get_by_text("What to notify me about", exact=True).tap()
    panel.get_by_label("A game is over").uncheck()
    visitor.wait_until(lambda: _chosen(ada)["off"] == ["over"], "the wish is stored")
    assert _chosen(ada)["quiet_to"] == 8 * 60

    panel.get_by_text("Vacation", exact=True).tap()
    first = date.today() + timedelta(days=20)
    panel.get_by_label("First day").fill(first.isoformat())
    panel.get_by_label("Last day").fill((first + timedelta(days=2)).isoformat())
    panel.get_by_role("button", name="Announce").tap()
    cancel = panel.get_by_role("button", name="Cancel")
    expect(cancel).to_be_visible()
    expect_no_overflow(visitor)
    cancel.tap()
    expect(cancel).to_have_count(0)
    hook.get_by_role("button", name="Remove").tap()
    expect(_ways(panel)).to_have_count(1)
    panel.get_by_label("Quiet hours").uncheck()
    visitor.wait_until(lambda: _chosen(ada)["quiet_from"] is None, "quiet no more")


def _table(ada: Person, ben: Person) -> Json:
    table = ada.table("me", "open", game="lumens", pace={"kind": "days", "days": 3})
    ben.join(table)
    return table


def _act(person: Person, table: Json) -> None:
    """One action of the player who is to act, without coming to the table."""
    feed = person.call("GET", f"/api/tables/{table['id']}/feed?since=-1&hidden=1")
    update = next(one for one in feed["messages"] if one["type"] == "update")
    action = {"action": update["legal"][0], "ply": update["ply"]}
    assert person.command(table, "act", seat=update["seat"], **action).status_code == 200


def _until_called(ada: Person, ben: Person, table: Json) -> None:
    """Ada acts until Ben is to act; before, Ben does what he has to."""
    players = {0: ada, 1: ben}
    while True:
        seat = ada.info(table)["actors"][0]
        _act(players[seat], table)
        if seat == 0 and ada.info(table)["actors"][0] == 1:
            return


def test_a_muted_table_is_silent_and_a_page_in_the_background_is_not(
    come: Come, place: Place
) -> None:
    ada, ben = Person(place.site, "Ada"), Person(place.site, "Ben")
    table = _table(ada, ben)
    ben.call("POST", "/api/me/notifications/webhook", {"url": place.receiver.url("/ben")})

    def told() -> int:
        return sum(one.path == "/ben" for one in place.receiver.got)

    def until_ben() -> None:
        _until_called(ada, ben, table)

    visitor: Visitor = come(place.site)
    visitor.sit_as(ben)
    page = visitor.open(f"/t/{table['id']}")
    visitor.wait_until(lambda: visitor.updates, "the table is shown")
    until_ben()
    assert visitor.wait_for_turn()
    assert told() == 0, "he is looking at the table"
    page.evaluate(HIDE, "hidden")
    until_ben()
    visitor.wait_until(lambda: told() == 1, "nobody looks at a page in the background")
    page.evaluate(HIDE, "visible")
    page.get_by_role("button", name="Menu").first.click()
    page.get_by_role("button", name="Mute notifications of this table").click()
    expect(page.get_by_role("button", name="Unmute this table")).to_be_visible()
    visitor.leave()
    until_ben()
    ada.call("POST", f"/api/tables/{table['id']}/commands", {"do": "resign", "id": "r", "seat": 0})
    ben.call("PUT", f"/api/me/tables/{table['id']}/mute", {"muted": False})
    assert told() == 1, "a muted table tells nothing"


def test_a_table_left_open_on_a_desk_calls_its_player(come: Come, place: Place) -> None:
    """The page stays in front, but nobody has touched it for three minutes."""
    ada, ben = Person(place.site, "Ada"), Person(place.site, "Ben")
    table = _table(ada, ben)
    ben.call("POST", "/api/me/notifications/webhook", {"url": place.receiver.url("/desk")})

    def told() -> int:
        return sum(one.path == "/desk" for one in place.receiver.got)

    visitor: Visitor = come(place.site)
    visitor.sit_as(ben)
    visitor.page.clock.install()
    page = visitor.open(f"/t/{table['id']}")
    visitor.wait_until(lambda: visitor.updates, "the table is shown")

    def heartbeat() -> None:
        """The server has heard all that the page has said; a line that slept is up again."""
        pongs = visitor.frames.count(PONG)
        page.clock.fast_forward(10_000)
        visitor.wait_until(lambda: visitor.frames.count(PONG) > pongs, "the line is up")

    page.clock.fast_forward(100_000)
    page.mouse.move(50, 60)
    page.clock.fast_forward(100_000)
    heartbeat()
    _until_called(ada, ben, table)
    assert visitor.wait_for_turn() and told() == 0, "he was here a moment ago"
    page.clock.fast_forward(100_000)
    _until_called(ada, ben, table)
    visitor.wait_until(lambda: told() == 1, "he has left his desk")
    page.mouse.move(90, 90)
    heartbeat()
    _until_called(ada, ben, table)
    assert visitor.wait_for_turn() and told() == 1


def test_a_link_in_a_letter_brings_a_person_back(come: Come, place: Place) -> None:
    ada, letters = Person(place.site, "Ada"), place.postbox.letters
    api, address = "/api/me/notifications/mail", "ada@back.example"
    way = ada.call("POST", api, {"address": address})["id"]
    wait_for(lambda: letters and letters[-1][0] == [address])
    code = str(letters[-1][1]["Subject"]).rpartition(" ")[2]
    ada.call("POST", f"{api}/confirm", {"way": way, "code": code})
    known = len(letters)
    visitor = come(place.site)
    page = visitor.open("/recover")
    for given in ("nobody@back.example", address):
        page.get_by_label("Your e-mail address").fill(given)
        visitor.button("Send a link").click()
        expect(page.get_by_role("status")).to_contain_text("a link is on its way")
    wait_for(lambda: len(letters) > known)
    to, letter, _ = letters[-1]
    plain = letter.get_body(("plain",)).get_content()  # type: ignore[union-attr]
    link = re.search(r"http\S+/claim#\S+", plain)
    assert to == [address] and link
    page.goto(link[0])
    visitor.button("Continue here").click()
    visitor.card("lumens").wait_for()
    page.get_by_role("button", name="Settings").first.click()
    expect(page.get_by_role("textbox", name="Your name")).to_have_value("Ada")
