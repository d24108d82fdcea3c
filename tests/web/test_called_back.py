"""A whole game with a day for each move between two browsers that are closed in between: each comes
when its service worker is told to, by the message that the server has encrypted for it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import BrowserContext, Page, Playwright, expect

from tests.server.notify.receivers import Browser, Receiver, receiving_in_a_thread
from tests.server.support import Person, Server
from tests.web.conftest import FLAGS, browser_path
from tests.web.players import CLICKS
from tests.web.support import DESKTOP, PATIENCE, Visitor

Json = dict[str, Any]
GAME = "lanterns"
TRIES_UNTIL_AGAIN = 100
CLICKED = """async () => {
  const opened = [];
  self.clients.openWindow = async (url) => void opened.push(url);
  for (const notification of await self.registration.getNotifications()) {
    const waiting = [];
    const event = new NotificationEvent("notificationclick", { notification });
    event.waitUntil = (work) => waiting.push(work);
    self.dispatchEvent(event);
    await Promise.all(waiting);
  }
  return opened;
}"""
"""Only a person's hand may open a window: what the worker would open is noted instead."""


class Device:
    """A browser with the app in it. No page of the site is open, unless its person plays."""

    def __init__(
        self, driver: Playwright, site: Server, receiver: Receiver, person: Person, profile: Path
    ) -> None:
        self._driver, self._site, self._receiver = driver, site, receiver
        self._person, self._profile = person, profile
        self._keys, self._taken = Browser(), 0
        self._path = f"/push/{profile.name}"
        subscription = self._keys.subscription(receiver.url(self._path))
        person.call("POST", "/api/me/notifications/push", subscription)
        self.context = self._start()
        self._install()

    def _start(self) -> BrowserContext:
        context = self._driver.chromium.launch_persistent_context(
            self._profile,
            executable_path=browser_path("whole"),
            args=list(FLAGS),
            viewport=DESKTOP,  # type: ignore[arg-type]
            locale="en-US",
            reduced_motion="reduce",
            permissions=["notifications"],
        )
        context.set_default_timeout(PATIENCE * 1000)
        return context

    def _install(self) -> None:
        cookie = self._person.web.cookies["lampion"]
        self.context.add_cookies(
            [{"name": "lampion", "value": cookie, "url": self._site.base,
              "expires": 2**31 - 1}]
        )  # fmt: skip
        page = self.context.new_page()
        page.goto(f"{self._site.base}/")
        page.evaluate("async () => void (await navigator.serviceWorker.ready)")
        page.close()

    def restart(self) -> None:
        self.context.close()
        self.context = self._start()

    @property
    def empty(self) -> Page:
        return self.context.pages[0]

    def calls(self) -> list[Json]:
        """What the server has sent since the last time, decrypted as a browser would."""
        mine = [one for one in self._receiver.got if one.path == self._path]
        fresh, self._taken = mine[self._taken :], len(mine)
        return [self._keys.decrypt(one.body) for one in fresh]

    def click(self, message: Json) -> str:
        """Deliver the message to the worker, and click what it shows; the page that it opens."""
        session = self.context.new_cdp_session(self.empty)
        found: list[str] = []
        session.on(
            "ServiceWorker.workerRegistrationUpdated",
            lambda told: found.extend(
                each["registrationId"]
                for each in told["registrations"]
                if each["scopeURL"].startswith(self._site.base)
            ),
        )
        session.send("ServiceWorker.enable")
        self._wait_until(lambda: found, "the worker is known")
        opened: list[str] = []
        tries = count()

        def is_shown() -> bool:
            """A worker that was just going to rest can miss a message of the DevTools, which, unlike
            a push service, do not wait for it: deliver again. The tag makes it one notification."""
            if next(tries) % TRIES_UNTIL_AGAIN == 0:
                push = {"origin": self._site.base, "registrationId": found[-1]}
                data = {"data": json.dumps(message)}
                session.send("ServiceWorker.deliverPushMessage", push | data)
            opened.extend(self._clicked())
            return bool(opened)

        self._wait_until(is_shown, "it is shown")
        session.detach()
        (address,) = opened
        return address

    def _clicked(self) -> list[str]:
        """Of the worker that runs now: one that has stopped would never answer."""
        workers = self.context.service_workers[-1:]
        return [page for worker in workers for page in worker.evaluate(CLICKED)]

    def _wait_until(self, holds: Callable[[], Any], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < end, f"waited in vain: {what}"
            self.empty.wait_for_timeout(20)

    @contextmanager
    def visit(self, address: str) -> Iterator[Visitor]:
        page = self.context.new_page()
        visitor = Visitor(self._site, self.context, page)
        page.goto(address)
        yield visitor
        assert visitor.errors == []
        page.close()


def _called(devices: list[Device]) -> tuple[Device, Json]:
    """The device that is called next, and by which message."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        for device in devices:
            if found := device.calls():
                (message,) = found
                return device, message
        devices[0].empty.wait_for_timeout(20)
    raise AssertionError("nobody was called")


def _take_turn(visitor: Visitor) -> bool:
    """Until another player is to act; False when the game is over."""
    while visitor.wait_for_turn():
        visitor.move_with(CLICKS[GAME])
        if not visitor.latest["legal"]:
            break
    return visitor.latest["view"]["to_act"] is not None


def test_two_closed_browsers_play_a_move_a_day(driver: Playwright, tmp_path: Path) -> None:
    with receiving_in_a_thread() as receiver:
        site = Server(str(tmp_path / "lampion.db"), log=tmp_path / "log")
        hosts = f"127.0.0.1:{receiver.port}"
        site.flags = ("--notify-hosts", hosts, "--public-url", site.base)
        with site.start():
            ada, ben = Person(site, "Ada"), Person(site, "Ben")
            devices = [
                Device(driver, site, receiver, ada, tmp_path / "ada"),
                Device(driver, site, receiver, ben, tmp_path / "ben"),
            ]
            table = ada.table(
                "me", "open", game=GAME, options={"variant": "short_game"},
                pace={"kind": "days", "days": 1},
            )  # fmt: skip
            ben.join(table)
            turns, is_on = 0, True
            while is_on:
                device, message = _called(devices)
                shown = message["notification"]
                assert shown["title"] == "It is your turn" and message["app_badge"] == 1
                address = device.click(message)
                assert address == shown["navigate"]
                assert urlsplit(address).path == f"/t/{table['id']}"
                with device.visit(address) as visitor:
                    assert visitor.wait_for_turn()
                    assert parse_qs(urlsplit(address).query)["ply"] == [str(visitor.shown_ply)]
                    is_on = _take_turn(visitor)
                    if not is_on:
                        over = visitor.page.get_by_role("dialog", name="The game is over")
                        expect(over).to_be_visible()
                turns += 1
                if turns == 3:
                    device.restart()  # the profile is all that is left of it
            other, message = _called(devices)
            assert other is not device and message["notification"]["title"] == "The game is over"
            with other.visit(other.click(message)) as visitor:
                expect(visitor.page.get_by_role("dialog")).to_contain_text(re.compile("over"))
            assert turns > 6 and ada.info(table)["result"] and not _more(devices)
            for one in devices:
                one.context.close()


def _more(devices: list[Device]) -> list[Json]:
    return [message for device in devices for message in device.calls()]
