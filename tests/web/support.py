"""Visitors of the site, who see and click what people see and click."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Locator, Page, Position, expect

from lampion.core.fold import fold
from tests.server.support import Person, Server
from tests.support import IS_NIGHT

Json = dict[str, Any]
Come = Callable[..., "Visitor"]
GAMES = ("lanterns", "lanterns_dice", "lumens")
TITLES = {"lanterns": "Lanterns", "lanterns_dice": "Lanterns Dice", "lumens": "Lumens"}
DESKTOP = {"width": 1280, "height": 800}
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
WIDER = "() => document.scrollingElement.scrollWidth - document.documentElement.clientWidth"
SHOWN_PLY = "() => document.querySelector('[data-ply]')?.dataset.ply || -1"
UNPAINTED = """{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html { opacity: 0 !important }");
  document.adoptedStyleSheets.push(sheet);
}"""
ASIDE = "/api/catalogue"
"""A page of the site that draws nothing: while a game goes on elsewhere, a table would draw every move."""
BEGINNING, END = 0.2, 0.8
"""Of a game: what is played in the browser by day. The nights have time for the middle, too."""
PATIENCE = 60.0
"""Seconds until a visitor gives up waiting; machines that run tests may be busy."""


def eventually(page: Page, promise: str, arg: Any = None) -> Any:
    """What an async function of the page gives as soon as that holds. `wait_for_function` takes the
    promise itself for an answer and never asks again."""
    patient = f"""async (arg) => {{
      const end = Date.now() + {1000 * PATIENCE};
      for (;;) {{
        const found = await ({promise})(arg);
        if (found) return found;
        if (Date.now() > end) throw new Error("waited in vain");
        await new Promise((next) => setTimeout(next, 20));
      }}
    }}"""
    return page.evaluate(patient, arg)


class Visitor:
    """A browser of its own, and what it received."""

    def __init__(
        self, site: Server, context: BrowserContext, page: Page, *, touches: bool = False
    ) -> None:
        self.site, self.context, self.page, self.touches = site, context, page, touches
        self.chance = random.Random(7)
        self.errors: list[str] = []
        self.frames: list[str] = []
        """Everything that came over sockets."""
        self.updates: list[Json] = []
        """What the game was told, by whatever way."""
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("websocket", lambda socket: socket.on("framereceived", self._received))

    def _received(self, frame: str | bytes) -> None:
        text = frame if isinstance(frame, str) else frame.decode()
        self.frames.append(text)
        self.receive(json.loads(text))

    def receive(self, message: Json) -> None:
        if message["type"] != "update":
            return
        if message["view"] is None:
            message["view"] = self._folded(message)
        if message["view"] is not None:  # otherwise the page does not have it either, and asks
            self.updates.append(message)

    def _folded(self, update: Json) -> Json | None:
        """The view to which the events of an update lead from the last one of its seat."""
        place = (update["table"], update["seat"], update["since"])
        for known in reversed(self.updates):
            if (known["table"], known["seat"], known["ply"]) == place:
                events = [event for step in update["steps"] for event in step["events"]]
                view: Json = fold(known["view"], events)
                return view
        return None

    def open(self, path: str = "/") -> Page:
        self.page.goto(f"{self.site.base}{path}")
        return self.page

    def leave(self) -> None:
        self.context.close()

    def sit_as(self, person: Person) -> None:
        """This browser belongs to a person who has been here by other means."""
        self.context.add_cookies(
            [{"name": "lampion", "value": person.web.cookies["lampion"], "url": self.site.base}]
        )

    def close_eyes(self) -> None:
        """From the next page on nothing is painted: layout, focus and the accessibility tree stay as
        they are, for a third of the processor time."""
        self.context.add_init_script(UNPAINTED)

    def read_in(self, language: str, table: Json, ply: int) -> None:
        """A table in that language, from any page; in Dice the others may have gone on."""
        self.page.evaluate(
            "language => localStorage.setItem('lampion', JSON.stringify({ language }))", language
        )
        self.open(f"/t/{table['id']}")
        self.wait_until(lambda: self.shown_ply >= ply, "the page follows")

    def prefer(self, **preferences: object) -> None:
        """What the settings would remember, from the next page on."""
        text = json.dumps(preferences)
        self.context.add_init_script(f"localStorage.setItem('lampion', JSON.stringify({text}))")

    def hit(self, found: Locator, at: Position | None = None) -> None:
        """A click, or a tap on a screen that is touched; in the middle, or so far from the corner."""
        found.tap(position=at) if self.touches else found.click(position=at)

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    # --- starting ---

    def card(self, game: str) -> Locator:
        """The card of a game on the first page."""
        return self.page.get_by_role("article", name=TITLES[game], exact=True)

    @property
    def person(self) -> Person:
        """The owner of this browser, by other means; a newcomer if it knows nobody yet."""
        person = Person(self.site)
        keys = [each["value"] for each in self.context.cookies() if each["name"] == "lampion"]
        if keys:
            person.web.cookies.set("lampion", keys[0])
        return person

    def play(self, game: str, level: str = "novice", players: int = 2) -> None:
        """At a running game against bots, as by `press_play`, without the first page."""
        person = self.person
        table = person.table("me", *[level] * (players - 1), game=game)
        self.sit_as(person)
        person.web.close()
        self.open(f"/t/{table['id']}")

    def press_play(self, game: str, level: str = "novice", players: int = 2) -> None:
        """From the first page to a running game; the level is remembered from then on."""
        self.open()
        card = self.card(game)
        card.get_by_text(str(players), exact=True).click()
        card.get_by_role("combobox").select_option(level)
        card.get_by_role("button", name=re.compile("^Play")).click()
        self.page.wait_for_url(re.compile("/t/"))

    def new_table(self, game: str, seats: dict[int, str], names: dict[int, str]) -> None:
        """Through the form for friends: the kinds of the other seats, and the names of those at this screen."""
        self.open()
        self.card(game).get_by_role("button", name="With friends").click()
        form = self.page.get_by_role("dialog", name="New table")
        form.get_by_role("group", name="Players").get_by_text(
            str(len(seats) + 1), exact=True
        ).click()
        for seat, kind in seats.items():
            form.get_by_role("combobox", name=f"Seat {seat + 1}").select_option(kind)
        fields = form.get_by_role("textbox", name="Your name")
        for place, name in enumerate(names.values()):
            fields.nth(place).fill(name)
        form.get_by_role("button", name=re.compile("^(Open the table|Start the game)$")).click()
        self.page.wait_for_url(re.compile("/t/"))

    @property
    def table(self) -> str:
        return self.page.url.rpartition("/t/")[2].partition("#")[0]

    # --- playing ---

    @property
    def latest(self) -> Json:
        """The newest update that came, one with a choice first if several seats are ours."""
        newest = max(update["ply"] for update in self.updates)
        return max(
            (update for update in self.updates if update["ply"] == newest),
            key=lambda update: len(update["legal"]),
        )

    @property
    def shown_ply(self) -> int:
        """The ply at which the board on the page is; -1 while there is none."""
        return int(self.page.evaluate(SHOWN_PLY))

    def wait_until(self, holds: Callable[[], Any], what: str, seconds: float = PATIENCE) -> None:
        end = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < end, f"waited in vain: {what}"
            self.page.wait_for_timeout(40)

    def wait_for_turn(self) -> bool:
        """Until it is our turn and the page shows it; False when the game is over."""
        self.wait_until(
            lambda: (
                self.updates and (self.latest["view"]["to_act"] is None or self.latest["legal"])
            ),
            "our turn",
        )
        if self.latest["view"]["to_act"] is None:
            return False
        self.wait_until(lambda: self.shown_ply == self.latest["ply"], "the page follows")
        return True

    def move_with(self, move: Move) -> None:
        """One move, until the server has taken it; where all act at once, others may move in between."""
        assert self.wait_for_turn()
        ply, seat, known = self.latest["ply"], self.latest["seat"], len(self.updates)
        move(self)
        self.wait_until(
            lambda: any(acted(update, seat, ply) for update in self.updates[known:]),
            "the move is taken",
        )

    def skip_to(self, is_there: Callable[[Json], bool]) -> None:
        """Any moves over the wire until it is our turn in such a view. No page is open meanwhile: it
        would draw every move."""
        address, table = self.page.url, {"id": self.table}
        person = self.person
        self.open("/live")
        play_until(person, table, self.chance, lambda update: is_there(update["view"]))
        person.web.close()
        self.page.goto(address)

    def play_beginning_and_end(self, move: Move, progress: Progress) -> None:
        """A whole game, of which the middle is skipped by day."""
        while self.wait_for_turn() and progress(self.latest["view"]) < BEGINNING:
            self.move_with(move)
        if not IS_NIGHT:
            self.skip_to(lambda view: progress(view) >= END)
        self.play_to_the_end(move)

    def play_to_the_end(self, move: Move) -> None:
        while self.wait_for_turn():
            self.move_with(move)
        expect(self.page.get_by_role("dialog", name="The game is over")).to_be_visible()

    # --- by keys ---

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def tab_to(self, selector: str) -> None:
        """Tab until something of that kind has the focus."""
        for _ in range(120):
            if self.page.evaluate("selector => document.activeElement.matches(selector)", selector):
                return
            self.press("Tab")
        raise AssertionError(f"the keyboard never reaches {selector}")


Move = Callable[[Visitor], None]
Progress = Callable[[Json], float]
"""How far the game in a view has come, from 0 to 1."""


def busy(update: Json) -> list[str]:
    """Any moves but the idle ones, unless there are no others."""
    legal: list[str] = update["legal"]
    return [action for action in legal if action not in ("skip", "reroll")] or legal


def play_until(
    person: Person,
    table: Json,
    chance: random.Random,
    is_there: Callable[[Json], bool],
    choose: Callable[[Json], list[str]] = busy,
) -> Json:
    """Moves until it is this person's turn in an update of that kind, or the game is over; gives
    the last update."""
    with person.live(table) as live:
        while live.turn()["type"] == "update":
            update = person.update(table)  # where all act at once, there may be a newer one
            if update["legal"] and is_there(update):
                return update
            if update["legal"]:
                person.act(table, update, chance.choice(choose(update)))
    return person.update(table)


def acted(update: Json, seat: int, ply: int) -> bool:
    """Whether a player has acted since that ply."""
    return any(step["actor"] == seat and step["ply"] >= ply for step in update["steps"])


def welcome(browser: Browser, site: Server, **options: Any) -> Visitor:
    settings = {
        "viewport": DESKTOP,
        "reduced_motion": "reduce",
        "locale": "en-US",
        "service_workers": "block",  # tests/web/test_app.py is about it
        **options,
    }
    context = browser.new_context(**settings)
    try:
        page = context.new_page()
    except Error as crash:
        # On a busy machine Chromium itself dies now and then before it shows its first page.
        if "crashed" not in crash.message:
            raise
        context.close()
        context = browser.new_context(**settings)
        page = context.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    return Visitor(site, context, page, touches=bool(options.get("has_touch")))


def two_at(
    come: Come, game: str, before: Callable[[Visitor], None] = lambda visitor: None
) -> tuple[Visitor, Visitor]:
    """Ada and Ben at a table, as by `invited`, without the way there; `before` prepares their
    browsers."""
    ada, ben = come(), come()
    host, guest = Person(ada.site, "Ada"), Person(ben.site, "Ben")
    table = host.table("me", "open", game=game)
    guest.join(table)
    for visitor, person in ((ada, host), (ben, guest)):
        before(visitor)
        visitor.sit_as(person)
        person.web.close()
        visitor.open(f"/t/{table['id']}")
    ada.wait_until(lambda: ada.updates and ben.updates, "the game starts")
    return ada, ben


def invited(come: Come, game: str) -> tuple[Visitor, Visitor]:
    """Ada opens a table, Ben comes by her link."""
    ada, ben = come(), come()
    ada.new_table(game, {1: "open"}, {0: "Ada"})
    link = ada.page.get_by_role("textbox", name="Anyone with this link can sit down").input_value()
    expect(ada.page.get_by_role("img", name=re.compile("QR code"))).to_be_visible()
    ben.page.goto(link)
    ben.page.get_by_role("textbox", name="Your name").fill("Ben")
    ben.button("Sit down").click()
    ada.wait_until(lambda: ada.updates and ben.updates, "the game starts")
    return ada, ben


def whose_turn(*visitors: Visitor) -> Visitor:
    first = visitors[0]
    first.wait_until(
        lambda: any(each.updates and each.latest["legal"] for each in visitors), "a player's turn"
    )
    return next(each for each in visitors if each.latest["legal"])


def expect_no_overflow(visitor: Visitor) -> None:
    assert visitor.page.evaluate(WIDER) <= 0, f"{visitor.page.url} is wider than the screen"
