"""The installed app: it starts without a line, takes files and push messages, and gives way to a newer one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import (
    BrowserContext,
    Locator,
    Page,
    Route,
    expect,
)

from tests.server.support import Person, Server
from tests.web.builds import serving_builds
from tests.web.support import Visitor, eventually

PREFIX = "/lampion"
Json = dict[str, Any]
SHARE = """(record) => {
  const form = document.createElement("form");
  form.method = "post"; form.enctype = "multipart/form-data"; form.action = "share";
  const input = document.createElement("input");
  input.type = "file"; input.name = "record";
  const files = new DataTransfer();
  files.items.add(new File([record], "game.json", { type: "application/json" }));
  input.files = files.files;
  form.append(input);
  document.body.append(form);
  form.submit();
}"""
IS_KEPT = """async () => {
  await navigator.serviceWorker.ready;
  for (const name of await caches.keys()) {
    const urls = (await (await caches.open(name)).keys()).map((request) => request.url);
    if (urls.filter((url) => url.includes("/api/rulebook/")).length >= 3) return true;
  }
  return false;
}"""
MISS_A_PART = """async () => {
  window.stayed = true;
  const asked = new Promise((resolve) => new PerformanceObserver((list) => {
    if (list.getEntries().some((entry) => entry.name.endsWith("/live"))) resolve();
  }).observe({ type: "resource", buffered: true }));
  dispatchEvent(new Event("vite:preloadError"));
  await asked;
}"""
"""A part of the client that did not come; back when the page has asked whether the server lives."""
NOTIFIED = """async (tag) => {
  const found = await (await navigator.serviceWorker.ready).getNotifications({ tag });
  return found.map(({ title, body, tag, lang }) => ({ title, body, tag, lang }))[0];
}"""
OPENED = """async (tag) => {
  const opened = [];
  self.clients.openWindow = async (url) => void opened.push(url);
  WindowClient.prototype.focus = async function () { opened.push(`focus ${this.url}`); };
  let notification;
  while (!notification) {
    [notification] = await self.registration.getNotifications({ tag });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const waiting = [];
  const event = new NotificationEvent("notificationclick", { notification });
  event.waitUntil = (work) => waiting.push(work);
  self.dispatchEvent(event);
  await Promise.all(waiting);
  return opened;
}"""


SHOWN = """async () => {
  const told = [];
  for (const one of await (await navigator.serviceWorker.ready).getNotifications()) {
    told.push({ title: one.title, tag: one.tag, renotify: one.renotify, silent: one.silent });
  }
  return told;
}"""
DISMISS = """async () => {
  for (const one of await (await navigator.serviceWorker.ready).getNotifications()) one.close();
}"""
NOTED = """async (ids) => {
  const [name] = (await caches.keys()).filter((each) => each.endsWith("notices"));
  const noted = name ? await (await caches.open(name)).keys() : [];
  const found = noted.map((request) => new URL(request.url).search.slice(1));
  return JSON.stringify(found) === JSON.stringify(ids);
}"""
GO_TO = """(path) => {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}"""
"""As a link of the page itself does."""
LOADED = "() => performance.getEntriesByType('resource').map((each) => each.name)"
UPDATED = """async (build) => {
  const worker = await navigator.serviceWorker.ready;
  await worker.update();
  const shells = (await caches.keys()).filter((name) => name.includes(" shell "));
  const isNewest = shells.at(-1)?.endsWith(` ${build}`);
  return isNewest && worker.active?.state === "activated" && !worker.installing && !worker.waiting
    ? shells.map((name) => name.split(" ").at(-1))
    : null;
}"""


@pytest.fixture(scope="module")
def folder_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """In a folder of a bigger site, where an address that forgets it leads nowhere."""
    folder = tmp_path_factory.mktemp("folder")
    with Server(str(folder / "lampion.db"), "--path-prefix", PREFIX, log=folder / "log") as server:
        server.base += PREFIX
        yield server


def _finished(server: Server) -> tuple[Person, str]:
    """A person with a game that they resigned."""
    ada = Person(server, "Ada")
    table = ada.table("me", "novice", game="lumens")["id"]
    ada.call("POST", f"/api/tables/{table}/commands", {"do": "resign", "id": "r", "seat": 0})
    return ada, table


def _deliver(page: Page, origin: str, message: Json) -> None:
    """As a push service would."""
    session = page.context.new_cdp_session(page)
    found: list[str] = []
    session.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda told: found.extend(each["registrationId"] for each in told["registrations"]),
    )
    session.send("ServiceWorker.enable")
    while not found:
        page.wait_for_timeout(20)
    push = {"origin": origin, "registrationId": found[0], "data": json.dumps(message)}
    session.send("ServiceWorker.deliverPushMessage", push)


def _board(page: Page) -> Locator:
    """Of a replay: there once its first position has come."""
    return page.locator("main .board svg:not([width='0'])").first


def _notified(page: Page, tag: str) -> Any:
    """The notification with this tag, as soon as the browser lists it."""
    return eventually(page, NOTIFIED, tag)


def _clicked(page: Page, tag: str) -> list[str]:
    """The pages that a click on this notification opens. A worker that rests is woken first: only
    one that runs can be asked."""
    page.evaluate("() => fetch('api/catalogue').then((answer) => answer.text())")
    opened: list[str] = page.context.service_workers[-1].evaluate(OPENED, tag)
    return opened


def test_the_app_is_installable_starts_without_a_line_and_is_called_back(
    installed: BrowserContext, folder_site: Server
) -> None:
    ada, table = _finished(folder_site)
    home = f"{folder_site.base}/"
    page = installed.pages[0]
    page.goto(home)
    eventually(page, IS_KEPT)
    found = installed.new_cdp_session(page).send("Page.getInstallabilityErrors")
    assert found["installabilityErrors"] == []
    record = ada.ask("GET", f"/api/tables/{table}/record").text
    page.goto(f"{home}replay/{table}")
    _board(page).wait_for()

    installed.set_offline(True)
    page.goto(home)
    expect(page.get_by_role("heading", name="What works without a connection")).to_be_visible()
    page.get_by_role("link", name="Lanterns Dice").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Lanterns Dice")
    expect(page.locator("article, main").first).to_contain_text("emperor")
    page.evaluate(MISS_A_PART)
    assert page.evaluate("() => window.stayed"), "what is kept looked like an answer of the server"
    page.goto(home)
    page.get_by_role("link", name="Lumens Player 1").click()  # strangers see no names
    _board(page).wait_for()
    installed.set_offline(False)

    page.goto(home)
    page.evaluate(SHARE, record)
    _board(page).wait_for()
    assert page.url == f"{home}replay"

    target = f"{home}t/{table}"
    told = {"title": "Your turn", "body": "Lumens", "tag": table, "lang": "en", "navigate": target}
    _deliver(
        page,
        folder_site.base.removesuffix(PREFIX),
        {"web_push": 8030, "notification": told, "app_badge": 2},
    )
    shown = {name: told[name] for name in ("title", "body", "tag", "lang")}
    assert _notified(page, table) == shown
    assert _clicked(page, table) == [target]
    foreign = told | {"navigate": "https://example.org/t/x", "tag": "other"}
    _deliver(
        page, folder_site.base.removesuffix(PREFIX), {"web_push": 8030, "notification": foreign}
    )
    assert _clicked(page, "other") == [], "a message leads to our own pages only"


def test_a_new_version_is_offered_once(visitor: Visitor) -> None:
    newer = {"build": "another"}

    def answer(route: Route) -> None:
        route.fulfill(json=route.fetch().json() | newer)

    visitor.page.route("**/api/catalogue", answer)
    visitor.open()
    note = visitor.page.get_by_text("A new version of Lampion is ready.")
    expect(note).to_be_visible()
    visitor.button("Load it").click()
    visitor.card("lumens").wait_for()
    expect(note).to_have_count(0)  # the server goes on saying so: asking again would never end
    newer["build"] = "a third"
    visitor.open("/")
    expect(note).to_be_visible()


def _push(page: Page, site: Server, tag: str, title: str, name: str, path: str = "/") -> None:
    """A message with this id, and wait until the worker has dealt with it."""
    told = {"title": title, "tag": tag, "navigate": f"{site.base}{path}", "data": {"id": name}}
    origin = site.base.removesuffix(PREFIX)
    _deliver(page, origin, {"web_push": 8030, "notification": told})


def test_a_newer_call_is_heard_and_one_that_comes_twice_is_not(
    installed: BrowserContext, folder_site: Server
) -> None:
    page, other = installed.pages[0], "/about"
    page.goto(f"{folder_site.base}{other}")
    page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    first = {"tag": "tables", "renotify": True, "silent": False}
    again = {"tag": "tables", "renotify": False, "silent": True}
    _push(page, folder_site, "tables", "It is your turn", "a.1")
    eventually(page, NOTED, ["a.1"])
    assert page.evaluate(SHOWN) == [{"title": "It is your turn", **first}]
    _push(page, folder_site, "tables", "News from 2 tables", "b.2")
    eventually(page, NOTED, ["a.1", "b.2"])
    assert page.evaluate(SHOWN) == [{"title": "News from 2 tables", **first}]
    # The server could not know that the second had arrived; meanwhile it was wiped away.
    page.evaluate(DISMISS)
    _push(page, folder_site, "tables", "News from 2 tables", "b.2")
    eventually(page, f"async () => ({SHOWN})().then((told) => told.length === 1)")
    assert page.evaluate(SHOWN) == [{"title": "News from 2 tables", **again}]
    for number in range(50):
        _push(page, folder_site, "tables", "It is your turn", f"c.{number}")
    eventually(page, NOTED, [f"c.{number}" for number in range(50)])


def test_a_click_goes_to_the_page_that_is_open_and_a_page_in_front_is_not_covered(
    installed: BrowserContext, folder_site: Server
) -> None:
    _, table = _finished(folder_site)
    path, page = f"/t/{table}", installed.pages[0]
    page.goto(f"{folder_site.base}{path}")
    page.evaluate("async () => void (await navigator.serviceWorker.ready)")
    page.bring_to_front()
    _push(page, folder_site, "one", "It is your turn", "one", f"{path}?ply=3")
    eventually(page, NOTED, ["one"])
    assert page.evaluate(SHOWN) == [], "the person looks at the table"
    _push(page, folder_site, "two", "It is your turn", "two", "/about")
    eventually(page, NOTED, ["one", "two"])
    assert [each["tag"] for each in page.evaluate(SHOWN)] == ["two"]
    assert _clicked(page, "two") == [f"{folder_site.base}/about"]
    # In another tab, the table is open and not in front: it is called, and a click leads to it.
    front = installed.new_page()
    front.goto(f"{folder_site.base}/about")
    front.bring_to_front()
    _push(front, folder_site, "three", "It is your turn", "three", f"{path}?ply=4")
    eventually(front, NOTED, ["one", "two", "three"])
    opened = _clicked(front, "three")
    assert len(opened) == 1 and opened[0].startswith(f"focus {folder_site.base}{path}")


def test_a_page_of_the_old_build_can_load_its_parts_after_an_update(
    installed: BrowserContext, site: Server
) -> None:
    with serving_builds(site) as builds:
        page = installed.pages[0]
        page.goto(f"{builds.base}/")
        assert eventually(page, UPDATED, "one") == ["one"]
        page.evaluate("() => { window.stayed = true; }")
        part = f"{builds.base}/{builds.part('Replay')}"
        assert page.request.get(part).ok
        builds.serve("two")
        assert eventually(page, UPDATED, "two") == ["one", "two"]
        assert page.request.get(part).status == 404
        page.evaluate(GO_TO, "/replay")
        heading = page.get_by_role("heading", name="Replays", level=1)
        expect(heading).to_be_visible()
        assert part in page.evaluate(LOADED)
        assert page.evaluate("() => window.stayed"), "the page was loaded again"
        builds.serve("three")
        assert eventually(page, UPDATED, "three") == ["two", "three"], "not for ever"
        page.reload()
        expect(heading).to_be_visible()
